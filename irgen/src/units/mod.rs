//! Units: the parts of a large module that are optimised and emitted apart from each other, on as many cores as there are. Owns the way
//! from a generated module to one object file; what a unit is made of is decided in `partition`, how objects are joined in `merge`.
//!
//! The module is written as bitcode once. Each unit reads its own functions of it into a context of its own; the others are
//! declarations there. The partition depends on the module alone, so that the object is the same however many threads there are.
//!
//! Only objects in ELF are made so; other formats and other kinds of output, and modules with debug information, stay whole.

mod merge;
mod partition;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use inkwell::context::Context;
use inkwell::module::{Linkage, Module};
use inkwell::values::{FunctionValue, GlobalValue};

use crate::Error;
use crate::emit::{ModuleOutput, emit_to_memory};
use crate::llvm::diagnostics::DiagnosticCollector;
use crate::llvm::{globals, modules, splitting};
use crate::optimize::{self, OptimizeOptions, optimize_verified};
use crate::target::{Machine, MachineOptions, ObjectFormat, OptimizationLevel, Target};
pub use partition::{Partition, UnitId, is_large, partition};

/// Whether code for the target can be made in units.
pub fn is_supported(target: &Target) -> bool {
    target.object_format() == ObjectFormat::Elf
}

/// How units are compiled.
pub struct UnitOptions<'a> {
    target: &'a Target,
    machine: &'a MachineOptions,
    /// The runtime as bitcode, to be inlined.
    runtime: Option<&'a [u8]>,
}

impl<'a> UnitOptions<'a> {
    /// Units for the target of `machine`, each with a code generator like it.
    pub fn new(machine: &'a Machine, runtime: Option<&'a [u8]>) -> Self {
        let is_optimized = machine.optimization() > OptimizationLevel::O0;
        Self { target: machine.target(), machine: machine.options(), runtime: runtime.filter(|_| is_optimized) }
    }
}

/// Compiles the units of a module to one object.
pub fn compile(module: Module<'_>, partition: &Partition, options: &UnitOptions<'_>) -> Result<Vec<u8>, Error> {
    let name = module.get_name().to_string_lossy().into_owned();
    let bitcode = modules::bitcode_of(&module);
    drop(module);
    let units: Vec<UnitId> = partition.units().collect();
    let objects = compile_all(&units, |unit| compile_unit(unit, &bitcode, &name, partition, options))?;
    merge::merge(&objects, |symbol| partition.is_promoted(symbol))
}

/// The objects of units, in their order. This thread works along with those of the pool, where the memory of what it generated is used
/// again.
fn compile_all(
    units: &[UnitId],
    compile: impl Fn(UnitId) -> Result<Vec<u8>, Error> + Sync,
) -> Result<Vec<Vec<u8>>, Error> {
    let next = AtomicUsize::new(0);
    let objects = Mutex::new(BTreeMap::new());
    let work = || {
        while let Some(unit) = units.get(next.fetch_add(1, Ordering::Relaxed)) {
            let object = compile(*unit);
            objects.lock().unwrap_or_else(PoisonError::into_inner).insert(*unit, object);
        }
    };
    rayon::in_place_scope(|scope| {
        for _ in 1..rayon::current_num_threads() {
            scope.spawn(|_| work());
        }
        work();
    });
    objects.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
}

fn compile_unit(
    unit: UnitId,
    bitcode: &[u8],
    name: &str,
    partition: &Partition,
    options: &UnitOptions<'_>,
) -> Result<Vec<u8>, Error> {
    let context = Context::create();
    let diagnostics = DiagnosticCollector::install(&context);
    let machine = options.target.machine(options.machine)?;
    let module = splitting::parse_lazily(&context, bitcode, name)?;
    keep_own(&module, unit, partition, &machine)?;
    if let Some(runtime) = options.runtime {
        link_runtime(&context, &module, unit, &machine, runtime)?;
    }
    optimize_verified(&context, &module, &machine, &OptimizeOptions::default())?;
    diagnostics.check()?;
    emit_to_memory(&module, &machine, ModuleOutput::Object, &diagnostics)
}

/// Leaves of a module that was read lazily what the unit owns. The rest is declared; the values of constants stay known.
fn keep_own(module: &Module<'_>, unit: UnitId, partition: &Partition, machine: &Machine) -> Result<(), Error> {
    let is_foreign = |symbol: &GlobalValue<'_>| !partition.owns(unit, &splitting::name_of(*symbol));
    let functions = module.get_functions().map(FunctionValue::as_global_value);
    functions.filter(is_foreign).for_each(make_available_externally);
    optimize::run(DROP_AVAILABLE_EXTERNALLY, module, machine)?;
    splitting::read_bodies(module);
    let is_optimized = machine.optimization() > OptimizationLevel::O0;
    let (constants, variables): (Vec<_>, Vec<_>) = module
        .get_globals()
        .filter(|variable| variable.get_initializer().is_some() && is_foreign(variable))
        .partition(|variable| variable.is_constant() && is_optimized);
    variables.into_iter().for_each(make_available_externally);
    optimize::run(DROP_AVAILABLE_EXTERNALLY, module, machine)?;
    constants.into_iter().for_each(make_available_externally);
    for by in globals::UsedBy::ALL {
        let symbols: Vec<_> = partition
            .used(by)
            .filter(|name| partition.owns(unit, name))
            .filter_map(|name| modules::symbol_named(module, name))
            .map(GlobalValue::as_pointer_value)
            .collect();
        globals::mark_used(module, by, &symbols);
    }
    Ok(())
}

/// The pass that makes declarations of what is said to be defined elsewhere.
const DROP_AVAILABLE_EXTERNALLY: &str = "elim-avail-extern";

/// What another unit defines.
fn make_available_externally(symbol: GlobalValue<'_>) {
    globals::remove_comdat(symbol);
    symbol.set_linkage(Linkage::AvailableExternally);
}

/// Links in what the unit may inline of the runtime. The first unit defines it, as a module of one unit does; the others have copies.
fn link_runtime<'ctx>(
    context: &'ctx Context,
    module: &Module<'ctx>,
    unit: UnitId,
    machine: &Machine,
    bitcode: &[u8],
) -> Result<(), Error> {
    let runtime = modules::parse(context, bitcode, "runtime")?;
    machine.prepare_module(&runtime);
    let functions = runtime.get_functions().map(FunctionValue::as_global_value);
    let shared = functions.chain(runtime.get_globals()).filter(|symbol| symbol.get_linkage() == Linkage::LinkOnceODR);
    let names: Vec<String> = shared.map(splitting::name_of).collect();
    modules::link(module, runtime)?;
    let linked = names.iter().filter_map(|name| modules::symbol_named(module, name));
    for symbol in linked.filter(|symbol| symbol.get_linkage() == Linkage::LinkOnceODR) {
        if unit.is_first() {
            symbol.set_linkage(Linkage::WeakODR);
        } else {
            make_available_externally(symbol);
        }
    }
    Ok(())
}
