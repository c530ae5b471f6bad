//! Dynamically replaceable functions (`dynamic`, `@_dynamicReplacement`; lib/IRGen/GenDecl.cpp): each refers to the
//! first of a chain of replacements, and the runtime finds the list of replacements when the program is loaded.

use inkwell::values::PointerValue;
use sil_ir::model::{Function, FunctionAttribute, FunctionFlag, FunctionId};

use crate::generation::constants::ConstantStruct;
use crate::generation::{Entity, IRGenModule, OpaqueReplacementPart, ReplacementPart};
use crate::refusal::{Generated, unsupported_without_place};

/// The alignment of keys, in bytes.
pub(super) const KEY_ALIGNMENT: u64 = 4;

/// The name of the function that a function replaces.
fn replaced(function: &Function) -> Option<sil_ir::context::Name> {
    function.attributes.iter().find_map(|attribute| match attribute {
        FunctionAttribute::DynamicReplacementFor(name) => Some(*name),
        _ => None,
    })
}

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Declares the list of replacements, if the module has any.
    pub(in crate::generation) fn declare_replacements(&self) {
        let has_any = self.sil.functions.values().any(|function| replaced(function).is_some());
        if has_any && self.is_first_unit() {
            let mut list = ConstantStruct::new(self.pointer_size());
            list.add_integer(32, 0);
            list.add_integer(32, 1);
            list.add_relative(Entity::Replacements);
            list.add_integer(32, 0);
            self.declare_constant(Entity::AutomaticReplacements, list, self.pointer_size());
            self.declare_opaque_replacements();
        }
    }

    /// Returns the list: the number of replacements, and for each the key of the replaced function, the replacement,
    /// its link of the chain, and flags.
    pub fn replacements(&self) -> Generated<PointerValue<'ctx>> {
        if let Some(found) = self.declared_address(&Entity::Replacements) {
            return Ok(found);
        }
        let mut list = ConstantStruct::new(self.pointer_size());
        list.add_integer(32, 0);
        let count = list.add_placeholder(32);
        let mut known = 0;
        for (id, function) in self.sil.functions.iter() {
            let Some(name) = replaced(function) else { continue };
            let Some(original) = self.sil.function_named(name) else {
                let what = "a replacement of a function that the module does not have";
                return Err(Box::new(unsupported_without_place(what)));
            };
            list.add_relative(Entity::OfReplaceable(ReplacementPart::Key, original));
            list.add_relative(self.function_entity(id));
            list.add_relative(Entity::OfReplaceable(ReplacementPart::Link, id));
            list.add_integer(32, 0);
            known += 1;
        }
        for (replacement, original) in self.program.replaceable_opaque_types.replacements() {
            list.add_relative(Entity::OfOpaqueTypes(OpaqueReplacementPart::Key, *original));
            list.add_relative(Entity::OfOpaqueTypes(OpaqueReplacementPart::Accessor, *replacement));
            list.add_relative(Entity::OfOpaqueTypes(OpaqueReplacementPart::Link, *replacement));
            list.add_integer(32, 0);
            known += 1;
        }
        list.fill(count, known);
        Ok(self.declare_constant(Entity::Replacements, list, self.pointer_size()).as_pointer_value())
    }

    /// A part of the path from a function to its replacements, or back.
    pub fn replacement_part(&self, part: ReplacementPart, id: FunctionId) -> Generated<PointerValue<'ctx>> {
        let entity = Entity::OfReplaceable(part, id);
        if let Some(found) = self.declared_address(&entity) {
            return Ok(found);
        }
        let function = &self.sil.functions[id];
        let mut words = ConstantStruct::new(self.pointer_size());
        let alignment = match part {
            ReplacementPart::Link => {
                let is_first = function.has(FunctionFlag::DynamicallyReplaceable);
                words.add_optional_address(is_first.then(|| self.function_entity(id)));
                words.add_null();
                self.pointer_size()
            }
            ReplacementPart::Key => {
                words.add_relative(Entity::OfReplaceable(ReplacementPart::Link, id));
                words.add_integer(32, 0);
                KEY_ALIGNMENT
            }
            ReplacementPart::Original => {
                let signature = self.signature(function.ty)?;
                return Ok(self.declare_thunk(entity, &signature).as_global_value().as_pointer_value());
            }
        };
        Ok(self.declare_constant(entity, words, alignment).as_pointer_value())
    }

    /// Returns whether a function can be replaced at run time.
    pub(crate) fn is_replaceable(&self, function: &Function) -> bool {
        function.has(FunctionFlag::DynamicallyReplaceable)
    }
}
