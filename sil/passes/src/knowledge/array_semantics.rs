//! The semantics of array functions, as `@_semantics` attributes state them
//! (lib/SILOptimizer/Analysis/ArraySemantic.cpp).

use sil_analysis::ApplySite;
use sil_ir::context::Context;
use sil_ir::model::{Body, Function, InstructionId, Module};

/// The state of calls of functions with semantics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Semantics {
    /// The calls are kept: arrays and their elements are treated as values.
    Called,
    /// The calls may be inlined.
    Inlined,
}

/// The effect of a function on an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum ArrayFunction {
    /// Returns whether the elements are stored natively.
    NativeTypeCheck,
    /// Checks a subscript before an element is read.
    SubscriptCheck,
    /// Checks the index of an element.
    IndexCheck,
    /// Returns the number of elements.
    Count,
    /// Returns the capacity.
    Capacity,
    /// Returns an element.
    Element,
    /// Returns the address of an element.
    ElementAddress,
    /// Makes the buffer unique, so that elements can be mutated.
    MakeMutable,
    /// Ends the mutation that `MakeMutable` began.
    EndMutation,
    /// Mutates the array in an unknown way.
    MutateUnknown,
    /// Reserves capacity for appended elements.
    ReserveCapacityForAppend,
    /// Passes the elements to a function that may mutate them.
    WithUnsafeMutableBufferPointer,
    /// Appends several elements.
    AppendContentsOf,
    /// Appends an element.
    AppendElement,
    /// Creates an array.
    Init,
    /// Creates an empty array.
    InitEmpty,
    /// Allocates an array with uninitialised elements, and returns their address.
    Uninitialized,
    /// The same, for literals.
    UninitializedIntrinsic,
    /// Returns an array whose elements have been initialised.
    Finalize,
    /// Anything else.
    Other,
}

impl ArrayFunction {
    /// Returns the semantics of the function that `call` calls, or `None` without such an attribute.
    pub(crate) fn of_call(module: &Module, body: &Body, call: InstructionId) -> Option<Self> {
        called(module, body, call)?.semantics(&module.context).find_map(Self::named)
    }

    /// Returns whether the function creates an array, and takes none.
    pub(crate) fn makes_array(self) -> bool {
        use ArrayFunction::*;
        matches!(self, Init | InitEmpty | Uninitialized | UninitializedIntrinsic | Finalize)
    }

    /// Returns whether the function may change the number of elements.
    pub(crate) fn changes_count(self) -> bool {
        use ArrayFunction::*;
        matches!(
            self,
            MutateUnknown
                | ReserveCapacityForAppend
                | WithUnsafeMutableBufferPointer
                | AppendContentsOf
                | AppendElement
                | Other
        )
    }

    fn named(name: &str) -> Option<Self> {
        Some(match name.strip_prefix("array.")? {
            "props.isNativeTypeChecked" => Self::NativeTypeCheck,
            "check_subscript" => Self::SubscriptCheck,
            "check_index" => Self::IndexCheck,
            "get_count" => Self::Count,
            "get_capacity" => Self::Capacity,
            "get_element" => Self::Element,
            "get_element_address" => Self::ElementAddress,
            "make_mutable" => Self::MakeMutable,
            "end_mutation" => Self::EndMutation,
            "mutate_unknown" => Self::MutateUnknown,
            "reserve_capacity_for_append" => Self::ReserveCapacityForAppend,
            "withUnsafeMutableBufferPointer" => Self::WithUnsafeMutableBufferPointer,
            "append_contentsOf" => Self::AppendContentsOf,
            "append_element" => Self::AppendElement,
            "init" => Self::Init,
            "init.empty" => Self::InitEmpty,
            "uninitialized" => Self::Uninitialized,
            "uninitialized_intrinsic" => Self::UninitializedIntrinsic,
            "finalize_intrinsic" => Self::Finalize,
            _ => Self::Other,
        })
    }
}

/// The effect of a function on a value whose number of elements never changes (`FixedStorageSemanticsCall`,
/// include/swift/SIL/InstWrappers.h).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FixedStorageFunction {
    /// Checks the index of an element.
    IndexCheck,
    /// Returns the number of elements.
    Count,
}

impl FixedStorageFunction {
    /// Returns the semantics of the function that `call` calls, or `None` without such an attribute.
    pub(crate) fn of_call(module: &Module, body: &Body, call: InstructionId) -> Option<Self> {
        called(module, body, call)?.semantics(&module.context).find_map(|name| match name {
            "fixed_storage.check_index" => Some(Self::IndexCheck),
            "fixed_storage.get_count" => Some(Self::Count),
            _ => None,
        })
    }
}

/// Returns the callee of a call.
fn called<'m>(module: &'m Module, body: &Body, call: InstructionId) -> Option<&'m Function> {
    let name = ApplySite::new(body, call).filter(|site| site.kind.is_full())?.called_function()?;
    Some(&module.functions[module.function_named(name)?])
}

/// The level of a function with semantics, which decides until when its calls are kept for other passes
/// (lib/SILOptimizer/Utils/PerformanceInlinerUtils.cpp, `getSemanticFunctionLevel`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SemanticFunctionLevel {
    /// An ordinary function, or one that is inlined at once.
    Transient,
    /// A function that passes know, and that calls other such functions.
    Nested,
    /// A function that passes know, and that calls no other such function.
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
    /// Returns the level of `function`.
    pub(crate) fn of(context: &Context, function: &Function) -> Self {
        let special = |name: &str| match name {
            name if FUNDAMENTAL.contains(&name) => Some(Self::Fundamental),
            name if NESTED.contains(&name) => Some(Self::Nested),
            _ => None,
        };
        function.semantics(context).find_map(special).unwrap_or(Self::Transient)
    }
}
