//! The entities of key paths (docs/ABI/KeyPaths.md, lib/IRGen/GenKeyPath.cpp): patterns, which describe for each
//! component the access from a value to the next one. The runtime instantiates key paths from patterns. `definitions`
//! has the functions for captures.

use inkwell::types::BasicMetadataTypeEnum;
use inkwell::values::PointerValue;
use sil_ir::context::{
    MemberId, MemberKind, MemberRef, MemberTarget, Mutability, Name, NominalId, ParameterConvention, SignatureId,
    SilType, SubstitutionMapId, Type, TypeId,
};
use sil_ir::declarations::{NominalKind, Origin};
use sil_ir::model::{KeyPathComponent, KeyPathComponentKind, KeyPathComputed, KeyPathIdentifier};
use sil_ir::types::{AbstractionPattern, MethodRef};

use super::class_types::ClassPlace;
use crate::generation::constants::ConstantStruct;
use crate::generation::polymorphic::GenericRequirement;
use crate::generation::signature::Signature;
use crate::generation::{
    Definition, Entity, IRGenModule, KeyPathFunction, KeyPathPart, KeyPathPattern, KeyPathTable, NominalPart,
    RequirementKey, RuntimeFunction,
};
use crate::layout::TypeLayout;
use crate::refusal::{Generated, unsupported_without_place};

/// The flag in the size of the components if nothing is captured.
const IS_TRIVIAL: u64 = 1 << 31;

/// Kinds of components, and their flags (stdlib/public/SwiftShims/swift/shims/KeyPath.h).
const EXTERNAL: u64 = 0;
const IN_STRUCT: u64 = 1 << 24;
const COMPUTED: u64 = 2 << 24;
const IN_CLASS: u64 = 3 << 24;
const OPTIONAL_CHAIN: u64 = 4 << 24;
const OPTIONAL_WRAP: u64 = OPTIONAL_CHAIN | 1;
const OPTIONAL_FORCE: u64 = OPTIONAL_CHAIN | 2;

/// Stored properties: the payload is the offset up to a maximum; larger values denote an offset in metadata at a given
/// position, or an offset that follows.
const IS_VARIABLE: u64 = 1 << 23;
const GREATEST_OFFSET: u64 = 0x7F_FFFC;
const OFFSET_IN_VARIABLE: u64 = 0x7F_FFFD;
const OFFSET_IN_METADATA: u64 = 0x7F_FFFE;
const OFFSET_FOLLOWS: u64 = 0x7F_FFFF;

/// Computed components: the setter's mutability, the identity of the component, whether it has captures, whether the
/// identity is indirect.
const IS_MUTATING: u64 = 1 << 23;
const IS_SETTABLE: u64 = 1 << 22;
const BY_STORED_PROPERTY: u64 = 1 << 21;
const BY_TABLE_OFFSET: u64 = 1 << 20;
const HAS_ARGUMENTS: u64 = 1 << 19;
const IS_INDIRECT: u64 = 2;

/// The number added to the address of a mangled name, to distinguish it from metadata.
const IS_NAME: u64 = 1;

/// The identity of a computed component.
enum Identity {
    /// An address: that of the entity, with an offset.
    Address(Entity, u64),
    /// The number of a stored property.
    StoredProperty(u64),
    /// The position of the function in a witness table, as a negative number of words.
    TableOffset(u64),
}

/// The types of the operands of key paths of `pattern`, in their order.
pub fn operand_types(pattern: &KeyPathPattern) -> Vec<Option<TypeId>> {
    let mut types = Vec::new();
    for component in &pattern.path().components {
        for (number, _, SilType { ty, .. }) in captured(component) {
            let number = *number as usize;
            if types.len() <= number {
                types.resize(number + 1, None);
            }
            types[number] = Some(*ty);
        }
    }
    types
}

/// The captures of a component: operand number, formal and lowered type.
pub fn captured(component: &KeyPathComponent) -> &[(u32, TypeId, SilType)] {
    match &component.kind {
        KeyPathComponentKind::Computed(computed) | KeyPathComponentKind::Method(computed) => &computed.indices,
        _ => &[],
    }
}

/// Returns whether key paths of the pattern differ by their operands.
fn has_arguments(pattern: &KeyPathPattern) -> bool {
    pattern.path().signature.is_some() || !operand_types(pattern).is_empty()
}

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// The address of a part of a pattern.
    pub fn key_path_part(&self, part: KeyPathPart, pattern: &KeyPathPattern) -> Generated<PointerValue<'ctx>> {
        let entity = Entity::KeyPath(part, pattern.clone());
        if let Some(found) = self.declared_address(&entity) {
            return Ok(found);
        }
        let constant = match part {
            KeyPathPart::Pattern => self.key_path_pattern(pattern)?,
            KeyPathPart::Once => {
                let mut word = ConstantStruct::new(self.pointer_size());
                word.add_null();
                word
            }
            KeyPathPart::ArgumentWitnesses(component) => self.argument_witnesses(pattern, component)?,
            KeyPathPart::Function(function, _) => {
                let signature = self.key_path_function_signature(function);
                return Ok(self.declare_thunk(entity, &signature).as_global_value().as_pointer_value());
            }
        };
        Ok(self.declare_constant(entity, constant, self.pointer_size()).as_pointer_value())
    }

    /// The signature of a function for the captures of a component.
    pub(crate) fn key_path_function_signature(&self, function: KeyPathFunction) -> Signature<'ctx> {
        let pointer: BasicMetadataTypeEnum<'ctx> = self.builder.ptr_type().into();
        let word: BasicMetadataTypeEnum<'ctx> = self.word_type().into();
        let nothing = self.context.void_type();
        let ty = match function {
            KeyPathFunction::Layout => {
                let pair = self.builder.struct_type(&[self.word_type().into(), self.word_type().into()]);
                pair.fn_type(&[pointer], false)
            }
            KeyPathFunction::Destroy => nothing.fn_type(&[pointer, word], false),
            KeyPathFunction::Copy => nothing.fn_type(&[pointer, pointer, word], false),
            KeyPathFunction::Initialize => nothing.fn_type(&[pointer, pointer], false),
        };
        Signature::of_thunk(self.context, ty, self.swift_convention(), Vec::new(), &[])
    }

    /// Returns the pattern: the cache of the only key path, the requirements of the signature, the names of the types
    /// at both ends, the name for Objective-C, the size of the components, the components; between these, the names of
    /// the types.
    fn key_path_pattern(&self, pattern: &KeyPathPattern) -> Generated<ConstantStruct> {
        let path = pattern.path();
        let mut words = ConstantStruct::new(self.pointer_size());
        match has_arguments(pattern) {
            true => words.add_integer(32, 0),
            false => words.add_relative(Entity::KeyPath(KeyPathPart::Once, pattern.clone())),
        }
        match path.signature {
            Some(signature) => words.add_relative(Entity::GenericEnvironment(signature)),
            None => words.add_integer(32, 0),
        }
        let add_name = |words: &mut ConstantStruct, ty: TypeId| {
            words.add_relative_with(self.name_of_type(ty, path.signature), IS_NAME);
        };
        add_name(&mut words, path.root);
        add_name(&mut words, path.components.last().map_or(path.root, |last| last.ty));
        match path.objc {
            Some(name) => words.add_relative(Entity::String(self.sil.context.text(name).as_bytes().into())),
            None => words.add_integer(32, 0),
        }
        let header = words.add_placeholder(32);
        let start = words.size();
        let mut base = path.root;
        for (number, component) in path.components.iter().enumerate() {
            if number > 0 {
                add_name(&mut words, base);
            }
            self.add_component(&mut words, pattern, number, base)?;
            base = component.ty;
        }
        let trivial = if has_arguments(pattern) { 0 } else { IS_TRIVIAL };
        let size = words.size() - start;
        words.fill(header, size | trivial);
        Ok(words)
    }

    /// Adds component number `number`, whose base is of type `base`.
    fn add_component(
        &self,
        words: &mut ConstantStruct,
        pattern: &KeyPathPattern,
        number: usize,
        base: TypeId,
    ) -> Generated<()> {
        match &pattern.path().components[number].kind {
            KeyPathComponentKind::StoredProperty(member) => {
                return self.add_stored_property(words, (base, pattern.path().signature), *member);
            }
            KeyPathComponentKind::TupleElement(index) => return self.add_tuple_element(words, base, *index as usize),
            KeyPathComponentKind::Computed(computed) => {
                return self.add_computed(words, pattern, number, base, computed);
            }
            KeyPathComponentKind::Method(_) => {
                return Err(Box::new(unsupported_without_place("methods in key paths")));
            }
            KeyPathComponentKind::OptionalChain => words.add_integer(32, OPTIONAL_CHAIN),
            KeyPathComponentKind::OptionalWrap => words.add_integer(32, OPTIONAL_WRAP),
            KeyPathComponentKind::OptionalForce => words.add_integer(32, OPTIONAL_FORCE),
        }
        Ok(())
    }

    /// Adds the component of a pattern with a single component, whose base is the root.
    pub(super) fn add_only_component(&self, words: &mut ConstantStruct, pattern: &KeyPathPattern) -> Generated<()> {
        self.add_component(words, pattern, 0, pattern.path().root)
    }

    /// A stored property of `base`, a type in terms of the parameters of `signature`.
    fn add_stored_property(
        &self,
        words: &mut ConstantStruct,
        (base, signature): (TypeId, Option<SignatureId>),
        member: MemberId,
    ) -> Generated<()> {
        let (declaring, nominal, index) = self.stored_property(base, member)?;
        let declaration = self.sil.declarations.get(nominal);
        let is_variable = declaration.stored.get(index).is_none_or(|stored| stored.mutability == Mutability::Var);
        let flags = if is_variable { IS_VARIABLE } else { 0 };
        if declaration.kind == NominalKind::Struct {
            let declaring = self.types.erased(declaring, signature);
            return self.add_part(words, declaring, index, IN_STRUCT | flags);
        }
        match self.types.fixed_class_layout(declaring)? {
            Some(layout) => {
                let field = layout.fields.get(layout.fields.len() - layout.own_fields + index);
                let field = field.ok_or_else(|| self.unsupported_type(base))?;
                add_offset(words, IN_CLASS | flags, field.projected_offset());
            }
            None => match self.stored_offset_place(nominal, index)? {
                ClassPlace::Fixed(place) => {
                    words.add_integer(32, IN_CLASS | flags | OFFSET_IN_METADATA);
                    words.add_integer(32, place * self.pointer_size());
                }
                ClassPlace::Added(..) => {
                    let offset = Entity::FieldOffset(nominal, index as u32);
                    self.require_symbol(&offset)?;
                    words.add_integer(32, IN_CLASS | flags | OFFSET_IN_VARIABLE);
                    words.add_relative(offset);
                }
            },
        }
        Ok(())
    }

    /// Returns the type that declares a stored property of `base`, and the property's index in it.
    fn stored_property(&self, base: TypeId, member: MemberId) -> Generated<(TypeId, NominalId, usize)> {
        let queries = self.types.queries;
        let member = self.sil.context.get_member(member);
        let (Some(parent), MemberTarget::Stored(index)) = (member.parent, member.target) else {
            return Err(Box::new(unsupported_without_place("a component of a key path that is not stored")));
        };
        let is_class = queries.is_class(base);
        let declaring = if is_class { queries.ancestor_declared_by(base, parent) } else { Some(base) };
        let is_it = |ty: &TypeId| queries.as_nominal(*ty).is_some_and(|nominal| nominal.declaration == parent);
        let declaring = declaring.filter(is_it).ok_or_else(|| self.unsupported_type(base))?;
        Ok((queries.canonical_type(declaring), parent, index as usize))
    }

    fn add_tuple_element(&self, words: &mut ConstantStruct, base: TypeId, index: usize) -> Generated<()> {
        let queries = self.types.queries;
        let tuple = queries.canonical_type(queries.lower(base, AbstractionPattern::Opaque));
        self.add_part(words, tuple, index, IN_STRUCT | IS_VARIABLE)
    }

    /// An element of a tuple or a stored property of a struct.
    fn add_part(&self, words: &mut ConstantStruct, whole: TypeId, index: usize, flags: u64) -> Generated<()> {
        match self.types.layout(whole)? {
            TypeLayout::Fixed(info) => {
                let field = info.fields().get(index).ok_or_else(|| self.unsupported_type(whole))?;
                let is_property = self.types.queries.as_nominal(whole).is_some();
                add_offset(words, flags, if is_property { field.projected_offset() } else { field.offset });
            }
            TypeLayout::Dynamic(whole) => {
                words.add_integer(32, flags | OFFSET_IN_METADATA);
                words.add_integer(32, self.part_offset_place(whole, index)?);
            }
        }
        Ok(())
    }

    /// Adds a computed component: for another module's property the external reference first; then flags, the identity
    /// of the component, the accessors; with captures, the functions for them.
    fn add_computed(
        &self,
        words: &mut ConstantStruct,
        pattern: &KeyPathPattern,
        number: usize,
        base: TypeId,
        computed: &KeyPathComputed,
    ) -> Generated<()> {
        self.add_external(words, pattern, computed)?;
        let identity = self.identity_of(base, computed)?;
        let identified = match &identity {
            Identity::Address(entity, _) if self.definition_of(entity) == Definition::Elsewhere => IS_INDIRECT,
            Identity::Address(..) => 0,
            Identity::StoredProperty(_) => BY_STORED_PROPERTY,
            Identity::TableOffset(_) => BY_TABLE_OFFSET,
        };
        let settable = match computed.setter {
            Some((_, ty)) if self.is_mutating(ty) => IS_SETTABLE | IS_MUTATING,
            Some(_) => IS_SETTABLE,
            None => 0,
        };
        let has_arguments = has_arguments(pattern) || self.takes_indices(computed);
        let arguments = if has_arguments { HAS_ARGUMENTS } else { 0 };
        words.add_integer(32, COMPUTED | settable | identified | arguments);
        match identity {
            Identity::Address(entity, _) if identified == IS_INDIRECT => {
                words.add_relative(Entity::GotEquivalent(Box::new(entity)));
            }
            Identity::Address(entity, addend) => words.add_relative_with(entity, addend),
            Identity::StoredProperty(value) => words.add_integer(32, value),
            Identity::TableOffset(value) => words.add_integer(32, value & u64::from(u32::MAX)),
        }
        words.add_relative(self.key_path_accessor(computed.getter.0)?);
        if let Some((setter, _)) = computed.setter {
            words.add_relative(self.key_path_accessor(setter)?);
        }
        if has_arguments {
            let of_it = |part| Entity::KeyPath(part, pattern.clone());
            words.add_relative(of_it(KeyPathPart::Function(KeyPathFunction::Layout, number)));
            match computed.indices.is_empty() {
                true => words.add_integer(32, 0),
                false => words.add_relative(of_it(KeyPathPart::ArgumentWitnesses(number))),
            }
            words.add_relative(of_it(KeyPathPart::Function(KeyPathFunction::Initialize, number)));
        }
        Ok(())
    }

    /// Returns whether a setter is mutating. A setter takes the new value, then the base.
    fn is_mutating(&self, setter: TypeId) -> bool {
        match self.types.queries.get(setter) {
            Type::Function(function) => {
                let base = function.parameters.get(1).map(|base| base.convention);
                matches!(base, Some(ParameterConvention::InOut | ParameterConvention::InOutAliasable))
            }
            _ => false,
        }
    }

    /// Returns whether accessors take more than the base: the indices of a subscript. A subscript's descriptor does not
    /// name their source.
    fn takes_indices(&self, computed: &KeyPathComputed) -> bool {
        match self.types.queries.get(computed.getter.1) {
            Type::Function(function) => function.parameters.len() > 1,
            _ => false,
        }
    }

    /// Returns an accessor, which must be in the module.
    fn key_path_accessor(&self, name: Name) -> Generated<Entity> {
        let function = self.sil.function_named(name).map(Entity::Function);
        let is_here = |function: &Entity| self.definition_of(function) != Definition::Elsewhere;
        function
            .filter(is_here)
            .ok_or_else(|| Box::new(unsupported_without_place("an accessor of a key path that another module defines")))
    }

    fn identity_of(&self, base: TypeId, computed: &KeyPathComputed) -> Generated<Identity> {
        match computed.identifier {
            KeyPathIdentifier::Function(name, _) => match self.sil.function_named(name) {
                Some(function) => Ok(Identity::Address(Entity::Function(function), 0)),
                None => {
                    Err(Box::new(unsupported_without_place("a key path of a function that the module does not have")))
                }
            },
            KeyPathIdentifier::Member(member, formal) => self.identity_of_member(member, formal),
            KeyPathIdentifier::Property(member) => {
                let (declaring, _, index) = self.stored_property(base, member)?;
                let mut number = index;
                let mut above =
                    self.types.queries.superclass_of(declaring).filter(|_| self.types.queries.is_class(base));
                while let Some(class) = above {
                    number +=
                        self.types.queries.declaration_of(class).map_or(0, |declaration| declaration.stored.len());
                    above = self.types.queries.superclass_of(class);
                }
                Ok(Identity::StoredProperty(number as u64))
            }
        }
    }

    /// Returns the descriptor of a method, or its position in the witness tables of a non-resilient protocol.
    fn identity_of_member(&self, member: MemberId, formal: Option<TypeId>) -> Generated<Identity> {
        let unknown = || Box::new(unsupported_without_place("a computed component of a key path of this form"));
        let parent = self.sil.context.get_member(member).parent.ok_or_else(unknown)?;
        let declaration = self.sil.declarations.get(parent);
        let method = MethodRef { member, formal_type: formal };
        match (declaration.kind, declaration.origin) {
            (NominalKind::Class | NominalKind::Actor, Origin::Module) => {
                if let Some(overridden) = self.overridden_elsewhere(parent, method)? {
                    return Ok(Identity::Address(Entity::Requirement(overridden), 0));
                }
                let (introducing, place) = self.method_descriptor(parent, method)?;
                Ok(Identity::Address(Entity::OfNominal(NominalPart::Descriptor, introducing), place))
            }
            (NominalKind::Class | NominalKind::Actor, _) => {
                let formal = formal.ok_or_else(unknown)?;
                let method = RequirementKey::ClassMethod(parent, member, formal, None);
                Ok(Identity::Address(Entity::Requirement(method), 0))
            }
            (NominalKind::Protocol, _) if self.numbers_members(parent) => {
                let words = self.witness_offset(parent, method)? / self.pointer_size() - 1;
                Ok(Identity::TableOffset(words.wrapping_neg()))
            }
            (NominalKind::Protocol, _) => {
                let formal = formal.ok_or_else(unknown)?;
                Ok(Identity::Address(Entity::Requirement(RequirementKey::Method(parent, member, formal)), 0))
            }
            _ => Err(unknown()),
        }
    }

    /// The descriptor of another module's property or subscript, with its generic arguments.
    fn add_external(
        &self,
        words: &mut ConstantStruct,
        pattern: &KeyPathPattern,
        computed: &KeyPathComputed,
    ) -> Generated<()> {
        let external = computed.external.filter(|(member, _)| self.is_external(computed, *member));
        let Some((member, written)) = external else { return Ok(()) };
        let queries = self.types.queries;
        let substitutions = self.external_substitutions(computed, member, written);
        let signature = queries.context.get_substitutions(substitutions).signature;
        let requirements = match queries.context.replacements(substitutions).is_empty() {
            true => Vec::new(),
            false => self.generic_requirements(signature)?,
        };
        let descriptor = Entity::PropertyDescriptor(self.getter_elsewhere(computed, member)?);
        self.require_symbol(&descriptor)?;
        words.add_integer(32, EXTERNAL | requirements.len() as u64);
        words.add_relative(descriptor);
        for requirement in requirements {
            let replaced = |ty| queries.canonical_type(queries.substitute(ty, substitutions));
            let name = match requirement {
                GenericRequirement::Shape(ty) => return Err(self.unsupported_type(ty)),
                GenericRequirement::Metadata(ty) => self.name_of_type(replaced(ty), pattern.path().signature),
                GenericRequirement::WitnessTable(ty, protocol) => Entity::KeyPathTableName(KeyPathTable {
                    signature: pattern.path().signature,
                    ty: replaced(ty),
                    protocol,
                }),
            };
            words.add_relative_with(name, IS_NAME);
        }
        Ok(())
    }

    /// Returns the getter in another module's descriptor of a component: if a class of this module overrides a property
    /// or a subscript, that of the overridden one.
    fn getter_elsewhere(&self, computed: &KeyPathComputed, external: MemberId) -> Generated<Name> {
        let Some(class) = self.overridden_class(computed, external) else { return Ok(computed.getter.0) };
        let name = self.sil.context.get_member(external).name;
        let symbol = self.overridden_getter(class, name).and_then(|formal| {
            let getter = MemberRef::new(Some(class), name, MemberKind::Getter, MemberTarget::Other);
            self.symbol_with(None, |types| types.member(class, &getter, formal, None))
        });
        let unknown = || Box::new(unsupported_without_place("a component of a key path that overrides one of several"));
        symbol.map(|symbol| self.sil.context.name(&symbol)).ok_or_else(unknown)
    }

    /// Returns the class that declares `external`, if a component is for an override of it.
    fn overridden_class(&self, computed: &KeyPathComputed, external: MemberId) -> Option<NominalId> {
        let KeyPathIdentifier::Member(member, _) = computed.identifier else { return None };
        let [overriding, declaring] = [member, external].map(|member| self.sil.context.get_member(member).parent);
        declaring.filter(|_| overriding.is_some() && overriding != declaring)
    }

    /// Returns the formal type of the only getter of `name` in `class`.
    fn overridden_getter(&self, class: NominalId, name: Name) -> Option<TypeId> {
        let declared = self.sil.declarations.get(class).dispatched.iter();
        let mut getters = declared.filter(|known| known.name == name && known.kind == MemberKind::Getter);
        getters.next().filter(|_| getters.next().is_none())?.ty
    }

    /// Returns whether another module declares the storage of a component.
    fn is_external(&self, computed: &KeyPathComputed, member: MemberId) -> bool {
        match computed.identifier {
            KeyPathIdentifier::Function(name, _) => {
                let function = self.sil.function_named(name).map(Entity::Function);
                function.is_none_or(|function| self.definition_of(&function) == Definition::Elsewhere)
            }
            KeyPathIdentifier::Member(..) | KeyPathIdentifier::Property(_) => {
                let parent = self.sil.context.get_member(member).parent;
                parent.is_none_or(|parent| self.sil.declarations.get(parent).origin != Origin::Module)
            }
        }
    }

    /// Returns the generic arguments of another module's declaration, in terms of its signature: an extension or a
    /// subscript may require more than the enclosing type.
    fn external_substitutions(
        &self,
        computed: &KeyPathComputed,
        external: MemberId,
        written: SubstitutionMapId,
    ) -> SubstitutionMapId {
        let context = &self.sil.context;
        let replacements = context.replacements(written);
        let ty = match (self.overridden_class(computed, external), &computed.identifier) {
            (Some(class), _) => self.overridden_getter(class, context.get_member(external).name),
            (None, KeyPathIdentifier::Function(_, ty)) => Some(*ty),
            (None, KeyPathIdentifier::Member(_, formal)) => *formal,
            (None, KeyPathIdentifier::Property(_)) => None,
        };
        let signature = ty.and_then(|ty| match self.types.queries.get(ty) {
            Type::Function(function) => function.signature,
            Type::FormalFunction(function) => function.signature,
            _ => None,
        });
        let fits = |signature: &SignatureId| context.get_signature(*signature).parameters.len() == replacements.len();
        signature.filter(fits).map_or(written, |signature| context.substitutions(signature, replacements))
    }

    /// The functions that destroy, copy, compare and hash the captures of a component.
    fn argument_witnesses(&self, pattern: &KeyPathPattern, number: usize) -> Generated<ConstantStruct> {
        let component = &pattern.path().components[number];
        let KeyPathComponentKind::Computed(computed) = &component.kind else {
            return Err(Box::new(unsupported_without_place("methods in key paths")));
        };
        let (Some((equals, _)), Some((hash, _))) = (computed.equals, computed.hash) else {
            return Err(Box::new(unsupported_without_place("a key path whose arguments cannot be compared")));
        };
        let mut is_trivial = true;
        for (_, _, ty) in captured(component) {
            is_trivial &= match self.types.layout(ty.ty)? {
                TypeLayout::Fixed(info) => info.is_trivial(),
                TypeLayout::Dynamic(_) => false,
            };
        }
        let function = |function| Entity::KeyPath(KeyPathPart::Function(function, number), pattern.clone());
        let mut words = ConstantStruct::new(self.pointer_size());
        words.add_optional_address((!is_trivial).then(|| function(KeyPathFunction::Destroy)));
        words.add_address(match is_trivial {
            true => Entity::Runtime(RuntimeFunction::CopyKeyPathTrivialIndices),
            false => function(KeyPathFunction::Copy),
        });
        words.add_address(self.key_path_accessor(equals)?);
        words.add_address(self.key_path_accessor(hash)?);
        Ok(words)
    }

    /// The description of a signature for the runtime.
    pub fn generic_environment_of(&self, signature: SignatureId) -> Generated<PointerValue<'ctx>> {
        let entity = Entity::GenericEnvironment(signature);
        if let Some(found) = self.declared_address(&entity) {
            return Ok(found);
        }
        let constant = self.generic_environment(signature)?;
        Ok(self.declare_constant(entity, constant, ENVIRONMENT_ALIGNMENT).as_pointer_value())
    }

    /// Returns the function that returns a witness table for a component of another module, given the arguments of the
    /// key path's instantiation.
    pub fn key_path_table_accessor(&self, table: KeyPathTable) -> PointerValue<'ctx> {
        let entity = Entity::KeyPathTableAccessor(table);
        let found = self.declared_function(&entity);
        let pointer = self.builder.ptr_type();
        let signature =
            || Signature::of_thunk(self.context, pointer.fn_type(&[pointer.into()], false), 0, Vec::new(), &[]);
        let function = found.unwrap_or_else(|| self.declare_thunk(entity, &signature()));
        function.as_global_value().as_pointer_value()
    }

    /// Returns the name by which the runtime finds that function.
    pub fn key_path_table_name(&self, table: KeyPathTable) -> PointerValue<'ctx> {
        let entity = Entity::KeyPathTableName(table);
        if let Some(found) = self.declared_address(&entity) {
            return found;
        }
        let mut text = ConstantStruct::new(self.pointer_size());
        text.add_bytes(&TABLE_ACCESSOR_NAME);
        text.add_relative(Entity::KeyPathTableAccessor(table));
        text.add_bytes(&[0]);
        self.declare_constant(entity, text, NAME_ALIGNMENT).as_pointer_value()
    }
}

/// The alignment of the description of a signature, in bytes.
const ENVIRONMENT_ALIGNMENT: u64 = 4;

/// The alignment of names, in bytes.
const NAME_ALIGNMENT: u64 = 2;

/// The bytes before the reference to a witness table accessor: it is not a type, and it is called with the arguments of
/// the key path's instantiation.
const TABLE_ACCESSOR_NAME: [u8; 2] = [0xFF, 0x09];

/// Adds a stored property at a known offset.
fn add_offset(words: &mut ConstantStruct, flags: u64, offset: u64) {
    if offset <= GREATEST_OFFSET {
        words.add_integer(32, flags | offset);
    } else {
        words.add_integer(32, flags | OFFSET_FOLLOWS);
        words.add_integer(32, offset);
    }
}
