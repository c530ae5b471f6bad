//! Whether a module is text from before the address lowering pass, as seen from what its functions take; the text itself does not say.

use super::bodies::{Owner, PendingBody};
use super::cursor::Cursor;
use super::lexer::Token;
use crate::context::ValueCategory;
use crate::model::{AddressLowering, Function, FunctionId};
use crate::source::FileId;
use crate::types::{FunctionConventions, TypeQueries};

/// How the functions with these bodies take what their types pass indirectly: as values, if one does and none takes an address.
/// The queries are about SIL with lowered addresses and with opaque values.
pub(super) fn address_lowering_of(
    bodies: &[PendingBody],
    text: &str,
    file: FileId,
    functions: &cranelift_entity::PrimaryMap<FunctionId, Function>,
    [lowered, opaque]: [&TypeQueries<'_>; 2],
) -> AddressLowering {
    let mut found = AddressLowering::Lowered;
    for body in bodies {
        let Owner::Function { id, .. } = body.owner else { continue };
        let ty = functions[id].ty;
        let Some(conventions) = lowered.conventions(ty).filter(|conventions| has_indirect(conventions)) else {
            continue;
        };
        let Some(opaque) = opaque.conventions(ty).map(argument_categories) else { continue };
        let lowered = argument_categories(conventions);
        if lowered == opaque {
            continue;
        }
        let written = entry_categories(&mut Cursor::within(text, file, body.start, body.end));
        if written == lowered {
            return AddressLowering::Lowered;
        }
        if written == opaque {
            found = AddressLowering::Opaque;
        }
    }
    found
}

fn has_indirect(conventions: &FunctionConventions<'_>) -> bool {
    conventions.arguments().any(|argument| argument.ty.is_address())
}

fn argument_categories(conventions: FunctionConventions<'_>) -> Vec<ValueCategory> {
    conventions.arguments().map(|argument| argument.ty.category).collect()
}

/// Of the arguments of the first block, whether each is an address: `bb0(%0 : $*T, %1 : @owned $T):`.
fn entry_categories(cursor: &mut Cursor<'_>) -> Vec<ValueCategory> {
    let mut categories = Vec::new();
    cursor.bump();
    if !cursor.eat(Token::LeftParen) {
        return categories;
    }
    while !cursor.at(Token::RightParen) && !cursor.at(Token::End) {
        if cursor.at(Token::LeftParen) && cursor.skip_balanced() {
            continue;
        }
        if cursor.bump() == "$" {
            categories.push(if cursor.at(Token::Star) { ValueCategory::Address } else { ValueCategory::Object });
        }
    }
    categories
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::context::Context;
    use crate::source::{SourceFile, SourceMap};

    fn lowering(text: &str) -> AddressLowering {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("lowering.sil".into(), format!("import Builtin\n{text}")));
        super::super::parse(Arc::new(Context::new()), &sources, file, &Default::default()).module.address_lowering
    }

    const TAKES_A_VALUE: &str = "sil [ossa] @f : $@convention(thin) <T> (@in T, @guaranteed @callee_guaranteed (Builtin.Int1) -> ()) -> @out T {\n\
        bb0(%0 : @owned $T, %1 : @guaranteed $@callee_guaranteed (Builtin.Int1) -> ()):\n  unreachable\n}\n";
    const TAKES_AN_ADDRESS: &str = "sil [ossa] @g : $@convention(thin) <T> (@in T) -> @out T {\n\
        bb0(%0 : $*T, %1 : $*T):\n  unreachable\n}\n";
    const TAKES_NEITHER: &str = "sil [ossa] @h : $@convention(thin) (@owned Builtin.NativeObject) -> () {\n\
        bb0(%0 : @owned $Builtin.NativeObject):\n  unreachable\n}\n";

    #[test]
    fn one_function_that_takes_a_value_tells() {
        assert_eq!(lowering(TAKES_A_VALUE), AddressLowering::Opaque);
        assert_eq!(lowering(&[TAKES_NEITHER, TAKES_A_VALUE].concat()), AddressLowering::Opaque);
    }

    #[test]
    fn one_function_that_takes_an_address_overrules() {
        assert_eq!(lowering(TAKES_NEITHER), AddressLowering::Lowered);
        assert_eq!(lowering(&[TAKES_A_VALUE, TAKES_AN_ADDRESS].concat()), AddressLowering::Lowered);
    }
}
