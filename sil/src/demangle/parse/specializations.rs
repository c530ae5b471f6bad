//! What a specialised function is specialised by.

use super::super::node::{Kind, NodeId, Specialization};
use super::Parser;

const SIGNATURE: Specialization =
    Specialization { description: "function signature specialization", parameter_prefix: "" };
const GENERIC: Specialization = Specialization { description: "generic specialization", parameter_prefix: "" };
const NOT_REABSTRACTED: Specialization =
    Specialization { description: "generic not re-abstracted specialization", parameter_prefix: "" };

/// What happened to a parameter. The first ones exclude each other, the others are flags.
pub(in super::super) mod parameter_kind {
    pub(in crate::demangle) const FUNCTION: i64 = 0;
    pub(in crate::demangle) const GLOBAL: i64 = 1;
    pub(in crate::demangle) const INTEGER: i64 = 2;
    pub(in crate::demangle) const FLOAT: i64 = 3;
    pub(in crate::demangle) const STRING: i64 = 4;
    pub(in crate::demangle) const CLOSURE: i64 = 5;
    pub(in crate::demangle) const BOX_TO_VALUE: i64 = 6;
    pub(in crate::demangle) const BOX_TO_STACK: i64 = 7;
    pub(in crate::demangle) const INOUT_TO_OUT: i64 = 8;
    pub(in crate::demangle) const KEY_PATH: i64 = 9;
    pub(in crate::demangle) const DEAD: i64 = 1 << 6;
    pub(in crate::demangle) const OWNED_TO_GUARANTEED: i64 = 1 << 7;
    pub(in crate::demangle) const EXPLODED: i64 = 1 << 8;
    pub(in crate::demangle) const GUARANTEED_TO_OWNED: i64 = 1 << 9;
    pub(in crate::demangle) const EXISTENTIAL_TO_GENERIC: i64 = 1 << 10;
}

use parameter_kind::*;

impl Parser<'_> {
    /// The beginning of a specialization: flags and the number of the pass.
    fn specialization(&mut self, kind: Specialization) -> Option<NodeId> {
        let mut children = Vec::new();
        // Swift 6.0 says so that parameters of metatypes were dropped; names do not show it, as they do not show dropped arguments.
        self.eat(b'm');
        if self.eat(b'q') {
            children.push(self.add(Kind::IsSerialized, &[]));
        }
        if self.eat(b'a') {
            children.push(self.add(Kind::AsyncRemoved, &[]));
        }
        let pass = self.next().checked_sub(b'0').filter(|pass| *pass < 10)?;
        children.push(self.tree.add_index(Kind::PassId, pass.into()));
        Some(self.add(Kind::Specialization(kind), &children))
    }

    pub(super) fn generic_specialization(&mut self, kind: Specialization, dropped: &[NodeId]) -> Option<NodeId> {
        let specialization = self.specialization(kind)?;
        for argument in dropped {
            self.append(specialization, *argument);
        }
        for ty in self.pop_list(Self::pop_type)? {
            let parameter = self.add(Kind::GenericSpecializationParam, &[ty]);
            self.append(specialization, parameter);
        }
        Some(specialization)
    }

    pub(super) fn specialization_with_dropped_arguments(&mut self) -> Option<NodeId> {
        self.back();
        let mut dropped = Vec::new();
        while self.eat(b't') {
            let index = self.natural().map_or(0, |number| i64::from(number) + 1);
            dropped.push(self.tree.add_index(Kind::DroppedArgument, index));
        }
        match self.next() {
            b'g' | b'B' => self.generic_specialization(GENERIC, &dropped),
            b'G' => self.generic_specialization(NOT_REABSTRACTED, &dropped),
            _ => None,
        }
    }

    pub(super) fn partial_specialization(&mut self, kind: Specialization) -> Option<NodeId> {
        let specialization = self.specialization(kind)?;
        let ty = self.pop_type()?;
        let parameter = self.add(Kind::GenericSpecializationParam, &[ty]);
        self.append(specialization, parameter);
        Some(specialization)
    }

    pub(super) fn function_specialization(&mut self) -> Option<NodeId> {
        let specialization = self.specialization(SIGNATURE)?;
        while !self.eat(b'_') {
            let parameter = self.specialized_value(Kind::SignatureParam)?;
            self.append(specialization, parameter);
        }
        if !self.eat(b'n') {
            let result = self.specialized_value(Kind::SignatureReturn)?;
            self.append(specialization, result);
        }
        // What constants and closures are stands before the specialization, the last one last.
        for parameter in self.tree.children(specialization).to_vec().into_iter().rev() {
            if self.tree.kind(parameter) == Kind::SignatureParam {
                self.payload(parameter)?;
            }
        }
        Some(specialization)
    }

    fn payload(&mut self, parameter: NodeId) -> Option<()> {
        let Some(kind) = self.tree.child(parameter, 0) else { return Some(()) };
        let kind = self.node(kind).index;
        if !matches!(kind, FUNCTION | GLOBAL | STRING | CLOSURE | KEY_PATH) {
            return Some(());
        }
        let mut types: Vec<_> = std::iter::from_fn(|| self.pop_type()).collect();
        if !types.is_empty() && !matches!(kind, CLOSURE | KEY_PATH) {
            return None;
        }
        types.reverse();
        let name = self.pop_kind(Kind::Identifier)?;
        let text = self.node(name).text.clone();
        let text = if kind == STRING { text.strip_prefix('_').unwrap_or(&text) } else { &text };
        let payload = self.tree.add_text(Kind::SignaturePayload, text);
        self.append(parameter, payload);
        for ty in types {
            self.append(parameter, ty);
        }
        Some(())
    }

    fn specialized_value(&mut self, kind: Kind) -> Option<NodeId> {
        let what = match self.next() {
            b'n' => return Some(self.add(kind, &[])),
            b'c' => CLOSURE,
            b'p' => return self.constant(kind),
            b'e' => EXISTENTIAL_TO_GENERIC | self.flags(b"DGOX"),
            b'd' => DEAD | self.flags(b"GOX"),
            b'g' => OWNED_TO_GUARANTEED | self.flags(b"X"),
            b'o' => GUARANTEED_TO_OWNED | self.flags(b"X"),
            b'x' => EXPLODED,
            b'i' => BOX_TO_VALUE,
            b's' => BOX_TO_STACK,
            b'r' => INOUT_TO_OUT,
            _ => return None,
        };
        let what = self.tree.add_index(Kind::SignatureChange, what);
        Some(self.add(kind, &[what]))
    }

    fn flags(&mut self, letters: &[u8]) -> i64 {
        let mut flags = 0;
        for letter in letters {
            if self.eat(*letter) {
                flags |= match letter {
                    b'D' => DEAD,
                    b'G' => OWNED_TO_GUARANTEED,
                    b'O' => GUARANTEED_TO_OWNED,
                    _ => EXPLODED,
                };
            }
        }
        flags
    }

    fn constant(&mut self, kind: Kind) -> Option<NodeId> {
        let (what, payload) = match self.next() {
            b'f' => (FUNCTION, None),
            b'g' => (GLOBAL, None),
            b'k' => (KEY_PATH, None),
            b'i' => (INTEGER, Some(self.digits()?)),
            b'd' => (FLOAT, Some(self.digits()?)),
            b's' => {
                let encoding = match self.next() {
                    b'b' => "u8",
                    b'w' => "u16",
                    b'c' => "objc",
                    _ => return None,
                };
                (STRING, Some(encoding.to_owned()))
            }
            _ => return None,
        };
        let mut children = vec![self.tree.add_index(Kind::SignatureChange, what)];
        if let Some(text) = payload {
            children.push(self.tree.add_text(Kind::SignaturePayload, &text));
        }
        Some(self.add(kind, &children))
    }

    fn digits(&mut self) -> Option<String> {
        let start = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        self.text.get(start..self.at).filter(|digits| !digits.is_empty()).map(str::to_owned)
    }
}
