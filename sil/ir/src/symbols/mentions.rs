//! The nominal types that a symbol mentions: their contexts and kinds; the contexts of storage.

use super::{Accessor, Flavor, Implicit, Kind, NodeId, Nominal, Operation, Style, Symbol, Tree};

/// A nominal type that a symbol mentions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MentionedType {
    /// Where it is declared.
    pub place: Place,
    /// The names of the types that it is nested in, the outermost first, and its own; those around a function left out.
    pub path: Vec<String>,
    /// Its kind. A type alias has no kind of its own.
    pub kind: Option<MentionedKind>,
    /// The file that alone sees it, as symbols have it.
    pub private_to: Option<String>,
    /// The symbol of the descriptor of the outermost type of the path, where a function declares that.
    pub outermost: Option<String>,
}

/// Where the outermost type of a path is declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// In this module; `__C` for imports from C.
    Module(String),
    /// In a function.
    Function,
}

/// The kind of a mentioned type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MentionedKind {
    Class,
    Structure,
    Enum,
    Protocol,
}

/// A function, a property or a subscript as its symbol names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredEntity {
    /// The names of the types that it is declared in, the outermost first.
    pub path: Vec<String>,
    /// Its name; `subscript` for a subscript.
    pub name: String,
    /// Its labels, `_` for parameters without one; none where no parameter has one.
    pub labels: Option<Vec<String>>,
}

/// A getter or an initial value of a property as its symbol names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StorageFunction {
    /// The names of the types that the property is declared in, the outermost first.
    pub path: Vec<String>,
    /// The name of the property.
    pub name: String,
    /// Whether it is the initial value, which only stored properties have.
    pub is_initial_value: bool,
    /// The type of the property, as Swift has it.
    pub ty: Option<String>,
}

/// The name of something that only one file sees.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PrivateName {
    /// The name.
    pub name: String,
    /// The file, as symbols have it.
    pub file: String,
}

/// The nominal types that `symbol` mentions. None for a name that is no mangled symbol.
pub fn mentioned_types(symbol: &str) -> Vec<MentionedType> {
    let Some(Symbol { tree, .. }) = Symbol::demangle(symbol) else { return Vec::new() };
    let kinds = tree.ids().filter_map(|id| match tree.kind(id) {
        Kind::Nominal(nominal) => Some((id, kind(nominal))),
        _ => None,
    });
    let types = kinds.filter_map(|(id, kind)| {
        let mut path = Vec::new();
        let place = place(&tree, id, &mut path)?;
        let private = tree.child(id, 1).filter(|name| tree.kind(*name) == Kind::PrivateDeclName);
        let file = private.and_then(|name| tree.child(name, 0));
        let private_to = file.map(|file| tree.get(file).text.to_string());
        let outermost = outermost_local(&tree, id).and_then(|outermost| descriptor(&tree, outermost));
        Some(MentionedType { place, path, kind, private_to, outermost })
    });
    types.collect()
}

/// The type that `context` is, or is nested in, and that a function declares.
fn outermost_local(tree: &Tree, context: NodeId) -> Option<NodeId> {
    match tree.kind(context) {
        Kind::Type => outermost_local(tree, tree.child(context, 0)?),
        Kind::Extension => outermost_local(tree, tree.child(context, 1)?),
        Kind::Nominal(_) if tree.kind(tree.child(context, 1)?) == Kind::LocalDeclName => Some(context),
        Kind::Nominal(_) => outermost_local(tree, tree.child(context, 0)?),
        _ => None,
    }
}

/// The symbol of the descriptor of a type.
fn descriptor(tree: &Tree, nominal: NodeId) -> Option<String> {
    let mut tree = tree.clone();
    let ty = tree.add(Kind::Type, &[nominal]);
    let entity = tree.add(Kind::Operation(Operation::NominalTypeDescriptor), &[ty]);
    Symbol::new(Flavor::Default, tree, entity).remangle()
}

/// A type that a function declares, as symbols mention it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MentionedLocalType {
    /// Its name.
    pub name: String,
    /// The symbol of its descriptor.
    pub descriptor: String,
}

/// The types declared in functions that `symbol` mentions, those nested in types left out.
pub fn local_types(symbol: &str) -> Vec<MentionedLocalType> {
    let Some(Symbol { tree, .. }) = Symbol::demangle(symbol) else { return Vec::new() };
    let nominals = tree.ids().filter(|id| matches!(tree.kind(*id), Kind::Nominal(_)));
    let named = nominals.filter_map(|id| {
        let name = tree.child(id, 1).filter(|name| tree.kind(*name) == Kind::LocalDeclName)?;
        let name = tree.get(tree.child(name, 1)?).text.to_string();
        Some(MentionedLocalType { name, descriptor: descriptor(&tree, id)? })
    });
    named.collect()
}

/// The symbol of the function that declares the local type with this descriptor.
pub fn function_around_local(descriptor: &str) -> Option<String> {
    let Symbol { tree, root, .. } = Symbol::demangle(descriptor)?;
    let function = tree.child(described_type(&tree, root)?, 0)?;
    Symbol::new(Flavor::Default, tree, function).remangle()
}

/// Adds the type with this descriptor to `tree`.
pub(crate) fn add_described_type(descriptor: &str, tree: &mut Tree) -> Option<NodeId> {
    let symbol = Symbol::demangle(descriptor)?;
    let nominal = described_type(&symbol.tree, symbol.root)?;
    Some(tree.add_copy(&symbol.tree, nominal))
}

/// The type whose descriptor `root` is.
pub(super) fn described_type(tree: &Tree, root: NodeId) -> Option<NodeId> {
    let descriptor = tree.child(root, 0)?;
    let is_descriptor = tree.kind(descriptor) == Kind::Operation(Operation::NominalTypeDescriptor);
    tree.child(descriptor, 0).filter(|_| is_descriptor).map(|ty| tree.content(ty))
}

impl Symbol {
    /// The labels of the parameters of an allocating initialiser that has one for each. None for other symbols.
    pub fn initializer_labels(&self) -> Option<Vec<&str>> {
        let tree = &self.tree;
        let allocator = tree.child(self.root, 0).filter(|entity| tree.kind(*entity) == Kind::Allocator)?;
        let labels = tree.children(tree.child_of_kind(allocator, Kind::LabelList)?).iter();
        let label = |label: &NodeId| (tree.kind(*label) == Kind::Identifier).then(|| tree.get(*label).text.as_ref());
        labels.map(label).collect()
    }

    /// The types that a getter's property or subscript is declared in, the outermost first, and its name.
    pub fn gotten_storage(&self) -> Option<(Vec<String>, String)> {
        let tree = &self.tree;
        let [getter] = tree.children(self.root) else { return None };
        if tree.kind(*getter) != Kind::Accessor(Accessor::Getter) {
            return None;
        }
        let storage = tree.child(*getter, 0)?;
        let mut path = Vec::new();
        place(tree, tree.child(storage, 0)?, &mut path)?;
        Some((path, name_in(tree, storage)?))
    }

    /// The types that a variable is declared in, the outermost first, and its name.
    pub fn variable(&self) -> Option<(Vec<String>, String)> {
        let tree = &self.tree;
        let [entity] = tree.children(self.root) else { return None };
        let is_static = tree.kind(*entity) == Kind::Static;
        let variable = if is_static { tree.child(*entity, 0)? } else { *entity };
        if tree.kind(variable) != Kind::Variable {
            return None;
        }
        let mut path = Vec::new();
        place(tree, tree.child(variable, 0)?, &mut path)?;
        let name = tree.child(variable, 1)?;
        let name = if tree.kind(name) == Kind::PrivateDeclName { tree.child(name, 1)? } else { name };
        (tree.kind(name) == Kind::Identifier).then(|| (path, tree.get(name).text.to_string()))
    }

    /// The names in the symbol that are private to files.
    pub fn private_names(&self) -> Vec<PrivateName> {
        self.tree.ids().filter_map(|id| private_name(&self.tree, id)).collect()
    }

    /// Those of declarations outside of types.
    pub fn private_top_level_names(&self) -> Vec<PrivateName> {
        let tree = &self.tree;
        let is_top_level = |id: &NodeId| tree.child(*id, 0).is_some_and(|context| tree.kind(context) == Kind::Module);
        tree.ids().filter(is_top_level).filter_map(|id| private_name(tree, tree.child(id, 1)?)).collect()
    }

    /// The members of private types, as far as the symbol mentions them.
    pub fn members_of_private(&self) -> Vec<(PrivateName, String)> {
        let tree = &self.tree;
        let member = |id| {
            let context = tree.child(id, 0).filter(|context| matches!(tree.kind(*context), Kind::Nominal(_)))?;
            let private = private_name(tree, tree.child(context, 1)?)?;
            let name = tree.child(id, 1).filter(|name| tree.kind(*name) == Kind::Identifier)?;
            Some((private, tree.get(name).text.to_string()))
        };
        tree.ids().filter_map(member).collect()
    }

    /// The name of the symbol's subject, or of its outermost context.
    pub fn outermost_name(&self) -> Option<String> {
        let tree = &self.tree;
        let mut at = *tree.children(self.root).last()?;
        loop {
            let outer = match tree.kind(at) {
                Kind::Extension => tree.child(at, 1)?,
                _ => tree.child(at, 0)?,
            };
            if tree.kind(outer) == Kind::Module {
                let name = tree.child(at, 1)?;
                let name = if tree.kind(name) == Kind::PrivateDeclName { tree.child(name, 1)? } else { name };
                return (tree.kind(name) == Kind::Identifier).then(|| tree.get(name).text.to_string());
            }
            at = outer;
        }
    }

    /// The property of instances whose getter or initial value is the symbol's subject. None for other symbols.
    pub fn storage_function(&self) -> Option<StorageFunction> {
        let tree = &self.tree;
        let [function] = tree.children(self.root) else { return None };
        let is_initial_value = match tree.kind(*function) {
            Kind::Accessor(Accessor::Getter) => false,
            Kind::Implicit(Implicit::Initializer) => true,
            _ => return None,
        };
        let variable = tree.child(*function, 0).filter(|storage| tree.kind(*storage) == Kind::Variable)?;
        let mut path = Vec::new();
        place(tree, tree.child(variable, 0)?, &mut path)?;
        let ty = tree.children(variable).last().filter(|ty| tree.kind(**ty) == Kind::Type);
        let ty = ty.and_then(|ty| Symbol::new(Flavor::Default, with_positions(tree), *ty).print(Style::Full));
        Some(StorageFunction { path, name: name_in(tree, variable)?, is_initial_value, ty })
    }

    /// The names of the types, the outermost first, that declare the function, the accessor or the `deinit` of a
    /// symbol.
    pub fn declaring_types(&self) -> Option<Vec<String>> {
        let tree = &self.tree;
        let [entity] = tree.children(self.root) else { return None };
        let mut entity = *entity;
        while matches!(tree.kind(entity), Kind::Static | Kind::Accessor(_) | Kind::Implicit(Implicit::Initializer)) {
            entity = tree.child(entity, 0)?;
        }
        let mut path = Vec::new();
        let is_of_type = |id| matches!(tree.kind(id), Kind::Nominal(_));
        place(tree, tree.child(entity, 0).filter(|context| is_of_type(*context))?, &mut path)?;
        Some(path)
    }

    /// The declaration in the symbol of a function, a property or a subscript. None for other symbols.
    pub fn declared_entity(&self) -> Option<DeclaredEntity> {
        let tree = &self.tree;
        let mut entity = tree.child(self.root, 0)?;
        if tree.kind(entity) == Kind::Static {
            entity = tree.child(entity, 0)?;
        }
        if !matches!(tree.kind(entity), Kind::Function | Kind::Variable | Kind::Subscript) {
            return None;
        }
        let mut path = Vec::new();
        place(tree, tree.child(entity, 0)?, &mut path)?;
        let label = |label: &NodeId| match tree.kind(*label) {
            Kind::Identifier => tree.get(*label).text.to_string(),
            _ => "_".to_owned(),
        };
        let labels = tree.child_of_kind(entity, Kind::LabelList);
        let labels = labels.map(|labels| tree.children(labels)).filter(|labels| !labels.is_empty());
        let labels = labels.map(|labels| labels.iter().map(label).collect());
        Some(DeclaredEntity { path, name: name_in(tree, entity)?, labels })
    }
}

/// The same with the positions of generic parameters for their names, as SIL has them: symbols name them as they like.
fn with_positions(tree: &Tree) -> Tree {
    let mut tree = tree.clone();
    for id in tree.ids().collect::<Vec<_>>() {
        if let Kind::GenericParam { depth, index } = tree.kind(id) {
            let node = tree.get_mut(id);
            node.kind = Kind::Identifier;
            node.text = format!("τ_{depth}_{index}").into();
        }
    }
    tree
}

fn private_name(tree: &Tree, id: NodeId) -> Option<PrivateName> {
    let (file, name) = (tree.child(id, 0)?, tree.child(id, 1)?);
    let is_private = tree.kind(id) == Kind::PrivateDeclName && tree.kind(name) == Kind::Identifier;
    let text = |id| tree.get(id).text.to_string();
    is_private.then(|| PrivateName { name: text(name), file: text(file) })
}

/// The name of a function, a property or a subscript that is not private.
fn name_in(tree: &Tree, entity: NodeId) -> Option<String> {
    if tree.kind(entity) == Kind::Subscript {
        return Some("subscript".to_owned());
    }
    let name = tree.child(entity, 1)?;
    matches!(tree.kind(name), Kind::Identifier).then(|| tree.get(name).text.to_string())
}

fn kind(nominal: Nominal) -> Option<MentionedKind> {
    match nominal {
        Nominal::Class => Some(MentionedKind::Class),
        Nominal::Structure => Some(MentionedKind::Structure),
        Nominal::Enum => Some(MentionedKind::Enum),
        Nominal::Protocol => Some(MentionedKind::Protocol),
        Nominal::TypeAlias | Nominal::Other => None,
    }
}

/// The context of a context. Adds the names of the types on the way to `path`.
pub(super) fn place(tree: &Tree, context: NodeId, path: &mut Vec<String>) -> Option<Place> {
    match tree.kind(context) {
        Kind::Module => Some(Place::Module(tree.get(context).text.to_string())),
        Kind::Type => place(tree, tree.child(context, 0)?, path),
        // A member of an extension belongs to the module of the extension.
        Kind::Extension => match place(tree, tree.child(context, 1)?, path)? {
            Place::Module(_) => place(tree, tree.child(context, 0)?, &mut Vec::new()),
            Place::Function => Some(Place::Function),
        },
        Kind::Nominal(_) => {
            let name = tree.child(context, 1)?;
            let (identifier, local) = match tree.kind(name) {
                Kind::PrivateDeclName => (tree.child(name, 1)?, false),
                Kind::LocalDeclName => (tree.child(name, 1)?, true),
                _ => (name, false),
            };
            let place = if local { Place::Function } else { place(tree, tree.child(context, 0)?, path)? };
            if tree.kind(identifier) != Kind::Identifier {
                return None;
            }
            path.push(tree.get(identifier).text.to_string());
            Some(place)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mentioned(symbol: &str) -> Vec<String> {
        let types = mentioned_types(symbol).into_iter();
        types.map(|ty| format!("{:?} {:?} {}", ty.kind, ty.place, ty.path.join("."))).collect()
    }

    #[track_caller]
    fn assert_mentions(symbol: &str, expected: &str) {
        let found = mentioned(symbol);
        assert!(found.iter().any(|found| found == expected), "{expected}: {found:?}");
    }

    #[test]
    fn types_are_told_with_what_declares_them() {
        let symbol = "$s6Client1f1a1by3Lib4TreeOySiG_AE5PointV4AxisOtF";
        assert_mentions(symbol, "Some(Enum) Module(\"Lib\") Tree");
        assert_mentions(symbol, "Some(Structure) Module(\"Lib\") Point");
        assert_mentions(symbol, "Some(Enum) Module(\"Lib\") Point.Axis");
        assert_mentions(symbol, "Some(Structure) Module(\"Swift\") Int");
        assert_mentions("$s4main1fyySo15pthread_mutex_taF", "None Module(\"__C\") pthread_mutex_t");
        assert_mentions("$s3Lib5PointV6ClientE3ExtV1zSivg", "Some(Structure) Module(\"Client\") Point.Ext");
        assert_eq!(mentioned("memmove"), Vec::<String>::new());
    }

    #[test]
    fn private_types_are_told_with_their_files() {
        let files = |symbol| mentioned_types(symbol).into_iter().map(|ty| ty.private_to).collect::<Vec<_>>();
        let expected = Some("_12232F587A4C5CD8B1EEDF696793A4FC".to_owned());
        assert!(files("$s4main5CacheC4Node029_12232F587A4C5CD8B1EEDF696793E2FCLLCfD").contains(&expected));
        assert_eq!(files("$s4main5CacheCfD"), [None]);
    }

    #[test]
    fn types_of_functions_are_told_apart() {
        assert_mentions("$s4main1fyyF4MarkL_OMa", "Some(Enum) Function Mark");
        assert_mentions("$s4main1fyyF5OuterL_V5InnerCMa", "Some(Class) Function Outer.Inner");
        let outermost = |symbol| mentioned_types(symbol).into_iter().map(|ty| ty.outermost).collect::<Vec<_>>();
        let outer = Some("$s4main1fyyF5OuterL_VMn".to_owned());
        assert_eq!(outermost("$s4main1fyyF5OuterL_V5InnerCMa"), [outer.clone(), outer]);
        assert_eq!(outermost("$s4main5CacheCfD"), [None]);
    }
}
