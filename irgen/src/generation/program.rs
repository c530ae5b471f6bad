//! The data that all LLVM modules of a SIL module share: the SIL, layouts, indexes, options. Independent of LLVM, since
//! threads share it.

use std::sync::OnceLock;

use headers::Headers;
use rustc_hash::FxHashSet;
use sil_ir::context::Name;
use sil_ir::model::{Body, Function, Module};
use sil_ir::symbols::Flavor;
use sil_ir::types::{ClassSlots, OpaqueResults, ReplaceableOpaqueTypes, TypeQueries, WitnessSlots};

use super::class_metadata::{self, VTables};
use super::function;
use super::metadata::OwnProperties;
use super::mode::{Mode, mode_of};
use super::module::IRGenOptions;
use super::runtime_inlining::RuntimeInlining;
use super::serialized_types::SerializingWitnesses;
use super::witness_tables::WitnessTables;
use crate::layout::{Clients, TypeConverter};

/// A SIL module with its indexes and layouts.
pub struct Program<'a> {
    /// The SIL module.
    pub sil: &'a Module,
    /// The layouts of types.
    pub types: TypeConverter<'a>,
    /// The rules of Embedded or normal Swift.
    pub(super) mode: &'static dyn Mode,
    /// The options of code generation.
    pub options: IRGenOptions,
    /// The C headers that the module imports.
    pub headers: Option<&'a Headers>,
    /// The globals that functions of the module initialise.
    pub(super) allocated_globals: OnceLock<FxHashSet<Name>>,
    /// The SIL vtables by class.
    pub(super) vtables: VTables<'a>,
    /// The SIL witness tables by type and protocol.
    pub(super) witness_tables: WitnessTables<'a>,
    /// The slots of classes.
    pub(super) class_slots: ClassSlots,
    /// The entries of witness tables.
    pub(super) witness_slots: WitnessSlots,
    /// The declarations whose opaque types change while the program runs.
    pub replaceable_opaque_types: ReplaceableOpaqueTypes,
    /// The places where runtime functions may be inlined.
    pub(super) runtime_inlining: RuntimeInlining,
    /// The module's descriptions of its properties.
    pub(super) own_properties: OnceLock<OwnProperties>,
    /// The functions that classes of other modules inherit.
    pub(super) inheritable_methods: OnceLock<FxHashSet<Name>>,
    /// The witnesses for requirements of actor systems that take serialised types.
    pub(super) serializing_witnesses: OnceLock<SerializingWitnesses>,
    /// The prefix of mangled symbols of the module.
    pub(super) mangling_flavor: OnceLock<Flavor>,
    /// The SIL function of synthesised functions.
    pub(super) no_function: Function,
    pub(super) no_body: Body,
}

impl<'a> Program<'a> {
    /// Creates the program of `sil`, with everything that is known from the start.
    pub fn new(
        sil: &'a Module,
        queries: &'a TypeQueries<'a>,
        headers: Option<&'a Headers>,
        options: IRGenOptions,
    ) -> Self {
        let deinits = sil.deinits.iter().map(|deinit| (deinit.nominal, deinit.function)).collect();
        let mode = mode_of(sil.mode);
        let clients = if sil.evolves() { Clients::Uninformed } else { Clients::Informed };
        Self {
            sil,
            mode,
            types: TypeConverter::new(queries, options.target, deinits)
                .with_parameter_values(mode.parameter_values())
                .with_clients(clients)
                .with_headers(headers.is_some())
                .with_opaque_results(OpaqueResults::new(sil, queries)),
            options,
            headers,
            allocated_globals: OnceLock::new(),
            vtables: class_metadata::index_vtables(sil, queries),
            witness_tables: WitnessTables::new(sil, queries),
            class_slots: ClassSlots::new(sil, queries),
            witness_slots: WitnessSlots::new(sil),
            replaceable_opaque_types: ReplaceableOpaqueTypes::new(sil, queries),
            runtime_inlining: RuntimeInlining::of(sil, options.optimization),
            serializing_witnesses: OnceLock::new(),
            mangling_flavor: OnceLock::new(),
            own_properties: OnceLock::new(),
            inheritable_methods: OnceLock::new(),
            no_function: function::no_function(sil, queries),
            no_body: Body::default(),
        }
    }
}
