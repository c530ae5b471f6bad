//! Generic parameters and requirements: `<T : P>` becomes `<T>` and `where T : P`.

use sil_ir::context::{NominalId, Type};
use sil_ir::declarations::{NominalKind, Visible};

use super::types::TypeTexts;
use crate::syntax::types::{ParameterKind, Piece, Requirement, Tree};

/// Generic parameters as they are printed.
#[derive(Default)]
pub(super) struct Generics {
    /// `<T, U>`, or nothing.
    pub(super) text: String,
    pub(super) names: Vec<String>,
    /// The requirements among the parameters.
    requirements: Vec<Stated>,
}

/// A requirement with the keys of its place among the others.
#[derive(Clone, PartialEq, Eq)]
struct Stated {
    subject: String,
    relation: Relation,
    object: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Conforms,
    Same,
}

impl TypeTexts<'_> {
    /// Reads `<T : P, each U, let n : Int where T : Q>`; the names are visible in later text after the caller has made
    /// a frame of them.
    pub(super) fn generics(&mut self, piece: &Piece<'_>) -> Option<Generics> {
        let mut tree = Tree::default();
        let levels = piece.parse_signature(&mut tree).ok()?;
        let [level] = &levels[..] else { return None };
        let names: Vec<String> = level.parameters.iter().map(|parameter| parameter.name.to_owned()).collect();
        self.frames.push(super::types::Frame { nominal: None, names: names.clone() });
        let read = self.parameters(&tree, piece.text, level);
        self.frames.pop();
        let (text, requirements) = read?;
        Some(Generics { text, names, requirements })
    }

    fn parameters(
        &self,
        tree: &Tree<'_>,
        text: &str,
        level: &crate::syntax::types::SignatureLevel<'_>,
    ) -> Option<(String, Vec<Stated>)> {
        let (mut texts, mut requirements) = (Vec::new(), Vec::new());
        for parameter in &level.parameters {
            let name = parameter.name;
            match (parameter.kind, parameter.constraint) {
                (ParameterKind::Value, Some(ty)) => {
                    texts.push(format!("let {name} : {}", self.type_node(tree, text, ty)?));
                    continue;
                }
                (ParameterKind::Value, None) => return None,
                (ParameterKind::Pack, _) => texts.push(format!("each {name}")),
                (ParameterKind::Type, _) => texts.push(name.to_owned()),
            }
            let Some(constraint) = parameter.constraint else { continue };
            let each = if parameter.kind == ParameterKind::Pack { "repeat each " } else { "" };
            for object in self.constraint_nodes(tree, text, constraint)? {
                requirements.push(Stated { subject: format!("{each}{name}"), relation: Relation::Conforms, object });
            }
        }
        requirements.extend(self.stated(tree, text, &level.requirements)?);
        Some((format!("<{}>", texts.join(", ")), requirements))
    }

    fn stated(&self, tree: &Tree<'_>, text: &str, written: &[Requirement]) -> Option<Vec<Stated>> {
        let mut stated = Vec::new();
        for requirement in written {
            match requirement {
                Requirement::Constraint(subject, constraint) => {
                    let subject = self.type_node(tree, text, *subject)?;
                    for object in self.constraint_nodes(tree, text, *constraint)? {
                        stated.push(Stated { subject: subject.clone(), relation: Relation::Conforms, object });
                    }
                }
                Requirement::SameType(first, second) => stated.push(Stated {
                    subject: self.type_node(tree, text, *first)?,
                    relation: Relation::Same,
                    object: self.type_node(tree, text, *second)?,
                }),
            }
        }
        Some(stated)
    }

    /// All requirements of a declaration: those among its parameters, and `piece` after `where`. Those after `where`
    /// alone keep their order.
    pub(super) fn requirements(&self, generics: &Generics, piece: Option<&Piece<'_>>) -> Option<Vec<String>> {
        let mut all = generics.requirements.clone();
        if let Some(piece) = piece {
            let mut tree = Tree::default();
            let written = piece.parse_requirements(&mut tree).ok()?;
            all.extend(self.stated(&tree, piece.text, &written)?);
        }
        if !generics.requirements.is_empty() {
            self.order(&mut all, &generics.names);
        }
        Some(all.iter().map(Stated::text).collect())
    }

    /// Puts requirements into the order of a minimal signature, without those that others imply.
    fn order(&self, all: &mut Vec<Stated>, names: &[String]) {
        let implied: Vec<bool> = (0..all.len()).map(|index| self.is_implied(all, index)).collect();
        let mut keep = implied.iter();
        all.retain(|_| !keep.next().copied().unwrap_or(false));
        all.sort_by_cached_key(|stated| {
            let subject = stated.subject.strip_prefix("repeat each ").unwrap_or(&stated.subject);
            let root = subject.split('.').next().unwrap_or_default();
            let position = names.iter().position(|name| name == root).unwrap_or(0);
            let depth = subject.matches('.').count();
            let inverse = stated.object.starts_with('~');
            let rank = self.rank(&stated.object);
            (inverse, depth, position, stated.relation == Relation::Same, rank)
        });
    }

    fn is_implied(&self, all: &[Stated], index: usize) -> bool {
        let this = &all[index];
        all.iter().enumerate().any(|(other, stated)| {
            let same_subject = stated.subject == this.subject && stated.relation == Relation::Conforms;
            let repeated = other < index && stated == this;
            repeated
                || (other != index
                    && same_subject
                    && this.relation == Relation::Conforms
                    && self.inherits(&stated.object, &this.object))
        })
    }

    /// The rank of a constraint among those of one type: classes, `AnyObject`, protocols by module and name.
    pub(super) fn rank(&self, constraint: &str) -> (u8, String, String) {
        if matches!(constraint, "AnyObject" | "Builtin.AnyObject") {
            return (1, String::new(), String::new());
        }
        match self.visible(constraint) {
            Some(nominal) if self.table.get(nominal).kind != NominalKind::Protocol => {
                (0, String::new(), constraint.to_owned())
            }
            Some(nominal) => {
                let module = self.context.text(self.table.get(nominal).module);
                (2, module.to_owned(), constraint.to_owned())
            }
            None => (2, String::new(), constraint.to_owned()),
        }
    }

    /// Whether the protocol `protocol` inherits from `from`.
    pub(super) fn inherits(&self, protocol: &str, from: &str) -> bool {
        let Some(protocol) = self.visible(protocol) else { return false };
        if matches!(from, "AnyObject" | "Builtin.AnyObject") {
            let declaration = self.table.get(protocol);
            return declaration.attributes.class_bound
                || matches!(declaration.kind, NominalKind::Class | NominalKind::Actor);
        }
        let Some(from) = self.visible(from) else { return false };
        self.reaches(protocol, from, 0)
    }

    fn reaches(&self, protocol: NominalId, from: NominalId, depth: u32) -> bool {
        const DEEPEST: u32 = 20;
        depth < DEEPEST
            && self.table.get(protocol).kind == NominalKind::Protocol
            && self.table.get(protocol).conformances.iter().any(|inherited| {
                match self.context.get(inherited.protocol) {
                    Type::Protocol { protocol, .. } => *protocol == from || self.reaches(*protocol, from, depth + 1),
                    _ => false,
                }
            })
    }

    /// The nominal type that a name outside of all types names.
    pub(super) fn visible(&self, name: &str) -> Option<NominalId> {
        match self.table.visible(self.context.find_name(name)?)? {
            Visible::Nominal(nominal) => Some(nominal),
            Visible::Alias(_) => None,
        }
    }
}

impl Stated {
    fn text(&self) -> String {
        let relation = match self.relation {
            Relation::Conforms => ":",
            Relation::Same => "==",
        };
        format!("{} {relation} {}", self.subject, self.object)
    }
}
