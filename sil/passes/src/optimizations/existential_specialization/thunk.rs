//! Creates the thunk, which opens its existential arguments and calls the generic function.

use sil_ir::context::{Name, SilType, Type, TypeId};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::{Apply, Body, FunctionFlag, InstructionId, Place, Value};
use sil_ir::types::ExistentialKind;

use super::{Opened, Taking, load_attributes, store_attributes};
use crate::InstructionBuilder;
use crate::editing::builder::Origin;
use crate::editing::cloning::fresh_opening;
use crate::knowledge::never_returning::NeverReturning;
use crate::pass::Environment;

/// The body of the thunk that calls the generic function `name` of type `ty`.
pub(super) fn body(environment: Environment<'_>, opened: &[Opened], name: Name, ty: TypeId) -> Option<Body> {
    let Environment { queries, function, body: before, .. } = environment;
    let Type::Function(generic) = queries.get(ty) else { return None };
    let mut body = Body::default();
    let entry = body.add_block();
    let mut arguments = Vec::new();
    for argument in &before.blocks[before.entry()].arguments {
        let data = &before.values[*argument];
        let made = body.add_argument(entry, data.ty, data.ownership);
        body.values[made].flags = data.flags;
        arguments.push(made);
    }
    let callee_type = SilType::object(ty);
    let origin = Origin::nowhere(function.span);
    let mut builder = InstructionBuilder::of_origin(&mut body, Place::End(entry), origin);
    let callee = builder.function_ref(name, callee_type);
    let mut operands = vec![callee];
    let has_ownership = function.has(FunctionFlag::Ossa);
    let mut thunk = Thunk { has_ownership, body: &mut body, origin, ends: Vec::new() };
    let mut types = Vec::new();
    for (index, argument) in arguments.into_iter().enumerate() {
        let Some(opened) = opened.iter().find(|opened| opened.index == index) else {
            operands.push(argument);
            continue;
        };
        let uuid = fresh_opening(queries, name, InstructionId::from_u32(index as u32));
        let interface = queries.context.ty(Type::GenericParameter { depth: 0, index: 0 });
        let existential = opened.existential;
        let ty = queries.context.ty(Type::OpenedArchetype { uuid, existential, interface });
        types.push(ty);
        operands.push(thunk.open(opened, argument, ty));
    }
    let substitutions = queries.context.substitutions(generic.signature?, types);
    let conventions = queries.applied_conventions(ty, substitutions)?;
    let result = queries.direct_result(conventions);
    let apply = Apply::new(callee_type, substitutions);
    let returned = thunk.builder().apply(apply, &operands, result);
    for (opcode, value) in std::mem::take(&mut thunk.ends).into_iter().rev() {
        thunk.builder().effect(opcode, value);
    }
    let never_returns = NeverReturning::new(environment).is_uninhabited(result.ty);
    match never_returns {
        true => thunk.builder().unreachable(),
        false => thunk.builder().return_value(returned),
    };
    Some(body)
}

struct Thunk<'t> {
    has_ownership: bool,
    body: &'t mut Body,
    origin: Origin,
    /// The instructions that clean up after the call, last one first.
    ends: Vec<(Opcode, Value)>,
}

impl Thunk<'_> {
    fn builder(&mut self) -> InstructionBuilder<'_> {
        let entry = self.body.entry();
        InstructionBuilder::of_origin(self.body, Place::End(entry), self.origin)
    }

    /// Opens the existential `argument` to a value of type `ty` for the call.
    fn open(&mut self, opened: &Opened, argument: Value, ty: TypeId) -> Value {
        if opened.kind == ExistentialKind::Class {
            let ty = SilType::object(ty);
            return match self.body.ty(argument).is_address() {
                true => self.open_reference_in_memory(opened, argument, ty),
                false => self.open_reference(opened, argument, ty),
            };
        }
        let (object, address) = (SilType::object(ty), SilType::address(ty));
        let mut access = AttributeSet::default();
        access.insert(match opened.taking {
            Taking::Consumed => Attribute::MutableAccess,
            Taking::Borrowed => Attribute::ImmutableAccess,
        });
        let inside = self.builder().with(access).open_existential_addr(argument, address);
        if opened.taking == Taking::Borrowed {
            return inside;
        }
        // The existential keeps its value, so the callee consumes a copy.
        let memory = self.builder().alloc_stack(object, None);
        let mut attributes = AttributeSet::default();
        attributes.insert(Attribute::Init);
        self.builder().with(attributes).copy_addr(inside, memory);
        self.ends.push((Opcode::DeallocStack, memory));
        self.ends.push((Opcode::DestroyAddr, argument));
        memory
    }

    fn open_reference(&mut self, opened: &Opened, argument: Value, ty: SilType) -> Value {
        let is_copied = self.has_ownership && opened.taking == Taking::Borrowed;
        let reference = match is_copied {
            true => self.builder().copy_value(argument),
            false => argument,
        };
        let inside = self.builder().open_existential_ref(reference, ty);
        if is_copied {
            self.ends.push((Opcode::DestroyValue, inside));
        }
        inside
    }

    /// Copies the reference of the existential at the address `argument` to new stack memory.
    fn open_reference_in_memory(&mut self, opened: &Opened, argument: Value, ty: SilType) -> Value {
        let (load, store) = (load_attributes(opened.taking, self.has_ownership), store_attributes(self.has_ownership));
        let mut builder = self.builder();
        let loaded = builder.with(load).load(argument);
        let inside = builder.open_existential_ref(loaded, ty);
        let memory = builder.alloc_stack(ty, None);
        builder.with(store).store(inside, memory);
        self.ends.push((Opcode::DeallocStack, memory));
        if self.has_ownership && opened.taking == Taking::Borrowed {
            self.ends.push((Opcode::DestroyAddr, memory));
        }
        memory
    }
}
