//! Values of opaque existential containers (docs/ABI/TypeLayout.rst, "Opaque Existential Containers"): a value is
//! stored in the buffer, or in a box that the buffer refers to.

use inkwell::values::PointerValue;

use super::MemoryOperation;
use super::opaque::ValueWitness;
use crate::generation::{Helper, IRGenFunction};
use crate::layout::{Field, TypeInfo};

/// The index of the field with the metadata.
const METADATA: usize = 1;

/// The number of fields before the witness tables.
pub const BEFORE_TABLES: usize = 2;

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// The metadata of the value in a container with these fields.
    pub fn existential_metadata(&self, fields: &[Field], container: PointerValue<'ctx>) -> PointerValue<'ctx> {
        self.load_existential_word(fields, METADATA, container)
    }

    /// The witness tables in a container with these fields.
    pub fn existential_tables(&self, fields: &[Field], container: PointerValue<'ctx>) -> Vec<PointerValue<'ctx>> {
        (BEFORE_TABLES..fields.len()).map(|number| self.load_existential_word(fields, number, container)).collect()
    }

    /// Returns the address of the value in a container.
    pub fn project_existential_value(
        &self,
        container: PointerValue<'ctx>,
        metadata: PointerValue<'ctx>,
        tables: usize,
    ) -> PointerValue<'ctx> {
        let helper = self.module.helper(Helper::ProjectExistential(tables));
        let call = self.builder.call(helper, &[container.into(), metadata.into()]);
        call.try_as_basic_value().basic().map_or(container, |value| value.into_pointer_value())
    }

    fn load_existential_word(
        &self,
        fields: &[Field],
        number: usize,
        container: PointerValue<'ctx>,
    ) -> PointerValue<'ctx> {
        let place = self.builder.offset(container, fields[number].offset);
        self.builder.load(self.builder.ptr_type().into(), place, self.module.pointer_size()).into_pointer_value()
    }

    /// Sets the type of the value of a container with these fields.
    pub fn store_existential_type(
        &self,
        fields: &[Field],
        container: PointerValue<'ctx>,
        metadata: PointerValue<'ctx>,
        tables: &[PointerValue<'ctx>],
    ) {
        for (field, word) in fields[METADATA..].iter().zip([&metadata].into_iter().chain(tables)) {
            let place = self.builder.offset(container, field.offset);
            self.builder.store(*word, place, self.module.pointer_size());
        }
    }

    pub(super) fn operate_on_existential(&self, operation: MemoryOperation<'ctx>, info: &TypeInfo, fields: &[Field]) {
        match operation {
            MemoryOperation::Destroy(address) => {
                let helper = self.module.helper(Helper::DestroyExistential(fields.len() - BEFORE_TABLES));
                self.builder.call(helper, &[address.into()]);
            }
            // A value that is not bitwise takable is in a box.
            MemoryOperation::Take { to, from } => self.move_bits(info, to, from),
            MemoryOperation::Copy { to, from } => {
                let metadata = self.existential_metadata(fields, from);
                self.store_existential_type(fields, to, metadata, &self.existential_tables(fields, from));
                self.call_value_witness(ValueWitness::InitializeBufferWithCopyOfBuffer, &[to, from], metadata);
            }
        }
    }
}
