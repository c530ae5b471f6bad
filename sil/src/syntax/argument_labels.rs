//! Which labels the methods have that functions look up, where several have one name and one type: SIL does not write labels. For functions of the
//! standard library it is known (`library_conversions.rs`), for witnesses their symbols tell, and in code with locations the source does, where it is
//! at hand. What nothing tells stays open, and is refused where it counts.
//!
//! Does not own: reading the source (`swift_source`); which members one reference can mean (`types/label_overloads.rs`).

use std::sync::{Arc, OnceLock};

use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashSet;

use super::library_conversions::{self, Conversion};
use crate::cache::Cache;
use crate::context::{FormalParameter, MemberId, MemberKind, MemberRef, Name, Type, TypeId, Variadic};
use crate::declarations::NominalKind;
use crate::instructions::Opcode;
use crate::model::{Body, Details, InstructionId, Method, Scope, ScopeId, function_of_scope};
use crate::swift_source::{ArgumentList, Callee, Parameter, SwiftPlace, SwiftSources, Takes};
use crate::symbols::Symbol;
use crate::types::{TypeQueries, have_several_labels};

/// What tells labels in the functions of a module.
pub(super) struct ArgumentLabels<'q, 'a> {
    queries: &'q TypeQueries<'a>,
    scopes: &'q PrimaryMap<ScopeId, Scope>,
    sources: Option<&'q SwiftSources>,
    /// The files that scopes name.
    files: OnceLock<Vec<Name>>,
    /// By a member and a type, the labels of those that they can mean; none where all have the same.
    overloads: Cache<(MemberId, Option<TypeId>), Option<Overloads>>,
}

/// Lists of labels of which each is one that may be meant.
type Overloads = Arc<[Box<[Name]>]>;

/// A lookup of a method that labels tell from others.
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

    /// Gives the references in the body of `function` the labels that are known.
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

    /// The function whose source has what became of the instruction: one that was inlined, or the function itself.
    fn origin(&self, body: &Body, id: InstructionId) -> Option<Name> {
        let scope = body.instructions[id].location?.scope?;
        function_of_scope(self.scopes, scope).map(|(name, _)| name)
    }

    /// A witness has the labels of the requirement that it is for, and calls what is called so.
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

    /// The files that scopes name: `#sourceLocation` may have put any line into any of them.
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

    /// What else has the place of a lookup: a transparent function that was inlined has that of its call, which says nothing of what it calls itself.
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

    /// Whether a member is what Swift's library asks integers before it converts or compares them.
    fn checks_integers(&self, member: MemberId) -> bool {
        let member = self.queries.context.get_member(member);
        member.kind == MemberKind::Getter && ["bitWidth", "isSigned"].contains(&self.text(member.name))
    }

    /// The transparent functions of Swift's library convert with `T(truncatingIfNeeded: x)`, and otherwise only numbers that fit.
    fn labels_of_transparent(&self, lookup: &Lookup) -> Option<Box<[Name]>> {
        let converts = self.queries.converts_integers(self.member(lookup));
        converts.then(|| self.labels_of_conversion(lookup, Conversion::Truncating))?
    }

    /// The labels that one of `lists` can be for, if these are one.
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

    /// How many arguments each parameter takes. Those of requirements have no defaults.
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

/// Whether a branch tests what a call of the method that `lookup` finds returns: `if x.f() {}` has one place for all of it.
fn tests_result(body: &Body, branch: InstructionId, lookup: InstructionId) -> bool {
    let defining = |id: InstructionId| body.operands(id).first().and_then(|operand| body.defining(*operand));
    let extract = defining(branch).filter(|id| body.instructions[*id].opcode == Opcode::StructExtract);
    let call = extract.and_then(defining).filter(|id| body.instructions[*id].opcode == Opcode::Apply);
    call.and_then(defining) == Some(lookup)
}

/// What has the same place as a lookup.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OthersThere {
    /// Nothing that a call of the method would not have.
    None,
    /// Swift's library checks integers there.
    Checks,
    /// Something else.
    Unknown,
}

const MISSING: &str = "_";

/// Operators of integers of two types that are transparent in Swift's library.
const SHIFTS_AND_COMPARISONS: &[&str] =
    &["&<<", "&>>", "&<<=", "&>>=", "<<", ">>", "<<=", ">>=", "==", "!=", "<", "<=", ">", ">=", "~="];
