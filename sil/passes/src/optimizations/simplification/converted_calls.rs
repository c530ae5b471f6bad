//! Calls of converted functions: the original function is called, with operands and results cast
//! (`optimizeApplyOfConvertFunctionInst` of lib/SILOptimizer/SILCombiner/SILCombinerApplyVisitors.cpp).

use sil_analysis::{ApplySite, Use, opened_archetypes};
use sil_ir::context::{ParameterConvention, SilType, SubstitutionMapId, Sugar, Type, TypeId};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Apply, BlockId, Details, InstructionId, Ownership, Place, Value};
use sil_ir::types::{ArgumentConvention, ClosureStorage, FunctionConventions};

use super::Simplifier;

impl Simplifier<'_> {
    /// Calls the original function instead of its conversion.
    pub(super) fn call_unconverted(&mut self, id: InstructionId) -> Option<()> {
        let converted = self.editor.operand(id, 0)?;
        let function = self.converted_function(converted)?;
        let queries = self.editor.environment.queries;
        let body = self.editor.body();
        let callee = body.ty(function);
        let known = queries.conventions(callee.ty)?;
        let before = ApplySite::new(body, id)?.conventions(queries)?;
        let is_concrete = |ty: TypeId| !queries.is_dependent(ty) && opened_archetypes(queries, ty).is_empty();
        let catches = self.editor.opcode(id) == Opcode::TryApply;
        let [given, wanted] = [known, before].map(|conventions| queries.direct_result(conventions));
        let changes_result = !queries.same_sil_type(given, wanted);
        // The substitutions of a converted generic function are unknown.
        let is_generic = known.function.signature.is_some();
        let types = [body.ty(converted).ty, callee.ty].map(|ty| queries.unsubstituted(ty));
        if is_generic || !types.into_iter().all(is_concrete) {
            return None;
        }
        // Without an error result, the call would lose a successor.
        if catches && known.function.error.is_none() {
            return None;
        }
        let mut operands = vec![function];
        let passed = body.operands(id)[1..].to_vec();
        for (index, value) in passed.into_iter().enumerate() {
            let (old, new) = (before.argument(index)?.ty, known.argument(index)?.ty);
            operands.push(self.convert_argument(id, value, (old, new), is_lent(known, index)));
        }
        let body = self.editor.body();
        let Details::Apply(apply) = body.instructions[id].details.clone() else { return None };
        let apply =
            Apply { substitutions: SubstitutionMapId::EMPTY, sugar: Sugar::default(), callee_type: callee, ..*apply };
        if catches {
            let &[mut normal, error] = body.targets(id) else { return None };
            if changes_result {
                normal = self.convert_ahead_of(normal, id, given, wanted);
            }
            self.editor.build(Place::Before(id), id, |builder| {
                builder.try_apply(apply, &operands, [normal, error]);
            });
            self.editor.erase(id);
            return Some(());
        }
        let mut attributes = body.instructions[id].attributes;
        attributes.remove(Attribute::NoThrow);
        if known.function.error.is_some() {
            attributes.insert(Attribute::NoThrow);
        }
        let result =
            self.editor.build(Place::Before(id), id, |builder| builder.with(attributes).apply(apply, &operands, given));
        let result = if changes_result { self.cast_forwarded(Place::Before(id), id, result, wanted) } else { result };
        self.editor.replace(id, result);
        self.editor.forget_ownership();
        Some(())
    }

    /// Inserts a block before `target` that casts the result of a call and passes it on.
    fn convert_ahead_of(&mut self, target: BlockId, call: InstructionId, given: SilType, wanted: SilType) -> BlockId {
        let block = self.editor.add_block();
        self.order.insert_before(target, block);
        let body = self.editor.body();
        let received = body.blocks[target].arguments.first();
        let ownership = received.map_or(Ownership::None, |received| body.values[*received].ownership);
        let argument = self.editor.add_argument(block, given, ownership);
        let converted = self.cast_forwarded(Place::End(block), call, argument, wanted);
        self.editor.build(Place::End(block), call, |builder| builder.branch(target, &[converted]));
        block
    }

    /// If a conversion does not change the type other than in its spelling, the original function is called and
    /// captured (`visitConvertFunctionInst` of lib/SILOptimizer/SILCombiner/SILCombinerCastVisitors.cpp).
    pub(super) fn use_unsubstituted(&mut self, convert: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let queries = self.editor.environment.queries;
        let (converted, function) = (body.result(convert)?, self.editor.operand(convert, 0)?);
        let [from, to] = [function, converted].map(|value| queries.unsubstituted(body.ty(value).ty));
        if !queries.same_type(from, to) {
            return None;
        }
        match self.editor.ownership(function) {
            Ownership::None => self.use_everywhere(converted, function),
            Ownership::Guaranteed => {
                for found in self.editor.uses(converted) {
                    if self.only_calls(found) {
                        self.use_instead(found, function);
                    }
                }
            }
            // The conversion consumes the function, so either all users of its result use the function, or none does.
            Ownership::Owned if self.editor.uses(converted).into_iter().all(|found| self.only_calls(found)) => {
                for found in self.editor.uses(converted) {
                    self.use_instead(found, function);
                }
                self.editor.erase(convert);
                self.editor.forget_ownership();
            }
            Ownership::Owned | Ownership::Unowned => {}
        }
        Some(())
    }

    /// Replaces the conversion of a function without ownership wherever it is called or captured.
    fn use_everywhere(&mut self, converted: Value, function: Value) {
        let mut open = vec![converted];
        while let Some(value) = open.pop() {
            for found in self.editor.uses(value) {
                match self.editor.opcode(found.user) {
                    Opcode::CopyValue | Opcode::BeginBorrow => open.extend(self.editor.body().results(found.user)),
                    Opcode::Apply | Opcode::TryApply | Opcode::BeginApply if found.operand == 0 => {
                        self.call_as(found, function);
                    }
                    Opcode::PartialApply if found.operand == 0 => self.capture_as(found, function),
                    _ => {}
                }
            }
        }
    }

    /// Returns whether a use only calls, captures or ends a function, or a copy or borrow of it.
    fn only_calls(&self, found: Use) -> bool {
        match self.editor.opcode(found.user) {
            Opcode::CopyValue | Opcode::BeginBorrow => {
                let uses = self.editor.body().results(found.user).flat_map(|result| self.editor.uses(result));
                uses.into_iter().all(|found| self.only_calls(found))
            }
            Opcode::Apply | Opcode::TryApply | Opcode::BeginApply | Opcode::PartialApply => found.operand == 0,
            Opcode::DestroyValue | Opcode::EndBorrow | Opcode::DebugValue => true,
            _ => false,
        }
    }

    /// Replaces the operand of such a use with a function whose type differs only in its spelling.
    fn use_instead(&mut self, found: Use, function: Value) {
        match self.editor.opcode(found.user) {
            Opcode::CopyValue | Opcode::BeginBorrow => {
                self.editor.set_operand(found, function);
                let ty = self.editor.body().ty(function);
                for result in self.editor.body().results(found.user).collect::<Vec<_>>() {
                    self.editor.set_value_type(result, ty);
                    for inner in self.editor.uses(result) {
                        self.use_instead(inner, result);
                    }
                }
            }
            Opcode::Apply | Opcode::TryApply | Opcode::BeginApply => self.call_as(found, function),
            Opcode::PartialApply => self.capture_as(found, function),
            _ => self.editor.set_operand(found, function),
        }
    }

    /// Replaces the callee of an apply site with a function whose type differs only in its spelling.
    fn call_as(&mut self, found: Use, function: Value) {
        let callee_type = self.editor.body().ty(function);
        self.editor.set_operand(found, function);
        if let Details::Apply(apply) = self.editor.body().instructions[found.user].details.clone() {
            self.editor.set_details(found.user, Details::Apply(Box::new(Apply { callee_type, ..*apply })));
        }
    }

    /// Converts the closure over the function to its original type.
    fn capture_as(&mut self, found: Use, function: Value) {
        let Some(closure) = self.editor.body().result(found.user) else { return };
        let queries = self.editor.environment.queries;
        let ty = self.editor.body().ty(closure);
        let body = self.editor.body();
        let (Details::Apply(apply), Type::Function(written)) =
            (&body.instructions[found.user].details, queries.get(ty.ty))
        else {
            return;
        };
        let is_on_stack = body.instructions[found.user].attributes.contains(Attribute::OnStack);
        let storage = if is_on_stack { ClosureStorage::Stack } else { ClosureStorage::Heap };
        let (callee, captured) = (body.ty(function).ty, body.operands(found.user).len() - 1);
        let own = queries.partial_apply_type(callee, apply.substitutions, captured, written.callee, storage);
        let Some(own) = own.map(SilType::object) else { return };
        let is_freed = |found: &Use| self.editor.opcode(found.user) == Opcode::DeallocStack;
        let users: Vec<Use> = self.editor.uses(closure).into_iter().filter(|found| !is_freed(found)).collect();
        self.call_as(found, function);
        self.editor.set_value_type(closure, own);
        let converted =
            self.editor.build(Place::After(found.user), found.user, |builder| builder.convert_function(closure, ty));
        users.into_iter().for_each(|user| self.editor.set_operand(user, converted));
    }

    /// The original function of a conversion, if it is known.
    fn converted_function(&self, converted: Value) -> Option<Value> {
        let escaping = self.editor.made_by(converted, Opcode::ConvertEscapeToNoescape);
        let converted = escaping.and_then(|convert| self.editor.operand(convert, 0)).unwrap_or(converted);
        let convert = self.editor.made_by(converted, Opcode::ConvertFunction)?;
        let mut function = self.editor.operand(convert, 0)?;
        if let Some(thick) = self.editor.made_by(function, Opcode::ThinToThickFunction) {
            function = self.editor.operand(thick, 0)?;
        }
        // With ownership, the conversion has consumed a closure.
        let is_closure = !self.editor.has_ownership() && self.editor.made_by(function, Opcode::PartialApply).is_some();
        (is_closure || self.editor.made_by(function, Opcode::FunctionRef).is_some()).then_some(function)
    }

    fn convert_argument(
        &mut self,
        id: InstructionId,
        value: Value,
        (old, new): (SilType, SilType),
        is_lent: bool,
    ) -> Value {
        if self.editor.environment.queries.same_sil_type(old, new) {
            return value;
        }
        let mut value = value;
        if is_lent && self.editor.ownership(value) == Ownership::Owned {
            value = self.borrow_for_call(id, value);
        }
        self.cast_forwarded(Place::Before(id), id, value, new)
    }

    /// Borrows a value for the duration of a call.
    pub(super) fn borrow_for_call(&mut self, call: InstructionId, value: Value) -> Value {
        let borrow = self.editor.build(Place::Before(call), call, |builder| builder.begin_borrow(value));
        self.after_call(call, |builder| {
            builder.end_borrow(borrow);
        });
        self.editor.forget_ownership();
        borrow
    }

    /// Casts a value to another type of the same layout, forwarding its ownership.
    fn cast_forwarded(&mut self, place: Place, like: InstructionId, value: Value, to: SilType) -> Value {
        let from = self.editor.body().ty(value);
        let queries = self.editor.environment.queries;
        let is_reference = |ty: SilType| {
            let object = queries.optional_object(ty.ty).unwrap_or(ty.ty);
            let is_function = matches!(queries.get(object), Type::Function(_));
            !is_function && queries.properties(object, self.editor.environment.function.signature).is_reference()
        };
        let opcode = match self.editor.has_ownership() {
            _ if to.is_address() => Opcode::UncheckedAddrCast,
            _ if self.editor.is_trivial(to) => Opcode::UncheckedTrivialBitCast,
            _ if is_reference(from) && is_reference(to) => Opcode::UncheckedRefCast,
            _ if self.are_called_alike(from, to) => Opcode::ConvertFunction,
            true => Opcode::UncheckedValueCast,
            false => Opcode::UncheckedBitwiseCast,
        };
        self.editor.build(place, like, |builder| builder.cast(opcode, value, to))
    }

    /// Returns whether both types are function types of the same representation.
    fn are_called_alike(&self, from: SilType, to: SilType) -> bool {
        let representation = |ty: SilType| match self.editor.environment.queries.get(ty.ty) {
            Type::Function(function) => Some(function.representation),
            _ => None,
        };
        representation(from).is_some() && representation(from) == representation(to)
    }
}

/// Returns whether the argument `index` is guaranteed.
fn is_lent(conventions: FunctionConventions<'_>, index: usize) -> bool {
    let convention = conventions.argument(index).map(|argument| argument.convention);
    convention == Some(ArgumentConvention::Parameter(ParameterConvention::Guaranteed))
}
