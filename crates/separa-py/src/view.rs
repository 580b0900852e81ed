//! NumPy arrays as slices that outlive the interpreter's lock: the one file of this crate with
//! `unsafe` code.
//!
//! Copying would double the memory of a fit (a 1 GB table: 2 GB instead of 1), and work that was
//! interrupted may still read while Python goes on, so a borrow that ends with the call will not do.

#![allow(unsafe_code)]

use numpy::{Element, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// A C-ordered, aligned array, kept alive for as long as it is looked at.
#[derive(Debug)]
pub struct View<T> {
    first: *const T,
    len: usize,
    shape: Vec<usize>,
    // Drop goes through PyO3's pool where the thread is not attached to the interpreter.
    _owner: Py<PyArrayDyn<T>>,
}

// SAFETY: the pointer is only read; the memory belongs to `_owner`, which may be sent and dropped
// anywhere. Python code that writes to the array during a call changes what the call reads: the
// documentation forbids it, as NumPy's own functions do. It also asks that memory which is not NumPy's
// own (ctypes, a file mapped by hand) outlives the call, and the end of an interrupted one.
unsafe impl<T: Sync> Send for View<T> {}
unsafe impl<T: Sync> Sync for View<T> {}

impl<T: Element> View<T> {
    /// A view of an array, or `None` where its values do not lie in C order.
    pub fn new(array: &Bound<'_, PyArrayDyn<T>>) -> Option<Self> {
        let first = array.data().cast_const();
        if !array.is_c_contiguous() || !first.is_aligned() {
            return None;
        }
        let shape = array.shape().to_vec();
        Some(Self { first, len: array.len(), shape, _owner: array.clone().unbind() })
    }

    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    pub fn slice(&self) -> &[T] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: `new` saw `len` values of type T (NumPy's type check) from `first` on, C-ordered and
        // aligned; `_owner` keeps them where they are: NumPy refuses to resize a referenced array.
        unsafe { std::slice::from_raw_parts(self.first, self.len) }
    }
}
