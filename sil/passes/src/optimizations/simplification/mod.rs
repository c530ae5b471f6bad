//! Simplifies instructions with a worklist until a fixpoint
//! (SwiftCompilerSources/Sources/Optimizer/InstructionSimplification). Debug information is preserved in unoptimised
//! code.
//!
//! Owns: the order of the work and the removal of dead instructions. Each family of instructions has a file.

mod aggregates;
mod allocations;
mod archetypes;
mod arithmetic;
mod borrows;
mod branches;
mod builtins;
mod calls;
mod canonical_lifetimes;
mod casts;
mod closure_calls;
mod closures;
mod combination;
mod combined;
mod combined_builtins;
mod concrete_existentials;
mod conditions;
mod converted_calls;
mod counting;
mod cow_buffers;
mod differentiable_functions;
mod enum_memory;
mod enum_selection;
mod enum_stores;
mod enums;
mod error_boxes;
mod functions;
mod globals;
mod key_paths;
mod memory;
mod metatypes;
mod number_casts;
mod pointers;
mod sinking;
mod stores;
mod switch_selection;
mod switches;
mod try_calls;
mod uniqueness;
mod unneeded_calls;
mod unread_memory;

use cranelift_entity::EntityRef;
use rustc_hash::FxHashSet;
use sil_analysis::{Change, ControlFlowGraph};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::BuiltinKind;
use sil_ir::model::{Details, InstructionId, Ownership, Place, Value};

pub(in crate::optimizations) use self::branches::MergedBlocks;
pub(in crate::optimizations) use self::conditions::ConditionChange;
use crate::editing::block_order::BlockOrder;
use crate::editing::debug_values::salvage;
use crate::editing::deleter::{is_removable, names_nothing};
use crate::editing::editor::Editor;
use crate::editing::stack_nesting;
use crate::editing::unneeded_conversions::{destroy_source, destroy_uncast};
use crate::optimizations::borrowed_phis;
use crate::optimizations::devirtualization::MethodTables;
use crate::pass::settings::{Canonicalization, RuntimeChecks, UnreadMemory};
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const UNSUPPORTED_SIMPLIFICATION: Pass = Pass::new(&Description {
    name: "unsupported-simplification",
    class_name: "UnsupportedSimplification",
    summary: "Lowers applications of key path literals and dynamic allocations of known classes. A pass of silc alone.",
    gates: Gates::OPEN,
    runner: Runner::Function(simplify_unsupported),
});

pub(crate) const COMBINATION: Pass = Pass::new(&Description {
    name: "sil-combine",
    class_name: "SILCombine",
    summary: "Combines and simplifies instructions of optimised functions.",
    gates: Gates::OPEN,
    runner: Runner::Function(combine),
});

pub(crate) const SIMPLIFICATION: Pass = Pass::new(&Description {
    name: "simplification",
    class_name: "Simplification",
    summary: "Simplifies instructions of optimised functions.",
    gates: Gates::OPEN,
    runner: Runner::Function(simplify_for_speed),
});

pub(crate) const ONONE_SIMPLIFICATION: Pass = Pass::new(&Description {
    name: "onone-simplification",
    class_name: "OnoneSimplification",
    summary: "Simplifies instructions of functions that are not optimised.",
    gates: Gates::OPEN,
    runner: Runner::Function(simplify_for_debugging),
});

pub(crate) const LATE_ONONE_SIMPLIFICATION: Pass = Pass::new(&Description {
    name: "late-onone-simplification",
    class_name: "LateOnoneSimplification",
    summary: "Simplifies builtins of functions that are not optimised, after all specialisation.",
    gates: Gates::OPEN,
    runner: Runner::Function(simplify_late),
});

/// Simplifies a function without optimisation.
pub(crate) fn simplify_for_debugging(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    simplify(environment, DebugInformation::Preserve, Peepholes::Single, Kinds::All)
}

/// Simplifies builtins of a function without optimisation, after all specialisation.
pub(crate) fn simplify_late(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    simplify(environment, DebugInformation::Preserve, Peepholes::Single, Kinds::LateBuiltins)
}

/// Simplifies instructions that Embedded Swift does not support: applications of key path literals, and allocations of
/// objects of known classes by metatype.
pub(crate) fn simplify_unsupported(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let body = environment.body;
    let is_there = |id| matches!(body.instructions[id].opcode, Opcode::Keypath | Opcode::AllocRefDynamic);
    if !body.placed_instructions().any(is_there) {
        return Ok(None);
    }
    simplify(environment, DebugInformation::Preserve, Peepholes::Single, Kinds::Unsupported)
}

/// Simplifies an optimised function.
pub(crate) fn simplify_for_speed(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    simplify(environment, DebugInformation::Ignore, Peepholes::Single, Kinds::All)
}

/// Combines the instructions of an optimised function.
pub(crate) fn combine(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    simplify(environment, DebugInformation::Ignore, Peepholes::Combined, Kinds::AllButJumps)
}

/// The available simplifications.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Peepholes {
    /// Those of single instructions.
    Single,
    /// Also those of several instructions.
    Combined,
}

/// The instructions to simplify.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kinds {
    All,
    /// All but `br`: blocks are not merged unless a terminator is folded.
    AllButJumps,
    /// Builtins, after types have become final.
    LateBuiltins,
    /// Key path literals, calls that apply them, and allocations by metatype.
    Unsupported,
}

/// The treatment of debug instructions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DebugInformation {
    Preserve,
    Ignore,
}

fn simplify(
    environment: Environment<'_>,
    debug_information: DebugInformation,
    peepholes: Peepholes,
    kinds: Kinds,
) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let mut simplifier = Simplifier::new(environment, debug_information, peepholes, kinds);
    simplifier.run();
    Ok(simplifier.finish())
}

pub(in crate::optimizations) struct Simplifier<'m> {
    pub(in crate::optimizations) editor: Editor<'m>,
    debug_information: DebugInformation,
    peepholes: Peepholes,
    kinds: Kinds,
    /// The remaining number of visited instructions, if it is limited.
    steps: Option<u32>,
    /// The worklist. The last element is next.
    open: Vec<InstructionId>,
    is_open: FxHashSet<InstructionId>,
    /// The block order.
    pub(in crate::optimizations) order: BlockOrder,
    /// Whether stack allocations may no longer be nested.
    breaks_nesting: bool,
    /// Copies that existed when the copies of arguments were last canonicalised.
    canonical_copies: FxHashSet<InstructionId>,
    /// The method tables, created for the first method call.
    classes: Option<MethodTables>,
}

impl<'m> Simplifier<'m> {
    fn new(
        environment: Environment<'m>,
        debug_information: DebugInformation,
        peepholes: Peepholes,
        kinds: Kinds,
    ) -> Self {
        Self {
            editor: Editor::new(environment),
            debug_information,
            peepholes,
            kinds,
            steps: environment.settings.limit.and_then(|limit| limit.steps),
            open: Vec::new(),
            is_open: FxHashSet::default(),
            order: BlockOrder::of(environment.body),
            breaks_nesting: false,
            canonical_copies: FxHashSet::default(),
            classes: None,
        }
    }

    /// Creates a simplifier for the simplification of the control flow, which requests instructions itself.
    pub(in crate::optimizations) fn of_paths(environment: Environment<'m>) -> Self {
        Self::new(environment, DebugInformation::Ignore, Peepholes::Single, Kinds::All)
    }

    /// Returns the rewritten function, without the blocks that are not in `order`.
    pub(in crate::optimizations) fn finish(mut self) -> Option<Rewrite> {
        self.bring_into_order();
        if self.peepholes == Peepholes::Combined && self.editor.is_changed() {
            borrowed_phis::update_all(&mut self.editor);
        }
        if self.breaks_nesting {
            let context = self.editor.environment.queries.context;
            self.editor.edit_whole(Change::Blocks, |body| stack_nesting::fix(context, body));
        }
        self.editor.finish()
    }
}

impl Simplifier<'_> {
    fn run(&mut self) {
        self.push_all(|_| true);
        while !self.open.is_empty() {
            while let Some(id) = self.open.pop() {
                self.is_open.remove(&id);
                if self.editor.is_placed(id) && self.is_selected(id) {
                    if !self.take_step() {
                        return;
                    }
                    let operands = self.editor.body().operands(id).to_vec();
                    self.simplify(id);
                    self.reopen_operands(id, operands);
                    for touched in self.editor.take_touched() {
                        self.push(touched);
                    }
                }
            }
            self.remove_dead_instructions();
            // Combination keeps unreachable blocks.
            if self.peepholes == Peepholes::Single && self.remove_dead_blocks() {
                self.push_all(|opcode| opcode == Opcode::Br);
            }
        }
    }

    /// Returns whether one more instruction may be visited.
    fn take_step(&mut self) -> bool {
        self.steps.as_mut().is_none_or(|steps| {
            let left = steps.checked_sub(1);
            *steps = left.unwrap_or(0);
            left.is_some()
        })
    }

    /// Visits the definitions and other users of an erased instruction's operands again.
    fn reopen_operands(&mut self, id: InstructionId, operands: Vec<Value>) {
        if self.peepholes != Peepholes::Combined || self.editor.is_placed(id) {
            return;
        }
        for operand in operands {
            self.editor.body().defining(operand).into_iter().for_each(|definition| self.push(definition));
            if self.editor.ownership(operand) == Ownership::Owned {
                let users = self.editor.uses(operand).into_iter().map(|found| found.user);
                let copies = users.filter(|user| self.editor.opcode(*user) == Opcode::CopyValue);
                copies.collect::<Vec<_>>().into_iter().for_each(|copy| self.push(copy));
            }
        }
    }

    fn push(&mut self, id: InstructionId) {
        if self.is_open.insert(id) {
            self.open.push(id);
        }
    }

    /// Pushes instructions of some kinds in their order.
    fn push_all(&mut self, is_wanted: impl Fn(Opcode) -> bool) {
        let body = self.editor.body();
        let mut all = self.instructions();
        all.retain(|id| is_wanted(body.instructions[*id].opcode));
        all.into_iter().rev().for_each(|id| self.push(id));
    }

    /// The instructions to simplify. Combination skips unreachable blocks.
    fn instructions(&self) -> Vec<InstructionId> {
        let body = self.editor.body();
        match self.peepholes {
            Peepholes::Single => body.placed_instructions().collect(),
            Peepholes::Combined => {
                let cfg = ControlFlowGraph::new(body);
                let reached = body.blocks.keys().filter(|block| cfg.is_reachable(*block));
                reached.flat_map(|block| body.instructions_in(block)).collect()
            }
        }
    }

    /// Returns whether the options select this instruction.
    fn is_selected(&self, id: InstructionId) -> bool {
        let is_left_alone = match self.kinds {
            Kinds::All => false,
            Kinds::AllButJumps => self.editor.opcode(id) == Opcode::Br,
            Kinds::LateBuiltins => self.editor.opcode(id) != Opcode::Builtin,
            Kinds::Unsupported => {
                !matches!(self.editor.opcode(id), Opcode::Apply | Opcode::Keypath | Opcode::AllocRefDynamic)
            }
        };
        if is_left_alone {
            return false;
        }
        let Environment { module, function, settings, .. } = self.editor.environment;
        let opcode = self.editor.opcode(id);
        settings.simplified.as_ref().is_none_or(|selected| selected.contains(&opcode))
            && !settings.disabled.keeps(opcode, module.context.text(function.name))
    }

    fn simplify(&mut self, id: InstructionId) {
        match self.peepholes {
            Peepholes::Combined => self.combine(id),
            Peepholes::Single => self.simplify_single(id),
        }
    }

    fn simplify_single(&mut self, id: InstructionId) {
        use Opcode::*;
        match self.editor.opcode(id) {
            Apply if self.kinds == Kinds::Unsupported => {
                let _ = self.apply_key_path(id);
            }
            Apply => {
                self.apply(id);
                self.substitute_call(id);
            }
            BeginApply => self.devirtualize(id),
            TryApply => {
                self.devirtualize(id);
                self.substitute_call(id);
            }
            Builtin => self.builtin_operation(id),
            AllocRefDynamic => self.alloc_ref_dynamic(id),
            BeginBorrow => self.begin_borrow(id),
            Br => self.br(id),
            CheckedCastAddrBr => self.checked_cast_addr_br(id),
            CheckedCastBr => self.checked_cast_br(id),
            ClassifyBridgeObject => self.classify_bridge_object(id),
            CondBr => self.cond_br(id),
            CondFail => self.cond_fail(id),
            ConvertEscapeToNoescape => self.convert_escape_to_noescape(id),
            CopyValue => self.copy_value(id),
            DestroyValue => self.destroy_value(id),
            DestructureStruct => self.destructure_struct(id),
            DestructureTuple => self.destructure_tuple(id),
            InitEnumDataAddr => self.init_enum_data_addr(id),
            Keypath => self.keypath(id),
            Load => self.load(id),
            PartialApply => self.partial_apply(id),
            PointerToAddress => self.pointer_to_address(id),
            StructExtract => self.struct_extract(id),
            SwitchEnum if self.peepholes == Peepholes::Single => self.switch_enum(id),
            Tuple => self.tuple(id),
            TupleExtract => self.tuple_extract(id),
            UncheckedEnumData => self.unchecked_enum_data(id),
            UncheckedRefCast => self.unchecked_ref_cast(id),
            ValueToBridgeObject => self.value_to_bridge_object(id),
            DebugStep if self.debug_information == DebugInformation::Ignore => self.editor.erase(id),
            opcode if self.debug_information == DebugInformation::Ignore => self.simplify_optimized(id, opcode),
            _ => {}
        }
    }

    /// Simplifications for optimised code only.
    fn simplify_optimized(&mut self, id: InstructionId, opcode: Opcode) {
        match opcode {
            Opcode::WitnessMethod => {
                let _ = self.witness_method(id);
            }
            Opcode::AllocStack => self.alloc_stack(id),
            Opcode::BeginCowMutation => self.begin_cow_mutation(id),
            Opcode::FixLifetime => self.fix_lifetime(id),
            Opcode::GlobalValue => self.global_value(id),
            Opcode::LoadBorrow => self.load_borrow(id),
            Opcode::ReleaseValue => self.release_value(id),
            Opcode::RetainValue => self.retain_value(id),
            Opcode::StrongRelease => self.strong_release(id),
            Opcode::StrongRetain => self.strong_retain(id),
            Opcode::UnconditionalCheckedCast => {
                let _ = self.unconditional_checked_cast(id);
            }
            _ => {}
        }
    }

    fn substitute_call(&mut self, id: InstructionId) {
        if !self.preserves_debug_information() && self.editor.is_placed(id) {
            let _ = self.call_concrete(id);
            if self.peepholes == Peepholes::Combined {
                let _ = self.propagate_concrete(id).or_else(|| self.call_unconverted(id));
            }
        }
    }

    /// Returns whether redundant copies and borrows are removed.
    fn canonicalizes(&self) -> bool {
        let canonicalization = self.editor.environment.settings.canonicalization;
        self.peepholes == Peepholes::Combined && canonicalization == Canonicalization::Included
    }

    fn removes_unread_memory(&self) -> bool {
        self.peepholes == Peepholes::Combined && self.editor.environment.settings.unread_memory == UnreadMemory::Removed
    }

    /// Returns whether runtime checks are disabled.
    fn takes_checks_for_granted(&self) -> bool {
        self.editor.environment.settings.runtime_checks == RuntimeChecks::Removed
    }

    fn preserves_debug_information(&self) -> bool {
        self.debug_information == DebugInformation::Preserve
    }

    /// Returns whether `user` is the only user of the single result of `id`. Debug uses are ignored unless they are
    /// preserved.
    fn is_only_user(&self, id: InstructionId, user: InstructionId) -> bool {
        let Some(result) = self.editor.body().result(id) else { return false };
        let uses = match self.debug_information {
            DebugInformation::Preserve => self.editor.uses(result),
            DebugInformation::Ignore => self.editor.uses_but_debug(result),
        };
        matches!(uses[..], [only] if only.user == user)
    }

    /// Creates an integer literal before `before`.
    fn integer(&mut self, before: InstructionId, value: i128, ty: sil_ir::context::SilType) -> Value {
        self.editor.build(Place::Before(before), before, |builder| builder.integer_literal(value, ty))
    }

    /// Erases dead instructions.
    fn remove_dead_instructions(&mut self) {
        let all = self.instructions();
        let mut used = Vec::new();
        for id in all.into_iter().rev() {
            if self.editor.is_placed(id) && self.is_dead(id) {
                used.extend_from_slice(self.editor.body().operands(id));
                self.erase_with_debug_uses(id);
            }
        }
        self.editor.take_touched();
        for literal in used.iter().filter_map(|value| self.literal_key_path(*value)).collect::<Vec<_>>() {
            self.push(literal);
        }
        if self.peepholes == Peepholes::Combined {
            // The users of a value with fewer uses may be simplified further: copies and casts.
            for value in used {
                let users = self.editor.uses(value).into_iter().map(|found| found.user);
                let asks = |opcode| matches!(opcode, Opcode::CopyValue | Opcode::UnconditionalCheckedCastAddr);
                let users = users.filter(|user| asks(self.editor.opcode(*user)));
                let open: Vec<InstructionId> = self.editor.body().defining(value).into_iter().chain(users).collect();
                open.into_iter().for_each(|id| self.push(id));
            }
        }
    }

    /// Erases an instruction that has only debug uses. Combination salvages the debug values of aggregates
    /// (include/swift/SILOptimizer/Utils/SILInstructionWorklist.h).
    fn erase_with_debug_uses(&mut self, id: InstructionId) {
        if self.peepholes == Peepholes::Combined {
            salvage(&mut self.editor, id);
        }
        self.editor.erase_with_debug_uses(id);
    }

    fn is_dead(&self, id: InstructionId) -> bool {
        let editor = &self.editor;
        let is_unused = |value: Value| match self.debug_information {
            DebugInformation::Preserve => editor.uses(value).is_empty(),
            DebugInformation::Ignore => editor.uses_but_debug(value).is_empty(),
        };
        editor.body().results(id).all(is_unused) && (is_removable(editor, id) || self.is_unnamed(id))
    }

    /// Returns whether an instruction only opens an existential, and no type refers to the archetype.
    fn is_unnamed(&self, id: InstructionId) -> bool {
        self.peepholes == Peepholes::Combined && names_nothing(&self.editor, id)
    }

    /// Destroys the operand of an instruction whose owned result is only destroyed. Returns whether it did.
    fn destroy_source(&mut self, id: InstructionId) -> bool {
        match self.editor.opcode(id) {
            Opcode::Enum | Opcode::Struct | Opcode::Tuple => destroy_source(&mut self.editor, id),
            _ => destroy_uncast(&mut self.editor, id),
        }
    }

    /// The kind of a `builtin`.
    fn builtin(&self, id: InstructionId) -> Option<BuiltinKind> {
        let Details::Builtin(builtin) = &self.editor.body().instructions[id].details else { return None };
        builtin.kind()
    }

    fn remove_dead_blocks(&mut self) -> bool {
        self.bring_into_order();
        let removed = self.editor.remove_dead_blocks();
        self.order = BlockOrder::of(self.editor.body());
        removed
    }

    /// Applies the block order, without merged blocks.
    fn bring_into_order(&mut self) {
        let is_merged = self.order.len() < self.editor.body().blocks.len();
        if is_merged || self.order.iter().enumerate().any(|(index, block)| block.index() != index) {
            let order = std::mem::take(&mut self.order);
            self.editor.reorder_blocks(&order.to_vec());
        }
    }
}
