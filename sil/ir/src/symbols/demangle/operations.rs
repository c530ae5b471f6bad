//! Regular operators: their operands are popped by the table.

use super::super::kind::Kind;
use super::super::operations::{Makes, Operand, Operation, Trailing};
use super::super::spelling::ValueWitness;
use super::super::tree::NodeId;
use super::Demangler;

impl Demangler<'_> {
    pub(super) fn operation(&mut self, operation: Operation) -> Option<NodeId> {
        let index = match operation.trailing() {
            Trailing::Nothing => 0,
            Trailing::Index => self.index()?,
        };
        let mut children = Vec::new();
        for operand in operation.operands().iter().rev() {
            match operand {
                Operand::OptionalSignature => children.extend(self.pop_signature()),
                _ => children.push(self.operand(*operand)?),
            }
        }
        children.reverse();
        let node = self.add(Kind::Operation(operation), &children);
        self.tree.get_mut(node).index = index.into();
        Some(match operation.makes() {
            Makes::Node => node,
            Makes::Type | Makes::SimpleType => self.wrap(node),
        })
    }

    fn operand(&mut self, operand: Operand) -> Option<NodeId> {
        match operand {
            Operand::Type => self.pop_type(),
            Operand::Content => self.pop_type_content(),
            Operand::Conformance => self.pop_conformance(),
            Operand::Protocol => self.pop_protocol(),
            Operand::Entity => self.pop_entity(),
            Operand::Context => self.pop_context(),
            Operand::Module => self.pop_module(),
            Operand::Name => self.pop_name(),
            Operand::Signature | Operand::OptionalSignature => self.pop_signature(),
            Operand::AssociatedTypeName => self.pop_associated_type_name(),
            Operand::AssociatedTypePath => self.pop_associated_type_path(),
            Operand::DeclList => self.pop_declarations(),
            Operand::ConformanceList => self.pop_conformance_list(),
            Operand::DependentConformance => self.pop_if(Kind::is_dependent_conformance),
            Operand::Any => self.pop(),
        }
    }

    /// The variables that one initialiser initialises.
    fn pop_declarations(&mut self) -> Option<NodeId> {
        let mut variables = Vec::new();
        while self.pop_kind(Kind::FirstElementMarker).is_some() {
            variables.push(self.pop_name()?);
        }
        variables.reverse();
        Some(self.add(Kind::DeclList, &variables))
    }

    pub(super) fn value_witness(&mut self) -> Option<NodeId> {
        let witness = self.eat_spelled::<ValueWitness>()?;
        let ty = self.pop_type()?;
        Some(self.add(Kind::ValueWitness(witness), &[ty]))
    }
}
