//! Lowers aggregate instructions to loads, stores, retains and releases of references, where that does not increase the
//! code size much. Follows SILLowerAggregateInstrs.cpp.

use sil_ir::context::{SilType, Type, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::{CopyAddr, Unary};
use sil_ir::model::{InstructionId, Place, Value};

use crate::editing::editor::Editor;
use crate::knowledge::aggregate_parts::{AggregatePart, has_deinit, is_divided, is_in_memory, parts};
use crate::knowledge::counting::Counting;
use crate::pass::settings::Expansion;
use crate::pass::{Description, Environment, Gates, Pass, Rewrite, Runner};

pub(crate) const AGGREGATE_LOWERING: Pass = Pass::new(&Description {
    name: "lower-aggregate-instrs",
    class_name: "LowerAggregateInstrs",
    summary: "Expands operations on aggregates into operations on their fields.",
    gates: Gates::OPEN,
    runner: Runner::Function(lower),
});

/// Lowers the aggregate instructions of a function.
pub(crate) fn lower(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let mut lowering = AggregateLowering { editor: Editor::new(environment) };
    for id in lowering.editor.body().placed_instructions().collect::<Vec<_>>() {
        match lowering.editor.opcode(id) {
            Opcode::CopyAddr => lowering.copy_addr(id),
            Opcode::DestroyAddr => lowering.destroy_addr(id),
            Opcode::RetainValue => lowering.count(id, Counted::Retained),
            Opcode::ReleaseValue => lowering.count(id, Counted::Released),
            _ => {}
        }
    }
    Ok(lowering.editor.finish())
}

/// The reference counting operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counted {
    Retained,
    Released,
}

struct AggregateLowering<'m> {
    editor: Editor<'m>,
}

impl AggregateLowering<'_> {
    fn copy_addr(&mut self, id: InstructionId) {
        let CopyAddr { source, destination } = CopyAddr::of(self.editor.body(), id);
        let ty = self.editor.body().ty(source).object_type();
        if is_in_memory(self.editor.environment, ty) {
            return;
        }
        let attributes = self.editor.body().instructions[id].attributes;
        let (takes, initializes) = (attributes.contains(Attribute::Take), attributes.contains(Attribute::Init));
        let is_trivial = self.editor.is_trivial(ty);
        let loading = match takes {
            _ if is_trivial => Attribute::Trivial,
            true => Attribute::Take,
            false => Attribute::Copy,
        };
        let storing = match initializes {
            _ if is_trivial => Attribute::Trivial,
            true => Attribute::Init,
            false => Attribute::Assign,
        };
        let new = self.load(id, source, loading);
        if !is_trivial && !self.editor.has_ownership() {
            if !takes {
                self.count_value(id, new, Counted::Retained);
            }
            if !initializes {
                let old = self.load(id, destination, Attribute::Take);
                self.count_value(id, old, Counted::Released);
            }
        }
        let attributes = self.qualified(storing);
        self.editor.build(Place::Before(id), id, |builder| {
            builder.with(attributes).store(new, destination);
        });
        self.editor.erase(id);
    }

    fn destroy_addr(&mut self, id: InstructionId) {
        let address = Unary::of(self.editor.body(), id).operand;
        let ty = self.editor.body().ty(address).object_type();
        if is_in_memory(self.editor.environment, ty) {
            return;
        }
        if !self.editor.is_trivial(ty) {
            let value = self.load(id, address, Attribute::Take);
            self.count_value(id, value, Counted::Released);
        }
        self.editor.erase(id);
    }

    fn count(&mut self, id: InstructionId, counted: Counted) {
        let value = Unary::of(self.editor.body(), id).operand;
        if self.is_divided(self.editor.body().ty(value)) {
            self.count_value(id, value, counted);
            self.editor.erase(id);
        }
    }

    /// The ownership qualifier of loads and stores, which only functions with ownership have.
    fn qualified(&self, attribute: Attribute) -> AttributeSet {
        let mut attributes = AttributeSet::default();
        if self.editor.has_ownership() {
            attributes.insert(attribute);
        }
        attributes
    }

    fn load(&mut self, id: InstructionId, address: Value, qualifier: Attribute) -> Value {
        let attributes = self.qualified(qualifier);
        self.editor.build(Place::Before(id), id, |builder| builder.with(attributes).load(address))
    }

    /// Counts a value as a whole, or its references separately if there are few.
    fn count_value(&mut self, id: InstructionId, value: Value, counted: Counted) {
        let ty = self.editor.body().ty(value);
        if self.editor.has_ownership() {
            self.destroy(id, value);
        } else if self.is_divided(ty) {
            self.count_parts(id, value, counted);
        } else {
            self.count_whole(id, value, counted);
        }
    }

    /// Destroys an owned value, or its parts if all aggregates are expanded.
    fn destroy(&mut self, id: InstructionId, value: Value) {
        let ty = self.editor.body().ty(value);
        let parts = self.parts(ty.ty).filter(|_| self.editor.environment.settings.expansion == Expansion::All);
        let Some(parts) = parts else {
            self.editor.build(Place::Before(id), id, |builder| {
                builder.destroy_value(value);
            });
            return;
        };
        let is_tuple = matches!(self.editor.environment.queries.get(ty.ty), Type::Tuple(_));
        let types: Vec<SilType> = parts.into_iter().map(|part| SilType::object(part.ty)).collect();
        let parts = self.editor.build(Place::Before(id), id, |builder| match is_tuple {
            true => builder.destructure_tuple(value, &types),
            false => builder.destructure_struct(value, &types),
        });
        for (part, ty) in parts.into_iter().zip(types) {
            if !self.editor.is_trivial(ty) {
                self.destroy(id, part);
            }
        }
    }

    fn count_whole(&mut self, id: InstructionId, value: Value, counted: Counted) {
        let counting = Counting::of(self.editor.environment, self.editor.body().ty(value));
        let opcode = if counted == Counted::Retained { counting.retain() } else { counting.release() };
        let Some(opcode) = opcode else { return };
        self.editor.build(Place::Before(id), id, |builder| {
            builder.effect(opcode, value);
        });
    }

    /// Counts the references of a struct or tuple separately.
    fn count_parts(&mut self, id: InstructionId, value: Value, counted: Counted) {
        let ty = self.editor.body().ty(value).ty;
        let Some(parts) = self.parts(ty) else {
            self.count_whole(id, value, counted);
            return;
        };
        for part in parts {
            let is_trivial = self.editor.is_trivial(SilType::object(part.ty));
            // A copy extracts all parts, but does not split trivial ones further.
            if counted == Counted::Retained || !is_trivial {
                let part = self.editor.build(Place::Before(id), id, |builder| part.extract(builder, value));
                if !is_trivial {
                    self.count_parts(id, part, counted);
                }
            }
        }
    }

    /// Returns whether the references of a value are counted separately.
    fn is_divided(&self, ty: SilType) -> bool {
        !self.editor.has_ownership() && is_divided(self.editor.environment, ty)
    }

    /// The parts that are counted separately, or `None` if the type has a deinit or is not an aggregate.
    fn parts(&self, ty: TypeId) -> Option<Vec<AggregatePart>> {
        let environment = self.editor.environment;
        parts(environment.queries, ty).filter(|_| !has_deinit(environment, ty))
    }
}
