//! Enums. Enums without payloads are C enumerations. Enums with payloads are structures with a `tag`, and the payload
//! of the case with that tag (`DW_TAG_variant_part`), as in Rust's debug information; gdb prints `{tag = some, some =
//! 42}`. An optional reference or pointer is a nullable one. If no single range of bits discriminates the cases, all
//! payloads are described as overlapping members.

use sil_ir::context::TypeId;

use super::TypeDescriber;
use crate::layout::enums::{Content, Discrimination, EnumLayout};
use crate::layout::{Scalar, TypeInfo, TypeKind};
use crate::llvm::debug_types::{self, DebugType, Member, Shape, Variant};

/// The name of the member that discriminates the cases.
const TAG: &str = "tag";

/// The name of the member that discriminates the cases without payload that share a tag.
const CASE: &str = "case";

/// The name of the tag shared by the cases without payload.
const WITHOUT_PAYLOAD: &str = "empty";

impl<'ctx> TypeDescriber<'_, '_, 'ctx> {
    pub(super) fn enumeration(&self, ty: TypeId, info: &TypeInfo) -> Option<DebugType<'ctx>> {
        let TypeKind::Enum(layout) = &info.kind else { return None };
        let names = self.case_names(ty);
        if let Some(values) = layout.plain_values() {
            let values: Vec<(&str, u64)> = names.iter().map(String::as_str).zip(values).collect();
            return Some(self.named_values(&self.name(ty), info.size * 8, &values));
        }
        match layout.discrimination() {
            Some(discrimination) if is_nullable_pointer(layout, info, &discrimination) => {
                let pointer =
                    self.types.queries.case_payload(ty, discrimination.otherwise()?).and_then(|ty| self.ty(ty))?;
                Some(self.named(&self.name(ty), pointer))
            }
            Some(discrimination) => self.variants(ty, info, layout, &names, &discrimination),
            None => self.overlaid(ty, info, layout, &names),
        }
    }

    fn case_names(&self, ty: TypeId) -> Vec<String> {
        let queries = self.types.queries;
        let declaration = queries.declaration_of(ty);
        declaration.map_or_else(Vec::new, |found| {
            found.cases.iter().map(|case| queries.context.text(case.name).to_owned()).collect()
        })
    }

    fn named_values(&self, name: &str, bits: u64, values: &[(&str, u64)]) -> DebugType<'ctx> {
        debug_types::enumeration(&self.debug.builder, self.debug.unit_scope(), (name, bits), values)
    }

    /// Returns the payload of a case as a member, if it is not empty.
    fn payload<'n>(
        &self,
        ty: TypeId,
        layout: &EnumLayout,
        names: &'n [String],
        case: usize,
    ) -> Option<Member<'n, 'ctx>> {
        let bits = layout.payload_bits(case)?;
        let described = self.ty(self.types.queries.case_payload(ty, case as u32)?)?;
        Some(Member { name: names.get(case)?, ty: described, bits })
    }

    fn variants(
        &self,
        ty: TypeId,
        info: &TypeInfo,
        layout: &EnumLayout,
        names: &[String],
        discrimination: &Discrimination,
    ) -> Option<DebugType<'ctx>> {
        let name = self.name(ty);
        let variant = |content: &Content| match content {
            Content::Case(case) => self.payload(ty, layout, names, *case),
            Content::Empty { bits, cases } => {
                let values: Vec<(&str, u64)> = cases.iter().map(|(case, value)| (&*names[*case], *value)).collect();
                let ty = self.named_values(&format!("{name}.{CASE}"), bits.width.next_multiple_of(8), &values);
                Some(Member { name: CASE, ty, bits: *bits })
            }
        };
        let variants: Vec<Variant> = discrimination
            .alternatives
            .iter()
            .filter_map(|choice| Some(Variant { member: variant(&choice.content)?, value: choice.value }))
            .collect();
        let structure = self.open(Shape::Structure, &name, info)?;
        let tag = self.tag(&name, names, discrimination);
        structure.fill_with_variants(&self.debug.builder, &tag, &variants);
        Some(structure.ty())
    }

    /// Returns the tag. Its values have the names of the cases; a value shared by several cases without payload has one
    /// name for all of them.
    fn tag(&self, name: &str, names: &[String], discrimination: &Discrimination) -> Member<'static, 'ctx> {
        let bits = discrimination.bits;
        let width = if bits.is_loadable() { bits.width } else { bits.width.next_power_of_two().max(8) };
        let named = discrimination.alternatives.iter().filter_map(|choice| match &choice.content {
            Content::Case(case) => Some((names.get(*case)?.as_str(), choice.value?)),
            Content::Empty { .. } => Some((WITHOUT_PAYLOAD, choice.value?)),
        });
        let values: Vec<(&str, u64)> = named.collect();
        Member { name: TAG, ty: self.named_values(&format!("{name}.{TAG}"), width, &values), bits }
    }

    fn overlaid(&self, ty: TypeId, info: &TypeInfo, layout: &EnumLayout, names: &[String]) -> Option<DebugType<'ctx>> {
        let members: Vec<Member> =
            (0..layout.cases.len()).filter_map(|case| self.payload(ty, layout, names, case)).collect();
        let structure = self.open(Shape::Union, &self.name(ty), info)?;
        structure.fill(&self.debug.builder, &members);
        Some(structure.ty())
    }
}

/// Returns whether the enum is a pointer that is null for its other case.
fn is_nullable_pointer(layout: &EnumLayout, info: &TypeInfo, discrimination: &Discrimination) -> bool {
    let [null, _] = discrimination.alternatives.as_slice() else { return false };
    let is_pointer = matches!(info.elements.as_slice(), [only] if only.scalar == Scalar::Pointer);
    let payload = discrimination.otherwise().and_then(|case| layout.cases[case as usize].payload.as_ref());
    is_pointer && null.value == Some(0) && payload.is_some_and(|payload| payload.size == info.size)
}
