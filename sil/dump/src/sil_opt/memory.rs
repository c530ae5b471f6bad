//! Results of analyses of memory: values that may lead to the same memory, effects of instructions on it, escapes of
//! objects (SwiftCompilerSources/Sources/Optimizer/TestPasses).

use sil_analysis::escape::{self, EscapePath, Follows, Start, Visit, VisitDefinition, Visitor};
use sil_analysis::{AliasAnalysis, AnalyzedModule, BodyView, ProjectionPath, Use};
use sil_ir::instructions::{MayRelease, Opcode};
use sil_ir::model::{Definition, Value};
use std::collections::BTreeSet;
use std::fmt::Write;

use super::Subject;

/// Of each two values whether they may lead to the same memory.
pub(super) fn aliases(subject: &Subject<'_>) -> String {
    let view = subject.view();
    let analyzed = AnalyzedModule::new(subject.module, subject.queries);
    let analysis = AliasAnalysis::new(&analyzed, &view);
    let values = subject.values();
    let mut out = format!("@{}\n", subject.name());
    // Writing to a string does not fail.
    let mut write = |text: std::fmt::Arguments<'_>| _ = out.write_fmt(text);
    let mut pair = 0;
    for (index, first) in values.iter().enumerate() {
        for second in &values[index..] {
            let is_used = |value: &Value| !view.uses.of(*value).is_empty();
            let answer = match analysis.may_alias(*first, *second) {
                true => "MayAlias",
                false if is_used(first) && is_used(second) => "NoAlias",
                false => "noalias?",
            };
            let (first, second) = (subject.lines.value(*first), subject.lines.value(*second));
            write(format_args!("PAIR #{pair}.\n  {first}  {second}  {answer}\n"));
            pair += 1;
        }
    }
    out
}

/// Of each instruction with an effect on memory, the effect on that at each address.
pub(super) fn behavior(subject: &Subject<'_>) -> String {
    let view = subject.view();
    let analyzed = AnalyzedModule::new(subject.module, subject.queries);
    let analysis = AliasAnalysis::new(&analyzed, &view);
    let addresses: Vec<Value> =
        subject.values().into_iter().filter(|value| subject.body.ty(*value).is_address()).collect();
    let mut out = format!("@{}\n", subject.name());
    let mut write = |text: std::fmt::Arguments<'_>| _ = out.write_fmt(text);
    let mut pair = 0;
    for id in subject.body.placed_instructions().filter(|id| acts_on_memory(view.opcode(*id))) {
        for address in addresses.iter().filter(|address| subject.body.defining(**address) != Some(id)) {
            let bit = |does: bool| if does { 1 } else { 0 };
            let (read, write_) = (bit(analysis.may_read(id, *address)), bit(analysis.may_write(id, *address)));
            let (instruction, value) = (subject.lines.instruction(id), subject.lines.value(*address));
            write(format_args!("PAIR #{pair}.\n  {instruction}  {value}  r={read},w={write_}\n"));
            pair += 1;
        }
    }
    out.push('\n');
    out
}

fn acts_on_memory(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(
        opcode,
        Apply
            | TryApply
            | BeginApply
            | PartialApply
            | EndApply
            | AbortApply
            | BeginAccess
            | EndAccess
            | EndCowMutation
            | CopyValue
            | DestroyValue
            | StrongRelease
            | IsUnique
            | EndBorrow
            | Load
            | LoadBorrow
            | Store
            | CopyAddr
            | Builtin
            | StoreBorrow
            | MarkDependence
            | MarkDependenceAddr
            | DebugValue
    )
}

/// Of each object that is allocated where it goes.
pub(super) fn escapes(subject: &Subject<'_>) -> String {
    let view = subject.view();
    let analyzed = AnalyzedModule::new(subject.module, subject.queries);
    let mut out = format!("Escape information for {}:\n", subject.name());
    for id in subject.body.placed_instructions().filter(|id| view.opcode(*id) == Opcode::AllocRef) {
        let Some(object) = subject.body.result(id) else { continue };
        let mut visitor = Destinations(BTreeSet::new());
        let walked = escape::walk(&analyzed, &view, &mut visitor, (object, ProjectionPath::EMPTY), Start::Up);
        let places: Vec<String> = visitor.0.into_iter().collect();
        let places = match walked {
            Err(_) => "global".to_owned(),
            Ok(()) if places.is_empty() => " -    ".to_owned(),
            Ok(()) => places.join(","),
        };
        out += &format!("{places}: {}", subject.lines.instruction(id));
    }
    out += &format!("End function {}\n\n", subject.name());
    out
}

/// Collects where an object goes.
struct Destinations(BTreeSet<String>);

impl Visitor for Destinations {
    fn visit_use(&mut self, view: &BodyView<'_>, found: Use, path: EscapePath) -> Visit {
        if view.opcode(found.user) != Opcode::Return {
            return Visit::Continue;
        }
        self.0.insert(format!("return[{}]", path.path));
        Visit::Ignore
    }

    fn visit_definition(&mut self, view: &BodyView<'_>, value: Value, path: EscapePath) -> VisitDefinition {
        match view.body.values[value].definition {
            Definition::Argument { block, index } if block == view.body.entry() => {
                self.0.insert(format!("arg{index}[{}]", path.path));
                VisitDefinition::GoDown
            }
            _ => VisitDefinition::GoUp,
        }
    }

    fn follows(&self) -> Follows {
        Follows::Object
    }
}

/// The effect of each instruction by itself (lib/SILOptimizer/UtilityPasses/BasicInstructionPropertyDumper.cpp).
pub(super) fn properties(subject: &Subject<'_>) -> String {
    let effects = AnalyzedModule::new(subject.module, subject.queries).instruction_effects();
    let mut out = format!("@{}\n", subject.name());
    let mut write = |text: std::fmt::Arguments<'_>| _ = out.write_fmt(text);
    for (number, id) in subject.body.placed_instructions().enumerate() {
        let behavior = effects.memory_behavior(subject.body, id);
        let releases = match subject.body.instructions[id].opcode.information().may_release {
            MayRelease::No => "DoesNotRelease",
            _ => "MayRelease",
        };
        let instruction = subject.lines.instruction(id);
        write(format_args!("Inst #: {number}\n    {instruction}"));
        write(format_args!("    Mem Behavior: {behavior:?}\n    Release Behavior: {releases}\n"));
    }
    out
}
