//! The interface types of members (lib/Sema/TypeCheckDecl.cpp, `InterfaceTypeRequest`): the function type of `self`
//! that returns the member's own function type, under the generic parameters of both. A member with a part that is not
//! understood gets no interface type. No errors are reported here.

use rustc_hash::FxHashSet;
use sil_ir::context::{
    FormalFunctionType, FormalParameter, FormalSpecifier, FunctionAttributes, GenericParameter, GenericSignature,
    MemberKind, Mutability, Name, NominalId, ParameterOption, ParameterOptions, Representation, Requirement,
    SignatureId, Sugar, Throws, Type, TypeId, Variadic,
};
use sil_ir::declarations::{Access, MemberDeclarationKind, MemberInterface, NominalKind, Origin};

use super::fill::Filler;
use super::outline::{CallableSyntax, Entry, EntryIndex, EntryKind};
use crate::syntax::cursor::Cursor;
use crate::syntax::lexer::Token;
use crate::syntax::names::plain_name;
use crate::syntax::types::{Naming, Piece, Position, Scope, Tree};

/// Attributes and modifiers whose effect on the type of a member is not derived here.
const UNKNOWN: [&str; 7] =
    ["@Sendable", "@concurrent", "@differentiable", "@execution", "@lifetime", "@_lifetime", "borrowing"];

/// Attributes of parameters that do not affect their types.
const PARAMETER_ATTRIBUTES: [&str; 3] = ["@_nonEphemeral", "@_inheritActorContext", "@_implicitSelfCapture"];

/// The members that a module refers to.
pub enum ReferredMembers<'a> {
    /// All members: the modules that are linked into this one are not known yet.
    All,
    /// The members that its text names.
    Named {
        /// The type or protocol that the reference names, and the member's own name.
        members: FxHashSet<(&'a str, &'a str)>,
        /// The members' own names. A class has inherited members too.
        names: FxHashSet<&'a str>,
    },
}

impl<'a> ReferredMembers<'a> {
    /// Collects all text that looks like a member reference: `#C.f`, `#P."=="!1`.
    pub fn of(text: &'a str) -> Self {
        let ends = |character: char| character.is_whitespace() || matches!(character, '!' | ':' | ',' | ';' | ')');
        let path = |at: usize| {
            let rest = &text[at + 1..];
            rest.split(ends).next().unwrap_or_default()
        };
        let members: FxHashSet<_> =
            memchr::memchr_iter(b'#', text.as_bytes()).map(|at| member_at_end(path(at))).collect();
        let names = members.iter().map(|(_, name)| *name).collect();
        Self::Named { members, names }
    }

    fn has_named(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Named { names, .. } => names.contains(name),
        }
    }

    fn has(&self, parent: &str, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Named { members, .. } => members.contains(&(parent, name)),
        }
    }
}

/// Returns the last two names of a path: `A` and `f` of `M.A.f`.
pub(super) fn member_at_end(path: &str) -> (&str, &str) {
    let (parents, name) = match path.rsplit_once(".\"") {
        Some((parents, name)) => (parents, name.trim_end_matches('"')),
        None => {
            let (parents, name) = path.rsplit_once('.').unwrap_or(("", path));
            (parents, plain_name(name))
        }
    };
    (plain_name(parents.rsplit_once('.').map_or(parents, |(_, parent)| parent)), name)
}

/// The receiver of a member.
#[derive(Clone, Copy)]
enum Receiver {
    /// The type: static members and initialisers.
    Metatype,
    /// An instance.
    Instance { specifier: FormalSpecifier, mutation: Mutation },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mutation {
    Mutating,
    Nonmutating,
}

/// Whether an instance is an actor whose state the member can reach.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Isolation {
    Actor,
    None,
}

impl Receiver {
    fn instance(mutation: Mutation) -> Self {
        Self::Instance { specifier: FormalSpecifier::Default, mutation }
    }
}

/// The form of a function or an accessor, without `self`.
struct Form<'f> {
    /// `(Int) throws -> T`
    text: String,
    receiver: Receiver,
    syntax: &'f CallableSyntax<'f>,
    /// Whether `Self` in the text is the dynamic type of a class.
    dynamic_self: bool,
}

impl<'t, 'a> Filler<'t, 'a> {
    /// Adds the interface types of the members that the module refers to, and the vtable entries of all members.
    pub(super) fn interfaces(&mut self) {
        let outline = self.outline;
        self.overrides = outline.entries.iter().filter_map(|entry| self.overridden_name(entry)).collect();
        for (index, entry) in outline.entries.iter().enumerate() {
            let Some(nominal) = self.container(entry) else { continue };
            let first = self.table.get(nominal).interfaces.len();
            self.interfaces_of(nominal, index, entry);
            self.dispatched(nominal, index, first);
            self.derivatives(nominal, index);
            // Any name can come from an unknown import. The interfaces only serve to tell overloads of requirements and
            // methods apart by the same type names.
            if self.table.has_unknown_imports() {
                self.table.get_mut(nominal).interfaces.truncate(first);
            }
        }
        if !self.table.has_unknown_imports() {
            self.implicit_initializers();
        }
    }

    fn interfaces_of(&mut self, nominal: NominalId, index: EntryIndex, entry: &Entry<'a>) {
        match &entry.kind {
            EntryKind::Member { name, kind, syntax } if self.is_wanted(nominal, *name, entry) => {
                self.callable(nominal, index, *name, *kind, syntax);
            }
            EntryKind::Property { name, ty, mutability, accessors, .. } if self.is_wanted(nominal, *name, entry) => {
                let syntax = CallableSyntax { result: *ty, braces: *accessors, ..CallableSyntax::default() };
                let in_actor = self.table.get(nominal).kind == NominalKind::Actor;
                let known = ty.is_some() && !(in_actor && *mutability == Mutability::Let);
                self.accessors(nominal, index, *name, known.then(Vec::new), &syntax);
            }
            _ => {}
        }
    }

    /// The name of a member that states that it overrides another one, or does so by being `required`.
    fn overridden_name(&self, entry: &Entry<'a>) -> Option<&'t str> {
        let overrides = entry.modifiers.has("override") || entry.modifiers.has("required");
        match entry.kind {
            EntryKind::Member { name, .. } | EntryKind::Property { name, .. } if overrides => {
                Some(self.context.text(name))
            }
            _ => None,
        }
    }

    fn is_wanted(&self, nominal: NominalId, name: Name, entry: &Entry<'a>) -> bool {
        let declaration = self.table.get(nominal);
        let name = self.context.text(name);
        match declaration.kind {
            // Subclasses in other modules have vtables with members that this text may not name.
            NominalKind::Class
                if declaration.origin == Origin::Module && declaration.attributes.access == Access::Open =>
            {
                true
            }
            // The module has code for each distributed requirement.
            NominalKind::Protocol if declaration.origin == Origin::Module && entry.modifiers.has("distributed") => true,
            // The types of an override and of its base tell whether it has a slot of its own.
            NominalKind::Class | NominalKind::Actor => self.referred.has_named(name) || self.overrides.contains(name),
            _ => self.referred.has(self.context.text(declaration.name), name),
        }
    }

    fn callable(
        &mut self,
        nominal: NominalId,
        index: EntryIndex,
        name: Name,
        kind: MemberDeclarationKind,
        syntax: &CallableSyntax<'a>,
    ) {
        let parameters = syntax.parameters.as_ref().and_then(parameter_types);
        let entry = &self.outline.entries[index];
        let (kind, receiver, result) = match kind {
            MemberDeclarationKind::Function => {
                let result = syntax.result.map_or("()", |result| result.slice());
                (MemberKind::Plain, self.receiver_of_function(nominal, entry), result)
            }
            MemberDeclarationKind::Initializer => {
                (MemberKind::Allocator, Receiver::Metatype, if syntax.failable { "Self?" } else { "Self" })
            }
            MemberDeclarationKind::Subscript => return self.accessors(nominal, index, name, parameters, syntax),
            MemberDeclarationKind::Deinitializer | MemberDeclarationKind::ComputedProperty => return,
        };
        let ty = parameters.and_then(|parameters| {
            let effects = effects(syntax.effects.map_or("", |effects| effects.slice()));
            let text = format!("({}) {effects} -> {result}", parameters.join(", "));
            let form = Form { text, receiver, syntax, dynamic_self: kind == MemberKind::Plain };
            self.interface(nominal, index, &form)
        });
        self.table.get_mut(nominal).interfaces.push(MemberInterface { name, kind, ty });
    }

    fn receiver_of_function(&self, nominal: NominalId, entry: &Entry<'a>) -> Receiver {
        let modifiers = &entry.modifiers;
        if modifiers.is_static() {
            return Receiver::Metatype;
        }
        let specifier = match () {
            _ if modifiers.has("consuming") => FormalSpecifier::Consuming,
            _ if modifiers.has("__consuming") => FormalSpecifier::LegacyOwned,
            _ => FormalSpecifier::Default,
        };
        let mutates = modifiers.has("mutating") && !self.is_reference(nominal);
        let mutation = if mutates { Mutation::Mutating } else { Mutation::Nonmutating };
        Receiver::Instance { specifier, mutation }
    }

    /// Returns whether instances are references. Setters do not mutate references.
    fn is_reference(&self, nominal: NominalId) -> bool {
        let declaration = self.table.get(nominal);
        match declaration.kind {
            NominalKind::Class | NominalKind::Actor => true,
            NominalKind::Protocol => declaration.attributes.class_bound,
            NominalKind::Struct | NominalKind::Enum | NominalKind::Unknown => false,
        }
    }

    /// Adds the interfaces of the accessors of a property or a subscript. Its type is the result in `syntax`.
    fn accessors(
        &mut self,
        nominal: NominalId,
        index: EntryIndex,
        name: Name,
        parameters: Option<Vec<&'a str>>,
        syntax: &CallableSyntax<'a>,
    ) {
        let written = syntax.braces.as_ref().map(Accessors::of).unwrap_or_default();
        let is_static = self.outline.entries[index].modifiers.is_static();
        let is_value = !is_static && !self.is_reference(nominal);
        let receiver = |mutates: bool| match (is_static, mutates) {
            (true, _) => Receiver::Metatype,
            (false, true) => Receiver::instance(Mutation::Mutating),
            (false, false) => Receiver::instance(Mutation::Nonmutating),
        };
        let getter = receiver(is_value && written.getter == Some(Mutation::Mutating));
        let setter = receiver(is_value && written.setter != Some(Mutation::Nonmutating));
        let kinds = [MemberKind::Getter, MemberKind::Setter, MemberKind::Read, MemberKind::Modify];
        let mut types = [const { None }; 4];
        if let (Some(parameters), Some(result)) = (&parameters, &syntax.result) {
            let interface =
                |text, receiver| self.interface(nominal, index, &Form { text, receiver, syntax, dynamic_self: true });
            let (indices, value) = (parameters.join(", "), without_storage(result.slice()));
            let get = interface(format!("({indices}) {} -> {value}", effects(written.effects)), getter);
            // A setter's parameter of function type is escaping.
            let keeps_function = get.as_ref().is_some_and(|(ty, _)| self.gets_function(*ty));
            let new_value = if keeps_function { format!("@escaping {value}") } else { value.to_owned() };
            let with_value: Vec<&str> = std::iter::once(&*new_value).chain(parameters.iter().copied()).collect();
            let set = interface(format!("({}) -> ()", with_value.join(", ")), setter);
            let [read, modify] = [getter, setter].map(|receiver| interface(format!("({indices}) -> ()"), receiver));
            types = [get, set, read, modify];
        }
        let interfaces = kinds.into_iter().zip(types).map(|(kind, ty)| MemberInterface { name, kind, ty });
        self.table.get_mut(nominal).interfaces.extend(interfaces);
    }

    /// Returns whether a getter of the type `ty` returns a function.
    fn gets_function(&self, ty: TypeId) -> bool {
        let result = |ty| match self.context.get(ty) {
            Type::FormalFunction(function) => Some(function.result),
            _ => None,
        };
        result(ty).and_then(result).and_then(result).is_some()
    }

    /// Returns the type of a member: its signature, `self`, and the function.
    fn interface(&self, nominal: NominalId, index: EntryIndex, form: &Form<'_>) -> Option<(TypeId, Sugar)> {
        let entry = &self.outline.entries[index];
        let modifiers = &entry.modifiers;
        if UNKNOWN.iter().any(|word| modifiers.has(word)) || modifiers.arguments("nonisolated") == Some("nonsending") {
            return None;
        }
        let (signature, scope) = self.member_signature(Some(nominal), index, form.syntax)?;
        let piece = Piece { text: &form.text, file: entry.span.file, start: 0, end: form.text.len() as u32 };
        let mut tree = Tree::default();
        let node = piece.parse_type(&mut tree).ok()?;
        let identity = self.self_type(nominal);
        let mut resolver = self.resolver(&tree, &piece, Some(nominal));
        resolver.scope = scope;
        if form.dynamic_self && matches!(self.table.get(nominal).kind, NominalKind::Class | NominalKind::Actor) {
            let ty = self.context.ty(Type::DynamicSelf(identity));
            resolver.scope.names.push((self.context.name("Self"), ty));
        }
        let function = resolver.ty(node, Position::Formal).ok()?;
        let parameter = self.self_parameter(nominal, form.receiver, self.isolation(nominal, entry));
        Some((self.function(signature, parameter, function), tree.sugar()))
    }

    /// Returns the type of `self`.
    fn self_type(&self, nominal: NominalId) -> TypeId {
        match self.table.get(nominal).kind {
            NominalKind::Protocol => self.context.ty(Type::GenericParameter { depth: 0, index: 0 }),
            _ => self.identity(nominal),
        }
    }

    /// Returns the `self` parameter of a member.
    fn self_parameter(&self, nominal: NominalId, receiver: Receiver, isolation: Isolation) -> FormalParameter {
        let identity = self.self_type(nominal);
        let mut options = ParameterOptions::default();
        let (ty, specifier) = match receiver {
            Receiver::Metatype => {
                let metatype = Type::Metatype { instance: identity, representation: None };
                (self.context.ty(metatype), FormalSpecifier::Default)
            }
            Receiver::Instance { specifier, mutation } => {
                if isolation == Isolation::Actor {
                    options.insert(ParameterOption::Isolated);
                }
                let ty = match mutation {
                    Mutation::Mutating => self.context.ty(Type::InOut(identity)),
                    Mutation::Nonmutating => identity,
                };
                (ty, specifier)
            }
        };
        FormalParameter { label: None, ty, specifier, variadic: Variadic::No, options }
    }

    fn isolation(&self, nominal: NominalId, entry: &Entry<'a>) -> Isolation {
        let in_actor = self.table.get(nominal).kind == NominalKind::Actor && !entry.modifiers.has("nonisolated");
        // Distributed requirements are those of protocols of distributed actors.
        if in_actor || entry.modifiers.has("distributed") { Isolation::Actor } else { Isolation::None }
    }

    fn function(&self, signature: Option<SignatureId>, parameter: FormalParameter, result: TypeId) -> TypeId {
        self.context.ty(Type::FormalFunction(Box::new(FormalFunctionType {
            signature,
            parameters: Box::new([parameter]),
            ..plain_function(result)
        })))
    }

    /// Returns the generic parameters of a member and of the types around it with their requirements, and the meanings
    /// of names in its types.
    pub(super) fn member_signature(
        &self,
        nominal: Option<NominalId>,
        index: EntryIndex,
        syntax: &CallableSyntax<'_>,
    ) -> Option<(Option<SignatureId>, Scope)> {
        let outer = match nominal {
            Some(nominal) => self.outer_signature(nominal, index)?,
            None => GenericSignature::default(),
        };
        let mut parameters: Vec<GenericParameter> = outer.parameters.to_vec();
        let mut requirements: Vec<Requirement> = outer.requirements.to_vec();
        let mut tree = Tree::default();
        let levels = match &syntax.generics {
            Some(generics) => generics.parse_signature(&mut tree).ok()?,
            None => Vec::new(),
        };
        let written = match &syntax.requirements {
            Some(written) => written.parse_requirements(&mut tree).ok()?,
            None => Vec::new(),
        };
        let piece = Piece { text: "", file: self.outline.entries[index].span.file, start: 0, end: 0 };
        let mut resolver = self.resolver(&tree, &piece, nominal);
        let depth = parameters.last().map_or(0, |last| last.depth + 1);
        parameters.extend(resolver.parameters(&levels, depth, Naming::Named).ok()?);
        requirements.extend(resolver.requirements(&levels).ok()?);
        for requirement in written {
            resolver.requirement(requirement, &mut requirements).ok()?;
        }
        let scope = resolver.scope;
        if parameters.is_empty() {
            return Some((None, scope));
        }
        let signature = GenericSignature { parameters: parameters.into(), requirements: requirements.into() };
        Some((Some(self.generics().canonical_signature(self.context.signature(signature))?), scope))
    }

    /// Returns the signature of the type or the extension that contains a member.
    fn outer_signature(&self, nominal: NominalId, index: EntryIndex) -> Option<GenericSignature> {
        let declaration = self.table.get(nominal);
        let container = self.outline.entries[index].container?;
        let condition = match &self.outline.entries[container].kind {
            EntryKind::Extension { head, .. } => self.condition(head, Some(nominal)).ok()?,
            _ => None,
        };
        let signature = match condition.or(declaration.signature) {
            Some(signature) => self.context.get_signature(signature).clone(),
            None => GenericSignature::default(),
        };
        if declaration.kind != NominalKind::Protocol {
            return Some(signature);
        }
        // The requirements of a protocol on `Self` follow from `Self : P`, those of an extension do not.
        let stated = condition.map_or(&[][..], |condition| &self.context.get_signature(condition).requirements);
        let constraint = self.context.ty(Type::Protocol { protocol: nominal, arguments: Box::default() });
        let subject = self.self_type(nominal);
        let mut requirements = vec![Requirement::Conformance { subject, constraint }];
        let inverses = [
            (declaration.attributes.noncopyable, sil_ir::context::Inverse::Copyable),
            (declaration.attributes.nonescapable, sil_ir::context::Inverse::Escapable),
        ];
        let written = inverses.into_iter().filter(|(written, _)| *written);
        requirements.extend(written.map(|(_, inverse)| Requirement::Inverse { subject, inverse }));
        requirements.extend(stated.iter().cloned());
        Some(GenericSignature { requirements: requirements.into(), ..signature })
    }

    /// Adds the implicit initialisers of a class that declares none: those of its superclass, or one without
    /// parameters.
    fn implicit_initializers(&mut self) {
        let init = self.context.name("init");
        if !self.referred.has_named("init") {
            return;
        }
        for (index, entry) in self.outline.entries.iter().enumerate() {
            if let EntryKind::Nominal { kind: NominalKind::Class, .. } = &entry.kind
                && let Some(class) = self.nominals[index]
                && !self.declares_initializer(class)
                && let Some(ty) = self.implicit_initializer(class, init)
            {
                let interface =
                    MemberInterface { name: init, kind: MemberKind::Allocator, ty: Some((ty, Sugar::default())) };
                self.table.get_mut(class).interfaces.push(interface);
            }
        }
    }

    fn declares_initializer(&self, class: NominalId) -> bool {
        let members = &self.table.get(class).members;
        members.iter().any(|member| member.kind == MemberDeclarationKind::Initializer)
    }

    fn implicit_initializer(&self, class: NominalId, init: Name) -> Option<TypeId> {
        let mut ancestor = class;
        // A circular superclass chain is reported elsewhere.
        for _ in 0..64 {
            let declaration = self.table.get(ancestor);
            match declaration.superclass.map(|superclass| self.context.get(superclass)) {
                None => return self.initializer_like(class, None),
                Some(Type::Nominal(superclass)) if superclass.arguments.is_empty() => ancestor = superclass.declaration,
                Some(_) => return None,
            }
            if self.declares_initializer(ancestor) {
                let kind = MemberKind::Allocator;
                let known = &self.table.get(ancestor).interfaces;
                let mut known = known.iter().filter(|interface| interface.name == init && interface.kind == kind);
                let (Some(only), None) = (known.next(), known.next()) else { return None };
                return self.initializer_like(class, Some(only.ty?.0));
            }
        }
        None
    }

    /// Returns the initialiser of `class` with the parameters of the inherited one, or without parameters.
    fn initializer_like(&self, class: NominalId, inherited: Option<TypeId>) -> Option<TypeId> {
        let identity = self.self_type(class);
        let mut function = plain_function(identity);
        if let Some(inherited) = inherited {
            let Type::FormalFunction(whole) = self.context.get(inherited) else { return None };
            let Type::FormalFunction(inner) = self.context.get(whole.result) else { return None };
            // A failable initialiser returns an Optional.
            let plain = matches!(self.context.get(inner.result), Type::Nominal(result) if result.arguments.is_empty());
            if whole.signature.is_some() || !plain {
                return None;
            }
            function = FormalFunctionType { result: identity, ..(**inner).clone() };
        }
        let signature = match self.table.get(class).signature {
            Some(signature) => Some(self.generics().canonical_signature(signature)?),
            None => None,
        };
        let function = self.context.ty(Type::FormalFunction(Box::new(function)));
        Some(self.function(signature, self.self_parameter(class, Receiver::Metatype, Isolation::None), function))
    }
}

/// Returns a function type without parameters.
fn plain_function(result: TypeId) -> FormalFunctionType {
    FormalFunctionType {
        signature: None,
        representation: Representation::Thick,
        attributes: FunctionAttributes::default(),
        differentiability: None,
        parameters: Box::default(),
        result,
        throws: Throws::No,
        global_actor: None,
    }
}

/// Returns the type of the stored value: `Optional<C>` of `@sil_weak Optional<C>`.
pub(super) fn without_storage(ty: &str) -> &str {
    let words = ["@sil_weak ", "@sil_unowned ", "@sil_unmanaged "];
    words.into_iter().find_map(|word| ty.strip_prefix(word)).unwrap_or(ty)
}

/// Function types have no `rethrows`: such a function throws.
fn effects(written: &str) -> String {
    written.replace("rethrows", "throws").replace("reasync", "async")
}

/// Returns the types in a parameter list, without names, parameter attributes and default values. `None` if it has
/// other attributes.
pub(super) fn parameter_types<'a>(list: &Piece<'a>) -> Option<Vec<&'a str>> {
    let mut cursor = Cursor::within(list.text, list.file, list.start + 1, list.end - 1);
    let mut types = Vec::new();
    while !cursor.at(Token::End) {
        while cursor.at(Token::AtName) {
            if !PARAMETER_ATTRIBUTES.contains(&cursor.bump()) {
                return None;
            }
        }
        while !cursor.at(Token::Colon) {
            cursor.expect(Token::Identifier).ok()?;
        }
        cursor.bump();
        let piece = Piece::of_type(&mut cursor).ok()?;
        let mut end = piece.end;
        let rest = &list.text[end as usize..list.end as usize];
        if rest.trim_start().starts_with("...") {
            end += (rest.len() - rest.trim_start().len()) as u32 + 3;
            cursor.seek_byte(end);
        }
        types.push(&list.text[piece.start as usize..end as usize]);
        if cursor.eat(Token::Equal) {
            skip_value(&mut cursor);
        }
        if !cursor.eat(Token::Comma) && !cursor.at(Token::End) {
            return None;
        }
    }
    Some(types)
}

/// Skips a default value up to the comma after a parameter.
pub(super) fn skip_value(cursor: &mut Cursor<'_>) {
    while !matches!(cursor.peek(), Token::Comma | Token::End) {
        if cursor.peek().closing().is_none() || !cursor.skip_balanced() {
            cursor.bump();
        }
    }
}

/// The modifiers and effects of the accessors in braces.
#[derive(Default)]
struct Accessors<'a> {
    getter: Option<Mutation>,
    setter: Option<Mutation>,
    /// The effects of the getter.
    effects: &'a str,
}

impl<'a> Accessors<'a> {
    fn of(braces: &Piece<'a>) -> Self {
        let mut cursor = Cursor::within(braces.text, braces.file, braces.start + 1, braces.end - 1);
        let mut accessors = Accessors::default();
        let mut mutation = None;
        while !cursor.at(Token::End) {
            if cursor.peek().closing().is_some() && cursor.skip_balanced() {
                continue;
            }
            match cursor.bump() {
                "mutating" => mutation = Some(Mutation::Mutating),
                "nonmutating" => mutation = Some(Mutation::Nonmutating),
                "get" => {
                    accessors.getter = accessors.getter.or(mutation.take());
                    accessors.effects = effects_ahead(&mut cursor);
                }
                "_read" | "read" | "borrow" => accessors.getter = accessors.getter.or(mutation.take()),
                "set" | "_modify" | "modify" | "mutate" => accessors.setter = accessors.setter.or(mutation.take()),
                _ => {}
            }
        }
        accessors
    }
}

/// `async throws(E)`
fn effects_ahead<'a>(cursor: &mut Cursor<'a>) -> &'a str {
    let start = cursor.span().start;
    let mut end = start;
    while let "async" | "throws" | "rethrows" | "reasync" = cursor.peek_text() {
        cursor.bump();
        if cursor.at(Token::LeftParen) {
            cursor.skip_balanced();
        }
        end = cursor.previous_end();
    }
    &cursor.text()[start as usize..end as usize]
}
