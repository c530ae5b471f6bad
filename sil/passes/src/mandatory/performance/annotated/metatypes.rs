//! Removes metatype arguments of structs and enums, which are known without being passed (SwiftCompilerSources,
//! `FunctionSignatureTransforms`): a clone of the function lacks them, and the original becomes a thunk.

use sil_ir::context::{FunctionType, MetatypeRepresentation, Name, Representation, SilType, SubstitutionMapId};
use sil_ir::context::{Type, TypeId};
use sil_ir::declarations::NominalKind;
use sil_ir::instructions::Opcode;
use sil_ir::model::Module;
use sil_ir::model::views::{self, TryApply};
use sil_ir::model::{
    Apply, BlockId, Body, Details, Function, FunctionAttribute, FunctionFlag, FunctionId, InstructionId, Place,
    Replacements, Value,
};
use sil_ir::symbols::{ParameterChange, SpecializationPass};
use sil_ir::types::{ConformanceTable, FunctionConventions, TypeQueries};

use crate::InstructionBuilder;
use crate::editing::builder::Origin;
use crate::editing::specialized_functions::attributes_without_effects;
use crate::editing::specialized_names::specialized_name;
use crate::editing::unused::remove_unused;

/// Specialises the callees of a function that have known metatype arguments.
pub(super) fn specialize_callees(module: &mut Module, caller: Name) {
    let calls = |module: &Module| -> Vec<InstructionId> {
        let body = module.function_named(caller).and_then(|id| module.functions[id].body.as_ref());
        body.map(|body| body.placed_instructions().collect()).unwrap_or_default()
    };
    for call in calls(module) {
        specialize_callee(module, caller, call);
    }
}

/// The change of a callee.
struct Change {
    callee: FunctionId,
    /// The removed SIL arguments.
    removed: Vec<usize>,
    ty: TypeId,
    name: Name,
    /// The clone and the thunk, unless they exist already.
    made: Option<(Function, Body)>,
}

fn specialize_callee(module: &mut Module, caller: Name, call: InstructionId) -> Option<()> {
    let id = module.function_named(caller)?;
    let Change { callee, removed, ty, name, made } = change(module, id, call)?;
    let mut id = id;
    if let Some((specialized, thunk)) = made {
        let original = &mut module.functions[callee];
        original.attributes.insert(0, FunctionAttribute::Flag(FunctionFlag::SignatureOptimizedThunk));
        original.body = Some(thunk);
        module.add_function(specialized);
        id = module.function_named(caller)?;
    }
    let body = module.functions[id].body.as_mut()?;
    let before = body.operands(call)[0];
    let reference = {
        let mut builder = InstructionBuilder::new(body, Place::Before(call), call);
        builder.function_ref(name, SilType::object(ty))
    };
    let passed = body.operands(call)[1..].to_vec();
    let kept = (0..).zip(passed).filter(|(index, _)| !removed.contains(index)).map(|(_, value)| value);
    let operands: Vec<Value> = std::iter::once(reference).chain(kept).collect();
    if let Details::Apply(apply) = &mut body.instructions[call].details {
        apply.callee_type = SilType::object(ty);
    }
    body.set_operands(call, &operands);
    remove_unused(body, vec![before]);
    Some(())
}

fn change(module: &Module, caller: FunctionId, call: InstructionId) -> Option<Change> {
    let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
    let queries = &TypeQueries::of(module, &conformances);
    let body = module.functions[caller].body.as_ref()?;
    if !matches!(body.instructions[call].opcode, Opcode::Apply | Opcode::TryApply) {
        return None;
    }
    let reference = body.defining(*body.operands(call).first()?)?;
    let callee = module.function_named(views::FunctionRef::get(body, reference)?.function)?;
    let function = &module.functions[callee];
    let conventions = queries.conventions(function.ty).filter(|_| function.signature.is_none())?;
    let is_removed = |index: &usize| {
        let ty = conventions.argument(*index).map(|argument| argument.ty);
        ty.is_some_and(|ty| is_known_metatype(queries, ty))
    };
    let removed: Vec<usize> = (0..conventions.argument_count()).filter(is_removed).collect();
    if removed.is_empty() {
        return None;
    }
    let name = name(module, function, conventions.argument_count(), removed.len())?;
    let ty = type_without(queries, conventions, &removed);
    if let Some(existing) = module.function_named(name) {
        let is_same = queries.same_type(module.functions[existing].ty, ty);
        return is_same.then_some(Change { callee, removed, ty, name, made: None });
    }
    let original = function.body.as_ref().filter(|_| callee != caller)?;
    let specialized = Function {
        name,
        ty,
        scope: None,
        attributes: attributes_without_effects(function),
        body: Some(without_arguments(queries, function, original, &removed)?),
        ..function.clone()
    };
    let thunk = thunk(queries, function, original, ty, name, &removed, conventions)?;
    Some(Change { callee, removed, ty, name, made: Some((specialized, thunk)) })
}

/// Returns whether a value is a known metatype.
fn is_known_metatype(queries: &TypeQueries<'_>, ty: SilType) -> bool {
    match queries.get(ty.ty) {
        Type::Metatype { instance, representation: Some(MetatypeRepresentation::Thick), .. } => {
            let kind = queries.declaration_of(*instance).map(|declaration| declaration.kind);
            !ty.is_address()
                && !queries.is_dependent(*instance)
                && matches!(kind, Some(NominalKind::Struct | NominalKind::Enum))
        }
        _ => false,
    }
}

/// Returns the name of the clone without this many arguments. As in Swift, the first arguments are marked, whichever
/// are removed.
fn name(module: &Module, callee: &Function, arguments: usize, removed: usize) -> Option<Name> {
    let change = |index| if index < removed { ParameterChange::Dead } else { ParameterChange::Unchanged };
    let changes: Vec<ParameterChange> = (0..arguments).map(change).collect();
    let pass = SpecializationPass::FunctionSignature;
    specialized_name(module, callee.name, pass, callee.serialization, &changes)
}

fn type_without(queries: &TypeQueries<'_>, conventions: FunctionConventions<'_>, removed: &[usize]) -> TypeId {
    let mut function: FunctionType = conventions.function.clone();
    let first = conventions.first_parameter();
    let is_self = |index: &usize| conventions.self_parameter().is_some_and(|own| own + first == *index);
    if removed.iter().any(is_self) {
        function.representation = Representation::Thin;
    }
    let parameters = (first..).zip(function.parameters.iter());
    let kept = parameters.filter(|(index, _)| !removed.contains(index)).map(|(_, parameter)| *parameter);
    function.parameters = kept.collect();
    queries.context.ty(Type::Function(Box::new(function)))
}

/// Returns the body with local metatypes in place of the removed arguments.
fn without_arguments(queries: &TypeQueries<'_>, function: &Function, body: &Body, removed: &[usize]) -> Option<Body> {
    let mut body = body.clone();
    let entry = body.entry();
    let first = body.first_instruction(entry)?;
    let mut replacements = Replacements::default();
    let arguments = body.blocks[entry].arguments.clone();
    debug_assert!(queries.conventions(function.ty).is_some_and(|found| found.argument_count() == arguments.len()));
    for index in removed {
        let argument = *arguments.get(*index)?;
        let ty = body.ty(argument);
        let mut builder = InstructionBuilder::new(&mut body, Place::Before(first), first);
        let metatype = builder.metatype(ty);
        replacements.replace(argument, metatype);
    }
    body.replace_values(&replacements);
    removed.iter().rev().for_each(|index| body.remove_argument(entry, *index));
    Some(body)
}

/// Creates a body that calls the clone.
fn thunk(
    queries: &TypeQueries<'_>,
    function: &Function,
    original: &Body,
    ty: TypeId,
    name: Name,
    removed: &[usize],
    conventions: FunctionConventions<'_>,
) -> Option<Body> {
    let mut body = Body::default();
    let entry = body.add_block();
    let mut passed = Vec::new();
    for (index, argument) in original.blocks[original.entry()].arguments.iter().enumerate() {
        let data = &original.values[*argument];
        let value = body.add_argument(entry, data.ty, data.ownership);
        body.values[value].flags = data.flags;
        if !removed.contains(&index) {
            passed.push(value);
        }
    }
    let callee_type = SilType::object(ty);
    let apply = Apply::new(callee_type, SubstitutionMapId::EMPTY);
    let mut maker = ThunkMaker { body, function };
    let callee = maker.builder(entry).function_ref(name, callee_type);
    let operands: Vec<Value> = std::iter::once(callee).chain(passed).collect();
    let result = queries.direct_result(conventions);
    if function.has(FunctionFlag::Ossa) && conventions.indirect_error().is_some() {
        return None;
    }
    match queries.direct_error(conventions) {
        None if conventions.function.error.is_none() => {
            let returned = maker.builder(entry).apply(apply, &operands, result);
            maker.builder(entry).return_value(returned);
        }
        Some(error) => {
            let (normal, thrown) = (maker.body.add_block(), maker.body.add_block());
            maker.builder(entry).try_apply(apply, &operands, [normal, thrown]);
            let [returned, error] =
                [(normal, result), (thrown, error)].map(|(block, ty)| maker.argument(queries, block, ty));
            maker.builder(normal).return_value(returned);
            maker.builder(thrown).throw(error);
            TryApply::get(&maker.body, maker.body.terminator(entry)?)?;
        }
        None => return None,
    }
    Some(maker.body)
}

struct ThunkMaker<'f> {
    body: Body,
    function: &'f Function,
}

impl ThunkMaker<'_> {
    fn argument(&mut self, queries: &TypeQueries<'_>, block: BlockId, ty: SilType) -> Value {
        use sil_ir::model::Ownership;
        let is_owned = self.function.has(FunctionFlag::Ossa) && !queries.properties(ty.ty, None).is_trivial();
        self.body.add_argument(block, ty, if is_owned { Ownership::Owned } else { Ownership::None })
    }

    fn builder(&mut self, block: BlockId) -> InstructionBuilder<'_> {
        let origin = Origin::nowhere(self.function.span);
        InstructionBuilder::of_origin(&mut self.body, Place::End(block), origin)
    }
}
