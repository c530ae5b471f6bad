//! The types that actor systems serialise. The protocols of the library `Distributed` have requirements that take or
//! return a value of any type, since a protocol cannot name the requirement on serialised types that each system states
//! for itself. Witnesses have that requirement all the same: they look up the witness tables that their callers do not
//! pass (lib/IRGen/GenProto.cpp, `EmitPolymorphicParameters::injectAdHocDistributedRequirements`).

use inkwell::values::PointerValue;
use rustc_hash::FxHashMap;
use sil_ir::context::{Name, NominalId, Type, TypeId};
use sil_ir::model::{Function, WitnessEntry};

use super::distributed_targets::DISTRIBUTED;
use super::{IRGenFunction, IRGenModule, NominalPart, RuntimeFunction};
use crate::refusal::Generated;

/// The functions that serve as witnesses, and the serialised type of each.
pub(super) type SerializingWitnesses = FxHashMap<Name, SerializedType>;

/// The serialised type in the signature of a requirement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SerializedType {
    /// The result, in `remoteCall`.
    Result,
    /// The first type parameter of the requirement itself.
    FirstParameter,
}

impl SerializedType {
    /// Returns the serialised type of the requirement `member` of `protocol`, both from the library
    /// (include/swift/AST/Decl.h, `isDistributedWitnessWithAdHocSerializationRequirement`).
    fn of(protocol: &str, member: &str) -> Option<Self> {
        match (protocol, member) {
            ("DistributedActorSystem", "remoteCall") => Some(SerializedType::Result),
            ("DistributedTargetInvocationEncoder", "recordArgument" | "recordReturnType")
            | ("DistributedTargetInvocationDecoder", "decodeNextArgument")
            | ("DistributedTargetInvocationResultHandler", "onReturn") => Some(SerializedType::FirstParameter),
            _ => None,
        }
    }
}

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Returns the serialised type of `function`, if it is a witness with one.
    fn serialized_type(&self, function: &Function) -> Option<TypeId> {
        let queries = self.types.queries;
        match self.serializing_witnesses().get(&function.name)? {
            SerializedType::Result => Some(queries.conventions(function.ty)?.function.results.first()?.ty),
            SerializedType::FirstParameter => {
                let parameters = &self.sil.context.get_signature(function.signature?).parameters;
                let depth = parameters.iter().map(|parameter| parameter.depth).max()?;
                let first = parameters.iter().find(|parameter| parameter.depth == depth)?;
                Some(self.sil.context.ty(Type::GenericParameter { depth, index: first.index }))
            }
        }
    }

    fn serializing_witnesses(&self) -> &SerializingWitnesses {
        self.program.serializing_witnesses.get_or_init(|| {
            let tables = self.sil.witness_tables.iter().flat_map(|table| table.entries.iter().flatten());
            let witness = |entry: &WitnessEntry| match entry {
                WitnessEntry::Method { member, function: Some(function), .. } => {
                    let member = self.sil.context.get_member(*member);
                    let protocol = self.sil.declarations.get(member.parent?);
                    let text = |name| self.sil.context.text(name);
                    let is_of_library = text(protocol.module) == DISTRIBUTED;
                    let serialized = SerializedType::of(text(protocol.name), text(member.name));
                    Some((*function, serialized.filter(|_| is_of_library)?))
                }
                _ => None,
            };
            tables.filter_map(witness).collect()
        })
    }
}

impl<'ctx> IRGenFunction<'_, 'ctx> {
    /// Returns the witness table of `ty` for `protocol` from the runtime, if `ty` is the serialised type of this
    /// function.
    pub(super) fn witness_table_of_serialized(
        &self,
        ty: TypeId,
        protocol: NominalId,
    ) -> Generated<Option<PointerValue<'ctx>>> {
        if self.module.serialized_type(self.function) != Some(ty) {
            return Ok(None);
        }
        self.conformance_by_runtime(self.type_metadata(ty)?, protocol).map(Some)
    }

    /// Returns the witness table of the type with this metadata for `protocol`, or null.
    pub(crate) fn conformance_by_runtime(
        &self,
        metadata: PointerValue<'ctx>,
        protocol: NominalId,
    ) -> Generated<PointerValue<'ctx>> {
        let descriptor = self.module.nominal_part(NominalPart::Descriptor, protocol)?;
        let arguments = [metadata.into(), descriptor.into()];
        Ok(self.call_runtime_for(RuntimeFunction::ConformsToProtocol, &arguments).into_pointer_value())
    }
}
