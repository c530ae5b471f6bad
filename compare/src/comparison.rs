//! Two modules compared: every symbol with its verdict, and the properties of the modules.

use crate::atoms::{Atom, Atoms};
use crate::judge::differences::Difference;
use crate::judge::{BodyJudgement, Judge, Verdict};
use crate::model::{Module, Property, Span, SymbolId, SymbolKind};
use crate::pairing::{Demangle, Pairing, Reason, names};
use crate::part::{Part, Parts};

/// A symbol of A, of B, or both.
pub struct SymbolComparison {
    /// The symbol in A.
    pub a: Option<SymbolId>,
    /// The symbol in B.
    pub b: Option<SymbolId>,
    /// Its demangled name in A.
    pub demangled_a: Option<String>,
    /// Its demangled name in B.
    pub demangled_b: Option<String>,
    /// Why the two are taken for the same.
    pub reason: Option<Reason>,
    /// Its kind; that of A if A has the symbol.
    pub kind: SymbolKind,
    /// How the two compare.
    pub verdict: Verdict,
    /// The parts that differ.
    pub parts: Parts,
    /// The differences of the headers or definitions.
    pub header: Difference,
    /// How the bodies compare, where both have one.
    pub body: Option<BodyJudgement>,
    /// Where the symbol is on the other side, if that is in another file.
    pub moved: Option<String>,
}

/// A property of the modules that differs.
pub struct PropertyDifference {
    /// The subject.
    pub name: Atom,
    /// The part.
    pub part: Part,
    /// A's content and its place.
    pub a: Option<(Atom, Span)>,
    /// B's content and its place.
    pub b: Option<(Atom, Span)>,
}

/// Two modules compared.
pub struct Comparison {
    /// A.
    pub a: Module,
    /// B.
    pub b: Module,
    /// The table of their texts.
    pub atoms: Atoms,
    /// Symbols in the order of A, then those only in B in the order of B.
    pub symbols: Vec<SymbolComparison>,
    /// The properties of the modules that differ.
    pub properties: Vec<PropertyDifference>,
}

impl Comparison {
    /// Whether anything differs.
    pub fn differs(&self) -> bool {
        !self.properties.is_empty() || self.symbols.iter().any(|symbol| symbol.verdict.is_difference())
    }
}

/// Compares two modules that were read with the same table of texts. `demangle` pairs symbols and gives the names for
/// reports.
pub fn compare(a: Module, b: Module, atoms: Atoms, demangle: Demangle<'_>) -> Comparison {
    let pairing = Pairing::new(&a, &b, &atoms, demangle, None);
    let judge = Judge { a: &a, b: &b, pairing: &pairing, atoms: &atoms };
    let in_a = a.symbols.keys().map(|ours| match pairing.relation.in_b(ours) {
        Some(theirs) => judge_pair(&judge, ours, theirs, pairing.reasons[ours]),
        None => alone(&a, ours, Verdict::OnlyInA),
    });
    let free_in_b = b.symbols.keys().filter(|theirs| pairing.relation.in_a(*theirs).is_none());
    let mut symbols: Vec<_> = in_a.chain(free_in_b.map(|theirs| alone(&b, theirs, Verdict::OnlyInB))).collect();
    for symbol in &mut symbols {
        symbol.demangled_a = symbol.a.and_then(|id| demangled(&a, id, &atoms, demangle));
        symbol.demangled_b = symbol.b.and_then(|id| demangled(&b, id, &atoms, demangle));
    }
    let properties = compare_properties(&a.properties, &b.properties);
    Comparison { symbols, properties, a, b, atoms }
}

/// Compares a function of A with one of B, whatever their names, and nothing else. Each is named by its symbol or its
/// demangled name. The error names the module without such a function.
pub fn compare_functions(
    a: Module,
    b: Module,
    atoms: Atoms,
    demangle: Demangle<'_>,
    (ours, theirs): (&str, &str),
) -> Result<Comparison, String> {
    let find = |module: &Module, name: &str| {
        let defined = module.symbols.iter().filter(|(_, symbol)| symbol.kind == SymbolKind::Function);
        let is_it = |id: SymbolId| {
            names::unquoted(atoms.text(module.symbols[id].name)) == name
                || demangled(module, id, &atoms, demangle).as_deref() == Some(name)
        };
        let mut found = defined.map(|(id, _)| id).filter(|id| is_it(*id));
        found.next().ok_or_else(|| format!("'{}' defines no function '{name}'", module.name))
    };
    let (ours, theirs) = (find(&a, ours)?, find(&b, theirs)?);
    let pairing = Pairing::new(&a, &b, &atoms, demangle, Some((ours, theirs)));
    let judge = Judge { a: &a, b: &b, pairing: &pairing, atoms: &atoms };
    let mut pair = judge_pair(&judge, ours, theirs, Some(Reason::Name));
    pair.demangled_a = demangled(&a, ours, &atoms, demangle);
    pair.demangled_b = demangled(&b, theirs, &atoms, demangle);
    Ok(Comparison { symbols: vec![pair], properties: Vec::new(), a, b, atoms })
}

fn demangled(module: &Module, id: SymbolId, atoms: &Atoms, demangle: Demangle<'_>) -> Option<String> {
    demangle(names::unquoted(atoms.text(module.symbols[id].name)))
}

fn alone(module: &Module, symbol: SymbolId, verdict: Verdict) -> SymbolComparison {
    let is_a = verdict == Verdict::OnlyInA;
    SymbolComparison {
        a: is_a.then_some(symbol),
        b: (!is_a).then_some(symbol),
        demangled_a: None,
        demangled_b: None,
        reason: None,
        kind: module.symbols[symbol].kind,
        verdict,
        parts: Parts::default(),
        header: Difference::default(),
        body: None,
        moved: None,
    }
}

fn judge_pair(judge: &Judge<'_>, ours: SymbolId, theirs: SymbolId, reason: Option<Reason>) -> SymbolComparison {
    let (a, b) = (&judge.a.symbols[ours], &judge.b.symbols[theirs]);
    let header = judge.headers(ours, theirs);
    let body = a.body.as_ref().zip(b.body.as_ref()).map(|(ours, theirs)| judge.bodies(ours, theirs));
    let mut parts = header.parts;
    parts.extend(body.as_ref().map(|body| body.parts).unwrap_or_default());
    if a.body.is_some() != b.body.is_some() || a.kind != b.kind {
        parts.insert(Part::Body);
    }
    let verdict = if !parts.is_empty() {
        Verdict::Different
    } else {
        let header_verdict =
            if judge.is_same_text(a.header.span, b.header.span) { Verdict::Identical } else { Verdict::Names };
        let verdict = body.as_ref().map_or(Verdict::Identical, |body| body.verdict).max(header_verdict);
        // Another mangling of the same name is no other name.
        if reason == Some(Reason::Body) { Verdict::Renamed } else { verdict }
    };
    SymbolComparison { reason, verdict, parts, header, body, b: Some(theirs), ..alone(judge.a, ours, Verdict::OnlyInA) }
}

/// Properties are compared as sets of name and content; of those that remain, equal names are shown beside each other.
fn compare_properties(a: &[Property], b: &[Property]) -> Vec<PropertyDifference> {
    let remains = |these: &[Property], those: &[Property]| -> Vec<(Atom, Part, (Atom, Span))> {
        let is_there =
            |one: &&Property| those.iter().any(|other| (other.name, other.content) == (one.name, one.content));
        let remaining = these.iter().filter(|property| !is_there(property));
        remaining.map(|property| (property.name, property.part, (property.content, property.span))).collect()
    };
    let mut in_b = remains(b, a);
    let mut found: Vec<PropertyDifference> = remains(a, b)
        .into_iter()
        .map(|(name, part, said)| {
            let same = in_b.iter().position(|(other, ..)| *other == name);
            PropertyDifference { name, part, a: Some(said), b: same.map(|at| in_b.remove(at).2) }
        })
        .collect();
    found.extend(in_b.into_iter().map(|(name, part, said)| PropertyDifference { name, part, a: None, b: Some(said) }));
    found
}
