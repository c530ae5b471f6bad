//! The methods and accessors that are looked up in a class and give the isolation of their base: those of expressions
//! that name a variable or a property and nothing else (`DeclRefExprAnalysis`,
//! lib/SILOptimizer/Utils/SILIsolationInfo.cpp).
//!
//! Swift asks the expression of an instruction. The text has no expressions, but the uses of the result distinguish
//! assignments, subscripts and optionals that are unwrapped from the rest.

use sil_ir::context::{MemberKind, MemberRef};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Details, InstructionId, SourcePlace, Value};
use sil_ir::symbols::{EntityKind, Symbol};

use crate::{ApplySite, BodyView, Use};

/// Whether the expression of `id`, which looks up `member`, names it and nothing else.
pub(super) fn names_member(view: &BodyView<'_>, id: InstructionId, member: &MemberRef) -> bool {
    use MemberKind::*;
    let is_assigned = matches!(member.kind, Initializer | Allocator | Setter | Modify | Modify2);
    if is_assigned || is_subscript(view, member) {
        return false;
    }
    let calls = view.body.result(id).map(|method| view.uses.of(method)).unwrap_or_default();
    let is_given = |value| is_part_of_access(view, id, value);
    !calls.iter().any(|call| view.body.results(call.user).any(is_given))
}

fn is_subscript(view: &BodyView<'_>, member: &MemberRef) -> bool {
    view.queries.context.find_name("subscript") == Some(member.name)
}

/// Whether the result of a getter is an argument of a subscript, or an optional that the same expression unwraps. An
/// object is the base of an expression of its own.
fn is_part_of_access(view: &BodyView<'_>, getter: InstructionId, given: Value) -> bool {
    let (mut open, mut seen) = (vec![given], Vec::new());
    while let Some(value) = open.pop() {
        if seen.contains(&value) || view.queries.properties(view.body.ty(value).ty, None).is_reference() {
            continue;
        }
        seen.push(value);
        for found in view.uses.of(value) {
            use Opcode::*;
            match view.opcode(found.user) {
                SwitchEnum | SwitchEnumAddr | SelectEnumAddr if place(view, found.user) == place(view, getter) => {
                    return true;
                }
                Apply | TryApply | BeginApply if asks_subscript(view, *found) => return true,
                BeginBorrow | CopyValue | StructExtract | TupleExtract | StructElementAddr | TupleElementAddr => {
                    open.extend(view.body.results(found.user));
                }
                Store | StoreBorrow if found.operand == 0 => {
                    open.extend(view.operand(found.user, 1).filter(|target| is_temporary(view, *target)));
                    open.extend(view.body.results(found.user));
                }
                _ => {}
            }
        }
    }
    false
}

/// Whether an address is that of memory that no variable stands for.
fn is_temporary(view: &BodyView<'_>, address: Value) -> bool {
    let Some((id, Opcode::AllocStack)) = view.definition(address) else { return false };
    !view.body.instructions[id].attributes.contains(Attribute::VarDecl)
}

fn place(view: &BodyView<'_>, id: InstructionId) -> Option<SourcePlace> {
    view.body.instructions[id].location.and_then(|location| location.place)
}

/// Whether the value of an operand is an argument of an accessor of a subscript.
fn asks_subscript(view: &BodyView<'_>, found: Use) -> bool {
    let Some(site) = ApplySite::new(view.body, found.user) else { return false };
    if found.operand as usize + 1 != view.body.operands(found.user).len() {
        return false;
    }
    let Some((reference, _)) = site.callee().and_then(|callee| view.definition(callee)) else { return false };
    match &view.body.instructions[reference].details {
        Details::Method(method) => is_subscript(view, view.queries.context.get_member(method.member)),
        Details::Function(name) => {
            let symbol = Symbol::demangle(view.module.context.text(*name));
            let entity = symbol.and_then(|symbol| symbol.entity());
            entity.is_some_and(|entity| matches!(entity.kind, EntityKind::SubscriptAccessor(_)))
        }
        _ => false,
    }
}
