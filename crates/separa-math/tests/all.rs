//! All tests that use the crate from outside, in one program.

mod few_eigenpairs;
mod interrupts;
mod svm_kernels;
