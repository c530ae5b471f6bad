//! The property descriptors of the module for key paths of other modules (`sil_property`; lib/IRGen/GenKeyPath.cpp,
//! `emitSILProperty`): the access of a component, or the statement that the other module's own access is right.

use inkwell::values::PointerValue;
use rustc_hash::{FxHashMap, FxHashSet};
use sil_ir::context::{MemberId, Name, NominalId, SubstitutionMapId, Type, TypeId};
use sil_ir::declarations::NominalKind;
use sil_ir::model::{KeyPath, KeyPathComponent, KeyPathComponentKind, Property};
use sil_ir::symbols::Symbol;

use crate::generation::constants::ConstantStruct;
use crate::generation::{Entity, IRGenModule, KeyPathPattern};
use crate::refusal::Generated;

/// The property descriptors of a module, by getter, with the component if there is one.
pub(in crate::generation) type OwnProperties = FxHashMap<Name, Option<KeyPathPattern>>;

/// The alignment of descriptors, in bytes.
const DESCRIPTOR_ALIGNMENT: u64 = 4;

/// The enclosing types of a property, the outermost first, and its name.
type Path = (Vec<String>, String);

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Declares the descriptors of the module's properties.
    pub(in crate::generation) fn declare_property_descriptors(&self) {
        if !self.is_first_unit() {
            return;
        }
        let mut getters: Vec<Name> = self.own_properties().keys().copied().collect();
        getters.sort_by_key(|getter| self.sil.context.text(*getter));
        for getter in getters {
            if let Err(error) = self.property_descriptor(getter) {
                self.push_error(*error);
            }
        }
    }

    /// The descriptors that the module has.
    pub(in crate::generation) fn own_properties(&self) -> &OwnProperties {
        self.program.own_properties.get_or_init(|| self.find_properties())
    }

    fn find_properties(&self) -> OwnProperties {
        let mut found = OwnProperties::default();
        if self.sil.properties.is_empty() {
            return found;
        }
        let mut getters: FxHashMap<Path, Vec<Name>> = FxHashMap::default();
        for function in self.sil.functions.values() {
            let symbol = Symbol::demangle(self.sil.context.text(function.name));
            if self.is_defined_here(function)
                && let Some(path) = symbol.and_then(|symbol| symbol.gotten_storage())
            {
                getters.entry(path).or_default().push(function.name);
            }
        }
        // Overloads have the same path: they are distinguished by the accessors of those with a component of their own.
        let stated: FxHashSet<Option<String>> = self
            .sil
            .properties
            .iter()
            .filter_map(|property| match &property.component.as_ref()?.kind {
                KeyPathComponentKind::Computed(computed) => Some(self.property_symbol(computed.getter.0)),
                _ => None,
            })
            .collect();
        for getters in getters.values_mut() {
            getters.retain(|getter| !stated.contains(&self.property_symbol(*getter)));
        }
        for property in &self.sil.properties {
            let of_it = getters.get(&self.storage_path(property.member)).map_or(&[][..], Vec::as_slice);
            match &property.component {
                None => of_it.iter().for_each(|getter| {
                    found.entry(*getter).or_insert(None);
                }),
                Some(component) => {
                    let pattern = self.pattern_of(property, component);
                    match &component.kind {
                        KeyPathComponentKind::Computed(computed) => {
                            found.insert(computed.getter.0, Some(pattern));
                        }
                        _ => of_it.iter().for_each(|getter| {
                            found.insert(*getter, Some(pattern.clone()));
                        }),
                    }
                }
            }
        }
        found
    }

    /// Returns the component as a pattern with one component.
    fn pattern_of(&self, property: &Property, component: &KeyPathComponent) -> KeyPathPattern {
        let root =
            self.sil.context.get_member(property.member).parent.map_or(component.ty, |parent| self.self_type(parent));
        let components = vec![component.clone()];
        let substitutions = SubstitutionMapId::EMPTY;
        KeyPathPattern::of(&KeyPath { signature: property.signature, objc: None, root, components, substitutions })
    }

    fn self_type(&self, nominal: NominalId) -> TypeId {
        match self.sil.declarations.get(nominal).kind {
            NominalKind::Protocol => self.sil.context.ty(Type::GenericParameter { depth: 0, index: 0 }),
            _ => self.identity(nominal),
        }
    }

    fn storage_path(&self, member: MemberId) -> Path {
        let text = |name| self.sil.context.text(name).to_owned();
        let member = self.sil.context.get_member(member);
        let mut types = Vec::new();
        let mut next = member.parent;
        while let Some(nominal) = next {
            let declaration = self.sil.declarations.get(nominal);
            types.push(text(declaration.name));
            next = declaration.parent;
        }
        types.reverse();
        (types, text(member.name))
    }

    /// Returns the descriptor of a property or subscript, by its getter.
    pub fn property_descriptor(&self, getter: Name) -> Generated<PointerValue<'ctx>> {
        let entity = Entity::PropertyDescriptor(getter);
        if let Some(found) = self.declared_address(&entity) {
            return Ok(found);
        }
        self.require_symbol(&entity)?;
        let mut words = ConstantStruct::new(self.pointer_size());
        match self.own_properties().get(&getter) {
            None => {
                let flags = self.context.i32_type();
                return Ok(self.declare_variable(entity, flags, DESCRIPTOR_ALIGNMENT).as_pointer_value());
            }
            Some(None) => words.add_integer(32, 0),
            Some(Some(pattern)) => self.add_only_component(&mut words, pattern)?,
        }
        Ok(self.declare_constant(entity, words, DESCRIPTOR_ALIGNMENT).as_pointer_value())
    }
}
