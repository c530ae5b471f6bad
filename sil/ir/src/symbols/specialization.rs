//! Symbols of functions that passes derived from others by changing their parameters (docs/ABI/Mangling.rst, "Function
//! Specializations").

use super::kind::ValueChanges;
use super::spelling::PartialSpecialization;
use super::{Flavor, Kind, NodeId, SignatureChange, Specialization, StringEncoding, Symbol, Tree};

/// The change of a parameter by a pass.
#[derive(Clone, Debug)]
pub enum ParameterChange {
    /// Nothing.
    Unchanged,
    /// It is gone.
    Dead,
    /// It is passed in another way.
    Value(ValueChanges),
    /// A reference to the function of this symbol stands for it.
    Function(String),
    /// The address of the global of this symbol stands for it.
    Global(String),
    /// An integer does, written in decimal digits.
    Integer(String),
    /// A float does: its bits, written in decimal digits.
    Float(String),
    /// A string of at most 32 bytes does.
    String(StringEncoding, String),
    /// A key path does, identified by this digest of its components; the types of its root and of its value.
    KeyPath(String, [Symbol; 2]),
    /// The captures of a closure over the function of this symbol replace the closure: values of types that are the
    /// subjects of these symbols.
    Closure(String, Vec<Symbol>),
    /// It is the address of the content of a box.
    BoxToStack,
    /// The content of its box does.
    BoxToValue,
}

/// The change of the result by a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultChange {
    /// Nothing.
    Unchanged,
    /// The caller retains it, no longer the function.
    OwnedToUnowned,
}

/// Which pass of Swift makes such functions (`SpecializationPass` in include/swift/Demangling/Demangle.h).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpecializationPass {
    /// Addresses for boxes.
    AllocBoxToStack = 0,
    /// The captures of closures in their places.
    ClosureSpecializer = 1,
    /// Values for captured boxes.
    CapturePromotion = 2,
    /// Constants for captured values.
    CapturePropagation = 3,
    /// Other parameters.
    FunctionSignature = 4,
    /// Concrete types for generic parameters.
    GenericSpecializer = 5,
}

impl Symbol {
    /// The symbol of the generic function called `name` with concrete types, which `types` makes the nodes of, and
    /// whose SIL arguments `dropped` are not passed any more. None where a type has no mangling.
    pub fn of_generic_specialization(
        name: &str,
        flavor: Flavor,
        abstraction: Abstraction,
        visibility: SpecializedBody,
        dropped: &[usize],
        types: impl FnOnce(&mut Tree) -> Option<Vec<NodeId>>,
    ) -> Option<Symbol> {
        let mut symbol = Symbol::of_function(name, flavor);
        let tree = &mut symbol.tree;
        let mut children = Vec::new();
        children.extend(dropped.iter().map(|index| tree.add_index(Kind::DroppedArgument, *index as i64)));
        for ty in types(tree)? {
            children.push(tree.add(Kind::GenericSpecializationParam, &[ty]));
        }
        if visibility == SpecializedBody::Serialized {
            children.push(tree.add(Kind::IsSerialized, &[]));
        }
        children.push(tree.add_index(Kind::PassId, SpecializationPass::GenericSpecializer as i64));
        let kind = match abstraction {
            Abstraction::Same => Specialization::NotReAbstracted,
            Abstraction::Changed => Specialization::Generic,
            Abstraction::ChangedWithinModule => Specialization::InResilienceDomain,
        };
        let specialization = tree.add(Kind::Specialization(kind), &children);
        Some(symbol.with_prefix_entity(specialization))
    }

    /// The symbol of the specialisation of the generic function called `name` for types that are not all known: `ty`
    /// makes the node of its type. None if that has no mangling.
    pub fn of_partial_specialization(
        name: &str,
        flavor: Flavor,
        abstraction: Abstraction,
        visibility: SpecializedBody,
        ty: impl FnOnce(&mut Tree) -> Option<NodeId>,
    ) -> Option<Symbol> {
        let mut symbol = Symbol::of_function(name, flavor);
        let tree = &mut symbol.tree;
        let ty = ty(tree)?;
        let mut children = vec![tree.add(Kind::GenericSpecializationParam, &[ty])];
        if visibility == SpecializedBody::Serialized {
            children.push(tree.add(Kind::IsSerialized, &[]));
        }
        children.push(tree.add_index(Kind::PassId, SpecializationPass::GenericSpecializer as i64));
        let kind = match abstraction {
            Abstraction::Same => PartialSpecialization::NotReAbstracted,
            Abstraction::Changed | Abstraction::ChangedWithinModule => PartialSpecialization::Generic,
        };
        let specialization = tree.add(Kind::PartialSpecialization(kind), &children);
        Some(symbol.with_prefix_entity(specialization))
    }

    /// How many functions were put in the places of parameters, the parameters of such functions included, to make the
    /// function; 0 where none were.
    pub fn constant_function_depth(&self) -> usize {
        let tree = &self.tree;
        let first = tree.children(self.root).first().copied();
        let Some(specialization) = first.filter(|node| tree.kind(*node) == Kind::SignatureSpecialization) else {
            return 0;
        };
        let depth = |parameter: &NodeId| match tree.children(*parameter) {
            [change, payload, ..] if tree.kind(*change) == Kind::SignatureChange(SignatureChange::ConstantFunction) => {
                1 + Symbol::demangle(&tree.get(*payload).text).map_or(0, |inner| inner.constant_function_depth())
            }
            _ => 0,
        };
        let parameters = tree.children(specialization).iter();
        let parameters = parameters.filter(|node| tree.kind(**node) == Kind::SignatureParam);
        parameters.map(depth).max().unwrap_or(0)
    }

    /// Whether its subject is the result of a pass on a function whose own name is not mangled.
    pub fn is_specialization_of_plain_function(&self) -> bool {
        let parts = self.tree.children(self.root);
        parts.len() > 1 && parts.iter().any(|part| self.tree.kind(*part) == Kind::Identifier)
    }

    /// The symbol `name`, or one about it where it is not mangled.
    fn of_function(name: &str, flavor: Flavor) -> Symbol {
        Symbol::demangle(name).unwrap_or_else(|| {
            let mut tree = Tree::default();
            let identifier = tree.add_text(Kind::Identifier, name);
            Symbol::new(flavor, tree, identifier)
        })
    }

    fn with_prefix_entity(mut self, entity: NodeId) -> Symbol {
        let mut entities = vec![entity];
        entities.extend(self.tree.children(self.root));
        self.root = self.tree.add(Kind::Global, &entities);
        self
    }

    /// The symbol of the function called `name` after `changes` were made to its parameters and `result` to its result;
    /// `serialized` if clients see its body.
    pub fn of_signature_specialization(
        name: &str,
        flavor: Flavor,
        pass: SpecializationPass,
        visibility: SpecializedBody,
        changes: &[ParameterChange],
        result: ResultChange,
    ) -> Symbol {
        let mut symbol = Symbol::of_function(name, flavor);
        let tree = &mut symbol.tree;
        let mut children = Vec::new();
        if visibility == SpecializedBody::Serialized {
            children.push(tree.add(Kind::IsSerialized, &[]));
        }
        children.push(tree.add_index(Kind::PassId, pass as i64));
        for change in changes {
            let parts = change.nodes(tree);
            children.push(tree.add(Kind::SignatureParam, &parts));
        }
        if result == ResultChange::OwnedToUnowned {
            let change = ValueChanges { owned_to_guaranteed: true, ..ValueChanges::default() };
            let change = tree.add(Kind::SignatureChange(SignatureChange::Value(change)), &[]);
            children.push(tree.add(Kind::SignatureReturn, &[change]));
        }
        let specialization = tree.add(Kind::SignatureSpecialization, &children);
        symbol.with_prefix_entity(specialization)
    }

    /// The name of the global with that number, for an object that the function called `name` made each time it ran
    /// (docs/ABI/Mangling.rst, "outlined variable"). A name that is no symbol stays as it is before the rest.
    pub fn of_outlined_variable(name: &str, number: u32) -> String {
        match number.checked_sub(1) {
            None => format!("{name}Tv_"),
            Some(before) => format!("{name}Tv{before}_"),
        }
    }
}

/// Whether a function that is made for types takes and gives values as the generic one does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Abstraction {
    /// It does: by its address as before.
    Same,
    /// It takes and gives values that went by their addresses.
    Changed,
    /// The same, of types also that only the module itself knows the layout of.
    ChangedWithinModule,
}

/// Whether clients of the module see the body of a specialised function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpecializedBody {
    /// They do not.
    Hidden,
    /// They do.
    Serialized,
}

impl ParameterChange {
    fn nodes(&self, tree: &mut Tree) -> Vec<NodeId> {
        use SignatureChange::*;
        let (change, payload) = match self {
            Self::Unchanged => return Vec::new(),
            Self::Dead => {
                let dead = Value(ValueChanges { dead: true, ..ValueChanges::default() });
                return vec![tree.add(Kind::SignatureChange(dead), &[])];
            }
            Self::Value(changes) => return vec![tree.add(Kind::SignatureChange(Value(*changes)), &[])],
            Self::BoxToStack => return vec![tree.add(Kind::SignatureChange(BoxToStack), &[])],
            Self::BoxToValue => return vec![tree.add(Kind::SignatureChange(BoxToValue), &[])],
            Self::KeyPath(digest, types) => return Self::with_types(tree, ConstantKeyPath, digest, types),
            Self::Closure(symbol, captured) => return Self::with_types(tree, Closure, symbol, captured),
            Self::Function(symbol) => (ConstantFunction, symbol),
            Self::Global(symbol) => (ConstantGlobal, symbol),
            Self::Integer(digits) => (ConstantInteger, digits),
            Self::Float(digits) => (ConstantFloat, digits),
            Self::String(_, text) => (ConstantString, text),
        };
        let mut nodes = vec![tree.add(Kind::SignatureChange(change), &[])];
        if let Self::String(encoding, _) = self {
            nodes.push(tree.add(Kind::StringEncoding(*encoding), &[]));
        }
        nodes.push(tree.add_text(Kind::SignaturePayload, payload));
        nodes
    }

    fn with_types(tree: &mut Tree, change: SignatureChange, payload: &str, types: &[Symbol]) -> Vec<NodeId> {
        let mut nodes = vec![tree.add(Kind::SignatureChange(change), &[])];
        nodes.push(tree.add_text(Kind::SignaturePayload, payload));
        nodes.extend(types.iter().filter_map(|ty| ty.copy_entity(tree)));
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(name: &str, changes: &[ParameterChange]) -> Option<String> {
        let pass = SpecializationPass::CapturePropagation;
        let unchanged = ResultChange::Unchanged;
        Symbol::of_signature_specialization(name, Flavor::Default, pass, SpecializedBody::Hidden, changes, unchanged)
            .remangle()
    }

    #[test]
    fn specialised_functions_have_the_symbols_that_swift_gives_them() {
        let changes = [ParameterChange::Unchanged, ParameterChange::Function("$s8capturep6helperySiF".into())];
        let thunk = symbol("$sSiytIxyd_SiytIxid_TR", &changes);
        assert_eq!(thunk.as_deref(), Some("$sSiytIxyd_SiytIxid_TR22$s8capturep6helperySiFTf3npf_n"));
        let changes = [
            ParameterChange::Integer("0".into()),
            ParameterChange::String(StringEncoding::Utf8, "123".into()),
            ParameterChange::Global("token".into()),
        ];
        let plain = symbol("thunk", &changes);
        assert_eq!(plain.as_deref(), Some("$s5thunk4_1235tokenTf3pi0psbpg_n"));
    }
}
