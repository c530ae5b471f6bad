//! LLVM's fatal errors end the process our way: with a message that says what to report, and status 70.
//! Owns the one handler of the process. What can be checked beforehand is checked beforehand (see `target`);
//! this is the last net, since LLVM does not let a fatal error be survived.

use std::ffi::{CStr, c_char, c_int};
use std::io::Write;
use std::sync::Once;

use inkwell::llvm_sys::error_handling::LLVMInstallFatalErrorHandler;

use crate::error::{ErrorClass, REPORT_HINT};

static INSTALLED: Once = Once::new();

/// Makes LLVM's fatal errors ours. Cheap to call again; every entry point of this crate that reaches LLVM does.
pub fn install_handler() {
    // SAFETY: the handler lives as long as the process, and never returns into LLVM.
    INSTALLED.call_once(|| unsafe { LLVMInstallFatalErrorHandler(Some(end_process)) });
}

extern "C" fn end_process(reason: *const c_char) {
    let reason = if reason.is_null() {
        "no reason given".into()
    } else {
        // SAFETY: LLVM passes a NUL-terminated string that lives through the call.
        unsafe { CStr::from_ptr(reason) }.to_string_lossy()
    };
    let _ = writeln!(std::io::stderr(), "error: internal: LLVM failed: {reason}\nhelp: {REPORT_HINT}");
    // SAFETY: ends the process at once. `exit` would run LLVM's destructors while LLVM's own threads of
    // execution (this one, and those of a parallel build) are still inside it.
    unsafe { _exit(c_int::from(ErrorClass::Internal.exit_status())) }
}

unsafe extern "C" {
    fn _exit(status: c_int) -> !;
}
