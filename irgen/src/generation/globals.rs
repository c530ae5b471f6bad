//! Global variables, statically initialised objects, and their initial values.

use inkwell::values::{GlobalValue, PointerValue};
use rustc_hash::FxHashSet;
use sil_ir::context::{Mutability, Name};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, Details, Global, GlobalId, InstructionId, Linkage, Value};
use sil_ir::symbols::demangle;

use super::constants::{ConstantStruct, Evaluator, Image};
use super::mode::StaticObject;
use super::{Entity, IRGenModule};
use crate::layout::{EXISTENTIAL_BUFFER_WORDS, TypeLayout};
use crate::refusal::Generated;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Returns the address of the global with this name. For a static object, this is the reference to it.
    pub fn global_address(&self, name: Name) -> Generated<PointerValue<'ctx>> {
        Ok(self.global(self.global_named(name)?)?.as_pointer_value())
    }

    /// The SIL global with this name.
    pub fn global_named(&self, name: Name) -> Generated<GlobalId> {
        self.sil.global_named(name).ok_or_else(|| {
            let name = self.sil.context.text(name);
            Box::new(crate::refusal::unsupported_without_place(format!(
                "the global {name}, which the module does not declare"
            )))
        })
    }

    /// The LLVM global of a SIL global.
    pub fn global(&self, id: GlobalId) -> Generated<GlobalValue<'ctx>> {
        if let Some(found) = self.declared_variable(&Entity::Global(id)) {
            return Ok(found);
        }
        let global = &self.sil.globals[id];
        let initial = match &global.initializer {
            Some(body) => self.initial_value(global, body),
            None => self.zero_value(global),
        };
        let InitialValue { constant, alignment } = initial.map_err(|error| at_global(error, global))?;
        Ok(self.declare_constant(Entity::Global(id), constant, alignment))
    }

    /// Returns the initial value of a global without an initialiser. A global of dynamic layout is a value buffer,
    /// which contains the value or its address (lib/IRGen/GenDecl.cpp).
    fn zero_value(&self, global: &Global) -> Generated<InitialValue> {
        let mut constant = ConstantStruct::new(self.pointer_size());
        let alignment = match self.types.layout(global.ty)? {
            TypeLayout::Fixed(info) => {
                constant.add_value(&Image::zero(info.size), &info.elements);
                info.alignment
            }
            TypeLayout::Dynamic(_) => {
                constant.pad_to(EXISTENTIAL_BUFFER_WORDS * self.pointer_size());
                self.pointer_size()
            }
        };
        Ok(InitialValue { constant, alignment })
    }

    fn initial_value(&self, global: &Global, body: &Body) -> Generated<InitialValue> {
        let mut evaluator = Evaluator::new(self.sil, self.types, body);
        let mut instructions = body.instructions_in(body.entry());
        let Some(last) = instructions.next_back() else { return self.zero_value(global) };
        for instruction in instructions {
            evaluator.evaluate(instruction)?;
        }
        if body.instructions[last].opcode == Opcode::Object {
            return self.object(&evaluator, global, body, last);
        }
        evaluator.evaluate(last)?;
        let Some(result) = body.result(last) else { return self.zero_value(global) };
        let info = self.types.info(global.ty)?;
        let value = evaluator.value(result)?;
        // A type whose storage has no parts is initialised by a value of another type.
        let mut whole = Image::zero(info.size.max(value.size()));
        whole.put(0, &value);
        let mut constant = ConstantStruct::new(self.pointer_size());
        constant.add_value(&whole, &evaluator.info(result)?.elements);
        Ok(InitialValue { constant, alignment: info.alignment })
    }

    /// Returns the image of an object: its header, its stored properties, and its tail elements.
    fn object(
        &self,
        evaluator: &Evaluator<'_, '_>,
        global: &Global,
        body: &Body,
        object: InstructionId,
    ) -> Generated<InitialValue> {
        let class = body.types(object)[0].ty;
        let layout = self.types.class_layout(class)?;
        let mut constant = ConstantStruct::new(self.pointer_size());
        let alignment = self.static_object_alignment(body, object)?;
        let start = self.static_object_offset(alignment);
        constant.pad_to(start);
        let form = self.program.mode.static_object(self, global, class);
        if !matches!(form, StaticObject::Constant(_)) {
            self.require_instances(class)?;
        }
        match form {
            StaticObject::Complete(metadata) | StaticObject::Constant(metadata) => {
                constant.add_address(metadata);
                constant.add_integer(self.pointer_bits(), IMMORTAL);
            }
            StaticObject::MadeByRuntime => {
                constant.add_null();
                constant.add_integer(self.pointer_bits(), 0);
            }
        }
        let (base, tail) = base_and_tail_elements(body, object);
        for (field, value) in layout.fields.iter().zip(base) {
            constant.pad_to(start + field.offset);
            constant.add_value(&evaluator.value(*value)?, &evaluator.info(*value)?.elements);
        }
        constant.pad_to(start + layout.size);
        for value in tail {
            let info = evaluator.info(*value)?;
            constant.align_to(info.alignment);
            let end = constant.size() + info.stride();
            constant.add_value(&evaluator.value(*value)?, &info.elements);
            constant.pad_to(end);
        }
        Ok(InitialValue { constant, alignment })
    }

    /// The alignment of a statically initialised object: the greatest of its own and of those of its tail elements.
    fn static_object_alignment(&self, body: &Body, object: InstructionId) -> Generated<u64> {
        let mut alignment = self.types.class_layout(body.types(object)[0].ty)?.alignment;
        for value in base_and_tail_elements(body, object).1 {
            alignment = alignment.max(self.types.info(body.ty(*value).ty)?.alignment);
        }
        Ok(alignment)
    }

    /// Returns the offset of the object in the statically initialised `global`.
    pub fn offset_of_static_object(&self, global: &Global) -> Generated<u64> {
        let object = global.initializer.as_ref().and_then(|body| Some((body, object_instruction(body)?)));
        let alignment =
            object.map_or(Ok(self.pointer_size()), |(body, object)| self.static_object_alignment(body, object));
        Ok(self.static_object_offset(alignment?))
    }

    /// The offset of an object with this alignment in its global: after a word for the runtime, if it needs one.
    fn static_object_offset(&self, alignment: u64) -> u64 {
        if self.program.mode.defines_imported() { 0 } else { self.pointer_size().next_multiple_of(alignment) }
    }

    /// Returns whether the module defines the global.
    pub(super) fn defines_global(&self, global: &Global) -> bool {
        let is_elsewhere =
            global.linkage.is_external() && !self.program.mode.defines_imported() || self.is_foreign(global);
        global.initializer.is_some() || !is_elsewhere
    }

    /// Objects have reference counts, which change unless the mode forbids it; a zero-initialised global is written by
    /// its initialiser.
    pub(super) fn mutability_of_global(&self, global: &Global) -> Mutability {
        let Some(body) = &global.initializer else { return Mutability::Var };
        let Some(object) = object_instruction(body) else { return global.mutability };
        match self.program.mode.static_object(self, global, body.types(object)[0].ty) {
            StaticObject::Constant(_) => Mutability::Let,
            StaticObject::Complete(_) | StaticObject::MadeByRuntime => Mutability::Var,
        }
    }

    /// Returns the metadata of static arrays: one word, as for a class without contents.
    pub(super) fn static_array_metadata(&self) -> PointerValue<'ctx> {
        if let Some(found) = self.declared_address(&Entity::StaticArrayMetadata) {
            return found;
        }
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_null();
        self.declare_constant(Entity::StaticArrayMetadata, words, self.pointer_size()).as_pointer_value()
    }

    /// Returns whether C defines the global: nothing in the module initialises it, and its symbol is not mangled by
    /// Swift.
    fn is_foreign(&self, global: &Global) -> bool {
        let is_visible = global.linkage.is_external() || matches!(global.linkage, Linkage::Public | Linkage::Package);
        let symbol = global.asm_name.unwrap_or(global.name);
        let is_named_by_c = global.clang_name.is_some() || demangle(self.sil.context.text(symbol)).is_none();
        is_visible && is_named_by_c && !self.allocated_globals().contains(&global.name)
    }

    /// Returns the globals that functions of the module initialise.
    fn allocated_globals(&self) -> &FxHashSet<Name> {
        self.program.allocated_globals.get_or_init(|| {
            let bodies = self.sil.functions.values().filter_map(|function| function.body.as_ref());
            let instructions = bodies.flat_map(|body| body.instructions.values());
            let allocated = instructions.filter_map(|instruction| match instruction.details {
                Details::Global(name, _) if instruction.opcode == Opcode::AllocGlobal => Some(name),
                _ => None,
            });
            allocated.collect()
        })
    }
}

/// The initial value of a global.
struct InitialValue {
    constant: ConstantStruct,
    /// In bytes.
    alignment: u64,
}

/// A reference count that never changes.
const IMMORTAL: u64 = u64::MAX;

fn object_instruction(body: &Body) -> Option<InstructionId> {
    let last = body.terminator(body.blocks.keys().next()?)?;
    (body.instructions[last].opcode == Opcode::Object).then_some(last)
}

pub(crate) fn at_global(mut error: Box<Diagnostic>, global: &Global) -> Box<Diagnostic> {
    error.span.get_or_insert(global.span);
    error
}

/// The stored properties of an object, and its tail elements.
fn base_and_tail_elements(body: &Body, object: InstructionId) -> (&[Value], &[Value]) {
    let operands = body.operands(object);
    match body.instructions[object].details {
        Details::BaseElements(count) => operands.split_at((count as usize).min(operands.len())),
        _ => (operands, &[]),
    }
}
