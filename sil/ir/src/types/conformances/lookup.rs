//! The conformance of a type to a protocol.

use crate::context::{
    Composition, Conformance, ConformanceId, ConformanceKind, NominalId, NominalType, SubstitutionMapId, Type, TypeId,
};
use crate::declarations::{Origin, StatedConformance};
use crate::types::TypeQueries;

use ConformanceKind::{Abstract, Builtin, Inherited, Missing, Normal, Pack, SelfConformance, Specialized, Unknown};

/// Whether a declaration names the protocol or one that inherits from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::types) enum Statement {
    /// The protocol itself.
    Explicit,
    /// One that inherits from it.
    Implied,
}

/// Types nest, and superclasses are followed, this far: wrong input may make them circular.
const DEPTH_LIMIT: u32 = 64;

impl TypeQueries<'_> {
    /// How `ty` conforms to `protocol`. Whether the requirements of a conditional conformance hold is not asked.
    pub fn conformance(&self, ty: TypeId, protocol: NominalId) -> ConformanceId {
        self.conformance_within(ty, protocol, 0)
    }

    /// The conformance whose witness table is that of `ty` for `protocol`, in canonical types: witnesses of a
    /// superclass serve for all its subclasses.
    pub fn conformance_with_table(&self, ty: TypeId, protocol: NominalId) -> ConformanceId {
        let found = self.conformance(self.canonical_type(ty), protocol);
        match self.context.get_conformance(found).kind {
            Inherited { base } => self.conformance_with_table(self.context.get_conformance(base).ty, protocol),
            _ => found,
        }
    }

    fn conformance_within(&self, ty: TypeId, protocol: NominalId, depth: u32) -> ConformanceId {
        let key = (ty, protocol);
        match self.caches.found_conformances.get(&key) {
            Some(found) => found,
            None => self.caches.found_conformances.insert(key, self.find_conformance(ty, protocol, depth)),
        }
    }

    fn find_conformance(&self, ty: TypeId, protocol: NominalId, depth: u32) -> ConformanceId {
        let of = |kind| self.context.conformance(Conformance { ty, protocol, kind });
        if depth > DEPTH_LIMIT {
            return of(Unknown);
        }
        match self.get(ty) {
            Type::Nominal(_) => self.nominal_conformance(ty, protocol, depth),
            Type::DynamicSelf(inner) | Type::MoveOnlyWrapper(inner) | Type::PackExpansion { pattern: inner } => {
                self.conformance_within(*inner, protocol, depth + 1)
            }
            _ if self.is_type_parameter(ty) => of(Abstract),
            Type::Existential(constraint) => self.existential_conformance(ty, *constraint, protocol, depth),
            Type::Pack { elements, .. } => {
                let elements = elements.iter().map(|element| self.conformance_within(*element, protocol, depth + 1));
                of(Pack(elements.collect()))
            }
            Type::Tuple(_)
            | Type::Function(_)
            | Type::FormalFunction(_)
            | Type::Metatype { .. }
            | Type::ExistentialMetatype { .. }
            | Type::Builtin(_) => match self.conformances.concrete(ty, protocol) {
                Some(stated) => stated,
                None if self.declarations.get(protocol).attributes.marker => of(Builtin),
                None => of(Unknown),
            },
            _ => of(Unknown),
        }
    }

    /// That of a struct, an enum or a class: one that its declaration states, or that a superclass has. A superclass's
    /// conformance goes before one that only follows from others.
    fn nominal_conformance(&self, ty: TypeId, protocol: NominalId, depth: u32) -> ConformanceId {
        let of = |kind| self.context.conformance(Conformance { ty, protocol, kind });
        let Some(nominal) = self.as_nominal(ty) else { return of(Unknown) };
        let stated = self.stated_conformance(nominal.declaration, protocol);
        if let Some((base, Statement::Explicit)) = stated {
            return self.with_arguments(ty, nominal, base);
        }
        if let Some(concrete) = self.conformances.concrete(ty, protocol) {
            return concrete;
        }
        let above = self.superclass_of(ty).map(|superclass| self.conformance_within(superclass, protocol, depth + 1));
        let is_unknown = match above.map(|above| (above, &self.context.get_conformance(above).kind)) {
            Some((base, Normal { .. } | Specialized { .. })) => return of(Inherited { base }),
            Some((_, Inherited { base })) => return of(Inherited { base: *base }),
            Some((_, kind)) => *kind == Unknown,
            None => false,
        };
        if let Some((base, Statement::Implied)) = stated {
            return self.with_arguments(ty, nominal, base);
        }
        let declaration = self.declarations.get(nominal.declaration);
        // Markers are conformed to without a word.
        let is_marker = self.declarations.get(protocol).attributes.marker;
        let states_all = declaration.origin == Origin::Module && declaration.is_complete();
        of(if states_all && !is_marker && !is_unknown { Missing } else { Unknown })
    }

    /// The conformance `base` of the declaration of `ty`, with the arguments that `ty` has.
    fn with_arguments(&self, ty: TypeId, nominal: &NominalType, base: ConformanceId) -> ConformanceId {
        let arguments = self.nominal_substitutions(nominal);
        if arguments == SubstitutionMapId::EMPTY {
            return base;
        }
        let declared = self.context.get_conformance(base);
        let signature = match declared.kind {
            Normal { signature: Some(signature), .. } => signature,
            _ => self.context.get_substitutions(arguments).signature,
        };
        let substitutions = self.context.substitutions(signature, self.context.replacements(arguments));
        let kind = Specialized { base, substitutions };
        self.context.conformance(Conformance { ty, protocol: declared.protocol, kind })
    }

    /// The conformance that a declaration states, or that follows from one that it states: as tables have it where they
    /// do.
    fn stated_conformance(&self, nominal: NominalId, protocol: NominalId) -> Option<(ConformanceId, Statement)> {
        let key = (nominal, protocol);
        match self.caches.stated_conformances.get(&key) {
            Some(found) => found,
            None => self.caches.stated_conformances.insert(key, self.find_stated_conformance(nominal, protocol)),
        }
    }

    fn find_stated_conformance(&self, nominal: NominalId, protocol: NominalId) -> Option<(ConformanceId, Statement)> {
        let declaration = self.declarations.get(nominal);
        let in_tables = || self.conformances.stated(nominal).iter().map(|id| (*id, self.context.get_conformance(*id)));
        if let Some((id, _)) = in_tables().find(|(_, stated)| stated.protocol == protocol) {
            return Some((id, Statement::Explicit));
        }
        let made_up = |kind| {
            let ty = self.declarations.identity(self.context, nominal);
            self.context.conformance(Conformance { ty, protocol, kind })
        };
        let as_declared = |stated: &StatedConformance| {
            let signature = stated.condition.or(declaration.signature);
            made_up(Normal { signature, module: stated.module })
        };
        let find = |fits: &dyn Fn(NominalId) -> bool| {
            declaration.conformances.iter().find(|stated| self.protocols_in(stated.protocol).into_iter().any(fits))
        };
        if let Some(stated) = find(&|stated| stated == protocol) {
            return Some((as_declared(stated), Statement::Explicit));
        }
        let generics = self.generics();
        let implies = |stated| generics.inherited(stated).contains(&protocol);
        let implied = find(&implies).map(as_declared).or_else(|| {
            let (_, implying) = in_tables().find(|(_, stated)| implies(stated.protocol))?;
            Some(made_up(implying.kind.clone()))
        });
        Some((implied?, Statement::Implied))
    }

    /// That of an existential: it conforms where its superclass does, and to few protocols of its own.
    fn existential_conformance(
        &self,
        ty: TypeId,
        constraint: TypeId,
        protocol: NominalId,
        depth: u32,
    ) -> ConformanceId {
        let of = |kind| self.context.conformance(Conformance { ty, protocol, kind });
        if let Type::Composition(composition) = self.get(constraint) {
            let Composition { members, .. } = &**composition;
            let class = members.iter().find(|member| self.is_class(**member));
            let above = class.map(|class| self.conformance_within(*class, protocol, depth + 1));
            match above.map(|above| (above, &self.context.get_conformance(above).kind)) {
                Some((base, Normal { .. } | Specialized { .. })) => return of(Inherited { base }),
                Some((_, Inherited { base })) => return of(Inherited { base: *base }),
                _ => {}
            }
        }
        let attributes = &self.declarations.get(protocol).attributes;
        let is_error = Some(protocol) == self.caches.known.error;
        of(match self.protocols_in(constraint)[..] {
            _ if attributes.marker => Builtin,
            [only] if only == protocol && (is_error || attributes.objc) => SelfConformance,
            _ => Unknown,
        })
    }
}
