//! Units: the parts of a module that is large or not optimised, each an LLVM module of its own in a context of its own,
//! which are generated, optimised and emitted on as many cores as there are. Owns the path from a SIL module to one
//! object file. `generation::partition` decides the contents of a unit, `sharing` the symbols that units see of each
//! other, `merge` joins objects.
//!
//! Units are generated in rounds: the entities that a unit uses of another one are that unit's work in the next round.
//! Neither the partition nor the order of that work depends on the number of threads, and so the object does not.
//!
//! Only objects in ELF are made so, each unit with a compile unit of debug information; other formats and kinds of
//! output stay whole.

mod generator;
mod merge;
mod sharing;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use inkwell::context::Context;
use inkwell::module::{Linkage, Module};
use inkwell::values::{FunctionValue, GlobalValue};
use rustc_hash::FxHashSet;
use sil::diagnostic::Diagnostic;

use crate::Error;
use crate::debug::DebugOptions;
use crate::emit::{ModuleOutput, emit_to_memory};
use crate::error::Failure;
use crate::generation::{IRGenModule, Part, Partition, UnitId, Use, once_per_cause};
use crate::llvm::diagnostics::DiagnosticCollector;
use crate::llvm::threads::{OfOneContext, Portable};
use crate::llvm::{globals, modules};
use crate::optimize::{OptimizeOptions, optimize_verified};
use crate::target::{Architecture, Machine, MachineOptions, ObjectFormat, Target};
pub use generator::{Generator, link_shims};
use sharing::{Sharing, UnitSymbols};

/// Whether code for the target can be made in units. Relocations of ARM keep their addends in the section, where
/// joining debug information does not change them.
pub fn is_supported(target: &Target, debug: Option<&DebugOptions>) -> bool {
    let is_arm = matches!(target.architecture(), Architecture::Arm | Architecture::Thumb);
    target.object_format() == ObjectFormat::Elf && !(is_arm && debug.is_some())
}

/// How units are compiled.
pub struct UnitOptions<'a> {
    target: &'a Target,
    machine: &'a MachineOptions,
    /// The runtime as bitcode, to be inlined.
    runtime: Option<&'a [u8]>,
    is_local: &'a (dyn Fn(&str) -> bool + Sync),
}

impl<'a> UnitOptions<'a> {
    /// Units for the target of `machine`, each with a code generator like it. Symbols of which `is_local` holds are of
    /// no use outside of the program.
    pub fn new(machine: &'a Machine, runtime: Option<&'a [u8]>, is_local: &'a (dyn Fn(&str) -> bool + Sync)) -> Self {
        Self { target: machine.target(), machine: machine.options(), runtime, is_local }
    }
}

/// A unit in the making.
struct Unit<'a> {
    id: UnitId,
    context: &'static Context,
    state: State<'a>,
}

/// How far a unit is.
enum State<'a> {
    /// Nothing is generated.
    Empty,
    /// Others may still need more of it.
    Generating(Machine, Box<IRGenModule<'a, 'static>>),
    /// All is there.
    Generated(Machine, Module<'static>),
}

impl OfOneContext for Unit<'_> {}

/// The units of a module, generated, and which symbols they share.
pub struct Units<'a> {
    units: Vec<Portable<Unit<'a>>>,
    sharing: Sharing,
}

/// Generates the units of a module.
pub fn generate<'a>(
    generator: &Generator<'a>,
    partition: &'a Partition,
    options: &UnitOptions<'_>,
) -> Result<Units<'a>, Failure> {
    let begin = |id| Portable::new(|context| Unit { id, context, state: State::Empty });
    let mut units: Vec<_> = partition.units().map(begin).collect();
    let mut used: Vec<Vec<Use>> = units.iter().map(|_| Vec::new()).collect();
    let mut round: Vec<_> = units.iter_mut().map(|unit| (unit, Vec::new())).collect();
    while !round.is_empty() {
        let found = on_all_cores(round, |(unit, used): (&mut Portable<Unit<'a>>, Vec<Use>)| {
            unit.with(|unit| unit.generate(generator, partition, &used, options))
        });
        for (owner, found) in found.into_iter().collect::<Result<Vec<_>, Error>>()?.into_iter().flatten() {
            used[owner.index()].push(found);
        }
        let with_uses = units.iter_mut().zip(used.iter_mut().map(std::mem::take));
        round = with_uses.filter(|(_, used)| !used.is_empty()).collect();
    }
    finish_generation(units, options)
}

/// Units that define nothing fall away.
fn finish_generation<'a>(units: Vec<Portable<Unit<'a>>>, options: &UnitOptions<'_>) -> Result<Units<'a>, Failure> {
    let finished = on_all_cores(units, |mut unit| (unit.with(Unit::finish_generation), unit));
    let (mut units, mut symbols, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    for (finished, unit) in finished {
        match finished {
            Ok(defined) if defined.is_empty() => {}
            Ok(defined) => {
                units.push(unit);
                symbols.push(defined);
            }
            Err(Failure::Diagnostics(found)) => errors.extend(found),
            Err(error) => return Err(error),
        }
    }
    match errors.is_empty() {
        true => Ok(Units { units, sharing: Sharing::of(symbols, &|symbol| options.is_local(symbol)) }),
        // An error in an entity that several units use is reported once.
        false => {
            let mut said = FxHashSet::default();
            errors.retain(|error: &Diagnostic| said.insert((error.span, error.message.clone())));
            Err(Failure::Diagnostics(once_per_cause(errors)))
        }
    }
}

impl<'a> Unit<'a> {
    /// Generates the roots of the unit and the entities that others use of it; gives those that it uses of others.
    fn generate(
        &mut self,
        generator: &Generator<'a>,
        partition: &'a Partition,
        used: &[Use],
        options: &UnitOptions<'_>,
    ) -> Result<Vec<(UnitId, Use)>, Error> {
        if let State::Empty = self.state {
            let machine = options.target.machine(options.machine)?;
            let irgen = generator.begin(Some(Part { partition, unit: self.id }), &machine, self.context);
            irgen.generate();
            self.state = State::Generating(machine, Box::new(irgen));
        }
        let State::Generating(_, irgen) = &self.state else { return Ok(Vec::new()) };
        irgen.generate_used(used);
        Ok(irgen.take_used_elsewhere())
    }

    fn finish_generation(&mut self) -> Result<UnitSymbols, Failure> {
        let State::Generating(machine, irgen) = std::mem::replace(&mut self.state, State::Empty) else {
            return Ok(UnitSymbols::default());
        };
        let (module, _, errors) = irgen.finish();
        if !errors.is_empty() {
            return Err(Failure::Diagnostics(errors));
        }
        link_shims(&module, &machine, self.context)?;
        let symbols = UnitSymbols::of(&module);
        self.state = State::Generated(machine, module);
        Ok(symbols)
    }

    fn compile(self, sharing: &Sharing, runtime: RuntimeCopy, options: &UnitOptions<'_>) -> Result<Vec<u8>, Error> {
        let Self { context, state: State::Generated(machine, module), .. } = self else { return Ok(Vec::new()) };
        let diagnostics = DiagnosticCollector::install(context);
        modules::discard_value_names(context);
        sharing.apply(&module, &|symbol| options.is_local(symbol));
        modules::verify(&module)?;
        if let Some(bitcode) = options.runtime {
            link_runtime(context, &module, runtime, &machine, bitcode)?;
        }
        optimize_verified(context, &module, &machine, &OptimizeOptions::default())?;
        diagnostics.check()?;
        emit_to_memory(&module, &machine, ModuleOutput::Object, &diagnostics)
    }
}

impl UnitOptions<'_> {
    /// Whether nobody outside of the program needs the symbol, which code generation does not call either.
    fn is_local(&self, symbol: &str) -> bool {
        globals::may_be_local(symbol) && (self.is_local)(symbol)
    }
}

impl Units<'_> {
    /// Optimises and emits the units, and joins them to one object.
    pub fn compile(self, options: &UnitOptions<'_>) -> Result<Vec<u8>, Error> {
        let sharing = &self.sharing;
        let numbered = self.units.into_iter().enumerate().collect();
        let objects = on_all_cores(numbered, |(number, unit): (usize, Portable<Unit<'_>>)| {
            let runtime = if number == 0 { RuntimeCopy::Defined } else { RuntimeCopy::Declared };
            unit.finish(|unit| unit.compile(sharing, runtime, options))
        });
        let objects: Vec<Vec<u8>> = objects.into_iter().collect::<Result<_, _>>()?;
        merge::merge(&objects, |symbol| sharing.local_name(symbol))
    }
}

/// The results of `work` for each item, in their order. This thread works along with those of the pool, so that the
/// memory that it used before is used again.
fn on_all_cores<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let items = Mutex::new(items.into_iter().enumerate());
    let results = Mutex::new(BTreeMap::new());
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some((number, item)) = next() {
            let result = work(item);
            results.lock().unwrap_or_else(PoisonError::into_inner).insert(number, result);
        }
    };
    rayon::in_place_scope(|scope| {
        for _ in 1..rayon::current_num_threads() {
            scope.spawn(|_| work());
        }
        work();
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
}

/// Whether a unit has the runtime's functions that it calls.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RuntimeCopy {
    /// It defines them.
    Defined,
    /// It knows them, to inline them.
    Declared,
}

/// Links in the functions of the runtime that the unit may inline. The first unit defines them, as a module of one unit
/// does; the others have copies.
fn link_runtime<'ctx>(
    context: &'ctx Context,
    module: &Module<'ctx>,
    copy: RuntimeCopy,
    machine: &Machine,
    bitcode: &[u8],
) -> Result<(), Error> {
    let runtime = modules::parse(context, bitcode, "runtime")?;
    machine.prepare_module(&runtime);
    let functions = runtime.get_functions().map(FunctionValue::as_global_value);
    let shared = functions.chain(runtime.get_globals()).filter(|symbol| symbol.get_linkage() == Linkage::LinkOnceODR);
    let names: Vec<String> = shared.map(modules::name_of).collect();
    modules::link(module, runtime)?;
    let linked = names.iter().filter_map(|name| modules::symbol_named(module, name));
    for symbol in linked.filter(|symbol| symbol.get_linkage() == Linkage::LinkOnceODR) {
        match copy {
            RuntimeCopy::Defined => symbol.set_linkage(Linkage::WeakODR),
            RuntimeCopy::Declared => make_available_externally(symbol),
        }
    }
    Ok(())
}

/// A symbol that another unit defines.
fn make_available_externally(symbol: GlobalValue<'_>) {
    globals::remove_comdat(symbol);
    symbol.set_linkage(Linkage::AvailableExternally);
}
