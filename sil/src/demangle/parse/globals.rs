//! What the compiler makes beside functions: metadata, descriptors, witness tables, outlined operations.

use super::super::node::{Kind, NodeId};
use super::Parser;

/// What a template is filled with.
enum Operand {
    Type,
    Conformance,
    Protocol,
    Entity,
    Any,
}

impl Parser<'_> {
    fn phrase(&mut self, template: &'static str, operand: Operand) -> Option<NodeId> {
        let child = match operand {
            Operand::Type => self.pop_type()?,
            Operand::Conformance => self.pop_conformance()?,
            Operand::Protocol => self.pop_protocol()?,
            Operand::Entity => self.pop_entity()?,
            Operand::Any => self.pop()?,
        };
        Some(self.add(Kind::Phrase(template), &[child]))
    }

    pub(super) fn metadata(&mut self) -> Option<NodeId> {
        use Operand::*;
        let (template, operand) = match self.next() {
            b'a' => ("type metadata accessor for {0}", Type),
            b'A' => ("reflection metadata associated type descriptor {0}", Conformance),
            b'b' => ("canonical specialized generic type metadata accessor for {0}", Type),
            b'B' => ("reflection metadata builtin descriptor {0}", Type),
            b'c' => ("protocol conformance descriptor for {0}", Conformance),
            b'C' => ("reflection metadata superclass descriptor {0}", Type),
            b'D' => ("demangling cache variable for type metadata for {0}", Type),
            b'f' => ("full type metadata for {0}", Type),
            b'F' => ("reflection metadata field descriptor {0}", Type),
            b'g' => ("opaque type descriptor accessor for {0}", Any),
            b'h' => ("opaque type descriptor accessor impl for {0}", Any),
            b'i' => ("type metadata instantiation function for {0}", Type),
            b'I' => ("type metadata instantiation cache for {0}", Type),
            b'j' => ("opaque type descriptor accessor key for {0}", Any),
            b'J' => ("cache variable for noncanonical specialized generic type metadata for {0}", Any),
            b'k' => ("opaque type descriptor accessor var for {0}", Any),
            b'K' => ("metadata instantiation cache for {0}", Any),
            b'l' => ("type metadata singleton initialization cache for {0}", Type),
            b'L' => ("lazy cache variable for type metadata for {0}", Type),
            b'm' => ("metaclass for {0}", Type),
            b'M' => ("specialized generic metaclass for {0}", Type),
            b'n' => ("nominal type descriptor for {0}", Type),
            b'N' => ("noncanonical specialized generic type metadata for {0}", Type),
            b'o' => ("class metadata base offset for {0}", Type),
            b'p' => ("protocol descriptor for {0}", Protocol),
            b'P' => ("generic type metadata pattern for {0}", Type),
            b'q' => ("uniquable {0}", Any),
            b'Q' => ("opaque type descriptor for {0}", Any),
            b'r' => ("type metadata completion function for {0}", Type),
            b's' => ("ObjC resilient class stub for {0}", Type),
            b'S' => ("protocol self-conformance descriptor for {0}", Protocol),
            b't' => ("full ObjC resilient class stub for {0}", Type),
            b'u' => ("method lookup function for {0}", Type),
            b'U' => ("ObjC metadata update function for {0}", Type),
            b'V' => ("property descriptor for {0}", Entity),
            b'z' => ("flag for loading of canonical specialized generic type metadata for {0}", Type),
            b'X' => return self.private_descriptor(),
            _ => return None,
        };
        self.phrase(template, operand)
    }

    fn private_descriptor(&mut self) -> Option<NodeId> {
        let (template, child) = match self.next() {
            b'E' => ("extension descriptor {0}", self.pop_context()?),
            b'M' => ("module descriptor {0}", self.pop_module()?),
            b'Y' => {
                self.pop()?;
                ("anonymous descriptor {0}", self.pop_context()?)
            }
            b'X' => ("anonymous descriptor {0}", self.pop_context()?),
            b'A' => {
                let path = self.pop_associated_type_path()?;
                let base = self.pop_type()?;
                let template = "generic parameter reference for associated type {0}{1}";
                return Some(self.add(Kind::Phrase(template), &[base, path]));
            }
            _ => return None,
        };
        Some(self.add(Kind::Phrase(template), &[child]))
    }

    pub(super) fn witness(&mut self) -> Option<NodeId> {
        use Operand::*;
        let (template, operand) = match self.next() {
            b'C' => ("enum case for {0}", Entity),
            b'V' => ("value witness table for {0}", Type),
            b'v' => match self.next() {
                b'd' => ("direct field offset for {0}", Entity),
                b'i' => ("indirect field offset for {0}", Entity),
                _ => return None,
            },
            b'S' => ("protocol self-conformance witness table for {0}", Protocol),
            b'P' => ("protocol witness table for {0}", Conformance),
            b'p' => ("protocol witness table pattern for {0}", Conformance),
            b'G' => ("generic protocol witness table for {0}", Conformance),
            b'I' => ("instantiation function for generic protocol witness table for {0}", Conformance),
            b'r' => ("resilient protocol witness table for {0}", Conformance),
            b'a' => ("protocol witness table accessor for {0}", Conformance),
            b'l' => {
                return self.lazy_table("lazy protocol witness table accessor for type {0} and conformance {1}");
            }
            b'L' => {
                return self.lazy_table("lazy protocol witness table cache variable for type {0} and conformance {1}");
            }
            b't' => {
                let name = self.pop_name()?;
                let conformance = self.pop_conformance()?;
                let template = "associated type metadata accessor for {1} in {0}";
                return Some(self.add(Kind::Phrase(template), &[conformance, name]));
            }
            b'T' => {
                let protocol = self.pop_type()?;
                let path = self.pop_associated_type_path()?;
                let conformance = self.pop_conformance()?;
                let template = "associated type witness table accessor for {1} : {2} in {0}";
                return Some(self.add(Kind::Phrase(template), &[conformance, path, protocol]));
            }
            b'b' => {
                let protocol = self.pop_type()?;
                let conformance = self.pop_conformance()?;
                let template = "base witness table accessor for {1} in {0}";
                return Some(self.add(Kind::Phrase(template), &[conformance, protocol]));
            }
            b'O' => return self.outlined(),
            b'Z' => return self.once("one-time initialization function for {1}"),
            b'z' => return self.once("one-time initialization token for {1}"),
            b'J' => return self.differentiability_witness(),
            _ => return None,
        };
        self.phrase(template, operand)
    }

    fn lazy_table(&mut self, template: &'static str) -> Option<NodeId> {
        let conformance = self.pop_conformance()?;
        let ty = self.pop_type()?;
        Some(self.add(Kind::Phrase(template), &[ty, conformance]))
    }

    fn outlined(&mut self) -> Option<NodeId> {
        let (template, indexed) = match self.next() {
            b'y' => ("outlined copy of {0}{1}", false),
            b'e' => ("outlined consume of {0}{1}", false),
            b'r' => ("outlined retain of {0}", false),
            b's' => ("outlined release of {0}", false),
            b'b' | b'B' => ("outlined init with take of {0}", false),
            b'c' | b'C' => ("outlined init with copy of {0}", false),
            b'd' | b'D' => ("outlined assign with take of {0}", false),
            b'f' | b'F' => ("outlined assign with copy of {0}", false),
            b'h' | b'H' => ("outlined destroy of {0}", false),
            b'g' => ("outlined enum get tag of {0}", false),
            b'i' => ("outlined enum tag store of {0}", true),
            b'j' => ("outlined enum project data for load of {0}", true),
            _ => return None,
        };
        if indexed {
            self.number()?;
        }
        let signature = self.pop_signature();
        let ty = self.pop_type()?;
        let children: Vec<_> = [ty].into_iter().chain(signature).collect();
        Some(self.add(Kind::Phrase(template), &children))
    }

    fn once(&mut self, template: &'static str) -> Option<NodeId> {
        let mut variables = Vec::new();
        while self.pop_kind(Kind::FirstElementMarker).is_some() {
            variables.push(self.pop_name()?);
        }
        variables.reverse();
        let list = self.add(Kind::DeclList, &variables);
        let context = self.pop_context()?;
        Some(self.add(Kind::Phrase(template), &[context, list]))
    }

    pub(super) fn value_witness(&mut self) -> Option<NodeId> {
        let name = match (self.next(), self.next()) {
            (b'a', b'l') => "allocateBuffer",
            (b'c', b'a') => "assignWithCopy",
            (b't', b'a') => "assignWithTake",
            (b'd', b'e') => "deallocateBuffer",
            (b'x', b'x') => "destroy",
            (b'X', b'X') => "destroyBuffer",
            (b'X', b'x') => "destroyArray",
            (b'C', b'P') => "initializeBufferWithCopyOfBuffer",
            (b'C', b'p') => "initializeBufferWithCopy",
            (b'c', b'p') => "initializeWithCopy",
            (b'T', b'k') => "initializeBufferWithTake",
            (b't', b'k') => "initializeWithTake",
            (b'p', b'r') => "projectBuffer",
            (b'T', b'K') => "initializeBufferWithTakeOfBuffer",
            (b'C', b'c') => "initializeArrayWithCopy",
            (b'T', b't') => "initializeArrayWithTakeFrontToBack",
            (b't', b'T') => "initializeArrayWithTakeBackToFront",
            (b'x', b's') => "storeExtraInhabitant",
            (b'x', b'g') => "getExtraInhabitantIndex",
            (b'u', b'g') => "getEnumTag",
            (b'u', b'p') => "destructiveProjectEnumData",
            (b'u', b'i') => "destructiveInjectEnumTag",
            (b'e', b't') => "getEnumTagSinglePayload",
            (b's', b't') => "storeEnumTagSinglePayload",
            _ => return None,
        };
        let ty = self.pop_type()?;
        Some(self.add(Kind::ValueWitness(name), &[ty]))
    }
}
