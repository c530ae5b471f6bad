//! Infers whether a module was printed before the address lowering pass. The text does not state it: the argument types
//! of functions imply it, or else their applies and the existentials they make.

use sil_analysis::ApplySite;
use sil_ir::context::ValueCategory;
use sil_ir::instructions::Opcode;
use sil_ir::model::{AddressLowering, Body, Function, FunctionId, InstructionId};
use sil_ir::source::FileId;
use sil_ir::types::{FunctionConventions, TypeQueries};

use super::bodies::{Owner, PendingBody};
use super::cursor::Cursor;
use super::lexer::Token;

/// Returns how the functions with these bodies take arguments that their types pass indirectly: as values if at least
/// one does and none takes an address. `None` if no function has such an argument. The queries are for SIL with lowered
/// addresses and for SIL with opaque values.
pub(super) fn address_lowering_of(
    bodies: &[PendingBody],
    text: &str,
    file: FileId,
    functions: &cranelift_entity::PrimaryMap<FunctionId, Function>,
    [lowered, opaque]: [&TypeQueries<'_>; 2],
) -> Option<AddressLowering> {
    let mut found = None;
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
            return Some(AddressLowering::Lowered);
        }
        if written == opaque {
            found = Some(AddressLowering::Opaque);
        }
    }
    found
}

/// Returns whether bodies that were read with lowered addresses apply functions or make existentials with opaque
/// values. All instructions that imply a form must agree.
pub(super) fn use_values<'b>(bodies: impl Iterator<Item = &'b Body>, lowered: &TypeQueries<'_>) -> bool {
    let mut is_any = false;
    for body in bodies {
        for id in body.placed_instructions() {
            match lowering_of_instruction(body, id, lowered) {
                Some(AddressLowering::Lowered) => return false,
                Some(AddressLowering::Opaque) => is_any = true,
                None => {}
            }
        }
    }
    is_any
}

/// Returns the form of address lowering that an instruction implies, if any.
fn lowering_of_instruction(body: &Body, id: InstructionId, lowered: &TypeQueries<'_>) -> Option<AddressLowering> {
    use Opcode::{InitExistentialAddr, InitExistentialValue, OpenExistentialBoxValue, OpenExistentialValue};
    match body.instructions[id].opcode {
        InitExistentialValue | OpenExistentialValue | OpenExistentialBoxValue => return Some(AddressLowering::Opaque),
        InitExistentialAddr => return Some(AddressLowering::Lowered),
        _ => {}
    }
    let site = ApplySite::new(body, id)?;
    let conventions = site.conventions(lowered)?;
    let (passed, results) = (site.arguments(), conventions.indirect_results().count());
    if site.kind.is_full() && results > 0 {
        let missing = conventions.argument_count().checked_sub(passed.len())?;
        return Some(if missing == results { AddressLowering::Opaque } else { AddressLowering::Lowered });
    }
    let first = conventions.argument_count().checked_sub(passed.len())?;
    let mut indirect = conventions.arguments().skip(first).zip(passed).filter(|(argument, value)| {
        argument.convention.is_indirect_in()
            && argument.ty.is_address()
            && lowered.get(body.ty(**value).ty) == lowered.get(argument.ty.ty)
    });
    let (_, value) = indirect.next()?;
    Some(if body.ty(*value).is_address() { AddressLowering::Lowered } else { AddressLowering::Opaque })
}

fn has_indirect(conventions: &FunctionConventions<'_>) -> bool {
    conventions.arguments().any(|argument| argument.ty.is_address())
}

fn argument_categories(conventions: FunctionConventions<'_>) -> Vec<ValueCategory> {
    conventions.arguments().map(|argument| argument.ty.category).collect()
}

/// Returns the categories of the arguments of the first block, address or object: `bb0(%0 : $*T, %1 : @owned $T):`.
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
    use sil_ir::context::Context;
    use sil_ir::source::{SourceFile, SourceMap};

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

    fn calling(calls: &str) -> String {
        format!(
            "sil_stage raw\nsil [ossa] @c : $@convention(thin) () -> Builtin.Int1 {{\nbb0:\n  \
             %0 = function_ref @g : $@convention(thin) <T> (Builtin.Int1) -> @out T\n  {calls}  unreachable\n}}\n"
        )
    }

    #[test]
    fn calls_tell_where_no_function_takes_anything_indirectly() {
        let ty = "$@convention(thin) <T> (Builtin.Int1) -> @out T";
        let values = format!("%1 = apply %0<Builtin.Int1>(undef) : {ty}\n");
        assert_eq!(lowering(&calling(&values)), AddressLowering::Opaque);
        let addresses = format!("%1 = alloc_stack $Builtin.Int1\n  %2 = apply %0<Builtin.Int1>(%1, undef) : {ty}\n");
        assert_eq!(lowering(&calling(&addresses)), AddressLowering::Lowered);
        let existential =
            "%1 = integer_literal $Builtin.Int1, 0\n  %2 = init_existential_value %1, $Builtin.Int1, $Any\n";
        assert_eq!(lowering(&calling(existential)), AddressLowering::Opaque);
    }

    #[test]
    fn one_function_that_takes_an_address_overrules() {
        assert_eq!(lowering(TAKES_NEITHER), AddressLowering::Lowered);
        assert_eq!(lowering(&[TAKES_A_VALUE, TAKES_AN_ADDRESS].concat()), AddressLowering::Lowered);
    }
}
