//! The targets of remote calls: the thunks of distributed methods, and the requirements of protocols of distributed
//! actors. The runtime finds a target by its name in a record (`TargetAccessibleFunctionRecord`,
//! include/swift/ABI/Metadata.h) and calls its accessor (lib/IRGen/GenDistributed.cpp), which has one type for all
//! targets. Does not own: the code of accessors (`instructions::distributed`).

use std::rc::Rc;

use inkwell::values::PointerValue;
use sil_ir::context::{
    BuiltinType, CalleeConvention, Distribution, FormalFunctionType, FormalParameter, FormalSpecifier,
    FunctionAttribute, FunctionAttributes, FunctionResult, FunctionType, GenericParameter, GenericParameterKind,
    GenericSignature, MemberId, MemberKind, MemberRef, MemberTarget, NominalId, Parameter, ParameterConvention,
    ParameterOption, ParameterOptions, Representation, Requirement, ResultConvention, SignatureId, Throws, Type,
    TypeId, Variadic,
};
use sil_ir::declarations::NominalKind;
use sil_ir::model::{Function, FunctionFlag, FunctionId};
use sil_ir::symbols::{Symbol, Tree};
use sil_ir::types::{SymbolTypes, WitnessSlot};

use super::constants::ConstantStruct;
use super::signature::Signature;
use super::{Entity, FunctionPointerKind, IRGenModule};
use crate::refusal::{Generated, unsupported_without_place};

/// The library of actor systems.
pub(super) const DISTRIBUTED: &str = "Distributed";

/// The protocol of decoders.
const DECODER: &str = "DistributedTargetInvocationDecoder";

/// The suffix of the symbol of a thunk after that of its method.
const THUNK_SUFFIX: &str = "TE";

/// The flag of records of distributed targets (`AccessibleFunctionFlags`).
const IS_DISTRIBUTED: u64 = 1;

/// The alignment of records, in bytes.
const RECORD_ALIGNMENT: u64 = 4;

/// A target of remote calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DistributedTarget {
    /// The thunk of a distributed method.
    Thunk(FunctionId),
    /// The requirement with this number of a protocol of the module: the thunk that the actor's type has for it.
    Requirement(NominalId, u32),
}

/// The requirement by which accessors decode arguments: its member, its formal type, its lowered type.
pub struct DecodeNextArgument {
    /// The protocol of decoders.
    pub protocol: NominalId,
    /// The requirement.
    pub member: MemberId,
    /// Its formal type.
    pub formal: TypeId,
    /// Its lowered type.
    pub lowered: TypeId,
}

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Returns whether the runtime finds `function` by its name.
    pub(crate) fn is_distributed_thunk(&self, function: &Function) -> bool {
        function.has(FunctionFlag::Distributed) && function.has(FunctionFlag::Thunk) && self.has_library_runtime()
    }

    /// Declares the record of a target, if it is not declared yet.
    pub(crate) fn declare_distributed_target(&self, target: DistributedTarget) -> Generated<PointerValue<'ctx>> {
        let entity = Entity::AccessibleFunction(target);
        if let Some(found) = self.declared_address(&entity) {
            return Ok(found);
        }
        self.require_symbol(&entity)?;
        let ty = self.distributed_target_type(target)?;
        let signature = self.signature_of_target(ty);
        self.distributed_accessor(target)?;
        let accessor =
            Entity::FunctionPointer(FunctionPointerKind::Async, Box::new(Entity::DistributedAccessor(target)));
        let mut record = ConstantStruct::new(self.pointer_size());
        record.add_relative(Entity::String(self.distributed_target_name(target)?.into_bytes().into()));
        match signature {
            Some(signature) => record.add_relative(Entity::GenericEnvironment(signature)),
            None => record.add_integer(32, 0),
        }
        record.add_relative(self.name_of_type(ty, signature));
        record.add_relative(accessor);
        record.add_integer(32, IS_DISTRIBUTED);
        Ok(self.declare_constant(entity, record, RECORD_ALIGNMENT).as_pointer_value())
    }

    /// Declares the records of the distributed requirements of a protocol of the module.
    pub(super) fn declare_distributed_requirements(&self, protocol: NominalId) -> Generated<()> {
        for (slot, number) in self.witness_slots(protocol)?.iter().zip(0..) {
            if let WitnessSlot::Method { distribution: Distribution::Thunk, .. } = slot {
                self.declare_distributed_target(DistributedTarget::Requirement(protocol, number))?;
            }
        }
        Ok(())
    }

    /// Returns the records that are declared here.
    pub(super) fn distributed_records(&self) -> Vec<PointerValue<'ctx>> {
        let thunks = self.sil.functions.iter().filter(|(_, function)| self.is_distributed_thunk(function));
        let thunks = thunks.map(|(id, _)| DistributedTarget::Thunk(id));
        let protocols = self.sil.declarations.iter().filter(|(_, found)| found.kind == NominalKind::Protocol);
        let requirements = protocols.flat_map(|(protocol, _)| {
            let slots = self.program.witness_slots.of(self.types.queries, protocol).map_or(0, |slots| slots.len());
            (0..slots as u32).map(move |slot| DistributedTarget::Requirement(protocol, slot))
        });
        let entities = thunks.chain(requirements).map(Entity::AccessibleFunction);
        entities.filter_map(|entity| self.declared_address(&entity)).collect()
    }

    /// Returns the lowered type of the function that a remote call of `target` reaches.
    pub(crate) fn distributed_target_type(&self, target: DistributedTarget) -> Generated<TypeId> {
        match target {
            DistributedTarget::Thunk(id) => Ok(self.sil.functions[id].ty),
            DistributedTarget::Requirement(protocol, slot) => {
                let (member, formal) = self.distributed_requirement(protocol, slot)?;
                let found = self.types.queries.requirement_type(protocol, member.kind, formal, None);
                found.ok_or_else(|| Box::new(unsupported_without_place("a distributed requirement of this type")))
            }
        }
    }

    fn distributed_requirement(&self, protocol: NominalId, slot: u32) -> Generated<(MemberRef, TypeId)> {
        let found = self.declared_member(protocol, slot)?;
        found.ok_or_else(|| Box::new(unsupported_without_place("a distributed requirement of this form")))
    }

    /// Returns the signature that the generic arguments of remote calls belong to.
    pub(crate) fn signature_of_target(&self, ty: TypeId) -> Option<SignatureId> {
        self.types.queries.conventions(ty)?.function.signature
    }

    /// Returns the name by which calls name the target (lib/AST/ASTMangler.cpp, `appendDistributedThunk`).
    pub(super) fn distributed_target_name(&self, target: DistributedTarget) -> Generated<String> {
        let (protocol, slot) = match target {
            DistributedTarget::Thunk(id) => return Ok(self.symbol_of_function(&self.sil.functions[id])),
            DistributedTarget::Requirement(protocol, slot) => (protocol, slot),
        };
        let (member, formal) = self.distributed_requirement(protocol, slot)?;
        let formal = self.without_sending(formal);
        let mut tree = Tree::default();
        let types = SymbolTypes::new(self.types.queries, &mut tree).for_runtime();
        let types = types.as_member_of(self.stub_of(protocol));
        let member = types.member(protocol, &member, formal, None);
        let symbol = member.and_then(|member| Symbol::new(self.mangling_flavor(), tree, member).remangle());
        let symbol = symbol.map(|symbol| format!("{symbol}{THUNK_SUFFIX}"));
        symbol.ok_or_else(|| Box::new(unsupported_without_place("a distributed requirement without a mangled name")))
    }

    /// Returns the stub of a protocol: the actor that the macro `@Resolvable` declares for it. Callers that do not know
    /// the type of an actor name the requirement as the stub's.
    fn stub_of(&self, protocol: NominalId) -> Option<NominalId> {
        let declaration = self.sil.declarations.get(protocol);
        let name = self.sil.context.find_name(&format!("${}", self.sil.context.text(declaration.name)))?;
        self.sil.declarations.in_module(declaration.module, name)
    }

    /// Returns the interface type of a thunk as its symbol names it, where all parameters are sent.
    fn without_sending(&self, formal: TypeId) -> TypeId {
        let context = &self.sil.context;
        let Type::FormalFunction(outer) = context.get(formal) else { return formal };
        let Type::FormalFunction(inner) = context.get(outer.result) else { return formal };
        let (mut outer, mut inner) = ((**outer).clone(), (**inner).clone());
        inner.parameters.iter_mut().for_each(|parameter| parameter.options.remove(ParameterOption::Sending));
        outer.result = context.ty(Type::FormalFunction(Box::new(inner)));
        context.ty(Type::FormalFunction(Box::new(outer)))
    }

    /// Declares the accessor of a target, if it is not declared yet.
    fn distributed_accessor(&self, target: DistributedTarget) -> Generated<()> {
        let entity = Entity::DistributedAccessor(target);
        if self.declared_function(&entity).is_none() {
            self.declare_thunk(entity, &*self.distributed_accessor_signature()?);
        }
        Ok(())
    }

    /// Returns the signature of accessors (lib/IRGen/GenDistributed.cpp, `getAccessorType`): the decoder, the types of
    /// arguments, memory for the result, generic arguments, witness tables, their number, the actor; the type of the
    /// decoder and its witness table. They are async and throw.
    pub(crate) fn distributed_accessor_signature(&self) -> Generated<Rc<Signature<'ctx>>> {
        let context = &self.sil.context;
        let builtin = |ty| context.ty(Type::Builtin(ty));
        let (pointer, number) = (builtin(BuiltinType::RawPointer), builtin(BuiltinType::Word));
        let decoder = context.ty(Type::GenericParameter { depth: 0, index: 0 });
        let options = ParameterOptions::default();
        let unowned = |ty| Parameter { convention: ParameterConvention::Unowned, ty, options };
        let actor = builtin(BuiltinType::NativeObject);
        let parameters = [
            Parameter { convention: ParameterConvention::InOut, ty: decoder, options },
            unowned(pointer),
            unowned(pointer),
            unowned(pointer),
            unowned(pointer),
            unowned(number),
            Parameter { convention: ParameterConvention::Guaranteed, ty: actor, options },
        ];
        let unknown = || Box::new(unsupported_without_place("remote calls in a module that does not know 'Error'"));
        let error = self.types.queries.any_error().ok_or_else(unknown)?;
        let mut attributes = FunctionAttributes::default();
        attributes.insert(FunctionAttribute::Async);
        let ty = context.ty(Type::Function(Box::new(FunctionType {
            signature: Some(self.decoder_signature(&[])?),
            representation: Representation::Thin,
            attributes,
            parameters: Box::new(parameters),
            error: Some(FunctionResult { convention: ResultConvention::Owned, ty: error, options }),
            ..FunctionType::thick(CalleeConvention::None)
        })));
        self.signature(ty)
    }

    fn decoder_protocol(&self) -> Generated<NominalId> {
        let name = |text| self.sil.context.find_name(text);
        let names = name(DISTRIBUTED).zip(name(DECODER));
        let found = names.and_then(|(module, protocol)| self.sil.declarations.in_module(module, protocol));
        let what = "remote calls in a module that does not know the library 'Distributed'";
        found.ok_or_else(|| Box::new(unsupported_without_place(what)))
    }

    /// Returns `<D where D : DistributedTargetInvocationDecoder>`, with the parameters of a level below.
    fn decoder_signature(&self, below: &[GenericParameter]) -> Generated<SignatureId> {
        let context = &self.sil.context;
        let protocol = self.decoder_protocol()?;
        let constraint = context.ty(Type::Protocol { protocol, arguments: Box::default() });
        let subject = context.ty(Type::GenericParameter { depth: 0, index: 0 });
        let decoder = GenericParameter { name: None, depth: 0, index: 0, kind: GenericParameterKind::Type };
        Ok(context.signature(GenericSignature {
            parameters: std::iter::once(decoder).chain(below.iter().copied()).collect(),
            requirements: Box::new([Requirement::Conformance { subject, constraint }]),
        }))
    }

    /// Returns `<D><Argument> (inout D) -> () throws -> Argument`, the requirement `decodeNextArgument`.
    pub(crate) fn decode_next_argument(&self) -> Generated<DecodeNextArgument> {
        let context = &self.sil.context;
        let protocol = self.decoder_protocol()?;
        let argument = GenericParameter { name: None, depth: 1, index: 0, kind: GenericParameterKind::Type };
        let signature = self.decoder_signature(&[argument])?;
        let decoder = context.ty(Type::GenericParameter { depth: 0, index: 0 });
        let this = FormalParameter {
            label: None,
            ty: context.ty(Type::InOut(decoder)),
            specifier: FormalSpecifier::Default,
            variadic: Variadic::No,
            options: ParameterOptions::default(),
        };
        let function = |signature, parameters, result, throws| {
            context.ty(Type::FormalFunction(Box::new(FormalFunctionType {
                signature,
                representation: Representation::Thick,
                attributes: FunctionAttributes::default(),
                differentiability: None,
                parameters,
                result,
                throws,
                global_actor: None,
            })))
        };
        let argument = context.ty(Type::GenericParameter { depth: 1, index: 0 });
        let decode = function(None, Box::default(), argument, Throws::Any);
        let formal = function(Some(signature), Box::new([this]), decode, Throws::No);
        let name = context.name("decodeNextArgument");
        let member = MemberRef::new(Some(protocol), name, MemberKind::Plain, MemberTarget::Other);
        let lowered = self.types.queries.requirement_type(protocol, member.kind, formal, None);
        let lowered =
            lowered.ok_or_else(|| Box::new(unsupported_without_place("the requirement 'decodeNextArgument'")))?;
        Ok(DecodeNextArgument { protocol, member: context.member(member), formal, lowered })
    }
}
