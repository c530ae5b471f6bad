//! Emits instructions of new functions and operations on tangent vectors: zeros and sums, by the requirements of
//! `AdditiveArithmetic` (lib/SILOptimizer/Differentiation/TangentBuilder.cpp).

use sil_ir::context::{
    CalleeConvention, FormalFunctionType, FormalParameter, FormalSpecifier, FunctionAttributes, FunctionResult,
    FunctionType, GenericParameter, GenericParameterKind, GenericSignature, MemberKind, MemberRef, MemberTarget,
    MetatypeRepresentation, Name, NominalId, Parameter, ParameterConvention, ParameterOptions, Representation,
    Requirement, ResultConvention, SignatureId, SilType, SubstitutionMapId, Sugar, Throws, TupleElement, Type, TypeId,
    Variadic,
};
use sil_ir::instructions::{Attribute, AttributeSet};
use sil_ir::model::{Apply, BlockId, Body, InstructionId, LocationTraits, Method, Place, Value};
use sil_ir::types::TypeQueries;

use crate::InstructionBuilder;
use crate::editing::builder::Origin;

/// Returns the origin of instructions made for an instruction of the original: its source location without special
/// traits.
pub(super) fn origin_of(body: &Body, id: InstructionId) -> Origin {
    Origin { traits: LocationTraits::default(), ..Origin::of(body, id) }
}

/// Emits instructions in order.
pub(super) struct Emitter<'e, 'q> {
    pub(super) queries: &'e TypeQueries<'q>,
    pub(super) body: &'e mut Body,
    pub(super) place: Place,
    pub(super) origin: Origin,
}

impl<'e, 'q> Emitter<'e, 'q> {
    /// Emits instructions at the end of `block`.
    pub(super) fn at_end(queries: &'e TypeQueries<'q>, body: &'e mut Body, block: BlockId, origin: Origin) -> Self {
        Self { queries, body, place: Place::End(block), origin }
    }

    /// Emits instructions in front of `id`, at its source location.
    pub(super) fn before(queries: &'e TypeQueries<'q>, body: &'e mut Body, id: InstructionId) -> Self {
        let origin = origin_of(body, id);
        Self { queries, body, place: Place::Before(id), origin }
    }

    /// Returns the type of a value.
    pub(super) fn ty(&self, value: Value) -> SilType {
        self.body.ty(value)
    }

    /// The builder of the next instruction.
    pub(super) fn at(&mut self) -> InstructionBuilder<'_> {
        InstructionBuilder::of_origin(self.body, self.place, self.origin)
    }

    /// Emits a reference to a function.
    pub(super) fn function_ref(&mut self, name: Name, ty: TypeId) -> Value {
        self.at().function_ref(name, SilType::object(ty))
    }

    /// Emits a call of a function without generic parameters of its own, and returns its result.
    pub(super) fn apply(&mut self, callee: Value, arguments: &[Value]) -> Option<Value> {
        let conventions = self.queries.conventions(self.ty(callee).ty)?;
        let result = self.queries.direct_result(conventions);
        let operands: Vec<Value> = std::iter::once(callee).chain(arguments.iter().copied()).collect();
        let apply = Apply::new(self.ty(callee), SubstitutionMapId::EMPTY);
        Some(self.at().apply(apply, &operands, result))
    }

    /// Returns the elements of `value` if it is a tuple, or else `value`.
    pub(super) fn elements(&mut self, value: Value) -> Vec<Value> {
        match self.queries.get(self.ty(value).ty) {
            Type::Tuple(elements) => {
                let types: Vec<SilType> = elements.iter().map(|element| SilType::object(element.ty)).collect();
                self.at().destructure_tuple(value, &types)
            }
            _ => vec![value],
        }
    }

    /// Joins several values in a tuple; one value stays as it is.
    pub(super) fn joined(&mut self, elements: &[Value]) -> Value {
        if let [only] = elements {
            return *only;
        }
        let parts = elements.iter().map(|value| TupleElement { label: None, ty: self.ty(*value).ty });
        let ty = self.queries.context.ty(Type::Tuple(parts.collect()));
        self.at().tuple(elements, SilType::object(ty))
    }

    /// Returns whether a type is trivial.
    pub(super) fn is_trivial(&self, ty: TypeId) -> bool {
        self.queries.properties(ty, None).is_trivial()
    }

    /// Allocates uninitialised stack memory.
    fn buffer(&mut self, ty: TypeId) -> Value {
        self.at().automatic().alloc_stack(SilType::object(ty), None)
    }

    fn store(&mut self, value: Value, buffer: Value) {
        let mut attributes = AttributeSet::default();
        attributes.insert(if self.is_trivial(self.ty(value).ty) { Attribute::Trivial } else { Attribute::Init });
        self.at().with(attributes).store(value, buffer);
    }

    fn take(&mut self, buffer: Value) -> Value {
        let ty = self.ty(buffer).ty;
        let mut attributes = AttributeSet::default();
        attributes.insert(if self.is_trivial(ty) { Attribute::Trivial } else { Attribute::Take });
        self.at().with(attributes).load(buffer)
    }

    /// Emits the sum of two tangent vectors, which are not consumed; `None` if the module lacks the protocol.
    pub(super) fn sum(&mut self, left: Value, right: Value) -> Option<Value> {
        let ty = self.ty(left).ty;
        let [left, right] = [left, right].map(|value| self.copy(value));
        let [result, left_buffer, right_buffer] = [(); 3].map(|()| self.buffer(ty));
        self.store(left, left_buffer);
        self.store(right, right_buffer);
        self.call_requirement(ty, &Arithmetic::Plus, &[result, right_buffer, left_buffer])?;
        self.at().destroy_addr(left_buffer);
        self.at().destroy_addr(right_buffer);
        self.at().dealloc_stack(right_buffer);
        self.at().dealloc_stack(left_buffer);
        let sum = self.take(result);
        self.at().dealloc_stack(result);
        Some(sum)
    }

    /// Emits the zero of a tangent vector type; `None` if the module lacks the protocol.
    pub(super) fn zero(&mut self, ty: TypeId) -> Option<Value> {
        let buffer = self.buffer(ty);
        self.initialize_with_zero(ty, buffer)?;
        let zero = self.take(buffer);
        self.at().dealloc_stack(buffer);
        Some(zero)
    }

    fn initialize_with_zero(&mut self, ty: TypeId, buffer: Value) -> Option<()> {
        if let Type::Tuple(elements) = self.queries.get(ty) {
            for (index, element) in (0..).zip(elements.iter()) {
                let address = SilType::address(element.ty);
                let part = self.at().tuple_element_addr(buffer, index, address);
                self.initialize_with_zero(element.ty, part)?;
            }
            return Some(());
        }
        self.call_requirement(ty, &Arithmetic::Zero, &[buffer])
    }

    /// Emits a copy of a nontrivial value.
    pub(super) fn copy(&mut self, value: Value) -> Value {
        match self.is_trivial(self.ty(value).ty) {
            true => value,
            false => self.at().copy_value(value),
        }
    }

    /// Emits the destroy of a nontrivial value.
    pub(super) fn destroy(&mut self, value: Value) {
        if !self.is_trivial(self.ty(value).ty) {
            self.at().destroy_value(value);
        }
    }

    /// Calls the witness of a type for a requirement of `AdditiveArithmetic` with the addresses that it takes.
    fn call_requirement(&mut self, ty: TypeId, requirement: &Arithmetic, addresses: &[Value]) -> Option<()> {
        let queries = self.queries;
        let context = queries.context;
        let protocol = queries.declarations.top_level(context.name("AdditiveArithmetic"))?;
        let lookup = requirement.method(queries, protocol, ty);
        let lowered = SilType::object(requirement.lowered_type(queries, protocol));
        let method = self.at().witness_method(Box::new(lookup), None, lowered);
        let metatype = Type::Metatype { instance: ty, representation: Some(MetatypeRepresentation::Thick) };
        let metatype = SilType::object(context.ty(metatype));
        let metatype = self.at().metatype(metatype);
        let substitutions = context.substitutions(signature_of_self(queries, protocol, None), [ty]);
        let operands: Vec<Value> = std::iter::once(method).chain(addresses.iter().copied()).chain([metatype]).collect();
        let nothing = SilType::object(context.ty(Type::Tuple(Box::default())));
        self.at().apply(Apply::new(lowered, substitutions), &operands, nothing);
        Some(())
    }
}

/// A requirement of `AdditiveArithmetic`.
enum Arithmetic {
    /// `static var zero: Self { get }`
    Zero,
    /// `static func + (Self, Self) -> Self`
    Plus,
}

impl Arithmetic {
    fn operand_count(&self) -> usize {
        match self {
            Arithmetic::Zero => 0,
            Arithmetic::Plus => 2,
        }
    }

    /// Returns the lookup of the witness of `ty`.
    fn method(&self, queries: &TypeQueries<'_>, protocol: NominalId, ty: TypeId) -> Method {
        let (name, kind) = match self {
            Arithmetic::Zero => ("zero", MemberKind::Getter),
            Arithmetic::Plus => ("+", MemberKind::Plain),
        };
        let member = MemberRef::new(Some(protocol), queries.context.name(name), kind, MemberTarget::Other);
        Method {
            member: queries.context.member(member),
            formal_type: Some(self.formal_type(queries, protocol)),
            sugar: Sugar::default(),
            lookup: Some(ty),
        }
    }

    /// Returns `<Self where Self : AdditiveArithmetic> (Self.Type) -> (Self, Self) -> Self`.
    fn formal_type(&self, queries: &TypeQueries<'_>, protocol: NominalId) -> TypeId {
        let context = queries.context;
        let subject = context.ty(Type::GenericParameter { depth: 0, index: 0 });
        let metatype = context.ty(Type::Metatype { instance: subject, representation: None });
        let inner = formal_function(None, vec![subject; self.operand_count()], subject);
        let inner = context.ty(Type::FormalFunction(Box::new(inner)));
        let name = Some(context.name("Self"));
        let outer = formal_function(None, vec![metatype], inner);
        let signature = Some(signature_of_self(queries, protocol, name));
        context.ty(Type::FormalFunction(Box::new(FormalFunctionType { signature, ..outer })))
    }

    /// Returns the lowered type of the requirement.
    fn lowered_type(&self, queries: &TypeQueries<'_>, protocol: NominalId) -> TypeId {
        let context = queries.context;
        let subject = context.ty(Type::GenericParameter { depth: 0, index: 0 });
        let options = ParameterOptions::default();
        let operand = Parameter { convention: ParameterConvention::InGuaranteed, ty: subject, options };
        let metatype = Type::Metatype { instance: subject, representation: Some(MetatypeRepresentation::Thick) };
        let metatype = Parameter { convention: ParameterConvention::Unowned, ty: context.ty(metatype), options };
        let parameters = std::iter::repeat_n(operand, self.operand_count()).chain([metatype]);
        let result = FunctionResult { convention: ResultConvention::Indirect, ty: subject, options };
        let function = FunctionType {
            signature: Some(signature_of_self(queries, protocol, None)),
            representation: Representation::WitnessMethod(protocol),
            parameters: parameters.collect(),
            results: Box::new([result]),
            ..FunctionType::thick(CalleeConvention::None)
        };
        context.ty(Type::Function(Box::new(function)))
    }
}

fn formal_function(signature: Option<SignatureId>, parameters: Vec<TypeId>, result: TypeId) -> FormalFunctionType {
    let parameter = |ty| FormalParameter {
        label: None,
        ty,
        specifier: FormalSpecifier::Default,
        variadic: Variadic::No,
        options: ParameterOptions::default(),
    };
    FormalFunctionType {
        signature,
        representation: Representation::Thick,
        attributes: FunctionAttributes::default(),
        differentiability: None,
        parameters: parameters.into_iter().map(parameter).collect(),
        result,
        throws: Throws::No,
        global_actor: None,
    }
}

/// Returns `<Self where Self : P>`.
fn signature_of_self(queries: &TypeQueries<'_>, protocol: NominalId, name: Option<Name>) -> SignatureId {
    let context = queries.context;
    let subject = context.ty(Type::GenericParameter { depth: 0, index: 0 });
    let constraint = context.ty(Type::Protocol { protocol, arguments: Box::default() });
    let parameter = GenericParameter { name, depth: 0, index: 0, kind: GenericParameterKind::Type };
    context.signature(GenericSignature {
        parameters: Box::new([parameter]),
        requirements: Box::new([Requirement::Conformance { subject, constraint }]),
    })
}
