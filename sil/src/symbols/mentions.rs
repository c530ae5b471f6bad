//! The nominal types that a symbol mentions: what declares them and what they are; where storage is declared.

use super::{Accessor, Kind, NodeId, Nominal, Symbol, Tree};

/// A nominal type that a symbol mentions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MentionedType {
    /// Where it is declared.
    pub(crate) place: Place,
    /// The names of the types that it is nested in, the outermost first, and its own; those around a function left out.
    pub(crate) path: Vec<String>,
    /// What it is. A type alias has no kind of its own.
    pub(crate) kind: Option<MentionedKind>,
}

/// Where the outermost type of a path is declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// In this module; `__C` for what is imported from C.
    Module(String),
    /// In a function.
    Function,
}

/// What a mentioned type is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MentionedKind {
    Class,
    Structure,
    Enum,
    Protocol,
}

/// The nominal types that `symbol` mentions. None for what is no mangled symbol.
pub(crate) fn mentioned_types(symbol: &str) -> Vec<MentionedType> {
    let Some(Symbol { tree, .. }) = Symbol::demangle(symbol) else { return Vec::new() };
    let kinds = tree.ids().filter_map(|id| match tree.kind(id) {
        Kind::Nominal(nominal) => Some((id, kind(nominal))),
        _ => None,
    });
    let types = kinds.filter_map(|(id, kind)| {
        let mut path = Vec::new();
        let place = place(&tree, id, &mut path)?;
        Some(MentionedType { place, path, kind })
    });
    types.collect()
}

impl Symbol {
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
        let name = match tree.kind(storage) {
            Kind::Subscript => "subscript".to_owned(),
            _ => tree.get(tree.child(storage, 1)?).text.to_string(),
        };
        Some((path, name))
    }
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

/// What a context stands in. Adds the names of the types on the way to `path`.
fn place(tree: &Tree, context: NodeId, path: &mut Vec<String>) -> Option<Place> {
    match tree.kind(context) {
        Kind::Module => Some(Place::Module(tree.get(context).text.to_string())),
        Kind::Type => place(tree, tree.child(context, 0)?, path),
        // What an extension adds belongs to the module that extends.
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
    fn types_of_functions_are_told_apart() {
        assert_mentions("$s4main1fyyF4MarkL_OMa", "Some(Enum) Function Mark");
        assert_mentions("$s4main1fyyF5OuterL_V5InnerCMa", "Some(Class) Function Outer.Inner");
    }
}
