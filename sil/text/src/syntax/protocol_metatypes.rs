//! Infers the meaning of `P.Type` for a protocol `P`: the metatype of any type that conforms, or that of `any P`
//! itself. SIL of before Swift 5.7 means the former, and later compilers write that as `any P.Type`. Their code for
//! thunks of distributed methods names the protocol `Error` without `any`, as the type of errors
//! (lib/Sema/CodeSynthesisDistributedActor.cpp, `recordErrorType`), and modules with that code mean the latter.

use sil_ir::declarations::ProtocolMetatypes;

use super::code::{Code, Mark};

/// The type of errors as a value. The result of this instruction is never the metatype of any conforming type.
const TYPE_OF_ERRORS: Mark = Mark { before: &["=", "metatype", "$", "@thick"], word: "Error", after: &[".", "Type"] };

/// Returns the meaning in a module.
pub(super) fn protocol_metatypes_of(code: &Code) -> ProtocolMetatypes {
    match code.has(TYPE_OF_ERRORS) {
        true => ProtocolMetatypes::OfExistentials,
        false => ProtocolMetatypes::OfConformingTypes,
    }
}
