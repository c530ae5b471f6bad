//! The nominal types that a symbol mentions: what declares them and what they are.

use super::PREFIXES;
use super::node::{Kind, NodeId, Nominal, Tree};
use super::parse::{self, Labels};

/// A nominal type that a symbol mentions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MentionedType {
    /// The module that declares it; `__C` for what is imported from C.
    pub(crate) module: String,
    /// The names of the types that it is nested in, the outermost first, and its own.
    pub(crate) path: Vec<String>,
    /// What it is. A type alias has no kind of its own.
    pub(crate) kind: Option<MentionedKind>,
}

/// What a mentioned type is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MentionedKind {
    Class,
    Structure,
    Enum,
    Protocol,
}

/// The nominal types that `symbol` mentions, those that functions declare left out. None for what is no mangled symbol.
pub(crate) fn mentioned_types(symbol: &str) -> Vec<MentionedType> {
    let Some(prefix) = PREFIXES.iter().find(|prefix| symbol.starts_with(**prefix)) else { return Vec::new() };
    let Some((tree, _)) = parse::parse(&symbol[prefix.len()..], Labels::BesideTypes) else { return Vec::new() };
    let kinds = tree.ids().filter_map(|id| match tree.kind(id) {
        Kind::Nominal(nominal) => Some((id, kind(nominal))),
        _ => None,
    });
    let types = kinds.filter_map(|(id, kind)| {
        let mut path = Vec::new();
        let module = place(&tree, id, &mut path)?;
        Some(MentionedType { module, path, kind })
    });
    types.collect()
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

/// The module that a context stands in. Adds the names of the types on the way to `path`; none where a function is one of them.
fn place(tree: &Tree, context: NodeId, path: &mut Vec<String>) -> Option<String> {
    match tree.kind(context) {
        Kind::Module => Some(tree.get(context).text.to_string()),
        Kind::Type => place(tree, tree.child(context, 0)?, path),
        // What an extension adds belongs to the module that extends.
        Kind::Extension => {
            place(tree, tree.child(context, 1)?, path)?;
            place(tree, tree.child(context, 0)?, &mut Vec::new())
        }
        Kind::Nominal(_) => {
            let module = place(tree, tree.child(context, 0)?, path)?;
            let name = tree.child(context, 1)?;
            let name = match tree.kind(name) {
                Kind::PrivateDeclName => tree.child(name, 1)?,
                _ => name,
            };
            if tree.kind(name) != Kind::Identifier {
                return None;
            }
            path.push(tree.get(name).text.to_string());
            Some(module)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mentioned(symbol: &str) -> Vec<String> {
        let types = mentioned_types(symbol).into_iter();
        types.map(|ty| format!("{:?} {}.{}", ty.kind, ty.module, ty.path.join("."))).collect()
    }

    #[test]
    fn types_are_told_with_what_declares_them() {
        let found = mentioned("$s6Client1f1a1by3Lib4TreeOySiG_AD5PointV4AxisOtF");
        for expected in [
            "Some(Enum) Lib.Tree",
            "Some(Structure) Lib.Point",
            "Some(Enum) Lib.Point.Axis",
            "Some(Structure) Swift.Int",
        ] {
            assert!(found.iter().any(|found| found == expected), "{expected}: {found:?}");
        }
        assert!(mentioned("$s4main1fyySo15pthread_mutex_taF").contains(&"None __C.pthread_mutex_t".to_owned()));
        assert!(mentioned("$s3Lib5PointV6ClientE3ExtV1zSivg").contains(&"Some(Structure) Client.Point.Ext".to_owned()));
        assert!(mentioned("memmove").is_empty());
    }

    #[test]
    fn what_a_function_declares_is_left_out() {
        assert!(!mentioned("$s4main1fyyF4MarkL_OMa").iter().any(|found| found.contains("Mark")));
    }
}
