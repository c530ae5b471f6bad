//! Which types are laid out as the program runs: those of generic parameters, those that other modules may change, and what is made of them.

use std::sync::Arc;

use sil::context::{Type, TypeId};
use sil::declarations::NominalKind;
use sil::types::ExistentialKind;

use super::converter::ParameterValues;
use super::{TypeConverter, TypeInfo};
use crate::refusal::Generated;

/// How values of a type lie in memory.
#[derive(Clone, Debug)]
pub enum TypeLayout {
    /// As everybody knows when the module is compiled.
    Fixed(Arc<TypeInfo>),
    /// As the metadata of this canonical type says when the program runs.
    Dynamic(TypeId),
}

/// The flag in a value witness table of values that do not stay in the buffer of an existential container.
pub const IS_NOT_INLINE: u64 = 1 << 17;

/// Types nested deeper than this in each other are not looked into.
const DEEPEST: usize = 100;

impl TypeConverter<'_> {
    /// The layout of `ty`, a lowered type.
    pub fn layout(&self, ty: TypeId) -> Generated<TypeLayout> {
        match self.info(ty) {
            Ok(info) => Ok(TypeLayout::Fixed(info)),
            Err(_) if self.is_dynamic(ty, 0) => Ok(TypeLayout::Dynamic(self.queries.canonical_type(ty))),
            Err(error) => Err(error),
        }
    }

    /// Whether the layout of `ty` is not known before the program runs.
    fn is_dynamic(&self, ty: TypeId, depth: usize) -> bool {
        if self.parameter_values() != ParameterValues::Opaque || depth > DEEPEST {
            return false;
        }
        let any = |parts: &[TypeId]| parts.iter().any(|part| self.is_dynamic(*part, depth + 1));
        match self.queries.get(self.transparent(ty)) {
            Type::GenericParameter { .. } | Type::NamedParameter { .. } | Type::DependentMember { .. } => true,
            Type::OpenedArchetype { existential, .. } => {
                self.queries.existential_kind(*existential) != ExistentialKind::Class
            }
            Type::Tuple(elements) => any(&elements.iter().map(|element| element.ty).collect::<Vec<_>>()),
            Type::Nominal(nominal) => {
                let declaration = self.queries.declarations.get(nominal.declaration);
                match declaration.kind {
                    NominalKind::Struct | NominalKind::Enum if self.is_resilient(declaration) => true,
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
