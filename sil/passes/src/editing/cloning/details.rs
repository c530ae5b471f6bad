//! Clones the types in the details of instructions.

use sil_ir::context::{SubstitutionMapId, Sugar, TypeId};
use sil_ir::model::{
    Apply, Cast, DebugOperator, DebugVariable, Details, KeyPath, KeyPathComponent, KeyPathComponentKind,
    KeyPathComputed, Method, PackOpening,
};

use super::TypeCloner;

impl TypeCloner<'_> {
    fn formal_type(&self, ty: TypeId) -> TypeId {
        self.queries.reopen(self.queries.substitute(ty, self.substitutions), &self.opened)
    }

    fn map(&self, map: SubstitutionMapId) -> SubstitutionMapId {
        self.queries.reopen_map(self.queries.substitute_map(map, self.substitutions), &self.opened)
    }

    /// Clones the details. The spelling of types is not kept.
    pub(super) fn details(&self, details: &Details) -> Details {
        match details {
            Details::Method(method) => Details::Method(Box::new(Method {
                member: method.member,
                formal_type: method.formal_type.map(|ty| self.formal_type(ty)),
                sugar: Sugar::default(),
                lookup: method.lookup.map(|ty| self.formal_type(ty)),
            })),
            Details::Builtin(builtin) => {
                Details::Builtin(Box::new(builtin.with_substitutions(self.map(builtin.substitutions))))
            }
            Details::Apply(apply) => Details::Apply(Box::new(Apply {
                substitutions: self.map(apply.substitutions),
                sugar: Sugar::default(),
                callee_type: self.sil_type(apply.callee_type),
                isolation: apply.isolation,
                history: apply.history.or(self.history),
            })),
            Details::Variable(variable) => Details::Variable(Box::new(self.variable(variable))),
            Details::Cast(cast) => Details::Cast(Box::new(Cast {
                source: cast.source.map(|ty| self.formal_type(ty)),
                target: self.formal_type(cast.target),
                ..(**cast).clone()
            })),
            Details::FormalType(ty) => Details::FormalType(self.formal_type(*ty)),
            Details::KeyPath(path) => Details::KeyPath(Box::new(self.key_path(path))),
            Details::PackOpening(opening) => Details::PackOpening(Box::new(PackOpening {
                substitutions: self.map(opening.substitutions),
                // It is a parameter of the opening's own signature.
                shape: opening.shape,
                uuid: self.opened.get(&opening.uuid).copied().unwrap_or(opening.uuid),
            })),
            // The configuration of a derivative has its own signature.
            Details::DifferentiabilityWitness(..)
            | Details::None
            | Details::Index(_)
            | Details::Alignment(_)
            | Details::Integer(_)
            | Details::WideInteger(_)
            | Details::Float(_)
            | Details::String(_)
            | Details::Member(_)
            | Details::Function(_)
            | Details::Global(..)
            | Details::CondBranch { .. }
            | Details::EnumCases(_)
            | Details::SwitchValue { .. }
            | Details::TailElements(_)
            | Details::Message(_)
            | Details::Representation(_)
            | Details::BaseElements(_)
            | Details::Differentiable(_)
            | Details::Extractee(_)
            | Details::Words(_)
            | Details::ProfilerCounter { .. }
            | Details::Assign(_) => details.clone(),
        }
    }

    fn variable(&self, variable: &DebugVariable) -> DebugVariable {
        let mut variable = variable.clone();
        variable.ty = variable.ty.map(|ty| self.sil_type(ty));
        for operator in &mut variable.expression {
            if let DebugOperator::TupleFragment(ty, _) = operator {
                *ty = self.queries.reopen(self.queries.substitute_lowered(*ty, self.substitutions), &self.opened);
            }
        }
        variable
    }

    /// Clones a key path pattern. The types of a pattern with its own signature are not changed, only its substitutions
    /// are.
    fn key_path(&self, path: &KeyPath) -> KeyPath {
        let substitutions = self.map(path.substitutions);
        if path.signature.is_some() {
            return KeyPath { substitutions, ..path.clone() };
        }
        let component = |component: &KeyPathComponent| KeyPathComponent {
            kind: self.component_kind(&component.kind),
            ty: self.formal_type(component.ty),
        };
        KeyPath {
            root: self.formal_type(path.root),
            components: path.components.iter().map(component).collect(),
            substitutions,
            ..path.clone()
        }
    }

    fn component_kind(&self, kind: &KeyPathComponentKind) -> KeyPathComponentKind {
        let computed = |computed: &KeyPathComputed| {
            let mut computed = computed.clone();
            for (_, formal, lowered) in &mut computed.indices {
                (*formal, *lowered) = (self.formal_type(*formal), self.sil_type(*lowered));
            }
            computed.external = computed.external.map(|(member, map)| (member, self.map(map)));
            Box::new(computed)
        };
        match kind {
            KeyPathComponentKind::Computed(inner) => KeyPathComponentKind::Computed(computed(inner)),
            KeyPathComponentKind::Method(inner) => KeyPathComponentKind::Method(computed(inner)),
            KeyPathComponentKind::StoredProperty(_)
            | KeyPathComponentKind::TupleElement(_)
            | KeyPathComponentKind::OptionalChain
            | KeyPathComponentKind::OptionalForce
            | KeyPathComponentKind::OptionalWrap => kind.clone(),
        }
    }
}
