//! LLVM's contexts on several threads: a context moves between threads together with everything built in it.

use std::ptr::NonNull;

use inkwell::context::Context;

/// A type that refers to one LLVM context, and holds all references to it: nothing else can use the context at the same
/// time.
pub trait OfOneContext {}

/// A value in its own LLVM context that can move between threads.
pub struct Portable<T> {
    // Dropped before its context.
    inner: T,
    context: OwnContext,
}

/// A context that is dropped with this.
struct OwnContext(NonNull<Context>);

impl Drop for OwnContext {
    fn drop(&mut self) {
        // SAFETY: the pointer is of a box that nothing else frees; all references to the context are gone (`Portable`).
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

impl<T: OfOneContext> Portable<T> {
    /// Creates a value in a new context. It refers to the context with a static lifetime; no reference leaves `inner`,
    /// since the results of `with` and `finish` are `Send`, which no value of LLVM is.
    pub fn new(begin: impl FnOnce(&'static Context) -> T) -> Self {
        let context = OwnContext(NonNull::from(Box::leak(Box::new(Context::create()))));
        // SAFETY: the box lives as long as `inner`.
        let inner = begin(unsafe { context.0.as_ref() });
        Self { inner, context }
    }

    /// Works on the value, on this thread.
    pub fn with<R: Send>(&mut self, work: impl FnOnce(&mut T) -> R) -> R {
        work(&mut self.inner)
    }

    /// Consumes the value, on this thread, and drops its context.
    pub fn finish<R: Send>(self, work: impl FnOnce(T) -> R) -> R {
        let Self { inner, context } = self;
        let result = work(inner);
        drop(context);
        result
    }
}

// SAFETY: LLVM keeps all state of a context in the context: any thread can use it, one at a time. Only the owner
// reaches the value inside, and nothing outside refers to it (`OfOneContext`).
unsafe impl<T: OfOneContext> Send for Portable<T> {}
