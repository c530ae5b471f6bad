//! The symbols of entities, and their owners.

use sil_ir::context::{Conformance, ConformanceId, CoroutineKind, MemberId, MemberKind, Name, NominalId, Type, TypeId};
use sil_ir::declarations::NominalKind;
use sil_ir::model::{ENTRY_POINT_NAMES, Function, FunctionAttribute, Module};
use sil_ir::symbols::{Flavor, Kind, NodeId, Operation, Symbol, Tree, ValueWitness};
use sil_ir::types::{Condition, SymbolTypes};

use super::linkage::Owner;
use super::{ConformancePart, Entity, NominalPart, RequirementKey, ShapePart, TypePart};
use crate::generation::IRGenModule;
use crate::generation::polymorphic::DescribedRequirement;
use crate::refusal::{Generated, unsupported_without_place};

/// Returns the function of silc's runtime that replaces a C function in an Embedded module, if there is one. swiftc
/// inlines the Embedded runtime, so a module calls `free` for objects allocated by silc's `swift_allocObject`.
fn own_object_function(symbol: &str) -> Option<&'static str> {
    match symbol {
        "free" | "_swift_stdlib_free" => Some("silc_deallocateObject"),
        "malloc_size" | "malloc_usable_size" | "_swift_stdlib_malloc_size" => Some("silc_allocatedSize"),
        _ => None,
    }
}

impl IRGenModule<'_, '_> {
    pub(super) fn symbol_of(&self, entity: &Entity) -> Generated<String> {
        let text = |name| self.sil.context.text(name);
        Ok(match entity {
            Entity::Function(id) => self.symbol_of_function(&self.sil.functions[*id]),
            Entity::Global(id) => {
                let global = &self.sil.globals[*id];
                text(global.asm_name.unwrap_or(global.name)).to_owned()
            }
            Entity::Runtime(function) => function.symbol().to_owned(),
            Entity::C(function) => function.symbol().to_owned(),
            Entity::ClassMetadata(class) => self.class_metadata_symbol(*class)?,
            Entity::WitnessTable(conformance) => self.witness_table_symbol(*conformance)?,
            Entity::Captures(_) => "reflection.descriptor".to_owned(),
            Entity::HeapMetadata(_) | Entity::StaticArrayMetadata => "metadata".to_owned(),
            Entity::HeapDestroyer(_) => "objectdestroy".to_owned(),
            Entity::Forwarder(key) => format!("{}TA", key.callee.map_or("", text)),
            Entity::Block(part) => part.symbol().to_owned(),
            Entity::FunctionPointer(kind, code) => format!("{}{}", self.symbol_of(code)?, kind.suffix()),
            Entity::AsyncDeparture(departure) => departure.symbol().to_owned(),
            Entity::String(_) => ".str".to_owned(),
            Entity::IntegerLiteral(_) => "intliteral".to_owned(),
            Entity::OutlinedEnum(super::Operation::Copy, structure) => format!("silc_outlined_copy_{structure}"),
            Entity::OutlinedEnum(super::Operation::Destroy, structure) => {
                format!("silc_outlined_destroy_{structure}")
            }
            Entity::GotEquivalent(target) => format!("got.{}", self.symbol_of(target)?),
            // `\u{1}` makes LLVM use the symbol unchanged.
            Entity::EntryPoint => "\u{1}l_entry_point".to_owned(),
            Entity::AutolinkEntries => "_swift1_autolink_entries".to_owned(),
            Entity::OfType(part, ty) => self.type_part_symbol(*part, *ty)?,
            Entity::OfNominal(part, nominal) => self.nominal_part_symbol(*part, *nominal)?,
            Entity::Helper(helper) => helper.symbol(),
            Entity::OfConformance(part, conformance) => self.conformance_part_symbol(*part, *conformance)?,
            Entity::MethodDescriptor(function) => {
                format!("{}Tq", self.symbol_of_function(&self.sil.functions[*function]))
            }
            Entity::Requirement(requirement) | Entity::OwnRequirement(requirement) => {
                self.requirement_symbol(*requirement)?
            }
            Entity::DispatchThunk(nominal, member, formal, yielded) => {
                self.dispatch_thunk_symbol(*nominal, *member, *formal, *yielded)?
            }
            Entity::ExistentialShape(ShapePart::Description, _) => "existential.shape".to_owned(),
            Entity::ExistentialShape(ShapePart::Cache, _) => "existential.shape.cache".to_owned(),
            Entity::ExistentialShape(ShapePart::Name, _) => "flat.name".to_owned(),
            Entity::LibraryWitnesses(witnesses) => witnesses.symbol(),
            Entity::ModuleDescriptor(module) => self.module_descriptor_symbol(*module)?,
            Entity::LocalContext(symbol) => self.sil.context.text(*symbol).to_owned(),
            Entity::ValueWitness(witness, ty) => self.value_witness_symbol(*witness, *ty)?,
            Entity::ReflectedName(_) => "reflected.name".to_owned(),
            Entity::PlainName(name) => format!("symbolic {name}"),
            Entity::TypeLayout(_) => "type_layout".to_owned(),
            Entity::CoroutinePrototype(CoroutineKind::YieldOnce2) => "coroutine.prototype.2".to_owned(),
            Entity::CoroutinePrototype(_) => "coroutine.prototype".to_owned(),
            Entity::CoroutineAllocator => "_swift_coro_malloc_allocator".to_owned(),
            Entity::KeyPath(part, _) => part.symbol().to_owned(),
            Entity::GenericEnvironment(_) => "generic.environment".to_owned(),
            Entity::KeyPathTableAccessor(_) | Entity::KeyPathTableName(_) => "get_witness_table".to_owned(),
            Entity::OfReplaceable(part, function) => {
                format!("{}{}", self.symbol_of_function(&self.sil.functions[*function]), part.suffix())
            }
            Entity::MethodThunk(function) => {
                format!("{}Tj", self.symbol_of_function(&self.sil.functions[*function]))
            }
            Entity::RequirementThunk(protocol, slot) => self.slot_symbol(*protocol, *slot, Operation::DispatchThunk)?,
            Entity::DistributedAccessor(target) => format!("{}TF", self.distributed_target_name(*target)?),
            Entity::AccessibleFunction(target) => format!("{}HF", self.distributed_target_name(*target)?),
            Entity::CaseTag(nominal, case) => self.case_tag_symbol(*nominal, *case)?,
            Entity::RemovedMethod(nominal, number) => {
                let unnamed = || Box::new(unsupported_without_place("a method without a mangled name"));
                self.removed_method_symbol(*nominal, *number).ok_or_else(unnamed)?
            }
            Entity::FieldOffset(nominal, number) => self.field_offset_symbol(*nominal, *number)?,
            Entity::OpaqueDescriptor(symbol) => self.opaque_symbol(*symbol, Operation::OpaqueTypeDescriptor)?,
            Entity::OfOpaqueTypes(part, symbol) => self.opaque_symbol(*symbol, part.operation())?,
            Entity::OpaqueContext(..) => "opaque.context".to_owned(),
            Entity::DifferentiabilityWitness(id) => {
                let configuration = &self.differentiability_witness(*id).configuration;
                let unnamed = || Box::new(unsupported_without_place("a derivative without a mangled name"));
                self.types.queries.differentiability_witness_symbol(configuration).ok_or_else(unnamed)?
            }
            // `\u{1}` makes LLVM use the symbol unchanged.
            Entity::Replacements => "\u{1}l_unnamed_dynamic_replacements".to_owned(),
            Entity::AutomaticReplacements => "\u{1}l_auto_dynamic_replacements".to_owned(),
            Entity::OpaqueReplacements => "\u{1}l_auto_dynamic_replacements_some".to_owned(),
            Entity::PropertyDescriptor(getter) => self.property_symbol(*getter).ok_or_else(|| {
                let what = "a component of a key path in another module whose symbol does not say which";
                Box::new(unsupported_without_place(what))
            })?,
        })
    }

    /// The symbol in the object file: the SIL name, or that of `[asmname]`.
    pub(in crate::generation) fn symbol_of_function(&self, function: &Function) -> String {
        let named = function.attributes.iter().find_map(|attribute| match attribute {
            FunctionAttribute::AsmName(name) => Some(*name),
            _ => None,
        });
        let symbol = self.sil.context.text(named.unwrap_or(function.name));
        if ENTRY_POINT_NAMES.contains(&symbol) {
            return self.options.entry_symbol.to_owned();
        }
        let own = own_object_function(symbol).filter(|_| self.calls_own_runtime() && function.body.is_none());
        own.unwrap_or(symbol).to_owned()
    }

    /// The deallocating deinit's symbol names the class; the type of a class without one is mangled.
    fn class_metadata_symbol(&self, class: TypeId) -> Generated<String> {
        if let Some(vtable) = self.vtable(class).filter(|vtable| vtable.specialized.is_none()) {
            let kind = |member| self.sil.context.get_member(member).kind;
            let deallocator = vtable.entries.iter().find(|entry| kind(entry.member) == MemberKind::Deallocator);
            let symbol = deallocator.and_then(|entry| Symbol::demangle(self.sil.context.text(entry.function)));
            let metadata = symbol.and_then(|symbol| symbol.of_deallocated_class(Operation::TypeMetadata));
            if let Some(metadata) = metadata.and_then(Symbol::remangle) {
                return Ok(metadata);
            }
        }
        let mut tree = Tree::default();
        let ty = SymbolTypes::new(self.types.queries, &mut tree).ty(class);
        let metadata = ty.map(|ty| tree.add(Kind::Operation(Operation::TypeMetadata), &[ty]));
        let symbol = metadata.and_then(|metadata| Symbol::new(self.mangling_flavor(), tree, metadata).remangle());
        symbol.ok_or_else(|| self.unsupported_type(class))
    }

    fn witness_table_symbol(&self, conformance: ConformanceId) -> Generated<String> {
        let mut tree = Tree::default();
        let Conformance { ty, protocol, .. } = *self.sil.context.get_conformance(conformance);
        let is_pattern = self.is_named_pattern(conformance);
        let (signature, conditions) = (self.conformance_signature(conformance), self.mangled_conditions(ty, protocol)?);
        let declared = self.types.queries.declaration_of(ty).map(|declaration| declaration.module);
        let module = self.sil.context.conforming_module(conformance).or(declared);
        let conformance = {
            let mut types = SymbolTypes::new(self.types.queries, &mut tree).with_signature(signature);
            module.and_then(|module| types.conformance(ty, protocol, module, &conditions))
        };
        let operation = if is_pattern { Operation::WitnessTablePattern } else { Operation::WitnessTable };
        let table = conformance.map(|conformance| tree.add(Kind::Operation(operation), &[conformance]));
        let symbol = table.and_then(|table| Symbol::new(self.mangling_flavor(), tree, table).remangle());
        symbol.ok_or_else(|| self.unsupported_type(ty))
    }

    fn type_part_symbol(&self, part: TypePart, ty: TypeId) -> Generated<String> {
        let Some(operation) = part.operation() else { return self.type_reference_symbol(ty, part.signature()) };
        let mut tree = Tree::default();
        let mut types = SymbolTypes::new(self.types.queries, &mut tree).with_signature(part.signature());
        let node = types.ty(ty).ok_or_else(|| self.unsupported_type(ty))?;
        let entity = tree.add(Kind::Operation(operation), &[node]);
        let symbol = Symbol::new(self.mangling_flavor(), tree, entity).remangle();
        symbol.ok_or_else(|| self.unsupported_type(ty))
    }

    /// Returns the symbol of the descriptor of the property or subscript that a function is the getter of.
    pub(in crate::generation) fn property_symbol(&self, getter: Name) -> Option<String> {
        let symbol = Symbol::demangle(self.sil.context.text(getter))?;
        symbol.of_storage(Operation::PropertyDescriptor)?.remangle()
    }

    fn conformance_part_symbol(&self, part: ConformancePart, conformance: ConformanceId) -> Generated<String> {
        let mut tree = Tree::default();
        let (conformance, concrete) = match part {
            ConformancePart::LazyAccessor | ConformancePart::LazyCache => {
                let ty = self.sil.context.get_conformance(conformance).ty;
                let concrete = SymbolTypes::new(self.types.queries, &mut tree).ty(ty);
                (self.stated_conformance(conformance), Some(concrete.ok_or_else(|| self.unsupported_type(ty))?))
            }
            _ => (conformance, None),
        };
        let Conformance { ty, protocol, .. } = *self.sil.context.get_conformance(conformance);
        let declared = self.types.queries.declaration_of(ty).map(|declaration| declaration.module);
        let module = self.sil.context.conforming_module(conformance).or(declared);
        let conditions = self.mangled_conditions(ty, protocol)?;
        let mut types =
            SymbolTypes::new(self.types.queries, &mut tree).with_signature(self.conformance_signature(conformance));
        let conformance = module.and_then(|module| types.conformance(ty, protocol, module, &conditions));
        let conformance = conformance.ok_or_else(|| self.unsupported_type(ty))?;
        let path = match part {
            ConformancePart::AssociatedAccessor(subject, _) | ConformancePart::AssociatedAccessorName(subject, _) => {
                let path = types.associated_type_path(subject, protocol);
                Some(path.ok_or_else(|| self.unsupported_type(subject))?)
            }
            _ => None,
        };
        let required = match part {
            ConformancePart::BaseAccessor(required)
            | ConformancePart::BaseAccessorName(required)
            | ConformancePart::AssociatedAccessor(_, required)
            | ConformancePart::AssociatedAccessorName(_, required) => types.protocol(required),
            _ => None,
        };
        let operands: Vec<_> = concrete.into_iter().chain([conformance]).chain(path).chain(required).collect();
        let operation = match part {
            ConformancePart::Descriptor | ConformancePart::Cache => Operation::ConformanceDescriptor,
            ConformancePart::Record => Operation::ConformanceDescriptorRecord,
            ConformancePart::AssociatedTypes => Operation::AssociatedTypeReflection,
            ConformancePart::LazyAccessor => Operation::LazyWitnessTableAccessor,
            ConformancePart::LazyCache => Operation::LazyWitnessTableCache,
            ConformancePart::Instantiator => Operation::GenericWitnessTableInstantiationFunction,
            ConformancePart::BaseAccessor(_) | ConformancePart::BaseAccessorName(_) => {
                Operation::BaseWitnessTableAccessor
            }
            ConformancePart::AssociatedAccessor(..) | ConformancePart::AssociatedAccessorName(..) => {
                Operation::AssociatedTypeWitnessTableAccessor
            }
        };
        let entity = tree.add(Kind::Operation(operation), &operands);
        let symbol = Symbol::new(self.mangling_flavor(), tree, entity).remangle();
        let symbol = symbol.ok_or_else(|| self.unsupported_type(ty))?;
        Ok(match part {
            ConformancePart::Cache => format!("{symbol}MK"),
            ConformancePart::BaseAccessorName(_) | ConformancePart::AssociatedAccessorName(..) => {
                format!("associated conformance {symbol}")
            }
            _ => symbol,
        })
    }

    /// The conditions of a conformance in the form of its symbols.
    fn mangled_conditions(&self, ty: TypeId, protocol: NominalId) -> Generated<Vec<Condition>> {
        let mangled = |requirement| match requirement {
            DescribedRequirement::Conformance(subject, protocol) => Some(Condition::Conformance(subject, protocol)),
            DescribedRequirement::SameType(subject, other) => Some(Condition::SameType(subject, other)),
            DescribedRequirement::Superclass(subject, class) => Some(Condition::Superclass(subject, class)),
            DescribedRequirement::Class(_)
            | DescribedRequirement::Inverted(..)
            | DescribedRequirement::Invertible(..) => None,
        };
        Ok(self.conditions(ty, protocol)?.into_iter().filter_map(mangled).collect())
    }

    fn dispatch_thunk_symbol(
        &self,
        nominal: NominalId,
        member: MemberId,
        formal: TypeId,
        yielded: Option<TypeId>,
    ) -> Generated<String> {
        let member = self.sil.context.get_member(member);
        let operation = Some(Operation::DispatchThunk);
        let symbol = self.symbol_with(operation, |types| types.member(nominal, member, formal, yielded));
        symbol.ok_or_else(|| {
            let text = |name| self.sil.context.text(name);
            let declaration = self.sil.declarations.get(nominal);
            let form = match declaration.kind {
                NominalKind::Protocol => "a requirement of this form",
                _ => "a method of another module's class that has this form",
            };
            let what = format!("calls of {}.{}, {form}", text(declaration.name), text(member.name));
            Box::new(unsupported_without_place(what))
        })
    }

    fn requirement_symbol(&self, requirement: RequirementKey) -> Generated<String> {
        let unknown = || {
            Box::new(unsupported_without_place(
                "a requirement of a protocol or a method of a class without a mangled name",
            ))
        };
        let mut tree = Tree::default();
        let mut types = SymbolTypes::new(self.types.queries, &mut tree);
        let entity = match requirement {
            RequirementKey::OfWitness(witness) => {
                let symbol = Symbol::demangle(self.sil.context.text(witness));
                let requirement =
                    symbol.and_then(|symbol| symbol.of_witnessed_requirement(Operation::MethodDescriptor));
                return requirement.and_then(Symbol::remangle).ok_or_else(unknown);
            }
            RequirementKey::Slot(protocol, slot) => {
                return self.slot_symbol(protocol, slot, Operation::MethodDescriptor);
            }
            RequirementKey::Method(protocol, member, formal) => {
                let member = self.sil.context.get_member(member);
                let requirement = types.member(protocol, member, formal, None).ok_or_else(unknown)?;
                tree.add(Kind::Operation(Operation::MethodDescriptor), &[requirement])
            }
            RequirementKey::ClassMethod(class, member, formal, yielded) => {
                let member = self.sil.context.get_member(member);
                let method = types.member(class, member, formal, yielded).ok_or_else(|| {
                    let text = |name| self.sil.context.text(name);
                    let class = text(self.sil.declarations.get(class).name);
                    let what = format!("the method {class}.{}, whose mangled name is not known", text(member.name));
                    Box::new(unsupported_without_place(what))
                })?;
                tree.add(Kind::Operation(Operation::MethodDescriptor), &[method])
            }
            RequirementKey::Start(protocol) => {
                let operands = [types.protocol(protocol).ok_or_else(unknown)?];
                tree.add(Kind::Operation(Operation::RequirementsBaseDescriptor), &operands)
            }
            RequirementKey::Base(protocol, base) => {
                let operands =
                    [types.protocol(protocol).ok_or_else(unknown)?, types.protocol(base).ok_or_else(unknown)?];
                tree.add(Kind::Operation(Operation::BaseConformanceDescriptor), &operands)
            }
            RequirementKey::AssociatedConformance(protocol, subject, required) => {
                let path = types.associated_type_path(subject, protocol).ok_or_else(unknown)?;
                let protocol = types.protocol(protocol).ok_or_else(unknown)?;
                let operands = [protocol, path, types.protocol(required).ok_or_else(unknown)?];
                tree.add(Kind::Operation(Operation::AssociatedConformanceDescriptor), &operands)
            }
            RequirementKey::AssociatedType(name, protocol) => {
                let operands = [types.associated_type(name, protocol).ok_or_else(unknown)?];
                tree.add(Kind::Operation(Operation::AssociatedTypeDescriptor), &operands)
            }
        };
        Symbol::new(self.mangling_flavor(), tree, entity).remangle().ok_or_else(unknown)
    }

    fn slot_symbol(&self, protocol: NominalId, slot: u32, operation: Operation) -> Generated<String> {
        let symbol = self.symbol_of_requirement(protocol, slot, operation)?;
        symbol.ok_or_else(|| Box::new(unsupported_without_place("a requirement whose witnesses do not say what it is")))
    }

    fn case_tag_symbol(&self, nominal: NominalId, case: u32) -> Generated<String> {
        let symbol = self.symbol_with(Some(Operation::EnumCase), |types| types.enum_case(nominal, case));
        symbol.ok_or_else(|| Box::new(unsupported_without_place("a case without a mangled name")))
    }

    /// Returns the symbol of a removed method, or `None` if it is not known.
    pub(in crate::generation) fn removed_method_symbol(&self, nominal: NominalId, number: u32) -> Option<String> {
        let method = self.removed_method(nominal, number)?;
        let member = self.sil.context.get_member(method.member);
        self.symbol_with(None, |types| types.member(nominal, member, method.formal, method.yielded))
    }

    fn field_offset_symbol(&self, nominal: NominalId, number: u32) -> Generated<String> {
        let operation = Some(Operation::DirectFieldOffset);
        let symbol = self.symbol_with(operation, |types| types.stored_property(nominal, number));
        symbol.ok_or_else(|| Box::new(unsupported_without_place("a stored property without a mangled name")))
    }

    /// Returns the symbol of a declaration, or of the entity that `operation` derives from it. `None` without a
    /// mangling.
    pub(in crate::generation) fn symbol_with(
        &self,
        operation: Option<Operation>,
        declared: impl FnOnce(SymbolTypes<'_>) -> Option<NodeId>,
    ) -> Option<String> {
        let mut tree = Tree::default();
        let declared = declared(SymbolTypes::new(self.types.queries, &mut tree))?;
        let entity = operation.map_or(declared, |operation| tree.add(Kind::Operation(operation), &[declared]));
        Symbol::new(self.mangling_flavor(), tree, entity).remangle()
    }

    /// The symbol of the entity that `operation` derives from the opaque types of the declaration `declared`.
    fn opaque_symbol(&self, declared: Name, operation: Operation) -> Generated<String> {
        let symbol = self.symbol_with(Some(operation), |mut types| types.opaque_name(declared));
        symbol
            .ok_or_else(|| Box::new(unsupported_without_place("opaque types of a declaration without a mangled name")))
    }

    fn module_descriptor_symbol(&self, module: Name) -> Generated<String> {
        let mut tree = Tree::default();
        let name = tree.add_text(Kind::Module, self.sil.context.text(module));
        let entity = tree.add(Kind::Operation(Operation::ModuleDescriptor), &[name]);
        let symbol = Symbol::new(self.mangling_flavor(), tree, entity).remangle();
        symbol.ok_or_else(|| Box::new(unsupported_without_place("a module without a mangled name")))
    }

    fn value_witness_symbol(&self, witness: ValueWitness, ty: TypeId) -> Generated<String> {
        let mut tree = Tree::default();
        let node = SymbolTypes::new(self.types.queries, &mut tree).ty(ty).ok_or_else(|| self.unsupported_type(ty))?;
        let entity = tree.add(Kind::ValueWitness(witness), &[node]);
        let symbol = Symbol::new(self.mangling_flavor(), tree, entity).remangle();
        symbol.ok_or_else(|| self.unsupported_type(ty))
    }

    fn nominal_part_symbol(&self, part: NominalPart, nominal: NominalId) -> Generated<String> {
        let is_protocol = self.sil.declarations.get(nominal).kind == NominalKind::Protocol;
        let unnamed = || Box::new(unsupported_without_place("a type without a mangled name"));
        let operation = match part {
            NominalPart::MetadataAccessor => Operation::TypeMetadataAccessor,
            NominalPart::Descriptor if is_protocol => Operation::ProtocolDescriptor,
            NominalPart::Descriptor => Operation::NominalTypeDescriptor,
            NominalPart::FieldDescriptor => Operation::FieldReflection,
            NominalPart::FixedLayout => Operation::BuiltinReflection,
            // In Swift these have no unique names; units of the module refer to each other's by name.
            NominalPart::MultiPayloadLayout => return self.named_after("reflection.descriptor", nominal),
            NominalPart::Record if is_protocol => Operation::ProtocolDescriptorRecord,
            NominalPart::Record => Operation::NominalTypeDescriptorRecord,
            NominalPart::Pattern => Operation::GenericMetadataPattern,
            NominalPart::AnonymousContext => Operation::AnonymousDescriptor,
            NominalPart::ExtensionContext => Operation::ExtensionDescriptor,
            NominalPart::PatternOffsets => return self.named_after("field.offsets", nominal),
            NominalPart::InstantiationCache => Operation::TypeMetadataInstantiationCache,
            NominalPart::InstantiationFunction => Operation::MetadataInstantiationFunction,
            NominalPart::CompletionFunction => Operation::MetadataCompletionFunction,
            NominalPart::SingletonCache => Operation::SingletonInitializationCache,
            NominalPart::ForeignCache => Operation::MetadataLazyCache,
            NominalPart::MetadataBounds => Operation::ClassMetadataBaseOffset,
            NominalPart::MethodLookup => Operation::MethodLookupFunction,
            NominalPart::SelfConformance => Operation::SelfConformanceWitnessTable,
        };
        let mut tree = Tree::default();
        let mut types = SymbolTypes::new(self.types.queries, &mut tree);
        let node = match part {
            NominalPart::AnonymousContext => types.in_anonymous_context(nominal).ok_or_else(unnamed)?,
            NominalPart::ExtensionContext => types.extension_around(nominal).ok_or_else(unnamed)?,
            NominalPart::FieldDescriptor if is_protocol => {
                let constraint = Type::Protocol { protocol: nominal, arguments: Box::default() };
                let constraint = self.sil.context.ty(constraint);
                let existential = self.sil.context.ty(Type::Existential(constraint));
                types.ty(existential).ok_or_else(unnamed)?
            }
            _ => types.declared(nominal),
        };
        let entity = tree.add(Kind::Operation(operation), &[node]);
        Symbol::new(self.mangling_flavor(), tree, entity).remangle().ok_or_else(unnamed)
    }

    /// Returns a name for an entity of which a type has one.
    fn named_after(&self, name: &str, nominal: NominalId) -> Generated<String> {
        Ok(format!("{name}.{}", self.nominal_part_symbol(NominalPart::Descriptor, nominal)?))
    }

    /// Returns the name of a protocol for reflection.
    pub(in crate::generation) fn mangled_protocol(&self, protocol: NominalId) -> Generated<String> {
        let mut tree = Tree::default();
        let node = SymbolTypes::new(self.types.queries, &mut tree).protocol(protocol);
        let name = node.and_then(|node| Symbol::new(self.mangling_flavor(), tree, node).remangle());
        name.ok_or_else(|| Box::new(unsupported_without_place("a protocol without a mangled name")))
    }

    /// Returns the prefix of mangled symbols of the module: Embedded Swift has its own from 6.2 on.
    pub(in crate::generation) fn mangling_flavor(&self) -> Flavor {
        *self.program.mangling_flavor.get_or_init(|| flavor_of(self.sil))
    }

    /// Returns the owner of a definition.
    pub(super) fn owner(&self, name: Name) -> Owner {
        self.program.mode.owner(self.sil, self.sil.context.text(name))
    }
}

fn flavor_of(module: &Module) -> Flavor {
    let flavor = |function: &Function| Symbol::demangle(module.context.text(function.name)).map(|it| it.flavor());
    match module.functions.values().any(|function| flavor(function) == Some(Flavor::Embedded)) {
        true => Flavor::Embedded,
        false => Flavor::Default,
    }
}
