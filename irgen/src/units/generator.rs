//! LLVM modules of a SIL module: of all of it, or of one unit.

use inkwell::context::Context;
use inkwell::module::Module;
use sil_ir::source::SourceMap;

use crate::Error;
use crate::debug::{DebugInfo, DebugOptions, UnitFacts};
use crate::generation::{IRGenModule, Part, Program};
use crate::llvm::modules;
use crate::runtime::embedded;
use crate::target::Machine;

/// The source of LLVM modules.
#[derive(Clone, Copy)]
pub struct Generator<'a> {
    /// The SIL, with its indexes and layouts.
    pub program: &'a Program<'a>,
    /// The module's name in messages: the path of the .sil file.
    pub name: &'a str,
    /// The text that the SIL was read from.
    pub sources: &'a SourceMap,
    /// The debug information to emit, if any.
    pub debug: Option<&'a DebugOptions>,
}

impl<'a> Generator<'a> {
    /// Begins the LLVM module of the whole or of a part.
    pub fn begin<'ctx>(
        &self,
        part: Option<Part<'a>>,
        machine: &Machine,
        context: &'ctx Context,
    ) -> IRGenModule<'a, 'ctx> {
        let llvm = context.create_module(self.name);
        machine.prepare_module(&llvm);
        let irgen = IRGenModule::new(self.program, part, context, llvm);
        let facts = UnitFacts { name: self.name, optimizes: irgen.optimizes() };
        let sil = (self.program.sil, self.sources);
        let debug = self.debug.map(|debug| DebugInfo::new(context, &irgen.llvm, sil, debug, &facts));
        irgen.with_debug_info(debug)
    }
}

/// Defines the functions that the module calls and no library defines.
pub fn link_shims<'ctx>(module: &Module<'ctx>, machine: &Machine, context: &'ctx Context) -> Result<(), Error> {
    let is_called = |symbol: &str| module.get_function(symbol).is_some_and(|found| found.count_basic_blocks() == 0);
    let Some(shims) = embedded::shims(machine.target(), is_called) else { return Ok(()) };
    let shims = modules::parse(context, shims, "shims")?;
    machine.prepare_module(&shims);
    modules::link(module, shims)
}
