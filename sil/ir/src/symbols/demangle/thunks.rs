//! Thunks, and the attributes of a function.

use super::super::kind::Kind;
use super::super::spelling::*;
use super::super::tree::NodeId;
use super::Demangler;

impl Demangler<'_> {
    /// `T` and the text after it that no row of the operations covers.
    pub(super) fn thunk_or_specialization(&mut self) -> Option<NodeId> {
        self.back();
        if let Some(attribute) = self.attribute() {
            return Some(attribute);
        }
        if let Some(forwarder) = self.eat_spelled::<PartialApply>() {
            return Some(self.add(Kind::PartialApply(forwarder), &[]));
        }
        if let Some(thunk) = self.eat_spelled::<Reabstraction>() {
            return self.reabstraction_thunk(thunk);
        }
        if let Some(handler) = self.eat_spelled::<CompletionHandler>() {
            return self.completion_handler(handler);
        }
        if let Some(thunk) = self.eat_spelled::<KeyPathThunk>() {
            return self.key_path_thunk(thunk);
        }
        if let Some(thunk) = self.eat_spelled::<KeyPathIndexThunk>() {
            return self.key_path_index_thunk(thunk);
        }
        self.next();
        if self.eat(b'J') {
            return self.derivative();
        }
        self.specialization()
    }

    /// An attribute of a function, with the text after its letters.
    pub(super) fn attribute(&mut self) -> Option<NodeId> {
        let mut attribute = self.eat_spelled::<Attribute>()?;
        if attribute.is_numbered() {
            let index = self.index()?;
            if attribute == Attribute::OutlinedVariable && self.eat(b'r') {
                attribute = Attribute::OutlinedReadOnlyObject;
            }
            return Some(self.tree.add_index(Kind::Attribute(attribute), index.into()));
        }
        let letters = match attribute {
            Attribute::OutlinedBridgedMethod => self.bridged_method()?,
            _ => String::new(),
        };
        Some(self.tree.add_text(Kind::Attribute(attribute), &letters))
    }

    /// The letters for the kind of a bridged method.
    fn bridged_method(&mut self) -> Option<String> {
        let mut letters = String::new();
        letters.push(char::from(Some(self.next()).filter(|letter| b"opam".contains(letter))?));
        while !self.eat(b'_') {
            letters.push(char::from(Some(self.next()).filter(|letter| b"nbg".contains(letter))?));
        }
        Some(letters)
    }

    fn completion_handler(&mut self, handler: CompletionHandler) -> Option<NodeId> {
        let flag = self.number()?;
        let signature = self.pop_signature();
        let result = self.pop_type()?;
        let block = self.pop_type()?;
        let children: Vec<_> = [block, result, flag].into_iter().chain(signature).collect();
        Some(self.add(Kind::CompletionHandler(handler), &children))
    }

    fn reabstraction_thunk(&mut self, thunk: Reabstraction) -> Option<NodeId> {
        let types = if thunk == Reabstraction::WithSelf { 3 } else { 2 };
        let mut children: Vec<_> = self.pop_signature().into_iter().collect();
        for _ in 0..types {
            children.push(self.pop_type()?);
        }
        Some(self.add(Kind::Reabstraction(thunk), &children))
    }

    fn key_path_thunk(&mut self, thunk: KeyPathThunk) -> Option<NodeId> {
        let serialized = self.eat(b'q');
        let types = self.pop_types();
        if types.is_empty() {
            return None;
        }
        let top = self.pop()?;
        let mut children = match self.tree.kind(top) {
            Kind::GenericSignature => vec![self.pop()?, top],
            _ => vec![top],
        };
        children.extend(types);
        if serialized {
            children.push(self.add(Kind::IsSerialized, &[]));
        }
        Some(self.add(Kind::KeyPathThunk(thunk), &children))
    }

    fn key_path_index_thunk(&mut self, thunk: KeyPathIndexThunk) -> Option<NodeId> {
        let serialized = self.eat(b'q');
        let signature = self.pop_signature();
        let mut children = self.pop_types();
        if !self.stack.is_empty() || (signature.is_none() && children.is_empty()) {
            return None;
        }
        children.extend(signature);
        if serialized {
            children.push(self.add(Kind::IsSerialized, &[]));
        }
        Some(self.add(Kind::KeyPathIndexThunk(thunk), &children))
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
                self.derivative_function(AutoDiff::VTableThunk)
            }
            _ => self.derivative_function(AutoDiff::Function),
        }
    }

    fn derivative_function(&mut self, function: AutoDiff) -> Option<NodeId> {
        let mut children: Vec<_> = self.stack.drain(..).collect();
        children.push(self.derivative_kind()?);
        for end in [b'p', b'r'] {
            children.push(self.index_subset()?);
            self.eat(end).then_some(())?;
        }
        Some(self.add(Kind::AutoDiff(function), &children))
    }

    fn derivative_kind(&mut self) -> Option<NodeId> {
        let derivative = self.eat_spelled::<Derivative>()?;
        Some(self.add(Kind::Derivative(derivative), &[]))
    }

    fn index_subset(&mut self) -> Option<NodeId> {
        let letters = self.take_while(|byte| matches!(byte, b'S' | b'U')).filter(|letters| !letters.is_empty())?;
        Some(self.tree.add_text(Kind::IndexSubset, letters))
    }

    pub(super) fn differentiability_witness(&mut self) -> Option<NodeId> {
        let signature = self.pop_signature();
        let mut children: Vec<_> = self.stack.drain(..).collect();
        let derivative = self.eat_spelled::<WitnessedDerivative>()?;
        children.push(self.add(Kind::WitnessedDerivative(derivative), &[]));
        for end in [b'p', b'r'] {
            children.push(self.index_subset()?);
            self.eat(end).then_some(())?;
        }
        children.extend(signature);
        Some(self.add(Kind::DifferentiabilityWitness, &children))
    }
}
