//! Creates the specialised function, which takes the captured values and creates the closure.

use rustc_hash::FxHashMap;
use sil_ir::context::{
    FunctionType, Name, Parameter, ParameterConvention, ParameterOptions, Representation, SilType, SubstitutionMapId,
    Type,
};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{Apply, FunctionRef, MarkDependence, Unary};
use sil_ir::model::{
    BlockId, Body, Function, FunctionFlag, InstructionId, LocationTraits, NewInstruction, Ownership, Place, Value,
};
use sil_ir::symbols::{ParameterChange, SpecializationPass};

use super::candidates::Site;
use super::{Closure, ClosureKind, is_noescape};
use crate::InstructionBuilder;
use crate::editing::builder::Origin;
use crate::editing::cloning::{ClonePlaces, Cloner};
use crate::editing::specialized_functions::{code_attributes, specialized_linkage};
use crate::editing::specialized_names::{closure_change, specialized_name};
use crate::editing::stack_nesting;
use crate::knowledge::counting::Counting;
use crate::pass::Environment;

/// The name of the specialised function for `site`, or `None` if there is no such name.
pub(super) fn name(environment: Environment<'_>, closure: &Closure<'_>, site: &Site<'_>) -> Option<Name> {
    let Environment { module, queries, function: caller, body, .. } = environment;
    let types: Vec<_> = closure.captured.iter().map(|captured| body.ty(*captured).ty).collect();
    let count = site.function.body.as_ref().map_or(0, |body| body.blocks[body.entry()].arguments.len());
    let mut changes = vec![ParameterChange::Unchanged; count];
    *changes.get_mut(site.argument)? = closure_change(queries, closure.function.name, &types)?;
    specialized_name(module, site.function.name, SpecializationPass::ClosureSpecializer, caller.serialization, &changes)
}

/// Creates the specialised function `name` for `site`.
pub(super) fn specialized(
    environment: Environment<'_>,
    closure: &Closure<'_>,
    site: &Site<'_>,
    name: Name,
) -> Option<Function> {
    let Environment { queries, function: caller, .. } = environment;
    let from = site.function;
    let Type::Function(before) = queries.get(from.ty) else { return None };
    let captured = captured_parameters(environment, closure)?;
    let ty = new_type(environment, site, before, &captured)?;
    let mut maker = Maker {
        environment,
        has_ownership: from.has(FunctionFlag::Ossa),
        body: Body::default(),
        entry: BlockId::from_u32(0),
        made: FxHashMap::default(),
        thunks: Vec::new(),
    };
    maker.make(closure, site, &captured)?;
    Some(Function {
        name,
        ty: queries.context.ty(Type::Function(Box::new(ty))),
        signature: from.signature,
        linkage: specialized_linkage(from),
        serialization: caller.serialization,
        attributes: code_attributes(from, |_| true),
        body: Some(maker.body),
        entry_count: from.entry_count,
        specialized_from: from.specialized_from,
        scope: None,
        span: from.span,
    })
}

/// The parameters for the captured values. The new function owns reference counted ones.
fn captured_parameters(environment: Environment<'_>, closure: &Closure<'_>) -> Option<Vec<Parameter>> {
    let queries = environment.queries;
    let Type::Function(function) = queries.get(closure.function.ty) else { return None };
    let parameters = &function.parameters;
    let first = parameters.len().checked_sub(closure.captured.len())?;
    let parameter = |parameter: &Parameter| {
        let is_trivial = queries.properties(parameter.ty, None).is_trivial();
        let convention = match parameter.convention {
            convention if convention.is_indirect() => convention,
            _ if is_trivial => ParameterConvention::Unowned,
            _ => ParameterConvention::Owned,
        };
        Parameter { convention, ty: parameter.ty, options: ParameterOptions::default() }
    };
    Some(parameters[first..].iter().map(parameter).collect())
}

fn new_type(
    environment: Environment<'_>,
    site: &Site<'_>,
    before: &FunctionType,
    captured: &[Parameter],
) -> Option<FunctionType> {
    let conventions = environment.queries.conventions(site.function.ty)?;
    let removed = conventions.parameter_of_argument(site.argument)?;
    let mut parameters = before.parameters.to_vec();
    parameters.remove(removed);
    parameters.extend(captured);
    Some(FunctionType { representation: Representation::Thin, parameters: parameters.into(), ..before.clone() })
}

struct Maker<'m> {
    environment: Environment<'m>,
    has_ownership: bool,
    body: Body,
    entry: BlockId,
    /// Maps values of the caller to values of the new function.
    made: FxHashMap<Value, Value>,
    /// The created closures that convert other closures.
    thunks: Vec<InstructionId>,
}

impl Maker<'_> {
    fn make(&mut self, closure: &Closure<'_>, site: &Site<'_>, captured: &[Parameter]) -> Option<()> {
        let Environment { queries, body: caller, .. } = self.environment;
        let from = site.function.body.as_ref()?;
        let mut cloner = Cloner::new(
            queries,
            from,
            SubstitutionMapId::EMPTY,
            site.function.signature,
            ClonePlaces::Kept,
            InstructionId::from_u32(0),
        );
        self.entry = self.body.add_block();
        cloner.map_block(from.entry(), self.entry);
        let arguments = &from.blocks[from.entry()].arguments;
        for (index, argument) in arguments.iter().enumerate() {
            if index != site.argument {
                cloner.argument(&mut self.body, self.entry, *argument);
            }
        }
        let mut passed = Vec::new();
        for (value, parameter) in closure.captured.iter().zip(captured) {
            let is_owned = self.has_ownership && parameter.convention == ParameterConvention::Owned;
            let ownership = if is_owned { Ownership::Owned } else { Ownership::None };
            let argument = self.body.add_argument(self.entry, caller.ty(*value), ownership);
            self.made.insert(*value, argument);
            passed.push(argument);
        }
        let callee = self.function_ref(closure.function, closure.callee_type);
        let mut operands = vec![callee];
        operands.extend(passed);
        let new_closure = self.copy(caller, closure.id, &operands)?;
        self.made.insert(closure.value, self.body.result(new_closure)?);
        let converted = self.convert(caller, site.passed)?;
        cloner.map_value(*arguments.get(site.argument)?, converted);
        cloner.whole(&mut self.body);
        let is_borrowed =
            is_noescape(queries, site.parameter.ty) || site.parameter.convention == ParameterConvention::Guaranteed;
        if is_borrowed && (closure.kind != ClosureKind::Thick || !self.thunks.is_empty()) {
            let exits: Vec<BlockId> = site.exits.iter().map(|block| cloner.block(&mut self.body, *block)).collect();
            exits.into_iter().for_each(|block| self.end(block, closure.kind, new_closure));
            if self.has_ownership {
                return Some(());
            }
            if self.is_on_stack(new_closure) || self.thunks.iter().any(|thunk| self.is_on_stack(*thunk)) {
                stack_nesting::fix(self.environment.queries.context, &mut self.body);
            }
        }
        Some(())
    }

    fn is_on_stack(&self, id: InstructionId) -> bool {
        self.body.instructions[id].attributes.contains(Attribute::OnStack)
    }

    fn function_ref(&mut self, function: &Function, ty: SilType) -> Value {
        let origin = Origin::nowhere(function.span);
        let mut builder = InstructionBuilder::of_origin(&mut self.body, Place::End(self.entry), origin);
        builder.function_ref(function.name, ty)
    }

    /// Copies an instruction of the caller, with new operands, to the end of the entry block.
    fn copy(&mut self, caller: &Body, id: InstructionId, operands: &[Value]) -> Option<InstructionId> {
        let instruction = &caller.instructions[id];
        let types = caller.types(id).to_vec();
        let results: Vec<SilType> = caller.results(id).map(|result| caller.ty(result)).collect();
        let mut attributes = instruction.attributes;
        attributes.remove(Attribute::NotGuaranteed);
        let new = NewInstruction {
            opcode: instruction.opcode,
            attributes,
            details: instruction.details.clone(),
            operands,
            types: &types,
            targets: &[],
            results: &results,
            span: instruction.span,
            location: None,
            traits: LocationTraits::default(),
        };
        Some(self.body.append(self.entry, new))
    }

    /// The value in the new function for a conversion of the closure.
    fn convert(&mut self, caller: &Body, value: Value) -> Option<Value> {
        if let Some(made) = self.made.get(&value) {
            return Some(*made);
        }
        let id = caller.defining(value)?;
        let copy = match caller.instructions[id].opcode {
            Opcode::PartialApply => {
                let Apply { callee, arguments, .. } = Apply::of(caller, id);
                let converted = self.convert(caller, *arguments.first()?)?;
                let name = FunctionRef::get(caller, caller.defining(callee)?)?.function;
                let module = self.environment.module;
                let callee = self.function_ref(&module.functions[module.function_named(name)?], caller.ty(callee));
                let copy = self.copy(caller, id, &[callee, converted])?;
                self.thunks.push(copy);
                copy
            }
            Opcode::MarkDependence => {
                let MarkDependence { value: dependent, base, .. } = MarkDependence::of(caller, id);
                let dependent = self.convert(caller, dependent)?;
                let base = self.convert(caller, base)?;
                self.copy(caller, id, &[dependent, base])?
            }
            Opcode::ConvertFunction | Opcode::ConvertEscapeToNoescape => {
                let converted = self.convert(caller, Unary::of(caller, id).operand)?;
                self.copy(caller, id, &[converted])?
            }
            _ => return None,
        };
        let result = self.body.result(copy)?;
        self.made.insert(value, result);
        Some(result)
    }

    /// Ends the lifetimes of the closures at an exit block.
    fn end(&mut self, block: BlockId, kind: ClosureKind, closure: InstructionId) {
        let Some(end) = self.body.terminator(block) else { return };
        let place = match self.body.instructions[end].opcode {
            // A callee that never returns may own the closure.
            Opcode::Unreachable => self.body.previous(end).map_or(end, |call| call),
            _ => end,
        };
        let release = if self.has_ownership { Opcode::DestroyValue } else { Opcode::ReleaseValue };
        if kind == ClosureKind::Object {
            self.count(place, release, closure);
        } else if kind == ClosureKind::OnStack {
            self.end_on_stack(place, closure);
        }
        for thunk in self.thunks.clone() {
            match self.is_on_stack(thunk) {
                true => self.end_on_stack(place, thunk),
                false => self.count(place, release, thunk),
            }
        }
    }

    fn end_on_stack(&mut self, place: InstructionId, closure: InstructionId) {
        // With ownership the closure borrows its captures, and its stack memory is not deallocated yet.
        if self.has_ownership {
            self.count(place, Opcode::DestroyValue, closure);
        }
        for captured in Apply::of(&self.body, closure).arguments.to_vec() {
            let counting = Counting::of(self.environment, self.body.ty(captured));
            if let Some(release) = counting.release() {
                let release = if self.has_ownership { Opcode::DestroyValue } else { release };
                InstructionBuilder::new(&mut self.body, Place::Before(place), place).effect(release, captured);
            }
        }
        if !self.has_ownership {
            self.count(place, Opcode::DeallocStack, closure);
        }
    }

    fn count(&mut self, place: InstructionId, opcode: Opcode, closure: InstructionId) {
        if let Some(value) = self.body.result(closure) {
            InstructionBuilder::new(&mut self.body, Place::Before(place), place).effect(opcode, value);
        }
    }
}
