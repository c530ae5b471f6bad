//! What `@_semantics` says of the functions of arrays (lib/SILOptimizer/Analysis/ArraySemantic.cpp).

use crate::analysis::ApplySite;
use crate::context::Context;
use crate::model::{Body, Function, InstructionId, Module};

/// What has become of calls of functions with semantics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::transform) enum Semantics {
    /// They are calls still: arrays are values, their elements too.
    Called,
    /// They may be inlined.
    Inlined,
}

/// What a function does with an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::transform) enum ArrayFunction {
    /// Makes one whose elements are not initialised, and gives where they lie.
    Uninitialized,
    /// Makes one.
    Init,
    /// Gives one whose elements are initialised.
    Finalize,
    /// Gives the number of its elements.
    Count,
    /// Gives how many elements it has place for.
    Capacity,
    /// Says whether its elements lie as Swift lays them out.
    NativeTypeCheck,
    /// Checks whether something is the number of one of its elements.
    Check,
    /// Gives an element.
    Element,
    /// Anything else.
    Other,
}

impl ArrayFunction {
    /// What the function does that `call` calls; none where nothing is said of that.
    pub(in crate::transform) fn of_call(module: &Module, body: &Body, call: InstructionId) -> Option<Self> {
        let name = ApplySite::new(body, call).filter(|site| site.kind.is_full())?.called_function()?;
        let function = &module.functions[module.function_named(name)?];
        function.semantics(&module.context).find_map(Self::named)
    }

    fn named(name: &str) -> Option<Self> {
        Some(match name.strip_prefix("array.")? {
            "uninitialized" => Self::Uninitialized,
            "finalize_intrinsic" => Self::Finalize,
            "get_count" => Self::Count,
            "get_capacity" => Self::Capacity,
            "props.isNativeTypeChecked" => Self::NativeTypeCheck,
            "check_index" | "check_subscript" => Self::Check,
            "get_element" => Self::Element,
            name if name.starts_with("init") => Self::Init,
            _ => Self::Other,
        })
    }
}

/// Of which rank a function with semantics is: whether passes want to see calls of it, and for how long
/// (lib/SILOptimizer/Utils/PerformanceInlinerUtils.cpp, `getSemanticFunctionLevel`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::transform) enum SemanticFunctionLevel {
    /// Its calls are nothing special, or are to be inlined at once.
    Transient,
    /// Passes know it, and it calls others that they know.
    Nested,
    /// Passes know it, and it calls no others.
    Fundamental,
}

/// The attributes of fundamental functions.
const FUNDAMENTAL: [&str; 16] = [
    "array.init.empty",
    "array.props.isNativeTypeChecked",
    "array.check_subscript",
    "array.check_index",
    "array.get_count",
    "array.get_capacity",
    "array.get_element",
    "array.get_element_address",
    "array.make_mutable",
    "array.end_mutation",
    "array.mutate_unknown",
    "array.init",
    "array.uninitialized",
    "array.withUnsafeMutableBufferPointer",
    "fixed_storage.check_index",
    "fixed_storage.get_count",
];

/// The attributes of nested functions.
const NESTED: [&str; 3] = ["array.reserve_capacity_for_append", "array.append_contentsOf", "array.append_element"];

impl SemanticFunctionLevel {
    /// That of `function`.
    pub(in crate::transform) fn of(context: &Context, function: &Function) -> Self {
        let special = |name: &str| match name {
            name if FUNDAMENTAL.contains(&name) => Some(Self::Fundamental),
            name if NESTED.contains(&name) => Some(Self::Nested),
            _ => None,
        };
        function.semantics(context).find_map(special).unwrap_or(Self::Transient)
    }
}
