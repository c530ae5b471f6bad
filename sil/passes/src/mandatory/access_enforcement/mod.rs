//! Access enforcement selection: decides which `[unknown]` accesses the compiler checks (`[static]`) and which are
//! checked at run time (`[dynamic]`) (lib/SILOptimizer/Mandatory/AccessEnforcementSelection.cpp).
//!
//! Owns: the order of functions, and the source of each access. Does not own: the escapes of boxes (`boxes`).
//!
//! A variable that a closure captures by address has the same enforcement in the closure as at the capture, so that
//! functions precede the closures that they make.

mod boxes;

use rustc_hash::FxHashSet;
use sil_analysis::captured_arguments::{BY_ADDRESS, CapturedArgument, captured_argument, closures_last};
use sil_analysis::{ApplySite, Change, ControlFlowGraph, Uses};
use sil_ir::context::Name;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Body, Definition, Function, InstructionId, Value};
use sil_ir::types::{FunctionConventions, TypeQueries};

use self::boxes::BoxUses;
use crate::pass::{Description, Gate, Gates, ModuleEnvironment, Pass, Rewrite, Rewrites, Runner};

pub(crate) const ACCESS_ENFORCEMENT_SELECTION: Pass = Pass::new(&Description {
    name: "access-enforcement-selection",
    class_name: "AccessEnforcementSelection",
    summary: "Selects static or dynamic enforcement for each access.",
    gates: Gates { canonical: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Module(select),
});

/// The enforcement of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Enforcement {
    Static,
    Dynamic,
}

impl Enforcement {
    fn attribute(self) -> Attribute {
        match self {
            Enforcement::Static => Attribute::Static,
            Enforcement::Dynamic => Attribute::Dynamic,
        }
    }
}

/// Selects the enforcement of all `[unknown]` accesses of a module.
pub(crate) fn select(environment: ModuleEnvironment<'_>) -> Rewrites {
    let ModuleEnvironment { module, queries, analyses, .. } = environment;
    let mut captures = FxHashSet::default();
    let mut rewrites = Rewrites::new();
    for id in closures_last(module, queries) {
        let function = &module.functions[id];
        // Closures of functions that are skipped may be inlined.
        let Some(body) = function.body.as_ref().filter(|_| environment.admits(id)) else { continue };
        let (cfg, uses) = (analyses[id].cfg(body), analyses[id].uses(body));
        let conventions = queries.conventions(function.ty);
        let mut selection = Selection {
            body,
            cfg,
            uses,
            queries,
            conventions,
            name: function.name,
            captures: &mut captures,
            selected: Vec::new(),
        };
        selection.run();
        let selected = selection.selected;
        if !selected.is_empty() {
            rewrites.push((id, Ok(rewritten(function, body, &selected))));
        }
    }
    rewrites
}

fn rewritten(function: &Function, body: &Body, selected: &[(InstructionId, Enforcement)]) -> Rewrite {
    let mut body = body.clone();
    for (access, enforcement) in selected {
        let attributes = &mut body.instructions[*access].attributes;
        attributes.remove(Attribute::Unknown);
        attributes.insert(enforcement.attribute());
    }
    Rewrite::new(function, body, Change::Instructions)
}

/// The source of an access or of a capture by address.
enum Source {
    /// A variable all of whose accesses are visible.
    Static,
    /// A variable that other code may access.
    Dynamic,
    /// The contents of a box of this function.
    Box,
}

/// The accesses of a function.
struct Selection<'s, 'q> {
    body: &'s Body,
    cfg: &'s ControlFlowGraph,
    uses: &'s Uses,
    queries: &'s TypeQueries<'q>,
    conventions: Option<FunctionConventions<'s>>,
    name: Name,
    /// The arguments that other code can access while the closure runs.
    captures: &'s mut FxHashSet<CapturedArgument>,
    selected: Vec<(InstructionId, Enforcement)>,
}

impl Selection<'_, '_> {
    fn run(&mut self) {
        let reached = self.cfg.reverse_post_order();
        let instructions: Vec<InstructionId> =
            reached.iter().flat_map(|block| self.body.instructions_in(*block)).collect();
        for id in instructions {
            match self.body.instructions[id].opcode {
                Opcode::AllocBox => self.select_in_box(id),
                Opcode::BeginAccess => self.select_by_source(id),
                _ => self.note_captures(id),
            }
        }
    }

    /// Selects the enforcement of the accesses to a box and of its captures by the places where it escapes.
    fn select_in_box(&mut self, allocation: InstructionId) {
        let Some(allocated) = self.body.result(allocation) else { return };
        let found = BoxUses::new(self.body, self.cfg, self.uses, self.queries, allocated);
        self.selected.extend(found.enforcements());
        self.captures.extend(found.dynamic_captures());
    }

    fn select_by_source(&mut self, access: InstructionId) {
        let Some(address) = self.body.operands(access).first() else { return };
        if self.body.instructions[access].attributes.contains(Attribute::Unknown) {
            match self.source(*address) {
                Source::Static => self.selected.push((access, Enforcement::Static)),
                Source::Dynamic => self.selected.push((access, Enforcement::Dynamic)),
                // The allocation of the box selects the enforcement.
                Source::Box => {}
            }
        }
    }

    fn note_captures(&mut self, id: InstructionId) {
        let Some(site) = ApplySite::new(self.body, id) else { return };
        for (operand, value) in self.body.operands(id).iter().enumerate().skip(1) {
            if let Some(capture) = captured_argument(site, self.queries, operand)
                && matches!(self.source(*value), Source::Dynamic)
            {
                self.captures.insert(capture);
            }
        }
    }

    fn source(&self, address: Value) -> Source {
        let mut address = address;
        loop {
            let definition = match self.body.values[address].definition {
                Definition::Undef => return Source::Static,
                Definition::Argument { block, index } if block == self.body.entry() => {
                    return self.argument_source(index as usize);
                }
                Definition::Argument { .. } => return Source::Dynamic,
                Definition::Result { instruction, .. } => instruction,
            };
            let operand = self.body.operands(definition).first().copied();
            address = match (self.body.instructions[definition].opcode, operand) {
                (Opcode::AllocStack, _) => return Source::Static,
                (Opcode::ProjectBox | Opcode::MoveonlywrapperToCopyableBox, Some(operand)) => {
                    return self.box_source(operand);
                }
                (
                    Opcode::MarkUninitialized
                    | Opcode::MarkUnresolvedNonCopyableValue
                    | Opcode::MoveonlywrapperToCopyableAddr
                    | Opcode::CopyableToMoveonlywrapperAddr
                    | Opcode::DropDeinit,
                    Some(operand),
                ) => operand,
                _ => return Source::Dynamic,
            };
        }
    }

    fn argument_source(&self, index: usize) -> Source {
        let Some(argument) = self.conventions.and_then(|conventions| conventions.argument(index)) else {
            return Source::Dynamic;
        };
        let captured = CapturedArgument { function: self.name, argument: index };
        let is_shared = argument.convention == BY_ADDRESS && self.captures.contains(&captured);
        if is_shared { Source::Dynamic } else { Source::Static }
    }

    /// A box that the function did not allocate may be known to other code.
    fn box_source(&self, projected: Value) -> Source {
        let mut source = projected;
        for opcode in [Opcode::BeginBorrow, Opcode::MarkUninitialized] {
            if let Some(operand) = self.operand_of(source, opcode) {
                source = operand;
            }
        }
        let made = self.body.defining(source).map(|id| self.body.instructions[id].opcode);
        if made == Some(Opcode::AllocBox) { Source::Box } else { Source::Dynamic }
    }

    fn operand_of(&self, value: Value, opcode: Opcode) -> Option<Value> {
        let definition = self.body.defining(value).filter(|id| self.body.instructions[*id].opcode == opcode)?;
        self.body.operands(definition).first().copied()
    }
}
