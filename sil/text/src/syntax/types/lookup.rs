//! Lookup of names in types: generic parameters, nominal types, aliases, members, builtin types, modules.

use sil_ir::context::{
    BuiltinType, GenericParameter, GenericParameterKind, GenericSignature, MetatypeRepresentation, Name, NominalId,
    NominalType, PackStorage, SignatureId, SubstitutionMapId, Type, TypeId, VectorElement,
};
use sil_ir::declarations::{
    Meaning, NominalKind, OpenMeaning, Origin, ProtocolMetatypes, TypeAlias, Visible, parameter_as_argument,
};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::{AddressLowering, LanguageMode};
use sil_ir::types::{ConformanceTable, TypeQueries};

use super::Position;
use super::namesakes::{as_reference, unknown_namesake};
use super::resolve::Resolver;
use super::tree::{NodeId, NodeKind};
use crate::syntax::Parsed;
use crate::syntax::names::plain_name;
use crate::syntax::suggestion::closest;

/// The code of the error for an unknown type.
pub(crate) const UNKNOWN_TYPE: &str = "unknown-type";

/// The hint for types that the module does not declare.
const DECLARED_ELSEWHERE: &str =
    "give what declares it as well: the .sil file of a module, or a C header (--import-header FILE)";

/// The declaration to which an inheritance clause belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum InheritanceClause {
    /// The type's own declaration, which can name a superclass or a raw type.
    Declaration,
    Extension,
}

/// The result of a lookup.
#[derive(Clone)]
pub(crate) enum Found {
    /// A complete type.
    Type(TypeId),
    /// A declaration, without its arguments.
    Nominal(NominalId),
    /// A declaration nested in a type that has generic arguments.
    Nested(NominalId, TypeId),
    /// An alias.
    Alias(Box<TypeAlias>),
    /// A module.
    Module(Name),
    /// The compiler's own module.
    Builtin,
}

impl<'a> Resolver<'_, 'a> {
    /// Resolves a name at the beginning of a type, with its arguments.
    pub(crate) fn named(
        &mut self,
        id: NodeId,
        name: &'a str,
        arguments: &[NodeId],
        position: Position,
    ) -> Parsed<TypeId> {
        let found = self.find_taking(id, name, arguments.len())?;
        // A protocol is written as `any P` in the place of a type.
        let found = self.narrowed(found, |candidate| self.declarations.get(candidate).kind != NominalKind::Protocol);
        self.found(id, found, arguments, position)
    }

    /// Looks up a name with `count` generic arguments. A declaration that takes them is preferred to a nearer one that
    /// does not: `Range<Bound>` is the library's type even if a type or a parameter called `Range` hides it, as SIL
    /// omits modules.
    pub(crate) fn find_taking(&mut self, id: NodeId, text: &'a str, count: usize) -> Parsed<Found> {
        self.find_fitting(id, text, |resolver, found| count == 0 || resolver.takes(found, count))
    }

    /// Looks up a name with `count` generic arguments in a requirement or a composition. Protocols and classes are
    /// preferred: nothing conforms to a type parameter, a struct or an enum.
    pub(crate) fn find_constraint(&mut self, id: NodeId, text: &'a str, count: usize) -> Parsed<Found> {
        self.find_fitting(id, text, |resolver, found| {
            (count == 0 || resolver.takes(found, count)) && resolver.can_constrain(found)
        })
    }

    /// Looks up a name with `count` generic arguments in an inheritance clause of the type around it. A type does not
    /// inherit from itself, and an extension adds protocols only: `Decoder` after `extension Reader.Decoder` is the
    /// library's protocol, as SIL omits modules.
    pub(crate) fn find_inherited(
        &mut self,
        id: NodeId,
        text: &'a str,
        count: usize,
        clause: InheritanceClause,
    ) -> Parsed<Found> {
        self.find_fitting(id, text, |resolver, found| {
            let is_possible = match clause {
                InheritanceClause::Declaration => resolver.declaration_of(found) != resolver.scope.nominal,
                InheritanceClause::Extension => resolver.is_no_concrete_type(found),
            };
            let is_parameter = matches!(found, Found::Type(ty) if resolver.is_type_parameter(*ty));
            is_possible && (count == 0 || resolver.takes(found, count)) && !is_parameter
        })
    }

    fn is_no_concrete_type(&self, found: &Found) -> bool {
        self.declaration_of(found).is_none_or(|declaration| {
            matches!(self.declarations.get(declaration).kind, NominalKind::Protocol | NominalKind::Unknown)
        })
    }

    /// Returns the declaration of `found`, if it is a nominal type.
    fn declaration_of(&self, found: &Found) -> Option<NominalId> {
        match found {
            Found::Type(ty) => match self.context.get(*ty) {
                Type::Nominal(nominal) => Some(nominal.declaration),
                _ => None,
            },
            Found::Nominal(nominal) | Found::Nested(nominal, _) => Some(*nominal),
            Found::Alias(_) | Found::Module(_) | Found::Builtin => None,
        }
    }

    /// Returns whether a type is a generic parameter or an associated type.
    fn is_type_parameter(&self, ty: TypeId) -> bool {
        matches!(
            self.context.get(ty),
            Type::GenericParameter { .. } | Type::NamedParameter { .. } | Type::DependentMember { .. }
        )
    }

    /// Returns the nearest meaning of a name that satisfies `fits`, or else the nearest meaning.
    fn find_fitting(&mut self, id: NodeId, text: &'a str, fits: impl Fn(&Self, &Found) -> bool) -> Parsed<Found> {
        let nearest = self.find(id, text)?;
        let nearest = self.narrowed(nearest, |candidate| fits(self, &Found::Nominal(candidate)));
        if fits(self, &nearest) {
            return Ok(nearest);
        }
        let name = self.context.name(plain_name(text));
        let mut next = self.scope.nominal;
        while let Some(nominal) = next {
            let member = self.find_member(id, nominal, self.identity(nominal), name)?;
            if let Some(found) = member.filter(|found| fits(self, found)) {
                return Ok(found);
            }
            next = self.declarations.get(nominal).parent;
        }
        let outermost = self.declarations.all_top_level(name).iter().rev().map(|nominal| Found::Nominal(*nominal));
        Ok(outermost.into_iter().find(|found| fits(self, found)).unwrap_or(nearest))
    }

    /// Returns whether a type can conform to `found` or inherit from it. Type parameters, structs and enums allow
    /// neither.
    fn can_constrain(&self, found: &Found) -> bool {
        match found {
            Found::Type(ty) => self.is_constraint(*ty),
            Found::Nominal(nominal) | Found::Nested(nominal, _) => self.is_class_or_protocol(*nominal),
            Found::Alias(alias) => self.is_constraint(alias.ty),
            Found::Module(_) | Found::Builtin => false,
        }
    }

    fn is_constraint(&self, ty: TypeId) -> bool {
        match self.context.get(ty) {
            Type::Nominal(nominal) => self.is_class_or_protocol(nominal.declaration),
            _ => !self.is_type_parameter(ty),
        }
    }

    fn is_class_or_protocol(&self, nominal: NominalId) -> bool {
        !matches!(self.declarations.get(nominal).kind, NominalKind::Struct | NominalKind::Enum)
    }

    /// Returns whether `found` can have `count` generic arguments.
    fn takes(&self, found: &Found, count: usize) -> bool {
        let declaration = match found {
            Found::Type(ty) => match self.context.get(*ty) {
                Type::Nominal(nominal) => nominal.declaration,
                Type::Unresolved { .. } => return true,
                _ => return false,
            },
            Found::Nominal(nominal) | Found::Nested(nominal, _) => *nominal,
            Found::Alias(alias) => return alias.signature.is_some(),
            Found::Module(_) | Found::Builtin => return false,
        };
        let nominal = self.declarations.get(declaration);
        nominal.kind == NominalKind::Protocol
            || nominal.own_parameters as usize == count
            || self.own_parameters(declaration).iter().any(|parameter| parameter.kind == GenericParameterKind::Pack)
    }

    fn own_parameters(&self, declaration: NominalId) -> &'_ [GenericParameter] {
        self.declarations.own_parameters(self.context, declaration)
    }

    /// Returns the meaning of an alias of a generic type without its arguments, `typealias Index = CollectionIndex`: a
    /// signature of parameters of depth `depth`, and the type with these as its arguments. `None` if the node is no
    /// generic type.
    pub(crate) fn unbound(&mut self, id: NodeId, depth: u32) -> Parsed<Option<(SignatureId, TypeId)>> {
        let found = match &self.node(id).kind {
            NodeKind::Name { name, arguments } if arguments.is_empty() => self.find(id, name)?,
            NodeKind::Member { base, name, arguments } if arguments.is_empty() && *name != "Type" => {
                match self.find_base(*base, name)? {
                    Found::Builtin => return Ok(None),
                    found => self.find_after(id, *base, found, name)?,
                }
            }
            _ => return Ok(None),
        };
        let (declaration, parent) = match found {
            Found::Nominal(nominal) => (nominal, None),
            Found::Nested(nominal, parent) => (nominal, Some(parent)),
            _ => return Ok(None),
        };
        let own = self.own_parameters(declaration);
        if own.is_empty() {
            return Ok(None);
        }
        let parameters = own.iter().zip(0..).map(|(own, index)| GenericParameter { depth, index, ..*own });
        let parameters: Box<[GenericParameter]> = parameters.collect();
        let arguments = parameters.iter().map(|parameter| parameter_as_argument(self.context, parameter)).collect();
        let ty = self.context.ty(Type::Nominal(NominalType { declaration, parent, arguments }));
        let signature = GenericSignature { parameters, requirements: Box::default() };
        Ok(Some((self.context.signature(signature), ty)))
    }

    /// Looks up a name at the beginning of a type.
    pub(crate) fn find(&mut self, id: NodeId, text: &'a str) -> Parsed<Found> {
        let name = self.context.name(plain_name(text));
        if let Some(at) = self.scope.names.iter().rposition(|(known, _)| *known == name) {
            self.used_scope |= at < self.outer_names;
            return Ok(Found::Type(self.scope.names[at].1));
        }
        if let Some((depth, index)) = positional_parameter(text) {
            return Ok(Found::Type(self.context.ty(Type::GenericParameter { depth, index })));
        }
        let enclosing = self.find_in_enclosing(id, name)?;
        let is_meant = |found: &Found| !self.is_outermost_meant(found, name) && !self.is_open(id, found, name);
        if let Some(found) = enclosing.filter(is_meant) {
            return Ok(found);
        }
        if let Some(found) = self.find_open(id, text, name)? {
            return Ok(found);
        }
        if self.is_pending(None, name) {
            return self.not_yet(id);
        }
        if let Some(alias) = self.declarations.file_private.alias(self.file, None, name) {
            return Ok(Found::Alias(Box::new(alias.clone())));
        }
        if let Some(meaning) = self.declarations.namesakes.meaning(name, self.span(id)) {
            self.used_place = true;
            return match self.taking_arguments(id, name, meaning) {
                Meaning::One(nominal) => Ok(Found::Nominal(nominal)),
                Meaning::Unknown => Err(unknown_namesake(text, self.span(id))),
            };
        }
        if let Some(found) = self.find_in_imported_module(name) {
            return Ok(found);
        }
        match self.declarations.visible(name) {
            Some(Visible::Nominal(nominal)) => Ok(Found::Nominal(nominal)),
            Some(Visible::Alias(alias)) => Ok(Found::Alias(Box::new(alias.clone()))),
            None => self.find_special(id, plain_name(text), name),
        }
    }

    /// Refines the `meaning` of `name` at its place. If it is unknown or takes another number of generic arguments than
    /// are written, returns the only type that takes as many.
    fn taking_arguments(&self, id: NodeId, name: Name, meaning: Meaning) -> Meaning {
        let written = match &self.node(id).kind {
            NodeKind::Name { arguments, .. } => arguments.len(),
            _ => return meaning,
        };
        let takes = |nominal: &&NominalId| self.own_parameters(**nominal).len() == written;
        if matches!(meaning, Meaning::One(meant) if takes(&&meant)) {
            return meaning;
        }
        let mut fitting = self.declarations.all_top_level(name).iter().filter(takes);
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => Meaning::One(*only),
            _ => meaning,
        }
    }

    /// Looks up a name of several types, which can have another meaning at each place. `None` for other names, and if
    /// the entity around the place determines the meaning.
    fn find_open(&mut self, id: NodeId, text: &str, name: Name) -> Parsed<Option<Found>> {
        let Some(meaning) = self.declarations.open_names.meaning(name, self.span(id)) else { return Ok(None) };
        self.used_place = true;
        let candidates = match meaning {
            OpenMeaning::Stated(Meaning::One(meant)) => return Ok(Some(Found::Nominal(meant))),
            OpenMeaning::Stated(Meaning::Unknown) => return Err(unknown_namesake(text, self.span(id))),
            OpenMeaning::AnyOf(candidates) => candidates,
        };
        if let Some(Meaning::One(_)) = self.declarations.namesakes.meaning(name, self.span(id)) {
            return Ok(None);
        }
        let written = match &self.node(id).kind {
            NodeKind::Name { arguments, .. } => arguments.len(),
            _ => 0,
        };
        let takes = |candidate: NominalId| self.takes(&Found::Nominal(candidate), written);
        let place = self.span(id).start;
        let found = self.declarations.open_names.stand_in(place, candidates).map(Found::Nominal);
        Ok(found.map(|found| self.narrowed(found, takes)))
    }

    /// Returns whether `found`, a type around the text, is only one of the possible meanings of `name`. Without its
    /// arguments it is always meant.
    fn is_open(&self, id: NodeId, found: &Found, name: Name) -> bool {
        let Some(around) = self.declaration_of(found) else { return false };
        let is_bare = matches!(&self.node(id).kind, NodeKind::Name { arguments, .. } if arguments.is_empty());
        if is_bare && self.declarations.get(around).own_parameters > 0 {
            return false;
        }
        match self.declarations.open_names.meaning(name, self.span(id)) {
            Some(OpenMeaning::Stated(Meaning::One(_))) => true,
            Some(OpenMeaning::AnyOf(candidates)) => candidates.contains(&around),
            Some(OpenMeaning::Stated(Meaning::Unknown)) | None => false,
        }
    }

    /// Restricts a stand-in for several types to those that fit, if any does.
    fn narrowed(&self, found: Found, fits: impl Fn(NominalId) -> bool) -> Found {
        let Found::Nominal(nominal) = found else { return found };
        let open_names = &self.declarations.open_names;
        let Some(stand_in) = open_names.get(nominal) else { return found };
        let fitting: Vec<NominalId> =
            stand_in.candidates.iter().copied().filter(|candidate| fits(*candidate)).collect();
        open_names.stand_in(stand_in.place, &fitting).map_or(found, Found::Nominal)
    }

    fn find_special(&self, id: NodeId, text: &str, name: Name) -> Parsed<Found> {
        match text {
            "Any" => Ok(Found::Type(self.any_type())),
            // `protocol P : class` of older declarations.
            "AnyObject" | "class" => Ok(Found::Type(self.any_object())),
            "Void" => Ok(Found::Type(self.context.ty(Type::Tuple(Box::default())))),
            "Builtin" => Ok(Found::Builtin),
            // The name of an opaque result after `@_opaqueReturnTypeOf`.
            "__" | "🦸" => Ok(Found::Type(self.context.ty(Type::unresolved(name)))),
            _ if self.declarations.is_module(name) => Ok(Found::Module(name)),
            _ => {
                let named = self.declarations.named_type(None, None, name);
                match named.or_else(|| self.named_in_enclosing(name)) {
                    Some(named) => Ok(Found::Nominal(named)),
                    None => Err(self.unknown(id, text)),
                }
            }
        }
    }

    /// Returns the meaning of a name in an extension of a type that is known by name only: a member of that type.
    fn named_in_enclosing(&self, name: Name) -> Option<NominalId> {
        let enclosing = self.scope.nominal?;
        let is_named = self.declarations.get(enclosing).origin == Origin::Named;
        if is_named { self.declarations.named_type(Some(enclosing), None, name) } else { None }
    }

    fn unknown(&self, id: NodeId, text: &str) -> Box<Diagnostic> {
        let error = Diagnostic::error(UNKNOWN_TYPE, format!("cannot find type '{text}' in scope"), self.span(id));
        let names = self.declarations.iter().map(|(_, declaration)| self.context.text(declaration.name));
        Box::new(error.hint(match closest(text, names) {
            Some(close) => format!("did you mean '{close}'?"),
            None => DECLARED_ELSEWHERE.to_owned(),
        }))
    }

    /// Whether `name` means a type of the module that stands in no other, though a type around the text has `found`
    /// under that name: SIL writes types that stand in others with those, and no aliases, so that only what has one
    /// meaning is left to be written so.
    fn is_outermost_meant(&self, found: &Found, name: Name) -> bool {
        let is_nested = |nominal| self.declarations.get(nominal).parent.is_some();
        let is_member = match found {
            Found::Nominal(member) | Found::Nested(member, _) => is_nested(*member),
            Found::Type(ty) => match self.context.get(*ty) {
                Type::Nominal(NominalType { declaration, .. }) => {
                    is_nested(*declaration) || self.declarations.get(*declaration).name != name
                }
                _ => !self.is_type_parameter(*ty),
            },
            Found::Alias(_) => true,
            Found::Module(_) | Found::Builtin => false,
        };
        // Other files of the module declare types as well.
        let is_own = |nominal| self.declarations.is_own_module(self.declarations.get(nominal).module);
        is_member && self.scope.nominal.is_some_and(is_own) && self.declarations.top_level(name).is_some_and(is_own)
    }

    /// A name of the declaration that the text stands in, or of one around it.
    fn find_in_enclosing(&self, id: NodeId, name: Name) -> Parsed<Option<Found>> {
        let mut next = self.scope.nominal;
        while let Some(nominal) = next {
            let declaration = self.declarations.get(nominal);
            // Most names are no members of any type. The search of superclasses and protocols is expensive.
            if self.declarations.is_member_type(name)
                && let Some(found) = self.find_member(id, nominal, self.identity(nominal), name)?
            {
                return Ok(Some(found));
            }
            if declaration.name == name {
                let is_protocol = declaration.kind == NominalKind::Protocol;
                let found = if is_protocol { Found::Nominal(nominal) } else { Found::Type(self.identity(nominal)) };
                return Ok(Some(found));
            }
            next = declaration.parent;
        }
        Ok(None)
    }

    /// Returns the declaration in the imported module whose declaration contains the text. It hides the types of all
    /// other modules.
    fn find_in_imported_module(&self, name: Name) -> Option<Found> {
        let around = self.declarations.get(self.scope.nominal?);
        if around.origin != Origin::Imported {
            return None;
        }
        let alias = || self.declarations.unseen_alias(around.module, name);
        let nominal = self.declarations.in_module(around.module, name).map(Found::Nominal);
        nominal.or_else(|| alias().map(|alias| Found::Alias(Box::new(alias.clone()))))
    }

    /// Returns the type of a declaration, in terms of its own parameters.
    pub(crate) fn identity(&self, nominal: NominalId) -> TypeId {
        self.declarations.identity(self.context, nominal)
    }

    /// Returns a type that `nominal` or one of its superclasses declares. `this` is the type with its arguments.
    fn find_member(&self, id: NodeId, nominal: NominalId, this: TypeId, name: Name) -> Parsed<Option<Found>> {
        if self.is_pending(Some(nominal), name) {
            return self.not_yet(id);
        }
        let declaration = self.declarations.get(nominal);
        if let Some(alias) = self.declarations.file_private.alias(self.file, Some(nominal), name) {
            return Ok(Some(Found::Alias(Box::new(alias.clone()))));
        }
        if let Some(nested) = self.declarations.nested_in_file(self.file, nominal, name) {
            return Ok(Some(self.nested(nested, this)));
        }
        if declaration.kind == NominalKind::Protocol {
            if self.is_associated_type(nominal, name, 0) {
                let base = self.context.ty(Type::GenericParameter { depth: 0, index: 0 });
                let member = Type::DependentMember { base, member: name, protocol: None };
                return Ok(Some(Found::Type(self.context.ty(member))));
            }
        } else if let Some(found) = self.declared_member(this, name) {
            return Ok(Some(Found::Type(found)));
        }
        Ok(declaration
            .aliases
            .iter()
            .find(|alias| alias.name == name)
            .map(|alias| Found::Alias(Box::new(alias.clone()))))
    }

    fn nested(&self, nested: NominalId, this: TypeId) -> Found {
        match self.context.get(this) {
            Type::Nominal(nominal) if nominal.parent.is_some() || !nominal.arguments.is_empty() => {
                Found::Nested(nested, this)
            }
            _ => Found::Nominal(nested),
        }
    }

    /// Returns whether `protocol` or one that it inherits from has the associated type `name`.
    fn is_associated_type(&self, protocol: NominalId, name: Name, depth: u32) -> bool {
        let declaration = self.declarations.get(protocol);
        if depth > 64 {
            return false;
        }
        declaration.associated_types.iter().any(|ty| ty.name == name)
            || declaration.conformances.iter().any(|inherited| match self.context.get(inherited.protocol) {
                Type::Protocol { protocol, .. } => self.is_associated_type(*protocol, name, depth + 1),
                _ => false,
            })
    }

    /// Returns a member type of a concrete type, through aliases, superclasses and protocols.
    fn declared_member(&self, base: TypeId, name: Name) -> Option<TypeId> {
        let conformances = ConformanceTable::default();
        let queries = self.queries(&conformances);
        let found = queries.member_type(base, name, None);
        let unknown = matches!(self.context.get(found), Type::DependentMember { base: of, .. } if *of == base);
        (!unknown).then_some(found)
    }

    /// Returns queries about the declarations only. The rest of the module is not known while types are read.
    fn queries<'q>(&'q self, conformances: &'q ConformanceTable<'q>) -> TypeQueries<'q> {
        TypeQueries::new(self.context, self.declarations, conformances, LanguageMode::Full, AddressLowering::Lowered)
    }

    fn is_pending(&self, parent: Option<NominalId>, name: Name) -> bool {
        let is_pending = |file| self.pending.is_some_and(|pending| pending.contains(&(file, parent, name)));
        is_pending(None) || is_pending(Some(self.file))
    }

    fn not_yet<T>(&self, id: NodeId) -> Parsed<T> {
        self.error(id, super::PENDING, "the type alias refers to itself")
    }

    /// Returns the type of a lookup result with arguments.
    pub(crate) fn found(
        &mut self,
        id: NodeId,
        found: Found,
        arguments: &[NodeId],
        position: Position,
    ) -> Parsed<TypeId> {
        match found {
            Found::Type(ty) if arguments.is_empty() => Ok(ty),
            Found::Type(ty) => match self.context.get(ty) {
                // The type's own name inside the type, with other arguments.
                Type::Nominal(nominal) => self.nominal(id, nominal.declaration, nominal.parent, arguments, position),
                Type::Unresolved { .. } => Ok(ty),
                _ => self.error(id, "generic-arguments", "this type takes no generic arguments"),
            },
            Found::Nominal(nominal) => self.nominal(id, nominal, None, arguments, position),
            Found::Nested(nominal, parent) => self.nominal(id, nominal, Some(parent), arguments, position),
            Found::Alias(alias) => self.alias(id, &alias, arguments),
            // A type can have the name of the module that declares it.
            Found::Module(module) => match self.declarations.named_in_unknown_module(module, module) {
                Some(nominal) => self.nominal(id, nominal, None, arguments, position),
                None => self.error(id, UNKNOWN_TYPE, "a module is not a type"),
            },
            Found::Builtin => self.error(id, UNKNOWN_TYPE, "a module is not a type"),
        }
    }

    fn alias(&mut self, id: NodeId, alias: &TypeAlias, arguments: &[NodeId]) -> Parsed<TypeId> {
        let Some(signature) = alias.signature else {
            if arguments.is_empty() {
                return Ok(alias.ty);
            }
            // An alias of a generic type without its arguments: `typealias Continuation = CheckedContinuation`.
            return self.error(id, "generic-arguments", "this type alias takes no generic arguments");
        };
        let arguments = self.types(arguments, Position::Formal)?;
        self.check_count(id, signature, arguments.len())?;
        let conformances = ConformanceTable::default();
        let queries = self.queries(&conformances);
        Ok(queries.substitute(alias.ty, self.for_last_parameters(signature, &arguments)))
    }

    /// Returns the map that replaces the last parameters of `signature`. Parameters of the types around an alias map to
    /// themselves.
    fn for_last_parameters(&self, signature: SignatureId, arguments: &[TypeId]) -> SubstitutionMapId {
        let parameters = &self.context.get_signature(signature).parameters;
        let (outer, _) = parameters.split_at(parameters.len().saturating_sub(arguments.len()));
        let outer = outer.iter().map(|parameter| parameter_as_argument(self.context, parameter));
        let replacements: Vec<TypeId> = outer.chain(arguments.iter().copied()).collect();
        self.context.substitutions(signature, replacements)
    }

    fn check_count(&self, id: NodeId, signature: SignatureId, count: usize) -> Parsed<()> {
        let wanted = self.context.get_signature(signature).parameters.len();
        if count > wanted || count == 0 {
            return self.error(id, "generic-arguments", format!("{wanted} generic arguments expected, {count} given"));
        }
        Ok(())
    }

    fn nominal(
        &mut self,
        id: NodeId,
        declaration: NominalId,
        parent: Option<TypeId>,
        arguments: &[NodeId],
        position: Position,
    ) -> Parsed<TypeId> {
        let nominal = self.declarations.get(declaration);
        // Only the object of an Optional is lowered with it (docs/SIL/Types.md).
        let is_optional = nominal.parent.is_none() && self.context.text(nominal.name) == "Optional";
        let position = if is_optional { position } else { Position::Formal };
        let arguments = self.types(arguments, position)?;
        if nominal.kind == NominalKind::Protocol {
            let constraint = self.context.ty(Type::Protocol { protocol: declaration, arguments });
            return Ok(self.context.ty(Type::Existential(constraint)));
        }
        let arguments = self.gather_packs(declaration, arguments);
        let wanted = nominal.own_parameters as usize;
        if wanted != arguments.len() && nominal.is_complete() {
            let name = self.context.text(nominal.name);
            let message = format!("'{name}' takes {wanted} generic arguments, {} given", arguments.len());
            return self.error(id, "generic-arguments", message);
        }
        Ok(self.context.ty(Type::Nominal(NominalType { declaration, parent, arguments })))
    }

    /// Collects the arguments of a parameter pack in a pack.
    fn gather_packs(&self, declaration: NominalId, arguments: Box<[TypeId]>) -> Box<[TypeId]> {
        let own = self.own_parameters(declaration);
        let Some(at) = own.iter().position(|parameter| parameter.kind == GenericParameterKind::Pack) else {
            return arguments;
        };
        let packed = matches!(arguments.get(at).map(|ty| self.context.get(*ty)), Some(Type::Pack { .. }));
        if arguments.len() + 1 < own.len() || (packed && arguments.len() == own.len()) {
            return arguments;
        }
        let end = arguments.len() + 1 + at - own.len();
        let elements = arguments[at..end].into();
        let pack = self.context.ty(Type::Pack { elements, storage: PackStorage::Formal });
        arguments[..at].iter().chain([&pack]).chain(&arguments[end..]).copied().collect()
    }

    /// Resolves `Base.name<arguments>`.
    pub(crate) fn member(
        &mut self,
        id: NodeId,
        base: NodeId,
        name: &'a str,
        arguments: &[NodeId],
        position: Position,
    ) -> Parsed<TypeId> {
        match name {
            "Type" if arguments.is_empty() => return self.metatype(base, None),
            "Protocol" if arguments.is_empty() => {
                let instance = self.ty(base, Position::Formal)?;
                return Ok(self.context.ty(Type::Metatype { instance, representation: None }));
            }
            _ => {}
        }
        let found = match self.find_base(base, name)? {
            Found::Builtin => return self.builtin(id, name, arguments),
            found => self.find_after(id, base, found, name)?,
        };
        self.found(id, found, arguments, position)
    }

    /// Looks up the name after a dot in `found`.
    fn find_after(&mut self, id: NodeId, base: NodeId, found: Found, name: &'a str) -> Parsed<Found> {
        let base_type = match found {
            Found::Module(module) => return self.find_in_module(id, module, name),
            Found::Type(ty) => ty,
            other => self.found(base, other, &[], Position::Formal)?,
        };
        let member = self.context.name(plain_name(name));
        self.member_of(id, base_type, member)
    }

    /// Looks up the base in front of a dot and `member`. A module stays a module.
    fn find_base(&mut self, base: NodeId, member: &str) -> Parsed<Found> {
        match &self.node(base).kind {
            NodeKind::Name { name, arguments } if arguments.is_empty() => {
                let found = self.find(base, name)?;
                let has_member = |candidate| self.may_have_member(base, &Found::Nominal(candidate), member);
                let found = self.narrowed(found, |candidate| matches!(has_member(candidate), Ok(true)));
                if self.may_have_member(base, &found, member)? {
                    return Ok(found);
                }
                let hidden = self.hidden_module(name);
                Ok(hidden.or(self.namesake_with(base, name, member)?).unwrap_or(found))
            }
            _ => Ok(Found::Type(self.ty(base, Position::Formal)?)),
        }
    }

    /// Returns the module called `text`. A declaration of that name hides it only if it has the requested member.
    fn hidden_module(&self, text: &str) -> Option<Found> {
        match plain_name(text) {
            "Builtin" => Some(Found::Builtin),
            text => {
                let name = self.context.find_name(text)?;
                self.declarations.is_module(name).then_some(Found::Module(name))
            }
        }
    }

    /// Returns the type called `text` that has a member type `member`. SIL omits modules, and types of several modules
    /// can have the name.
    fn namesake_with(&self, id: NodeId, text: &str, member: &str) -> Parsed<Option<Found>> {
        let (name, member) = (self.context.name(plain_name(text)), self.context.name(plain_name(member)));
        for nominal in self.declarations.all_top_level(name).iter().rev() {
            if self.find_member(id, *nominal, self.identity(*nominal), member)?.is_some() {
                return Ok(Some(Found::Nominal(*nominal)));
            }
        }
        Ok(None)
    }

    /// Returns whether `found` has a member type called `member`, or its members are not known.
    fn may_have_member(&self, id: NodeId, found: &Found, member: &str) -> Parsed<bool> {
        let declaration = match found {
            Found::Nominal(nominal) => *nominal,
            Found::Type(ty) => match self.context.get(*ty) {
                Type::Nominal(nominal) => nominal.declaration,
                _ => return Ok(true),
            },
            _ => return Ok(true),
        };
        if self.declarations.get(declaration).origin == Origin::Named {
            return Ok(true);
        }
        let member = self.context.name(plain_name(member));
        Ok(self.find_member(id, declaration, self.identity(declaration), member)?.is_some())
    }

    fn find_in_module(&self, id: NodeId, module: Name, text: &str) -> Parsed<Found> {
        let name = self.context.name(plain_name(text));
        if let Some(nominal) = self.declarations.in_module(module, name) {
            return Ok(Found::Nominal(nominal));
        }
        if let Some(alias) = self.declarations.alias(name) {
            return Ok(Found::Alias(Box::new(alias.clone())));
        }
        // Modules re-export others: `Swift.Task` is one of `_Concurrency`.
        let elsewhere = || self.declarations.top_level(name);
        match elsewhere().or_else(|| self.declarations.named_type(None, Some(module), name)) {
            Some(nominal) => Ok(Found::Nominal(nominal)),
            None => self.find_special(id, plain_name(text), name),
        }
    }

    /// Returns the type called `member` in `base`.
    fn member_of(&self, id: NodeId, base: TypeId, member: Name) -> Parsed<Found> {
        match self.context.get(base) {
            Type::Nominal(nominal) => match self.find_member(id, nominal.declaration, base, member)? {
                Some(found) => Ok(found),
                None => match self.declarations.named_type(Some(nominal.declaration), None, member) {
                    Some(named) => Ok(self.nested(named, base)),
                    None => {
                        let text = self.context.text(member);
                        let of = self.context.text(self.declarations.get(nominal.declaration).name);
                        self.error(id, "unknown-type", format!("'{of}' has no type '{text}'"))
                    }
                },
            },
            Type::Existential(constraint) => self.member_of_protocol(id, base, *constraint, member),
            Type::Unresolved { .. } => Ok(Found::Type(base)),
            // A member of an archetype is an archetype of the same opening.
            Type::PackElementArchetype { uuid, interface } => {
                let interface = self.context.ty(Type::DependentMember { base: *interface, member, protocol: None });
                Ok(Found::Type(self.context.ty(Type::PackElementArchetype { uuid: *uuid, interface })))
            }
            _ => Ok(Found::Type(self.context.ty(Type::DependentMember { base, member, protocol: None }))),
        }
    }

    /// Resolves `P.Nested`, an alias in a protocol.
    fn member_of_protocol(&self, id: NodeId, base: TypeId, constraint: TypeId, member: Name) -> Parsed<Found> {
        if let Type::Protocol { protocol, .. } = self.context.get(constraint)
            && let Some(found) = self.find_member(id, *protocol, base, member)?
        {
            return Ok(found);
        }
        Ok(Found::Type(self.context.ty(Type::DependentMember { base, member, protocol: None })))
    }

    /// Returns `T.Type`. For a protocol, it is the metatype of any conforming type.
    pub(crate) fn metatype(&mut self, base: NodeId, representation: Option<MetatypeRepresentation>) -> Parsed<TypeId> {
        // `(P & Q).Type` needs its parentheses.
        let in_parens = match &self.node(base).kind {
            NodeKind::Elements(elements) => {
                !matches!(&elements[..], [only] if matches!(self.node(only.ty).kind, NodeKind::Composition(_)))
            }
            _ => false,
        };
        let instance = self.ty(base, Position::Formal)?;
        let instance = match representation {
            Some(MetatypeRepresentation::Thick) => as_reference(self.context, self.declarations, instance),
            _ => instance,
        };
        let existential = match self.context.get(instance) {
            // `P.Type` without parentheses is now written `any P.Type`.
            Type::Existential(_) | Type::ExistentialMetatype { .. } => {
                !in_parens && self.declarations.protocol_metatypes == ProtocolMetatypes::OfConformingTypes
            }
            _ => false,
        };
        Ok(self.context.ty(if existential {
            Type::ExistentialMetatype { instance, representation }
        } else {
            Type::Metatype { instance, representation }
        }))
    }

    /// Resolves `Builtin.Int64` and the other builtin types.
    fn builtin(&mut self, id: NodeId, name: &str, arguments: &[NodeId]) -> Parsed<TypeId> {
        if name == "FixedArray" {
            let arguments = self.types(arguments, Position::Formal)?;
            let [count, element] = arguments[..] else {
                return self.error(id, "generic-arguments", "'Builtin.FixedArray' takes a count and an element");
            };
            return Ok(self.context.ty(Type::Builtin(BuiltinType::FixedArray { count, element })));
        }
        if name == "AnyObject" {
            return Ok(self.any_object());
        }
        match builtin_type(name) {
            Some(builtin) => Ok(self.context.ty(Type::Builtin(builtin))),
            None => self.error(id, "unknown-type", format!("unknown type 'Builtin.{name}'")),
        }
    }
}

/// Returns the builtin type with this name, without `Builtin.` (include/swift/AST/Builtins.def).
fn builtin_type(name: &str) -> Option<BuiltinType> {
    Some(match name {
        "Word" => BuiltinType::Word,
        "IntLiteral" => BuiltinType::IntegerLiteral,
        "RawPointer" => BuiltinType::RawPointer,
        "RawUnsafeContinuation" => BuiltinType::RawUnsafeContinuation,
        "NativeObject" => BuiltinType::NativeObject,
        "BridgeObject" => BuiltinType::BridgeObject,
        "UnsafeValueBuffer" => BuiltinType::UnsafeValueBuffer,
        "Job" => BuiltinType::Job,
        "Executor" => BuiltinType::Executor,
        "DefaultActorStorage" => BuiltinType::DefaultActorStorage,
        "NonDefaultDistributedActorStorage" => BuiltinType::NonDefaultDistributedActorStorage,
        "PackIndex" => BuiltinType::PackIndex,
        "SILToken" => BuiltinType::Token,
        "ImplicitActor" => BuiltinType::ImplicitActor,
        _ => return vector_type(name).or_else(|| scalar_type(name)),
    })
}

fn scalar_type(name: &str) -> Option<BuiltinType> {
    if let Some(bits) = name.strip_prefix("Int") {
        return Some(BuiltinType::Integer(bits.parse().ok().filter(|bits| (1..=8_388_608).contains(bits))?));
    }
    let bits: u32 = name.strip_prefix("FPIEEE")?.parse().ok()?;
    matches!(bits, 16 | 32 | 64 | 80 | 128).then_some(BuiltinType::Float(bits))
}

/// `Vec4xInt32`
fn vector_type(name: &str) -> Option<BuiltinType> {
    let (count, element) = name.strip_prefix("Vec")?.split_once('x')?;
    let element = match element {
        "RawPointer" => VectorElement::RawPointer,
        _ => match scalar_type(element)? {
            BuiltinType::Integer(bits) => VectorElement::Integer(bits),
            BuiltinType::Float(bits) => VectorElement::Float(bits),
            _ => return None,
        },
    };
    Some(BuiltinType::Vector { element, count: count.parse().ok()? })
}

/// Returns the depth and the index of `τ_0_1`.
pub(crate) fn positional_parameter(text: &str) -> Option<(u32, u32)> {
    let (depth, index) = text.strip_prefix("τ_")?.split_once('_')?;
    Some((depth.parse().ok()?, index.parse().ok()?))
}
