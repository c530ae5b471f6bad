//! Emits code for known constant values, and replaces the values by it
//! (lib/SILOptimizer/Mandatory/OSLogOptimization.cpp, `emitCodeForSymbolicValue`, `replaceAllUsesAndFixLifetimes`).

use sil_analysis::ValueDependence;
use sil_ir::context::{BuiltinType, CalleeConvention, Name, SilType, SubstitutionMapId, TupleElement, Type, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::{
    Apply, Body, FunctionId, InstructionId, Module, Ownership, Place, StringEncoding, StringLiteral, Value,
};
use sil_ir::types::{AbstractionPattern, ClosureStorage};

use super::{called, has_semantics};
use crate::InstructionBuilder;
use crate::constant_evaluation::{Closure, StepEvaluator, SymbolicValue};
use crate::editing::editor::Editor;
use crate::pass::Environment;

/// The functions of array literals.
const ALLOCATE_ARRAY: &str = "$ss27_allocateUninitializedArrayySayxG_BptBwlF";
const FINALIZE_ARRAY: &str = "$ss27_finalizeUninitializedArrayySayxGABnlF";

/// The constant values, in the order in which they were found.
pub(super) struct Constants {
    pub(super) values: Vec<Value>,
    pub(super) initializer: Option<StringInitializer>,
}

/// The initialiser of strings from literals.
#[derive(Clone, Copy)]
pub(super) struct StringInitializer {
    function: FunctionId,
    metatype: SilType,
    string: SilType,
}

impl StringInitializer {
    /// Returns the initialiser that a call references.
    pub(super) fn of(module: &Module, body: &Body, id: InstructionId) -> Option<Self> {
        let function =
            called(module, body, id).filter(|id| has_semantics(module, *id, |name| name == "string.makeUTF8"))?;
        let (metatype, string) = (body.operands(id).get(4)?, body.result(id)?);
        Some(Self { function, metatype: body.ty(*metatype), string: body.ty(string) })
    }
}

/// Returns whether a value can be replaced by code for a constant: a number, a string, an array or a function, unless
/// it is written as such.
pub(super) fn is_foldable(editor: &Editor<'_>, value: Value) -> bool {
    let (body, queries, module) = (editor.body(), editor.environment.queries, editor.environment.module);
    let ty = body.ty(value);
    let Some(id) = body.defining(value).filter(|_| !ty.is_address()) else { return false };
    use Opcode::*;
    let opcode = body.instructions[id].opcode;
    let is_excluded = matches!(
        opcode,
        IntegerLiteral | FloatLiteral | StringLiteral | FunctionRef | LoadBorrow | BeginBorrow | MoveValue | CopyValue
    );
    if is_excluded {
        return false;
    }
    let has = |id: InstructionId, names: &[&str]| {
        called(module, body, id).is_some_and(|function| has_semantics(module, function, |name| names.contains(&name)))
    };
    match queries.get(ty.ty) {
        Type::Builtin(BuiltinType::Integer(_) | BuiltinType::Word) => opcode != Struct,
        Type::Function(_) => !matches!(opcode, PartialApply | ThinToThickFunction | ConvertFunction),
        _ if queries.standard_signedness(ty.ty).is_some() || queries.is_bool(ty.ty) => opcode != Struct,
        _ if queries.is_string(ty.ty) => !has(id, &["string.makeUTF8"]),
        _ if queries.is_array(ty.ty) => {
            let made = match opcode {
                DestructureTuple | TupleExtract => body.defining(body.operands(id)[0]),
                _ => Some(id),
            };
            let literal = ["array.init.empty", "array.uninitialized_intrinsic", "array.finalize_intrinsic"];
            !made.is_some_and(|made| has(made, &literal))
        }
        _ => false,
    }
}

impl Constants {
    /// Replaces the constants by code.
    pub(super) fn substitute(&self, editor: &mut Editor<'_>, steps: &StepEvaluator<'_>) -> Result<(), Box<Diagnostic>> {
        for value in &self.values {
            let Some(known) = steps.constant(*value) else { continue };
            let ty = editor.body().ty(*value);
            let is_string = editor.environment.queries.is_string(ty.ty);
            // A static string is its literal already.
            if matches!(known, SymbolicValue::String(_)) && !is_string || !steps.evaluator.is_constant_throughout(known)
            {
                continue;
            }
            let Some(definition) = editor.body().defining(*value) else { continue };
            let scope = match editor.ownership(*value) {
                Ownership::Guaranteed => match borrow_around(editor, *value) {
                    Some(scope) => Some(scope),
                    None => continue,
                },
                _ => None,
            };
            let at = scope.unwrap_or(definition);
            let mut emission = Emission { editor, steps, initializer: self.initializer, at };
            let Some(folded) = emission.value(known, ty) else {
                let span = editor.body().instructions[definition].span;
                return Err(Box::new(Diagnostic::unsupported("this constant in a message for the log", span)));
            };
            replace(editor, *value, folded, definition, scope);
        }
        Ok(())
    }
}

/// Returns the only borrow introducer of a value.
fn borrow_around(editor: &Editor<'_>, value: Value) -> Option<InstructionId> {
    let view = editor.view();
    let introducers = ValueDependence::new(&view).borrow_introducers(value);
    match introducers[..] {
        [only] => editor.body().defining(only),
        _ => None,
    }
}

/// Replaces the uses of a value by another one with the same lifetime end.
fn replace(
    editor: &mut Editor<'_>,
    value: Value,
    folded: Value,
    definition: InstructionId,
    scope: Option<InstructionId>,
) {
    if editor.is_trivial(editor.body().ty(value)) {
        return editor.replace_all(value, folded);
    }
    let Some(scope) = scope else {
        editor.replace_all(value, folded);
        editor.build(Place::After(definition), definition, |builder| {
            builder.destroy_value(value);
        });
        return;
    };
    let borrow = editor.build(Place::Before(scope), scope, |builder| builder.begin_borrow(folded));
    editor.replace_all(value, borrow);
    let begun: Vec<Value> = editor.body().results(scope).collect();
    let ends = begun.into_iter().flat_map(|value| editor.uses(value)).map(|found| found.user);
    let ends: Vec<InstructionId> = ends.filter(|id| editor.opcode(*id) == Opcode::EndBorrow).collect();
    for end in ends {
        editor.build(Place::Before(end), end, |builder| {
            builder.end_borrow(borrow);
            builder.destroy_value(folded);
        });
    }
}

/// Emits code for constants in front of an instruction.
struct Emission<'e, 'm, 's> {
    editor: &'e mut Editor<'m>,
    steps: &'e StepEvaluator<'s>,
    initializer: Option<StringInitializer>,
    at: InstructionId,
}

impl<'m> Emission<'_, 'm, '_> {
    fn environment(&self) -> Environment<'m> {
        self.editor.environment
    }

    fn builtin(&self, ty: BuiltinType) -> SilType {
        SilType::object(self.environment().queries.context.ty(Type::Builtin(ty)))
    }

    fn make<R>(&mut self, make: impl FnOnce(&mut InstructionBuilder<'_>) -> R) -> R {
        self.editor.build(Place::Before(self.at), self.at, make)
    }

    fn integer(&mut self, value: i128, ty: SilType) -> Value {
        self.make(|at| at.integer_literal(value, ty))
    }

    fn function(&mut self, id: FunctionId) -> (Value, SilType) {
        let function = &self.environment().module.functions[id];
        let ty = SilType::object(function.ty);
        (self.make(|at| at.function_ref(function.name, ty)), ty)
    }

    fn call(&mut self, id: FunctionId, substitutions: SubstitutionMapId, arguments: &[Value], ty: SilType) -> Value {
        let (callee, callee_type) = self.function(id);
        let apply = Apply::new(callee_type, substitutions);
        let operands: Vec<Value> = [callee].into_iter().chain(arguments.iter().copied()).collect();
        self.make(|at| at.apply(apply, &operands, ty))
    }

    /// Emits a constant of type `ty`; `None` if it has no code.
    fn value(&mut self, known: &SymbolicValue, ty: SilType) -> Option<Value> {
        match known {
            SymbolicValue::String(bytes) => self.string(bytes),
            SymbolicValue::Integer(integer) => Some(self.integer(integer.signed(), ty)),
            // The only structs are those around numbers.
            SymbolicValue::Aggregate(members) => {
                let [member] = &members[..] else { return None };
                let field = *self.environment().queries.field_types(ty.ty)?.first()?;
                let field = self.value(member, SilType::object(field))?;
                Some(self.make(|at| at.structure(&[field], ty)))
            }
            SymbolicValue::Array(memory) => {
                let elements = self.steps.evaluator.elements(*memory)?.to_vec();
                self.array(&elements, ty)
            }
            SymbolicValue::Closure(closure) => self.closure(closure, ty),
            _ => None,
        }
    }

    fn string(&mut self, bytes: &[u8]) -> Option<Value> {
        let StringInitializer { function, metatype, string } = self.initializer?;
        let literal = StringLiteral { encoding: StringEncoding::OsLog, bytes: bytes.into() };
        let (pointer, word) = (self.builtin(BuiltinType::RawPointer), self.builtin(BuiltinType::Word));
        let bit = self.builtin(BuiltinType::Integer(1));
        let arguments = [
            self.make(|at| at.string_literal(Box::new(literal), pointer)),
            self.integer(bytes.len() as i128, word),
            self.integer(0, bit),
            self.make(|at| at.metatype(metatype)),
        ];
        Some(self.call(function, SubstitutionMapId::EMPTY, &arguments, string))
    }

    fn named(&self, symbol: &str) -> Option<FunctionId> {
        let module = self.environment().module;
        let name: Name = module.context.find_name(symbol)?;
        module.function_named(name)
    }

    /// Emits an array like an array literal.
    fn array(&mut self, elements: &[SymbolicValue], ty: SilType) -> Option<Value> {
        let queries = self.environment().queries;
        let nominal = queries.as_nominal(ty.ty)?;
        let formal = *queries.context.replacements(queries.nominal_substitutions(nominal)).first()?;
        let element = SilType::object(queries.lower(formal, AbstractionPattern::Opaque));
        let (allocate, finalize) = (self.named(ALLOCATE_ARRAY)?, self.named(FINALIZE_ARRAY));
        let mut made = Vec::with_capacity(elements.len());
        for value in elements {
            made.push(self.value(value, element)?);
        }
        let (word, pointer) = (self.builtin(BuiltinType::Word), self.builtin(BuiltinType::RawPointer));
        let count = self.integer(made.len() as i128, word);
        let signature = self.environment().module.functions[allocate].signature?;
        let substitutions = queries.context.substitutions(signature, vec![formal]);
        let elements = [ty, pointer].map(|ty| TupleElement { label: None, ty: ty.ty });
        let pair = SilType::object(queries.context.ty(Type::Tuple(elements.into())));
        let pair = self.call(allocate, substitutions, &[count], pair);
        let at = self.at;
        let parts = self.editor.build(Place::Before(at), at, |builder| builder.destructure_tuple(pair, &[ty, pointer]));
        let [array, storage] = parts[..] else { return None };
        let storage = self.make(|at| at.mark_dependence(storage, array));
        if made.is_empty() {
            return Some(array);
        }
        self.store_elements(&made, storage, element);
        let signature = self.environment().module.functions[finalize?].signature?;
        let substitutions = queries.context.substitutions(signature, vec![formal]);
        Some(self.call(finalize?, substitutions, &[array], ty))
    }

    fn store_elements(&mut self, elements: &[Value], storage: Value, element: SilType) {
        let (at, word, address) = (self.at, self.builtin(BuiltinType::Word), SilType::address(element.ty));
        let mut strict = AttributeSet::default();
        strict.insert(Attribute::Strict);
        let first = self
            .editor
            .build(Place::Before(at), at, |builder| builder.with(strict).pointer_to_address(storage, address));
        let mut stores = AttributeSet::default();
        stores.insert(if self.editor.is_trivial(element) { Attribute::Trivial } else { Attribute::Init });
        for (number, value) in elements.iter().enumerate() {
            let place = match number {
                0 => first,
                _ => {
                    let index = self.integer(number as i128, word);
                    self.make(|at| at.index_addr(first, index))
                }
            };
            self.editor.build(Place::Before(at), at, |builder| {
                builder.with(stores).store(*value, place);
            });
        }
    }

    /// Returns the closure itself if the function makes it, or else makes one with the same captures.
    fn closure(&mut self, closure: &Closure, ty: SilType) -> Option<Value> {
        let environment = self.environment();
        let (function, made) = closure.made;
        let own = environment.module.function_named(environment.function.name);
        let closure = match Some(function) == own {
            true => {
                let original = self.editor.body().result(made)?;
                let ty = self.editor.body().ty(original);
                if self.editor.is_trivial(ty) {
                    original
                } else {
                    let copy = |builder: &mut crate::InstructionBuilder<'_>| builder.copy_value(original);
                    self.editor.build(Place::After(made), made, copy)
                }
            }
            false => self.made_again(closure)?,
        };
        let made = self.editor.body().ty(closure);
        let queries = environment.queries;
        if queries.same_sil_type(made, ty) {
            return Some(closure);
        }
        let is_same = queries.same_type(queries.unsubstituted(made.ty), queries.unsubstituted(ty.ty));
        is_same.then(|| self.make(|at| at.convert_function(closure, ty)))
    }

    fn made_again(&mut self, closure: &Closure) -> Option<Value> {
        let Environment { module, queries, .. } = self.environment();
        let body = module.functions[closure.made.0].body.as_ref()?;
        let mut captures = Vec::with_capacity(closure.captures.len());
        for (capture, known) in &closure.captures {
            let ty = body.ty(*capture);
            let ty = SilType { ty: queries.substitute(ty.ty, closure.substitutions), ..ty };
            captures.push(self.value(known.as_ref()?, ty)?);
        }
        let convention = match queries.get(body.ty(body.result(closure.made.1)?).ty) {
            Type::Function(function) => function.callee,
            _ => return None,
        };
        let mut attributes = AttributeSet::default();
        if convention == CalleeConvention::Guaranteed {
            attributes.insert(Attribute::CalleeGuaranteed);
        }
        let (callee, callee_type) = self.function(closure.target);
        let substitutions = closure.substitutions;
        let ty: TypeId = queries.partial_apply_type(
            callee_type.ty,
            substitutions,
            captures.len(),
            convention,
            ClosureStorage::Heap,
        )?;
        let apply = Apply::new(callee_type, substitutions);
        let operands: Vec<Value> = [callee].into_iter().chain(captures).collect();
        let at = self.at;
        Some(self.editor.build(Place::Before(at), at, |builder| {
            builder.with(attributes).partial_apply(apply, &operands, SilType::object(ty))
        }))
    }
}
