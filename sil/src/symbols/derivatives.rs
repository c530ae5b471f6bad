//! The symbols of functions that differentiation makes of others (docs/ABI/Mangling.rst, "Autodiff function manglings";
//! lib/SILOptimizer/Utils/DifferentiationMangler.cpp).

use super::{AutoDiff, Derivative, Kind, NodeId, Symbol, Tree};

impl Symbol {
    /// The name of the `derivative` of the function called `name` by what `parameters` and `results` name, a letter for each of the function's: `S` where
    /// it counts, `U` where it does not. `signature` makes the node of the derivative's own generic signature, if it has one. A name that is no symbol stays
    /// as it is in front of the rest. None where the signature or the symbol has a form that no compiler makes.
    pub fn of_derivative(
        name: &str,
        derivative: Derivative,
        [parameters, results]: [&str; 2],
        signature: impl FnOnce(&mut Tree) -> Option<Vec<NodeId>>,
    ) -> Option<String> {
        let original = Symbol::demangle(name);
        let mut tree = original.as_ref().map(|symbol| symbol.tree.clone()).unwrap_or_default();
        let mut children = original.as_ref().map_or_else(Vec::new, |symbol| tree.children(symbol.root).to_vec());
        children.extend(signature(&mut tree)?);
        children.push(tree.add(Kind::Derivative(derivative), &[]));
        children.push(tree.add_text(Kind::IndexSubset, parameters));
        children.push(tree.add_text(Kind::IndexSubset, results));
        let function = tree.add(Kind::AutoDiff(AutoDiff::Function), &children);
        let root = tree.add(Kind::Global, &[function]);
        let prefix = original.as_ref().map_or("", |symbol| symbol.prefix);
        let symbol = Symbol { prefix, tree, root }.remangle()?;
        Some(if original.is_some() { symbol } else { format!("{name}{symbol}") })
    }
}
