//! The compile unit of a module, its files, and the flags that make LLVM keep debug information.

use std::cell::RefCell;

use inkwell::context::Context;
use inkwell::debug_info::{
    AsDIScope, DICompileUnit, DIFile, DIScope, DISubprogram, DISubroutineType, DWARFEmissionKind, DWARFSourceLanguage,
    DebugInfoBuilder, debug_metadata_version,
};
use inkwell::module::Module as LlvmModule;
use rustc_hash::FxHashMap;
use sil_ir::context::Name;
use sil_ir::model::{Module, ScopeId};
use sil_ir::source::{FileId, SourceMap};

use super::scopes::BlockKey;
use super::subprograms::function_scopes;
use super::types::KnownTypes;
use super::variables::VariableKey;
use super::{DebugOptions, Detail};
use crate::llvm::debug_variables::DebugVariable;
use crate::llvm::metadata::{FlagMerge, add_module_flag};

/// The producer of the debug information: `DW_AT_producer`. It begins with clang's name, since gdb only uses line
/// tables to find the end of a function's prologue for compilers that it knows to be LLVM's.
const PRODUCER: &str = concat!("clang LLVM (silc ", env!("CARGO_PKG_VERSION"), ")");

/// The debug information of one module under construction.
pub struct DebugInfo<'a, 'ctx> {
    pub(super) sil: &'a Module,
    pub(super) sources: &'a SourceMap,
    pub(super) options: &'a DebugOptions,
    pub(super) context: &'ctx Context,
    pub(super) builder: DebugInfoBuilder<'ctx>,
    unit: DICompileUnit<'ctx>,
    /// The type of all functions: DWARF needs no more to distinguish them.
    pub(super) function_type: DISubroutineType<'ctx>,
    /// Whether the code will be optimised.
    pub(super) optimizes: bool,
    files: RefCell<FxHashMap<String, DIFile<'ctx>>>,
    /// The scope that represents each Swift function.
    pub(super) function_scopes: FxHashMap<Name, ScopeId>,
    /// The Swift functions.
    pub(super) subprograms: RefCell<FxHashMap<Name, DISubprogram<'ctx>>>,
    pub(super) blocks: RefCell<FxHashMap<BlockKey, DIScope<'ctx>>>,
    pub(super) types: KnownTypes<'ctx>,
    pub(super) variables: RefCell<FxHashMap<VariableKey<'ctx>, DebugVariable<'ctx>>>,
    /// The argument variables, by the address of the function's node and their index.
    pub(super) arguments: RefCell<FxHashMap<(usize, u32), VariableKey<'ctx>>>,
}

/// The facts of the compilation in the compile unit.
pub struct UnitFacts<'a> {
    /// The .sil file, as the user named it.
    pub name: &'a str,
    /// Whether the code is optimised.
    pub optimizes: bool,
}

impl<'a, 'ctx> DebugInfo<'a, 'ctx> {
    /// Begins the debug information of `llvm`.
    pub fn new(
        context: &'ctx Context,
        llvm: &LlvmModule<'ctx>,
        (sil, sources): (&'a Module, &'a SourceMap),
        options: &'a DebugOptions,
        facts: &UnitFacts<'_>,
    ) -> Self {
        add_flags(context, llvm);
        let (builder, unit) = llvm.create_debug_info_builder(
            true,
            DWARFSourceLanguage::Swift,
            &options.prefixes.map(facts.name),
            &options.prefixes.map(&options.directory),
            PRODUCER,
            facts.optimizes,
            "",
            0,
            "",
            emission_kind(options.detail),
            0,
            false,
            false,
            "",
            "",
        );
        let function_type = builder.create_subroutine_type(unit.get_file(), None, &[], 0);
        Self {
            sil,
            sources,
            options,
            context,
            builder,
            unit,
            function_type,
            optimizes: facts.optimizes,
            files: RefCell::default(),
            function_scopes: function_scopes(sil),
            subprograms: RefCell::default(),
            blocks: RefCell::default(),
            types: KnownTypes::default(),
            variables: RefCell::default(),
            arguments: RefCell::default(),
        }
    }

    /// Finishes the debug information that LLVM collects. Nothing can be added afterwards.
    pub fn finish(&self) {
        self.builder.finalize();
    }

    /// The amount of detail.
    pub fn detail(&self) -> Detail {
        self.options.detail
    }

    /// LLVM's builder of debug information.
    pub fn builder(&self) -> &DebugInfoBuilder<'ctx> {
        &self.builder
    }

    /// Returns the scope of everything outside of functions.
    pub(super) fn unit_scope(&self) -> DIScope<'ctx> {
        self.unit.as_debug_info_scope()
    }

    /// The file of the compile unit.
    pub(super) fn unit_file(&self) -> DIFile<'ctx> {
        self.unit.get_file()
    }

    /// The file of this name, relative to the folder of the compilation.
    fn file(&self, name: &str) -> DIFile<'ctx> {
        if let Some(found) = self.files.borrow().get(name) {
            return *found;
        }
        let prefixes = &self.options.prefixes;
        // "<compiler-generated>" has no folder.
        let directory = if name.starts_with('<') { String::new() } else { prefixes.map(&self.options.directory) };
        let file = self.builder.create_file(&prefixes.map(name), &directory);
        self.files.borrow_mut().insert(name.to_owned(), file);
        file
    }

    /// The file of SIL text.
    pub(super) fn sil_file(&self, id: FileId) -> DIFile<'ctx> {
        self.file(&self.sources.file(id).path.to_string_lossy())
    }

    /// The file of Swift text that SIL names.
    pub(super) fn swift_file(&self, name: Name) -> DIFile<'ctx> {
        self.file(self.sil.context.text(name))
    }
}

fn emission_kind(detail: Detail) -> DWARFEmissionKind {
    match detail {
        Detail::LineTables => DWARFEmissionKind::LineTablesOnly,
        Detail::Full => DWARFEmissionKind::Full,
    }
}

/// The version of DWARF. With version 5, LLVM writes an index of names without some of its own types, which DWARF's
/// verifier reports.
const VERSION: u32 = 4;

fn add_flags<'ctx>(context: &'ctx Context, llvm: &LlvmModule<'ctx>) {
    add_module_flag(context, llvm, FlagMerge::Maximum, "Dwarf Version", VERSION);
    add_module_flag(context, llvm, FlagMerge::Warning, "Debug Info Version", debug_metadata_version());
}
