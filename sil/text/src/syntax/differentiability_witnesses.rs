//! Differentiability witnesses of other modules: those of libraries as SIL, and those that the import of
//! `_Differentiation` provides. Of the latter silc stores the configurations; the names and types of the derivatives
//! follow from them.

use sil_ir::context::{DerivativeKind, Name, Type, TypeId};
use sil_ir::declarations::Viewpoint;
use sil_ir::model::{DerivativeConfiguration, Derivatives, DifferentiabilityWitness, Linkage, Module, Serialization};
use sil_ir::source::{FileId, Span};
use sil_ir::symbols::Derivative;
use sil_ir::types::{ConformanceTable, TypeQueries};

use super::cursor::Cursor;
use super::library_index::witness_prefix;
use super::linking::{Libraries, as_external};
use super::reader::Reader;

impl Libraries<'_> {
    /// Returns the witnesses of other modules for derivatives of `original`: those of the first library that has any,
    /// or else those of the imports. A witness with names that the module does not know is left out.
    pub fn differentiability_witnesses(&self, module: &mut Module, original: Name) -> Vec<DifferentiabilityWitness> {
        let declarations = std::mem::take(&mut module.declarations).seen_from(Viewpoint::Library);
        let context = module.context.clone();
        let prefix = witness_prefix(context.text(original));
        let mut witnesses = Vec::new();
        for library in &self.texts {
            if !witnesses.is_empty() {
                break;
            }
            for extent in library.index.differentiability_witnesses(&prefix) {
                let cursor = Cursor::within(library.text, library.file, extent.start, extent.end);
                if let Ok(witness) = Reader::new(&context, &declarations, cursor).differentiability_witness() {
                    witnesses.push(DifferentiabilityWitness { linkage: as_external(witness.linkage), ..witness });
                }
            }
        }
        module.declarations = declarations.seen_from(Viewpoint::Own);
        if witnesses.is_empty() {
            witnesses = brought(module, original);
        }
        witnesses
    }
}

/// The derivative configurations of the module `_Differentiation`, one per line.
const KNOWN: &str = include_str!("../../known/_Differentiation.sil");

/// The module of [`KNOWN`].
const DIFFERENTIATION: &str = "_Differentiation";

/// Returns the witnesses for derivatives of `original` that the imports of a module provide.
fn brought(module: &Module, original: Name) -> Vec<DifferentiabilityWitness> {
    let context = &module.context;
    if !module.imports.iter().any(|import| context.text(import.module) == DIFFERENTIATION) {
        return Vec::new();
    }
    let symbol = format!(" @{} : ", context.text(original));
    if !KNOWN.contains(&symbol) {
        return Vec::new();
    }
    let conformances = ConformanceTable::new(context, &module.witness_tables);
    let queries = TypeQueries::of(module, &conformances);
    let lines = KNOWN.lines().filter(|line| line.contains(&symbol));
    let read = lines.filter_map(|line| {
        let cursor = Cursor::new(line, FileId::KNOWN);
        let configuration = Reader::new(context, &module.declarations, cursor).witness_configuration().ok()?;
        Some(witness(&queries, configuration))
    });
    read.collect()
}

/// Returns the witness of another module with both derivatives, or a declaration of one if the names or types of the
/// derivatives are not known.
fn witness(queries: &TypeQueries<'_>, configuration: DerivativeConfiguration) -> DifferentiabilityWitness {
    let jvp = derivative(queries, &configuration, (DerivativeKind::Jvp, Derivative::ForwardMode));
    let vjp = derivative(queries, &configuration, (DerivativeKind::Vjp, Derivative::ReverseMode));
    DifferentiabilityWitness {
        linkage: Linkage::PublicExternal,
        serialization: Serialization::Serialized,
        derivatives: jvp.zip(vjp).map(|(jvp, vjp)| Derivatives { jvp: Some(jvp), vjp: Some(vjp) }),
        configuration,
        span: Span { file: FileId::KNOWN, start: 0, end: 0 },
    }
}

fn derivative(
    queries: &TypeQueries<'_>,
    configuration: &DerivativeConfiguration,
    (kind, name): (DerivativeKind, Derivative),
) -> Option<(Name, TypeId)> {
    let Type::Function(original) = queries.get(configuration.ty) else { return None };
    let ty = queries.derivative_type(original, &configuration.indices, kind, configuration.signature)?;
    Some((queries.derivative_name(name, configuration)?, ty))
}
