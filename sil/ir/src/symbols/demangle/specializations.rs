//! The changes of a specialised function.

use super::super::kind::{Kind, SignatureChange, ValueChanges};
use super::super::spelling::{PartialSpecialization, Specialization, StringEncoding};
use super::super::tree::NodeId;
use super::Demangler;

impl Demangler<'_> {
    /// The text after the `T` of a specialization.
    pub(super) fn specialization(&mut self) -> Option<NodeId> {
        if self.eat(b'f') {
            return self.signature_specialization();
        }
        if let Some(kind) = self.eat_spelled::<PartialSpecialization>() {
            let specialization = self.begin(Kind::PartialSpecialization(kind))?;
            let ty = self.pop_type()?;
            return Some(self.append_parameters(specialization, &[ty]));
        }
        let mut dropped = Vec::new();
        while self.eat(b't') {
            let index = self.natural().map_or(0, |number| i64::from(number) + 1);
            dropped.push(self.tree.add_index(Kind::DroppedArgument, index));
        }
        let kind = self.eat_spelled::<Specialization>()?;
        let specialization = self.begin(Kind::Specialization(kind))?;
        for argument in dropped {
            self.append(specialization, argument);
        }
        let types = self.pop_list(Self::pop_type)?;
        Some(self.append_parameters(specialization, &types))
    }

    fn append_parameters(&mut self, specialization: NodeId, types: &[NodeId]) -> NodeId {
        for ty in types {
            let parameter = self.add(Kind::GenericSpecializationParam, &[*ty]);
            self.append(specialization, parameter);
        }
        specialization
    }

    /// The beginning of a specialization: flags and the number of the pass.
    fn begin(&mut self, kind: Kind) -> Option<NodeId> {
        let mut children = Vec::new();
        let flags = [(b'm', Kind::MetatypeParametersRemoved), (b'q', Kind::IsSerialized), (b'a', Kind::AsyncRemoved)];
        for (letter, flag) in flags {
            if self.eat(letter) {
                children.push(self.add(flag, &[]));
            }
        }
        let pass = self.next().checked_sub(b'0').filter(|pass| *pass < 10)?;
        children.push(self.tree.add_index(Kind::PassId, pass.into()));
        Some(self.add(kind, &children))
    }

    fn signature_specialization(&mut self) -> Option<NodeId> {
        let specialization = self.begin(Kind::SignatureSpecialization)?;
        while !self.eat(b'_') {
            let parameter = self.specialized_value(Kind::SignatureParam)?;
            self.append(specialization, parameter);
        }
        if !self.eat(b'n') {
            let result = self.specialized_value(Kind::SignatureReturn)?;
            self.append(specialization, result);
        }
        // The names of constants and closures come before the specialization, the last one last.
        for parameter in self.tree.children(specialization).to_vec().into_iter().rev() {
            if self.tree.kind(parameter) == Kind::SignatureParam {
                self.payload(parameter)?;
            }
        }
        Some(specialization)
    }

    fn payload(&mut self, parameter: NodeId) -> Option<()> {
        use SignatureChange::*;
        let change = self.tree.child(parameter, 0).map(|change| self.tree.kind(change));
        let Some(Kind::SignatureChange(change)) = change else { return Some(()) };
        let types = match change {
            ConstantFunction | ConstantGlobal | ConstantString | ConstantKeyPath | Closure => self.pop_types(),
            _ => return Some(()),
        };
        if !types.is_empty() && !matches!(change, Closure | ConstantKeyPath) {
            return None;
        }
        let name = self.pop_kind(Kind::Identifier)?;
        let text = self.node(name).text.clone();
        // In front of a text that begins with a digit or `_` stands a `_`.
        let text = if change == ConstantString { text.strip_prefix('_').unwrap_or(&text) } else { &text };
        let payload = self.tree.add_text(Kind::SignaturePayload, text);
        self.append(parameter, payload);
        for ty in types {
            self.append(parameter, ty);
        }
        Some(())
    }

    fn specialized_value(&mut self, kind: Kind) -> Option<NodeId> {
        use SignatureChange::*;
        let change = match self.next() {
            b'n' => return Some(self.add(kind, &[])),
            b'c' => Closure,
            b'p' => return self.constant(kind),
            b'e' => Value(ValueChanges { existential_to_generic: true, ..self.value_changes(b"DGOX") }),
            b'd' => Value(ValueChanges { dead: true, ..self.value_changes(b"GOX") }),
            b'g' => Value(ValueChanges { owned_to_guaranteed: true, ..self.value_changes(b"X") }),
            b'o' => Value(ValueChanges { guaranteed_to_owned: true, ..self.value_changes(b"X") }),
            b'x' => Value(ValueChanges { exploded: true, ..ValueChanges::default() }),
            b'i' => BoxToValue,
            b's' => BoxToStack,
            b'r' => InOutToOut,
            _ => return None,
        };
        let change = self.add(Kind::SignatureChange(change), &[]);
        Some(self.add(kind, &[change]))
    }

    /// Further changes of a value; `letters` has the possible ones.
    fn value_changes(&mut self, letters: &[u8]) -> ValueChanges {
        let mut eat = |letter| letters.contains(&letter) && self.eat(letter);
        ValueChanges {
            existential_to_generic: false,
            dead: eat(b'D'),
            owned_to_guaranteed: eat(b'G'),
            guaranteed_to_owned: eat(b'O'),
            exploded: eat(b'X'),
        }
    }

    fn constant(&mut self, kind: Kind) -> Option<NodeId> {
        use SignatureChange::*;
        let (change, payload) = match self.next() {
            b'f' => (ConstantFunction, None),
            b'g' => (ConstantGlobal, None),
            b'k' => (ConstantKeyPath, None),
            b'i' => (ConstantInteger, Some(self.digits()?)),
            b'd' => (ConstantFloat, Some(self.digits()?)),
            b's' => {
                let encoding = self.eat_spelled::<StringEncoding>()?;
                (ConstantString, Some(self.add(Kind::StringEncoding(encoding), &[])))
            }
            _ => return None,
        };
        let change = self.add(Kind::SignatureChange(change), &[]);
        let children: Vec<_> = [change].into_iter().chain(payload).collect();
        Some(self.add(kind, &children))
    }

    fn digits(&mut self) -> Option<NodeId> {
        let digits = self.take_while(|byte| byte.is_ascii_digit()).filter(|digits| !digits.is_empty())?;
        Some(self.tree.add_text(Kind::SignaturePayload, digits))
    }
}
