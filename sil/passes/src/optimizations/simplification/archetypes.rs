//! Replaces opened archetypes of known types: those opened from an existential metatype that is created in the
//! function.

use sil_analysis::{ApplySite, Use, opened_archetypes};
use sil_ir::context::{ConformanceKind, SilType, Type, TypeId};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{Unary, WitnessMethod};
use sil_ir::model::{Details, InstructionId, Place, Value};

use super::Simplifier;

impl Simplifier<'_> {
    /// Replaces an opened archetype in the substitutions of a call with its concrete type.
    pub(super) fn call_concrete(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let queries = self.editor.environment.queries;
        let Details::Apply(mut apply) = body.instructions[id].details.clone() else { return None };
        let replacements = queries.context.replacements(apply.substitutions).to_vec();
        let archetype = *replacements.iter().find(|ty| self.is_root(**ty))?;
        let concrete = self.concrete(archetype)?;
        let is_plain = |ty: TypeId| ty == archetype || opened_archetypes(queries, ty).is_empty();
        if !replacements.iter().all(|ty| is_plain(*ty)) {
            return None;
        }
        let given = body.targets(id).iter().flat_map(|target| &body.blocks[*target].arguments).copied();
        let given: Vec<Value> = body.results(id).chain(given).collect();
        if given.iter().any(|value| !opened_archetypes(queries, body.ty(*value).ty).is_empty()) {
            return None;
        }
        let arguments = ApplySite::new(body, id)?.arguments().to_vec();
        let is_known = |ty: SilType| match queries.get(ty.ty) {
            Type::Metatype { instance, .. } if *instance == archetype => true,
            _ if ty.ty == archetype => ty.is_address(),
            _ => opened_archetypes(queries, ty.ty).is_empty(),
        };
        if !arguments.iter().all(|argument| is_known(body.ty(*argument))) {
            return None;
        }
        for (operand, argument) in (1..).zip(arguments) {
            if let Some(argument) = self.as_concrete(id, argument, archetype, concrete) {
                self.editor.set_operand(Use { user: id, operand }, argument);
            }
        }
        let signature = queries.context.get_substitutions(apply.substitutions).signature;
        let replaced: Vec<TypeId> =
            replacements.into_iter().map(|ty| if ty == archetype { concrete } else { ty }).collect();
        apply.substitutions = queries.context.substitutions(signature, replaced);
        apply.sugar = Default::default();
        self.editor.set_details(id, Details::Apply(apply));
        Some(())
    }

    /// Converts an argument from the archetype to its concrete type. Returns `None` for arguments of other types.
    fn as_concrete(
        &mut self,
        id: InstructionId,
        argument: Value,
        archetype: TypeId,
        concrete: TypeId,
    ) -> Option<Value> {
        let queries = self.editor.environment.queries;
        let ty = self.editor.body().ty(argument);
        match *queries.get(ty.ty) {
            _ if ty.ty == archetype => {
                let to = SilType::address(queries.lower_formal(concrete));
                Some(self.editor.build(Place::Before(id), id, |builder| builder.unchecked_addr_cast(argument, to)))
            }
            Type::Metatype { instance, representation } if instance == archetype => {
                let ty = Type::Metatype { instance: concrete, representation };
                let ty = SilType::object(queries.context.ty(ty));
                Some(self.editor.build(Place::Before(id), id, |builder| builder.metatype(ty)))
            }
            _ => None,
        }
    }

    /// Replaces the opened archetype of a `witness_method` with its concrete type.
    pub(super) fn witness_method(&mut self, id: InstructionId) -> Option<()> {
        let body = self.editor.body();
        let queries = self.editor.environment.queries;
        let mut method = WitnessMethod::of(body, id).method.clone();
        let archetype = method.lookup.filter(|ty| self.is_root(*ty))?;
        let concrete = self.concrete(archetype)?;
        let protocol = queries.context.get_member(method.member).parent?;
        let conformance = queries.conformance(concrete, protocol);
        let is_known = matches!(
            queries.context.get_conformance(conformance).kind,
            ConformanceKind::Normal { .. } | ConformanceKind::Specialized { .. } | ConformanceKind::Inherited { .. }
        );
        if !is_known {
            return None;
        }
        method.lookup = Some(concrete);
        let (attributes, ty) = (body.instructions[id].attributes, body.ty(body.result(id)?));
        let made = self.editor.build(Place::Before(id), id, |builder| {
            builder.with(attributes).witness_method(Box::new(method), None, ty)
        });
        self.editor.replace(id, made);
        Some(())
    }

    pub(super) fn is_root(&self, ty: TypeId) -> bool {
        let queries = self.editor.environment.queries;
        match queries.get(ty) {
            Type::OpenedArchetype { interface, .. } => !matches!(queries.get(*interface), Type::DependentMember { .. }),
            _ => false,
        }
    }

    /// The concrete type of an opened archetype, if a metatype of it was opened.
    pub(super) fn concrete(&self, archetype: TypeId) -> Option<TypeId> {
        let body = self.editor.body();
        let queries = self.editor.environment.queries;
        let opens = |id: &InstructionId| {
            let result = body.result(*id).map(|result| queries.get(body.ty(result).ty));
            let instance = match result {
                Some(Type::Metatype { instance, .. }) => Some(*instance),
                _ => None,
            };
            self.editor.opcode(*id) == Opcode::OpenExistentialMetatype && instance == Some(archetype)
        };
        let opened = body.placed_instructions().find(opens)?;
        let made = self.editor.made_by(Unary::of(body, opened).operand, Opcode::InitExistentialMetatype)?;
        let metatype = self.editor.made_by(Unary::of(body, made).operand, Opcode::Metatype)?;
        match queries.get(body.ty(body.result(metatype)?).ty) {
            Type::Metatype { instance, .. } => Some(*instance),
            _ => None,
        }
    }
}
