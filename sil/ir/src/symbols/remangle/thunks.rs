//! Thunks, and automatic differentiation.

use super::super::kind::Kind;
use super::super::spelling::Spelled;
use super::super::tree::NodeId;
use super::Remangler;

impl Remangler {
    pub(super) fn thunk(&mut self, id: NodeId, kind: Kind) -> Option<()> {
        match kind {
            Kind::Reabstraction(thunk) => {
                self.children_reversed(id)?;
                self.push(thunk.letters());
            }
            Kind::KeyPathThunk(thunk) => self.key_path_thunk(id, thunk.letters())?,
            Kind::KeyPathIndexThunk(thunk) => self.key_path_thunk(id, thunk.letters())?,
            Kind::CompletionHandler(handler) => {
                self.child(id, 0)?;
                self.child(id, 1)?;
                self.optional_child(id, 3)?;
                self.push(handler.letters());
                self.child(id, 2)?;
            }
            Kind::ValueWitness(witness) => {
                self.postfix(id, "w")?;
                self.push(witness.letters());
            }
            Kind::AutoDiff(function) => self.derivative(id, function.letters(), &["p", "r"])?,
            Kind::SubsetParametersThunk => self.derivative(id, "TJS", &["p", "r", "P"])?,
            Kind::SelfReorderingThunk => self.derivative(id, "TJO", &[])?,
            Kind::DifferentiabilityWitness => self.differentiability_witness(id)?,
            Kind::Derivative(derivative) => self.push(derivative.letters()),
            Kind::WitnessedDerivative(derivative) => self.push(derivative.letters()),
            _ => return None,
        }
        Some(())
    }

    fn key_path_thunk(&mut self, id: NodeId, letters: &str) -> Option<()> {
        let (flags, operands): (Vec<_>, Vec<_>) =
            self.children(id).into_iter().partition(|child| self.kind(*child) == Kind::IsSerialized);
        self.all(&operands)?;
        self.push(letters);
        if !flags.is_empty() {
            self.push("q");
        }
        Some(())
    }

    /// The original, the letters, the kind of the derivative, and sets of indices with the end of each.
    fn derivative(&mut self, id: NodeId, letters: &str, ends: &[&str]) -> Option<()> {
        let children = self.children(id);
        let kind = children.len().checked_sub(ends.len() + 1)?;
        self.all(&children[..kind])?;
        self.push(letters);
        self.node(children[kind])?;
        self.index_sets(&children[kind + 1..], ends)
    }

    fn differentiability_witness(&mut self, id: NodeId) -> Option<()> {
        let children = self.children(id);
        let is_kind = |child: &NodeId| matches!(self.kind(*child), Kind::WitnessedDerivative(_));
        let kind = children.iter().position(is_kind)?;
        self.all(&children[..kind])?;
        if let Some(signature) = children.get(kind + 3) {
            self.node(*signature)?;
        }
        self.push("WJ");
        self.node(children[kind])?;
        self.index_sets(&children[kind + 1..], &["p", "r"])
    }

    fn index_sets(&mut self, sets: &[NodeId], ends: &[&str]) -> Option<()> {
        for (set, end) in sets.iter().zip(ends) {
            self.node(*set)?;
            self.push(end);
        }
        Some(())
    }
}
