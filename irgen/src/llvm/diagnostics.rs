//! LLVM's reports through its context (code generation errors, linker warnings), as values. By default LLVM prints
//! errors itself and exits with status 1.

use std::cell::RefCell;
use std::ffi::{CStr, c_void};
use std::marker::PhantomData;

use inkwell::context::Context;
use inkwell::llvm_sys::LLVMDiagnosticSeverity;
use inkwell::llvm_sys::core::{
    LLVMContextSetDiagnosticHandler, LLVMDisposeMessage, LLVMGetDiagInfoDescription, LLVMGetDiagInfoSeverity,
};
use inkwell::llvm_sys::prelude::LLVMDiagnosticInfoRef;

use crate::Error;

/// One report of LLVM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its severity.
    pub severity: Severity,
    /// LLVM's text, one or more lines.
    pub message: String,
}

/// The severity of a [`Diagnostic`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The result cannot be used.
    Error,
    /// Something the user may want to know.
    Warning,
    /// Optimisation remarks and notes.
    Remark,
}

/// Collects LLVM's reports on one context during its lifetime.
///
/// Create one before building into a context; call [`DiagnosticCollector::check`] after each stage.
#[derive(Debug)]
pub struct DiagnosticCollector<'ctx> {
    context: PhantomData<&'ctx Context>,
    raw_context: inkwell::llvm_sys::prelude::LLVMContextRef,
    // Boxed, so that its address is stable while LLVM holds it.
    reports: Box<RefCell<Vec<Diagnostic>>>,
}

impl<'ctx> DiagnosticCollector<'ctx> {
    /// Starts collecting. Only one collector per context is active: a second one replaces the first.
    pub fn install(context: &'ctx Context) -> DiagnosticCollector<'ctx> {
        let reports = Box::new(RefCell::new(Vec::new()));
        let address: *const RefCell<Vec<Diagnostic>> = &*reports;
        // SAFETY: the box outlives the registration, which `drop` ends; a context is used by one thread at a time.
        unsafe { LLVMContextSetDiagnosticHandler(context.raw(), Some(collect), address as *mut c_void) };
        DiagnosticCollector { context: PhantomData, raw_context: context.raw(), reports }
    }

    /// Takes all reports so far.
    pub fn take(&self) -> Vec<Diagnostic> {
        self.reports.take()
    }

    /// Fails with the errors reported so far, if any; drops warnings and remarks.
    pub fn check(&self) -> Result<(), Error> {
        let errors: Vec<String> = self
            .take()
            .into_iter()
            .filter(|report| report.severity == Severity::Error)
            .map(|report| report.message)
            .collect();
        if errors.is_empty() { Ok(()) } else { Err(Error::CodeGeneration(errors.join("\n"))) }
    }
}

impl Drop for DiagnosticCollector<'_> {
    fn drop(&mut self) {
        // SAFETY: the context is alive, being borrowed for 'ctx.
        unsafe { LLVMContextSetDiagnosticHandler(self.raw_context, None, std::ptr::null_mut()) };
    }
}

extern "C" fn collect(info: LLVMDiagnosticInfoRef, reports: *mut c_void) {
    // SAFETY: `reports` is the box registered by `install`, alive until `drop` ends the registration; LLVM passes a
    // valid report and hands its description over to be freed here.
    let (reports, severity, message) = unsafe {
        let description = LLVMGetDiagInfoDescription(info);
        let message = CStr::from_ptr(description).to_string_lossy().into_owned();
        LLVMDisposeMessage(description);
        (&*(reports as *const RefCell<Vec<Diagnostic>>), LLVMGetDiagInfoSeverity(info), message)
    };
    let severity = match severity {
        LLVMDiagnosticSeverity::LLVMDSError => Severity::Error,
        LLVMDiagnosticSeverity::LLVMDSWarning => Severity::Warning,
        LLVMDiagnosticSeverity::LLVMDSRemark | LLVMDiagnosticSeverity::LLVMDSNote => Severity::Remark,
    };
    reports.borrow_mut().push(Diagnostic { severity, message });
}
