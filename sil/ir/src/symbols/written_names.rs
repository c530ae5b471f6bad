//! The declarers of the types that a symbol mentions by one name, in the order in which SIL writes the lowered type of
//! the symbol's subject. Owns the order of a symbol's parts in a lowered type. Does not own the use of the names.

use rustc_hash::FxHashSet;

use super::mentions::place;
use super::{Accessor, Flavor, Implicit, Kind, NodeId, Operation, Symbol, Tree};

/// The declarer of a type outside of all types, which distinguishes types of one name in symbols.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Declarer {
    /// A module.
    Module(String),
    /// A file of a module, as symbols have it, which alone sees the type.
    File { module: String, file: String },
    /// A function; the symbol of the type's descriptor identifies it, and the type among those of that name in it.
    Function(String),
}

/// The facts of a symbol about the types of one name in the lowered type beside it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct WrittenNames {
    /// Those in the whole symbol; in no order.
    pub mentioned: Vec<Declarer>,
    /// Whether the lowered type has no types but those that the symbol mentions.
    pub is_complete: bool,
    /// Those in the parts of the lowered type, if the symbol shows its parts.
    pub parts: Option<WrittenParts>,
}

/// The types that the parts of a lowered function type, or of a variable's type, mention.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct WrittenParts {
    /// In the generic signature, as far as the symbol has it.
    pub signature: Vec<Declarer>,
    /// In the parameters that the declaration has, `self` included where that comes next.
    pub parameters: Vec<Declarer>,
    /// In the results.
    pub results: Vec<Declarer>,
    /// Whether the captures of a function come between the two.
    pub has_captures: bool,
}

impl Symbol {
    /// The names of the types outside of all types that the symbol mentions.
    pub fn declared_names(&self) -> FxHashSet<&str> {
        let tree = &self.tree;
        let name = |id| {
            let name = tree.child(id, 1)?;
            let name = if tree.kind(name) == Kind::Identifier { name } else { tree.child(name, 1)? };
            Some(&*tree.get(name).text)
        };
        tree.ids().filter(|id| matches!(tree.kind(*id), Kind::Nominal(_))).filter_map(name).collect()
    }

    /// The names of the types, the outermost first, that a property of which the symbol is stands in, and its own.
    pub fn storage(&self) -> Option<(Vec<String>, String)> {
        let (path, entity) = self.declaration()?;
        (self.tree.kind(entity) == Kind::Variable).then_some(())?;
        Some((path, plain_name(&self.tree, entity)?))
    }

    /// The names of the types, the outermost first, that a function or an initialiser of which the symbol is stands in,
    /// and its own.
    pub fn declared_function(&self) -> Option<(Vec<String>, String)> {
        let (path, entity) = self.declaration()?;
        match self.tree.kind(entity) {
            Kind::Function => Some((path, plain_name(&self.tree, entity)?)),
            Kind::Allocator => Some((path, "init".to_owned())),
            _ => None,
        }
    }

    /// Who declares the type called `name` that stands in no other and that the declaration of which the symbol is
    /// stands in, and the name of the declaration.
    pub fn member_of(&self, name: &str) -> Option<(Declarer, String)> {
        let (_, entity) = self.declaration()?;
        let walk = Walk { tree: &self.tree, name };
        let [declarer] = <[Declarer; 1]>::try_from(walk.self_parameter(self.tree.child(entity, 0)?)).ok()?;
        let own = match self.tree.kind(entity) {
            Kind::Allocator | Kind::Constructor => "init".to_owned(),
            Kind::Subscript => "subscript".to_owned(),
            _ => plain_name(&self.tree, entity)?,
        };
        Some((declarer, own))
    }

    /// The declaration that is the symbol's subject, with the types around it.
    fn declaration(&self) -> Option<(Vec<String>, NodeId)> {
        let tree = &self.tree;
        let [mut entity] = *tree.children(self.root) else { return None };
        while matches!(tree.kind(entity), Kind::Static | Kind::Accessor(_) | Kind::Implicit(Implicit::Initializer)) {
            entity = tree.child(entity, 0)?;
        }
        let context = tree.child(entity, 0)?;
        let mut path = Vec::new();
        if tree.kind(context) != Kind::Module {
            place(tree, context, &mut path)?;
        }
        Some((path, entity))
    }

    /// The facts of the symbol about the types called `name`.
    pub fn written_names(&self, name: &str) -> WrittenNames {
        let walk = Walk { tree: &self.tree, name };
        let mut mentioned: Vec<Declarer> = self.tree.ids().filter_map(|id| walk.declarer(id)).collect();
        mentioned.sort();
        mentioned.dedup();
        let is_reported = |part: &&NodeId| !self.tree.kind(**part).is_reported_of_function();
        let all = self.tree.children(self.root);
        let mut entities = all.iter().filter(is_reported);
        let (Some(entity), None) = (entities.next(), entities.next()) else {
            return WrittenNames { mentioned, is_complete: false, parts: None };
        };
        let change = all.iter().map(|part| change_of(self.tree.kind(*part))).max().unwrap_or(Change::None);
        let parts = if change == Change::None { walk.parts(*entity) } else { None };
        let names_all = match change {
            Change::None => true,
            Change::Arguments => !walk.has_members_of_parameters(*entity),
            Change::Parts => false,
        };
        let is_complete = names_all && !walk.is_in_function(*entity);
        WrittenNames { mentioned, is_complete, parts }
    }
}

/// The name of a declaration, which may be private.
fn plain_name(tree: &Tree, entity: NodeId) -> Option<String> {
    let name = tree.child(entity, 1)?;
    let name = if tree.kind(name) == Kind::PrivateDeclName { tree.child(name, 1)? } else { name };
    let is_name = matches!(tree.kind(name), Kind::Identifier | Kind::Operator(_));
    is_name.then(|| tree.get(name).text.to_string())
}

/// How a function that a pass made differs from its original in the types that its lowered type has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    /// It has the same types.
    None,
    /// Generic arguments, which the symbol has, stand for the parameters.
    Arguments,
    /// Parts of it are other ones, which the symbol does not show.
    Parts,
}

fn change_of(kind: Kind) -> Change {
    match kind {
        Kind::Specialization(_) => Change::Arguments,
        Kind::SignatureSpecialization | Kind::PartialSpecialization(_) => Change::Parts,
        _ => Change::None,
    }
}

/// A walk over the types called `name`.
struct Walk<'t> {
    tree: &'t Tree,
    name: &'t str,
}

impl Walk<'_> {
    /// Who declares the type at `id`, if it has the name and stands in no other type.
    fn declarer(&self, id: NodeId) -> Option<Declarer> {
        let tree = self.tree;
        if !matches!(tree.kind(id), Kind::Nominal(_)) {
            return None;
        }
        let (context, name) = (tree.child(id, 0)?, tree.child(id, 1)?);
        let text = |id: NodeId| &*tree.get(id).text;
        let is_named = |id: NodeId| tree.kind(id) == Kind::Identifier && text(id) == self.name;
        match tree.kind(name) {
            Kind::Identifier if is_named(name) && tree.kind(context) == Kind::Module => {
                Some(Declarer::Module(text(context).to_owned()))
            }
            Kind::PrivateDeclName if tree.kind(context) == Kind::Module && is_named(tree.child(name, 1)?) => {
                let (module, file) = (text(context).to_owned(), text(tree.child(name, 0)?).to_owned());
                Some(Declarer::File { module, file })
            }
            Kind::LocalDeclName if is_named(tree.child(name, 1)?) => {
                let mut tree = tree.clone();
                let ty = tree.add(Kind::Type, &[id]);
                let descriptor = tree.add(Kind::Operation(Operation::NominalTypeDescriptor), &[ty]);
                Some(Declarer::Function(Symbol::new(Flavor::Default, tree, descriptor).remangle()?))
            }
            _ => None,
        }
    }

    /// Adds the declarers of the types that `id` writes, in the order of their names.
    fn add(&self, id: NodeId, found: &mut Vec<Declarer>) {
        let tree = self.tree;
        if let Some(declarer) = self.declarer(id) {
            found.push(declarer);
            return;
        }
        let children = tree.children(id);
        match tree.kind(id) {
            // A nested type is written after those around it, without modules and functions.
            Kind::Nominal(_) => self.add_around(id, found),
            Kind::AssociatedTypeRef => {}
            Kind::FunctionType(_) => {
                let is_part = |child: &&NodeId| matches!(tree.kind(**child), Kind::ArgumentTuple | Kind::ReturnType);
                children.iter().filter(is_part).for_each(|child| self.add(*child, found));
            }
            _ => children.iter().for_each(|child| self.add(*child, found)),
        }
    }

    fn add_around(&self, id: NodeId, found: &mut Vec<Declarer>) {
        let Some(context) = self.tree.child(id, 0) else { return };
        match self.tree.kind(context) {
            Kind::Extension => {
                if let Some(extended) = self.tree.child(context, 1) {
                    self.add(extended, found);
                }
            }
            Kind::Nominal(_) | Kind::BoundGeneric(_) | Kind::Type => self.add(context, found),
            _ => {}
        }
    }

    fn in_node(&self, id: NodeId) -> Vec<Declarer> {
        let mut found = Vec::new();
        self.add(id, &mut found);
        found
    }

    /// The storage or the function itself: `static` is left out.
    fn declared(&self, entity: NodeId) -> Option<NodeId> {
        match self.tree.kind(entity) {
            Kind::Static => self.tree.child(entity, 0),
            _ => Some(entity),
        }
    }

    /// Whether the symbol's subject is in a function, whose captures no symbol shows.
    fn is_in_function(&self, entity: NodeId) -> bool {
        let mut next = Some(entity);
        while let Some(id) = next {
            match self.tree.kind(id) {
                Kind::ExplicitClosure | Kind::ImplicitClosure => return true,
                Kind::Nominal(_) | Kind::Module => return false,
                _ if self.has_local_name(id) => return true,
                Kind::Extension => return false,
                _ => next = self.tree.child(id, 0),
            }
        }
        false
    }

    /// Whether the type of a generic function has a member of a parameter: no symbol shows which type that is for given
    /// arguments.
    fn has_members_of_parameters(&self, id: NodeId) -> bool {
        matches!(self.tree.kind(id), Kind::DependentMember | Kind::AssociatedTypeRef)
            || self.tree.children(id).iter().any(|child| self.has_members_of_parameters(*child))
    }

    fn has_local_name(&self, id: NodeId) -> bool {
        self.tree.child(id, 1).is_some_and(|name| self.tree.kind(name) == Kind::LocalDeclName)
    }

    /// The types that the parts of the lowered type of `entity` mention.
    fn parts(&self, entity: NodeId) -> Option<WrittenParts> {
        let tree = self.tree;
        let entity = self.declared(entity)?;
        match tree.kind(entity) {
            Kind::Function | Kind::Allocator | Kind::Constructor => self.function(entity, tree.child(entity, 0)?),
            Kind::ExplicitClosure | Kind::ImplicitClosure => {
                let mut parts = self.function_parts(*tree.children(entity).last()?)?;
                parts.has_captures = true;
                Some(parts)
            }
            Kind::Accessor(accessor) => self.accessor(accessor, self.declared(tree.child(entity, 0)?)?),
            Kind::Variable => {
                let results = self.in_node(self.declared_type(entity)?);
                Some(WrittenParts { results, ..WrittenParts::default() })
            }
            Kind::Implicit(Implicit::Initializer) => self.parts(tree.child(entity, 0)?),
            Kind::Implicit(Implicit::Deallocator | Implicit::Destructor) => {
                let parameters = self.self_parameter(tree.child(entity, 0)?);
                Some(WrittenParts { parameters, ..WrittenParts::default() })
            }
            _ => None,
        }
    }

    fn declared_type(&self, entity: NodeId) -> Option<NodeId> {
        self.tree.children(entity).iter().copied().rfind(|child| self.tree.kind(*child) == Kind::Type)
    }

    fn function(&self, entity: NodeId, context: NodeId) -> Option<WrittenParts> {
        let mut parts = self.function_parts(self.declared_type(entity)?)?;
        parts.has_captures = self.has_local_name(entity);
        parts.parameters.append(&mut self.self_parameter(context));
        Some(parts)
    }

    /// Those of a function type, which may be generic.
    fn function_parts(&self, ty: NodeId) -> Option<WrittenParts> {
        let tree = self.tree;
        let content = tree.content(ty);
        if tree.kind(content) == Kind::GenericType {
            let signature = self.in_node(tree.child(content, 0)?);
            return Some(WrittenParts { signature, ..self.function_parts(tree.child(content, 1)?)? });
        }
        if !matches!(tree.kind(content), Kind::FunctionType(_)) {
            return None;
        }
        let of = |kind| tree.child_of_kind(content, kind).map(|part| self.in_node(part));
        Some(WrittenParts {
            parameters: of(Kind::ArgumentTuple)?,
            results: of(Kind::ReturnType)?,
            ..Default::default()
        })
    }

    /// The types that `self` mentions in a function in `context`; nothing if that is no type.
    fn self_parameter(&self, context: NodeId) -> Vec<Declarer> {
        match self.tree.kind(context) {
            Kind::Nominal(_) => self.in_node(context),
            Kind::Extension => self.tree.child(context, 1).map_or_else(Vec::new, |extended| self.in_node(extended)),
            _ => Vec::new(),
        }
    }

    fn accessor(&self, accessor: Accessor, storage: NodeId) -> Option<WrittenParts> {
        let ty = self.declared_type(storage)?;
        let context = self.tree.child(storage, 0)?;
        let mut parts = match self.tree.kind(storage) {
            Kind::Subscript => self.function_parts(ty)?,
            _ => WrittenParts { results: self.in_node(ty), ..WrittenParts::default() },
        };
        let gives = matches!(
            accessor,
            Accessor::Getter | Accessor::Read | Accessor::Read2 | Accessor::Modify | Accessor::Modify2
        );
        match accessor {
            Accessor::Setter | Accessor::WillSet | Accessor::DidSet => {
                let indices = std::mem::replace(&mut parts.parameters, std::mem::take(&mut parts.results));
                parts.parameters.extend(indices);
            }
            _ if gives => {}
            _ => return None,
        }
        parts.parameters.append(&mut self.self_parameter(context));
        Some(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(symbol: &str, name: &str) -> WrittenNames {
        Symbol::demangle(symbol).map(|symbol| symbol.written_names(name)).unwrap_or_default()
    }

    fn module(name: &str) -> Declarer {
        Declarer::Module(name.to_owned())
    }

    #[test]
    fn parts_are_in_the_order_of_lowered_types() {
        let parts = names("$s4main3SetV1dACyxGShyxG_tcfC", "Set").parts.unwrap_or_default();
        assert_eq!(parts.parameters, [module("Swift"), module("main")]);
        assert_eq!(parts.results, [module("main")]);
        let parts = names("$s4main3SetV1dShyxGvs", "Set").parts.unwrap_or_default();
        assert_eq!(parts.parameters, [module("Swift"), module("main")]);
        let parts = names("$s4main3SetV1dShyxGvpfi", "Set").parts.unwrap_or_default();
        assert_eq!(parts.results, [module("Swift")]);
    }

    #[test]
    fn specialized_functions_have_the_types_of_their_symbol_unless_members_of_parameters_are_among_them() {
        let found = names("$ss6HasherV7combineyyxSHRzlFSi_Tg5", "Hasher");
        assert_eq!((found.mentioned, found.is_complete), (vec![module("Swift")], true));
        let first = names("$sSlsE5first7ElementQzSgvg4main6HasherVSg_Tg5", "Hasher");
        assert!(!first.is_complete);
    }

    #[test]
    fn one_declarer_is_that_of_all() {
        let found = names("$ss8DurationV10componentss5Int64V7seconds_AE11attosecondstvg", "Duration");
        assert_eq!((found.mentioned, found.is_complete), (vec![module("Swift")], true));
    }
}
