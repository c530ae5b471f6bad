//! Converts the outline into the declaration table: first all names, then aliases, signatures, and members with types.

use rustc_hash::{FxHashMap, FxHashSet};
use sil_ir::context::{
    Composition, Context, GenericParameter, GenericParameterKind, GenericSignature, Inverse, LayoutConstraint, Name,
    NominalId, Requirement, SignatureId, Type, TypeId,
};
use sil_ir::declarations::*;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::source::{FileId, Span};
use sil_ir::types::{Generics, GenericsCache};

use super::coroutine_accessors::ReadCoroutines;
use super::dispatch::access;
use super::foreign::foreign_function;
use super::interfaces::ReferredMembers;
use super::members::declared_lifetime;
use super::outline::{Entry, EntryIndex, EntryKind, Evolution, Head, Outline, Owner, PathName};
use super::private_namesakes::ModuleText;
use crate::syntax::Parsed;
use crate::syntax::names::plain_name;
use crate::syntax::suggestion::closest;
use crate::syntax::types::{
    InheritanceClause, Naming, PENDING, PendingAliases, Piece, Position, Resolver, Scope, Tree,
};

/// Adds the entries of one outline to a table.
pub(super) struct Filler<'t, 'a> {
    pub(super) context: &'t Context,
    pub(super) table: &'t mut DeclarationTable,
    pub(super) outline: &'t Outline<'a>,
    /// The names of the members whose interface types are needed.
    pub(super) referred: &'t ReferredMembers<'t>,
    /// The names of members that override others.
    pub(super) overrides: FxHashSet<&'t str>,
    /// The nominal type that each entry declares or extends.
    pub(super) nominals: Vec<Option<NominalId>>,
    /// The meanings of names inside each nominal type, once the parameters of all types are known.
    scopes: FxHashMap<NominalId, Scope>,
    /// The signatures of extensions with requirements that contain aliases.
    conditions: FxHashMap<EntryIndex, SignatureId>,
    pending: PendingAliases,
    /// The module whose files may each declare a type of one name.
    pub(super) module: Option<ModuleText<'a>>,
    /// The members that coroutines read, according to references.
    pub(super) read_coroutines: &'t ReadCoroutines<'a>,
    /// Facts derived from signatures, once all signatures are complete.
    generics: GenericsCache,
    diagnostics: Vec<Diagnostic>,
}

/// One step for each entry.
type Step<'t, 'a, F> = fn(&mut F, EntryIndex, &'t Entry<'a>) -> Parsed<()>;

impl<'t, 'a> Filler<'t, 'a> {
    pub(super) fn new(
        context: &'t Context,
        table: &'t mut DeclarationTable,
        outline: &'t Outline<'a>,
        referred: &'t ReferredMembers<'t>,
        module: Option<ModuleText<'a>>,
        read_coroutines: &'t ReadCoroutines<'a>,
    ) -> Self {
        let nominals = vec![None; outline.entries.len()];
        Self {
            context,
            table,
            outline,
            referred,
            overrides: FxHashSet::default(),
            nominals,
            scopes: FxHashMap::default(),
            conditions: FxHashMap::default(),
            pending: PendingAliases::default(),
            module,
            read_coroutines,
            generics: GenericsCache::default(),
            diagnostics: Vec::new(),
        }
    }

    /// Adds all entries and returns the diagnostics.
    pub(super) fn fill(mut self) -> Vec<Diagnostic> {
        for entry in &self.outline.entries {
            self.table.add_module(entry.owner.module);
            if entry.owner.origin == Origin::Module
                && let EntryKind::Member { name, kind: MemberDeclarationKind::Function, .. } = &entry.kind
                && let Some(function) = foreign_function(self.context, *name, &entry.modifiers)
            {
                self.table.add_foreign_function(function);
            }
        }
        self.raw_names();
        self.add_nominals();
        self.each(Self::associated_type);
        self.each_outside_in(Self::parameters);
        self.scopes = self.nominals.iter().flatten().map(|id| (*id, self.new_scope(Some(*id)))).collect();
        self.aliases();
        self.each_outside_in(Self::heads);
        self.each(Self::associated_requirements);
        self.class_bounds();
        self.each(Self::members);
        self.interfaces();
        self.opaque_results();
        self.diagnostics
    }

    /// Records the names that are not words; raw identifiers have such names.
    fn raw_names(&mut self) {
        for entry in &self.outline.entries {
            let name = match &entry.kind {
                EntryKind::Nominal { name, .. } | EntryKind::Property { name, .. } | EntryKind::Case { name, .. } => {
                    *name
                }
                EntryKind::Member { name, kind: MemberDeclarationKind::Function, .. } => *name,
                _ => continue,
            };
            let text = self.context.text(name);
            let is_word = |text: &str| text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'));
            // Operators are names without a letter.
            if !is_word(text) && text.chars().any(|c| c.is_alphanumeric() || c == ' ') {
                self.table.add_raw_name(name);
            }
        }
    }

    /// Runs one step for all entries.
    fn each(&mut self, step: Step<'t, 'a, Self>) {
        (0..self.outline.entries.len()).for_each(|index| self.run(step, index));
    }

    /// Runs one step for all entries: for a nominal type before its extensions and before the entries nested in either,
    /// whatever their order in the text.
    fn each_outside_in(&mut self, step: Step<'t, 'a, Self>) {
        let outline = self.outline;
        let place = |index: &EntryIndex| {
            let parent = |id: &NominalId| self.table.get(*id).parent;
            let depth = std::iter::successors(self.nominals[*index], parent).count();
            (depth, matches!(outline.entries[*index].kind, EntryKind::Extension { .. }))
        };
        let mut order: Vec<EntryIndex> = (0..self.outline.entries.len()).collect();
        order.sort_by_cached_key(place);
        order.into_iter().for_each(|index| self.run(step, index));
    }

    fn run(&mut self, step: Step<'t, 'a, Self>, index: EntryIndex) {
        if let Err(error) = step(self, index, &self.outline.entries[index]) {
            self.diagnostics.push(*error);
        }
    }

    /// Returns the nominal type that contains the entry.
    pub(super) fn container(&self, entry: &Entry<'a>) -> Option<NominalId> {
        entry.container.and_then(|container| self.nominals[container])
    }

    /// Returns whether the entry is nested in a declaration that could not be placed.
    fn is_lost(&self, entry: &Entry<'a>) -> bool {
        entry.container.is_some_and(|container| self.nominals[container].is_none())
    }

    // Names.

    /// Adds all nominal types and finds the types that extensions extend. An extension can add a type that another one
    /// extends. A module's own types take precedence over imported types of the same name.
    fn add_nominals(&mut self) {
        let is_extension =
            |index: &EntryIndex| matches!(self.outline.entries[*index].kind, EntryKind::Extension { .. });
        let mut open: Vec<EntryIndex> = (0..self.outline.entries.len()).collect();
        open.sort_by_key(is_extension);
        let extensions = open.partition_point(|index| !is_extension(index));
        let nominals: Vec<EntryIndex> = open.drain(..extensions).filter(|index| !self.place(*index)).collect();
        open.splice(..0, nominals);
        self.distinguish_files();
        self.resolve_other_files();
        self.resolve_library_copies();
        self.open_names();
        loop {
            let before = open.len();
            open.retain(|index| !self.place(*index));
            if open.is_empty() || (open.len() == before && !self.place_elsewhere(&mut open)) {
                break;
            }
        }
        for index in open {
            if let EntryKind::Extension { path, .. } = &self.outline.entries[index].kind {
                self.unknown_extension(path);
            }
        }
    }

    /// Places a nominal type or an extension. Returns false if its container or extended type is not placed yet.
    fn place(&mut self, index: EntryIndex) -> bool {
        let outline = self.outline;
        let entry = &outline.entries[index];
        match &entry.kind {
            EntryKind::Nominal { .. } if self.is_lost(entry) => false,
            EntryKind::Nominal { kind, name, .. } => {
                let parent = self.container(entry);
                let mut declaration = self.declaration(*kind, *name, parent, entry);
                self.nominals[index] = Some(match self.sole_file(entry) {
                    Some(file) => {
                        declaration.attributes.private_to = Some(file.discriminator);
                        self.table.add_file_private(declaration)
                    }
                    None => self.table.add(declaration),
                });
                true
            }
            EntryKind::Extension { path, .. } => {
                self.nominals[index] = self.extended(path, entry.owner, |_, _, _| None);
                self.nominals[index].is_some()
            }
            _ => true,
        }
    }

    /// Places the first extension in `open` that may extend a type of another module. Returns whether there is one.
    fn place_elsewhere(&mut self, open: &mut Vec<EntryIndex>) -> bool {
        let outline = self.outline;
        let found = open.iter().enumerate().find_map(|(at, index)| match &outline.entries[*index].kind {
            EntryKind::Extension { path, .. } => {
                let named = |parent, module, name| self.table.named_type(parent, module, name);
                self.extended(path, outline.entries[*index].owner, named).map(|nominal| (at, nominal))
            }
            _ => None,
        });
        let Some((at, nominal)) = found else { return false };
        self.nominals[open.remove(at)] = Some(nominal);
        true
    }

    fn declaration(
        &self,
        kind: NominalKind,
        name: Name,
        parent: Option<NominalId>,
        entry: &Entry<'a>,
    ) -> NominalDeclaration {
        let modifiers = &entry.modifiers;
        let frozen = modifiers.has("@frozen") || modifiers.has("@_fixed_layout");
        let attributes = NominalAttributes {
            is_final: modifiers.has("final"),
            indirect: modifiers.has("indirect"),
            objc: modifiers.has("@objc"),
            marker: modifiers.has("@_marker"),
            resilient: entry.owner.evolution == Evolution::Enabled && !frozen,
            frozen,
            evolving: entry.owner.evolution == Evolution::Enabled,
            access: access(modifiers),
            alignment: modifiers.arguments("@_alignment").and_then(|text| text.parse().ok()),
            ..NominalAttributes::default()
        };
        NominalDeclaration {
            parent,
            attributes,
            ..NominalDeclaration::new(name, kind, entry.owner.module, entry.owner.origin, entry.span)
        }
    }

    /// Returns the type that an extension of `path`, declared by `owner`, extends. `otherwise` resolves a name that its
    /// type or module does not declare.
    fn extended(
        &self,
        path: &[PathName],
        owner: Owner,
        otherwise: impl Fn(Option<NominalId>, Option<Name>, Name) -> Option<NominalId>,
    ) -> Option<NominalId> {
        if let Some(((first, span), rest)) = path.split_first()
            && let Some(meaning) = self.told(*first, *span)
        {
            let Meaning::One(meant) = meaning else { return None };
            let nested = |outer, (name, span): &PathName| self.table.nested_in_file(span.file, outer, *name);
            return rest.iter().try_fold(meant, nested);
        }
        // An imported module's own type hides those of all other modules.
        let is_imported = owner.origin == Origin::Imported;
        let first = path.first().filter(|_| is_imported);
        let own = first.and_then(|(first, _)| self.table.in_module(owner.module, *first));
        self.nominal_at(path.iter().copied(), own, 0, &otherwise)
    }

    /// Returns the type that the ambiguous name `name` means at `span`, or that its meaning is unknown; `None` if the
    /// name is not ambiguous.
    fn told(&self, name: Name, span: Span) -> Option<Meaning> {
        match self.table.open_names.meaning(name, span) {
            Some(OpenMeaning::Stated(told)) => Some(told),
            Some(OpenMeaning::AnyOf(_)) | None => self.table.namesakes.meaning(name, span),
        }
    }

    /// Returns the nominal type at the end of a path of names. The first name can be a module's, and means `first` if
    /// that is given. `aliases` is the number of aliases followed so far.
    fn nominal_at(
        &self,
        path: impl Iterator<Item = PathName>,
        mut first: Option<NominalId>,
        aliases: usize,
        otherwise: &dyn Fn(Option<NominalId>, Option<Name>, Name) -> Option<NominalId>,
    ) -> Option<NominalId> {
        let (mut found, mut module) = (None, None);
        // A type with the name of a module does not hide the module's members.
        let mut hidden_module = None;
        for (name, span) in path {
            let declared = match found {
                Some(parent) => {
                    let hidden = hidden_module.take();
                    let nested = self.table.nested_in_file(span.file, parent, name);
                    nested.or_else(|| self.table.in_module(hidden?, name))
                }
                None => first.take().or_else(|| self.table.top_level(name)).or_else(|| self.aliased(name, aliases)),
            };
            if found.is_none() && module.is_none() && self.table.is_module(name) {
                if declared.is_none() {
                    module = Some(name);
                    continue;
                }
                hidden_module = Some(name);
            }
            found = Some(declared.or_else(|| otherwise(found, module, name))?);
        }
        found
    }

    /// Returns the nominal type that an alias names, either one of this outline or a known one.
    fn aliased(&self, name: Name, aliases: usize) -> Option<NominalId> {
        if let Some(alias) = self.table.alias(name)
            && let Type::Nominal(nominal) = self.context.get(alias.ty)
        {
            return Some(nominal.declaration);
        }
        // A longer chain of aliases than there are declarations is circular.
        if aliases > self.outline.entries.len() {
            return None;
        }
        let piece = self.outline.entries.iter().find_map(|entry| match &entry.kind {
            EntryKind::Alias { name: known, ty, .. } if *known == name && entry.container.is_none() => Some(ty),
            _ => None,
        })?;
        let path = piece.slice().split('<').next().unwrap_or_default();
        let span = Span { file: piece.file, start: piece.start, end: piece.start };
        let named = |name| Some((self.context.find_name(plain_name(name))?, span));
        let names: Option<Vec<PathName>> = path.split('.').map(named).collect();
        self.nominal_at(names?.into_iter(), None, aliases + 1, &|_, _, _| None)
    }

    fn unknown_extension(&mut self, path: &[PathName]) {
        let Some((name, span)) = path.last() else { return };
        let text = self.context.text(*name);
        let names = self.table.iter().map(|(_, declaration)| self.context.text(declaration.name));
        let error = Diagnostic::error("unknown-type", format!("cannot find type '{text}' in scope"), *span);
        self.diagnostics.push(match closest(text, names) {
            Some(close) => error.hint(format!("did you mean '{close}'?")),
            None => error,
        });
    }

    fn associated_type(&mut self, _: EntryIndex, entry: &'t Entry<'a>) -> Parsed<()> {
        if let (EntryKind::AssociatedType { name, .. }, Some(protocol)) = (&entry.kind, self.container(entry)) {
            let known = &mut self.table.get_mut(protocol).associated_types;
            if known.iter().all(|ty| ty.name != *name) {
                known.push(AssociatedType { name: *name, default: None });
                self.table.add_member_type(*name);
            }
        }
        Ok(())
    }

    // Generic parameters.

    /// Sets the parameters of a nominal type without requirements, which can name other types.
    fn parameters(&mut self, index: EntryIndex, entry: &'t Entry<'a>) -> Parsed<()> {
        let (EntryKind::Nominal { kind, head, .. }, Some(nominal)) = (&entry.kind, self.nominals[index]) else {
            return Ok(());
        };
        let outer = self.table.get(nominal).parent.and_then(|parent| self.table.get(parent).signature);
        let mut parameters = outer.map_or_else(Vec::new, |id| self.context.get_signature(id).parameters.to_vec());
        if *kind == NominalKind::Protocol {
            let name = Some(self.context.name("Self"));
            parameters = vec![GenericParameter { name, depth: 0, index: 0, kind: GenericParameterKind::Type }];
            if let Some(primary) = &head.generics {
                let mut tree = Tree::default();
                let levels = primary.parse_signature(&mut tree)?;
                let names = levels.iter().flat_map(|level| &level.parameters);
                self.table.get_mut(nominal).primary_associated_types =
                    names.map(|written| self.context.name(plain_name(written.name))).collect();
            }
        } else if let Some(generics) = &head.generics {
            let depth = parameters.last().map_or(0, |last| last.depth + 1);
            let mut tree = Tree::default();
            let levels = generics.parse_signature(&mut tree)?;
            let own =
                self.resolver(&tree, generics, self.container(entry)).parameters(&levels, depth, Naming::Named)?;
            self.table.get_mut(nominal).own_parameters = own.len() as u32;
            parameters.extend(own);
        }
        if !parameters.is_empty() {
            let signature = GenericSignature { parameters: parameters.into(), requirements: Box::default() };
            self.table.get_mut(nominal).signature = Some(self.context.signature(signature));
        }
        Ok(())
    }

    pub(super) fn resolver<'r>(
        &'r self,
        tree: &'r Tree<'a>,
        piece: &Piece<'a>,
        nominal: Option<NominalId>,
    ) -> Resolver<'r, 'a> {
        let resolver = Resolver::new(self.context, self.table, tree, piece.file, self.scope(nominal));
        Resolver { pending: Some(&self.pending), ..resolver }
    }

    /// Returns the meanings of names inside `nominal`.
    fn scope(&self, nominal: Option<NominalId>) -> Scope {
        nominal.and_then(|id| self.scopes.get(&id)).cloned().unwrap_or_else(|| self.new_scope(nominal))
    }

    fn new_scope(&self, nominal: Option<NominalId>) -> Scope {
        let mut scope = Scope { nominal, ..Scope::default() };
        let Some(id) = nominal else { return scope };
        let declaration = self.table.get(id);
        if declaration.kind != NominalKind::Protocol {
            scope.names.push((self.context.name("Self"), self.identity(id)));
        }
        let parameters = declaration.signature.map_or(&[][..], |id| &self.context.get_signature(id).parameters[..]);
        for parameter in parameters {
            if let Some(name) = parameter.name {
                let ty = Type::GenericParameter { depth: parameter.depth, index: parameter.index };
                scope.names.push((name, self.context.ty(ty)));
            }
        }
        scope
    }

    /// Returns the facts derived from signatures. Valid once all signatures are complete.
    pub(super) fn generics(&self) -> Generics<'_> {
        Generics::new(self.context, self.table, &self.generics)
    }

    pub(super) fn identity(&self, id: NominalId) -> TypeId {
        let tree = Tree::default();
        let file = self.table.get(id).span.file;
        Resolver::new(self.context, self.table, &tree, file, Scope::default()).identity(id)
    }

    pub(super) fn ty(&self, piece: &Piece<'a>, nominal: Option<NominalId>) -> Parsed<TypeId> {
        let mut tree = Tree::default();
        let node = piece.parse_type(&mut tree)?;
        self.resolver(&tree, piece, nominal).ty(node, Position::Formal)
    }

    fn inherited(&self, piece: &Piece<'a>, nominal: NominalId, clause: InheritanceClause) -> Parsed<Inherited> {
        let mut tree = Tree::default();
        let node = piece.parse_type(&mut tree)?;
        let mut resolver = self.resolver(&tree, piece, Some(nominal));
        if resolver.is_suppressed_inference(node) {
            return Ok(Inherited::Nothing);
        }
        if let Some(inverse) = resolver.inverse_of(node)? {
            return Ok(Inherited::Inverse(inverse));
        }
        resolver.inherited(node, clause).map(Inherited::Type)
    }

    // Aliases.

    /// Resolves all aliases. Aliases of names that have no meaning yet are tried again.
    fn aliases(&mut self) {
        let mut open: Vec<EntryIndex> = Vec::new();
        for (index, entry) in self.outline.entries.iter().enumerate() {
            if let EntryKind::Alias { name, .. } = &entry.kind
                && !self.is_lost(entry)
            {
                let container = self.container(entry);
                let file = self.sole_file(entry).map(|file| file.text);
                self.pending.insert((file, container, *name));
                self.table.add_member_type(*name);
                open.push(index);
            }
        }
        loop {
            let before = open.len();
            let mut errors = Vec::new();
            open.retain(|index| match self.alias(*index) {
                Ok(()) => false,
                Err(error) => {
                    let again = error.code == PENDING;
                    errors.push(*error);
                    again
                }
            });
            // Chains of aliases in either direction take two rounds.
            open.reverse();
            let stuck = open.is_empty() || open.len() == before;
            errors.sort_by_key(|error| error.span.map(|span| span.start));
            self.diagnostics.extend(errors.into_iter().filter(|error| stuck || error.code != PENDING));
            if stuck {
                break;
            }
        }
        self.pending.clear();
    }

    fn alias(&mut self, index: EntryIndex) -> Parsed<()> {
        let outline = self.outline;
        let entry = &outline.entries[index];
        let EntryKind::Alias { name, head, ty } = &entry.kind else { return Ok(()) };
        let container = self.container(entry);
        // Meanwhile the name has its outer meaning: `typealias Element = Element`.
        let file = self.sole_file(entry).map(|file| file.text);
        let own = self.pending.remove(&(file, container, *name));
        let resolved = self.alias_type(container, head, ty);
        let (signature, ty) = match resolved {
            Ok(resolved) => resolved,
            Err(error) => {
                if own && error.code == PENDING {
                    self.pending.insert((file, container, *name));
                }
                return Err(error);
            }
        };
        let condition = match entry.container {
            Some(extension) => self.condition_of_alias(extension, container)?,
            None => None,
        };
        let implements = entry.modifiers.arguments("@_implements").and_then(|arguments| arguments.split_once(','));
        let implements = implements.map(|(protocol, name)| {
            let protocol = protocol.rsplit('.').next().unwrap_or(protocol);
            (self.context.name(protocol.trim()), self.context.name(name.trim()))
        });
        let alias = TypeAlias { name: *name, signature, ty, condition, implements };
        match container {
            _ if let Some(file) = file => self.table.file_private.add_alias(file, container, alias),
            Some(nominal) => self.table.get_mut(nominal).aliases.push(alias),
            None if self.is_unseen(entry, *name) => self.table.add_unseen_alias(entry.owner.module, alias),
            None => self.table.add_alias(alias),
        }
        Ok(())
    }

    /// Returns whether an alias is invisible outside its module: another module's declaration that is not public, or a
    /// C name that a Swift type has too.
    fn is_unseen(&self, entry: &Entry<'a>, name: Name) -> bool {
        let is_read = entry.owner.origin == Origin::Imported && entry.span.file != FileId::KNOWN;
        match self.table.is_c_module(entry.owner.module) {
            true => self.table.top_level(name).is_some(),
            false => {
                let is_own = self.table.is_own_module(entry.owner.module);
                is_read && !is_own && access(&entry.modifiers) < Access::Public
            }
        }
    }

    /// Returns the signature of the extension that contains an alias, if the extension has requirements.
    fn condition_of_alias(&mut self, extension: EntryIndex, nominal: Option<NominalId>) -> Parsed<Option<SignatureId>> {
        let EntryKind::Extension { head, .. } = &self.outline.entries[extension].kind else { return Ok(None) };
        if let Some(known) = self.conditions.get(&extension) {
            return Ok(Some(*known));
        }
        let condition = self.condition(head, nominal)?;
        self.conditions.extend(condition.map(|condition| (extension, condition)));
        Ok(condition)
    }

    fn alias_type(
        &self,
        container: Option<NominalId>,
        head: &Head<'a>,
        piece: &Piece<'a>,
    ) -> Parsed<(Option<SignatureId>, TypeId)> {
        let mut tree = Tree::default();
        let levels = match &head.generics {
            Some(generics) => generics.parse_signature(&mut tree)?,
            None => Vec::new(),
        };
        let node = piece.parse_type(&mut tree)?;
        let mut resolver = self.resolver(&tree, piece, container);
        let outer = container.and_then(|id| self.table.get(id).signature);
        let deepest = outer.and_then(|id| self.context.get_signature(id).parameters.last());
        let depth = deepest.map_or(0, |last| last.depth + 1);
        let signature = match &levels[..] {
            [] => {
                if let Some((signature, ty)) = resolver.unbound(node, depth)? {
                    return Ok((Some(signature), ty));
                }
                None
            }
            levels => Some(resolver.signature(levels, depth, Naming::Named)?),
        };
        Ok((signature, resolver.ty(node, Position::Formal)?))
    }

    // Signatures and inheritance.

    fn heads(&mut self, index: EntryIndex, entry: &'t Entry<'a>) -> Parsed<()> {
        let Some(nominal) = self.nominals[index] else { return Ok(()) };
        match &entry.kind {
            EntryKind::Nominal { kind, head, .. } => {
                let around = entry.container.map(|container| &self.outline.entries[container].kind);
                let extension = match around {
                    Some(EntryKind::Extension { head, .. }) => Some(head),
                    _ => None,
                };
                self.signature(nominal, head, extension)?;
                if *kind == NominalKind::Protocol {
                    self.self_requirements(nominal);
                }
                self.raw_layout(nominal, entry)?;
                self.c_name_space(nominal, entry);
                self.c_layout(nominal, entry)?;
                self.c_values(nominal, entry)?;
                self.table.get_mut(nominal).attributes.distributed = entry.modifiers.has("distributed");
                let attributes = &mut self.table.get_mut(nominal).attributes;
                attributes.lifetime = declared_lifetime(entry);
                attributes.addressable_for_dependencies = entry.modifiers.has("@_addressableForDependencies");
                if let Some(isolation) = entry.modifiers.isolation(self.context) {
                    self.table.isolations.add_type(nominal, isolation);
                }
                if entry.modifiers.has("@globalActor") {
                    self.table.isolations.add_global_actor(nominal);
                }
                self.inherit(nominal, InheritanceClause::Declaration, head, (None, entry.owner.module))
            }
            EntryKind::Extension { head, .. } => {
                let condition = self.condition(head, Some(nominal))?;
                let before = self.table.get(nominal).conformances.len();
                self.inherit(nominal, InheritanceClause::Extension, head, (condition, entry.owner.module))?;
                if entry.modifiers.availability() == Availability::Unavailable {
                    let stated: Vec<TypeId> = self
                        .table
                        .get(nominal)
                        .conformances
                        .iter()
                        .skip(before)
                        .map(|stated| stated.protocol)
                        .collect();
                    for protocol in stated {
                        self.table.isolations.add_unavailable_conformance(nominal, protocol);
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Adds the requirements of an associated type to the signature of its protocol: `associatedtype A : P where A.B :
    /// Q`.
    fn associated_requirements(&mut self, _: EntryIndex, entry: &'t Entry<'a>) -> Parsed<()> {
        let (EntryKind::AssociatedType { name, head, .. }, Some(protocol)) = (&entry.kind, self.container(entry))
        else {
            return Ok(());
        };
        let base = self.context.ty(Type::GenericParameter { depth: 0, index: 0 });
        let subject = self.context.ty(Type::DependentMember { base, member: *name, protocol: None });
        let mut stated = Vec::new();
        for piece in &head.inheritance {
            match self.inherited(piece, protocol, InheritanceClause::Declaration)? {
                Inherited::Inverse(inverse) => stated.push(Requirement::Inverse { subject, inverse }),
                Inherited::Type(constraint) => stated.push(self.stated_constraint(subject, constraint)),
                Inherited::Nothing => {}
            }
        }
        stated.extend(self.requirements(head, Some(protocol))?);
        if let (Some(signature), false) = (self.table.get(protocol).signature, stated.is_empty()) {
            let mut signature = self.context.get_signature(signature).clone();
            signature.requirements = signature.requirements.into_iter().chain(stated).collect();
            self.table.get_mut(protocol).signature = Some(self.context.signature(signature));
        }
        Ok(())
    }

    /// Returns the requirement of `subject : constraint` for a class, `AnyObject` or a protocol.
    fn stated_constraint(&self, subject: TypeId, constraint: TypeId) -> Requirement {
        match self.context.get(constraint) {
            Type::Nominal(_) => Requirement::Superclass { subject, superclass: constraint },
            _ => Requirement::Conformance { subject, constraint },
        }
    }

    /// Adds the requirements of a nominal type, and of the extension that contains it, to its signature.
    fn signature(&mut self, nominal: NominalId, head: &'t Head<'a>, extension: Option<&'t Head<'a>>) -> Parsed<()> {
        let Some(bare) = self.table.get(nominal).signature else { return Ok(()) };
        let parent = self.table.get(nominal).parent;
        let outer = parent.and_then(|parent| self.table.get(parent).signature);
        let extended = match extension {
            Some(head) => self.condition(head, parent)?,
            None => None,
        };
        self.table.get_mut(nominal).extension = extended;
        let around = extended.or(outer);
        let mut requirements = around.map_or_else(Vec::new, |id| self.context.get_signature(id).requirements.to_vec());
        // A list of plain names has no requirements.
        if let Some(generics) = head.generics.as_ref().filter(|generics| generics.slice().contains([':', '='])) {
            let mut tree = Tree::default();
            let levels = generics.parse_signature(&mut tree)?;
            requirements.extend(self.resolver(&tree, generics, Some(nominal)).requirements(&levels)?);
        }
        requirements.extend(self.requirements(head, Some(nominal))?);
        let parameters = self.context.get_signature(bare).parameters.clone();
        let signature = self.context.signature(GenericSignature { parameters, requirements: requirements.into() });
        self.table.get_mut(nominal).signature = Some(signature);
        Ok(())
    }

    /// `protocol P where Self : Q, Self : C` is equivalent to `protocol P : Q, C`.
    fn self_requirements(&mut self, protocol: NominalId) {
        let Some(signature) = self.table.get(protocol).signature else { return };
        let is_self =
            |subject: TypeId| matches!(self.context.get(subject), Type::GenericParameter { depth: 0, index: 0, .. });
        let declaration = self.table.get_mut(protocol);
        let module = declaration.module;
        let isolation = ConformanceIsolation::Nonisolated;
        let stated = |protocol| StatedConformance { protocol, condition: None, module, isolation };
        for requirement in &self.context.get_signature(signature).requirements {
            match requirement {
                Requirement::Conformance { subject, constraint } if is_self(*subject) => {
                    match self.context.get(*constraint) {
                        Type::Composition(composition) => {
                            add_composition(self.context, declaration, composition, stated);
                        }
                        _ => declaration.conformances.push(stated(*constraint)),
                    }
                }
                Requirement::Superclass { subject, superclass } if is_self(*subject) => {
                    declaration.superclass = Some(*superclass);
                    declaration.attributes.class_bound = true;
                }
                Requirement::Layout { subject, constraint: LayoutConstraint::Class(_) } if is_self(*subject) => {
                    declaration.attributes.class_bound = true;
                }
                Requirement::Inverse { subject, inverse } if is_self(*subject) => match inverse {
                    Inverse::Copyable => declaration.attributes.noncopyable = true,
                    Inverse::Escapable => declaration.attributes.nonescapable = true,
                },
                _ => {}
            }
        }
    }

    /// Returns the requirements of the `where` clause.
    fn requirements(&self, head: &Head<'a>, nominal: Option<NominalId>) -> Parsed<Vec<Requirement>> {
        let mut resolved = Vec::new();
        if let Some(piece) = &head.requirements {
            let mut tree = Tree::default();
            let written = piece.parse_requirements(&mut tree)?;
            let mut resolver = self.resolver(&tree, piece, nominal);
            for requirement in written {
                resolver.requirement(requirement, &mut resolved)?;
            }
        }
        Ok(resolved)
    }

    /// Returns the signature of an extension that has requirements of its own.
    pub(super) fn condition(&self, head: &Head<'a>, nominal: Option<NominalId>) -> Parsed<Option<SignatureId>> {
        if head.requirements.is_none() {
            return Ok(None);
        }
        let signature = nominal.and_then(|id| self.table.get(id).signature);
        let mut condition =
            signature.map_or_else(GenericSignature::default, |id| self.context.get_signature(id).clone());
        let mut requirements = condition.requirements.to_vec();
        requirements.extend(self.requirements(head, nominal)?);
        condition.requirements = requirements.into();
        Ok(Some(self.context.signature(condition)))
    }

    fn inherit(
        &mut self,
        nominal: NominalId,
        clause: InheritanceClause,
        head: &Head<'a>,
        (condition, module): (Option<SignatureId>, Name),
    ) -> Parsed<()> {
        let kind = self.table.get(nominal).kind;
        for piece in &head.inheritance {
            let isolation = self.isolation_of(piece, nominal)?;
            let stated = |protocol| StatedConformance { protocol, condition, module, isolation };
            let inherited = match self.inherited(piece, nominal, clause)? {
                Inherited::Inverse(inverse) => {
                    let attributes = &mut self.table.get_mut(nominal).attributes;
                    match inverse {
                        Inverse::Copyable => attributes.noncopyable = true,
                        Inverse::Escapable => attributes.nonescapable = true,
                    }
                    continue;
                }
                Inherited::Nothing => continue,
                Inherited::Type(ty) => ty,
            };
            let declaration = self.table.get_mut(nominal);
            match self.context.get(inherited) {
                Type::Nominal(_) if matches!(kind, NominalKind::Class | NominalKind::Actor | NominalKind::Protocol) => {
                    declaration.superclass = Some(inherited);
                    declaration.attributes.class_bound |= kind == NominalKind::Protocol;
                }
                Type::Nominal(_) if kind == NominalKind::Enum => declaration.raw_type = Some(inherited),
                Type::Composition(composition) => {
                    add_composition(self.context, declaration, composition, stated);
                }
                _ => declaration.conformances.push(stated(inherited)),
            }
        }
        Ok(())
    }

    /// Returns the isolation of a stated conformance: `@MainActor P`. Other attributes do not affect isolation.
    fn isolation_of(&self, stated: &Piece<'a>, nominal: NominalId) -> Parsed<ConformanceIsolation> {
        let text = stated.slice();
        let is_part = |part: char| part.is_alphanumeric() || part == '_' || part == '.';
        let name = text.strip_prefix('@').and_then(|rest| rest.split(|next| !is_part(next)).next());
        let Some(name) = name.filter(|name| !CONFORMANCE_ATTRIBUTES.contains(name)) else {
            return Ok(ConformanceIsolation::Nonisolated);
        };
        let start = stated.start + 1;
        let actor = Piece { start, end: start + name.len() as u32, ..*stated };
        let mut tree = Tree::default();
        let node = actor.parse_type(&mut tree)?;
        let found = self.resolver(&tree, &actor, Some(nominal)).ty(node, Position::Formal);
        // The declaration of the actor may be missing if no use of the conformance needs it.
        let ty = found.unwrap_or_else(|_| self.context.ty(Type::unresolved(self.context.name(name))));
        Ok(ConformanceIsolation::GlobalActor(ty))
    }

    /// Marks protocols that inherit from a class-bound protocol as class-bound.
    fn class_bounds(&mut self) {
        loop {
            let bound: Vec<NominalId> = self.newly_class_bound().collect();
            if bound.is_empty() {
                return;
            }
            for id in bound {
                self.table.get_mut(id).attributes.class_bound = true;
            }
        }
    }

    fn newly_class_bound(&self) -> impl Iterator<Item = NominalId> {
        let is_bound = |conformance: &StatedConformance| match self.context.get(conformance.protocol) {
            Type::Protocol { protocol, .. } => self.table.get(*protocol).attributes.class_bound,
            _ => matches!(self.context.get(conformance.protocol), Type::Nominal(_)),
        };
        let protocols = self.nominals.iter().flatten().copied().filter(|id| {
            let declaration = self.table.get(*id);
            declaration.kind == NominalKind::Protocol && !declaration.attributes.class_bound
        });
        protocols.filter(move |id| self.table.get(*id).conformances.iter().any(is_bound))
    }
}

/// The attributes of conformances that name no actor.
const CONFORMANCE_ATTRIBUTES: [&str; 6] =
    ["unchecked", "retroactive", "preconcurrency", "unsafe", "safe", "reparented"];

/// An element of an inheritance clause.
enum Inherited {
    Type(TypeId),
    Inverse(Inverse),
    Nothing,
}

fn add_composition(
    context: &Context,
    declaration: &mut NominalDeclaration,
    composition: &Composition,
    stated: impl Fn(TypeId) -> StatedConformance,
) {
    for member in &composition.members {
        if matches!(context.get(*member), Type::Nominal(_)) {
            declaration.superclass = Some(*member);
        } else {
            declaration.conformances.push(stated(*member));
        }
    }
    declaration.attributes.class_bound |= composition.class_constraint.is_some();
    for inverse in &composition.inverses {
        match inverse {
            Inverse::Copyable => declaration.attributes.noncopyable = true,
            Inverse::Escapable => declaration.attributes.nonescapable = true,
        }
    }
}
