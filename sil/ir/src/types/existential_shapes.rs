//! Shapes of constrained existentials (include/swift/ABI/Metadata.h, `TargetExtendedExistentialTypeShape`): the type
//! with parameters in the place of the arguments of its protocols and of its superclass, and the requirements on the
//! type of a value. The runtime makes metadata of a shape and arguments (lib/AST/ExistentialGeneralization.cpp).

use super::*;

/// The shape of a constrained existential or of a metatype of one, and the arguments in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExistentialShape {
    /// The type in terms of parameters of depth 0.
    pub ty: TypeId,
    /// How many metatypes stand around the existential.
    pub metatypes: usize,
    /// The arguments of the parameters.
    pub arguments: Vec<TypeId>,
    /// The signature of the parameters, where there are any.
    pub generalization: Option<SignatureId>,
    /// The signature of the parameters and the type of the value, which is the only parameter of depth 1, or of depth 0
    /// where there are no others.
    pub requirements: SignatureId,
}

impl TypeQueries<'_> {
    /// Whether `ty` is an existential, or a metatype of one, with constraints on associated types.
    pub fn is_constrained_existential(&self, ty: TypeId) -> bool {
        let is_constrained =
            |member: &TypeId| matches!(self.get(*member), Type::Protocol { arguments, .. } if !arguments.is_empty());
        match self.get(self.constraint_in_metatypes(ty).0) {
            Type::Protocol { arguments, .. } => !arguments.is_empty(),
            Type::Composition(composition) => composition.members.iter().any(is_constrained),
            _ => false,
        }
    }

    /// The shape of the canonical type `ty`, a constrained existential or a metatype of one. None for others, and for a
    /// superclass with requirements on its arguments.
    pub fn existential_shape(&self, ty: TypeId) -> Option<ExistentialShape> {
        if !self.is_constrained_existential(ty) {
            return None;
        }
        let (constraint, metatypes) = self.constraint_in_metatypes(ty);
        let mut arguments = Vec::new();
        let general = self.generalized(constraint, &mut arguments)?;
        let mut shape = self.context.ty(Type::Existential(general));
        for _ in 0..metatypes {
            shape = self.context.ty(Type::ExistentialMetatype { instance: shape, representation: None });
        }
        let parameter = |depth, index| GenericParameter { name: None, depth, index, kind: GenericParameterKind::Type };
        let parameters: Vec<_> = (0..arguments.len() as u32).map(|index| parameter(0, index)).collect();
        let this = parameter(u32::from(!parameters.is_empty()), 0);
        let subject = self.context.ty(Type::GenericParameter { depth: this.depth, index: 0 });
        let requirements = self.context.signature(GenericSignature {
            parameters: parameters.iter().cloned().chain([this]).collect(),
            requirements: Box::new([Requirement::Conformance { subject, constraint: general }]),
        });
        let generalization = (!parameters.is_empty()).then(|| {
            let requirements = Box::default();
            self.context.signature(GenericSignature { parameters: parameters.into(), requirements })
        });
        Some(ExistentialShape { ty: shape, metatypes, arguments, generalization, requirements })
    }

    /// The constraint of an existential, and how many metatypes stand around it.
    fn constraint_in_metatypes(&self, ty: TypeId) -> (TypeId, usize) {
        match self.get(ty) {
            Type::ExistentialMetatype { instance, .. } => {
                let (constraint, depth) = self.constraint_in_metatypes(*instance);
                (constraint, depth + 1)
            }
            Type::Existential(constraint) => (*constraint, 0),
            _ => (ty, 0),
        }
    }

    /// `constraint` with a parameter for each argument, which is added to `arguments`.
    fn generalized(&self, constraint: TypeId, arguments: &mut Vec<TypeId>) -> Option<TypeId> {
        let mut parameters = |of: &[TypeId]| -> Box<[TypeId]> {
            let first = arguments.len() as u32;
            arguments.extend_from_slice(of);
            let indices = first..first + of.len() as u32;
            indices.map(|index| self.context.ty(Type::GenericParameter { depth: 0, index })).collect()
        };
        Some(self.context.ty(match self.get(constraint) {
            Type::Protocol { protocol, arguments } => {
                Type::Protocol { protocol: *protocol, arguments: parameters(arguments) }
            }
            Type::Nominal(class) if class.arguments.is_empty() && class.parent.is_none() => return Some(constraint),
            Type::Nominal(class) if class.parent.is_none() => {
                let signature = self.declarations.get(class.declaration).signature?;
                if !self.context.get_signature(signature).requirements.is_empty() {
                    return None;
                }
                Type::Nominal(NominalType { arguments: parameters(&class.arguments), ..class.clone() })
            }
            Type::Composition(composition) => {
                let members = composition.members.iter().map(|member| self.generalized(*member, arguments));
                let members = members.collect::<Option<_>>()?;
                Type::Composition(Box::new(Composition { members, ..(**composition).clone() }))
            }
            _ => return None,
        }))
    }
}
