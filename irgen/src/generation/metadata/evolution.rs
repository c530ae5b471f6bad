//! The entities of a resilient library for its clients, which know neither the positions of methods in its tables nor
//! the tags of its cases (docs/LibraryEvolution.rst; lib/IRGen/GenThunk.cpp, GenMeta.cpp): dispatch thunks, method
//! lookup functions, metadata bounds of classes, tags of cases.

use inkwell::values::{FunctionValue, PointerValue};
use sil_ir::context::{MemberKind, MemberRef, MemberTarget, NominalId, Type, TypeId};
use sil_ir::declarations::{Access, NominalKind, Origin};
use sil_ir::model::{FunctionId, Linkage, WitnessEntry};
use sil_ir::symbols::{Flavor, Kind, Operation, Symbol, Tree};
use sil_ir::types::{SymbolTypes, TypeQueries, WitnessSlot};

use super::class_types::WORDS_BEFORE;
use crate::generation::constants::ConstantStruct;
use crate::generation::signature::Signature;
use crate::generation::{ClassPlace, Entity, IRGenModule, NominalPart};
use crate::refusal::Generated;

/// The size and the alignment of a case tag, in bytes.
const TAG_SIZE: u64 = 4;

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Declares the entities that only clients use.
    pub(in crate::generation) fn declare_for_clients(&self) {
        if !self.is_first_unit() || !self.sil.evolves() {
            return;
        }
        let declarations = self.sil.declarations.iter();
        let seen: Vec<NominalId> = declarations.map(|(id, _)| id).filter(|id| self.is_seen_by_clients(*id)).collect();
        for nominal in seen {
            if let Err(error) = self.declare_parts_for_clients(nominal) {
                self.push_error(*error);
            }
        }
    }

    /// Returns whether other modules can name a type or protocol of the module.
    fn is_seen_by_clients(&self, nominal: NominalId) -> bool {
        let mut around = Some(nominal);
        let mut levels = std::iter::from_fn(|| {
            let declaration = self.sil.declarations.get(around?);
            around = declaration.parent;
            Some((declaration.attributes.access, declaration.attributes.local))
        });
        self.sil.declarations.get(nominal).origin == Origin::Module
            && levels.all(|(access, local)| access >= Access::Package && local.is_none())
    }

    fn declare_parts_for_clients(&self, nominal: NominalId) -> Generated<()> {
        let declaration = self.sil.declarations.get(nominal);
        match declaration.kind {
            NominalKind::Class | NominalKind::Actor => {
                self.nominal_part(NominalPart::MetadataBounds, nominal)?;
                self.nominal_part(NominalPart::MethodLookup, nominal)?;
                for function in self.methods_for_clients(nominal)? {
                    self.method_thunk(function)?;
                }
            }
            NominalKind::Protocol => {
                for slot in 0..self.witness_slots(nominal)?.len() as u32 {
                    if let Some(lowered) = self.requirement_type(nominal, slot)?
                        && self.symbol_of_requirement(nominal, slot, Operation::DispatchThunk)?.is_some()
                    {
                        self.requirement_thunk(nominal, slot, lowered)?;
                    }
                }
            }
            NominalKind::Enum if !declaration.attributes.frozen => {
                for case in 0..declaration.cases.len() as u32 {
                    self.case_tag(nominal, case)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Declares the dispatch thunk of a class method that the class introduces with `id`.
    fn method_thunk(&self, id: FunctionId) -> Generated<()> {
        let signature = self.signature(self.sil.functions[id].ty)?;
        self.declare_dispatching(Entity::MethodThunk(id), &signature);
        Ok(())
    }

    /// Declares the dispatch thunk of requirement number `slot` of a protocol, with the signature of functions of type
    /// `lowered`.
    fn requirement_thunk(&self, protocol: NominalId, slot: u32, lowered: TypeId) -> Generated<()> {
        let entity = Entity::RequirementThunk(protocol, slot);
        self.require_symbol(&entity)?;
        let signature = self.requirement_signature(lowered)?;
        self.declare_dispatching(entity, &signature);
        Ok(())
    }

    /// Returns the signature of functions that call a requirement's witness of type `lowered`, without sizes: witnesses
    /// of other types have other sizes.
    pub(crate) fn requirement_signature(&self, lowered: TypeId) -> Generated<Signature<'ctx>> {
        let mut signature = (*self.signature(lowered)?).clone();
        signature.attributes = signature.attributes.without_sizes();
        Ok(signature)
    }

    fn declare_dispatching(&self, entity: Entity, signature: &Signature<'ctx>) -> FunctionValue<'ctx> {
        let thunk = self.declare_function(entity, signature.llvm);
        thunk.set_call_conventions(signature.convention);
        signature.attributes.add_to(thunk);
        thunk
    }

    /// Returns a function that is the default or a witness of a protocol requirement. Its convention and the contents
    /// of its symbol apply to all of them.
    fn witness_of_slot(&self, protocol: NominalId, slot: u32) -> Generated<Option<FunctionId>> {
        if !matches!(self.witness_slots(protocol)?.get(slot as usize), Some(WitnessSlot::Method { .. })) {
            return Ok(None);
        }
        let conforming = self.sil.witness_tables.iter().filter_map(|table| table.entries.as_deref());
        for entries in conforming {
            let is_of_it = |entry: &WitnessEntry| self.is_entry_of(entry, protocol);
            if !entries.iter().any(is_of_it) {
                continue;
            }
            let slots = &self.program.witness_slots;
            let Ok(found) = slots.entries(self.types.queries, protocol, entries) else { continue };
            if let Some(function) = found.get(slot as usize).and_then(|entry| self.function_of_entry((*entry)?)) {
                return Ok(Some(function));
            }
        }
        Ok(self.default_witness(protocol, slot))
    }

    /// Returns the lowered type of requirement number `slot` of a protocol: that of a witness, or that of the
    /// declaration. `None` for a requirement that is not a member, and for one that has neither.
    pub(crate) fn requirement_type(&self, protocol: NominalId, slot: u32) -> Generated<Option<TypeId>> {
        if let Some(witness) = self.witness_of_slot(protocol, slot)? {
            return Ok(Some(self.sil.functions[witness].ty));
        }
        let Some((member, formal)) = self.declared_member(protocol, slot)? else { return Ok(None) };
        let yielded = self.yielded_by_member(protocol, slot)?;
        let queries = self.types.queries;
        if !self.sil.evolves() {
            return Ok(queries.requirement_type(protocol, member.kind, formal, yielded));
        }
        let queries = TypeQueries::of(self.sil, queries.conformances).seen_by_clients();
        Ok(queries.requirement_type(protocol, member.kind, formal, yielded))
    }

    /// Returns the member with number `slot` in the witness tables of a protocol, by the protocol's declaration.
    pub(in crate::generation) fn declared_member(
        &self,
        protocol: NominalId,
        slot: u32,
    ) -> Generated<Option<(MemberRef, TypeId)>> {
        Ok(match self.witness_slots(protocol)?.get(slot as usize) {
            Some(WitnessSlot::Method { name, kind, distribution, ty: Some(formal), labels }) => {
                let member = MemberRef::new(Some(protocol), *name, *kind, MemberTarget::Other);
                let (labels, distribution) = (Some(labels.clone()), *distribution);
                Some((MemberRef { labels, distribution, ..member }, *formal))
            }
            _ => None,
        })
    }

    /// Returns the formal type that member number `slot` of a protocol yields, if it is a coroutine: the result type of
    /// the corresponding getter, which tables may lack.
    fn yielded_by_member(&self, protocol: NominalId, slot: u32) -> Generated<Option<TypeId>> {
        let Some((member, formal)) = self.declared_member(protocol, slot)? else { return Ok(None) };
        let slots = self.witness_slots(protocol)?;
        let queries = self.types.queries;
        let mut before = slots[..(slot as usize).min(slots.len())].iter().rev();
        let of_it = |slot: &&WitnessSlot| match slot {
            WitnessSlot::Method { name, kind, .. } => *name == member.name && is_reading(*kind),
            _ => false,
        };
        let value = |slot: &WitnessSlot| match slot {
            WitnessSlot::Method { kind: MemberKind::Getter, ty: Some(formal), .. } => {
                let Type::FormalFunction(outer) = queries.get(*formal) else { return None };
                let Type::FormalFunction(inner) = queries.get(outer.result) else { return None };
                Some(inner.result)
            }
            _ => None,
        };
        let beside = match is_reading(member.kind) {
            true => None,
            false => before.find(of_it).and_then(value),
        };
        Ok(beside.or_else(|| self.yielded_as_declared(protocol, &member, formal)))
    }

    fn is_entry_of(&self, entry: &WitnessEntry, protocol: NominalId) -> bool {
        match entry {
            WitnessEntry::Method { member, .. } => self.sil.context.get_member(*member).parent == Some(protocol),
            _ => false,
        }
    }

    /// Returns the default witness of a requirement. Tables of defaults have an entry for each requirement.
    pub(super) fn default_witness(&self, protocol: NominalId, slot: u32) -> Option<FunctionId> {
        let table = self.sil.default_witness_tables.iter().find(|table| table.protocol == protocol)?;
        let entry = table.entries.get(slot as usize)?.as_ref()?;
        self.function_of_entry(entry)
    }

    fn function_of_entry(&self, entry: &WitnessEntry) -> Option<FunctionId> {
        match entry {
            WitnessEntry::Method { function, .. } => self.sil.function_named((*function)?),
            _ => None,
        }
    }

    /// The symbol of an entity of requirement number `slot` of a protocol, derived from its witnesses.
    pub(in crate::generation) fn symbol_of_requirement(
        &self,
        protocol: NominalId,
        slot: u32,
        operation: Operation,
    ) -> Generated<Option<String>> {
        let Some(witness) = self.witness_of_slot(protocol, slot)? else {
            return self.symbol_of_declared(protocol, slot, operation);
        };
        let symbol = Symbol::demangle(self.sil.context.text(self.sil.functions[witness].name));
        // Defaults have the signature of the requirements.
        let is_default = self.default_witness(protocol, slot) == Some(witness);
        let symbol = match is_default {
            true => symbol.and_then(|symbol| symbol.about(operation)),
            false => symbol.and_then(|symbol| symbol.of_witnessed_requirement(operation)),
        };
        Ok(symbol.and_then(Symbol::remangle))
    }

    /// The same, derived from the declaration of a requirement without witnesses in the module.
    fn symbol_of_declared(&self, protocol: NominalId, slot: u32, operation: Operation) -> Generated<Option<String>> {
        let Some((member, formal)) = self.declared_member(protocol, slot)? else { return Ok(None) };
        let yielded = self.yielded_by_member(protocol, slot)?;
        let mut tree = Tree::default();
        let types = SymbolTypes::new(self.types.queries, &mut tree);
        let Some(member) = types.member(protocol, &member, formal, yielded) else { return Ok(None) };
        let entity = tree.add(Kind::Operation(operation), &[member]);
        Ok(Symbol::new(Flavor::Default, tree, entity).remangle())
    }

    /// Returns the methods that a class introduces and clients may call.
    fn methods_for_clients(&self, class: NominalId) -> Generated<Vec<FunctionId>> {
        let functions = self.introduced_methods(class)?;
        let is_seen = |id: &FunctionId| {
            let function = &self.sil.functions[*id];
            matches!(self.effective_linkage(function), Linkage::Public | Linkage::Package)
                && self.is_defined_here(function)
        };
        Ok(functions.into_iter().filter(is_seen).collect())
    }

    /// Returns the metadata bounds of a class with known superclasses: the position of its own members, and the words
    /// before and after the address point. The runtime initialises those of other classes.
    pub(super) fn own_metadata_bounds(&self, class: NominalId) -> Generated<ConstantStruct> {
        let (start, members) = self.own_class_members(self.identity(class))?;
        let ClassPlace::Fixed(start) = start else { return Ok(self.metadata_bounds()) };
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_integer(self.pointer_bits(), start * self.pointer_size());
        words.add_integer(32, WORDS_BEFORE);
        words.add_integer(32, start + members);
        Ok(words)
    }

    /// Returns the address of a case's tag in value witnesses: cases with non-empty payloads come first. The library of
    /// the enum defines it.
    pub fn case_tag(&self, nominal: NominalId, case: u32) -> Generated<PointerValue<'ctx>> {
        let entity = Entity::CaseTag(nominal, case);
        if let Some(found) = self.declared_address(&entity) {
            return Ok(found);
        }
        self.require_symbol(&entity)?;
        if !self.declares(&entity) {
            let number = self.context.i32_type();
            return Ok(self.declare_variable(entity, number, TAG_SIZE).as_pointer_value());
        }
        let (payloads, empty) = self.cases_by_payload(nominal)?;
        let before = payloads.into_iter().chain(empty).take_while(|other| *other != case as usize);
        let number = before.count();
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_integer(32, number as u64);
        Ok(self.declare_constant(entity, words, TAG_SIZE).as_pointer_value())
    }
}

/// Returns whether an accessor reads the value of its storage.
fn is_reading(kind: MemberKind) -> bool {
    matches!(kind, MemberKind::Getter | MemberKind::Read | MemberKind::Read2)
}
