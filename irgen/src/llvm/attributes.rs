//! Facts about functions, parameters, results and call sites, as attributes for LLVM. The meaning of each is LLVM's
//! (LangRef, "Parameter Attributes" and "Function Attributes").

use inkwell::attributes::{Attribute as LlvmAttribute, AttributeLoc};
use inkwell::context::{Context, ContextRef};
use inkwell::module::Module;
use inkwell::types::AnyTypeEnum;
use inkwell::values::{AsValueRef, CallSiteValue, FunctionValue};

use super::context_of;

/// The subject of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The function or call itself.
    Function,
    /// Its result.
    Result,
    /// The parameter or argument of this number, from 0.
    Parameter(usize),
}

impl Place {
    fn location(self) -> AttributeLoc {
        match self {
            Place::Function => AttributeLoc::Function,
            Place::Result => AttributeLoc::Return,
            Place::Parameter(number) => AttributeLoc::Param(number as u32),
        }
    }
}

/// An attribute with its argument. LLVM's rules determine the legal places of each; the verifier checks them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Attribute<'ctx> {
    // Parameters and results.
    /// The context or `self` of Swift's convention, in its own register.
    SwiftSelf,
    /// The context of an async function, in its own register.
    SwiftAsync,
    /// The error slot of Swift's convention, in its own register; the parameter is a pointer.
    SwiftError,
    /// The address that an indirect result of this type is written to.
    StructReturn(AnyTypeEnum<'ctx>),
    /// No other access path in this scope to the memory reached through it.
    NoAlias,
    /// The callee keeps no copy of the pointer (`captures(none)`).
    NoCapture,
    /// The function returns this parameter.
    Returned,
    /// A small integer passed zero extended (C conventions).
    ZeroExtend,
    /// A small integer passed sign extended (C conventions).
    SignExtend,
    /// Alignment of the pointer in bytes, a power of two.
    Alignment(u64),
    /// The pointer is dereferenceable for this number of bytes; zero has no meaning.
    Dereferenceable(u64),

    // Functions and calls.
    /// Inline wherever possible, even at -O0.
    AlwaysInline,
    /// Never inline.
    NoInline,
    /// -Os.
    OptimizeForSize,
    /// -Oz; needs `OptimizeForSize` as well.
    MinimizeSize,
    /// Do not optimise at all; needs `NoInline` as well.
    OptimizeNone,
    /// Rarely called.
    Cold,
    /// Does not return.
    NoReturn,
    /// Does not unwind.
    NoUnwind,
    /// A coroutine not yet split by LLVM's passes.
    PresplitCoroutine,
}

impl<'ctx> Attribute<'ctx> {
    fn lower(self, context: ContextRef<'ctx>) -> LlvmAttribute {
        let kind = |name| LlvmAttribute::get_named_enum_kind_id(name);
        let number = |name, value| context.create_enum_attribute(kind(name), value);
        let plain = |name| number(name, 0);
        match self {
            Attribute::SwiftSelf => plain("swiftself"),
            Attribute::SwiftAsync => plain("swiftasync"),
            Attribute::SwiftError => plain("swifterror"),
            Attribute::StructReturn(ty) => context.create_type_attribute(kind("sret"), ty),
            Attribute::NoAlias => plain("noalias"),
            Attribute::NoCapture => plain("captures"),
            Attribute::Returned => plain("returned"),
            Attribute::ZeroExtend => plain("zeroext"),
            Attribute::SignExtend => plain("signext"),
            Attribute::Alignment(bytes) => number("align", bytes),
            Attribute::Dereferenceable(bytes) => number("dereferenceable", bytes),
            Attribute::AlwaysInline => plain("alwaysinline"),
            Attribute::NoInline => plain("noinline"),
            Attribute::OptimizeForSize => plain("optsize"),
            Attribute::MinimizeSize => plain("minsize"),
            Attribute::OptimizeNone => plain("optnone"),
            Attribute::Cold => plain("cold"),
            Attribute::NoReturn => plain("noreturn"),
            Attribute::NoUnwind => plain("nounwind"),
            Attribute::PresplitCoroutine => plain("presplitcoroutine"),
        }
    }
}

/// A value with attributes: a function or one call of it.
pub trait Attributed: AsValueRef + Copy {
    /// Adds one attribute at one place.
    fn put(self, place: AttributeLoc, attribute: LlvmAttribute);
}

impl Attributed for FunctionValue<'_> {
    fn put(self, place: AttributeLoc, attribute: LlvmAttribute) {
        self.add_attribute(place, attribute);
    }
}

impl Attributed for CallSiteValue<'_> {
    fn put(self, place: AttributeLoc, attribute: LlvmAttribute) {
        self.add_attribute(place, attribute);
    }
}

/// Adds attributes at one place of a function or call.
pub fn add<'ctx>(to: impl Attributed, place: Place, attributes: &[Attribute<'ctx>]) {
    let context = context_of(&to);
    for attribute in attributes {
        to.put(place.location(), attribute.lower(context));
    }
}

/// Adds attributes to each function that is defined in the module and may be optimised.
pub fn add_to_definitions(module: &Module<'_>, attributes: &[Attribute<'_>]) {
    let no_optimization = LlvmAttribute::get_named_enum_kind_id("optnone");
    let is_optimized = |function: &FunctionValue<'_>| {
        function.count_basic_blocks() > 0
            && function.get_enum_attribute(AttributeLoc::Function, no_optimization).is_none()
    };
    for function in module.get_functions().filter(is_optimized) {
        add(function, Place::Function, attributes);
    }
}

/// Sets the name of the function for the host of a WebAssembly module.
pub fn add_wasm_export(function: FunctionValue<'_>, name: &str) {
    add_text(function, "wasm-export-name", name);
}

/// Sets the module and the name of the function in the host of a WebAssembly module.
pub fn add_wasm_import(function: FunctionValue<'_>, module: &str, name: &str) {
    add_text(function, "wasm-import-module", module);
    add_text(function, "wasm-import-name", name);
}

fn add_text(function: FunctionValue<'_>, kind: &str, text: &str) {
    let attribute = context_of(&function).create_string_attribute(kind, text);
    function.put(AttributeLoc::Function, attribute);
}

/// Attributes with their places, created once for a function and all calls of its type.
#[derive(Debug, Clone, Default)]
pub struct AttributeList(Vec<(AttributeLoc, LlvmAttribute)>);

impl AttributeList {
    /// Appends an attribute.
    pub fn push<'ctx>(&mut self, context: &'ctx Context, place: Place, attribute: Attribute<'ctx>) {
        // SAFETY: the context is alive for 'ctx.
        let context = unsafe { ContextRef::new(context.raw()) };
        self.0.push((place.location(), attribute.lower(context)));
    }

    /// Removes the attributes for sizes of memory.
    pub fn without_sizes(mut self) -> Self {
        let size = LlvmAttribute::get_named_enum_kind_id("dereferenceable");
        self.0.retain(|(_, attribute)| attribute.get_enum_kind_id() != size);
        self
    }

    /// Adds all of them to a function or call.
    pub fn add_to(&self, to: impl Attributed) {
        for (place, attribute) in &self.0 {
            to.put(*place, *attribute);
        }
    }
}
