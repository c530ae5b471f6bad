//! Rewrites the callee: it takes a context and loads its captured arguments from it.

use sil_ir::context::{ParameterConvention, SilType};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::{Body, Function, FunctionFlag, InstructionId, Ownership, Place, Replacements, Value};

use super::applications::ClosureLifetime;
use super::context::{Aliasing, Capture, Context, Passing};
use crate::InstructionBuilder;

/// Replaces the last arguments of a function with a context.
pub(super) fn take_context(function: &mut Function, context: &Context) {
    let has_ownership = function.has(FunctionFlag::Ossa);
    let Some(body) = &mut function.body else { return };
    let entry = body.entry();
    let Some(first) = body.first_instruction(entry) else { return };
    let ty = match context.lifetime {
        ClosureLifetime::OnStack => SilType::address(context.ty),
        ClosureLifetime::Escaping => SilType::object(context.ty),
    };
    let ownership = match context.convention {
        _ if !has_ownership || ty.is_address() => Ownership::None,
        ParameterConvention::Owned => Ownership::Owned,
        ParameterConvention::Guaranteed => Ownership::Guaranteed,
        _ => Ownership::Unowned,
    };
    let holder = body.insert_argument(entry, context.first_argument, ty, ownership);
    let taken: Vec<Value> = body.blocks[entry].arguments[context.first_argument + 1..].to_vec();
    let mut entrance = Entrance { body, first, has_ownership, ends: Vec::new() };
    let mut replacements = Replacements::default();
    for (index, (argument, capture)) in taken.iter().zip(&context.captures).enumerate() {
        let address = entrance.address(holder, context, index);
        replacements.replace(*argument, entrance.get(address, *capture));
    }
    entrance.finish(holder, context);
    body.replace_values(&replacements);
    for index in (0..taken.len()).rev() {
        body.remove_argument(entry, context.first_argument + 1 + index);
    }
}

/// The new entry sequence of a function, and the instructions at the exits that correspond to it.
struct Entrance<'b> {
    body: &'b mut Body,
    /// The original first instruction.
    first: InstructionId,
    has_ownership: bool,
    /// The instructions that end the use of values, in the order of their beginnings.
    ends: Vec<(Opcode, Value)>,
}

impl Entrance<'_> {
    fn builder(&mut self) -> InstructionBuilder<'_> {
        InstructionBuilder::new(self.body, Place::Before(self.first), self.first)
    }

    /// The address of a captured value.
    fn address(&mut self, holder: Value, context: &Context, index: usize) -> Value {
        let mut builder = self.builder();
        let whole = match context.lifetime {
            ClosureLifetime::OnStack => holder,
            ClosureLifetime::Escaping => builder.project_box(holder, 0, SilType::address(context.held)),
        };
        context.part(&mut builder, whole, index)
    }

    /// The original argument for the address of a captured value.
    fn get(&mut self, address: Value, capture: Capture) -> Value {
        match capture.passing {
            Passing::Trivial => self.load(address, Attribute::Trivial),
            Passing::Copied => {
                let loaded = self.load(address, Attribute::Copy);
                if !self.has_ownership {
                    self.builder().retain_value(loaded);
                }
                loaded
            }
            Passing::Borrowed if self.has_ownership => {
                let borrowed = self.builder().load_borrow(address);
                self.ends.push((Opcode::EndBorrow, borrowed));
                borrowed
            }
            // Without ownership, a load has no attribute.
            Passing::Borrowed => self.load(address, Attribute::Copy),
            Passing::InPlace => address,
            Passing::CopiedInMemory => self.copy(address, capture),
            Passing::Address(aliasing) => {
                let pointer = self.load(address, Attribute::Trivial);
                let attributes = match aliasing {
                    Aliasing::Exclusive => AttributeSet::from([Attribute::Strict]),
                    Aliasing::Aliasable => AttributeSet::default(),
                };
                let (opcode, ty) = (Opcode::PointerToAddress, SilType::address(capture.ty));
                self.builder().with(attributes).cast(opcode, pointer, ty)
            }
        }
    }

    fn load(&mut self, address: Value, ownership: Attribute) -> Value {
        let attributes = if self.has_ownership { AttributeSet::from([ownership]) } else { AttributeSet::default() };
        self.builder().with(attributes).load(address)
    }

    /// Copies the value at an address to memory that the function deallocates.
    fn copy(&mut self, address: Value, capture: Capture) -> Value {
        let mut builder = self.builder();
        let memory = builder.alloc_stack(SilType::object(capture.ty), None);
        builder.with(AttributeSet::from([Attribute::Init])).copy_addr(address, memory);
        self.ends.push((Opcode::DeallocStack, memory));
        memory
    }

    /// Inserts the ends at all exits. An owned context is destroyed at the entry if it is not needed afterwards.
    fn finish(mut self, holder: Value, context: &Context) {
        let release = if self.has_ownership { Opcode::DestroyValue } else { Opcode::StrongRelease };
        let is_owned = context.convention == ParameterConvention::Owned;
        let is_needed = context.captures.iter().any(|capture| capture.passing.needs_context());
        if is_owned && !is_needed {
            self.builder().effect(release, holder);
        } else if is_owned {
            self.ends.insert(0, (release, holder));
        }
        let terminators = self.body.blocks.keys().filter_map(|block| self.body.terminator(block));
        let leaves = |end: &InstructionId| self.body.instructions[*end].opcode.leaves_function();
        for end in terminators.filter(leaves).collect::<Vec<_>>() {
            let mut builder = InstructionBuilder::new(self.body, Place::Before(end), end);
            for (opcode, value) in self.ends.iter().rev() {
                builder.effect(*opcode, *value);
            }
        }
    }
}
