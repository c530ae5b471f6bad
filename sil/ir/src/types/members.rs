//! The types of a type's parts: stored properties, payloads of enum cases, box fields, tuple elements, the superclass.

use std::sync::Arc;

use super::*;
use crate::context::{MemberId, MemberRef, MemberTarget};
use crate::declarations::{NominalKind, Origin, StoredProperty};

impl TypeQueries<'_> {
    /// The type of the elements of `vector`, a `Builtin.FixedArray`.
    pub fn vector_element(&self, vector: TypeId) -> Option<TypeId> {
        match self.get(vector) {
            Type::Builtin(BuiltinType::FixedArray { element, .. }) => Some(*element),
            _ => None,
        }
    }

    /// The lowered type of the stored property `member` of `whole`: a struct, or a class that declares or inherits it.
    pub fn stored_property_type(&self, whole: TypeId, member: MemberId) -> Option<TypeId> {
        self.cached_field(whole, member, || {
            let MemberRef { parent: Some(parent), target: MemberTarget::Stored(index), .. } =
                self.context.get_member(member)
            else {
                return self.unknown_part(whole, member);
            };
            let base = self.as_declared_by(whole, *parent).or_else(|| self.ancestor_declared_by(whole, *parent))?;
            let declaration = self.declarations.get(*parent);
            let property = self.property_type(self.as_nominal(base)?, declaration.stored.get(*index as usize)?);
            Some(match declaration.kind {
                NominalKind::Class | NominalKind::Actor => property,
                NominalKind::Struct | NominalKind::Enum | NominalKind::Protocol | NominalKind::Unknown => {
                    self.wrapped_like(whole, property)
                }
            })
        })
    }

    /// The type of the part `member` of `whole`, if the declaration of that, or of an ancestor, is not at hand: an
    /// unresolved type.
    fn unknown_part(&self, whole: TypeId, member: MemberId) -> Option<TypeId> {
        let unknown = || self.context.ty(Type::unresolved(self.context.get_member(member).name));
        self.has_unknown_parts(whole).then(unknown)
    }

    /// Whether the parts of `ty` are not known: only its name is at hand, or that of a class that it inherits from, or
    /// nothing at all.
    pub fn has_unknown_parts(&self, ty: TypeId) -> bool {
        let mut current = ty;
        // Wrong input may make a class its own superclass.
        for _ in 0..256 {
            if self.is_undeclared(current) {
                return true;
            }
            match self.superclass_of(current) {
                Some(superclass) => current = superclass,
                None => return false,
            }
        }
        false
    }

    /// The type `part` of a part of `whole`: the parts of a value under no-implicit-copy rules are under them too.
    fn wrapped_like(&self, whole: TypeId, part: TypeId) -> TypeId {
        match self.get(whole) {
            Type::MoveOnlyWrapper(_) => self.context.ty(Type::MoveOnlyWrapper(part)),
            _ => part,
        }
    }

    /// The lowered type of the payload of the enum case `member` of `base`; none for a case without payload.
    /// An indirect case's payload is a box.
    pub fn enum_payload_type(&self, base: TypeId, member: MemberId) -> Option<TypeId> {
        self.cached_field(base, member, || match self.context.get_member(member) {
            MemberRef { parent: Some(parent), target: MemberTarget::Case(index), .. } => {
                self.case_payload(self.as_declared_by(base, *parent)?, *index)
            }
            _ => self.unknown_part(base, member),
        })
    }

    /// `ty` as a type that `declaration` declares: itself, or its stand-in or the reverse. None for another type.
    fn as_declared_by(&self, ty: TypeId, declaration: NominalId) -> Option<TypeId> {
        let nominal = self.as_nominal(ty)?;
        if nominal.declaration == declaration {
            return Some(ty);
        }
        let may_be_same = self.declarations.open_names.may_be_same(nominal.declaration, declaration);
        may_be_same.then(|| self.context.ty(Type::Nominal(NominalType { declaration, ..nominal.clone() })))
    }

    fn cached_field(&self, base: TypeId, member: MemberId, find: impl FnOnce() -> Option<TypeId>) -> Option<TypeId> {
        match self.caches.fields.get(&(base, member)) {
            Some(found) => found,
            None => self.caches.fields.insert((base, member), find()),
        }
    }

    /// The lowered type of the payload of case number `index` of the enum type `base`.
    pub fn case_payload(&self, base: TypeId, index: u32) -> Option<TypeId> {
        match self.caches.payloads.get(&(base, index)) {
            Some(found) => found,
            None => self.caches.payloads.insert((base, index), self.find_payload(base, index)),
        }
    }

    fn find_payload(&self, base: TypeId, index: u32) -> Option<TypeId> {
        let nominal = self.as_nominal(base)?;
        let case = self.declarations.get(nominal.declaration).cases.get(index as usize)?;
        let formal = case.payload?;
        if let Some(object) = self.optional_object(base) {
            return Some(self.wrapped_like(base, object));
        }
        if case.indirect {
            return Some(self.payload_box(nominal, formal));
        }
        let substituted = self.substitute(formal, self.nominal_substitutions(nominal));
        Some(self.wrapped_like(base, self.lower(substituted, self.pattern(formal, nominal))))
    }

    /// The box of an indirect payload: its layout has the enum's own generic signature.
    fn payload_box(&self, nominal: &NominalType, formal: TypeId) -> TypeId {
        let ty = self.lower(formal, self.pattern(formal, nominal));
        let fields = Box::new([BoxField { mutability: Mutability::Var, ty }]);
        let signature = self.declarations.get(nominal.declaration).signature;
        let substitutions = signature.map(|signature| {
            let nameless = canonical::nameless(self.context, signature);
            self.context.substitutions(nameless, self.context.replacements(self.nominal_substitutions(nominal)))
        });
        let layout = BoxType { fields, captures_generics: CapturesGenerics::No, substitutions };
        self.context.ty(Type::Box(Box::new(layout)))
    }

    fn property_type(&self, nominal: &NominalType, property: &StoredProperty) -> TypeId {
        let substituted = self.substitute(property.ty, self.nominal_substitutions(nominal));
        let lowered = self.lower(substituted, self.pattern(property.ty, nominal));
        self.stored_as(property, lowered)
    }

    /// The form in which `property` stores a value of type `ty`. Declarations that the compiler printed name that form
    /// already.
    pub fn stored_as(&self, property: &StoredProperty, ty: TypeId) -> TypeId {
        match (property.ownership, self.get(ty)) {
            (None, _) | (Some(_), Type::Storage { .. }) => ty,
            (Some(kind), _) => self.context.ty(Type::Storage { kind, referent: ty }),
        }
    }

    /// The formal types of the parts of a struct or an enum: enough to classify it, and a type can contain functions on
    /// itself, whose lowering asks how it is classified.
    pub(super) fn formal_parts(&self, base: TypeId) -> Vec<TypeId> {
        let Some(nominal) = self.as_nominal(base) else { return Vec::new() };
        let declaration = self.declarations.get(nominal.declaration);
        let substitutions = self.nominal_substitutions(nominal);
        let mut parts = Vec::new();
        for property in &declaration.stored {
            parts.push(self.stored_as(property, self.substitute(property.ty, substitutions)));
        }
        for case in &declaration.cases {
            match case.payload {
                Some(_) if case.indirect => parts.push(self.context.ty(Type::Builtin(BuiltinType::NativeObject))),
                Some(payload) => parts.push(self.substitute(payload, substitutions)),
                None => {}
            }
        }
        parts
    }

    fn pattern(&self, formal: TypeId, nominal: &NominalType) -> AbstractionPattern {
        AbstractionPattern::Type { formal, signature: self.declarations.get(nominal.declaration).signature }
    }

    /// The lowered types of all stored properties of a struct, in order; of a class without those of its superclass.
    pub fn stored_property_types(&self, base: TypeId) -> Option<Vec<TypeId>> {
        self.field_types(base).map(|fields| fields.to_vec())
    }

    /// Like [`stored_property_types`](Self::stored_property_types), shared.
    pub fn field_types(&self, base: TypeId) -> Option<Arc<[TypeId]>> {
        match self.caches.field_lists.get(&base) {
            Some(found) => found,
            None => self.caches.field_lists.insert(base, self.find_field_types(base)),
        }
    }

    fn find_field_types(&self, base: TypeId) -> Option<Arc<[TypeId]>> {
        let nominal = self.as_nominal(base)?;
        let declaration = self.declarations.get(nominal.declaration);
        match declaration.kind {
            _ if declaration.origin == Origin::Named => None,
            NominalKind::Struct => {
                let fields = declaration.stored.iter().map(|property| self.property_type(nominal, property));
                Some(fields.map(|field| self.wrapped_like(base, field)).collect())
            }
            NominalKind::Class | NominalKind::Actor => {
                Some(declaration.stored.iter().map(|property| self.property_type(nominal, property)).collect())
            }
            NominalKind::Enum | NominalKind::Protocol | NominalKind::Unknown => None,
        }
    }

    /// The type of field number `index` of a box, its layout's arguments applied.
    pub fn box_field_type(&self, boxed: TypeId, index: u32) -> Option<TypeId> {
        let Type::Box(layout) = self.get(boxed) else { return None };
        let field = layout.fields.get(index as usize)?;
        let Some(substitutions) = layout.substitutions else { return Some(field.ty) };
        Some(self.substitute_lowered(field.ty, substitutions))
    }

    /// The types of all elements of a tuple, in order. Those of a tuple under no-implicit-copy rules are under none
    /// themselves (`SILType::getAs`, include/swift/SIL/SILType.h).
    pub fn tuple_element_types(&self, tuple: TypeId) -> Option<Vec<TypeId>> {
        match self.get(tuple) {
            Type::Tuple(elements) => Some(elements.iter().map(|element| element.ty).collect()),
            Type::MoveOnlyWrapper(inner) => self.tuple_element_types(*inner),
            _ => None,
        }
    }

    /// The type of element number `index` of a tuple.
    pub fn tuple_element_type(&self, tuple: TypeId, index: u32) -> Option<TypeId> {
        match self.get(tuple) {
            Type::Tuple(elements) => elements.get(index as usize).map(|element| element.ty),
            Type::MoveOnlyWrapper(inner) => self.tuple_element_type(*inner, index),
            _ => None,
        }
    }

    /// `T`, where `ty` is `Optional<T>`.
    pub fn optional_object(&self, ty: TypeId) -> Option<TypeId> {
        match self.get(ty) {
            Type::Nominal(nominal) if Some(nominal.declaration) == self.caches.known.optional => {
                nominal.arguments.first().copied()
            }
            Type::MoveOnlyWrapper(inner) => self.optional_object(*inner),
            _ => None,
        }
    }

    /// `Optional<ty>`; none where the module does not know `Optional`.
    pub fn optional_of(&self, ty: TypeId) -> Option<TypeId> {
        let declaration = self.caches.known.optional?;
        Some(self.context.ty(Type::Nominal(NominalType { declaration, parent: None, arguments: Box::new([ty]) })))
    }

    /// The superclass of a class type, in the type's own arguments.
    pub fn superclass_of(&self, ty: TypeId) -> Option<TypeId> {
        let nominal = self.as_nominal(ty)?;
        let superclass = self.declarations.get(nominal.declaration).superclass?;
        Some(self.substitute(superclass, self.nominal_substitutions(nominal)))
    }

    /// `ty` or the superclass of it that `declaration` declares.
    pub fn ancestor_declared_by(&self, ty: TypeId, declaration: NominalId) -> Option<TypeId> {
        let mut current = ty;
        // Wrong input may make a class its own superclass.
        for _ in 0..256 {
            if self.as_nominal(current)?.declaration == declaration {
                return Some(current);
            }
            current = self.superclass_of(current)?;
        }
        None
    }

    /// Whether `ty` is `class` or inherits from it, as far as superclasses are known.
    pub fn is_subclass(&self, ty: TypeId, class: TypeId) -> bool {
        let Some(nominal) = self.as_nominal(class) else { return false };
        self.ancestor_declared_by(ty, nominal.declaration).is_some_and(|found| self.same_type(found, class))
    }
}
