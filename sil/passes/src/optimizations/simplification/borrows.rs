//! Removes borrows that the owned value can replace.

use sil_analysis::{LifetimeFacts, Use, ValueDependence, escapes_into_pointer};
use sil_ir::context::SilType;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode, OperandUse};
use sil_ir::model::views::{StructExtract, TupleExtract, Unary};
use sil_ir::model::{InstructionId, Ownership, Place, Value};

use super::Simplifier;

impl Simplifier<'_> {
    pub(super) fn begin_borrow(&mut self, id: InstructionId) {
        let borrowed = Unary::of(self.editor.body(), id).operand;
        let attributes = self.editor.body().instructions[id].attributes;
        let is_lexical = attributes.contains(Attribute::Lexical);
        if self.canonicalizes() && self.remove_simple_borrow(id, borrowed) {
            return;
        }
        if !is_lexical && self.editor.ownership(borrowed) == Ownership::Owned {
            self.use_owned(id, borrowed);
        } else {
            self.remove_borrow_of_thin_function(id, borrowed);
        }
    }

    /// Replaces a borrow with the borrowed value if its uses permit that. Returns whether they do.
    fn remove_simple_borrow(&mut self, id: InstructionId, borrowed: Value) -> bool {
        let attributes = self.editor.body().instructions[id].attributes;
        let is_marked = [Attribute::Lexical, Attribute::PointerEscape, Attribute::VarDecl]
            .into_iter()
            .any(|attribute| attributes.contains(attribute));
        let is_plain = self.editor.has_ownership() && !is_marked;
        let Some(borrow) = self.editor.body().result(id).filter(|_| is_plain) else { return false };
        let kind = self.editor.ownership(borrowed);
        let uses = self.editor.uses_but_debug(borrow);
        let ownership = self.editor.operand_ownerships(&uses);
        let is_end = |found: &Use| self.editor.opcode(found.user) == Opcode::EndBorrow;
        let mut pairs = uses.iter().zip(ownership);
        if !pairs.all(|(found, ownership)| is_end(found) || !ownership.ends_lifetime() && ownership.accepts(kind)) {
            return false;
        }
        let ends: Vec<InstructionId> = uses.iter().filter(|found| is_end(found)).map(|found| found.user).collect();
        ends.into_iter().for_each(|end| self.editor.erase(end));
        self.editor.replace(id, borrowed);
        self.editor.forget_ownership();
        true
    }

    /// Returns whether a pointer to the value may be used during the borrow.
    fn escapes(&self, value: Value) -> bool {
        let view = self.editor.view();
        let dependence = ValueDependence::new(&view);
        let facts = LifetimeFacts { view: &view, dependence: &dependence };
        escapes_into_pointer(facts.uses(), &view.cfg, value)
    }

    /// Removes the borrow of a `thin_to_thick_function`, which has no ownership.
    fn remove_borrow_of_thin_function(&mut self, id: InstructionId, function: Value) {
        let Some(borrow) = self.editor.body().result(id) else { return };
        let uses = self.editor.uses(borrow);
        let is_continued = uses.iter().any(|found| self.editor.opcode(found.user) == Opcode::Br);
        if self.editor.made_by(function, Opcode::ThinToThickFunction).is_none() || is_continued {
            return;
        }
        for found in uses {
            if self.editor.opcode(found.user) != Opcode::EndBorrow {
                self.editor.set_operand(found, function);
            }
        }
        self.editor.erase_with_users(id);
    }

    /// Replaces a borrow with the owned value or a copy of it.
    fn use_owned(&mut self, id: InstructionId, owned: Value) {
        let Some(borrow) = self.editor.body().result(id) else { return };
        let forwarded = self.forwarded(borrow);
        let used_as = self.editor.operand_ownerships(&self.uses_in_scope(forwarded));
        if !used_as.into_iter().all(|ownership| ownership.accepts(Ownership::Owned)) {
            return;
        }
        let copy = self.copied_at_once(forwarded, id);
        // The check of all transitive uses is expensive, so it comes last.
        if copy.is_none() && !self.is_destroyed_after(owned, id) || self.escapes(owned) {
            return;
        }
        if let Some(copy) = copy {
            let copied = self.editor.build(Place::Before(id), id, |builder| builder.copy_value(owned));
            let forwarded = self.convert(borrow, copied);
            self.editor.replace(copy, forwarded);
            self.editor.erase_with_users(id);
        } else {
            let destroys: Vec<Use> = self.destroys_of(owned);
            let forwarded = self.convert(borrow, owned);
            destroys.into_iter().for_each(|found| self.editor.set_operand(found, forwarded));
            self.editor.erase_with_users(id);
        }
        self.editor.forget_ownership();
    }

    /// Replaces a `load_borrow` that is copied with a `load [copy]`.
    pub(super) fn load_borrow(&mut self, id: InstructionId) {
        let Some(borrow) = self.editor.body().result(id) else { return };
        let is_scope = |found: &Use| matches!(self.editor.opcode(found.user), Opcode::EndBorrow | Opcode::DebugValue);
        if self.editor.uses(borrow).iter().all(is_scope) {
            self.editor.erase_with_users(id);
            return;
        }
        let forwarded = self.forwarded(borrow);
        let Some(copy) = self.copied_at_once(forwarded, id) else { return };
        let address = Unary::of(self.editor.body(), id).operand;
        let mut attributes = AttributeSet::default();
        attributes.insert(Attribute::Copy);
        let loaded = self.editor.build(Place::Before(id), id, |builder| builder.with(attributes).load(address));
        let forwarded = self.convert(borrow, loaded);
        self.editor.replace(copy, forwarded);
        self.editor.erase_with_users(id);
        self.editor.forget_ownership();
    }

    fn uses_in_scope(&self, value: Value) -> Vec<Use> {
        let uses = self.editor.uses(value).into_iter();
        uses.filter(|found| self.editor.opcode(found.user) != Opcode::EndBorrow).collect()
    }

    /// The last value that `value` is forwarded to within its block, each time as the only use.
    fn forwarded(&self, value: Value) -> Value {
        let mut last = value;
        while let [only] = self.uses_in_scope(last)[..]
            && let Some(next) = self.forwards_alone(only, last)
        {
            last = next;
        }
        last
    }

    /// The result of an instruction in the same block that forwards only `value`, and could also forward an owned
    /// value.
    fn forwards_alone(&self, found: Use, value: Value) -> Option<Value> {
        let body = self.editor.body();
        let block = match body.defining(value) {
            Some(id) => body.instructions[id].block,
            None => body.entry(),
        };
        let result = body.result(found.user).filter(|_| body.instructions[found.user].block == block)?;
        let opcode = self.editor.opcode(found.user);
        let whole: SilType = body.ty(value);
        let converts = match opcode {
            Opcode::StructExtract => {
                let index = self.stored_index(StructExtract::of(body, found.user).field)?;
                let fields = self.editor.environment.queries.field_types(whole.ty)?;
                let fields = fields.iter().map(|field| SilType::object(*field)).collect::<Vec<_>>();
                self.is_copyable(whole.ty) && self.is_only_nontrivial(&fields, index)
            }
            Opcode::TupleExtract => {
                let index = TupleExtract::of(body, found.user).index as usize;
                let elements = self.editor.environment.queries.tuple_element_types(whole.ty)?;
                let elements = elements.iter().map(|element| SilType::object(*element)).collect::<Vec<_>>();
                self.is_only_nontrivial(&elements, index)
            }
            Opcode::Struct | Opcode::Tuple => {
                let parts: Vec<SilType> = body.operands(found.user).iter().map(|part| body.ty(*part)).collect();
                self.is_only_nontrivial(&parts, found.operand as usize)
            }
            opcode => {
                found.operand == 0 && opcode.information().operand_use(0) == OperandUse::Forward && opcode != Opcode::Br
            }
        };
        converts.then_some(result)
    }

    fn is_only_nontrivial(&self, types: &[SilType], index: usize) -> bool {
        types.iter().enumerate().all(|(at, ty)| self.editor.is_trivial(*ty) != (at == index))
    }

    /// The copy that is the only use of a value, in the block of `id`.
    fn copied_at_once(&self, value: Value, id: InstructionId) -> Option<InstructionId> {
        let [only] = self.uses_in_scope(value)[..] else { return None };
        let body = self.editor.body();
        let is_here = body.instructions[only.user].block == body.instructions[id].block;
        (is_here && self.editor.opcode(only.user) == Opcode::CopyValue).then_some(only.user)
    }

    fn destroys_of(&self, value: Value) -> Vec<Use> {
        let uses = self.editor.uses(value).into_iter();
        uses.filter(|found| self.editor.opcode(found.user) == Opcode::DestroyValue).collect()
    }

    /// Returns whether the only uses of a value are the borrow `id` and destroys after it.
    fn is_destroyed_after(&self, value: Value, id: InstructionId) -> bool {
        let body = self.editor.body();
        let block = |id: InstructionId| body.instructions[id].block;
        let others: Vec<Use> = self.editor.uses(value);
        let mut others = others.iter().filter(|found| self.editor.opcode(found.user) != Opcode::DestroyValue);
        let is_alone = others.next().is_some_and(|found| found.user == id) && others.next().is_none();
        let defined = match body.values[value].definition {
            sil_ir::model::Definition::Result { instruction, .. } => block(instruction),
            sil_ir::model::Definition::Argument { block, .. } => block,
            sil_ir::model::Definition::Undef => return false,
        };
        is_alone && (defined == block(id) || self.destroys_of(value).iter().all(|found| block(found.user) == block(id)))
    }

    /// Replaces the uses of the guaranteed `value` with `owned`. Returns the value that it is finally forwarded to.
    fn convert(&mut self, value: Value, owned: Value) -> Value {
        let mut result = owned;
        for found in self.uses_in_scope(value) {
            let id = found.user;
            let body = self.editor.body();
            let Some(next) = self.forwards_alone(found, value) else {
                self.editor.set_operand(found, owned);
                continue;
            };
            let (is_tuple, types, index) = match self.editor.opcode(id) {
                Opcode::StructExtract => {
                    let fields = self.editor.environment.queries.field_types(body.ty(value).ty);
                    let index = self.stored_index(StructExtract::of(body, id).field).unwrap_or_default();
                    (false, fields.map_or(Vec::new(), |fields| fields.to_vec()), index)
                }
                Opcode::TupleExtract => {
                    let elements = self.editor.environment.queries.tuple_element_types(body.ty(value).ty);
                    let index = TupleExtract::of(body, id).index as usize;
                    (true, elements.unwrap_or_default(), index)
                }
                _ => {
                    self.editor.set_operand(found, owned);
                    self.editor.forward_owned(id);
                    result = self.convert(next, next);
                    continue;
                }
            };
            let types: Vec<SilType> = types.into_iter().map(SilType::object).collect();
            let parts = self.editor.build(Place::Before(id), id, |builder| match is_tuple {
                true => builder.destructure_tuple(owned, &types),
                false => builder.destructure_struct(owned, &types),
            });
            result = self.convert(next, parts[index]);
            self.editor.erase(id);
        }
        result
    }
}
