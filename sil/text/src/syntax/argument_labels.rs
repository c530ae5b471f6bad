//! Determines argument labels of the methods that functions look up, for overloads with one name and one type. SIL does
//! not write labels. The sources of labels are the standard library's known bodies (`library_conversions.rs`), the
//! symbols of witnesses, and, in code with debug locations, the Swift source if it is available. A label that no source
//! determines stays open; a use that depends on it is refused.
//!
//! Does not own: reading the source (`swift_source`); the members that a reference can mean
//! (`types/label_overloads.rs`).

use std::sync::{Arc, OnceLock};

use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashSet;
use sil_ir::cache::Cache;
use sil_ir::context::{FormalParameter, MemberId, MemberKind, MemberRef, Name, Type, TypeId, Variadic};
use sil_ir::declarations::NominalKind;
use sil_ir::instructions::Opcode;
use sil_ir::model::{Body, Details, InstructionId, Method, Scope, ScopeId, function_of_scope};
use sil_ir::symbols::Symbol;
use sil_ir::types::{TypeQueries, have_several_labels};

use super::library_conversions::{self, Conversion};
use crate::swift_source::{ArgumentList, Callee, Parameter, SwiftPlace, SwiftSources, Takes};

/// The sources of labels for the functions of a module.
pub(super) struct ArgumentLabels<'q, 'a> {
    queries: &'q TypeQueries<'a>,
    scopes: &'q PrimaryMap<ScopeId, Scope>,
    sources: Option<&'q SwiftSources>,
    /// The files that scopes name.
    files: OnceLock<Vec<Name>>,
    /// The lists of labels of the overloads that a member and a type can mean; `None` if all have the same labels.
    overloads: Cache<(MemberId, Option<TypeId>), Option<Overloads>>,
}

/// Alternative lists of labels.
type Overloads = Arc<[Box<[Name]>]>;

/// A method lookup whose overloads differ in labels.
struct Lookup {
    id: InstructionId,
    method: Box<Method>,
    overloads: Overloads,
}

impl<'q, 'a> ArgumentLabels<'q, 'a> {
    pub(super) fn new(
        queries: &'q TypeQueries<'a>,
        scopes: &'q PrimaryMap<ScopeId, Scope>,
        sources: Option<&'q SwiftSources>,
    ) -> Self {
        Self { queries, scopes, sources, files: OnceLock::new(), overloads: Cache::default() }
    }

    /// Sets the labels that are known on the member references in the body of `function`.
    pub(super) fn tell(&self, function: Name, body: &mut Body) {
        let lookups: Vec<Lookup> = body.placed_instructions().filter_map(|id| self.lookup(body, id)).collect();
        let is_conversion = |lookup: &Lookup| self.queries.converts_integers(self.member(lookup));
        let conversions = lookups.iter().filter(|lookup| is_conversion(lookup)).count();
        let mut known = match conversions {
            0 => None,
            count => library_conversions::in_body(self.text(function), count),
        }
        .unwrap_or_default()
        .into_iter();
        for lookup in &lookups {
            let by_library = if is_conversion(lookup) { known.next() } else { None };
            let labels = match by_library {
                Some(conversion) => self.labels_of_conversion(lookup, conversion),
                None => self.labels(function, body, lookup),
            };
            if let Details::Method(method) = &mut body.instructions[lookup.id].details
                && let Some(labels) = labels
            {
                let member = self.member(lookup).clone();
                method.member = self.queries.context.member(MemberRef { labels: Some(labels), ..member });
            }
        }
    }

    fn text(&self, name: Name) -> &'q str {
        self.queries.context.text(name)
    }

    fn member(&self, lookup: &Lookup) -> &'q MemberRef {
        self.queries.context.get_member(lookup.method.member)
    }

    fn lookup(&self, body: &Body, id: InstructionId) -> Option<Lookup> {
        let instruction = &body.instructions[id];
        let (Opcode::WitnessMethod | Opcode::ClassMethod | Opcode::SuperMethod, Details::Method(method)) =
            (instruction.opcode, &instruction.details)
        else {
            return None;
        };
        let key = (method.member, method.formal_type);
        let known = self.overloads.get(&key);
        let overloads = known.unwrap_or_else(|| self.overloads.insert(key, self.find_overloads(method)));
        Some(Lookup { id, method: method.clone(), overloads: overloads? })
    }

    fn find_overloads(&self, method: &Method) -> Option<Overloads> {
        let found = self.queries.label_overloads(method.into());
        have_several_labels(&found).then(|| found.iter().map(|known| known.labels.clone()).collect())
    }

    fn labels_of_conversion(&self, lookup: &Lookup, conversion: Conversion) -> Option<Box<[Name]>> {
        let label = self.queries.context.name(conversion.label());
        lookup.overloads.iter().find(|labels| ***labels == [label]).cloned()
    }

    fn labels(&self, function: Name, body: &Body, lookup: &Lookup) -> Option<Box<[Name]>> {
        let origin = self.origin(body, lookup.id).unwrap_or(function);
        if self.queries.converts_integers(self.member(lookup))
            && let Some(conversion) = library_conversions::anywhere(self.text(origin))
        {
            return self.labels_of_conversion(lookup, conversion);
        }
        self.labels_of_witness(origin, lookup).or_else(|| self.labels_in_source(body, lookup))
    }

    /// Returns the function whose source contains the instruction: an inlined function or the function itself.
    fn origin(&self, body: &Body, id: InstructionId) -> Option<Name> {
        let scope = body.instructions[id].location?.scope?;
        function_of_scope(self.scopes, scope).map(|(name, _)| name)
    }

    /// A witness has the labels of its requirement. The methods of the same name that it calls have them too.
    fn labels_of_witness(&self, witness: Name, lookup: &Lookup) -> Option<Box<[Name]>> {
        let symbol = Symbol::demangle(self.text(witness))?;
        let labels = symbol.labels_of_witness(self.text(self.member(lookup).name))?;
        let label = |label: Option<&str>| self.queries.context.name(label.unwrap_or(MISSING));
        let labels: Box<[Name]> = labels.into_iter().map(label).collect();
        // A symbol does not count parameters without labels.
        let is_missing = |name: &Name| self.text(*name) == MISSING;
        let is_it = |known: &[Name]| *known == *labels || labels.is_empty() && known.iter().all(is_missing);
        lookup.overloads.iter().find(|known| is_it(known)).cloned()
    }

    fn labels_in_source(&self, body: &Body, lookup: &Lookup) -> Option<Box<[Name]>> {
        let sources = self.sources?;
        let location = body.instructions[lookup.id].location.filter(|location| !location.automatic)?;
        let place = location.place.filter(|place| place.line > 0 && place.column > 0)?;
        let place = SwiftPlace { file: self.text(place.file), line: place.line, column: place.column };
        let callee = self.callee(lookup)?;
        if sources.has_operator(place, SHIFTS_AND_COMPARISONS) {
            return self.labels_of_transparent(lookup);
        }
        if !callee.is_subscript() {
            match self.others_at(body, lookup) {
                OthersThere::None => {}
                OthersThere::Checks => return self.labels_of_transparent(lookup),
                OthersThere::Unknown => return None,
            }
        }
        let beside = self.files().iter().map(|name| self.text(*name));
        self.only_fitting(lookup, &sources.argument_lists(place, callee, beside))
    }

    /// The files that scopes name. `#sourceLocation` can map any line to any of them.
    fn files(&self) -> &[Name] {
        self.files.get_or_init(|| {
            let mut seen = FxHashSet::default();
            let places = self.scopes.values().filter_map(|scope| scope.place);
            places.map(|place| place.file).filter(|file| seen.insert(*file)).collect()
        })
    }

    fn callee(&self, lookup: &Lookup) -> Option<Callee<'q>> {
        use MemberKind::{Allocator, Borrow, Getter, Initializer, Modify, Modify2, Mutate, Plain, Read, Read2, Setter};
        let member = self.member(lookup);
        let name = self.text(member.name);
        match member.kind {
            Plain => Some(Callee::Function(name)),
            Allocator | Initializer => Some(Callee::Initializer),
            Getter | Read | Read2 | Borrow if name == "subscript" => Some(Callee::SubscriptRead),
            Setter | Modify | Modify2 | Mutate if name == "subscript" => Some(Callee::SubscriptWrite),
            _ => None,
        }
    }

    /// Classifies the other instructions at the location of a lookup. The body of an inlined transparent function has
    /// the location of its call, whose source does not show the function's own callees.
    fn others_at(&self, body: &Body, lookup: &Lookup) -> OthersThere {
        let place = body.instructions[lookup.id].location;
        let mut found = OthersThere::None;
        for id in body.placed_instructions().filter(|id| body.instructions[*id].location == place) {
            let instruction = &body.instructions[id];
            match (instruction.opcode, &instruction.details) {
                (Opcode::WitnessMethod, Details::Method(method)) if method.member != lookup.method.member => {
                    if self.checks_integers(method.member) {
                        return OthersThere::Checks;
                    }
                    found = OthersThere::Unknown;
                }
                (Opcode::CondBr, _) if tests_result(body, id, lookup.id) => {}
                (Opcode::CondBr | Opcode::Builtin, _) => found = OthersThere::Unknown,
                _ => {}
            }
        }
        found
    }

    /// Returns whether the member is a property of integers that Swift's library reads before it converts or compares
    /// them.
    fn checks_integers(&self, member: MemberId) -> bool {
        let member = self.queries.context.get_member(member);
        member.kind == MemberKind::Getter && ["bitWidth", "isSigned"].contains(&self.text(member.name))
    }

    /// The transparent functions of Swift's library convert with `T(truncatingIfNeeded: x)`; elsewhere they convert
    /// only numbers that fit.
    fn labels_of_transparent(&self, lookup: &Lookup) -> Option<Box<[Name]>> {
        let converts = self.queries.converts_integers(self.member(lookup));
        converts.then(|| self.labels_of_conversion(lookup, Conversion::Truncating))?
    }

    /// Returns the labels that match one of `lists`, if exactly one overload does.
    fn only_fitting(&self, lookup: &Lookup, lists: &[ArgumentList]) -> Option<Box<[Name]>> {
        let takes = self.takes(lookup);
        let fits = |labels: &[Name]| {
            let parameters = labels.iter().zip(takes.iter().copied().chain(std::iter::repeat(Takes::One)));
            let parameters = parameters.map(|(label, takes)| Parameter { label: self.text(*label), takes });
            let parameters: Vec<Parameter<'_>> = parameters.collect();
            lists.iter().any(|list| list.can_be_for(&parameters))
        };
        let mut fitting = lookup.overloads.iter().filter(|labels| fits(labels));
        let first = fitting.next()?;
        fitting.all(|other| other == first).then(|| first.clone())
    }

    /// Returns how many arguments each parameter takes. Parameters of requirements have no defaults.
    fn takes(&self, lookup: &Lookup) -> Vec<Takes> {
        let member = self.member(lookup);
        let has_defaults =
            member.parent.is_some_and(|parent| self.queries.declarations.get(parent).kind != NominalKind::Protocol);
        let one = if has_defaults { Takes::OneOrNone } else { Takes::One };
        let count = lookup.overloads.first().map_or(0, |labels| labels.len());
        let formal = lookup.method.formal_type.map(|formal| self.queries.get(formal));
        let Some(Type::FormalFunction(outer)) = formal else { return vec![one; count] };
        let Type::FormalFunction(inner) = self.queries.get(outer.result) else { return vec![one; count] };
        // A setter takes the value first.
        let skipped = inner.parameters.len().saturating_sub(count);
        let takes = |parameter: &FormalParameter| match parameter.variadic {
            Variadic::Yes => Takes::Any,
            Variadic::No => one,
        };
        inner.parameters.iter().skip(skipped).map(takes).collect()
    }
}

/// Whether a branch tests the result of a call of the method that `lookup` finds: `if x.f() {}` has one location for
/// all of it.
fn tests_result(body: &Body, branch: InstructionId, lookup: InstructionId) -> bool {
    let defining = |id: InstructionId| body.operands(id).first().and_then(|operand| body.defining(*operand));
    let extract = defining(branch).filter(|id| body.instructions[*id].opcode == Opcode::StructExtract);
    let call = extract.and_then(defining).filter(|id| body.instructions[*id].opcode == Opcode::Apply);
    call.and_then(defining) == Some(lookup)
}

/// The other instructions at the location of a lookup.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OthersThere {
    /// No instruction that a call of the method would not have.
    None,
    /// Checks of integers by Swift's library.
    Checks,
    /// Other instructions.
    Unknown,
}

const MISSING: &str = "_";

/// Operators on integers of two types that are transparent in Swift's library.
const SHIFTS_AND_COMPARISONS: &[&str] =
    &["&<<", "&>>", "&<<=", "&>>=", "<<", ">>", "<<=", ">>=", "==", "!=", "<", "<=", ">", ">=", "~="];
