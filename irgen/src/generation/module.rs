//! The LLVM module of a SIL module: its symbols, and the worklist of functions to emit.

use std::cell::RefCell;
use std::rc::Rc;

use inkwell::context::Context;
use inkwell::module::Module as LlvmModule;
use inkwell::types::IntType;
use inkwell::values::{FunctionValue, InstructionValue, PointerValue};
use rustc_hash::FxHashMap;
use sil_ir::context::{CoroutineKind, Name, Type, TypeId};
use sil_ir::declarations::WasmExport;
use sil_ir::diagnostic::{Diagnostic, Repetition};
use sil_ir::model::{Function, FunctionAttribute, FunctionFlag, FunctionId, Global, Linkage, Module, Serialization};

use super::RuntimeFunction;
use super::c_structures::{CDefinitions, CStructures};
use super::constants::ConstantStruct;
use super::entities::{Declared, Entity};
use super::mode::TaskResults;
use super::partition::Part;
use super::program::Program;
use super::signature::{AsyncKind, Signature};
use super::worklist::Worklist;
use crate::debug::DebugInfo;
use crate::layout::{TargetFacts, TypeConverter};
use crate::llvm::attributes::{self, Attribute, Place};
use crate::llvm::builder::Builder;
use crate::llvm::conventions;
use crate::llvm::globals::mark_used;
use crate::llvm::stack::SwiftErrorSlots;
use crate::refusal::Generated;
use crate::target::{Architecture, CallingConvention, ObjectFormat};

/// The level of later optimisation, which affects code generation, not the choice of passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Optimization {
    /// Minimal optimisation.
    None,
    /// For speed or size.
    Optimize,
}

/// The report of a program when it ends with a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureReport {
    /// The failure's message.
    Message,
    /// Nothing.
    Silence,
}

/// The runtime functions that are called when an Embedded module defines them in SIL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuntimeSource {
    /// silc's runtime: the same entry points and object layout, with cheaper reference counts.
    Silc,
    /// The module's own functions.
    Module,
}

/// The number of threads of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Threads {
    /// Any number.
    #[default]
    Any,
    /// One, by the user's request: references are counted without atomic instructions.
    One,
}

/// The roots of emission, from which all used entities are emitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Roots {
    /// `main` and entities marked as used: the module is a whole executable.
    Main {
        /// Other names known to the start-up code, sorted.
        also: &'static [&'static str],
    },
    /// Everything that other modules may refer to.
    Visible,
}

/// The options of IRGen in addition to the module.
#[derive(Clone, Copy, Debug)]
pub struct IRGenOptions {
    /// The target's facts.
    pub target: TargetFacts,
    /// The target's convention for Swift functions.
    pub swift_convention: CallingConvention,
    /// The target's convention for async Swift functions.
    pub swift_async_convention: CallingConvention,
    /// The level of later optimisation.
    pub optimization: Optimization,
    /// The source of runtime functions.
    pub runtime: RuntimeSource,
    /// The report of failures.
    pub failure_report: FailureReport,
    /// The roots of emission.
    pub roots: Roots,
    /// The number of threads of the program.
    pub threads: Threads,
    /// The convention of runtime functions that preserve their caller's registers.
    pub register_keeping_convention: CallingConvention,
    /// The format of the object file.
    pub object_format: ObjectFormat,
    /// The symbol of a program's entry function.
    pub entry_symbol: &'static str,
    /// The instruction set.
    pub architecture: Architecture,
    /// The definitions of silc's own C library for the target, sorted.
    pub c_library_symbols: &'static [&'static str],
}

/// The weight of a likely branch, against 1.
const UNLIKELY: u64 = 2000;

/// An LLVM module under construction.
pub struct IRGenModule<'a, 'ctx> {
    /// The data shared with the other LLVM modules of the same SIL module.
    pub program: &'a Program<'a>,
    /// The SIL module.
    pub sil: &'a Module,
    /// The layouts of types.
    pub types: &'a TypeConverter<'a>,
    /// The options.
    pub options: IRGenOptions,
    /// The unit, unless the module is whole.
    pub(super) part: Option<Part<'a>>,
    /// LLVM's context.
    pub context: &'ctx Context,
    /// LLVM's module.
    pub llvm: LlvmModule<'ctx>,
    /// A builder for types and constants, without a position.
    pub builder: Builder<'ctx>,
    /// The debug information, if any is emitted.
    pub debug: Option<DebugInfo<'a, 'ctx>>,
    pub(super) signatures: RefCell<FxHashMap<(TypeId, AsyncKind), Rc<Signature<'ctx>>>>,
    /// The declared entities.
    pub(super) entities: RefCell<FxHashMap<Entity, Declared<'ctx>>>,
    /// The allocator of slots for the error register.
    pub swift_error_slots: SwiftErrorSlots<'ctx>,
    /// The errors of code after which emission continued.
    reported: RefCell<Vec<Diagnostic>>,
    /// The used entities that need a definition.
    pub(crate) worklist: Worklist,
    /// The initial values of variables that are declared but not defined yet.
    pub(super) constants: RefCell<FxHashMap<Entity, ConstantStruct>>,
    /// The request to clang.
    pub(super) c_structures: RefCell<CStructures>,
}

#[expect(clippy::expect_used, reason = "the template is constant; LLVM reads it or silc itself is at fault")]
fn swift_error_slots(context: &Context) -> SwiftErrorSlots<'_> {
    SwiftErrorSlots::new(context).expect("LLVM reads the template")
}

impl<'a, 'ctx> IRGenModule<'a, 'ctx> {
    /// Creates an empty LLVM module for `program`.
    pub fn new(
        program: &'a Program<'a>,
        part: Option<Part<'a>>,
        context: &'ctx Context,
        llvm: LlvmModule<'ctx>,
    ) -> Self {
        Self {
            program,
            part,
            sil: program.sil,
            types: &program.types,
            options: program.options,
            context,
            llvm,
            builder: Builder::new(context),
            debug: None,
            signatures: RefCell::default(),
            entities: RefCell::default(),
            swift_error_slots: swift_error_slots(context),
            reported: RefCell::default(),
            worklist: Worklist::default(),
            constants: RefCell::default(),
            c_structures: RefCell::default(),
        }
    }

    /// Sets the debug information.
    pub fn with_debug_info(mut self, debug: Option<DebugInfo<'a, 'ctx>>) -> Self {
        self.debug = debug;
        self
    }

    /// Returns the LLVM module with all emitted code, the definitions that clang adds, and the errors.
    pub fn finish(self) -> (LlvmModule<'ctx>, CDefinitions, Vec<Diagnostic>) {
        let c_definitions = self.c_definitions();
        self.keep_used();
        self.share_used();
        self.call_c_library();
        if let Some(debug) = &self.debug {
            debug.finish();
        }
        (self.llvm, c_definitions, self.reported.into_inner())
    }

    /// Gives functions of the C library C's convention. Programs call C functions through `@_silgen_name` too, with
    /// Swift's convention; if that has hidden parameters, as in WebAssembly, the C library's functions keep C's
    /// convention.
    fn call_c_library(&self) {
        if self.options.object_format == ObjectFormat::Wasm {
            let is_of_c_library = |symbol: &str| self.options.c_library_symbols.binary_search(&symbol).is_ok();
            conventions::set_of_declared(&self.llvm, CallingConvention::C.number(), &is_of_c_library);
        }
    }

    /// Marks entities with `[used]` for LLVM and the linker, so that they are kept without references.
    fn keep_used(&self) {
        let is_used = |function: &Function| function.has(FunctionFlag::Used) || function.has(FunctionFlag::MarkUsed);
        let used_functions = self.sil.functions.iter().filter(|(_, function)| is_used(function));
        let used_globals = self.sil.globals.iter().filter(|(_, global)| self.sil.placement(global).used);
        let symbols: Vec<PointerValue<'ctx>> = used_functions
            .map(|(id, _)| Entity::Function(id))
            .chain(used_globals.map(|(id, _)| Entity::Global(id)))
            .chain([Entity::EntryPoint, Entity::AutolinkEntries])
            .chain([Entity::AutomaticReplacements, Entity::Replacements, Entity::OpaqueReplacements])
            .filter(|entity| self.other_unit(entity).is_none())
            .filter_map(|entity| self.declared_address(&entity))
            .chain(self.records())
            .chain(self.distributed_records())
            .chain(self.conformance_records())
            .collect();
        if !symbols.is_empty() {
            mark_used(&self.llvm, &symbols);
        }
    }

    /// Reports an error if the caller cannot return it. No module is produced then.
    pub fn report(&self, mut error: Diagnostic) {
        self.worklist.locate(&mut error);
        let mut reported = self.reported.borrow_mut();
        if !reported.iter().any(|known| known.message == error.message) {
            reported.push(error);
        }
    }

    /// Records an error, in addition to earlier ones.
    pub(crate) fn push_error(&self, error: Diagnostic) {
        self.reported.borrow_mut().push(error);
    }

    pub(crate) fn declare_roots(&self) {
        let is_own = |entity: Entity| self.other_unit(&entity).is_none();
        for (id, function) in self.sil.functions.iter() {
            if self.is_root(function)
                && is_own(Entity::Function(id))
                && let Err(error) = self.function(id)
            {
                self.push_error(error.in_function(function.name));
            }
        }
        for (id, global) in self.sil.globals.iter() {
            if self.is_root_global(global)
                && is_own(Entity::Global(id))
                && let Err(error) = self.global(id)
            {
                self.push_error(*error);
            }
        }
        self.declare_visible_differentiability_witnesses();
        self.program.mode.declare_program_information(self);
    }

    fn is_root_global(&self, global: &Global) -> bool {
        let visible = !global.linkage.is_external() && global.linkage != Linkage::Shared;
        self.sil.placement(global).used || visible && self.options.roots == Roots::Visible
    }

    /// Returns whether other modules may refer to the function. Generic functions have no code in Embedded Swift.
    fn is_root(&self, function: &Function) -> bool {
        let visible = match self.options.roots {
            Roots::Main { also } => {
                let symbol = self.symbol_of_function(function);
                symbol == self.options.entry_symbol || also.binary_search(&symbol.as_str()).is_ok()
            }
            Roots::Visible => match function.linkage {
                Linkage::Public | Linkage::Package | Linkage::Hidden => true,
                // Code in the module's other files calls the definition in the declaring file (SILLinkage.h,
                // `addExternalToLinkage`).
                Linkage::PublicNonAbi | Linkage::PackageNonAbi => self.sil.declarations.has_other_files(),
                _ => false,
            },
        };
        let used = function.has(FunctionFlag::Used) || function.has(FunctionFlag::MarkUsed);
        let generic = function.signature.is_some() && !self.program.mode.emits_generic_functions();
        self.is_defined_here(function) && (visible || used || self.is_distributed_thunk(function)) && !generic
    }

    /// Returns the LLVM function of a SIL function, and declares it if necessary; its body is emitted later.
    pub fn function(&self, id: FunctionId) -> Generated<FunctionValue<'ctx>> {
        if let Some(found) = self.declared_function(&Entity::Function(id)) {
            return Ok(found);
        }
        let function = &self.sil.functions[id];
        if !self.has_library_runtime() {
            require_fixed_body(function)?;
        }
        if function.body.is_none() && self.has_no_code(function) {
            return Err(Box::new(body_is_needed(self.symbol_of_function(function).as_str(), function)));
        }
        let at_function = |mut error: Box<Diagnostic>| {
            error.span.get_or_insert(function.span);
            error
        };
        let signature = self.signature_of_kind(function.ty, self.async_kind(function)).map_err(at_function)?;
        let llvm = self.declare_function(Entity::Function(id), signature.llvm);
        self.set_attributes(function, llvm, &signature);
        if !self.is_defined_here(function)
            && let Some(runtime_function) = RuntimeFunction::from_symbol(&self.symbol_of_function(function))
        {
            self.set_effects(runtime_function, llvm);
        }
        Ok(llvm)
    }

    /// Returns whether silc's runtime is used although an Embedded module contains a runtime in SIL.
    pub fn calls_own_runtime(&self) -> bool {
        self.options.runtime == RuntimeSource::Silc && self.program.mode.brings_runtime()
    }

    /// Returns whether the runtime is that of Swift's own library, which instantiates key paths and replaces functions.
    pub fn has_library_runtime(&self) -> bool {
        self.program.mode.has_library_runtime()
    }

    /// Returns the description of task results.
    pub fn task_results(&self) -> TaskResults {
        self.program.mode.task_results()
    }

    /// Returns whether each call of async code can be a tail call.
    pub fn has_tail_calls(&self) -> bool {
        self.options.swift_async_convention == CallingConvention::SwiftTail
    }

    /// Returns whether no other module has code of a function that is only declared here: each caller's module has its
    /// own (lib/SIL/IR/SILDeclRef.cpp, `getLinkage`), or one for its types. C functions have no body in SIL.
    fn has_no_code(&self, function: &Function) -> bool {
        if self.program.mode.emits_generic_functions() {
            let is_of_c = function.attributes.iter().any(|attribute| matches!(attribute, FunctionAttribute::Clang(_)));
            function.linkage == Linkage::HiddenExternal && function.serialization != Serialization::None && !is_of_c
        } else {
            function.signature.is_some() && self.async_kind(function) != AsyncKind::Waiting
        }
    }

    /// Returns whether the runtime tracks dynamically enforced accesses.
    pub fn enforces_accesses(&self) -> bool {
        self.program.mode.enforces_accesses()
    }

    /// Returns whether the function's body is emitted. Runtime functions in an Embedded module's SIL are replaced with
    /// silc's own.
    pub(super) fn is_defined_here(&self, function: &Function) -> bool {
        let overruled =
            self.calls_own_runtime() && RuntimeFunction::from_symbol(self.sil.context.text(function.name)).is_some();
        let is_of_other_module =
            matches!(function.linkage, Linkage::PublicExternal | Linkage::PackageExternal | Linkage::HiddenExternal);
        let is_copy = is_of_other_module && !self.program.mode.defines_imported();
        function.body.is_some() && !overruled && !is_copy
    }

    /// The LLVM function of the SIL function with this name.
    pub fn function_named(&self, name: Name) -> Generated<Option<FunctionValue<'ctx>>> {
        self.sil.function_named(name).map(|id| self.function(id)).transpose()
    }

    /// The LLVM function of the SIL function with this name.
    pub fn function_with_symbol(&self, symbol: &str) -> Option<FunctionValue<'ctx>> {
        let name = self.sil.context.find_name(symbol)?;
        let id = self.sil.function_named(name)?;
        self.function(id).ok()
    }

    fn set_attributes(&self, function: &Function, llvm: FunctionValue<'ctx>, signature: &Signature<'ctx>) {
        llvm.set_call_conventions(signature.convention);
        signature.attributes.add_to(llvm);
        if function.has(FunctionFlag::NoInline) {
            attributes::add(llvm, Place::Function, &[Attribute::NoInline]);
        }
        self.set_host_names(function, llvm);
        self.set_optimization_attributes(function, llvm);
        // A coroutine can only be inlined after its split, and LLVM inlines `alwaysinline` functions before.
        let optimizes = self.optimizes() && !function.has(FunctionFlag::OptimizeNone);
        let inlines = optimizes && !self.is_coroutine(function.ty) && signature.asynchronous.is_none();
        if function.has(FunctionFlag::AlwaysInline) && inlines {
            attributes::add(llvm, Place::Function, &[Attribute::AlwaysInline]);
        }
    }

    /// The names of the function for the host of a WebAssembly module.
    fn set_host_names(&self, function: &Function, llvm: FunctionValue<'ctx>) {
        if self.options.object_format != ObjectFormat::Wasm {
            return;
        }
        let text = |name| self.sil.context.text(name);
        let Some(foreign) = self.sil.declarations.foreign_function(text(function.name), &self.sil.context) else {
            return;
        };
        if self.is_defined_here(function) {
            match foreign.wasm_export {
                Some(WasmExport::Symbol) => attributes::add_wasm_export(llvm, text(function.name)),
                Some(WasmExport::Named(name)) => attributes::add_wasm_export(llvm, text(name)),
                None => {}
            }
        } else if let Some(import) = foreign.wasm_import {
            attributes::add_wasm_import(llvm, text(import.module), text(import.name));
        }
    }

    /// The attributes for `[Onone]` and `[Osize]`, if the module is optimised otherwise. LLVM has no attribute for
    /// speed.
    fn set_optimization_attributes(&self, function: &Function, llvm: FunctionValue<'ctx>) {
        if !self.optimizes() || !self.is_defined_here(function) {
            return;
        }
        if function.has(FunctionFlag::OptimizeNone) {
            // LLVM requires both.
            attributes::add(llvm, Place::Function, &[Attribute::OptimizeNone, Attribute::NoInline]);
        } else if function.has(FunctionFlag::OptimizeForSize) {
            attributes::add(llvm, Place::Function, &[Attribute::OptimizeForSize]);
        }
    }

    /// Returns whether callers of C functions extend small integers to whole registers. AArch64's procedure call
    /// standard leaves it to the callee.
    pub fn extends_small_integers(&self) -> bool {
        self.options.architecture != Architecture::Aarch64 || self.options.object_format == ObjectFormat::MachO
    }

    /// Returns the maximum number of registers in which Swift's convention passes or returns a value directly.
    pub fn direct_registers(&self) -> u64 {
        self.options.target.direct_registers
    }

    /// LLVM's number of the convention of Swift functions.
    pub fn swift_convention(&self) -> u32 {
        self.options.swift_convention.number()
    }

    /// Returns whether the code is optimised afterwards.
    pub fn optimizes(&self) -> bool {
        self.options.optimization == Optimization::Optimize
    }

    /// Marks the first target of a conditional branch as unlikely.
    pub fn mark_unlikely(&self, branch: InstructionValue<'ctx>) {
        self.set_weights(branch, [1, UNLIKELY]);
    }

    /// Marks the second target of a conditional branch as unlikely.
    pub fn mark_likely(&self, branch: InstructionValue<'ctx>) {
        self.set_weights(branch, [UNLIKELY, 1]);
    }

    fn set_weights(&self, branch: InstructionValue<'ctx>, weights: [u64; 2]) {
        if !self.optimizes() {
            return;
        }
        self.builder.set_branch_weights(branch, &weights);
    }

    fn is_coroutine(&self, ty: TypeId) -> bool {
        matches!(self.sil.context.get(ty), Type::Function(function) if function.coroutine != CoroutineKind::None)
    }

    /// Returns the pointer-sized integer type.
    pub fn word_type(&self) -> IntType<'ctx> {
        self.builder.int_type(self.pointer_bits())
    }

    /// The size of a pointer in bytes.
    pub fn pointer_size(&self) -> u64 {
        self.options.target.pointer_size
    }

    /// The size of a pointer in bits.
    pub fn pointer_bits(&self) -> u32 {
        self.options.target.pointer_size as u32 * 8
    }

    /// Returns the error for an unsupported type.
    pub fn unsupported_type(&self, ty: TypeId) -> Box<Diagnostic> {
        self.types.unsupported(ty)
    }
}

/// Rejects dynamically replaceable functions and replacements. Calls of a replaceable function go through a variable,
/// which replacements set when they are loaded.
fn require_fixed_body(function: &Function) -> Generated<()> {
    let replaces = function.attributes.iter().any(|attribute| {
        matches!(attribute, FunctionAttribute::DynamicReplacementFor(_) | FunctionAttribute::ObjCReplacementFor(_))
    });
    match replaces || function.has(FunctionFlag::DynamicallyReplaceable) {
        true => {
            Err(Box::new(Diagnostic::unsupported("functions that are replaced while the program runs", function.span)))
        }
        false => Ok(()),
    }
}

fn body_is_needed(symbol: &str, function: &Function) -> Diagnostic {
    let message = format!("the body of '{symbol}' is needed, and only its declaration is here");
    Diagnostic::error("missing-body", message, function.span)
        .hint("give the module that has it as SIL: with --sil-library, or beside this one")
}

/// Reports errors with one cause, such as an unknown layout, at the first use, with the number of uses.
pub fn once_per_cause(errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut counts: FxHashMap<String, usize> = FxHashMap::default();
    let is_repeated = |error: &Diagnostic| error.repetition == Repetition::OneCause;
    for error in errors.iter().filter(|error| is_repeated(error)) {
        *counts.entry(error.message.clone()).or_default() += 1;
    }
    let once = |error: Diagnostic| {
        if !is_repeated(&error) {
            return Some(error);
        }
        Some(match counts.remove(&error.message)? {
            1 => error,
            2 => error.note("it is so in another place as well", None),
            count => error.note(format!("it is so in {} other places as well", count - 1), None),
        })
    };
    errors.into_iter().filter_map(once).collect()
}
