//! The debugger's descriptions of boxes and closure contexts: their contents, and the sources of metadata of generic
//! arguments (lib/IRGen/GenReflection.cpp, `CaptureDescriptorBuilder`).

use inkwell::values::PointerValue;
use sil_ir::context::{SignatureId, SubstitutionMapId, Type, TypeId};

use crate::generation::constants::ConstantStruct;
use crate::generation::polymorphic::{Fulfillment, GenericRequirement, MetadataSource};
use crate::generation::signature::{LlvmParameter, Signature};
use crate::generation::{CaptureDescription, Entity, HeapMetadataKey, IRGenModule};
use crate::refusal::Generated;

/// The alignment of descriptors, in bytes.
const DESCRIPTOR_ALIGNMENT: u64 = 4;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Returns the descriptor of boxes and contexts with this metadata, or `None` if a type is an opened existential or
    /// has no name.
    pub(in crate::generation) fn captures(&self, key: &HeapMetadataKey) -> Option<Entity> {
        let signature = key.captures.signature;
        let sources = key.captures.sources.iter().map(|(ty, _)| ty);
        let mut types = key.fields[key.captures.bindings..].iter().chain(sources);
        types.all(|ty| self.has_name(*ty, signature)).then(|| Entity::Captures(key.clone()))
    }

    /// Returns the descriptor: the numbers of values, of types with metadata sources, and of generic arguments before
    /// the values; then these.
    pub(in crate::generation) fn capture_descriptor(&self, key: &HeapMetadataKey) -> Generated<PointerValue<'ctx>> {
        let entity = Entity::Captures(key.clone());
        if let Some(found) = self.declared_address(&entity) {
            return Ok(found);
        }
        let CaptureDescription { signature, bindings, sources } = &key.captures;
        let values = &key.fields[*bindings..];
        let mut words = ConstantStruct::new(self.pointer_size());
        [values.len(), sources.len(), *bindings].iter().for_each(|count| words.add_integer(32, *count as u64));
        values.iter().for_each(|ty| words.add_relative(self.name_of_type(*ty, *signature)));
        for (ty, source) in sources {
            words.add_relative(self.name_of_type(*ty, *signature));
            words.add_relative(Entity::PlainName(source.as_str().into()));
        }
        Ok(self.declare_constant(entity, words, DESCRIPTOR_ALIGNMENT).as_pointer_value())
    }

    /// Returns the description of a closure with the last `count` arguments of a function of type `callee`, in terms of
    /// the parameters of `generics`.
    pub fn closure_captures(
        &self,
        signature: &Signature<'_>,
        callee: TypeId,
        substitutions: SubstitutionMapId,
        count: usize,
        generics: Option<SignatureId>,
    ) -> Generated<CaptureDescription> {
        let queries = self.types.queries;
        let substituted = |ty| queries.substitute(ty, substitutions);
        let mut sources = Vec::new();
        for (number, parameter) in signature.generic_parameters().enumerate() {
            match parameter {
                LlvmParameter::Generic(GenericRequirement::Metadata(ty)) => {
                    sources.push((substituted(*ty), format!("B{number}")));
                }
                LlvmParameter::Generic(GenericRequirement::Shape(ty)) => {
                    sources.push((substituted(*ty), format!("sB{number}")));
                }
                _ => {}
            }
        }
        let parameters = match queries.get(callee) {
            Type::Function(callee) => callee.parameters.len(),
            _ => 0,
        };
        for fulfillment in self.program.mode.polymorphic_convention(self, callee)?.fulfilled {
            if let Some(source) = encoded_source(&fulfillment, parameters.saturating_sub(count))
                && let GenericRequirement::Metadata(ty) = fulfillment.requirement
            {
                sources.push((substituted(ty), source));
            }
        }
        Ok(CaptureDescription { signature: generics, bindings: signature.generic_parameters().count(), sources })
    }
}

/// Returns the encoded path to a generic argument from the captures, the first of which is parameter number `first`.
fn encoded_source(fulfillment: &Fulfillment, first: usize) -> Option<String> {
    let root = match fulfillment.source {
        MetadataSource::Object(number) => format!("R{}", number.checked_sub(first)?),
        MetadataSource::Metatype(number) => format!("M{}", number.checked_sub(first)?),
        _ => return None,
    };
    Some(fulfillment.path.iter().fold(root, |source, step| format!("G{}{source}_", step.argument)))
}
