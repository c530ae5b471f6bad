//! Witnesses of protocol methods for concrete types, from the witness tables.

use rustc_hash::FxHashMap;

use sil_ir::context::{ConformanceKind, GenericParameter, Name, NominalId, SubstitutionMapId, Type, TypeId};
use sil_ir::model::{Function, Method, Module, WitnessEntry};
use sil_ir::types::TypeQueries;

/// The witness tables by conforming declaration and protocol.
pub(crate) struct WitnessIndex {
    tables: FxHashMap<(NominalId, NominalId), usize>,
    /// The tables of specialised types in Embedded Swift.
    of_types: FxHashMap<(TypeId, NominalId), usize>,
}

/// The witness of a method for a type.
pub(crate) enum Witness {
    /// This function, with these generic arguments.
    Function(Name, SubstitutionMapId),
    /// Unknown: the table of this conformance is not available.
    Unknown(NominalId, NominalId),
    /// Unknown, without a conformance.
    None,
}

impl WitnessIndex {
    pub(crate) fn new(module: &Module) -> Self {
        let (mut tables, mut of_types) = (FxHashMap::default(), FxHashMap::default());
        for (number, table) in module.witness_tables.iter().enumerate() {
            let conformance = module.context.get_conformance(table.conformance);
            if let Type::Nominal(nominal) = module.context.get(conformance.ty)
                && table.entries.is_some()
                && matches!(conformance.kind, ConformanceKind::Normal { .. })
                && !table.specialized
            {
                tables.entry((nominal.declaration, conformance.protocol)).or_insert(number);
            }
            if table.specialized {
                of_types.entry((conformance.ty, conformance.protocol)).or_insert(number);
            }
        }
        Self { tables, of_types }
    }

    /// Returns the specialised function that `method` is for `ty`, if the witness table of the specialised type is
    /// available.
    pub(crate) fn witness_of_type(
        &self,
        module: &Module,
        queries: &TypeQueries<'_>,
        ty: TypeId,
        method: &Method,
    ) -> Option<Name> {
        let protocol = queries.context.get_member(method.member).parent?;
        let mut conforming = Some(ty);
        while let Some(ty) = conforming {
            if let Some(number) = self.of_types.get(&(ty, protocol)) {
                return entry(module, queries, *number, method);
            }
            conforming = queries.superclass_of(ty);
        }
        None
    }

    /// Returns the index of the table of a declaration's conformance.
    pub(crate) fn table(&self, declaration: NominalId, protocol: NominalId) -> Option<usize> {
        self.tables.get(&(declaration, protocol)).copied()
    }

    /// Returns the witness of `method` for `ty`. `applied` substitutes the generic parameters of the method: `Self`,
    /// then its own.
    pub(crate) fn witness(
        &self,
        module: &Module,
        queries: &TypeQueries<'_>,
        ty: TypeId,
        method: &Method,
        applied: SubstitutionMapId,
    ) -> Witness {
        let Some(protocol) = queries.context.get_member(method.member).parent else { return Witness::None };
        let mut conforming = ty;
        let mut first = None;
        loop {
            let Some(nominal) = queries.as_nominal(conforming) else { return Witness::None };
            if let Some(number) = self.table(nominal.declaration, protocol) {
                let Some(name) = entry(module, queries, number, method) else { return Witness::None };
                let own = queries.context.replacements(applied).get(1..).unwrap_or(&[]);
                let map = queries.nominal_substitutions(nominal);
                return substitutions(module, queries, name, ty, queries.context.replacements(map), own)
                    .map_or(Witness::None, |map| Witness::Function(name, map));
            }
            first.get_or_insert((nominal.declaration, protocol));
            match queries.superclass_of(conforming) {
                Some(superclass) => conforming = superclass,
                None => break,
            }
        }
        first.map_or(Witness::None, |(declaration, protocol)| Witness::Unknown(declaration, protocol))
    }
}

/// Returns the function in a table for a method. Overloads are distinguished by their formal types and labels. `None`
/// if only unknown labels would distinguish them.
fn entry(module: &Module, queries: &TypeQueries<'_>, table: usize, method: &Method) -> Option<Name> {
    let referred = queries.context.get_member(method.member);
    let wanted = referred.without_overload();
    let entries = module.witness_tables[table].entries.iter().flatten();
    let named: Vec<(Option<TypeId>, Name)> = entries
        .filter_map(|entry| match entry {
            WitnessEntry::Method { member, formal_type, function: Some(function), .. } => {
                let candidate = queries.context.get_member(*member).without_overload();
                (candidate == wanted).then_some((*formal_type, *function))
            }
            _ => None,
        })
        .collect();
    if let [(_, function)] = named.as_slice() {
        return Some(*function);
    }
    let same = |ty: Option<TypeId>| match (ty, method.formal_type) {
        (Some(first), Some(second)) => queries.same_type(first, second),
        _ => false,
    };
    let fitting: Vec<Name> = named.iter().filter(|(ty, _)| same(*ty)).map(|(_, function)| *function).collect();
    let (first, others) = fitting.split_first()?;
    if others.iter().all(|other| other == first) {
        return Some(*first);
    }
    // The entries are in the order of the declarations, not all of which have a known type.
    let declared = queries.members_named(referred);
    let meant: Vec<Name> = if declared.len() == named.len() {
        let pairs = declared.iter().zip(&named);
        let meant = pairs.filter(|(known, (ty, _))| same(*ty) && referred.may_be_labelled_as(known));
        meant.map(|(_, (_, function))| *function).collect()
    } else {
        let declared = queries.label_overloads(method.into());
        if declared.len() != fitting.len() {
            return None;
        }
        let meant = declared.iter().zip(&fitting).filter(|(known, _)| referred.may_be_labelled_as(known));
        meant.map(|(_, function)| *function).collect()
    };
    match meant[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// Returns whether a witness is generic in the type that it is for.
fn is_for_any_type(queries: &TypeQueries<'_>, witness: &Function) -> bool {
    let Some(own) = queries.conventions(witness.ty).and_then(|found| found.function.parameters.last()) else {
        return false;
    };
    let ty = match queries.get(own.ty) {
        Type::Metatype { instance, .. } => *instance,
        _ => own.ty,
    };
    matches!(queries.get(ty), Type::GenericParameter { depth: 0, index: 0 })
}

/// Returns the substitutions of a witness: the arguments of the conforming type, and those of the method's own
/// parameters. The witness of a class is generic in the class itself too, since a subclass may replace it.
pub(crate) fn substitutions(
    module: &Module,
    queries: &TypeQueries<'_>,
    witness: Name,
    ty: TypeId,
    arguments: &[TypeId],
    own: &[TypeId],
) -> Option<SubstitutionMapId> {
    let function = &module.functions[module.function_named(witness)?];
    let Some(signature) = function.signature else { return Some(SubstitutionMapId::EMPTY) };
    let parameters: &[GenericParameter] = &queries.context.get_signature(signature).parameters;
    let mut replacements = Vec::with_capacity(parameters.len());
    if parameters.len() == own.len() + 1 && !arguments.is_empty() && is_for_any_type(queries, function) {
        // The default implementation of a protocol is only generic in `Self`.
        replacements.push(ty);
        replacements.extend_from_slice(own);
        return Some(queries.context.substitutions(signature, replacements));
    }
    if parameters.len() == arguments.len() + own.len() + 1 {
        replacements.push(ty);
    }
    replacements.extend_from_slice(arguments);
    replacements.extend_from_slice(own);
    (replacements.len() == parameters.len()).then(|| queries.context.substitutions(signature, replacements))
}
