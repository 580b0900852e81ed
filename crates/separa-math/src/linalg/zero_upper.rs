//! The one unsafe line of the workshop.
//!
//! The product kernels leave the upper halves of the vector registers dirty. Plain SSE code that
//! runs afterwards (the standard library is built that way) then waits on them: up to ten times
//! slower until they are cleared.

/// Clears the upper halves of the vector registers of this worker.
#[inline]
pub(super) fn after_wide_code() {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx") {
        zero_upper();
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
fn zero_upper() {
    // SAFETY: called only after AVX was detected on this machine; the instruction reads and writes
    // no memory, and the compiler knows that it changes the vector registers.
    unsafe { std::arch::x86_64::_mm256_zeroupper() }
}
