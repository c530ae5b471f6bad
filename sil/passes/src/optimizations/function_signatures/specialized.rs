//! Creates the function with the new signature: its name, type, attributes and body.

use sil_ir::context::{
    FunctionType, Parameter, ParameterConvention, ParameterOptions, Representation, ResultConvention, SilType,
    SubstitutionMapId, Type, TypeId,
};
use sil_ir::model::{Body, Definition, Details, Function, InstructionId, Ownership, Value};
use sil_ir::symbols::{ParameterChange, ResultChange, SpecializationPass, ValueChanges};
use sil_ir::types::TypeQueries;

use super::{ArgumentPlan, Passing, ResultPlan, Shape, Signature};
use crate::editing::specialized_functions::{code_attributes, specialized_linkage};
use crate::editing::specialized_names::signature_specialized_name;

impl Signature<'_> {
    /// Creates the function with the new signature. Returns `None` if the original name cannot be mangled into a
    /// specialisation.
    pub(super) fn into_function(self) -> Option<Function> {
        let environment = self.environment();
        let (module, function) = (environment.module, environment.function);
        let changes: Vec<ParameterChange> = self.arguments.iter().map(change).collect();
        let result = match self.result {
            ResultPlan::AsBefore => ResultChange::Unchanged,
            ResultPlan::Unowned(_) => ResultChange::OwnedToUnowned,
        };
        let pass = SpecializationPass::FunctionSignature;
        let serialization = function.serialization;
        let name = signature_specialized_name(module, function.name, pass, serialization, &changes, result)?;
        if module.function_named(name).is_some() {
            return None;
        }
        let is_generic = self.uses_generic_parameters();
        let ty = self.new_type(is_generic);
        // Array semantics require a certain signature.
        let is_kept = |semantics| !module.context.text(semantics).starts_with("array.");
        Some(Function {
            name,
            ty: environment.queries.context.ty(Type::Function(Box::new(ty))),
            signature: function.signature.filter(|_| is_generic),
            linkage: specialized_linkage(function),
            serialization,
            attributes: code_attributes(function, is_kept),
            body: Some(self.new_body()),
            entry_count: function.entry_count,
            specialized_from: function.specialized_from,
            scope: function.scope,
            span: function.span,
        })
    }

    fn new_type(&self, is_generic: bool) -> FunctionType {
        let representation = if self.changes_self() { Representation::Thin } else { self.ty.representation };
        let mut results = self.ty.results.clone();
        if self.result != ResultPlan::AsBefore {
            results.iter_mut().for_each(|result| result.convention = ResultConvention::Unowned);
        }
        FunctionType {
            signature: self.ty.signature.filter(|_| is_generic),
            representation,
            parameters: self.arguments.iter().flat_map(|plan| self.parameters(plan)).collect(),
            results,
            ..self.ty.clone()
        }
    }

    /// The parameters that replace an original parameter.
    fn parameters(&self, plan: &ArgumentPlan) -> Vec<Parameter> {
        let before = &self.ty.parameters[plan.parameter];
        let convention = match (plan.passing, before.convention) {
            (Passing::Lent, ParameterConvention::Owned) => ParameterConvention::Guaranteed,
            (Passing::Lent, ParameterConvention::In) => ParameterConvention::InGuaranteed,
            (_, convention) => convention,
        };
        match (&plan.shape, plan.passing) {
            (Shape::Dead, _) => Vec::new(),
            (Shape::Whole, Passing::AsBefore) => vec![*before],
            (Shape::Whole, Passing::Lent) => {
                vec![Parameter { convention, ty: before.ty, options: ParameterOptions::default() }]
            }
            (Shape::Exploded(tree), _) => {
                let parameter = |ty: TypeId| {
                    let convention = if self.is_trivial(ty) { ParameterConvention::Unowned } else { convention };
                    Parameter { convention, ty, options: ParameterOptions::default() }
                };
                tree.passed().into_iter().map(parameter).collect()
            }
        }
    }

    fn is_trivial(&self, ty: TypeId) -> bool {
        let environment = self.environment();
        environment.queries.properties(ty, environment.function.signature).is_trivial()
    }

    /// Returns whether the function with the new signature depends on the generic parameters.
    pub(super) fn uses_generic_parameters(&self) -> bool {
        let queries = self.environment().queries;
        if self.ty.signature.is_none() {
            return false;
        }
        let parameters = self.arguments.iter().flat_map(|plan| self.parameters(plan)).map(|parameter| parameter.ty);
        let results = self.ty.results.iter().chain(&self.ty.error).map(|result| result.ty);
        parameters.chain(results).any(|ty| queries.is_dependent(ty)) || mentions_parameters(queries, self.editor.body())
    }

    /// The body with the new arguments.
    fn new_body(self) -> Body {
        let arguments = self.arguments;
        let mut body = self.editor.into_body();
        let entry = body.entry();
        let like = body.first_instruction(entry).unwrap_or(InstructionId::from_u32(0));
        let before = std::mem::take(&mut body.blocks[entry].arguments);
        let mut exploded: Vec<(ArgumentPlan, Vec<Value>)> = Vec::new();
        for (plan, argument) in arguments.into_iter().zip(before) {
            match &plan.shape {
                Shape::Dead => {}
                Shape::Whole => {
                    let index = body.blocks[entry].arguments.len() as u32;
                    body.values[argument].definition = Definition::Argument { block: entry, index };
                    body.blocks[entry].arguments.push(argument);
                }
                Shape::Exploded(tree) => {
                    let flags = body.values[argument].flags;
                    let mut passed = Vec::new();
                    for ty in tree.passed() {
                        let part = body.add_argument(entry, SilType::object(ty), Ownership::None);
                        body.values[part].flags = flags;
                        passed.push(part);
                    }
                    exploded.push((plan, passed));
                }
            }
        }
        for (plan, passed) in exploded.into_iter().rev() {
            if let Shape::Exploded(tree) = &plan.shape {
                tree.put_together(&mut body, like, plan.argument, &passed);
            }
        }
        body
    }
}

/// The mangled change of an argument.
fn change(plan: &ArgumentPlan) -> ParameterChange {
    let owned_to_guaranteed = plan.passing == Passing::Lent;
    match plan.shape {
        Shape::Dead => ParameterChange::Dead,
        Shape::Whole if !owned_to_guaranteed => ParameterChange::Unchanged,
        Shape::Whole => ParameterChange::Value(ValueChanges { owned_to_guaranteed, ..ValueChanges::default() }),
        Shape::Exploded(_) => {
            ParameterChange::Value(ValueChanges { owned_to_guaranteed, exploded: true, ..ValueChanges::default() })
        }
    }
}

/// Returns whether instructions of a body, or arguments of non-entry blocks, depend on generic parameters.
fn mentions_parameters(queries: &TypeQueries<'_>, body: &Body) -> bool {
    let is_dependent = |ty: &TypeId| queries.is_dependent(*ty);
    let depends = |map: SubstitutionMapId| queries.context.replacements(map).iter().any(|ty| queries.is_dependent(*ty));
    let arguments = body.blocks.keys().skip(1).flat_map(|block| body.blocks[block].arguments.iter());
    arguments.copied().any(|argument| queries.is_dependent(body.ty(argument).ty))
        || body.placed_instructions().any(|id| {
            let types = body.types(id).iter().map(|ty| ty.ty);
            let values = body.operands(id).iter().copied().chain(body.results(id)).map(|value| body.ty(value).ty);
            types.chain(values).any(|ty| queries.is_dependent(ty))
                || match &body.instructions[id].details {
                    Details::Method(method) => method.lookup.iter().chain(&method.formal_type).any(is_dependent),
                    Details::Builtin(builtin) => depends(builtin.substitutions),
                    Details::Apply(apply) => depends(apply.substitutions),
                    Details::Cast(cast) => cast.source.iter().chain([&cast.target]).any(is_dependent),
                    Details::FormalType(ty) => is_dependent(ty),
                    Details::Variable(variable) => variable.ty.iter().any(|ty| is_dependent(&ty.ty)),
                    Details::KeyPath(path) => depends(path.substitutions),
                    Details::PackOpening(_) => true,
                    _ => false,
                }
        })
}
