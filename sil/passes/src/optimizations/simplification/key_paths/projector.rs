//! Inserts the instructions that project a key path from an address (lib/SILOptimizer/Utils/KeyPathProjector.cpp).
//! Accesses, borrows and temporary memory end in reverse order after the access of the projected address.
//!
//! Does not own: the choice of key paths, and the access of the projected address.

use sil_ir::context::{BuiltinType, Name, SilType, SubstitutionMapId, Type, TypeId};
use sil_ir::instructions::{Attribute, AttributeSet};
use sil_ir::model::{Apply, EnumCases, InstructionId, Value};
use sil_ir::types::TypeQueries;

use super::steps::{Projection, Step, Steps};
use crate::InstructionBuilder;
use crate::editing::flow_builder::{FlowBuilder, Fork, InsertionPoint};
use crate::knowledge::enum_cases::OptionalCases;
use crate::knowledge::key_path_functions::PlaceAccess;
use crate::pass::settings::Exclusivity;

/// The way in which class references are loaded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Loads {
    /// With ownership: the reference is borrowed while the property is accessed.
    Borrowed,
    /// Without ownership.
    Unqualified,
}

/// A cleanup after the access.
enum End {
    /// Ends the access to a class property and the borrow of the object.
    Property { access: Option<Value>, borrow: Option<Value> },
    /// Destroys the value in temporary memory and deallocates it.
    Temporary { value: Value, memory: Value },
    /// Sets the computed property of `whole` to the value in temporary memory.
    SetComputed { setter: (Name, TypeId), substitutions: SubstitutionMapId, memory: Value, whole: Value },
    /// Wraps the value of an optional again, from temporary memory if it was taken there.
    Wrap { optional: Value, cases: OptionalCases, taken: Option<Value> },
    /// Joins the path of an optional with a value and that of `nil`.
    Chain { value: Value, memory: Value, fork: Fork, access: Option<Value>, case: OptionalCases },
}

/// Inserts the instructions in a body.
pub(super) struct Projector<'f, 'b> {
    queries: &'f TypeQueries<'f>,
    flow: &'f mut FlowBuilder<'b>,
    loads: Loads,
    exclusivity: Exclusivity,
    /// The class property access in progress.
    access: Option<Value>,
    /// The result memory for an optional chain.
    chained: Option<Value>,
    ends: Vec<End>,
}

impl<'f, 'b> Projector<'f, 'b> {
    /// Creates a projector that inserts at the position of `flow`.
    pub(super) fn new(
        queries: &'f TypeQueries<'f>,
        flow: &'f mut FlowBuilder<'b>,
        loads: Loads,
        exclusivity: Exclusivity,
    ) -> Self {
        Self { queries, flow, loads, exclusivity, access: None, chained: None, ends: Vec::new() }
    }

    /// Projects the key path from `root`. Returns the projected address.
    pub(super) fn project(&mut self, root: Value, steps: &Steps) -> Value {
        let target = steps.target(self.flow.body.ty(root));
        if steps.is_optional_chain() {
            self.chained = Some(self.alloc_stack(target));
        }
        if steps.root_access == PlaceAccess::Set {
            self.at().destroy_addr(root);
        }
        let part = steps.steps.iter().fold(root, |whole, step| self.step(whole, step));
        let Some(chained) = self.chained else { return part };
        self.copy(part, chained);
        self.end();
        self.ends.push(End::Temporary { value: chained, memory: chained });
        chained
    }

    /// Continues before `id`, where the access ends.
    pub(super) fn go_to(&mut self, id: InstructionId) {
        self.flow.go_to(InsertionPoint::Before(id));
    }

    /// Copies a value to uninitialised memory.
    pub(super) fn copy(&mut self, from: Value, to: Value) {
        let initializes = AttributeSet::from([Attribute::Init]);
        self.at().with(initializes).copy_addr(from, to);
    }

    /// Moves a value to uninitialised memory.
    pub(super) fn take(&mut self, from: Value, to: Value) {
        let takes = AttributeSet::from([Attribute::Take, Attribute::Init]);
        self.at().with(takes).copy_addr(from, to);
    }

    /// Runs the cleanups.
    pub(super) fn end(&mut self) {
        while let Some(end) = self.ends.pop() {
            self.end_one(end);
        }
    }

    fn step(&mut self, whole: Value, step: &Step) -> Value {
        let Step { ref projection, access, ty } = *step;
        match projection {
            Projection::Struct(member) => {
                let part = self.at().struct_element_addr(whole, *member, ty);
                self.make_room(part, access)
            }
            Projection::Tuple(index) => {
                let part = self.at().tuple_element_addr(whole, *index, ty);
                self.make_room(part, access)
            }
            Projection::Class { member, superclasses } => {
                let object = self.object(whole, superclasses);
                let part = self.at().ref_element_addr(object, *member, ty);
                let part = self.begin_access(part, access);
                self.make_room(part, access)
            }
            Projection::Computed { getter, setter, substitutions } => {
                self.computed(whole, step, *getter, *setter, *substitutions)
            }
            Projection::Wrap(cases) => self.wrap(whole, *cases, ty),
            Projection::Force(cases) => self.force(whole, *cases, step),
            Projection::Chain(cases) => self.chain(whole, *cases, ty),
        }
    }

    /// Destroys the value at an address before it is set.
    fn make_room(&mut self, part: Value, access: PlaceAccess) -> Value {
        if access == PlaceAccess::Set {
            self.at().destroy_addr(part);
        }
        part
    }

    /// Loads the object at an address and casts it to the last of the superclasses. Ends the access in progress.
    fn object(&mut self, address: Value, superclasses: &[TypeId]) -> Value {
        let loaded = match self.loads {
            Loads::Borrowed => self.at().load_borrow(address),
            Loads::Unqualified => self.at().load(address),
        };
        self.end_access();
        let borrow = (self.loads == Loads::Borrowed).then_some(loaded);
        self.ends.push(End::Property { access: None, borrow });
        superclasses.iter().fold(loaded, |object, class| {
            let ty = SilType::object(*class);
            self.at().upcast(object, ty)
        })
    }

    /// Begins an access to a property of the object that was loaded last.
    fn begin_access(&mut self, part: Value, access: PlaceAccess) -> Value {
        if self.exclusivity == Exclusivity::Unchecked {
            return part;
        }
        let kind = if access == PlaceAccess::Get { Attribute::Read } else { Attribute::Modify };
        let attributes = AttributeSet::from([kind, Attribute::Dynamic]);
        let begun = self.at().with(attributes).begin_access(part);
        self.access = Some(begun);
        if let Some(End::Property { access, .. }) = self.ends.last_mut() {
            *access = Some(begun);
        }
        begun
    }

    fn end_access(&mut self) {
        if let Some(access) = self.access.take() {
            self.at().end_access(access);
        }
    }

    /// Temporary memory with the result of the getter, or for the operand of the setter.
    fn computed(
        &mut self,
        whole: Value,
        step: &Step,
        getter: (Name, TypeId),
        setter: Option<(Name, TypeId)>,
        substitutions: SubstitutionMapId,
    ) -> Value {
        let memory = self.alloc_stack(step.ty);
        if step.access != PlaceAccess::Set {
            self.call(getter, substitutions, &[memory, whole]);
        }
        match (step.access, setter) {
            (PlaceAccess::Set | PlaceAccess::Modify, Some(setter)) => {
                self.ends.push(End::SetComputed { setter, substitutions, memory, whole });
            }
            _ => {
                self.end_access();
                self.ends.push(End::Temporary { value: memory, memory });
            }
        }
        memory
    }

    fn wrap(&mut self, value: Value, cases: OptionalCases, ty: SilType) -> Value {
        let memory = self.alloc_stack(ty);
        let ty = self.flow.body.ty(value);
        let payload = self.at().init_enum_data_addr(memory, cases.some, ty);
        self.copy(value, payload);
        self.at().inject_enum_addr(memory, cases.some);
        self.ends.push(End::Temporary { value: memory, memory });
        memory
    }

    fn force(&mut self, optional: Value, cases: OptionalCases, step: &Step) -> Value {
        if step.access != PlaceAccess::Set {
            self.check_some(optional, cases);
        }
        match step.access {
            PlaceAccess::Get => {
                let (value, memory) = self.copied_payload(optional, cases, step.ty);
                self.ends.push(End::Temporary { value, memory });
                value
            }
            PlaceAccess::Set => {
                self.ends.push(End::Wrap { optional, cases, taken: None });
                self.at().init_enum_data_addr(optional, cases.some, step.ty)
            }
            PlaceAccess::Modify => {
                let memory = self.alloc_stack(step.ty);
                let payload = self.payload(optional, cases, step.ty);
                self.take(payload, memory);
                self.ends.push(End::Wrap { optional, cases, taken: Some(memory) });
                memory
            }
        }
    }

    /// Inserts a trap for an optional that is `nil`.
    fn check_some(&mut self, optional: Value, cases: OptionalCases) {
        let bit = SilType::object(self.queries.context.ty(Type::Builtin(BuiltinType::Integer(1))));
        let mut literal = |value| self.at().integer_literal(value, bit);
        let (no, yes) = (literal(0), literal(-1));
        let cases = EnumCases::without_default([cases.none, cases.some]);
        let is_none = self.at().select_enum_addr(cases, &[optional, yes, no], bit);
        let message = "unexpectedly found nil while unwrapping an Optional key-path expression";
        self.at().cond_fail(is_none, message);
    }

    /// Branches on an optional, and continues with its value.
    fn chain(&mut self, optional: Value, cases: OptionalCases, ty: SilType) -> Value {
        let fork = self.flow.divide();
        let [some, none] = fork.ways;
        self.flow.builder().switch_enum_addr(
            optional,
            EnumCases::without_default([cases.none, cases.some]),
            &[none, some],
        );
        self.flow.go_to(InsertionPoint::End(some));
        let (value, memory) = self.copied_payload(optional, cases, ty);
        self.ends.push(End::Chain { value, memory, fork, access: self.access, case: cases });
        value
    }

    /// Copies an optional and projects the payload of the copy, since projecting it invalidates the optional. Returns
    /// the payload with the memory of the copy.
    fn copied_payload(&mut self, optional: Value, cases: OptionalCases, ty: SilType) -> (Value, Value) {
        let memory = self.alloc_stack(self.flow.body.ty(optional));
        self.copy(optional, memory);
        (self.payload(memory, cases, ty), memory)
    }

    fn payload(&mut self, optional: Value, cases: OptionalCases, ty: SilType) -> Value {
        self.at().unchecked_take_enum_data_addr(optional, cases.some, ty)
    }

    fn end_one(&mut self, end: End) {
        match end {
            End::Property { access, borrow } => {
                if access.is_some() && access == self.access {
                    self.end_access();
                }
                if let Some(borrow) = borrow {
                    self.at().end_borrow(borrow);
                }
            }
            End::Temporary { value, memory } => {
                self.at().destroy_addr(value);
                self.at().dealloc_stack(memory);
            }
            End::SetComputed { setter, substitutions, memory, whole } => {
                self.call(setter, substitutions, &[memory, whole]);
                self.end_one(End::Temporary { value: memory, memory });
            }
            End::Wrap { optional, cases, taken } => {
                if let Some(memory) = taken {
                    let ty = self.flow.body.ty(memory);
                    let payload = self.at().init_enum_data_addr(optional, cases.some, ty);
                    self.take(memory, payload);
                    self.at().dealloc_stack(memory);
                }
                self.at().inject_enum_addr(optional, cases.some);
            }
            End::Chain { value, memory, fork, access, case } => {
                self.end_one(End::Temporary { value, memory });
                self.flow.builder().branch(fork.join, &[]);
                self.flow.go_to(InsertionPoint::End(fork.ways[1]));
                // If the other path ended an access that was in progress on both, so does this one.
                if let Some(access) = access.filter(|access| self.access != Some(*access)) {
                    self.at().end_access(access);
                }
                if let Some(chained) = self.chained {
                    self.at().inject_enum_addr(chained, case.none);
                }
                self.flow.builder().branch(fork.join, &[]);
                self.flow.join(fork);
            }
        }
    }

    fn call(&mut self, (name, ty): (Name, TypeId), substitutions: SubstitutionMapId, arguments: &[Value]) {
        let callee_type = SilType::object(ty);
        let callee = self.at().function_ref(name, callee_type);
        let operands: Vec<Value> = std::iter::once(callee).chain(arguments.iter().copied()).collect();
        let nothing = SilType::object(self.queries.void());
        self.at().apply(Apply::new(callee_type, substitutions), &operands, nothing);
    }

    fn alloc_stack(&mut self, ty: SilType) -> Value {
        self.at().alloc_stack(ty.object_type(), None)
    }

    fn at(&mut self) -> InstructionBuilder<'_> {
        self.flow.builder()
    }
}
