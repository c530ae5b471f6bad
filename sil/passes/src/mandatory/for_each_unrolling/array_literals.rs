//! Array literals: their elements, and their uses (lib/SILOptimizer/LoopTransforms/ForEachLoopUnroll.cpp, ArrayInfo;
//! lib/SILOptimizer/Analysis/ArraySemantic.cpp).

use sil_analysis::{ApplySite, Uses};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Body, Details, InstructionId, Module, Value};

/// An array of a literal that is never written to.
pub(super) struct ArrayLiteral {
    /// The stores of the elements, in order.
    pub(super) elements: Vec<InstructionId>,
    /// The calls of `forEach` on it.
    pub(super) calls: Vec<ForEachCall>,
    /// The destroys of the array and of its copies.
    pub(super) destroys: Vec<InstructionId>,
}

/// A call of `forEach`, which takes the array from memory that is only used for the call.
pub(super) struct ForEachCall {
    /// The `try_apply`.
    pub(super) call: InstructionId,
    /// The instructions that store the array to memory, and deallocate it.
    pub(super) passing: Vec<InstructionId>,
}

/// Returns the array literal that `allocation` allocates; `None` if it does not, or if the array may be written to.
pub(super) fn array_literal(
    module: &Module,
    body: &Body,
    uses: &Uses,
    allocation: InstructionId,
) -> Option<ArrayLiteral> {
    let [count] = ApplySite::new(body, allocation)?.arguments() else { return None };
    let count = usize::try_from(integer(body, *count)?).ok()?;
    let mut search = Search { module, body, uses, calls: Vec::new(), destroys: Vec::new() };
    let parts = search.only_user(body.result(allocation)?, Opcode::DestructureTuple)?;
    let parts: Vec<Value> = body.results(parts).collect();
    let [array, storage] = parts[..] else { return None };
    let elements = search.elements(storage, count)?;
    search.classify(array)?;
    let Search { calls, destroys, .. } = search;
    Some(ArrayLiteral { elements, calls, destroys })
}

/// Returns whether `call` allocates the array of a literal.
pub(super) fn allocates_array(module: &Module, body: &Body, call: InstructionId) -> bool {
    body.instructions[call].opcode == Opcode::Apply && means(module, body, call, &["array.uninitialized_intrinsic"])
}

/// Returns whether the callee has one of the semantics `texts`.
fn means(module: &Module, body: &Body, call: InstructionId, texts: &[&str]) -> bool {
    let called = ApplySite::new(body, call).and_then(ApplySite::called_function);
    let Some(function) = called.and_then(|name| module.function_named(name)) else { return false };
    module.functions[function].semantics(&module.context).any(|name| texts.contains(&name))
}

fn integer(body: &Body, value: Value) -> Option<i128> {
    match body.instructions[body.defining(value)?].details {
        Details::Integer(value) => Some(value),
        _ => None,
    }
}

/// Semantics of array functions that do not write to the array.
const READING: [&str; 7] = [
    "array.props.isNativeTypeChecked",
    "array.check_subscript",
    "array.check_index",
    "array.get_count",
    "array.get_capacity",
    "array.get_element",
    "array.end_mutation",
];

struct Search<'s> {
    module: &'s Module,
    body: &'s Body,
    uses: &'s Uses,
    calls: Vec<ForEachCall>,
    destroys: Vec<InstructionId>,
}

impl Search<'_> {
    fn opcode(&self, id: InstructionId) -> Opcode {
        self.body.instructions[id].opcode
    }

    fn users(&self, value: Value) -> impl Iterator<Item = InstructionId> {
        self.uses.of(value).iter().map(|found| found.user)
    }

    /// Returns the only user of `value` except debug values, if it is of this kind.
    fn only_user(&self, value: Value, opcode: Opcode) -> Option<InstructionId> {
        let mut users = self.users(value).filter(|user| self.opcode(*user) != Opcode::DebugValue);
        let user = users.next().filter(|user| self.opcode(*user) == opcode)?;
        users.next().is_none().then_some(user)
    }

    /// Returns the stores to the memory of an array of `count` elements, if there is one for each.
    fn elements(&self, storage: Value, count: usize) -> Option<Vec<InstructionId>> {
        let kept = self.only_user(storage, Opcode::MarkDependence)?;
        let address = self.only_user(self.body.result(kept)?, Opcode::PointerToAddress)?;
        let address = self.body.result(address)?;
        let mut stores = vec![None; count];
        for user in self.users(address) {
            let (index, store) = match self.opcode(user) {
                Opcode::Store if self.body.operands(user).get(1) == Some(&address) => (0, user),
                Opcode::IndexAddr => {
                    let index = integer(self.body, *self.body.operands(user).get(1)?)?;
                    let element = self.body.result(user)?;
                    let store = self.only_user(element, Opcode::Store)?;
                    if self.body.operands(store).get(1) != Some(&element) {
                        return None;
                    }
                    (usize::try_from(index).ok()?, store)
                }
                _ => return None,
            };
            let is_again = self.body.instructions[store].attributes.contains(Attribute::Assign);
            if is_again || stores.get_mut(index)?.replace(store).is_some() {
                return None;
            }
        }
        stores.into_iter().collect()
    }

    /// Collects the uses of an array; `None` if it may be written to.
    fn classify(&mut self, array: Value) -> Option<()> {
        use Opcode::{
            Apply, BeginBorrow, CopyValue, DebugValue, DestroyValue, EndBorrow, EndLifetime, FixLifetime, IgnoredUse,
            MarkDependence, MoveValue, StoreBorrow,
        };
        let users: Vec<InstructionId> = self.users(array).collect();
        for user in users {
            match self.opcode(user) {
                DebugValue | EndBorrow | EndLifetime | FixLifetime | IgnoredUse => {}
                MarkDependence if self.body.operands(user).first() != Some(&array) => {}
                BeginBorrow | CopyValue | MoveValue => self.classify(self.body.result(user)?)?,
                DestroyValue => self.destroys.push(user),
                StoreBorrow => self.classify_memory(user)?,
                Apply if means(self.module, self.body, user, &READING) => {}
                Apply if means(self.module, self.body, user, &["array.finalize_intrinsic"]) => {
                    self.classify(self.body.result(user)?)?;
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// Collects the uses of an array in memory, for `forEach` or to keep it alive.
    fn classify_memory(&mut self, store: InstructionId) -> Option<()> {
        let memory = self.body.operands(store).get(1).and_then(|memory| self.body.defining(*memory))?;
        if self.opcode(memory) != Opcode::AllocStack {
            return None;
        }
        let (mut passing, mut calls) = (vec![memory, store], Vec::new());
        for user in self.users(self.body.result(memory)?).filter(|user| *user != store) {
            match self.opcode(user) {
                Opcode::DeallocStack => passing.push(user),
                _ => return None,
            }
        }
        for user in self.users(self.body.result(store)?) {
            match self.opcode(user) {
                Opcode::EndBorrow => passing.push(user),
                Opcode::FixLifetime => {}
                Opcode::TryApply if means(self.module, self.body, user, &["sequence.forEach"]) => calls.push(user),
                _ => return None,
            }
        }
        match calls[..] {
            [] => {}
            [call] => self.calls.push(ForEachCall { call, passing }),
            _ => return None,
        }
        Some(())
    }
}
