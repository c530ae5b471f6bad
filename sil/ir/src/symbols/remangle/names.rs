//! Names: of declarations, modules, standard types.

use super::super::kind::Kind;
use super::super::spelling::Spelled;
use super::super::tree::NodeId;
use super::super::{operator_names, standard};
use super::buffer::SubstitutionKind;
use super::{Entry, Remangler};

impl Remangler {
    /// An identifier, or a reference to one with the same text.
    pub(super) fn identifier(&mut self, text: &str) -> Option<()> {
        if text.is_empty() {
            return None;
        }
        let entry = Entry::Identifier(text.into());
        if !self.refer_back(&entry) {
            self.buffer.identifier(text);
            self.remember(entry);
        }
        Some(())
    }

    /// The text of `id` as an identifier.
    pub(super) fn text_as_identifier(&mut self, id: NodeId) -> Option<()> {
        let text = self.tree.get(id).text.clone();
        self.identifier(&text)
    }

    pub(super) fn module(&mut self, id: NodeId) -> Option<()> {
        match &*self.tree.get(id).text {
            "Swift" => self.push("s"),
            "__C" => self.push("So"),
            "__C_Synthesized" => self.push("SC"),
            _ => self.text_as_identifier(id)?,
        }
        Some(())
    }

    pub(super) fn name(&mut self, id: NodeId, kind: Kind) -> Option<()> {
        match kind {
            Kind::Identifier => self.text_as_identifier(id)?,
            Kind::LocalDeclName => {
                self.child(id, 1)?;
                self.push("L");
                self.child(id, 0)?;
            }
            Kind::PrivateDeclName => {
                self.children_reversed(id)?;
                self.push(if self.tree.children(id).len() == 1 { "Ll" } else { "LL" });
            }
            Kind::RelatedEntityDeclName => {
                self.child(id, 0)?;
                let letter = self.tree.get(id).text.clone();
                self.push("L");
                self.push(&letter);
            }
            Kind::Operator(fixity) => {
                let letters = operator_names::encode(&self.tree.get(id).text);
                self.identifier(&letters)?;
                self.push("o");
                self.push(fixity.letters());
            }
            _ => return None,
        }
        Some(())
    }

    /// Writes `id` with letters of its own, if it is a type of the standard library that has them.
    pub(super) fn standard_type(&mut self, id: NodeId) -> bool {
        let Kind::Nominal(nominal) = self.kind(id) else { return false };
        let standard = self.tree.swift_name(id).and_then(standard::named).filter(|ty| ty.nominal == nominal);
        if let Some(standard) = standard {
            self.buffer.substitution(standard.letters, SubstitutionKind::Standard);
        }
        standard.is_some()
    }
}
