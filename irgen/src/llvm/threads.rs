//! LLVM's contexts on several threads: a context goes from thread to thread together with all that was built in it.

use std::ptr::NonNull;

use inkwell::context::Context;

/// A type that refers to one LLVM context, and counts only references of its own: nothing else can use the context at
/// the same time.
pub trait OfOneContext {}

/// Something in an LLVM context of its own, on its way from thread to thread.
pub struct Portable<T> {
    // Goes before its context does.
    inner: T,
    context: OwnContext,
}

/// A context that is gone when this is.
struct OwnContext(NonNull<Context>);

impl Drop for OwnContext {
    fn drop(&mut self) {
        // SAFETY: the pointer is of a box that nothing else frees; all references to the context are gone (`Portable`).
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

impl<T: OfOneContext> Portable<T> {
    /// Begins something in a new context. It refers to the context as if that were there forever; nothing of it gets
    /// out of `inner`, since the results of `with` and `finish` can go to other threads, and no value of LLVM can.
    pub fn new(begin: impl FnOnce(&'static Context) -> T) -> Self {
        let context = OwnContext(NonNull::from(Box::leak(Box::new(Context::create()))));
        // SAFETY: the box lives as long as `inner`.
        let inner = begin(unsafe { context.0.as_ref() });
        Self { inner, context }
    }

    /// Works on it, on this thread.
    pub fn with<R: Send>(&mut self, work: impl FnOnce(&mut T) -> R) -> R {
        work(&mut self.inner)
    }

    /// Ends it, on this thread, and its context.
    pub fn finish<R: Send>(self, work: impl FnOnce(T) -> R) -> R {
        let Self { inner, context } = self;
        let result = work(inner);
        drop(context);
        result
    }
}

// SAFETY: LLVM has no state of a context anywhere but in the context: any thread can use it, one at a time. Only the
// owner reaches the value inside, and nothing outside refers to it (`OfOneContext`).
unsafe impl<T: OfOneContext> Send for Portable<T> {}
