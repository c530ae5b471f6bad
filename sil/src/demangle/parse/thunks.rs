//! Thunks, descriptors of requirements, and what is said of a function.

use super::super::node::{Kind, NodeId, Specialization};
use super::Parser;

const GENERIC: Specialization = Specialization { description: "generic specialization", parameter_prefix: "" };
const NOT_REABSTRACTED: Specialization =
    Specialization { description: "generic not re-abstracted specialization", parameter_prefix: "" };
const PRESPECIALIZED: Specialization =
    Specialization { description: "generic pre-specialization", parameter_prefix: "" };
const INLINED: Specialization = Specialization { description: "inlined generic function", parameter_prefix: "" };
const PARTIAL: Specialization =
    Specialization { description: "generic partial specialization", parameter_prefix: "Signature = " };
const PARTIAL_NOT_REABSTRACTED: Specialization =
    Specialization { description: "generic not-reabstracted partial specialization", parameter_prefix: "Signature = " };

impl Parser<'_> {
    pub(super) fn thunk_or_specialization(&mut self) -> Option<NodeId> {
        let letter = self.next();
        let attribute = match letter {
            b'o' => ("@objc ", "@objc "),
            b'O' => ("@nonobjc ", "@nonobjc "),
            b'D' => ("dynamic ", "dynamic "),
            b'd' => ("super ", "super "),
            b'E' => ("distributed thunk ", ""),
            b'F' => ("distributed accessor for ", ""),
            b'm' => ("merged ", ""),
            b'X' => ("dynamically replaceable variable for ", ""),
            b'x' => ("dynamically replaceable key for ", ""),
            b'I' => ("dynamically replaceable thunk for ", ""),
            b'u' => ("async function pointer to ", "async function pointer to "),
            b'w' => match self.next() {
                b'b' => ("back deployment thunk for ", ""),
                b'B' => ("back deployment fallback for ", "back deployment fallback for "),
                b'c' => ("coro function pointer to ", "coro function pointer to "),
                b'd' => ("default override of ", "default override of "),
                b'S' => ("#_hasSymbol query for ", "#_hasSymbol query for "),
                _ => return None,
            },
            _ => return self.indexed_attribute_or_thunk(letter),
        };
        Some(self.add(Kind::Attribute(attribute.0, attribute.1), &[]))
    }

    fn indexed_attribute_or_thunk(&mut self, letter: u8) -> Option<NodeId> {
        let (attribute, index) = match letter {
            b'Q' => (("({#}) await resume partial function for ", ""), self.index()?),
            b'Y' => (("({#}) suspend resume partial function for ", ""), self.index()?),
            b'v' => {
                let index = self.index()?;
                let template = match self.next() {
                    b'r' => "outlined read-only object #{#} of ",
                    _ => "outlined variable #{#} of ",
                };
                ((template, template), index)
            }
            b'e' => {
                let parameters = self.bridged_method()?;
                let template = "outlined bridged method ({t}) of ";
                return Some(self.tree.add_text(Kind::Attribute(template, template), &parameters));
            }
            _ => return self.thunk(letter),
        };
        Some(self.tree.add_index(Kind::Attribute(attribute.0, attribute.1), index.into()))
    }

    /// The letters that tell how a bridged method is called.
    fn bridged_method(&mut self) -> Option<String> {
        let mut letters = String::new();
        letters.push(char::from(Some(self.next()).filter(|letter| b"opam".contains(letter))?));
        while !self.eat(b'_') {
            letters.push(char::from(Some(self.next()).filter(|letter| b"nbg".contains(letter))?));
        }
        Some(letters)
    }

    fn thunk(&mut self, letter: u8) -> Option<NodeId> {
        match letter {
            b'T' => match self.next() {
                b'I' => self.thunk_of("identity thunk of {0}"),
                _ => None,
            },
            b'c' => self.thunk_of("curry thunk of {0}"),
            b'j' => self.thunk_of("dispatch thunk of {0}"),
            b'q' => self.thunk_of("method descriptor for {0}"),
            b'S' => self.thunk_of("protocol self-conformance witness for {0}"),
            b'a' => Some(self.add(Kind::PartialApply("partial apply ObjC forwarder"), &[])),
            b'A' => Some(self.add(Kind::PartialApply("partial apply forwarder"), &[])),
            b'C' => self.phrase_of_type("coroutine continuation prototype for {0}"),
            b'z' => self.completion_handler(""),
            b'Z' => self.completion_handler("predefined "),
            b'V' => {
                let base = self.pop_entity()?;
                let derived = self.pop_entity()?;
                Some(self.add(Kind::Phrase("vtable thunk for {1} dispatching to {0}"), &[derived, base]))
            }
            b'W' => {
                let entity = self.pop_entity()?;
                let conformance = self.pop_conformance()?;
                Some(self.add(Kind::Phrase("protocol witness for {1} in conformance {0}"), &[conformance, entity]))
            }
            b'R' => self.reabstraction_thunk(Kind::ReabstractionThunk("reabstraction thunk helper ")),
            b'r' => self.reabstraction_thunk(Kind::ReabstractionThunk("reabstraction thunk ")),
            b'y' => self.reabstraction_thunk(Kind::ReabstractionThunkWithSelf),
            b'U' => {
                let actor = self.pop_type()?;
                let thunk = self.pop()?;
                Some(self.add(Kind::Phrase("{0} with global actor constraint {1}"), &[thunk, actor]))
            }
            b'g' | b'B' => self.generic_specialization(GENERIC, &[]),
            b'G' => self.generic_specialization(NOT_REABSTRACTED, &[]),
            b's' => self.generic_specialization(PRESPECIALIZED, &[]),
            b'i' => self.generic_specialization(INLINED, &[]),
            b't' => self.specialization_with_dropped_arguments(),
            b'p' => self.partial_specialization(PARTIAL),
            b'P' => self.partial_specialization(PARTIAL_NOT_REABSTRACTED),
            b'f' => self.function_specialization(),
            b'K' => self.key_path_thunk("key path getter for "),
            b'k' => self.key_path_thunk("key path setter for "),
            b'H' => self.key_path_index_thunk("equality"),
            b'h' => self.key_path_index_thunk("hash"),
            b'J' => self.derivative(),
            _ => self.requirement_descriptor(letter),
        }
    }

    fn thunk_of(&mut self, template: &'static str) -> Option<NodeId> {
        let entity = self.pop_entity()?;
        Some(self.add(Kind::Phrase(template), &[entity]))
    }

    fn requirement_descriptor(&mut self, letter: u8) -> Option<NodeId> {
        match letter {
            b'l' => {
                let name = self.pop_associated_type_name()?;
                Some(self.add(Kind::Phrase("associated type descriptor for {0}"), &[name]))
            }
            b'L' => {
                let protocol = self.pop_protocol()?;
                Some(self.add(Kind::Phrase("protocol requirements base descriptor for {0}"), &[protocol]))
            }
            b'M' => {
                let name = self.pop_associated_type_name()?;
                Some(self.add(Kind::Phrase("default associated type metadata accessor for {0}"), &[name]))
            }
            b'n' => self.associated_conformance("associated conformance descriptor for {0}.{1}: {2}"),
            b'N' => self.associated_conformance("default associated conformance accessor for {0}.{1}: {2}"),
            b'b' => {
                let requirement = self.pop_protocol()?;
                let protocol = self.pop_type()?;
                Some(self.add(Kind::Phrase("base conformance descriptor for {0}: {1}"), &[protocol, requirement]))
            }
            _ => None,
        }
    }

    fn associated_conformance(&mut self, template: &'static str) -> Option<NodeId> {
        let requirement = self.pop_protocol()?;
        let path = self.pop_associated_type_path()?;
        let protocol = self.pop_type()?;
        Some(self.add(Kind::Phrase(template), &[protocol, path, requirement]))
    }

    fn completion_handler(&mut self, prefix: &'static str) -> Option<NodeId> {
        let flag = self.number()?;
        let signature = self.pop_signature();
        let result = self.pop_type()?;
        let block = self.pop_type()?;
        let children: Vec<_> = [block, result, flag].into_iter().chain(signature).collect();
        Some(self.add(Kind::CompletionHandler(prefix), &children))
    }

    fn reabstraction_thunk(&mut self, kind: Kind) -> Option<NodeId> {
        let types = if kind == Kind::ReabstractionThunkWithSelf { 3 } else { 2 };
        let mut children: Vec<_> = self.pop_signature().into_iter().collect();
        for _ in 0..types {
            children.push(self.pop_type()?);
        }
        Some(self.add(kind, &children))
    }

    fn key_path_thunk(&mut self, accessor: &'static str) -> Option<NodeId> {
        let name = if self.eat_text("mu") {
            "key path unapplied method "
        } else if self.eat_text("MA") {
            "key path applied method "
        } else {
            accessor
        };
        let serialized = self.eat(b'q');
        let mut types = vec![self.pop_type()?];
        types.extend(std::iter::from_fn(|| self.pop_type()));
        let top = self.pop()?;
        let mut children = match self.tree.kind(top) {
            Kind::GenericSignature => vec![self.pop()?, top],
            _ => vec![top],
        };
        children.extend(types.into_iter().rev());
        if serialized {
            children.push(self.add(Kind::IsSerialized, &[]));
        }
        Some(self.add(Kind::KeyPathAccessorThunk(name), &children))
    }

    fn key_path_index_thunk(&mut self, operator: &'static str) -> Option<NodeId> {
        self.eat(b'q');
        let signature = self.pop_signature();
        let mut types: Vec<_> = std::iter::from_fn(|| self.pop_type()).collect();
        if !self.stack.is_empty() || (signature.is_none() && types.is_empty()) {
            return None;
        }
        types.reverse();
        let list = self.add(Kind::TypeList, &types);
        let children: Vec<_> = [list].into_iter().chain(signature).collect();
        Some(self.add(Kind::KeyPathIndexThunk(operator), &children))
    }

    fn derivative(&mut self) -> Option<NodeId> {
        match self.peek() {
            b'S' => {
                self.next();
                let mut children: Vec<_> = self.stack.drain(..).collect();
                children.push(self.derivative_kind()?);
                for end in [b'p', b'r', b'P'] {
                    children.push(self.index_subset()?);
                    self.eat(end).then_some(())?;
                }
                Some(self.add(Kind::SubsetParametersThunk, &children))
            }
            b'O' => {
                self.next();
                let signature = self.pop_signature();
                let to = self.pop_type()?;
                let from = self.pop_type()?;
                let kind = self.derivative_kind()?;
                let children: Vec<_> = [from, to].into_iter().chain(signature).chain([kind]).collect();
                Some(self.add(Kind::SelfReorderingThunk, &children))
            }
            b'V' => {
                self.next();
                self.derivative_function("vtable thunk for ")
            }
            _ => self.derivative_function(""),
        }
    }

    fn derivative_function(&mut self, prefix: &'static str) -> Option<NodeId> {
        let mut children: Vec<_> = self.stack.drain(..).collect();
        children.push(self.derivative_kind()?);
        for end in [b'p', b'r'] {
            children.push(self.index_subset()?);
            self.eat(end).then_some(())?;
        }
        Some(self.add(Kind::AutoDiffFunction(prefix), &children))
    }

    fn derivative_kind(&mut self) -> Option<NodeId> {
        let name = match self.next() {
            b'f' => "forward-mode derivative",
            b'r' => "reverse-mode derivative",
            b'd' => "differential",
            b'p' => "pullback",
            _ => return None,
        };
        Some(self.tree.add_text(Kind::DerivativeName, name))
    }

    fn index_subset(&mut self) -> Option<NodeId> {
        let start = self.at;
        while matches!(self.peek(), b'S' | b'U') {
            self.at += 1;
        }
        let letters = self.text.get(start..self.at).filter(|letters| !letters.is_empty())?;
        Some(self.tree.add_text(Kind::IndexSubset, letters))
    }

    pub(super) fn differentiability_witness(&mut self) -> Option<NodeId> {
        let signature = self.pop_signature();
        let mut children: Vec<_> = self.stack.drain(..).collect();
        let kind = match self.next() {
            b'f' => "forward-mode",
            b'r' => "reverse-mode",
            b'd' => "normal",
            b'l' => "linear",
            _ => return None,
        };
        children.push(self.tree.add_text(Kind::DerivativeName, kind));
        for end in [b'p', b'r'] {
            children.push(self.index_subset()?);
            self.eat(end).then_some(())?;
        }
        children.extend(signature);
        Some(self.add(Kind::DifferentiabilityWitness, &children))
    }
}
