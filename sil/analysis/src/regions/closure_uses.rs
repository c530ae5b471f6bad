//! How a closure uses its captures (`findClosureUse`, lib/SILOptimizer/Mandatory/SendNonSendable.cpp).

use rustc_hash::FxHashSet;
use sil_ir::context::Name;
use sil_ir::instructions::Opcode;
use sil_ir::model::{ArgumentFlag, Details, InstructionId, Value};
use sil_ir::symbols::{EntityKind, Symbol};

use super::actors::is_accessor;
use super::crossings::crossing_of;
use crate::variable_names::{is_incidental, is_variable};
use crate::{ApplySite, BodyView, Use, Worklist};

/// A use in a closure, and the captured value.
#[derive(Clone, Debug)]
pub struct ClosureUse {
    /// The function of the closure.
    pub function: Name,
    /// The use.
    pub found: Use,
    /// The argument of the closure that is captured.
    pub argument: Value,
}

/// The use for a message about the value that a call or a closure takes by `operand`: the first one, also in closures
/// within.
pub fn closure_use(view: &BodyView<'_>, operand: Use) -> Option<ClosureUse> {
    find_use(view, operand, &mut FxHashSet::default())
}

/// The call of a closure with the capture of `operand` or with properties of it, also through temporaries: the call to
/// another actor if there is one, else the first that is found.
pub fn called_with_capture<T>(
    view: &BodyView<'_>,
    operand: Use,
    run: impl FnOnce(&BodyView<'_>, InstructionId) -> T,
) -> Option<T> {
    let (inner, argument) = callee_argument(view, operand.user, operand)?;
    let mut open = Worklist::new([argument]);
    let mut called: Vec<InstructionId> = Vec::new();
    while let Some(value) = open.pop() {
        for used in inner.uses.of(value) {
            match inner.opcode(used.user) {
                Opcode::Apply | Opcode::TryApply | Opcode::BeginApply if !calls_accessor(&inner, used.user) => {
                    called.push(used.user);
                }
                Opcode::Store | Opcode::StoreBorrow | Opcode::CopyAddr if used.operand == 0 => {
                    open.extend(inner.body.operands(used.user).get(1));
                    open.extend(inner.body.results(used.user));
                }
                _ => open.extend(inner.body.results(used.user)),
            }
        }
    }
    let crosses = |call: &&InstructionId| crossing_of(&inner, **call).is_some();
    let call = called.iter().find(crosses).or(called.first())?;
    Some(run(&inner, *call))
}

fn calls_accessor(view: &BodyView<'_>, id: InstructionId) -> bool {
    let callee = ApplySite::new(view.body, id).and_then(ApplySite::callee);
    let Some((reference, _)) = callee.and_then(|callee| view.definition(callee)) else { return false };
    match &view.body.instructions[reference].details {
        Details::Method(method) => is_accessor(view.queries.context.get_member(method.member)),
        Details::Function(name) => {
            let symbol = Symbol::demangle(view.module.context.text(*name));
            let entity = symbol.and_then(|symbol| symbol.entity());
            entity.is_some_and(|entity| matches!(entity.kind, EntityKind::PropertyAccessor(_)))
        }
        _ => false,
    }
}

/// The search in one function; `known` has the arguments of functions that were looked at.
fn find_use(view: &BodyView<'_>, operand: Use, known: &mut FxHashSet<(Name, Value)>) -> Option<ClosureUse> {
    let (inner, argument) = callee_argument(view, operand.user, operand)?;
    if !known.insert((inner.function.name, argument)) {
        return None;
    }
    // After a use with further uses, those come before the next one.
    let mut open: Vec<Use> = inner.uses.of(argument).iter().rev().copied().collect();
    let mut seen: FxHashSet<Use> = open.iter().copied().collect();
    while let Some(found) = open.pop() {
        let opcode = inner.opcode(found.user);
        if is_incidental(opcode) && opcode != Opcode::IgnoredUse {
            continue;
        }
        if passes_on(&inner, found.user) {
            let results = inner.body.results(found.user).flat_map(|result| inner.uses.of(result).iter().rev().copied());
            open.extend(results.filter(|found| seen.insert(*found)));
            continue;
        }
        if !takes_over(&inner, found) {
            return Some(ClosureUse { function: inner.function.name, found, argument });
        }
        if let Some(within) = find_use(&inner, found, known) {
            return Some(within);
        }
    }
    None
}

/// Whether the uses of an argument of a call or a closure are those of its function: of closures, and of functions that
/// are called at once.
fn takes_over(view: &BodyView<'_>, found: Use) -> bool {
    let Some((inner, argument)) = callee_argument(view, found.user, found) else { return false };
    view.opcode(found.user) == Opcode::PartialApply
        || inner.body.values[argument].flags.contains(ArgumentFlag::ClosureCapture)
}

fn passes_on(view: &BodyView<'_>, id: InstructionId) -> bool {
    use Opcode::*;
    match view.opcode(id) {
        CopyValue
        | BeginBorrow
        | ProjectBox
        | BeginAccess
        | CopyableToMoveonlywrapper
        | MoveonlywrapperToCopyable
        | CopyableToMoveonlywrapperAddr
        | MoveonlywrapperToCopyableAddr
        | MoveonlywrapperToCopyableBox => true,
        MoveValue => !is_variable(view, id),
        _ => false,
    }
}

/// The function that an apply site applies, and its argument that an operand becomes.
fn callee_argument<'m>(view: &BodyView<'m>, id: InstructionId, operand: Use) -> Option<(BodyView<'m>, Value)> {
    let site = ApplySite::new(view.body, id)?;
    let (reference, Opcode::FunctionRef) = view.definition(site.callee()?)? else { return None };
    let Details::Function(name) = view.body.instructions[reference].details else { return None };
    let function = &view.module.functions[view.module.function_named(name)?];
    let body = function.body.as_ref()?;
    let numbering = site.numbering(site.conventions(view.queries)?);
    let index = numbering.sil_argument_of_operand(operand.operand as usize)?;
    let argument = *body.blocks[body.entry()].arguments.get(index)?;
    Some((BodyView::new(view.module, view.queries, function, body), argument))
}
