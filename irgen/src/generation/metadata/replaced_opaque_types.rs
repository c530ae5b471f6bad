//! Opaque types that are replaced while the program runs, together with the functions that return them
//! (lib/IRGen/GenDecl.cpp, `emitOpaqueTypeDescriptorAccessor`): code asks an accessor for the descriptor, and the
//! runtime finds the list of replaced descriptors for names of types.
//!
//! Optimised code asks the accessor too, where Swift's takes the descriptor of the replaced function: values of the
//! replacement have the layout of its own types.
//!
//! Does not own: the list of replaced functions, in which accessors are as well (`replacements.rs`).

use inkwell::types::FunctionType;
use inkwell::values::PointerValue;
use sil_ir::context::Name;
use sil_ir::types::OpaqueReplacement;

use super::replacements::KEY_ALIGNMENT;
use crate::generation::constants::ConstantStruct;
use crate::generation::signature::Signature;
use crate::generation::{Entity, IRGenFunction, IRGenModule, OpaqueReplacementPart};
use crate::refusal::Generated;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Declares the list of the opaque types that replace others, if the module has any.
    pub(super) fn declare_opaque_replacements(&self) {
        let replacements = self.program.replaceable_opaque_types.replacements();
        if replacements.is_empty() {
            return;
        }
        let mut list = ConstantStruct::new(self.pointer_size());
        list.add_integer(32, 0);
        list.add_integer(32, replacements.len() as u64);
        for (replacement, original) in replacements {
            list.add_relative(Entity::OpaqueDescriptor(*original));
            list.add_relative(Entity::OpaqueDescriptor(*replacement));
        }
        self.declare_constant(Entity::OpaqueReplacements, list, self.pointer_size());
    }

    /// Declares the parts by which other modules replace the opaque types of the declaration with `symbol`, or ask for
    /// them.
    pub(super) fn declare_opaque_accessors(&self, symbol: Name) -> Generated<()> {
        let Some(part) = self.program.replaceable_opaque_types.part(symbol) else { return Ok(()) };
        self.opaque_replacement_part(OpaqueReplacementPart::Accessor, symbol)?;
        if part == OpaqueReplacement::Replaceable {
            self.opaque_replacement_part(OpaqueReplacementPart::Key, symbol)?;
        }
        Ok(())
    }

    /// A part of the path from the opaque types of the declaration with `symbol` to their replacements.
    pub fn opaque_replacement_part(&self, part: OpaqueReplacementPart, symbol: Name) -> Generated<PointerValue<'ctx>> {
        use OpaqueReplacementPart::{Accessor, Implementation, Key, Link};
        let entity = Entity::OfOpaqueTypes(part, symbol);
        if let Some(found) = self.declared_address(&entity) {
            return Ok(found);
        }
        self.require_symbol(&entity)?;
        let mut words = ConstantStruct::new(self.pointer_size());
        let alignment = match part {
            Accessor | Implementation => {
                let ty = self.opaque_accessor_type();
                let signature = Signature::of_thunk(self.context, ty, self.swift_convention(), Vec::new(), &[]);
                return Ok(self.declare_thunk(entity, &signature).as_global_value().as_pointer_value());
            }
            Key | Link if !self.declares(&entity) => {
                let first = self.context.i32_type();
                return Ok(self.declare_variable(entity, first, KEY_ALIGNMENT).as_pointer_value());
            }
            Link => {
                let is_first = self.are_replaceable(symbol);
                words.add_optional_address(is_first.then_some(Entity::OfOpaqueTypes(Implementation, symbol)));
                words.add_null();
                self.pointer_size()
            }
            Key => {
                words.add_relative(Entity::OfOpaqueTypes(Link, symbol));
                words.add_integer(32, 0);
                KEY_ALIGNMENT
            }
        };
        Ok(self.declare_constant(entity, words, alignment).as_pointer_value())
    }

    fn opaque_accessor_type(&self) -> FunctionType<'ctx> {
        self.builder.ptr_type().fn_type(&[], false)
    }

    /// Whether others may replace the opaque types of the declaration with `symbol`.
    pub(crate) fn are_replaceable(&self, symbol: Name) -> bool {
        self.program.replaceable_opaque_types.part(symbol) == Some(OpaqueReplacement::Replaceable)
    }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// The descriptor of the opaque types of the declaration with `symbol`, or of those that replace them now.
    pub(super) fn current_opaque_descriptor(&self, symbol: Name) -> Generated<PointerValue<'ctx>> {
        if self.module.program.replaceable_opaque_types.part(symbol).is_none() {
            return self.module.opaque_descriptor(symbol);
        }
        let accessor = self.module.opaque_replacement_part(OpaqueReplacementPart::Accessor, symbol)?;
        Ok(self.call_opaque_accessor(accessor))
    }

    /// The descriptor that the accessor at the address `accessor` gives.
    pub(crate) fn call_opaque_accessor(&self, accessor: PointerValue<'ctx>) -> PointerValue<'ctx> {
        let call = self.builder.call_indirect(self.module.opaque_accessor_type(), accessor, &[]);
        call.set_call_convention(self.module.swift_convention());
        match call.try_as_basic_value().basic() {
            Some(descriptor) => descriptor.into_pointer_value(),
            None => self.builder.null(),
        }
    }
}
