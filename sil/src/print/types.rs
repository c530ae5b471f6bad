//! Writes types. Function types are in `function_types`, signatures in `signatures`.

use super::Printer;
use crate::context::TypeId;
use crate::declarations::NominalId;
use crate::types::{
    BoxType, BuiltinType, CapturesGenerics, Composition, Inverse, MetatypeRepresentation, Mutability, NominalType,
    PackStorage, SilType, StorageKind, TupleElement, Type, VectorElement,
};

impl Printer<'_> {
    /// Writes `$T` or `$*T`.
    pub fn sil_type(&mut self, ty: SilType) {
        self.text(if ty.is_address() { "$*" } else { "$" });
        self.lowered_type(ty.ty);
    }

    /// Writes a formal type.
    pub fn formal_type(&mut self, ty: TypeId) {
        self.lowered_type(ty);
    }

    /// Writes `<A, B>`; nothing where there are none.
    pub fn substitutions(&mut self, arguments: &[TypeId]) {
        if arguments.is_empty() {
            return;
        }
        self.text("<");
        self.list(arguments, |this, ty| this.lowered_type(*ty));
        self.text(">");
    }

    /// Writes a lowered type: what follows the dollar.
    pub fn lowered_type(&mut self, ty: TypeId) {
        match self.context.get(ty) {
            Type::Builtin(builtin) => self.builtin_type(*builtin),
            Type::Nominal(nominal) => self.nominal_type(nominal),
            Type::Tuple(elements) => self.tuple_type(elements),
            Type::Function(function) => self.lowered_function(function),
            Type::FormalFunction(function) => self.formal_function(function),
            Type::Metatype { instance, representation } => self.metatype(*instance, *representation),
            Type::ExistentialMetatype { instance, representation } => {
                self.existential_metatype(*instance, *representation);
            }
            Type::Existential(constraint) => self.existential(*constraint),
            Type::Protocol { protocol, arguments } => {
                self.nominal_name(*protocol);
                self.substitutions(arguments);
            }
            Type::Composition(composition) => self.composition(composition),
            Type::GenericParameter { depth, index } => self.generic_parameter(*depth, *index),
            Type::NamedParameter { name, .. } => self.identifier(*name),
            Type::DependentMember { base, member, .. } => {
                self.in_parens_if(*base, |ty| matches!(ty, Type::PackElement(_)));
                self.text(".");
                self.identifier(*member);
            }
            Type::OpenedArchetype { uuid, existential, interface } => {
                self.text("@opened(");
                self.quoted(self.context.text(*uuid));
                self.text(", ");
                self.lowered_type(*existential);
                self.text(") ");
                self.interface_of_opened(*interface);
            }
            Type::PackElementArchetype { uuid, interface } => {
                self.text("@pack_element(");
                self.quoted(self.context.text(*uuid));
                self.text(") ");
                self.lowered_type(*interface);
            }
            Type::OpaqueResult { symbol, ordinal, arguments } => {
                self.text("@_opaqueReturnTypeOf(");
                self.quoted(self.context.text(*symbol));
                self.number(format_args!(", {ordinal}) __"));
                self.substitutions(arguments);
            }
            Type::Box(layout) => self.box_type(layout),
            Type::Storage { kind, referent } => {
                self.text(match kind {
                    StorageKind::Weak => "@sil_weak ",
                    StorageKind::Unowned => "@sil_unowned ",
                    StorageKind::Unmanaged => "@sil_unmanaged ",
                });
                self.lowered_type(*referent);
            }
            Type::Pack { elements, storage } => {
                self.text(match storage {
                    PackStorage::Direct => "@direct Pack{",
                    PackStorage::Indirect | PackStorage::Formal => "Pack{",
                });
                self.list(elements, |this, ty| this.lowered_type(*ty));
                self.text("}");
            }
            Type::PackExpansion { pattern } => self.prefixed("repeat ", *pattern),
            Type::PackElement(pack) => self.prefixed("each ", *pack),
            Type::DynamicSelf(class) => self.prefixed("@dynamic_self ", *class),
            Type::BlockStorage(captured) => self.prefixed("@block_storage ", *captured),
            Type::InOut(object) => self.prefixed("inout ", *object),
            Type::MoveOnlyWrapper(wrapped) => self.prefixed("@moveOnly ", *wrapped),
            Type::Integer(value) => self.number(value),
            Type::Unresolved(name) => self.identifier(*name),
        }
    }

    fn prefixed(&mut self, prefix: &str, ty: TypeId) {
        self.text(prefix);
        self.lowered_type(ty);
    }

    /// Writes `ty`, in parentheses where `needs_them`.
    pub(super) fn in_parens_if(&mut self, ty: TypeId, needs_them: impl Fn(&Type) -> bool) {
        if needs_them(self.context.get(ty)) {
            self.text("(");
            self.lowered_type(ty);
            self.text(")");
        } else {
            self.lowered_type(ty);
        }
    }

    /// In an opened archetype the parameter is `Self`.
    fn interface_of_opened(&mut self, interface: TypeId) {
        match self.context.get(interface) {
            Type::GenericParameter { depth: 0, index: 0 } => self.text("Self"),
            Type::DependentMember { base, member, .. } => {
                self.interface_of_opened(*base);
                self.text(".");
                self.identifier(*member);
            }
            _ => self.lowered_type(interface),
        }
    }

    fn nominal_type(&mut self, nominal: &NominalType) {
        match nominal.parent {
            Some(parent) => {
                self.lowered_type(parent);
                self.text(".");
                self.identifier(self.declarations.get(nominal.declaration).name);
            }
            None => self.nominal_name(nominal.declaration),
        }
        if nominal.arguments.is_empty() {
            return;
        }
        self.text("<");
        self.list(self.flat_arguments(&nominal.arguments), |this, ty| this.lowered_type(ty));
        self.text(">");
    }

    /// Generic arguments with packs as the lists that they are.
    fn flat_arguments(&self, arguments: &[TypeId]) -> Vec<TypeId> {
        let mut flat = Vec::with_capacity(arguments.len());
        for ty in arguments {
            match self.context.get(*ty) {
                Type::Pack { elements, .. } => flat.extend(elements),
                _ => flat.push(*ty),
            }
        }
        flat
    }

    /// Writes the name of a declaration with those around it, and with its module where another one hides it.
    pub(super) fn nominal_name(&mut self, id: NominalId) {
        let declaration = self.declarations.get(id);
        match declaration.parent {
            Some(parent) => {
                self.nominal_name(parent);
                self.text(".");
            }
            None if self.declarations.top_level(declaration.name) != Some(id) => {
                self.identifier(declaration.module);
                self.text(".");
            }
            None => {}
        }
        self.identifier(declaration.name);
    }

    fn tuple_type(&mut self, elements: &[TupleElement]) {
        self.text("(");
        self.list(elements, |this, element| {
            if let Some(label) = element.label {
                this.identifier(label);
                this.text(": ");
            }
            this.lowered_type(element.ty);
        });
        self.text(")");
    }

    fn representation(&mut self, representation: Option<MetatypeRepresentation>) {
        self.text(match representation {
            None => "",
            Some(MetatypeRepresentation::Thin) => "@thin ",
            Some(MetatypeRepresentation::Thick) => "@thick ",
            Some(MetatypeRepresentation::ObjC) => "@objc_metatype ",
        });
    }

    fn metatype(&mut self, instance: TypeId, representation: Option<MetatypeRepresentation>) {
        self.representation(representation);
        // `@thick @dynamic_self C.Type` is the metatype of the dynamic self.
        self.in_parens_if(instance, |ty| {
            matches!(
                ty,
                Type::Function(_)
                    | Type::FormalFunction(_)
                    | Type::Existential(_)
                    | Type::ExistentialMetatype { .. }
                    | Type::OpenedArchetype { .. }
                    | Type::PackElementArchetype { .. }
                    | Type::PackElement(_)
                    | Type::OpaqueResult { .. }
                    | Type::Box(_)
            )
        });
        self.text(".Type");
    }

    fn existential_metatype(&mut self, instance: TypeId, representation: Option<MetatypeRepresentation>) {
        self.representation(representation);
        self.instance_of_existential(instance);
        self.text(".Type");
    }

    fn instance_of_existential(&mut self, instance: TypeId) {
        match self.context.get(instance) {
            Type::Existential(constraint) => match self.context.get(*constraint) {
                Type::Composition(composition) if is_named(composition) => self.composition(composition),
                Type::Composition(composition) => {
                    self.text("any (");
                    self.composition(composition);
                    self.text(")");
                }
                _ => self.prefixed("any ", *constraint),
            },
            Type::ExistentialMetatype { instance, .. } => {
                self.instance_of_existential(*instance);
                self.text(".Type");
            }
            _ => self.lowered_type(instance),
        }
    }

    fn existential(&mut self, constraint: TypeId) {
        match self.context.get(constraint) {
            Type::Composition(composition) if is_named(composition) => self.composition(composition),
            _ => self.prefixed("any ", constraint),
        }
    }

    fn composition(&mut self, composition: &Composition) {
        if is_named(composition) {
            return self.text(if composition.class_constraint.is_some() { "AnyObject" } else { "Any" });
        }
        let mut first = true;
        let mut separate = |this: &mut Self| {
            if !std::mem::take(&mut first) {
                this.text(" & ");
            }
        };
        for member in &composition.members {
            separate(self);
            self.lowered_type(*member);
        }
        if composition.class_constraint.is_some() {
            separate(self);
            self.text("AnyObject");
        }
        for inverse in &composition.inverses {
            separate(self);
            self.inverse(*inverse);
        }
    }

    pub(super) fn inverse(&mut self, inverse: Inverse) {
        self.text(match inverse {
            Inverse::Copyable => "~Copyable",
            Inverse::Escapable => "~Escapable",
        });
    }

    fn box_type(&mut self, layout: &BoxType) {
        if layout.captures_generics == CapturesGenerics::Yes {
            self.text("@captures_generics ");
        }
        self.in_own_signature(layout.signature, |this| {
            if let Some(signature) = layout.signature {
                this.signature(signature);
                this.text(" ");
            }
            this.text("{");
            for (index, field) in layout.fields.iter().enumerate() {
                if index > 0 {
                    this.text(",");
                }
                this.text(match field.mutability {
                    Mutability::Var => " var ",
                    Mutability::Let => " let ",
                });
                this.lowered_type(field.ty);
            }
            this.text(" }");
        });
        if !layout.arguments.is_empty() {
            self.text(" ");
            self.substitutions(&layout.arguments);
        }
    }

    fn builtin_type(&mut self, builtin: BuiltinType) {
        self.text("Builtin.");
        match builtin {
            BuiltinType::Integer(bits) => self.number(format_args!("Int{bits}")),
            BuiltinType::Word => self.text("Word"),
            BuiltinType::IntegerLiteral => self.text("IntLiteral"),
            BuiltinType::Float(bits) => self.number(format_args!("FPIEEE{bits}")),
            BuiltinType::RawPointer => self.text("RawPointer"),
            BuiltinType::RawUnsafeContinuation => self.text("RawUnsafeContinuation"),
            BuiltinType::NativeObject => self.text("NativeObject"),
            BuiltinType::BridgeObject => self.text("BridgeObject"),
            BuiltinType::UnsafeValueBuffer => self.text("UnsafeValueBuffer"),
            BuiltinType::Job => self.text("Job"),
            BuiltinType::Executor => self.text("Executor"),
            BuiltinType::DefaultActorStorage => self.text("DefaultActorStorage"),
            BuiltinType::NonDefaultDistributedActorStorage => self.text("NonDefaultDistributedActorStorage"),
            BuiltinType::PackIndex => self.text("PackIndex"),
            BuiltinType::Token => self.text("SILToken"),
            BuiltinType::Vector { element, count } => {
                self.number(format_args!("Vec{count}x"));
                match element {
                    VectorElement::Integer(bits) => self.number(format_args!("Int{bits}")),
                    VectorElement::Float(bits) => self.number(format_args!("FPIEEE{bits}")),
                    VectorElement::RawPointer => self.text("RawPointer"),
                }
            }
            BuiltinType::FixedArray { count, element } => {
                self.text("FixedArray");
                self.substitutions(&[count, element]);
            }
            BuiltinType::ImplicitActor => self.text("ImplicitActor"),
        }
    }
}

/// `Any` and `AnyObject` are written without `any`.
fn is_named(composition: &Composition) -> bool {
    composition.members.is_empty() && composition.inverses.is_empty()
}
