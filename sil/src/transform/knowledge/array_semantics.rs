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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::transform) enum ArrayFunction {
    /// Says whether its elements lie as Swift lays them out.
    NativeTypeCheck,
    /// Checks whether something is the number of one of its elements, before that is read.
    SubscriptCheck,
    /// Checks whether something is the number of one of its elements.
    IndexCheck,
    /// Gives the number of its elements.
    Count,
    /// Gives how many elements it has place for.
    Capacity,
    /// Gives an element.
    Element,
    /// Gives the address of an element.
    ElementAddress,
    /// Makes its buffer unique, so that elements can be changed.
    MakeMutable,
    /// Ends what that began.
    EndMutation,
    /// Changes it in some way.
    MutateUnknown,
    /// Makes place for more elements.
    ReserveCapacityForAppend,
    /// Lends its elements to a function that may change them.
    WithUnsafeMutableBufferPointer,
    /// Adds several elements.
    AppendContentsOf,
    /// Adds an element.
    AppendElement,
    /// Makes one.
    Init,
    /// Makes one without elements.
    InitEmpty,
    /// Makes one whose elements are not initialised, and gives where they lie.
    Uninitialized,
    /// The same, for literals.
    UninitializedIntrinsic,
    /// Gives one whose elements are initialised.
    Finalize,
    /// Anything else.
    Other,
}

impl ArrayFunction {
    /// What the function does that `call` calls; none where nothing is said of that.
    pub(in crate::transform) fn of_call(module: &Module, body: &Body, call: InstructionId) -> Option<Self> {
        called(module, body, call)?.semantics(&module.context).find_map(Self::named)
    }

    /// Whether it makes an array, and takes none.
    pub(in crate::transform) fn makes_array(self) -> bool {
        use ArrayFunction::*;
        matches!(self, Init | InitEmpty | Uninitialized | UninitializedIntrinsic | Finalize)
    }

    /// Whether it may change how many elements an array has.
    pub(in crate::transform) fn changes_count(self) -> bool {
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

/// What a function does with a value whose number of elements never changes (`FixedStorageSemanticsCall`, include/swift/SIL/InstWrappers.h).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::transform) enum FixedStorageFunction {
    /// Checks whether something is the number of an element.
    IndexCheck,
    /// Gives the number of elements.
    Count,
}

impl FixedStorageFunction {
    /// What the function does that `call` calls; none where nothing is said of that.
    pub(in crate::transform) fn of_call(module: &Module, body: &Body, call: InstructionId) -> Option<Self> {
        called(module, body, call)?.semantics(&module.context).find_map(|name| match name {
            "fixed_storage.check_index" => Some(Self::IndexCheck),
            "fixed_storage.get_count" => Some(Self::Count),
            _ => None,
        })
    }
}

/// The function that a call calls.
fn called<'m>(module: &'m Module, body: &Body, call: InstructionId) -> Option<&'m Function> {
    let name = ApplySite::new(body, call).filter(|site| site.kind.is_full())?.called_function()?;
    Some(&module.functions[module.function_named(name)?])
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
