//! Writes types, in full unless [`sugar`](super::sugar) has a short form: `Optional<T>`, `Array<T>`.

use sil_ir::context::*;
use sil_ir::declarations::Visible;

use super::Printer;

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

    /// Writes the replacements of a substitution map: `<A, B>`.
    pub fn substitutions(&mut self, map: SubstitutionMapId) {
        self.types_in_angles(self.context.replacements(map));
    }

    /// Writes `<A, B>`; nothing where there are none.
    pub fn types_in_angles(&mut self, arguments: &[TypeId]) {
        if arguments.is_empty() {
            return;
        }
        self.text("<");
        self.list(arguments, |printer, argument| printer.formal_type(*argument));
        self.text(">");
    }

    /// Writes a type after a word and a space.
    fn prefixed(&mut self, prefix: &str, ty: TypeId) {
        self.text(prefix);
        self.lowered_type(ty);
    }

    /// Writes a lowered type: the text after the dollar.
    pub fn lowered_type(&mut self, ty: TypeId) {
        let context = self.context;
        match context.get(ty) {
            Type::Builtin(builtin) => self.builtin(*builtin),
            Type::Nominal(nominal) => self.nominal_type(nominal),
            Type::Tuple(elements) => self.tuple(elements),
            Type::Function(function) => self.lowered_function(function, function.signature),
            Type::FormalFunction(function) => self.formal_function(function),
            Type::Metatype { instance, representation } => self.metatype(*instance, *representation),
            Type::ExistentialMetatype { instance, representation } => {
                self.representation(*representation);
                self.text("any ");
                self.existential_instance(*instance);
                self.text(".Type");
            }
            Type::Existential(constraint) => self.existential(*constraint),
            Type::Protocol { protocol, arguments } => {
                self.path(*protocol);
                self.types_in_angles(arguments);
            }
            Type::Composition(composition) => self.composition(composition),
            Type::GenericParameter { depth, index } => self.parameter(*depth, *index),
            Type::NamedParameter { name, .. } => self.name(*name),
            Type::DependentMember { base, member, .. } => {
                let pack = matches!(context.get(*base), Type::PackElement(_));
                self.text(if pack { "(" } else { "" });
                self.lowered_type(*base);
                self.text(if pack { ")." } else { "." });
                self.name(*member);
            }
            Type::OpenedArchetype { uuid, existential, interface } => {
                self.number(format_args!("@opened(\"{}\", ", context.text(*uuid).to_uppercase()));
                self.lowered_type(*existential);
                self.text(") ");
                self.with_self(|printer| printer.lowered_type(*interface));
            }
            Type::PackElementArchetype { uuid, interface } => {
                self.number(format_args!("@pack_element(\"{}\") ", context.text(*uuid).to_uppercase()));
                self.pack_parameter(*interface);
            }
            Type::OpaqueResult { symbol, ordinal, arguments } => {
                self.number(format_args!("@_opaqueReturnTypeOf(\"{}\", {ordinal}) __", context.text(*symbol)));
                self.types_in_angles(arguments);
            }
            Type::Box(layout) => self.boxed(layout),
            Type::Storage { kind, referent } => self.prefixed(storage_word(*kind), *referent),
            Type::Pack { elements, storage } => self.pack(elements, *storage),
            Type::PackExpansion { pattern } => self.prefixed("repeat ", *pattern),
            Type::PackElement(pack) => self.prefixed("each ", *pack),
            Type::DynamicSelf(inner) => self.prefixed("@dynamic_self ", *inner),
            Type::BlockStorage(capture) => self.prefixed("@block_storage ", *capture),
            Type::InOut(inner) => self.prefixed("inout ", *inner),
            Type::MoveOnlyWrapper(inner) => self.prefixed("@moveOnly ", *inner),
            Type::Integer(value) => self.number(value),
            Type::Unresolved { name, .. } => self.name(*name),
        }
    }

    /// Writes a pack parameter, or something of it, with its `each`.
    pub(super) fn pack_parameter(&mut self, ty: TypeId) {
        let bare = matches!(self.context.get(ty), Type::GenericParameter { .. } | Type::NamedParameter { .. });
        self.text(if bare { "each " } else { "" });
        self.lowered_type(ty);
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
        let alone = match self.context.get(instance) {
            Type::DynamicSelf(_) => representation.is_some(),
            Type::Builtin(_)
            | Type::Nominal(_)
            | Type::Tuple(_)
            | Type::GenericParameter { .. }
            | Type::NamedParameter { .. }
            | Type::DependentMember { .. }
            | Type::Metatype { representation: None, .. }
            | Type::Unresolved { .. } => true,
            _ => false,
        };
        match self.context.get(instance) {
            _ if alone => self.lowered_type(instance),
            // `Any.Type` would be the metatype of any type.
            Type::Existential(constraint) => {
                self.text("(any ");
                self.lowered_type(*constraint);
                self.text(")");
            }
            _ => {
                self.text("(");
                self.lowered_type(instance);
                self.text(")");
            }
        }
        self.text(".Type");
    }

    /// Writes the text between `any` and `.Type`.
    fn existential_instance(&mut self, instance: TypeId) {
        match self.context.get(instance) {
            Type::Existential(constraint) => match self.context.get(*constraint) {
                Type::Composition(composition) if parts(composition) > 1 => {
                    self.text("(");
                    self.composition(composition);
                    self.text(")");
                }
                _ => self.lowered_type(*constraint),
            },
            Type::ExistentialMetatype { instance, .. } => {
                self.existential_instance(*instance);
                self.text(".Type");
            }
            _ => self.lowered_type(instance),
        }
    }

    fn existential(&mut self, constraint: TypeId) {
        let bare = match self.context.get(constraint) {
            Type::Composition(composition) => composition.members.is_empty() && composition.inverses.is_empty(),
            _ => false,
        };
        if let Type::Composition(composition) = self.context.get(constraint)
            && bare
            && composition.class_constraint.is_some()
            && self.declarations.top_level(self.context.name("AnyObject")).is_some()
        {
            // The module has an `AnyObject` of its own.
            return self.text("Builtin.AnyObject");
        }
        self.text(if bare { "" } else { "any " });
        self.lowered_type(constraint);
    }

    fn composition(&mut self, composition: &Composition) {
        if parts(composition) == 0 {
            self.text("Any");
            return;
        }
        let mut first = true;
        let mut separate = |printer: &mut Self| {
            printer.text(if first { "" } else { " & " });
            first = false;
        };
        let is_class = |member: &&TypeId| matches!(self.context.get(**member), Type::Nominal(_));
        let (classes, protocols): (Vec<&TypeId>, Vec<&TypeId>) = composition.members.iter().partition(is_class);
        for member in classes.into_iter().chain(protocols) {
            separate(self);
            self.lowered_type(*member);
        }
        if composition.class_constraint.is_some() {
            separate(self);
            self.any_object();
        }
        for inverse in &composition.inverses {
            separate(self);
            self.inverse(*inverse);
        }
    }

    /// Writes `AnyObject`, in full where the module declares something else of that name.
    pub(super) fn any_object(&mut self) {
        let hidden = self.declarations.top_level(self.context.name("AnyObject")).is_some();
        self.text(if hidden { "Builtin.AnyObject" } else { "AnyObject" });
    }

    /// Writes `~Copyable`.
    pub(super) fn inverse(&mut self, inverse: Inverse) {
        self.text(match inverse {
            Inverse::Copyable => "~Copyable",
            Inverse::Escapable => "~Escapable",
        });
    }

    fn nominal_type(&mut self, nominal: &NominalType) {
        if self.short_form(nominal) {
            return;
        }
        match nominal.parent {
            Some(parent) => {
                self.lowered_type(parent);
                self.text(".");
                self.own_name(nominal.declaration);
            }
            None => self.path(nominal.declaration),
        }
        self.nominal_arguments(&nominal.arguments);
    }

    /// Writes the arguments of a nominal type; those of a parameter pack stand among the others.
    fn nominal_arguments(&mut self, arguments: &[TypeId]) {
        if arguments.is_empty() {
            return;
        }
        let mut flat = Vec::with_capacity(arguments.len());
        for ty in arguments {
            match self.context.get(*ty) {
                Type::Pack { elements, .. } => flat.extend_from_slice(elements),
                _ => flat.push(*ty),
            }
        }
        self.text("<");
        self.list(flat, |printer, ty| printer.lowered_type(ty));
        self.text(">");
    }

    /// Writes the name of a declaration with those of the types around it; with its module where another one hides it.
    pub(super) fn path(&mut self, nominal: NominalId) {
        let declaration = self.declarations.get(nominal);
        match declaration.parent {
            Some(parent) => {
                self.path(parent);
                self.text(".");
            }
            None => {
                let hidden = match self.declarations.visible(declaration.name) {
                    Some(Visible::Nominal(visible)) => visible != nominal,
                    // `typealias T = Other.T`
                    Some(Visible::Alias(alias)) => {
                        !matches!(self.context.get(alias.ty), Type::Nominal(aliased) if aliased.declaration == nominal)
                    }
                    None => self.declarations.is_ambiguous(declaration.name),
                };
                // Modules do not distinguish types that their functions declare, or their files for themselves.
                let is_of_part = declaration.attributes.local.is_some() || declaration.attributes.private_to.is_some();
                // Of a type that several modules may declare no module is known.
                let is_stated = !self.context.text(declaration.module).is_empty();
                if hidden && is_stated && !is_of_part {
                    self.name(declaration.module);
                    self.text(".");
                }
            }
        }
        self.own_name(nominal);
    }

    fn own_name(&mut self, nominal: NominalId) {
        let text = self.context.text(self.declarations.get(nominal).name);
        if matches!(text, "Type" | "Self" | "Any") {
            self.number(format_args!("`{text}`"));
        } else {
            self.text(text);
        }
    }

    fn tuple(&mut self, elements: &[TupleElement]) {
        self.text("(");
        if let [TupleElement { label: None, ty }] = elements
            && !matches!(self.context.get(*ty), Type::PackExpansion { .. })
        {
            self.text("_: ");
        }
        self.list(elements, |printer, element| {
            if let Some(label) = element.label {
                printer.name(label);
                printer.text(": ");
            }
            printer.lowered_type(element.ty);
        });
        self.text(")");
    }

    fn boxed(&mut self, layout: &BoxType) {
        if layout.captures_generics == CapturesGenerics::Yes {
            self.text("@captures_generics ");
        }
        let mark = self.parameters.len();
        let substitutions = layout.substitutions.map(|map| self.context.get_substitutions(map));
        if let Some(map) = substitutions.filter(|map| map.signature != SignatureId::EMPTY) {
            self.signature(map.signature);
            self.text(" ");
            self.enter(map.signature);
        }
        self.text("{");
        for (index, field) in layout.fields.iter().enumerate() {
            self.text(if index > 0 { "," } else { "" });
            self.text(match field.mutability {
                Mutability::Var => " var ",
                Mutability::Let => " let ",
            });
            self.lowered_type(field.ty);
        }
        self.text(" }");
        self.parameters.truncate(mark);
        if let Some(map) = substitutions.filter(|map| !map.replacements.is_empty()) {
            self.text(" ");
            self.types_in_angles(&map.replacements);
        }
    }

    fn pack(&mut self, elements: &[TypeId], storage: PackStorage) {
        self.text(match storage {
            PackStorage::Formal => "Pack{",
            PackStorage::Direct => "@direct Pack{",
            PackStorage::Indirect => "@indirect Pack{",
        });
        self.list(elements, |printer, element| printer.lowered_type(*element));
        self.text("}");
    }

    fn builtin(&mut self, builtin: BuiltinType) {
        self.text("Builtin.");
        match builtin {
            BuiltinType::Integer(width) => self.number(format_args!("Int{width}")),
            BuiltinType::Word => self.text("Word"),
            BuiltinType::IntegerLiteral => self.text("IntLiteral"),
            BuiltinType::Float(width) => self.number(format_args!("FPIEEE{width}")),
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
            BuiltinType::ImplicitActor => self.text("ImplicitActor"),
            BuiltinType::Vector { element, count } => match element {
                VectorElement::Integer(width) => self.number(format_args!("Vec{count}xInt{width}")),
                VectorElement::Float(width) => self.number(format_args!("Vec{count}xFPIEEE{width}")),
                VectorElement::RawPointer => self.number(format_args!("Vec{count}xRawPointer")),
            },
            BuiltinType::FixedArray { count, element } => {
                self.text("FixedArray");
                self.types_in_angles(&[count, element]);
            }
        }
    }
}

/// How many things a composition names.
fn parts(composition: &Composition) -> usize {
    composition.members.len() + composition.inverses.len() + usize::from(composition.class_constraint.is_some())
}

fn storage_word(kind: StorageKind) -> &'static str {
    match kind {
        StorageKind::Weak => "@sil_weak ",
        StorageKind::Unowned => "@sil_unowned ",
        StorageKind::Unmanaged => "@sil_unmanaged ",
    }
}
