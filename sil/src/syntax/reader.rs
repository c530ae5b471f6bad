//! The reader: a cursor together with what names in the text can mean.

use rustc_hash::FxHashMap;

use super::cursor::Cursor;
use crate::context::{Context, Name, SignatureId, Type, TypeId};
use crate::declarations::DeclarationTable;
use crate::diagnostic::Diagnostic;

/// A generic parameter that has a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamedGenericParameter {
    /// The name.
    pub name: Name,
    /// The depth of its declaration: 0 for the outermost.
    pub depth: u32,
    /// Its number at that depth.
    pub index: u32,
}

/// The names of generic parameters in scope. A later one hides an earlier one of the same name.
#[derive(Clone, Default, Debug)]
pub struct GenericScope {
    parameters: Vec<NamedGenericParameter>,
    naming: ScopeNaming,
    openings: Vec<OpeningNames>,
}

/// How the archetypes of an opening of pack elements name what they stand for.
#[derive(Clone, Debug)]
pub struct OpeningNames {
    /// The name of the opening.
    pub uuid: Name,
    /// The parameters of its signature by their names.
    pub parameters: Vec<(Name, TypeId)>,
}

/// What types make of a name in a [`GenericScope`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ScopeNaming {
    /// A parameter with its name: a body is printed with them.
    #[default]
    Named,
    /// A parameter by its position: the names are forgotten.
    Positional,
}

impl GenericScope {
    /// The named parameters of `signature`.
    pub fn of(context: &Context, signature: SignatureId) -> Self {
        let mut scope = Self::default();
        scope.push(context, signature);
        scope
    }

    /// The named parameters of `signature`, whose names are forgotten in the types that mention them.
    pub fn positional_of(context: &Context, signature: SignatureId) -> Self {
        Self { naming: ScopeNaming::Positional, ..Self::of(context, signature) }
    }

    /// What types make of the names.
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

    /// Says that the archetypes of the opening `uuid` are named by the parameters of `signature`.
    pub fn open(&mut self, context: &Context, uuid: Name, signature: SignatureId) {
        let parameters = context.get_signature(signature).parameters.iter().filter_map(|parameter| {
            let (name, depth, index) = (parameter.name?, parameter.depth, parameter.index);
            Some((name, context.ty(Type::NamedParameter { name, depth, index })))
        });
        self.openings.push(OpeningNames { uuid, parameters: parameters.collect() });
    }

    /// The openings of pack elements so far.
    pub fn openings(&self) -> &[OpeningNames] {
        &self.openings
    }

    /// Adds a parameter.
    pub fn add(&mut self, parameter: NamedGenericParameter) {
        self.parameters.push(parameter);
    }

    /// The parameter called `name`.
    pub fn find(&self, name: Name) -> Option<NamedGenericParameter> {
        self.parameters.iter().rev().copied().find(|parameter| parameter.name == name)
    }

    /// The parameters, the outermost first.
    pub fn iter(&self) -> impl Iterator<Item = &NamedGenericParameter> {
        self.parameters.iter()
    }

    /// How many parameters there are: a mark for [`truncate`](Self::truncate).
    pub fn len(&self) -> usize {
        self.parameters.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.parameters.is_empty()
    }

    /// Forgets all parameters but the first `length`.
    pub fn truncate(&mut self, length: usize) {
        self.parameters.truncate(length);
    }
}

/// Reads SIL text.
pub struct Reader<'a> {
    /// Names and types go here.
    pub context: &'a Context,
    /// What the text can name.
    pub declarations: &'a DeclarationTable,
    /// The place in the text.
    pub cursor: Cursor<'a>,
    /// What was found wrong so far, beyond the errors that readers return.
    pub diagnostics: Vec<Diagnostic>,
    pub(super) generics: GenericScope,
    pub(super) types: TypeCache<'a>,
}

/// The types that were read already, by their text. Types in SIL repeat endlessly.
#[derive(Default)]
pub(super) struct TypeCache<'a> {
    pub(super) lowered: FxHashMap<&'a str, TypeId>,
    pub(super) formal: FxHashMap<&'a str, TypeId>,
    /// Those that name a generic parameter in scope.
    pub(super) lowered_in_scope: FxHashMap<&'a str, TypeId>,
    pub(super) formal_in_scope: FxHashMap<&'a str, TypeId>,
    /// Those of functions' lines, where no generic parameter is in scope.
    pub(super) functions: FxHashMap<&'a str, (TypeId, Option<SignatureId>)>,
}

impl<'a> Reader<'a> {
    /// A reader with no generic parameters in scope.
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

    /// The generic parameters in scope.
    pub fn generics(&self) -> &GenericScope {
        &self.generics
    }

    /// Changes the generic parameters in scope and gives the former ones.
    pub fn set_generics(&mut self, generics: GenericScope) -> GenericScope {
        self.types.lowered_in_scope.clear();
        self.types.formal_in_scope.clear();
        std::mem::replace(&mut self.generics, generics)
    }
}
