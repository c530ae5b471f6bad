//! Simplifies loads with known or dead results, and `fix_lifetime`.

use sil_analysis::Use;
use sil_ir::context::{BuiltinType, SilType, Type};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{IndexAddr, StructExtract, Unary};
use sil_ir::model::{Details, InstructionId, Ownership, Place, StringEncoding, Value};

use super::Simplifier;

impl Simplifier<'_> {
    pub(super) fn load(&mut self, id: InstructionId) {
        let address = Unary::of(self.editor.body(), id).operand;
        let number = self.loaded_character(id, address).or_else(|| self.loaded_count(id, address));
        if let (Some(number), Some(result)) = (number, self.editor.body().result(id)) {
            let ty = self.editor.body().ty(result);
            let literal = self.integer(id, number, ty);
            self.editor.replace(id, literal);
        } else if !self.load_subclass(id, address) && !self.load_initial_value(id) {
            self.remove_dead_load(id);
        }
    }

    /// Loads a reference as its own class instead of a superclass.
    fn load_subclass(&mut self, id: InstructionId, address: Value) -> bool {
        let body = self.editor.body();
        let queries = self.editor.environment.queries;
        let Some(cast) = self.editor.made_by(address, Opcode::UncheckedAddrCast) else { return false };
        let source = Unary::of(body, cast).operand;
        let (from, to) = (body.ty(source), body.ty(address));
        if queries.same_sil_type(from, to) || !queries.is_class(from.ty) || !queries.is_subclass(from.ty, to.ty) {
            return false;
        }
        let attributes = body.instructions[id].attributes;
        let object = self.editor.build(Place::Before(id), id, |builder| {
            let object = builder.with(attributes).load(source);
            builder.upcast(object, to.object_type())
        });
        self.editor.replace(id, object);
        true
    }

    /// The loaded byte of a string literal.
    fn loaded_character(&self, id: InstructionId, address: Value) -> Option<i128> {
        let body = self.editor.body();
        let ty = body.ty(body.result(id)?).ty;
        if *self.editor.environment.queries.get(ty) != Type::Builtin(BuiltinType::Integer(8)) {
            return None;
        }
        let field = self.editor.made_by(address, Opcode::StructElementAddr)?;
        let element = StructExtract::of(body, field).operand;
        let (base, index) = match self.editor.made_by(element, Opcode::IndexAddr) {
            Some(id) => {
                let IndexAddr { base, index } = IndexAddr::of(body, id);
                (base, self.literal(index)?)
            }
            None => (element, 0),
        };
        let pointer = self.editor.made_by(base, Opcode::PointerToAddress)?;
        let text = self.editor.made_by(Unary::of(body, pointer).operand, Opcode::StringLiteral)?;
        let Details::String(literal) = &body.instructions[text].details else { return None };
        let byte = literal.bytes.get(usize::try_from(index).ok()?);
        byte.filter(|_| literal.encoding == StringEncoding::Utf8).map(|byte| i128::from(*byte as i8))
    }

    /// The loaded count of the empty collections of the library.
    fn loaded_count(&self, id: InstructionId, address: Value) -> Option<i128> {
        let body = self.editor.body();
        let queries = self.editor.environment.queries;
        if !matches!(queries.get(body.ty(body.result(id)?).ty), Type::Builtin(BuiltinType::Integer(_))) {
            return None;
        }
        let mut address = address;
        loop {
            let made = body.defining(address)?;
            let operand = body.operands(made).first().copied();
            match self.editor.opcode(made) {
                Opcode::GlobalAddr => return self.is_empty_collection(made).then_some(0),
                Opcode::StructElementAddr => match self.field(made)? {
                    ("_SwiftArrayBodyStorage", "_capacityAndFlags") if !self.drops_flags(id) => return None,
                    ("_SwiftArrayBodyStorage", "count" | "_capacityAndFlags") => {}
                    ("_SwiftArrayBodyStorage", _) => return None,
                    _ => {}
                },
                Opcode::RefElementAddr => match self.field(made)? {
                    ("__RawDictionaryStorage" | "__RawSetStorage", "_count" | "_capacity") => {}
                    ("__RawDictionaryStorage" | "__RawSetStorage", _) => return None,
                    _ => {}
                },
                Opcode::UncheckedRefCast
                | Opcode::Upcast
                | Opcode::RawPointerToRef
                | Opcode::AddressToPointer
                | Opcode::BeginBorrow
                | Opcode::CopyValue
                | Opcode::EndCowMutation
                | Opcode::BeginCowMutation => {}
                _ => return None,
            }
            address = operand?;
        }
    }

    /// Returns whether a global is the storage of an empty collection.
    pub(super) fn is_empty_collection(&self, id: InstructionId) -> bool {
        let Details::Global(name, _) = &self.editor.body().instructions[id].details else { return false };
        let name = self.editor.environment.queries.context.text(*name);
        matches!(name, "_swiftEmptyArrayStorage" | "_swiftEmptyDictionarySingleton" | "_swiftEmptySetSingleton")
    }

    /// The names of the type and the field of a projection.
    fn field(&self, id: InstructionId) -> Option<(&str, &str)> {
        let queries = self.editor.environment.queries;
        let Details::Member(member) = self.editor.body().instructions[id].details else { return None };
        let member = queries.context.get_member(member);
        let parent = queries.declarations.get(member.parent?).name;
        Some((queries.context.text(parent), queries.context.text(member.name)))
    }

    /// Returns whether all uses of a capacity shift its flags out.
    fn drops_flags(&self, id: InstructionId) -> bool {
        use sil_ir::instructions::builtins::{BinaryOperation, BuiltinKind};
        let Some(result) = self.editor.body().result(id) else { return false };
        self.editor.uses(result).into_iter().all(|found| {
            let shifts = self.builtin(found.user) == Some(BuiltinKind::Binary(BinaryOperation::LShr));
            let distance = self.editor.operand(found.user, 1).and_then(|distance| self.literal(distance));
            shifts && distance.is_some_and(|distance| distance > 0)
        })
    }

    /// Removes a `load [copy]` that is only destroyed.
    fn remove_dead_load(&mut self, id: InstructionId) {
        let instruction = &self.editor.body().instructions[id];
        let Some(result) = self.editor.body().result(id) else { return };
        if !instruction.attributes.contains(Attribute::Copy) {
            return;
        }
        let is_debug =
            |found: &Use| !self.preserves_debug_information() && self.editor.opcode(found.user) == Opcode::DebugValue;
        let ends = |found: &Use| self.editor.opcode(found.user) == Opcode::DestroyValue || is_debug(found);
        let uses = self.editor.uses(result);
        if uses.iter().all(ends) {
            uses.into_iter().for_each(|found| self.editor.erase(found.user));
            self.editor.erase(id);
        }
    }

    /// Replaces `fix_lifetime` of stack memory with that of the loaded value.
    pub(super) fn fix_lifetime(&mut self, id: InstructionId) {
        let body = self.editor.body();
        let address = Unary::of(body, id).operand;
        let is_known = |opcode| self.editor.made_by(address, opcode).is_some();
        let ty: SilType = body.ty(address).object_type();
        let properties = self.editor.environment.queries.properties(ty.ty, self.editor.environment.function.signature);
        let is_loadable = !properties.is_address_only() && !properties.is_guessed();
        if !(is_known(Opcode::AllocStack) || is_known(Opcode::StoreBorrow)) || !is_loadable {
            return;
        }
        let loaded = self.borrow_from(id, address);
        if self.editor.ownership(loaded) == Ownership::Guaranteed {
            self.editor.build(Place::After(id), id, |builder| {
                builder.end_borrow(loaded);
            });
        }
        self.editor.set_operand(Use { user: id, operand: 0 }, loaded);
    }
}
