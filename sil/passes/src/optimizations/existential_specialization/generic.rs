//! Creates the generic function. It wraps its arguments in existentials, which the original code opens again. Other
//! passes remove these existentials.

use sil_ir::context::{
    FunctionType, GenericParameter, GenericParameterKind, GenericSignature, Name, Parameter, ParameterOptions,
    Representation, Requirement, SignatureId, SilType, SubstitutionMapId, Type, TypeId,
};
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::{BlockId, Body, Function, FunctionFlag, InstructionId, Ownership, Place, Value};
use sil_ir::source::Span;
use sil_ir::types::{ExistentialKind, TypeQueries};

use super::{Opened, Taking, load_attributes, store_attributes};
use crate::InstructionBuilder;
use crate::editing::builder::Origin;
use crate::editing::cloning::{ClonePlaces, Cloner};
use crate::editing::specialized_functions::{code_attributes, specialized_linkage};
use crate::pass::Environment;

/// The type of the generic function. Each opened existential becomes a generic parameter with the existential's
/// requirements.
pub(super) fn function_type(environment: Environment<'_>, opened: &[Opened]) -> Option<TypeId> {
    let Environment { queries, function, .. } = environment;
    let Type::Function(before) = queries.get(function.ty) else { return None };
    let conventions = queries.conventions(function.ty)?;
    let canonical = |parameter: &Parameter| Parameter { ty: queries.canonical_type(parameter.ty), ..*parameter };
    let mut parameters: Vec<Parameter> = before.parameters.iter().map(canonical).collect();
    for (number, opened) in opened.iter().enumerate() {
        let parameter = parameters.get_mut(conventions.parameter_of_argument(opened.index)?)?;
        let (convention, ty) = (parameter.convention, parameter_type(queries, number));
        *parameter = Parameter { convention, ty, options: ParameterOptions::default() };
    }
    let ty = FunctionType {
        signature: Some(signature(queries, opened)?),
        representation: Representation::Thin,
        parameters: parameters.into(),
        ..(**before).clone()
    };
    Some(queries.context.ty(Type::Function(Box::new(ty))))
}

fn parameter_type(queries: &TypeQueries<'_>, number: usize) -> TypeId {
    queries.context.ty(Type::GenericParameter { depth: 0, index: number as u32 })
}

fn signature(queries: &TypeQueries<'_>, opened: &[Opened]) -> Option<SignatureId> {
    let parameter = |index| GenericParameter { name: None, depth: 0, index, kind: GenericParameterKind::Type };
    let requirement = |(number, opened): (usize, &Opened)| match queries.get(opened.existential) {
        Type::Existential(constraint) => {
            Some(Requirement::Conformance { subject: parameter_type(queries, number), constraint: *constraint })
        }
        _ => None,
    };
    let requirements = opened.iter().enumerate().map(requirement).collect::<Option<Vec<_>>>()?;
    let written = queries.context.signature(GenericSignature {
        parameters: (0..opened.len() as u32).map(parameter).collect(),
        requirements: requirements.into(),
    });
    queries.generics().canonical_signature(written)
}

/// Creates the generic function `name` of type `ty`.
pub(super) fn function(environment: Environment<'_>, opened: &[Opened], name: Name, ty: TypeId) -> Option<Function> {
    let Environment { queries, function, body: from, .. } = environment;
    let Type::Function(generic) = queries.get(ty) else { return None };
    let signature = generic.signature;
    let mut maker = Maker {
        span: function.span,
        has_ownership: function.has(FunctionFlag::Ossa),
        body: Body::default(),
        entry: BlockId::from_u32(0),
        memory: Vec::new(),
        destroyed: Vec::new(),
    };
    let site = InstructionId::from_u32(0);
    let mut cloner = Cloner::new(queries, from, SubstitutionMapId::EMPTY, signature, ClonePlaces::Kept, site);
    maker.entry = maker.body.add_block();
    cloner.map_block(from.entry(), maker.entry);
    let mut passed = Vec::new();
    for (index, argument) in from.blocks[from.entry()].arguments.iter().enumerate() {
        match opened.iter().enumerate().find(|(_, opened)| opened.index == index) {
            None => {
                let clone = cloner.argument(&mut maker.body, maker.entry, *argument);
                let ty = maker.body.ty(clone);
                maker.body.values[clone].ty = SilType { ty: queries.canonical_type(ty.ty), ..ty };
            }
            Some((number, opened)) => {
                let data = &from.values[*argument];
                let ty = SilType { ty: parameter_type(queries, number), ..data.ty };
                let value = maker.body.add_argument(maker.entry, ty, data.ownership);
                maker.body.values[value].flags = data.flags;
                passed.push((opened, value));
            }
        }
    }
    for (opened, value) in passed {
        let existential = maker.wrap(opened, value);
        cloner.map_value(opened.argument, existential);
    }
    cloner.whole(&mut maker.body);
    maker.clean_up();
    Some(Function {
        name,
        ty,
        signature,
        linkage: specialized_linkage(function),
        serialization: function.serialization,
        attributes: code_attributes(function, |_| true),
        body: Some(maker.body),
        entry_count: function.entry_count,
        specialized_from: function.specialized_from,
        scope: function.scope,
        span: function.span,
    })
}

struct Maker {
    span: Span,
    has_ownership: bool,
    body: Body,
    entry: BlockId,
    /// The stack memory of existentials.
    memory: Vec<Value>,
    /// The values to destroy, as addresses and as objects.
    destroyed: Vec<Value>,
}

impl Maker {
    /// Wraps `value` in an existential.
    fn wrap(&mut self, opened: &Opened, value: Value) -> Value {
        let ty = self.body.ty(value);
        let object = SilType::object(opened.existential);
        if opened.kind == ExistentialKind::Class {
            return match ty.is_address() {
                true => self.wrap_in_memory(opened, value),
                false => self.wrap_reference(opened, value),
            };
        }
        let mut builder = self.builder();
        let memory = builder.alloc_stack(object, None);
        let inside = builder.init_existential_addr(memory, ty.ty, ty);
        self.memory.push(memory);
        let mut attributes = AttributeSet::default();
        attributes.insert(Attribute::Init);
        match opened.taking {
            Taking::Consumed => attributes.insert(Attribute::Take),
            Taking::Borrowed => self.destroyed.push(memory),
        }
        self.builder().with(attributes).copy_addr(value, inside);
        memory
    }

    /// Wraps a reference in an existential.
    fn wrap_reference(&mut self, opened: &Opened, value: Value) -> Value {
        let ty = self.body.ty(value);
        // An unowned value is copied, so that it lives as long as the function runs.
        let is_unowned = self.body.values[value].ownership == Ownership::Unowned;
        let mut builder = self.builder();
        let value = if is_unowned { builder.copy_value(value) } else { value };
        let existential = builder.init_existential_ref(value, ty.ty, SilType::object(opened.existential));
        self.destroyed.extend(is_unowned.then_some(existential));
        existential
    }

    /// Wraps the reference at `address` in an existential in new stack memory.
    fn wrap_in_memory(&mut self, opened: &Opened, address: Value) -> Value {
        let (load, store) = (load_attributes(opened.taking, self.has_ownership), store_attributes(self.has_ownership));
        let value = self.builder().with(load).load(address);
        let existential = self.wrap_reference(opened, value);
        let object = SilType::object(opened.existential);
        let mut builder = self.builder();
        let memory = builder.alloc_stack(object, None);
        builder.with(store).store(existential, memory);
        self.memory.push(memory);
        if self.has_ownership && opened.taking == Taking::Borrowed {
            self.destroyed.push(memory);
        }
        memory
    }

    /// Ends the lifetimes of the existentials at the exits.
    fn clean_up(&mut self) {
        let is_exit = |end: &InstructionId| {
            matches!(self.body.instructions[*end].opcode, Opcode::Return | Opcode::Throw | Opcode::Unwind)
        };
        let ends: Vec<InstructionId> =
            self.body.blocks.keys().filter_map(|block| self.body.terminator(block)).filter(is_exit).collect();
        for end in ends {
            let mut builder = InstructionBuilder::new(&mut self.body, Place::Before(end), end);
            for destroyed in &self.destroyed {
                let is_address = builder.ty(*destroyed).is_address();
                let opcode = if is_address { Opcode::DestroyAddr } else { Opcode::DestroyValue };
                builder.effect(opcode, *destroyed);
            }
            for memory in self.memory.iter().rev() {
                builder.dealloc_stack(*memory);
            }
        }
    }

    fn builder(&mut self) -> InstructionBuilder<'_> {
        let origin = Origin::nowhere(self.span);
        InstructionBuilder::of_origin(&mut self.body, Place::End(self.entry), origin)
    }
}
