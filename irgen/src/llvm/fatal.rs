//! Handlers for fatal errors of LLVM: they end the process with a message about the report to send, and status 70. LLVM
//! reports fatal errors, and unexpected input may raise signals: a trap in unreachable code, an access out of bounds,
//! an assertion. Owns: the handlers of the process. Conditions that can be checked beforehand are checked beforehand
//! (see `target`); this is the last resort, since no program survives a fatal error of LLVM.

use std::ffi::{CStr, c_char, c_int};
use std::io::Write;
use std::sync::Once;

use inkwell::llvm_sys::error_handling::LLVMInstallFatalErrorHandler;

use crate::error::{ErrorClass, REPORT_HINT};

static INSTALLED: Once = Once::new();

/// Installs the handlers. Cheap to call again; every entry point of this crate that uses LLVM does.
pub fn install_handler() {
    INSTALLED.call_once(|| {
        // SAFETY: the handler lives as long as the process, and never returns into LLVM.
        unsafe { LLVMInstallFatalErrorHandler(Some(end_process)) };
        #[cfg(unix)]
        SIGNALS.iter().for_each(|(signal, _)| handle(*signal));
    });
}

/// The signals of fatal faults, and their names.
#[cfg(unix)]
const SIGNALS: [(c_int, &str); 6] = [
    (libc::SIGTRAP, "SIGTRAP"),
    (libc::SIGILL, "SIGILL"),
    (libc::SIGSEGV, "SIGSEGV"),
    (libc::SIGBUS, "SIGBUS"),
    (libc::SIGFPE, "SIGFPE"),
    (libc::SIGABRT, "SIGABRT"),
];

#[cfg(unix)]
fn handle(signal: c_int) {
    // SAFETY: all zeros are a `sigaction` without flags and with an empty mask.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = end_for_signal as extern "C" fn(c_int) as usize;
    // On a stack overflow, the handler needs another stack, which Rust's threads have.
    action.sa_flags = libc::SA_ONSTACK | libc::SA_RESETHAND;
    // SAFETY: the handler lives as long as the process, and calls nothing that a handler must not.
    unsafe { libc::sigaction(signal, &raw const action, std::ptr::null_mut()) };
}

/// Calls only `write` and `_exit`, since the interrupted code may hold locks.
#[cfg(unix)]
extern "C" fn end_for_signal(signal: c_int) {
    let name = SIGNALS.iter().find(|(known, _)| *known == signal).map_or("a signal", |(_, name)| *name);
    for part in ["error: internal: ended by ", name, "\nhelp: ", REPORT_HINT, "\n"] {
        // SAFETY: the bytes are valid; bytes that cannot be written are lost.
        let _ = unsafe { libc::write(libc::STDERR_FILENO, part.as_ptr().cast(), part.len()) };
    }
    // SAFETY: ends the process immediately.
    unsafe { _exit(c_int::from(ErrorClass::Internal.exit_status())) }
}

extern "C" fn end_process(reason: *const c_char) {
    let reason = if reason.is_null() {
        "no reason given".into()
    } else {
        // SAFETY: LLVM passes a NUL-terminated string that lives through the call.
        unsafe { CStr::from_ptr(reason) }.to_string_lossy()
    };
    let _ = writeln!(std::io::stderr(), "error: internal: LLVM failed: {reason}\nhelp: {REPORT_HINT}");
    // SAFETY: ends the process immediately. `exit` would run LLVM's destructors while LLVM's own threads (this one, and
    // those of a parallel build) are still running.
    unsafe { _exit(c_int::from(ErrorClass::Internal.exit_status())) }
}

unsafe extern "C" {
    fn _exit(status: c_int) -> !;
}
