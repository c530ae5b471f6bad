//! LLVM IR and bitcode from elsewhere, parsed by LLVM and printed again: whatever its producer, older LLVMs included,
//! the resulting text is this LLVM's own.

mod older;

use inkwell::context::Context;

use crate::Error;
use crate::emit::{ModuleOutput, emit_to_memory};
use crate::llvm::diagnostics::DiagnosticCollector;
use crate::llvm::modules;
use crate::target::Machine;

/// The reason why LLVM IR could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotReadable {
    /// LLVM's reason, in one line.
    pub message: String,
    /// The line and column that it names, both from 1; `None` for bitcode.
    pub place: Option<(u32, u32)>,
}

/// Returns the text of a module given as text or bitcode. LLVM upgrades older IR.
pub fn canonical_text(bytes: &[u8], name: &str) -> Result<String, NotReadable> {
    let context = Context::create();
    // Upgrades report dropped parts, such as debug information of unknown versions.
    let reports = DiagnosticCollector::install(&context);
    let parsed = modules::parse(&context, bytes, name).or_else(|error| {
        let older = std::str::from_utf8(bytes).ok().and_then(older::upgraded);
        older.and_then(|text| modules::parse(&context, text.as_bytes(), name).ok()).ok_or(error)
    });
    let module = parsed.map_err(|error| match error {
        Error::BadLlvmInput { message, .. } => reason(&message, name),
        error => NotReadable { message: error.to_string(), place: None },
    })?;
    modules::upgrade_data_layout(&context, &module);
    reports.check().map_err(|error| NotReadable { message: error.to_string(), place: None })?;
    Ok(modules::text_of(&module))
}

/// Emits machine code of a module given as text or bitcode, without optimisation.
pub fn emit(bytes: &[u8], name: &str, machine: &Machine, output: ModuleOutput) -> Result<Vec<u8>, Error> {
    let context = Context::create();
    let reports = DiagnosticCollector::install(&context);
    let module = modules::parse(&context, bytes, name)?;
    machine.prepare_module(&module);
    modules::verify(&module)?;
    emit_to_memory(&module, machine, output, &reports)
}

/// Parses LLVM's message: `NAME:LINE:COLUMN: error: REASON`, followed by the line and a caret.
fn reason(message: &str, name: &str) -> NotReadable {
    let first = message.lines().next().unwrap_or_default();
    let rest = first.strip_prefix(name).and_then(|rest| rest.strip_prefix(':')).unwrap_or(first);
    let mut parts = rest.splitn(3, ':');
    let numbers = (parts.next().map(str::parse), parts.next().map(str::parse), parts.next());
    let (message, place) = match numbers {
        (Some(Ok(line)), Some(Ok(column)), Some(text)) => (text, Some((line, column))),
        _ => (rest, None),
    };
    let message = message.trim();
    NotReadable { message: message.strip_prefix("error: ").unwrap_or(message).to_owned(), place }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::expect_used, reason = "a test ends where its text cannot be read")]
    fn text_comes_out_as_this_llvm_prints_it() {
        let text = canonical_text(b"define i32 @f(i32 %x) {\n %r=add i32 %x,1\n ret i32 %r }", "a.ll");
        let text = text.expect("it is well formed");
        assert!(text.contains("define i32 @f(i32 %x) {\n  %r = add i32 %x, 1\n  ret i32 %r\n}"), "{text}");
    }

    #[test]
    fn errors_say_where() {
        let found = canonical_text(b"define i32 @f() {\n  ret i32 %x\n}", "a.ll");
        let message = "use of undefined value '%x'".to_owned();
        assert_eq!(found, Err(NotReadable { message, place: Some((2, 11)) }));
    }
}
