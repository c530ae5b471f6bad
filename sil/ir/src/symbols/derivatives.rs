//! The symbols of functions that differentiation makes of others (docs/ABI/Mangling.rst, "Autodiff function manglings";
//! lib/SILOptimizer/Utils/DifferentiationMangler.cpp).

use super::{AutoDiff, Derivative, Kind, NodeId, Symbol, Tree, WitnessedDerivative};

impl Symbol {
    /// The name of the `derivative` of the function called `name` by `parameters` and `results`, a letter for each of
    /// the function's: `S` if it counts, `U` if it does not. `signature` makes the node of the derivative's own generic
    /// signature, if it has one. A name that is no symbol stays as it is before the rest. None if the signature or the
    /// symbol has a form that no compiler makes.
    pub fn of_derivative(
        name: &str,
        derivative: Derivative,
        [parameters, results]: [&str; 2],
        signature: impl FnOnce(&mut Tree) -> Option<Vec<NodeId>>,
    ) -> Option<String> {
        made_of(Some(name), Kind::AutoDiff(AutoDiff::Function), |tree| {
            let signature = signature(tree)?;
            Some(signature.into_iter().chain(configuration(tree, Kind::Derivative(derivative), &[parameters, results])))
        })
    }

    /// The name of the differentiability witness of the function called `name`, of the same form as that of a
    /// derivative (lib/AST/ASTMangler.cpp, `mangleSILDifferentiabilityWitness`). It has no prefix: the node is not that
    /// of a global entity when it is mangled. None if the signature or the symbol has a form that no compiler makes.
    pub fn of_differentiability_witness(
        name: &str,
        derivative: WitnessedDerivative,
        [parameters, results]: [&str; 2],
        signature: impl FnOnce(&mut Tree) -> Option<Vec<NodeId>>,
    ) -> Option<String> {
        let symbol = made_of(Some(name), Kind::DifferentiabilityWitness, |tree| {
            let configuration = configuration(tree, Kind::WitnessedDerivative(derivative), &[parameters, results]);
            let signature = signature(tree)?;
            Some(configuration.into_iter().chain(signature))
        })?;
        let prefix = Symbol::demangle(name).map_or("", |original| original.prefix);
        Some(symbol.strip_prefix(prefix).map(str::to_owned).unwrap_or(symbol))
    }

    /// The name of the thunk from a `derivative` by more parameters to one by fewer. A derivative is of the function
    /// called `name` and has the type whose node `ty` makes; a linear map is of no function, and `ty` makes the type
    /// that it comes from. `sets` are the parameters and results of the derivative, and the parameters that are left.
    /// None if the type or the symbol has a form that no compiler makes.
    pub fn of_subset_thunk(
        name: Option<&str>,
        derivative: Derivative,
        sets: [&str; 3],
        ty: impl FnOnce(&mut Tree) -> Option<NodeId>,
    ) -> Option<String> {
        made_of(name, Kind::SubsetParametersThunk, |tree| {
            let ty = ty(tree)?;
            Some([ty].into_iter().chain(configuration(tree, Kind::Derivative(derivative), &sets)))
        })
    }
}

/// The nodes of a kind of derivatives, and of sets of parameters and results.
fn configuration(tree: &mut Tree, kind: Kind, sets: &[&str]) -> Vec<NodeId> {
    let kind = tree.add(kind, &[]);
    let sets = sets.iter().map(|set| tree.add_text(Kind::IndexSubset, set));
    [kind].into_iter().chain(sets).collect()
}

/// The name of the entity that differentiation makes of the function called `name`, if it is made of one. `parts` makes
/// the nodes after those of the function.
fn made_of<Parts: Iterator<Item = NodeId>>(
    name: Option<&str>,
    kind: Kind,
    parts: impl FnOnce(&mut Tree) -> Option<Parts>,
) -> Option<String> {
    let original = name.and_then(Symbol::demangle);
    let mut tree = original.as_ref().map(|symbol| symbol.tree.clone()).unwrap_or_default();
    let mut children = original.as_ref().map_or_else(Vec::new, |symbol| tree.children(symbol.root).to_vec());
    children.extend(parts(&mut tree)?);
    let function = tree.add(kind, &children);
    let root = tree.add(Kind::Global, &[function]);
    let (before, prefix) = match (name, &original) {
        (_, Some(original)) => ("", original.prefix),
        (Some(name), None) => (name, ""),
        (None, None) => ("", "$s"),
    };
    Some(format!("{before}{}", Symbol { prefix, tree, root }.remangle()?))
}
