//! Replaces computations on literals by literals, and removes checks that never fail
//! (lib/SILOptimizer/Utils/ConstantFolding.cpp). Does not own: faulty operations (`evaluation`).

use sil_ir::context::BuiltinType;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{
    BinaryOperation, BuiltinCast, BuiltinKind, BuiltinOperation, IntegerPredicate, Intrinsic, NamedBuiltin,
    UnaryOperation,
};
use sil_ir::model::views::{self, IntegerValue};
use sil_ir::model::{FunctionFlag, InstructionId, Ownership, Value};

use super::super::polymorphic_builtins;
use super::strings;
use crate::editing::cast_folding;
use crate::editing::debug_values::{can_salvage, salvage};
use crate::editing::deleter::is_removable;
use crate::editing::editor::Editor;
use crate::editing::literals;
use crate::knowledge::constants::Known;
use crate::knowledge::operations::computed;
use crate::pass::{Environment, Rewrite};

/// Folds the instructions of a function, and diagnoses those of the program's own functions.
pub(crate) fn propagate_own(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Some(editor) = propagated(environment) else { return Ok(None) };
    if environment.function.has(FunctionFlag::Canonical) {
        return Ok(editor.finish());
    }
    let diagnostics = strings::diagnose(&editor);
    Ok(match editor.finish() {
        Some(rewrite) => Some(Rewrite { diagnostics, ..rewrite }),
        None => Rewrite::diagnostics_alone(environment.function, environment.body, diagnostics),
    })
}

/// Folds the instructions of a function.
pub(crate) fn propagate(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    Ok(propagated(environment).and_then(Editor::finish))
}

/// Returns the folded body; `None` if it has no foldable instruction.
fn propagated(environment: Environment<'_>) -> Option<Editor<'_>> {
    let body = environment.body;
    let may_fold = |id: InstructionId| {
        use Opcode::*;
        matches!(
            body.instructions[id].opcode,
            Builtin
                | StructExtract
                | TupleExtract
                | DestructureStruct
                | DestructureTuple
                | IndexAddr
                | IndexRawPointer
                | CondFail
                | CheckedCastBr
                | CheckedCastAddrBr
                | UnconditionalCheckedCast
                | UnconditionalCheckedCastAddr
        )
    };
    let all: Vec<InstructionId> = body.placed_instructions().filter(|id| may_fold(*id)).collect();
    if all.is_empty() {
        return None;
    }
    let mut propagation = Propagation { editor: Editor::new(environment) };
    for id in all {
        if propagation.editor.is_placed(id) {
            let _is_folded = propagation.fold(id);
        }
    }
    Some(propagation.editor)
}

struct Propagation<'m> {
    editor: Editor<'m>,
}

impl Propagation<'_> {
    /// Folds an instruction; `None` if it is not foldable.
    fn fold(&mut self, id: InstructionId) -> Option<()> {
        match self.editor.opcode(id) {
            Opcode::Builtin => self.fold_builtin(id),
            Opcode::StructExtract | Opcode::TupleExtract => {
                let whole = self.whole(id)?;
                let queries = self.editor.environment.queries;
                let index = sil_analysis::field_number(queries, self.editor.body(), id)?;
                let part = self.editor.operand(whole, index as usize)?;
                self.replace(id, part);
                Some(())
            }
            Opcode::DestructureStruct | Opcode::DestructureTuple => self.fold_destructured(id),
            Opcode::IndexAddr | Opcode::IndexRawPointer => {
                let (base, index) = (self.editor.operand(id, 0)?, self.editor.operand(id, 1)?);
                (self.number(index)? == 0).then(|| self.replace(id, base))
            }
            Opcode::CheckedCastBr
            | Opcode::CheckedCastAddrBr
            | Opcode::UnconditionalCheckedCast
            | Opcode::UnconditionalCheckedCastAddr => cast_folding::fold(&mut self.editor, id),
            Opcode::CondFail => {
                let condition = self.editor.operand(id, 0)?;
                (self.number(condition)? == 0).then(|| self.erase(id))
            }
            _ => None,
        }
    }

    /// Returns the struct or tuple instruction whose value is extracted here.
    fn whole(&self, id: InstructionId) -> Option<InstructionId> {
        let operand = self.editor.operand(id, 0)?;
        self.editor.made_by(operand, Opcode::Struct).or_else(|| self.editor.made_by(operand, Opcode::Tuple))
    }

    /// Replaces the results of a destructure by the operands of the aggregate, if those are not owned elsewhere.
    fn fold_destructured(&mut self, id: InstructionId) -> Option<()> {
        let whole = self.whole(id)?;
        let results: Vec<Value> = self.editor.body().results(id).collect();
        let mut is_left = false;
        for (index, result) in results.into_iter().enumerate() {
            let part = self.editor.operand(whole, index)?;
            let ty = self.editor.body().ty(part);
            let is_free = match self.editor.ownership(part) {
                Ownership::Guaranteed => true,
                Ownership::None => self.editor.is_trivial(ty),
                Ownership::Owned | Ownership::Unowned => false,
            };
            if is_free {
                self.editor.replace_all(result, part);
            } else {
                is_left = true;
            }
        }
        (!is_left).then(|| self.erase(id))
    }

    fn fold_builtin(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let views::Builtin { arguments, builtin } = views::Builtin::of(body, id);
        let arguments = arguments.to_vec();
        let module = self.editor.environment.module;
        let word = module.platform.pointer_width.bits();
        let operation = builtin.operation()?.with_words_of(word);
        match operation.kind {
            BuiltinKind::Named(NamedBuiltin::AssertConf) => return self.fold_assert_configuration(id),
            BuiltinKind::Named(NamedBuiltin::CondUnreachable) => {
                // A check that depends on the assert configuration is folded once that is known.
                self.editor.environment.settings.assert_configuration.number()?;
                self.erase(id);
                return Some(());
            }
            BuiltinKind::Named(NamedBuiltin::IsConcrete) => return self.fold_is_concrete(id),
            BuiltinKind::Named(NamedBuiltin::CondFailMessage) => {
                let message = self.editor.operand(id, 1)?;
                let check = strings::fold_check(&mut self.editor, id)?;
                self.remove_unused(vec![message]);
                return self.fold(check).or(Some(()));
            }
            BuiltinKind::Named(NamedBuiltin::GlobalStringTablePointer) => {
                let literal = strings::literal_of_pointer(&self.editor, id)?;
                self.replace(id, literal);
                return Some(());
            }
            _ => {}
        }
        if let BuiltinKind::GenericBinary(_) = operation.kind {
            return polymorphic_builtins::specialize(&mut self.editor, id);
        }
        if let BuiltinKind::Cast(cast @ (BuiltinCast::IntToPtr | BuiltinCast::PtrToInt)) = operation.kind {
            return self.fold_round_trip(id, cast);
        }
        let known: Vec<Option<Known>> = arguments.iter().map(|argument| self.known(*argument)).collect();
        let is_expected = || self.editor.made_by(arguments[0], Opcode::IntegerLiteral).is_some();
        let is_argument = match operation.kind {
            BuiltinKind::Unary(UnaryOperation::AssumeNonNegative) => true,
            BuiltinKind::Intrinsic(Intrinsic::Expect) => is_expected(),
            _ => false,
        };
        if is_argument {
            known.first()?.as_ref()?;
            self.replace(id, arguments[0]);
            return Some(());
        }
        let result = computed(&operation, &known, &mut Vec::new()).or_else(|| {
            let holds = self.relation(&operation, &arguments)?;
            Some(Known::Integer(-i128::from(holds)))
        })?;
        let ty = self.editor.body().ty(self.editor.body().result(id)?);
        let value = literals::make(&mut self.editor, id, &result, ty)?;
        // A computation with one literal as both operands gets a new literal for each.
        if let [one, other, ..] = arguments[..]
            && one == other
        {
            literals::make(&mut self.editor, id, &result, ty)?;
        }
        self.replace(id, value);
        Some(())
    }

    /// Folds a query whether a type is concrete.
    fn fold_is_concrete(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let (metatype, bit) = (self.editor.operand(id, 0)?, body.ty(body.result(id)?));
        if self.editor.environment.queries.is_dependent(body.ty(metatype).ty) {
            return None;
        }
        let value = literals::make(&mut self.editor, id, &Known::Integer(-1), bit)?;
        self.replace(id, value);
        Some(())
    }

    /// Folds the assert configuration, if it is set.
    fn fold_assert_configuration(&mut self, id: InstructionId) -> Option<()> {
        let configuration = self.editor.environment.settings.assert_configuration.number()?;
        let ty = self.editor.body().ty(self.editor.body().result(id)?);
        let value = literals::make(&mut self.editor, id, &Known::Integer(configuration.into()), ty)?;
        self.replace(id, value);
        Some(())
    }

    /// Folds a pointer that is cast to an integer and back, or the reverse.
    fn fold_round_trip(&mut self, id: InstructionId, cast: BuiltinCast) -> Option<()> {
        let inner = self.editor.made_by(self.editor.operand(id, 0)?, Opcode::Builtin)?;
        let back = if cast == BuiltinCast::IntToPtr { BuiltinCast::PtrToInt } else { BuiltinCast::IntToPtr };
        if self.builtin(inner)? != BuiltinKind::Cast(back) {
            return None;
        }
        let source = self.editor.operand(inner, 0)?;
        let body = self.editor.body();
        (body.ty(source) == body.ty(body.result(id)?)).then(|| self.replace(id, source))
    }

    /// Returns the result of a comparison with a literal that has the same result for all numbers of the type.
    fn relation(&self, operation: &BuiltinOperation, arguments: &[Value]) -> Option<bool> {
        use IntegerPredicate::*;
        let BuiltinKind::CompareIntegers(predicate) = operation.kind else { return None };
        let [one, other] = *arguments else { return None };
        // The literal is moved to the right.
        let (predicate, number, literal) = match (self.number(one), self.number(other)) {
            (None, Some(literal)) => (predicate, one, literal),
            (Some(literal), None) => (exchanged(predicate), other, literal),
            _ => return None,
        };
        let width = match operation.types.first()? {
            BuiltinType::Integer(width) if *width <= 127 => *width,
            _ => return None,
        };
        let greatest = (1i128 << (width - 1)) - 1;
        let is_not_negative = || self.made_by_operation(number, BuiltinKind::Unary(UnaryOperation::AssumeNonNegative));
        match predicate {
            Ult if literal == 0 => Some(false),
            Uge if literal == 0 => Some(true),
            Slt if literal == 0 && is_not_negative() => Some(false),
            Sge if literal == 0 && is_not_negative() => Some(true),
            Sgt if literal == greatest => Some(false),
            Sle if literal == greatest => Some(true),
            Ugt if literal == greatest && self.is_shifted(number) => Some(false),
            Ule if literal == greatest && self.is_shifted(number) => Some(true),
            _ => None,
        }
    }

    /// Returns whether the highest bits of a number are zero by a shift.
    fn is_shifted(&self, number: Value) -> bool {
        let is_shift = self.made_by_operation(number, BuiltinKind::Binary(BinaryOperation::LShr));
        let distance = self.editor.body().defining(number).and_then(|id| self.editor.operand(id, 1));
        is_shift && distance.and_then(|distance| self.number(distance)).is_some_and(|distance| distance > 0)
    }

    fn made_by_operation(&self, value: Value, kind: BuiltinKind) -> bool {
        self.editor.made_by(value, Opcode::Builtin).is_some_and(|id| self.builtin(id) == Some(kind))
    }

    fn builtin(&self, id: InstructionId) -> Option<BuiltinKind> {
        let views::Builtin { builtin, .. } = views::Builtin::of(self.editor.body(), id);
        builtin.kind()
    }

    /// Returns the value of a literal.
    fn known(&self, value: Value) -> Option<Known> {
        literals::known(&self.editor, value)
    }

    fn number(&self, value: Value) -> Option<i128> {
        let id = self.editor.made_by(value, Opcode::IntegerLiteral)?;
        match views::IntegerLiteral::of(self.editor.body(), id).value {
            IntegerValue::Narrow(value) => Some(value),
            _ => None,
        }
    }

    fn replace(&mut self, id: InstructionId, by: Value) {
        let operands = self.editor.body().operands(id).to_vec();
        self.editor.replace(id, by);
        self.remove_unused(operands);
    }

    fn erase(&mut self, id: InstructionId) {
        let operands = self.editor.body().operands(id).to_vec();
        self.editor.erase(id);
        self.remove_unused(operands);
    }

    /// Removes the definitions of unused `values`, and recursively their unused operands.
    fn remove_unused(&mut self, mut values: Vec<Value>) {
        while let Some(value) = values.pop() {
            let Some(id) = self.editor.body().defining(value).filter(|id| self.editor.is_placed(*id)) else { continue };
            let editor = &self.editor;
            let is_unused =
                editor.body().results(id).all(|result| editor.uses(result).is_empty()) || can_salvage(editor, id);
            if is_unused && is_removable(editor, id) {
                values.extend(editor.body().operands(id));
                salvage(&mut self.editor, id);
                self.editor.erase(id);
            }
        }
    }
}

/// Returns the predicate with exchanged operands.
fn exchanged(predicate: IntegerPredicate) -> IntegerPredicate {
    use IntegerPredicate::*;
    match predicate {
        Eq => Eq,
        Ne => Ne,
        Slt => Sgt,
        Sgt => Slt,
        Sle => Sge,
        Sge => Sle,
        Ult => Ugt,
        Ugt => Ult,
        Ule => Uge,
        Uge => Ule,
    }
}
