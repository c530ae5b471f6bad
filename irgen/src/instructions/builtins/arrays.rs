//! Builtins on arrays in memory: copying, moving, assigning and destroying consecutive elements.

use inkwell::IntPredicate;
use inkwell::values::{IntValue, PointerValue};
use sil_ir::context::TypeId;
use sil_ir::instructions::builtins::NamedBuiltin;

use super::Call;
use crate::generation::{Explosion, IRGenFunction, RuntimeFunction};
use crate::layout::{TypeInfo, TypeLayout};
use crate::llvm::builder::bytes_type;
use crate::refusal::Generated;

/// The order in which elements are visited, if source and destination may overlap.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    FrontToBack,
    BackToFront,
}

/// The operation on each element: destination and source, or the only array twice.
type ElementOperation<'ctx> = fn(&IRGenFunction<'_, 'ctx>, &TypeInfo, PointerValue<'ctx>, PointerValue<'ctx>);

impl<'ctx> Call<'_, '_, 'ctx> {
    /// Calls the runtime's function for the builtin on an array of elements of dynamic layout.
    fn emit_dynamic_array(&self, builtin: NamedBuiltin, element: TypeId) -> Generated<Explosion<'ctx>> {
        let function = match builtin {
            NamedBuiltin::DestroyArray => RuntimeFunction::ArrayDestroy,
            NamedBuiltin::CopyArray => RuntimeFunction::ArrayInitWithCopy,
            NamedBuiltin::TakeArrayNoAlias => RuntimeFunction::ArrayInitWithTakeNoAlias,
            NamedBuiltin::TakeArrayFrontToBack => RuntimeFunction::ArrayInitWithTakeFrontToBack,
            NamedBuiltin::TakeArrayBackToFront => RuntimeFunction::ArrayInitWithTakeBackToFront,
            NamedBuiltin::AssignCopyArrayNoAlias => RuntimeFunction::ArrayAssignWithCopyNoAlias,
            NamedBuiltin::AssignCopyArrayFrontToBack => RuntimeFunction::ArrayAssignWithCopyFrontToBack,
            NamedBuiltin::AssignCopyArrayBackToFront => RuntimeFunction::ArrayAssignWithCopyBackToFront,
            NamedBuiltin::AssignTakeArray => RuntimeFunction::ArrayAssignWithTake,
            _ => return Err(self.unsupported()),
        };
        let metadata = self.function.type_metadata(element)?;
        let mut arguments = Vec::new();
        for index in self.first_pointer()..self.arguments.len().saturating_sub(1) {
            arguments.push(self.pointer(index)?.into());
        }
        arguments.push(self.last_int()?.into());
        arguments.push(metadata.into());
        self.function.call_runtime(function, &arguments);
        Ok(Vec::new())
    }

    /// `destroyArray<T>(metatype, address, count)`; a thin metatype has no scalar.
    pub(super) fn emit_destroy_array(&self) -> Generated<Explosion<'ctx>> {
        let element = match self.substituted_layout()? {
            TypeLayout::Fixed(info) => info,
            TypeLayout::Dynamic(ty) => return self.emit_dynamic_array(NamedBuiltin::DestroyArray, ty),
        };
        if !element.is_trivial() {
            let (array, count) = (self.pointer(self.first_pointer())?, self.last_int()?);
            self.each_element(&element, array, array, count, Direction::FrontToBack, |function, info, address, _| {
                function.destroy_at(info, address);
            });
        }
        Ok(Vec::new())
    }

    /// `copyArray<T>(metatype, to, from, count)` and similar builtins.
    pub(super) fn emit_transfer_array(&self, builtin: NamedBuiltin) -> Generated<Explosion<'ctx>> {
        let element = match self.substituted_layout()? {
            TypeLayout::Fixed(info) => info,
            TypeLayout::Dynamic(ty) => return self.emit_dynamic_array(builtin, ty),
        };
        let first = self.first_pointer();
        let (to, from, count) = (self.pointer(first)?, self.pointer(first + 1)?, self.last_int()?);
        let takes = matches!(
            builtin,
            NamedBuiltin::TakeArrayNoAlias | NamedBuiltin::TakeArrayFrontToBack | NamedBuiltin::TakeArrayBackToFront
        );
        if element.is_trivial() || takes && element.is_loadable() {
            self.move_elements(&element, builtin, to, from, count);
            return Ok(Vec::new());
        }
        let (direction, operation): (Direction, ElementOperation<'ctx>) = match builtin {
            NamedBuiltin::CopyArray => {
                (Direction::FrontToBack, |function, info, to, from| function.initialize_with_copy(info, to, from))
            }
            NamedBuiltin::TakeArrayNoAlias | NamedBuiltin::TakeArrayFrontToBack => {
                (Direction::FrontToBack, |function, info, to, from| function.initialize_with_take(info, to, from))
            }
            NamedBuiltin::TakeArrayBackToFront => {
                (Direction::BackToFront, |function, info, to, from| function.initialize_with_take(info, to, from))
            }
            NamedBuiltin::AssignCopyArrayNoAlias | NamedBuiltin::AssignCopyArrayFrontToBack => {
                (Direction::FrontToBack, |function, info, to, from| function.assign_with_copy(info, to, from))
            }
            NamedBuiltin::AssignCopyArrayBackToFront => {
                (Direction::BackToFront, |function, info, to, from| function.assign_with_copy(info, to, from))
            }
            NamedBuiltin::AssignTakeArray => {
                (Direction::FrontToBack, |function, info, to, from| function.assign_with_take(info, to, from))
            }
            _ => return Err(self.unsupported()),
        };
        self.each_element(&element, to, from, count, direction, operation);
        Ok(Vec::new())
    }

    /// Returns the index of the first address. Metatypes come before the addresses; a thick metatype is a pointer as
    /// well, so addresses are counted from the end.
    fn first_pointer(&self) -> usize {
        let addresses = if matches!(
            self.operation.kind,
            sil_ir::instructions::builtins::BuiltinKind::Named(NamedBuiltin::DestroyArray)
        ) {
            1
        } else {
            2
        };
        self.arguments.len().saturating_sub(addresses + 1)
    }

    fn last_int(&self) -> Generated<IntValue<'ctx>> {
        let count = self.int(self.arguments.len().saturating_sub(1))?;
        Ok(self.function.builder.resize_signed(count, self.function.module.pointer_bits()))
    }

    fn move_elements(
        &self,
        element: &TypeInfo,
        builtin: NamedBuiltin,
        to: PointerValue<'ctx>,
        from: PointerValue<'ctx>,
        count: IntValue<'ctx>,
    ) {
        let builder = &self.function.builder;
        let stride = builder.int(self.function.module.pointer_bits(), element.stride());
        let size = builder.mul(count, stride);
        match builtin {
            NamedBuiltin::CopyArray | NamedBuiltin::TakeArrayNoAlias | NamedBuiltin::AssignCopyArrayNoAlias => {
                builder.memcpy(to, from, size, element.alignment);
            }
            _ => builder.memmove(to, from, size, element.alignment),
        }
    }

    fn each_element(
        &self,
        element: &TypeInfo,
        to: PointerValue<'ctx>,
        from: PointerValue<'ctx>,
        count: IntValue<'ctx>,
        direction: Direction,
        operation: ElementOperation<'ctx>,
    ) {
        let function = &*self.function;
        let builder = &function.builder;
        let zero = count.get_type().const_zero();
        let one = count.get_type().const_int(1, false);
        let (before, head, inner, done) =
            (builder.block(), function.new_block(""), function.new_block(""), function.new_block(""));
        builder.branch(head);
        builder.position_at_end(head);
        let counter = builder.phi(count.get_type().into());
        let index = counter.as_basic_value().into_int_value();
        let start = if direction == Direction::FrontToBack { zero } else { count };
        counter.add_incoming(&[(&start, before)]);
        let end = if direction == Direction::FrontToBack { count } else { zero };
        builder.branch_if(builder.compare(IntPredicate::EQ, index, end), done, inner);
        builder.position_at_end(inner);
        let next = match direction {
            Direction::FrontToBack => builder.add(index, one),
            Direction::BackToFront => builder.sub(index, one),
        };
        let current = if direction == Direction::FrontToBack { index } else { next };
        let stride = bytes_type(function.module.context, element.stride());
        let place = |base| builder.element_pointer(stride, base, current);
        operation(function, element, place(to), place(from));
        counter.add_incoming(&[(&next, builder.block())]);
        builder.branch(head);
        builder.position_at_end(done);
    }
}
