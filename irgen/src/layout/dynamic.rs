//! Types with dynamic layout: those of generic parameters, those that other modules may change, and types with such
//! parts.

use std::sync::Arc;

use sil_ir::context::{
    BuiltinType, FormalFunctionType, FunctionAttribute, FunctionAttributes, FunctionType, MetatypeRepresentation,
    NominalType, Representation, SignatureId, Throws, TupleElement, Type, TypeId,
};
use sil_ir::declarations::{EnumCase, NominalKind, RawLayout};

use super::classes::ClassLayout;
use super::converter::ParameterValues;
use super::{TypeConverter, TypeInfo, enums};
use crate::refusal::Generated;

/// The memory layout of a type.
#[derive(Clone, Debug)]
pub enum TypeLayout {
    /// Known at compile time.
    Fixed(Arc<TypeInfo>),
    /// Given by the metadata of this canonical type at run time: the type itself, or one with the same memory layout.
    Dynamic(TypeId),
}

/// The flag in a value witness table for values that are not stored inline in an existential container's buffer.
pub const IS_NOT_INLINE: u64 = 1 << 17;

/// The flag in a value witness table for non-trivial values.
pub const IS_NOT_TRIVIAL: u64 = 1 << 16;

/// The flag in a value witness table for values that are not bitwise takable.
pub const IS_NOT_BITWISE_TAKABLE: u64 = 1 << 20;

/// The flag in a value witness table for noncopyable values.
pub const IS_NOT_COPYABLE: u64 = 1 << 23;

/// The limit for nested types.
const DEEPEST: usize = 100;

impl TypeConverter<'_> {
    /// The layout of `ty`, a lowered type.
    pub fn layout(&self, ty: TypeId) -> Generated<TypeLayout> {
        match self.info(ty) {
            Ok(info) => Ok(TypeLayout::Fixed(info)),
            Err(_) if self.is_dynamic(ty, 0) => {
                Ok(TypeLayout::Dynamic(self.queries.canonical_type(self.with_metadata(ty))))
            }
            Err(error) => Err(error),
        }
    }

    /// Returns a type with metadata and the memory layout of the lowered type `ty`. In tuples and optionals, lowered
    /// functions have no metadata; functions of the same representation have the same layout, and thin metatypes are
    /// empty.
    pub(crate) fn with_metadata(&self, ty: TypeId) -> TypeId {
        self.with_functions_to(self.queries.void(), ty)
    }

    /// The same, with `result` as the result of the functions in it.
    fn with_functions_to(&self, result: TypeId, ty: TypeId) -> TypeId {
        let context = &self.queries.context;
        let pointer = || context.ty(Type::Builtin(BuiltinType::RawPointer));
        match self.queries.get(ty) {
            Type::Tuple(elements) => {
                let with_metadata = |element: &TupleElement| TupleElement {
                    ty: self.with_functions_to(result, element.ty),
                    ..*element
                };
                context.ty(Type::Tuple(elements.iter().map(with_metadata).collect()))
            }
            // The pack that determines the number of elements must be kept.
            Type::PackExpansion { pattern } => {
                let is_element = |part| matches!(self.queries.get(part), Type::PackElement(_)).then_some(part);
                let element = self.queries.find_in(*pattern, &mut |part| is_element(part));
                let pattern = self.with_functions_to(element.unwrap_or(result), *pattern);
                context.ty(Type::PackExpansion { pattern })
            }
            Type::Nominal(nominal) if self.queries.optional_object(ty).is_some() => {
                let arguments = nominal.arguments.iter();
                let arguments = arguments.map(|argument| self.with_functions_to(result, *argument)).collect();
                context.ty(Type::Nominal(NominalType { arguments, ..nominal.clone() }))
            }
            Type::Metatype { representation: Some(MetatypeRepresentation::Thin), .. } => self.queries.void(),
            Type::Function(function) if let Some(kind) = function.differentiability => {
                let component = context.ty(Type::Function(Box::new(function.without_differentiability())));
                let element = TupleElement { label: None, ty: self.with_functions_to(result, component) };
                context.ty(Type::Tuple(vec![element; kind.component_count()].into()))
            }
            Type::Function(function) if function.representation != Representation::Thick => pointer(),
            Type::Function(function) if function.attributes.contains(FunctionAttribute::NoEscape) => {
                let element = TupleElement { label: None, ty: pointer() };
                context.ty(Type::Tuple([element, element].into()))
            }
            Type::Function(_) => context.ty(Type::FormalFunction(Box::new(FormalFunctionType {
                signature: None,
                representation: Representation::Thick,
                attributes: FunctionAttributes::default(),
                differentiability: None,
                parameters: Box::default(),
                result,
                throws: Throws::No,
                global_actor: None,
            }))),
            _ => ty,
        }
    }

    /// The raw layout `layout` of the type `ty`: the lowered type of the storage is substituted with the arguments of
    /// `ty`.
    pub(crate) fn substituted_raw_layout(&self, ty: TypeId, layout: &RawLayout) -> RawLayout {
        let substitutions = self.queries.as_nominal(ty).map(|nominal| self.queries.nominal_substitutions(nominal));
        let concrete = |formal| match substitutions {
            Some(substitutions) => self.queries.substitute(formal, substitutions),
            None => formal,
        };
        match *layout {
            RawLayout::Fixed { size, alignment } => RawLayout::Fixed { size, alignment },
            RawLayout::Like(formal) => RawLayout::Like(self.queries.lower_formal(concrete(formal))),
            RawLayout::LikeArrayOf { element, count } => {
                RawLayout::LikeArrayOf { element: self.queries.lower_formal(concrete(element)), count: concrete(count) }
            }
        }
    }

    /// Returns a type with the memory layout of the lowered type `ty`, without parameters that `signature` binds to a
    /// class or to a concrete type; `ty` itself if there is none, or if its layout is dynamic. For a function type,
    /// this applies to each of its parts.
    pub fn erased(&self, ty: TypeId, signature: Option<SignatureId>) -> TypeId {
        let Some(signature) = signature.filter(|_| self.parameter_values() == ParameterValues::Opaque) else {
            return ty;
        };
        let ty = self.queries.unsubstituted(ty);
        if let Some(found) = self.erased.get(&(ty, signature)) {
            return found;
        }
        let erased = match self.queries.get(ty) {
            Type::Function(function) if function.signature.is_some() => ty,
            Type::Function(function) => {
                self.queries.context.ty(Type::Function(Box::new(self.erased_parts(function, signature))))
            }
            _ => {
                let erased = self.queries.with_references(self.queries.reduced_type(ty, signature), signature);
                if erased == ty || self.info(erased).is_ok() { erased } else { ty }
            }
        };
        self.erased.insert((ty, signature), erased)
    }

    /// Returns the function type with its parts [erased](Self::erased).
    pub fn erased_parts(&self, function: &FunctionType, signature: SignatureId) -> FunctionType {
        let mut erased = function.clone();
        for parameter in erased.parameters.iter_mut().chain(&mut erased.yields) {
            parameter.ty = self.erased(parameter.ty, Some(signature));
        }
        for result in erased.results.iter_mut().chain(&mut erased.error) {
            result.ty = self.erased(result.ty, Some(signature));
        }
        erased
    }

    /// Returns the payloads of the cases of an enum in declared order; `None` for a case without payload, or with an
    /// empty one.
    pub fn case_payloads(&self, ty: TypeId, signature: Option<SignatureId>) -> Generated<Vec<Option<TypeId>>> {
        let Some(declaration) = self.queries.declaration_of(ty) else { return Ok(Vec::new()) };
        let payload = |(case, number): (&EnumCase, u32)| {
            let Some(payload) = self.queries.case_payload(ty, number) else { return Ok(None) };
            let is_empty = match self.layout(self.erased(payload, signature))? {
                TypeLayout::Fixed(info) => info.size == 0,
                TypeLayout::Dynamic(_) => false,
            };
            Ok(Some(payload).filter(|_| !is_empty || enums::is_unknown_to_clients(self, declaration, case)))
        };
        declaration.cases.iter().zip(0..).map(payload).collect()
    }

    /// Returns the layout of instances of a class, if it is known at compile time.
    pub fn fixed_class_layout(&self, class: TypeId) -> Generated<Option<Arc<ClassLayout>>> {
        match self.class_layout(class) {
            Ok(layout) => Ok(Some(layout)),
            Err(_) if self.has_dynamic_fields(class) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns whether a class has stored properties, including inherited ones, of dynamic layout.
    fn has_dynamic_fields(&self, class: TypeId) -> bool {
        let mut next = Some(class);
        let mut depth = 0;
        while let Some(class) = next.filter(|_| depth < DEEPEST) {
            let stored = self.queries.stored_property_types(class).unwrap_or_default();
            if self.is_laid_out_by_others(class) || stored.iter().any(|ty| self.is_dynamic(*ty, 0)) {
                return true;
            }
            next = self.queries.superclass_of(class);
            depth += 1;
        }
        false
    }

    /// Returns whether the layout of `ty` is not known at compile time.
    fn is_dynamic(&self, ty: TypeId, depth: usize) -> bool {
        if self.parameter_values() != ParameterValues::Opaque || depth > DEEPEST {
            return false;
        }
        let any = |parts: &[TypeId]| parts.iter().any(|part| self.is_dynamic(*part, depth + 1));
        let ty = self.transparent(ty);
        match self.queries.get(ty) {
            Type::GenericParameter { .. }
            | Type::NamedParameter { .. }
            | Type::DependentMember { .. }
            | Type::PackElementArchetype { .. }
            | Type::PackExpansion { .. } => true,
            Type::OpaqueResult { .. } => self.queries.opaque_interface(ty).is_some(),
            Type::OpenedArchetype { .. } => !self.queries.properties(ty, None).is_reference(),
            Type::Tuple(elements) => any(&elements.iter().map(|element| element.ty).collect::<Vec<_>>()),
            Type::Builtin(BuiltinType::FixedArray { count, element }) => any(&[*count, *element]),
            Type::Nominal(nominal) => {
                let declaration = self.queries.declarations.get(nominal.declaration);
                match declaration.kind {
                    NominalKind::Struct | NominalKind::Enum if self.is_resilient(declaration) => true,
                    NominalKind::Struct if declaration.attributes.raw_layout.is_some() => {
                        let layout = declaration.attributes.raw_layout.as_ref();
                        match layout.map(|layout| self.substituted_raw_layout(ty, layout)) {
                            Some(RawLayout::Like(like)) => any(&[like]),
                            Some(RawLayout::LikeArrayOf { element, count }) => any(&[count, element]),
                            Some(RawLayout::Fixed { .. }) | None => false,
                        }
                    }
                    NominalKind::Struct => any(&self.queries.stored_property_types(ty).unwrap_or_default()),
                    NominalKind::Enum => {
                        let cases = 0..declaration.cases.len() as u32;
                        let payloads = cases.filter_map(|case| self.queries.case_payload(ty, case));
                        any(&payloads.collect::<Vec<_>>())
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }
}
