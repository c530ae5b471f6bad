//! Marks globals that are never written as constant (SwiftCompilerSources, `ReadOnlyGlobalVariables`). A global that is
//! initialised at run time is written by its initialiser.

use rustc_hash::FxHashSet;
use sil_analysis::{ApplySite, Uses};
use sil_ir::context::{Mutability, Name};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views;
use sil_ir::model::{Body, Linkage, Module, Value};
use sil_ir::types::{ConformanceTable, TypeQueries};
use sil_text::syntax::Libraries;

use crate::pass::{Description, Gates, Pass, Runner};

pub(crate) const READ_ONLY_GLOBALS: Pass = Pass::new(&Description {
    name: "read-only-global-variables",
    class_name: "ReadOnlyGlobalVariablesPass",
    summary: "Marks globals that nothing writes as constants.",
    gates: Gates::OPEN,
    runner: Runner::Program(|module, libraries, _| mark(module, libraries)),
});

/// Marks the globals that are not visible outside of the module and that the module never writes.
pub(crate) fn mark(module: &mut Module, _: &Libraries<'_>) -> Vec<Diagnostic> {
    let written = written(module);
    for global in module.globals.values_mut() {
        let is_own = matches!(global.linkage, Linkage::Private | Linkage::Hidden);
        if is_own && global.clang_name.is_none() && !global.used && !written.contains(&global.name) {
            global.mutability = Mutability::Let;
        }
    }
    Vec::new()
}

/// The globals that may be written.
fn written(module: &Module) -> FxHashSet<Name> {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = &TypeQueries::of(module, &conformances);
    let bodies = module.functions.values().filter_map(|function| function.body.as_ref());
    let initializers = module.globals.values().filter_map(|global| global.initializer.as_deref());
    let mut written = FxHashSet::default();
    for body in bodies.chain(initializers) {
        let uses = Uses::new(body);
        for id in body.placed_instructions() {
            match (body.instructions[id].opcode, body.result(id)) {
                (Opcode::GlobalAddr, Some(address)) => {
                    let global = views::GlobalAddr::of(body, id).global.name;
                    if !written.contains(&global) && may_write(queries, body, &uses, address) {
                        written.insert(global);
                    }
                }
                (Opcode::AllocGlobal | Opcode::GlobalValue, _) => {
                    if let sil_ir::model::Details::Global(global, _) = &body.instructions[id].details {
                        written.insert(*global);
                    }
                }
                _ => {}
            }
        }
    }
    written
}

/// Returns whether a use of the memory at `address` may do more than read.
fn may_write(queries: &TypeQueries<'_>, body: &Body, uses: &Uses, address: Value) -> bool {
    uses.of(address).iter().any(|found| {
        let id = found.user;
        match body.instructions[id].opcode {
            Opcode::Load | Opcode::LoadBorrow | Opcode::EndAccess | Opcode::DebugValue => false,
            Opcode::CopyAddr => found.operand != 0,
            Opcode::BeginAccess | Opcode::StructElementAddr | Opcode::TupleElementAddr => {
                body.result(id).is_none_or(|part| may_write(queries, body, uses, part))
            }
            _ => match ApplySite::new(body, id).filter(|site| site.kind.is_full()) {
                Some(site) => {
                    let conventions = site.conventions(queries);
                    let argument =
                        conventions.and_then(|found_in| site.argument_of_operand(found_in, found.operand as usize));
                    !argument.is_some_and(|argument| argument.convention.is_indirect_in())
                }
                None => true,
            },
        }
    })
}
