//! Hoists `destroy_addr` to the last use of the memory or to the last deinit barrier. Follows
//! lib/SILOptimizer/Transforms/DestroyAddrHoisting.cpp.
//!
//! This file owns the order of the roots, and the assignments: an assignment is split into a destroy and an
//! initialisation while destroys are hoisted. `known_uses` collects the uses of a root, `destroys` hoists the destroys,
//! `folding` turns preceding copies into takes.

mod destroys;
mod folding;
mod known_uses;

use rustc_hash::FxHashSet;
use sil_analysis::{AccessKind, AccessStorage, Analyses, Change, NestedAccess};
use sil_ir::context::ParameterConvention;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{CopyAddr, Store};
use sil_ir::model::{ArgumentFlag, Body, InstructionId, Place, Value};
use sil_ir::types::{ArgumentConvention, Copyability};

use self::destroys::Hoisting;
use self::known_uses::KnownUses;
use crate::InstructionBuilder;
use crate::pass::settings::LexicalLifetimes;
use crate::pass::{Description, Environment, Gate, Gates, OwnershipGate, Pass, Rewrite, Runner};

pub(crate) const ADDRESS_DESTROY_HOISTING: Pass = Pass::new(&Description {
    name: "destroy-addr-hoisting",
    class_name: "DestroyAddrHoisting",
    summary: "Hoists destructions of values in memory.",
    gates: Gates { optimize_none: Gate::Skip, ownership: OwnershipGate::Ossa, ..Gates::OPEN },
    runner: Runner::Function(hoist),
});

/// Whether deinit barriers limit hoisting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Barriers {
    Respected,
    Ignored,
}

/// Hoists the destroys of addresses in a function.
pub(crate) fn hoist(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body, .. } = environment;
    let mut body = body.clone();
    let roots = roots(environment);
    let assignments = divide_assignments(&mut body);
    let mut removed: FxHashSet<InstructionId> = FxHashSet::default();
    let mut is_changed = false;
    let mut open = roots.into_iter().peekable();
    while open.peek().is_some() {
        let analyses = Analyses::default();
        let environment = environment.with_body(&body, &analyses);
        let view = environment.view();
        let next = open.find_map(|(root, barriers)| {
            let uses = KnownUses::of(environment, &view, root, barriers)?;
            Hoisting::new(&view, root, barriers, &uses).hoisted(&mut removed)
        });
        if let Some(next) = next {
            body = next;
            is_changed = true;
        }
    }
    is_changed |= join_assignments(&mut body, assignments, &removed);
    Ok(is_changed.then(|| Rewrite::new(function, body, Change::Instructions)))
}

/// The roots whose destroys may be hoisted, innermost first.
fn roots(environment: Environment<'_>) -> Vec<(Value, Barriers)> {
    let Environment { queries, function, settings, body, .. } = environment;
    let view = environment.view();
    let mut accesses = Vec::new();
    let mut variables = Vec::new();
    for id in body.placed_instructions() {
        match body.instructions[id].opcode {
            // The scope of a modify access limits its destroys, so deinit barriers are ignored.
            Opcode::BeginAccess if AccessKind::of(body, id) == AccessKind::Modify => {
                accesses.extend(body.result(id).map(|root| (root, Barriers::Ignored)));
            }
            Opcode::AllocStack => {
                let is_lexical = body.instructions[id].attributes.contains(Attribute::Lexical);
                let barriers = if is_lexical { Barriers::Respected } else { Barriers::Ignored };
                variables.extend(body.result(id).map(|root| (root, barriers)));
            }
            _ => {}
        }
    }
    let arguments = body.blocks[body.entry()].arguments.iter().filter(|argument| body.ty(**argument).is_address());
    let arguments = arguments.map(|argument| {
        let is_exclusive =
            view.argument_convention(*argument) == Some(ArgumentConvention::Parameter(ParameterConvention::InOut));
        let is_eager = body.values[*argument].flags.contains(ArgumentFlag::EagerMove);
        (*argument, if is_exclusive || is_eager { Barriers::Ignored } else { Barriers::Respected })
    });
    let is_copyable = |(root, _): &(Value, Barriers)| {
        queries.properties(body.ty(*root).ty, function.signature).copyability != Copyability::Noncopyable
    };
    let is_owner = |(root, _): &(Value, Barriers)| match AccessStorage::of(&view, *root, NestedAccess::Stop) {
        Some(AccessStorage::Nested(_)) => true,
        storage => storage.is_some_and(|storage| storage.is_uniquely_identified(&view)),
    };
    let all = accesses.into_iter().rev().chain(variables).chain(arguments);
    let kept = all.filter(is_copyable).filter(is_owner);
    kept.map(|(root, barriers)| match settings.lexical_lifetimes {
        LexicalLifetimes::Kept => (root, barriers),
        LexicalLifetimes::Dropped => (root, Barriers::Ignored),
    })
    .collect()
}

/// A destroy that was split off the assignment after it.
struct Division {
    destroy: InstructionId,
    assignment: InstructionId,
}

/// Splits each assignment into a destroy and an initialisation.
fn divide_assignments(body: &mut Body) -> Vec<Division> {
    let mut divisions = Vec::new();
    for id in body.placed_instructions().collect::<Vec<_>>() {
        let attributes = body.instructions[id].attributes;
        let destination = match body.instructions[id].opcode {
            Opcode::Store if attributes.contains(Attribute::Assign) => Store::of(body, id).destination,
            Opcode::CopyAddr if !attributes.contains(Attribute::Init) => CopyAddr::of(body, id).destination,
            _ => continue,
        };
        let mut builder = InstructionBuilder::new(body, Place::Before(id), id);
        let destroy = builder.destroy_addr(destination);
        body.instructions[destroy].locate_automatically();
        let attributes = &mut body.instructions[id].attributes;
        attributes.remove(Attribute::Assign);
        attributes.insert(Attribute::Init);
        divisions.push(Division { destroy, assignment: id });
    }
    divisions
}

/// Rejoins the split assignments whose destroy did not move. Returns whether any destroy did.
fn join_assignments(body: &mut Body, divisions: Vec<Division>, removed: &FxHashSet<InstructionId>) -> bool {
    let mut is_changed = false;
    for Division { destroy, assignment } in divisions {
        if removed.contains(&destroy) || body.next(destroy) != Some(assignment) {
            is_changed = true;
            continue;
        }
        body.erase(destroy);
        let is_store = body.instructions[assignment].opcode == Opcode::Store;
        let attributes = &mut body.instructions[assignment].attributes;
        attributes.remove(Attribute::Init);
        if is_store {
            attributes.insert(Attribute::Assign);
        }
    }
    is_changed
}
