//! Functions that copy or destroy a loaded value of an enum: one for all types that are copied alike.

use std::fmt::{Result, Write};

use inkwell::GlobalVisibility;
use inkwell::module::Linkage;
use inkwell::types::BasicMetadataTypeEnum;
use inkwell::values::{BasicValueEnum, FunctionValue};

use super::{CaseKind, EnumLayout, Strategy};
use crate::generation::{IRGenFunction, IRGenModule, signature::Signature};
use crate::types::{Bits, TypeInfo};

/// What such a function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operation {
    /// Retains what the value refers to.
    Copy,
    /// Releases it.
    Destroy,
}

/// Values of more scalars are handled where they are: a call would pass most of them through memory.
const PARAMETERS_AT_MOST: usize = 16;

impl Operation {
    fn name(self) -> &'static str {
        match self {
            Operation::Copy => "silc_outlined_copy_",
            Operation::Destroy => "silc_outlined_destroy_",
        }
    }
}

impl<'ctx> EnumLayout<'ctx> {
    /// Copies or destroys a loaded value by a call.
    pub(super) fn call_outlined(
        &self,
        f: &IRGenFunction<'_, 'ctx>,
        info: &TypeInfo<'ctx>,
        operation: Operation,
        explosion: &[BasicValueEnum<'ctx>],
    ) {
        if explosion.len() > PARAMETERS_AT_MOST {
            return self.emit_operation(f, operation, explosion);
        }
        let function = self.outlined(f.module, info, operation);
        f.builder.call(function, explosion);
    }

    fn outlined(
        &self,
        module: &IRGenModule<'_, 'ctx>,
        info: &TypeInfo<'ctx>,
        operation: Operation,
    ) -> FunctionValue<'ctx> {
        let name = format!("{}{}", operation.name(), self.structure());
        if let Some(found) = module.llvm.get_function(&name) {
            return found;
        }
        let parameters: Vec<BasicMetadataTypeEnum> = info.elements.iter().map(|element| element.ty.into()).collect();
        let ty = module.context.void_type().fn_type(&parameters, false);
        let signature = Signature::of_thunk(ty, 0, Vec::new(), Vec::new());
        let function = module.add_private_function(&name, &signature);
        function.set_linkage(Linkage::LinkOnceODR);
        function.as_global_value().set_visibility(GlobalVisibility::Hidden);
        let f = IRGenFunction::without_sil(module, function, signature);
        self.emit_operation(&f, operation, &function.get_params());
        f.builder.ret(None);
        function
    }

    fn structure(&self) -> &str {
        self.structure.get_or_init(|| {
            let mut text = String::new();
            // Writing to a string does not fail.
            let _ = self.write_structure(&mut text);
            text
        })
    }

    /// Appends what [`TypeInfo::write_structure`] says of an enum: the payload area, and each case that is not trivial
    /// with its pattern. The trivial ones are all others.
    pub(in crate::types) fn write_structure(&self, text: &mut String) -> Result {
        if let (Strategy::Singleton, Some(payload)) = (&self.strategy, self.only_payload()) {
            return payload.write_structure(text);
        }
        write!(text, "E{}_{}", self.payload_size, self.tag_bits)?;
        write_bits(text, 't', &self.payload_tag_bits)?;
        for (number, case) in self.cases.iter().enumerate() {
            match &case.payload {
                Some(payload) if case.pattern.kind == CaseKind::Payload && !payload.is_trivial() => {
                    write!(text, "c{}", case.pattern.extra_tag)?;
                    write_bits(text, 'b', &case.pattern.payload)?;
                    payload.write_structure(text)?;
                    self.write_inhabitants(text, number)?;
                }
                _ => {}
            }
        }
        text.write_char('_')
    }

    /// The other patterns of the payload area under the tag of a payload case: they are no payloads.
    fn write_inhabitants(&self, text: &mut String, case: usize) -> Result {
        let Some(group) = self.group_of(case) else { return Ok(()) };
        if group.matched.is_empty() {
            return Ok(());
        }
        write_bits(text, 'm', &group.mask)?;
        group.matched.iter().try_for_each(|other| write_bits(text, 'x', &self.cases[*other].pattern.payload))
    }
}

/// A letter and the bits in hexadecimal words, where any is set.
fn write_bits(text: &mut String, letter: char, bits: &Bits) -> Result {
    text.write_char(letter)?;
    if !bits.is_zero() {
        for word in bits.words() {
            write!(text, "{word:X}_")?;
        }
    }
    text.write_char('_')
}
