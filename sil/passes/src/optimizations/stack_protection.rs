//! Marks functions that need stack protection against out-of-bounds writes. Follows
//! SwiftCompilerSources/Sources/Optimizer/ModulePasses/StackProtection.swift. Only `address_to_pointer` and
//! `index_addr` instructions with `[stack_protection]` are considered, and only if memory is written through their
//! results.
//!
//! An indirect argument refers to the memory of a caller. If all callers are known, those that own the stack memory are
//! marked. Otherwise the value may be moved to the function's own stack temporarily.

use rustc_hash::FxHashSet;
use sil_analysis::walk::{self, Step};
use sil_analysis::{
    AccessBase, ApplySite, BodyView, Change, FunctionUses, LocatedAccess, ProjectionPath, Use, Uses, value_roots,
};
use sil_ir::context::ParameterConvention;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::builtins::{BuiltinKind, Intrinsic, NamedBuiltin};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::{
    Body, Definition, Details, Function, FunctionAttribute, FunctionFlag, FunctionId, InstructionId, Module, Place,
    Value,
};
use sil_ir::types::{ArgumentConvention, ConformanceTable, TypeQueries};

use crate::InstructionBuilder;
use crate::editing::stack_nesting;
use crate::pass::settings::{InOutProtection, Settings};
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const STACK_PROTECTION: Pass = Pass::new(&Description {
    name: "stack-protection",
    class_name: "StackProtection",
    summary: "Marks functions whose stack may be overwritten out of bounds, with a look at their callers.",
    gates: Gates::OPEN,
    runner: Runner::Program(|module, _, settings| protect(module, settings)),
});

pub(crate) const FUNCTION_STACK_PROTECTION: Pass = Pass::new(&Description {
    name: "function-stack-protection",
    class_name: "FunctionStackProtection",
    summary: "Marks functions whose stack may be overwritten out of bounds, one function at a time.",
    gates: Gates::OPEN,
    runner: Runner::Function(protect_function),
});

/// Marks the functions of a module, and moves values of unknown callers.
pub(crate) fn protect(module: &mut Module, settings: &Settings) -> Vec<Diagnostic> {
    let uses = FunctionUses::new(module, settings.extent);
    for id in module.functions.keys().collect::<Vec<_>>() {
        let outcome = {
            let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
            let queries = &TypeQueries::of(module, &conformances);
            let function = &module.functions[id];
            let Some(body) = &function.body else { continue };
            let callers = Some(Callers { uses: &uses, function: id });
            Protection { module, queries, function, callers, moves: settings.inout_protection }.of(body)
        };
        if let Some(body) = outcome.body {
            module.functions[id].body = Some(body);
        }
        let own = outcome.is_unsafe.then_some(id);
        outcome.callers.into_iter().chain(own).for_each(|function| mark(&mut module.functions[function].attributes));
    }
    Vec::new()
}

/// Marks a function without looking at its callers.
pub(crate) fn protect_function(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { module, queries, function, body, settings, .. } = environment;
    let protection = Protection { module, queries, function, callers: None, moves: settings.inout_protection };
    let outcome = protection.of(body);
    let is_marked = function.has(FunctionFlag::StackProtection);
    if !outcome.is_unsafe || is_marked && outcome.body.is_none() {
        return Ok(None);
    }
    let body = outcome.body.unwrap_or_else(|| body.clone());
    let mut rewrite = Rewrite::new(function, body, Change::Blocks);
    mark(&mut rewrite.attributes);
    Ok(Some(rewrite))
}

fn mark(attributes: &mut Vec<FunctionAttribute>) {
    let flag = FunctionAttribute::Flag(FunctionFlag::StackProtection);
    if !attributes.contains(&flag) {
        attributes.push(flag);
    }
}

/// The result for a function.
#[derive(Default)]
struct Outcome {
    /// The rewritten body, if a value was moved.
    body: Option<Body>,
    /// Whether the function needs protection.
    is_unsafe: bool,
    /// Callers that need protection.
    callers: Vec<FunctionId>,
}

/// The source of callers.
#[derive(Clone, Copy)]
struct Callers<'m> {
    uses: &'m FunctionUses,
    function: FunctionId,
}

/// The analysis of a function.
struct Protection<'m> {
    module: &'m Module,
    queries: &'m TypeQueries<'m>,
    function: &'m Function,
    callers: Option<Callers<'m>>,
    moves: InOutProtection,
}

/// The owner of memory.
enum Owner {
    /// The stack of the function.
    Stack,
    /// Memory that is not on a stack, or is handled elsewhere.
    Other,
    /// The memory of an indirect argument.
    Argument(Value),
    /// The memory of an object, which may be on a stack.
    Object(Value),
    Unknown,
}

/// Whether all origins of an address are known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origins {
    Known,
    Unknown,
}

impl Protection<'_> {
    fn of(&self, original: &Body) -> Outcome {
        let mut outcome = Outcome::default();
        let mut nests = true;
        for id in original.placed_instructions().collect::<Vec<_>>() {
            if is_stack_allocation(original, id) {
                outcome.is_unsafe = true;
            }
            if !may_be_unsafe(original, id) {
                continue;
            }
            let body = outcome.body.as_ref().unwrap_or(original);
            let view = BodyView::new(self.module, self.queries, self.function, body);
            let Some((base, access)) = unsafe_base(&view, id) else { continue };
            let mut work = Arguments::default();
            match owner(&view, base) {
                Owner::Other | Owner::Unknown => continue,
                Owner::Stack => {
                    outcome.is_unsafe = true;
                    continue;
                }
                Owner::Argument(argument) => work.push_argument(self.callers, body, argument),
                Owner::Object(object) => {
                    let roots = work.push_roots(&view, self.callers.map(|callers| callers.function), object);
                    outcome.is_unsafe |= roots.has_stack;
                }
            }
            if self.find_origins(work, &mut outcome.callers) == Origins::Known {
                continue;
            }
            let moved = match (access, base) {
                (Some(access), _) => {
                    nests = false;
                    moved_within_access(&view, access)
                }
                (None, AccessBase::Argument(argument)) => moved_argument(&view, argument),
                (None, _) => None,
            };
            if let Some(body) = moved {
                outcome.is_unsafe = true;
                outcome.body = Some(body);
            }
        }
        // Accesses need not be nested, but stack allocations must be.
        if let Some(body) = outcome.body.as_mut().filter(|_| !nests) {
            stack_nesting::fix(self.queries.context, body);
        }
        outcome
    }

    /// Finds the callers that own the memory of arguments, and adds them to `found` if it is stack memory. Returns
    /// `Unknown` if the value must be moved instead.
    fn find_origins(&self, mut work: Arguments, found: &mut Vec<FunctionId>) -> Origins {
        let unknown = match self.moves {
            InOutProtection::Move => Origins::Unknown,
            InOutProtection::Ignore => Origins::Known,
        };
        let Some(Callers { uses, .. }) = self.callers else { return unknown };
        let mut unsafe_callers = Vec::new();
        while let Some((callee, argument)) = work.open.pop() {
            if uses.has_unknown(callee) && unknown == Origins::Unknown {
                return unknown;
            }
            for (caller, reference) in uses.of(callee) {
                let origins = self.find_in_caller(&mut work, (caller, reference), argument, &mut unsafe_callers);
                if origins == Origins::Unknown && unknown == Origins::Unknown {
                    return unknown;
                }
            }
        }
        found.extend(unsafe_callers);
        Origins::Known
    }

    /// Finds the passed arguments of calls through the function reference `reference`.
    fn find_in_caller(
        &self,
        work: &mut Arguments,
        (caller, reference): (FunctionId, InstructionId),
        argument: usize,
        unsafe_callers: &mut Vec<FunctionId>,
    ) -> Origins {
        let function = &self.module.functions[caller];
        let Some(body) = &function.body else { return Origins::Unknown };
        if body.instructions[reference].opcode != Opcode::FunctionRef {
            return Origins::Unknown;
        }
        let view = BodyView::new(self.module, self.queries, function, body);
        let mut origins = Origins::Known;
        for found in body.results(reference).flat_map(|value| view.uses.of(value)) {
            let Some(passed) = passed(&view, found.user, argument) else {
                origins = Origins::Unknown;
                continue;
            };
            let owner = match body.ty(passed).is_address() {
                true => owner(&view, LocatedAccess::of(&view, passed).access.base),
                false => Owner::Object(passed),
            };
            let has_stack = match owner {
                Owner::Stack => true,
                Owner::Other => false,
                Owner::Argument(argument) => {
                    if is_inout(&view, argument) {
                        work.push(caller, body, argument);
                    }
                    false
                }
                Owner::Object(object) => {
                    let roots = work.push_roots(&view, Some(caller), object);
                    if roots.has_unknown {
                        origins = Origins::Unknown;
                    }
                    roots.has_stack
                }
                Owner::Unknown => {
                    origins = Origins::Unknown;
                    false
                }
            };
            if has_stack {
                unsafe_callers.push(caller);
            }
        }
        origins
    }
}

/// The value that an apply site passes for an argument.
fn passed(view: &BodyView<'_>, id: InstructionId, argument: usize) -> Option<Value> {
    let site = ApplySite::new(view.body, id)?;
    let operand = site.numbering(site.conventions(view.queries)?).operand_of_sil_argument(argument)?;
    view.operand(id, operand)
}

/// The worklist of arguments whose origins are searched.
#[derive(Default)]
struct Arguments {
    open: Vec<(FunctionId, usize)>,
    seen: FxHashSet<(FunctionId, usize)>,
}

/// The origins of an object.
#[derive(Clone, Copy, Default)]
struct Roots {
    has_unknown: bool,
    has_stack: bool,
}

impl Arguments {
    fn push(&mut self, function: FunctionId, body: &Body, argument: Value) {
        if let Definition::Argument { index, .. } = body.values[argument].definition
            && self.seen.insert((function, index as usize))
        {
            self.open.push((function, index as usize));
        }
    }

    fn push_argument(&mut self, callers: Option<Callers<'_>>, body: &Body, argument: Value) {
        if let Some(Callers { function, .. }) = callers {
            self.push(function, body, argument);
        }
    }

    /// Adds the arguments that an object originates from. They are ignored if callers are not searched.
    fn push_roots(&mut self, view: &BodyView<'_>, function: Option<FunctionId>, object: Value) -> Roots {
        let mut roots = Roots::default();
        for (root, _) in value_roots(view, object, ProjectionPath::EMPTY) {
            match view.definition(root) {
                Some((id, Opcode::AllocRef | Opcode::AllocRefDynamic)) => {
                    roots.has_stack |= view.body.instructions[id].attributes.contains(Attribute::Stack);
                }
                None if view.argument_convention(root).is_some() => {
                    if let Some(function) = function {
                        self.push(function, view.body, root);
                    }
                }
                _ => roots.has_unknown = true,
            }
        }
        roots
    }
}

fn is_inout(view: &BodyView<'_>, argument: Value) -> bool {
    use ParameterConvention::{InOut, InOutAliasable};
    matches!(view.argument_convention(argument), Some(ArgumentConvention::Parameter(InOut | InOutAliasable)))
}

/// Returns whether the instruction is the builtin of `withUnsafeTemporaryAllocation`.
fn is_stack_allocation(body: &Body, id: InstructionId) -> bool {
    builtin(body, id) == Some(BuiltinKind::Named(NamedBuiltin::StackAlloc))
}

fn builtin(body: &Body, id: InstructionId) -> Option<BuiltinKind> {
    match &body.instructions[id].details {
        Details::Builtin(builtin) => builtin.kind(),
        _ => None,
    }
}

fn may_be_unsafe(body: &Body, id: InstructionId) -> bool {
    let instruction = &body.instructions[id];
    matches!(instruction.opcode, Opcode::AddressToPointer | Opcode::IndexAddr)
        && instruction.attributes.contains(Attribute::StackProtection)
}

/// The memory that an instruction may allow to overflow, and the enclosing access.
fn unsafe_base(view: &BodyView<'_>, id: InstructionId) -> Option<(AccessBase, Option<InstructionId>)> {
    let (result, address) = (view.body.result(id)?, view.operand(id, 0)?);
    if is_only_read(view, result) {
        return None;
    }
    let located = LocatedAccess::of(view, address);
    // Indexing of array elements is bounds checked.
    let is_element = matches!(located.access.base, AccessBase::Tail(_)) && view.opcode(id) == Opcode::IndexAddr;
    (!is_element).then(|| (located.access.base, located.innermost_access()))
}

fn owner(view: &BodyView<'_>, base: AccessBase) -> Owner {
    match base {
        AccessBase::Stack(_) | AccessBase::StoreBorrow(_) => Owner::Stack,
        AccessBase::Box(_) | AccessBase::Global(_) | AccessBase::Index(_) | AccessBase::Unidentified(_) => Owner::Other,
        AccessBase::Class(_) | AccessBase::Tail(_) => base.reference(view).map_or(Owner::Unknown, Owner::Object),
        AccessBase::Argument(argument) => Owner::Argument(argument),
        AccessBase::Yield(_) | AccessBase::Pointer(_) => Owner::Unknown,
    }
}

/// Returns whether nothing is written through `value`, an address or a pointer.
fn is_only_read(view: &BodyView<'_>, value: Value) -> bool {
    let mut work = vec![(value, ProjectionPath::EMPTY)];
    let mut seen = FxHashSet::default();
    while let Some((value, path)) = work.pop() {
        if !seen.insert((value, path)) {
            continue;
        }
        let is_address = view.body.ty(value).is_address();
        for found in view.uses.of(value) {
            let step = match is_address {
                true => walk::address_down(view, *found, path),
                false => walk::value_down(view, *found, path),
            };
            match step {
                Step::To(value, path) => work.push((value, path)),
                Step::ToEach(next) => work.extend(next),
                Step::Unmatched => {}
                Step::End if is_address && is_read(view, *found) => {}
                Step::End => match (view.opcode(found.user), view.body.result(found.user)) {
                    (Opcode::PointerToAddress, Some(address)) if !is_address => work.push((address, path)),
                    _ if !is_address && is_source_of_copy(view, *found) => {}
                    _ => return false,
                },
            }
        }
    }
    true
}

fn is_read(view: &BodyView<'_>, found: Use) -> bool {
    match view.opcode(found.user) {
        Opcode::Load => true,
        Opcode::CopyAddr => found.operand == 0,
        _ => false,
    }
}

fn is_source_of_copy(view: &BodyView<'_>, found: Use) -> bool {
    let kind = builtin(view.body, found.user);
    found.operand != 0 && matches!(kind, Some(BuiltinKind::Intrinsic(Intrinsic::Memcpy | Intrinsic::Memmove)))
}

/// Returns the body with the value of an `inout` argument moved to the function's own stack.
fn moved_argument(view: &BodyView<'_>, argument: Value) -> Option<Body> {
    if !is_inout(view, argument) {
        return None;
    }
    let mut body = view.body.clone();
    let entry = body.entry();
    let first = body.instructions_in(entry).next()?;
    let exits: Vec<InstructionId> = body.blocks.keys().filter_map(|block| body.terminator(block)).collect();
    let exits = exits.into_iter().filter(|end| body.instructions[*end].opcode.leaves_function()).collect::<Vec<_>>();
    let temporary = allocate(&mut body, Place::Start(entry), first, argument);
    exchange(&mut body, &view.uses, argument, temporary, |_| true);
    let allocation = body.defining(temporary)?;
    move_value(&mut body, Place::After(allocation), first, argument, temporary);
    for end in exits {
        move_back(&mut body, end, temporary, argument);
    }
    Some(body)
}

/// Returns the body with the value of a modify access moved to the function's own stack.
fn moved_within_access(view: &BodyView<'_>, access: InstructionId) -> Option<Body> {
    if sil_analysis::AccessKind::of(view.body, access) != sil_analysis::AccessKind::Modify {
        return None;
    }
    let mut body = view.body.clone();
    let address = body.result(access)?;
    let temporary = allocate(&mut body, Place::After(access), access, address);
    let is_end = |found: &Use| view.opcode(found.user) == Opcode::EndAccess;
    exchange(&mut body, &view.uses, address, temporary, |found| !is_end(found));
    let allocation = body.defining(temporary)?;
    move_value(&mut body, Place::After(allocation), access, address, temporary);
    for found in view.uses.of(address).iter().filter(|found| is_end(found)) {
        move_back(&mut body, found.user, temporary, address);
    }
    Some(body)
}

fn allocate(body: &mut Body, place: Place, like: InstructionId, address: Value) -> Value {
    let ty = body.ty(address);
    let mut builder = InstructionBuilder::new(body, place, like);
    let temporary = builder.alloc_stack(ty.object_type(), None);
    locate_automatically(body, temporary);
    temporary
}

fn exchange(body: &mut Body, uses: &Uses, value: Value, by: Value, applies: impl Fn(&Use) -> bool) {
    for found in uses.of(value).iter().filter(|found| applies(found)) {
        let mut operands = body.operands(found.user).to_vec();
        operands[found.operand as usize] = by;
        body.set_operands(found.user, &operands);
    }
}

fn move_value(body: &mut Body, place: Place, like: InstructionId, from: Value, to: Value) -> InstructionId {
    let mut attributes = AttributeSet::default();
    attributes.insert(Attribute::Take);
    attributes.insert(Attribute::Init);
    let moved = InstructionBuilder::new(body, place, like).with(attributes).copy_addr(from, to);
    body.instructions[moved].locate_automatically();
    moved
}

fn move_back(body: &mut Body, end: InstructionId, temporary: Value, to: Value) {
    let moved = move_value(body, Place::Before(end), end, temporary, to);
    let freed = InstructionBuilder::new(body, Place::After(moved), end).dealloc_stack(temporary);
    body.instructions[freed].locate_automatically();
}

fn locate_automatically(body: &mut Body, value: Value) {
    if let Some(definition) = body.defining(value) {
        body.instructions[definition].locate_automatically();
    }
}
