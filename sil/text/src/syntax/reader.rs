//! The reader: a cursor and the meanings of the names in the text.

use rustc_hash::FxHashMap;
use sil_ir::context::{Context, Name, SignatureId, Type, TypeId};
use sil_ir::declarations::DeclarationTable;
use sil_ir::diagnostic::Diagnostic;

use super::cursor::Cursor;

/// A generic parameter that has a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamedGenericParameter {
    /// The name.
    pub name: Name,
    /// The depth of its declaration: 0 for the outermost.
    pub depth: u32,
    /// Its index at that depth.
    pub index: u32,
}

/// The names of generic parameters in scope. A later one hides an earlier one of the same name.
#[derive(Clone, Default, Debug)]
pub struct GenericScope {
    parameters: Vec<NamedGenericParameter>,
    naming: ScopeNaming,
    openings: Vec<OpeningNames>,
}

/// The names of the generic parameters in the archetypes of an opening of pack elements.
#[derive(Clone, Debug)]
pub struct OpeningNames {
    /// The name of the opening.
    pub uuid: Name,
    /// The parameters of its signature by their names.
    pub parameters: Vec<(Name, TypeId)>,
}

/// The form of the types for names in a [`GenericScope`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ScopeNaming {
    /// A parameter with its name: a body is printed with the names.
    #[default]
    Named,
    /// A parameter by its position, without the name.
    Positional,
}

impl GenericScope {
    /// Returns the named parameters of `signature`.
    pub fn of(context: &Context, signature: SignatureId) -> Self {
        let mut scope = Self::default();
        scope.push(context, signature);
        scope
    }

    /// Returns the named parameters of `signature`; types that mention them do not keep the names.
    pub fn positional_of(context: &Context, signature: SignatureId) -> Self {
        Self { naming: ScopeNaming::Positional, ..Self::of(context, signature) }
    }

    /// Returns the form of the types for names.
    pub fn naming(&self) -> ScopeNaming {
        self.naming
    }

    /// Adds the named parameters of `signature`.
    pub fn push(&mut self, context: &Context, signature: SignatureId) {
        for parameter in &context.get_signature(signature).parameters {
            if let Some(name) = parameter.name {
                self.add(NamedGenericParameter { name, depth: parameter.depth, index: parameter.index });
            }
        }
    }

    /// Adds the opening `uuid`, whose archetypes are named by the parameters of `signature`.
    pub fn open(&mut self, context: &Context, uuid: Name, signature: SignatureId) {
        let parameters = context.get_signature(signature).parameters.iter().filter_map(|parameter| {
            let (name, depth, index) = (parameter.name?, parameter.depth, parameter.index);
            Some((name, context.ty(Type::NamedParameter { name, depth, index })))
        });
        self.openings.push(OpeningNames { uuid, parameters: parameters.collect() });
    }

    /// Returns the openings of pack elements so far.
    pub fn openings(&self) -> &[OpeningNames] {
        &self.openings
    }

    /// Adds a parameter.
    pub fn add(&mut self, parameter: NamedGenericParameter) {
        self.parameters.push(parameter);
    }

    /// Returns the parameter called `name`.
    pub fn find(&self, name: Name) -> Option<NamedGenericParameter> {
        self.parameters.iter().rev().copied().find(|parameter| parameter.name == name)
    }

    /// Returns the parameters, the outermost first.
    pub fn iter(&self) -> impl Iterator<Item = &NamedGenericParameter> {
        self.parameters.iter()
    }

    /// Returns the number of parameters, for [`truncate`](Self::truncate).
    pub fn len(&self) -> usize {
        self.parameters.len()
    }

    /// Returns whether there are no parameters.
    pub fn is_empty(&self) -> bool {
        self.parameters.is_empty()
    }

    /// Removes all parameters except the first `length`.
    pub fn truncate(&mut self, length: usize) {
        self.parameters.truncate(length);
    }
}

/// Reads SIL text.
pub struct Reader<'a> {
    /// The interned names and types.
    pub context: &'a Context,
    /// The declarations that the text can name.
    pub declarations: &'a DeclarationTable,
    /// The position in the text.
    pub cursor: Cursor<'a>,
    /// The diagnostics so far, in addition to the errors that readers return.
    pub diagnostics: Vec<Diagnostic>,
    pub(super) generics: GenericScope,
    pub(super) types: TypeCache<'a>,
}

/// The types that were read already, by their text. SIL repeats types very often.
#[derive(Default)]
pub(super) struct TypeCache<'a> {
    pub(super) lowered: FxHashMap<&'a str, TypeId>,
    pub(super) formal: FxHashMap<&'a str, TypeId>,
    /// The types that name a generic parameter in scope.
    pub(super) lowered_in_scope: FxHashMap<&'a str, TypeId>,
    pub(super) formal_in_scope: FxHashMap<&'a str, TypeId>,
    /// The types of functions' lines, where no generic parameter is in scope.
    pub(super) functions: FxHashMap<&'a str, (TypeId, Option<SignatureId>)>,
}

impl<'a> Reader<'a> {
    /// Creates a reader without generic parameters in scope.
    pub fn new(context: &'a Context, declarations: &'a DeclarationTable, cursor: Cursor<'a>) -> Self {
        Self {
            context,
            declarations,
            cursor,
            diagnostics: Vec::new(),
            generics: GenericScope::default(),
            types: TypeCache::default(),
        }
    }

    /// Returns the generic parameters in scope.
    pub fn generics(&self) -> &GenericScope {
        &self.generics
    }

    /// Replaces the generic parameters in scope and returns the previous ones.
    pub fn set_generics(&mut self, generics: GenericScope) -> GenericScope {
        self.types.lowered_in_scope.clear();
        self.types.formal_in_scope.clear();
        std::mem::replace(&mut self.generics, generics)
    }
}
