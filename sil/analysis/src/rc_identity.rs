//! RC identity: the value whose reference count another value's count is, because one is a cast of the other, or its
//! only part that is counted (docs/ARCOptimization.md, "RC Identity";
//! lib/SILOptimizer/Analysis/RCIdentityAnalysis.cpp).

use rustc_hash::FxHashSet;
use sil_ir::context::{SignatureId, Type, TypeId};
use sil_ir::instructions::Opcode;
use sil_ir::model::{BlockId, Definition, Value};
use sil_ir::types::{Copyability, TypeQueries};

use super::{BodyView, Dominators};

/// Whether a cast returns the very reference that it takes: one of a class to one of a class. `AnyObject`, and the type
/// of a type parameter, can be a box around something else; a class reference is never boxed for `AnyObject`
/// (lib/SIL/Utils/DynamicCasts.cpp, `doesCastPreserveOwnershipForTypes`).
pub fn cast_keeps_reference(view: &BodyView<'_>, from: Value, to: Value) -> bool {
    let [from, to] = [from, to].map(|value| view.body.ty(value).ty);
    cast_between_keeps_reference(view.queries, view.function.signature, from, to)
}

/// The same of a cast between values of these types.
pub(super) fn cast_between_keeps_reference(
    queries: &TypeQueries<'_>,
    signature: Option<SignatureId>,
    from: TypeId,
    to: TypeId,
) -> bool {
    let is_reference = |ty| queries.properties(ty, signature).is_reference();
    let may_bridge = queries.is_type_parameter(to) && may_be_any_object(queries, signature, to);
    is_reference(from) && is_reference(to) && !may_be_any_object(queries, signature, from) && !may_bridge
}

/// Whether a reference may be to an object of any class: that of `AnyObject`, or of a type parameter that nothing more
/// is known of.
fn may_be_any_object(queries: &TypeQueries<'_>, signature: Option<SignatureId>, ty: TypeId) -> bool {
    let constraint = match queries.get(ty) {
        Type::Existential(constraint) => *constraint,
        _ => ty,
    };
    match queries.get(constraint) {
        Type::Composition(composition) => composition.members.is_empty(),
        _ if !queries.is_type_parameter(ty) => false,
        _ => signature.is_none_or(|signature| {
            let generics = queries.generics();
            let bounds = generics.machine(signature).bounds(&generics, ty);
            bounds.protocols.is_empty() && bounds.superclass.is_none()
        }),
    }
}

/// The RC identities of a body's values.
pub struct RcIdentity<'v, 'm> {
    view: &'v BodyView<'m>,
    dominators: &'v Dominators,
}

impl<'v, 'm> RcIdentity<'v, 'm> {
    /// Answers about the body that `view` shows.
    pub fn new(view: &'v BodyView<'m>) -> Self {
        Self { view, dominators: view.dominators() }
    }

    /// The value that has the reference count of `value`.
    pub fn root(&self, value: Value) -> Value {
        let mut root = value;
        let mut seen = FxHashSet::default();
        while let Some(next) = self.without_step(root).or_else(|| self.without_phi(root, &mut seen)) {
            root = next;
        }
        root
    }

    fn is_trivial(&self, value: Value) -> bool {
        let ty = self.view.body.ty(value);
        ty.is_address() || self.view.queries.properties(ty.ty, self.view.function.signature).is_trivial()
    }

    /// Whether the end of a value may run code of its own.
    fn is_noncopyable(&self, value: Value) -> bool {
        let ty = self.view.body.ty(value).ty;
        self.view.queries.properties(ty, self.view.function.signature).copyability == Copyability::Noncopyable
    }

    /// The source of `value`, if that has its count.
    fn without_step(&self, value: Value) -> Option<Value> {
        use Opcode::*;
        let view = self.view;
        let Some((id, opcode)) = view.definition(value) else { return self.without_argument(value) };
        let operand = view.operand(id, 0);
        match opcode {
            Upcast | UncheckedRefCast | InitExistentialRef | OpenExistentialRef | RefToBridgeObject
            | BridgeObjectToRef | ConvertFunction => operand,
            UnconditionalCheckedCast => operand.filter(|from| cast_keeps_reference(view, *from, value)),
            StructExtract | TupleExtract => {
                operand.filter(|whole| !self.is_noncopyable(*whole) && self.is_only_counted_part(*whole, value))
            }
            Struct | Tuple if !self.is_noncopyable(value) => {
                let counted: Vec<Value> =
                    view.body.operands(id).iter().copied().filter(|part| !self.is_trivial(*part)).collect();
                <[Value; 1]>::try_from(counted).ok().map(|[only]| only)
            }
            UncheckedEnumData => operand.filter(|whole| !self.is_noncopyable(*whole)),
            Enum if !self.is_noncopyable(value) => operand,
            _ => None,
        }
    }

    /// Whether no other field of `whole` than `part` is counted.
    fn is_only_counted_part(&self, whole: Value, part: Value) -> bool {
        let ty = self.view.body.ty(whole).ty;
        let fields: Vec<TypeId> = match self.view.queries.get(ty) {
            Type::Tuple(elements) => elements.iter().map(|element| element.ty).collect(),
            _ => self.view.queries.field_types(ty).map_or_else(Vec::new, |fields| fields.to_vec()),
        };
        let signature = self.view.function.signature;
        let counted = fields.iter().filter(|ty| !self.view.queries.properties(**ty, signature).is_trivial());
        counted.count() == 1 && !self.is_trivial(part)
    }

    fn without_argument(&self, value: Value) -> Option<Value> {
        let view = self.view;
        if let Some([only]) = view.incoming_values(value).as_deref() {
            return Some(*only);
        }
        let Definition::Argument { block, .. } = view.body.values[value].definition else { return None };
        let terminator = view.body.terminator(view.cfg.single_predecessor(block)?)?;
        let operand = view.operand(terminator, 0);
        match view.opcode(terminator) {
            Opcode::SwitchEnum => operand.filter(|whole| !self.is_noncopyable(*whole)),
            Opcode::CheckedCastBr => operand.filter(|from| cast_keeps_reference(view, *from, value)),
            _ => None,
        }
    }

    fn without_steps(&self, value: Value) -> Value {
        let mut value = value;
        while let Some(next) = self.without_step(value) {
            value = next;
        }
        value
    }

    fn block_of(&self, value: Value) -> Option<BlockId> {
        self.view.body.defining_block(value)
    }

    /// The value whose count all values passed for a block argument have, if it is there before the block.
    fn without_phi(&self, value: Value, seen: &mut FxHashSet<Value>) -> Option<Value> {
        let incoming = self.view.incoming_values(value)?;
        let Definition::Argument { block, .. } = self.view.body.values[value].definition else { return None };
        if !seen.insert(value) || incoming.len() < 2 {
            return None;
        }
        let first = self.without_step(*incoming.first()?);
        if first.is_some() && incoming.iter().all(|value| self.without_step(*value) == first) {
            return first;
        }
        let (empty, full): (Vec<_>, Vec<_>) = self
            .view
            .cfg
            .predecessors(block)
            .iter()
            .copied()
            .zip(incoming)
            .partition(|(_, value)| self.is_case_without_payload(*value));
        let root = self.without_steps(full.first()?.1);
        let is_root = |(_, value): &(BlockId, Value)| self.without_steps(*value) == root;
        let root_block = self.block_of(root).filter(|found| *found != block)?;
        if !self.dominators.dominates(root_block, block) || !full.iter().all(is_root) {
            return None;
        }
        if empty.is_empty() {
            return Some(root);
        }
        let is_enum = !self.view.queries.declaration_of(self.view.body.ty(root).ty)?.cases.is_empty();
        let is_known = |(from, _): &(BlockId, Value)| self.has_no_payload_at(*from, root, root_block);
        (is_enum && empty.iter().all(is_known)).then_some(root)
    }

    fn is_case_without_payload(&self, value: Value) -> bool {
        self.view
            .definition(value)
            .is_some_and(|(id, opcode)| opcode == Opcode::Enum && self.view.body.operands(id).is_empty())
    }

    /// Whether a switch has shown, on the way to a block, that `root` has no payload there.
    fn has_no_payload_at(&self, block: BlockId, root: Value, root_block: BlockId) -> bool {
        if block == root_block || !self.dominators.dominates(root_block, block) {
            return false;
        }
        let mut current = Some(block);
        while let Some(block) = current.filter(|block| *block != root_block) {
            if let Some(is_empty) = self.case_on_edge_to(block, root) {
                return is_empty;
            }
            current = self.dominators.immediate_dominator(block);
        }
        false
    }

    /// Whether the case of `root` that alone leads to a block has no payload.
    fn case_on_edge_to(&self, block: BlockId, root: Value) -> Option<bool> {
        let view = self.view;
        let switch = view.body.terminator(view.cfg.single_predecessor(block)?)?;
        if view.opcode(switch) != Opcode::SwitchEnum || view.operand(switch, 0) != Some(root) {
            return None;
        }
        let case = view.case_leading_to(switch, block)?;
        Some(view.queries.case_payload(view.body.ty(root).ty, case).is_none())
    }
}
