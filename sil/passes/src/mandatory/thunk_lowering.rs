//! Lowers `thunk [identity] %f()` to a closure over `%f` of a function that calls its argument
//! (lib/SILOptimizer/Mandatory/ThunkLowering.cpp). The function is placed in front of the one with the thunk, and has
//! its generic parameters.
//!
//! All thunks of one function share the new function: Swift's compiler gives it the same name, whatever the thunks'
//! types are. Here the types must be equal.

use sil_ir::context::{
    CalleeConvention, CoroutineKind, FunctionAttribute, FunctionAttributes, FunctionType, Name, Parameter,
    ParameterConvention, ParameterOptions, Representation, SilType, SubstitutionMapId, Type, TypeId,
};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::{
    self, Apply, BlockId, Body, Details, Function, FunctionFlag, InstructionId, Linkage, Ownership, Place,
    Serialization, Value,
};
use sil_ir::types::{ClosureStorage, FunctionConventions};

use crate::InstructionBuilder;
use crate::editing::builder::Origin;
use crate::editing::editor::Editor;
use crate::editing::specialized_functions::own_arguments;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const THUNK_LOWERING: Pass = Pass::new(&Description {
    name: "sil-thunk-lowering",
    class_name: "ThunkLowering",
    summary: "Lowers `thunk` instructions to closures.",
    gates: Gates::OPEN,
    runner: Runner::Function(lower),
});

/// Lowers the thunks of a function.
pub(crate) fn lower(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { module, function, body, .. } = environment;
    let is_thunk = |id: &InstructionId| body.instructions[*id].opcode == Opcode::Thunk;
    let thunks: Vec<InstructionId> = body.placed_instructions().filter(is_thunk).collect();
    let (Some(first), Some(before)) = (thunks.first(), module.function_named(function.name)) else { return Ok(None) };
    let unsupported = |id: InstructionId, what: &str| Diagnostic::unsupported(what, body.instructions[id].span);
    let called = body.ty(body.operands(*first)[0]);
    if let Some(other) = thunks.iter().find(|id| body.ty(body.operands(**id)[0]) != called) {
        return Err(Box::new(unsupported(*other, "thunks of functions of several types in one function")));
    }
    let name = module.context.name(&format!("{}TTI", module.context.text(function.name)));
    let made = Made::new(environment, name, called).map_err(|what| Box::new(unsupported(*first, what)))?;
    let mut editor = Editor::new(environment);
    for thunk in thunks {
        made.replace(&mut editor, thunk).ok_or_else(|| Box::new(unsupported(thunk, "a thunk of such a function")))?;
    }
    let rewrite = editor.finish();
    Ok(rewrite.map(|rewrite| Rewrite { functions: vec![(before, made.function)], ..rewrite }))
}

/// The new function that calls its argument.
struct Made {
    function: Function,
}

impl Made {
    /// Creates the function for thunks of a value of type `called`. Fails with the unsupported property of such values.
    fn new(environment: Environment<'_>, name: Name, called: SilType) -> Result<Self, &'static str> {
        let Environment { module, queries, function, .. } = environment;
        if module.function_named(name).is_some() {
            return Err("a thunk that there is already");
        }
        if function.has(FunctionFlag::Ossa) {
            return Err("lowering a thunk in a function with ownership");
        }
        let (Type::Function(ty), Type::Function(own)) = (queries.get(called.ty), queries.get(function.ty)) else {
            return Err("a thunk of what is no function");
        };
        let is_dependent = ty.signature.is_none() && queries.is_dependent(called.ty);
        if ty.pattern.is_some() || ty.invocation.is_some() || is_dependent || ty.signature != own.signature {
            return Err("a thunk of a function with other generic parameters than its own function has");
        }
        if matches!(ty.coroutine, CoroutineKind::YieldOnce2 | CoroutineKind::YieldMany) {
            return Err("a thunk of such a coroutine");
        }
        let new = Type::Function(Box::new(thunk_type(ty, called.ty)));
        let mut made = Function {
            name,
            ty: queries.context.ty(new),
            signature: function.signature,
            linkage: Linkage::Shared,
            serialization: Serialization::None,
            attributes: vec![model::FunctionAttribute::Flag(FunctionFlag::Thunk)],
            body: None,
            entry_count: None,
            specialized_from: None,
            scope: None,
            span: function.span,
        };
        made.body = Some(BodyMaker { environment, body: Body::default() }.make(&made, called)?);
        Ok(Self { function: made })
    }

    /// Replaces a thunk by a closure. `None` if closures have another type.
    fn replace(&self, editor: &mut Editor<'_>, thunk: InstructionId) -> Option<()> {
        let queries = editor.environment.queries;
        let instruction = &editor.body().instructions[thunk];
        let Details::Apply(apply) = &instruction.details else { return None };
        let substitutions = apply.substitutions;
        let ty = self.function.ty;
        let (convention, storage) = (CalleeConvention::Guaranteed, ClosureStorage::Heap);
        let closure = queries.partial_apply_type(ty, substitutions, 1, convention, storage)?;
        let result = editor.body().result(thunk).filter(|result| editor.body().ty(*result).ty == closure)?;
        let called = editor.operand(thunk, 0)?;
        let (closure_type, ty) = (editor.body().ty(result), SilType::object(ty));
        let mut attributes = AttributeSet::default();
        attributes.insert(Attribute::CalleeGuaranteed);
        let made = editor.build(Place::Before(thunk), thunk, |builder| {
            let reference = builder.function_ref(self.function.name, ty);
            let operands = [reference, called];
            builder.with(attributes).partial_apply(Apply::new(ty, substitutions), &operands, closure_type)
        });
        editor.replace(thunk, made);
        Some(())
    }
}

/// Returns the type of a thin function with the parameters of `ty`, followed by a function of that type.
fn thunk_type(ty: &FunctionType, called: TypeId) -> FunctionType {
    let convention = ParameterConvention::Guaranteed;
    let function = Parameter { convention, ty: called, options: ParameterOptions::default() };
    let mut attributes = FunctionAttributes::default();
    if ty.attributes.contains(FunctionAttribute::Async) {
        attributes.insert(FunctionAttribute::Async);
    }
    FunctionType {
        signature: ty.signature,
        representation: Representation::Thin,
        coroutine: ty.coroutine,
        attributes,
        parameters: ty.parameters.iter().copied().chain([function]).collect(),
        yields: ty.yields.clone(),
        results: ty.results.clone(),
        error: ty.error,
        ..FunctionType::thick(CalleeConvention::None)
    }
}

struct BodyMaker<'m> {
    environment: Environment<'m>,
    body: Body,
}

impl BodyMaker<'_> {
    /// Creates the body of `made`: it calls its last argument, of type `called`, with the others.
    fn make(mut self, made: &Function, called: SilType) -> Result<Body, &'static str> {
        let wrong = "a thunk of such a function";
        let queries = self.environment.queries;
        let substitutions = own_arguments(queries.context, made).unwrap_or(SubstitutionMapId::EMPTY);
        let taken = queries.applied_conventions(made.ty, substitutions).ok_or(wrong)?;
        let conventions = queries.applied_conventions(called.ty, substitutions).ok_or(wrong)?;
        let entry = self.body.add_block();
        let types: Vec<SilType> = taken.arguments().map(|argument| argument.ty).collect();
        let mut operands: Vec<Value> =
            types.into_iter().map(|ty| self.body.add_argument(entry, ty, Ownership::None)).collect();
        // The callee is the first operand of a call.
        operands.rotate_right(1);
        let apply = Apply::new(called, substitutions);
        if conventions.function.coroutine == CoroutineKind::YieldOnce {
            self.yield_once(entry, apply, &operands, conventions).ok_or(wrong)?;
        } else if conventions.function.error.is_none() {
            let result = queries.direct_result(conventions);
            let returned = self.at_entry(entry).apply(apply, &operands, result);
            let call = self.body.defining(returned).ok_or(wrong)?;
            self.at(entry, call).return_value(returned);
        } else {
            let error = queries.direct_error(conventions).ok_or("a thunk of a function with an error in memory")?;
            let (normal, thrown) = (self.body.add_block(), self.body.add_block());
            let call = self.at_entry(entry).try_apply(apply, &operands, [normal, thrown]);
            let returned = self.body.add_argument(normal, queries.direct_result(conventions), Ownership::None);
            self.at(normal, call).return_value(returned);
            let error = self.body.add_argument(thrown, error, Ownership::None);
            self.at(thrown, call).throw(error);
        }
        Ok(self.body)
    }

    /// Calls a coroutine and yields its yields.
    fn yield_once(
        &mut self,
        entry: BlockId,
        apply: Apply,
        operands: &[Value],
        conventions: FunctionConventions<'_>,
    ) -> Option<()> {
        let queries = self.environment.queries;
        let token = queries.context.ty(Type::Builtin(sil_ir::context::BuiltinType::Token));
        let results: Vec<SilType> = conventions.yields().chain([SilType::object(token)]).collect();
        let call = self.at_entry(entry).begin_apply(apply, operands, &results);
        let mut yielded: Vec<Value> = self.body.results(call).collect();
        let token = yielded.pop()?;
        let (resumed, unwound) = (self.body.add_block(), self.body.add_block());
        self.at(entry, call).yield_values(&yielded, [resumed, unwound]);
        let result = queries.direct_result(conventions);
        let mut builder = self.at(resumed, call);
        let returned = builder.end_apply(token, result);
        builder.return_value(returned);
        let mut builder = self.at(unwound, call);
        builder.abort_apply(token);
        builder.unwind();
        Some(())
    }

    /// Returns a builder at the end of a block, located at the call.
    fn at(&mut self, block: BlockId, call: InstructionId) -> InstructionBuilder<'_> {
        InstructionBuilder::new(&mut self.body, Place::End(block), call)
    }

    /// The builder of the call, at the end of the entry.
    fn at_entry(&mut self, entry: BlockId) -> InstructionBuilder<'_> {
        let origin = Origin::nowhere(self.environment.function.span);
        InstructionBuilder::of_origin(&mut self.body, Place::End(entry), origin)
    }
}
