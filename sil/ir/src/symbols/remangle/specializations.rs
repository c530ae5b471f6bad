//! The attributes and specializations of a function.

use super::super::kind::{Kind, SignatureChange, ValueChanges};
use super::super::spelling::{Attribute, Spelled};
use super::super::tree::NodeId;
use super::Remangler;

impl Remangler {
    pub(super) fn attribute(&mut self, id: NodeId, kind: Kind) -> Option<()> {
        match kind {
            Kind::Attribute(attribute) => {
                self.push(attribute.letters());
                if attribute.is_numbered() {
                    let index = self.index_of(id)?;
                    self.buffer.index(index);
                }
                let letters = self.tree.get(id).text.clone();
                self.push(&letters);
                self.push(match attribute {
                    Attribute::OutlinedReadOnlyObject => "r",
                    Attribute::OutlinedBridgedMethod => "_",
                    _ => "",
                });
            }
            Kind::PartialApply(forwarder) => {
                self.children_reversed(id)?;
                self.push(forwarder.letters());
            }
            Kind::Specialization(specialization) => {
                let parameters = self.parameters(id);
                self.list(&parameters)?;
                self.push("T");
                for child in self.children(id) {
                    self.dropped_argument(child)?;
                }
                self.push(specialization.letters());
                self.specialization_flags(id)?;
            }
            Kind::PartialSpecialization(specialization) => {
                let parameters = self.parameters(id);
                self.all(&parameters)?;
                self.push("T");
                self.push(specialization.letters());
                self.specialization_flags(id)?;
            }
            Kind::SignatureSpecialization => self.signature_specialization(id)?,
            _ => return None,
        }
        Some(())
    }

    /// The types of the parameters of a specialization.
    fn parameters(&self, id: NodeId) -> Vec<NodeId> {
        let children = self.tree.children(id).iter();
        let parameters = children.filter(|child| self.kind(**child) == Kind::GenericSpecializationParam);
        parameters.filter_map(|parameter| self.tree.child(*parameter, 0)).collect()
    }

    fn dropped_argument(&mut self, id: NodeId) -> Option<()> {
        if self.kind(id) == Kind::DroppedArgument {
            self.push("t");
            if let Some(number) = self.index_of(id)?.checked_sub(1) {
                self.push(&number.to_string());
            }
        }
        Some(())
    }

    fn specialization_flags(&mut self, id: NodeId) -> Option<()> {
        for child in self.children(id) {
            match self.kind(child) {
                Kind::MetatypeParametersRemoved => self.push("m"),
                Kind::IsSerialized => self.push("q"),
                Kind::AsyncRemoved => self.push("a"),
                Kind::PassId => {
                    let pass = self.index_of(child)?;
                    self.push(&pass.to_string());
                }
                _ => {}
            }
        }
        Some(())
    }

    fn signature_specialization(&mut self, id: NodeId) -> Option<()> {
        for child in self.children(id) {
            if self.kind(child) == Kind::SignatureParam {
                self.payload(child)?;
            }
        }
        self.push("Tf");
        self.specialization_flags(id)?;
        let mut result = None;
        for child in self.children(id) {
            match self.kind(child) {
                Kind::SignatureParam => self.specialized_value(child)?,
                Kind::SignatureReturn => result = Some(child),
                _ => {}
            }
        }
        self.push("_");
        match result {
            Some(result) => self.specialized_value(result)?,
            None => self.push("n"),
        }
        Some(())
    }

    fn change_of(&self, id: NodeId) -> Option<SignatureChange> {
        match self.kind(self.tree.child(id, 0)?) {
            Kind::SignatureChange(change) => Some(change),
            _ => None,
        }
    }

    /// Writes a constant or a closure, which comes before the specialization.
    fn payload(&mut self, id: NodeId) -> Option<()> {
        use SignatureChange::*;
        let children = self.children(id);
        match (self.change_of(id), &children[..]) {
            (Some(ConstantFunction | ConstantGlobal), [_, payload]) => self.text_as_identifier(*payload),
            (Some(ConstantString), [_, _, payload]) => self.constant_as_identifier(*payload),
            (Some(ConstantKeyPath), [_, payload, types @ ..]) => {
                self.constant_as_identifier(*payload)?;
                self.all(types)
            }
            (Some(Closure), [_, payload, types @ ..]) => {
                self.text_as_identifier(*payload)?;
                self.all(types)
            }
            (Some(ConstantFunction | ConstantGlobal | ConstantString | ConstantKeyPath | Closure), _) => None,
            _ => Some(()),
        }
    }

    /// Writes a text that may begin as identifiers do not.
    fn constant_as_identifier(&mut self, id: NodeId) -> Option<()> {
        let text = &self.tree.get(id).text;
        let escapes = text.starts_with(|first: char| first.is_ascii_digit() || first == '_');
        let text = if escapes { format!("_{text}") } else { text.to_string() };
        self.identifier(&text)
    }

    fn specialized_value(&mut self, id: NodeId) -> Option<()> {
        use SignatureChange::*;
        let Some(change) = self.change_of(id) else {
            self.push("n");
            return Some(());
        };
        self.push(match change {
            ConstantFunction => "pf",
            ConstantGlobal => "pg",
            ConstantInteger => "pi",
            ConstantFloat => "pd",
            ConstantString => "ps",
            ConstantKeyPath => "pk",
            Closure => "c",
            BoxToValue => "i",
            BoxToStack => "s",
            InOutToOut => "r",
            Value(changes) => return self.value_changes(changes),
        });
        if matches!(change, ConstantInteger | ConstantFloat | ConstantString) {
            let payload = self.tree.child(id, 1)?;
            match self.kind(payload) {
                Kind::StringEncoding(encoding) => self.push(encoding.letters()),
                _ => {
                    let digits = self.tree.get(payload).text.clone();
                    self.push(&digits);
                }
            }
        }
        Some(())
    }

    /// The first change has a small letter, further changes a capital one.
    fn value_changes(&mut self, changes: ValueChanges) -> Option<()> {
        let letters = [
            (changes.existential_to_generic, "e", "E"),
            (changes.dead, "d", "D"),
            (changes.owned_to_guaranteed, "g", "G"),
            (changes.guaranteed_to_owned, "o", "O"),
            (changes.exploded, "x", "X"),
        ];
        let mut done = letters.iter().filter(|(done, ..)| *done);
        let (_, first, _) = done.next()?;
        self.push(first);
        for (_, _, other) in done {
            self.push(other);
        }
        Some(())
    }
}
