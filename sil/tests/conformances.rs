//! Substitution maps and conformances: applying maps to types and to other maps, the conformances of types, and the
//! conformances in maps for the requirements of their signatures.

use std::sync::Arc;

use sil::context::{ConformanceKind, Context, NominalId, SubstitutionMapId, Type, TypeId};
use sil::model::Module;
use sil::print::Printer;
use sil::source::{SourceFile, SourceMap};
use sil::types::{ConformanceTable, TypeQueries};

const TEXT: &str = "sil_stage canonical\nimport Builtin\nimport Swift\n
protocol P { associatedtype A : Q }
protocol Q { }
protocol R : Q { }
struct S : P { typealias A = Box<S> }
struct Box<T> { }
extension Box : R where T : P { }
class C : Q { init() }
class D : C, R { override init() }
class E : D { override init() }
struct None { }
sil @outer : $@convention(thin) <T, U where T : P> (Box<T>, U, T.A) -> ()
sil @inner : $@convention(thin) <V where V : R, V : Q> (V) -> ()
";

struct Fixture {
    module: Module,
}

impl Fixture {
    fn new() -> Self {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("conformances.sil".into(), TEXT.to_owned()));
        let outcome = sil::syntax::parse(Arc::new(Context::new()), &sources, file, &Default::default());
        assert!(outcome.is_ok(), "{:?}", outcome.diagnostics);
        Self { module: outcome.module }
    }

    fn nominal(&self, name: &str) -> NominalId {
        let found = self.module.declarations.top_level(self.module.context.name(name));
        found.unwrap_or_else(|| panic!("the text declares {name}"))
    }

    fn ty(&self, name: &str, arguments: &[TypeId]) -> TypeId {
        let declaration = self.nominal(name);
        let nominal = sil::context::NominalType { declaration, parent: None, arguments: arguments.into() };
        self.module.context.ty(Type::Nominal(nominal))
    }

    /// The map that gives the parameters of a function these replacements.
    fn map(&self, function: &str, replacements: &[TypeId]) -> SubstitutionMapId {
        let found = self.module.function_named(self.module.context.name(function));
        let ty = found.map(|found| self.module.context.get(self.module.functions[found].ty));
        match ty {
            Some(Type::Function(ty)) => {
                self.module.context.substitutions(ty.signature.unwrap_or_default(), replacements)
            }
            _ => panic!("the text has {function}"),
        }
    }

    fn shown(&self, ty: TypeId) -> String {
        let mut printer = Printer::new(&self.module.context, &self.module.declarations);
        printer.formal_type(ty);
        printer.out
    }
}

#[test]
fn maps_are_composed() {
    let fixture = Fixture::new();
    let (module, context) = (&fixture.module, &fixture.module.context);
    let conformances = ConformanceTable::new(context, &module.witness_tables);
    let queries = TypeQueries::of(module, &conformances);
    let parameter = |index| context.ty(Type::GenericParameter { depth: 0, index });
    let member = Type::DependentMember { base: parameter(0), member: context.name("A"), protocol: None };
    let member = context.ty(member);

    // V is Box<T.A> in terms of the outer function's T, which is S.
    let inner = fixture.map("inner", &[fixture.ty("Box", &[member])]);
    let outer = fixture.map("outer", &[fixture.ty("S", &[]), fixture.ty("None", &[])]);
    let composed = queries.substitute_map(inner, outer);
    assert_eq!(fixture.shown(context.replacements(composed)[0]), "Box<Box<S>>");
    assert_eq!(context.get_substitutions(composed).signature, context.get_substitutions(inner).signature);

    // First one, then the other is the same as both at once.
    let ty = fixture.ty("Box", &[parameter(0)]);
    let at_once = queries.substitute(ty, composed);
    assert_eq!(queries.substitute(queries.substitute(ty, inner), outer), at_once);
    assert_eq!(queries.substitute(ty, SubstitutionMapId::EMPTY), ty);
    assert_eq!(queries.substitute_map(SubstitutionMapId::EMPTY, outer), SubstitutionMapId::EMPTY);
}

#[test]
fn types_conform_as_declarations_say() {
    let fixture = Fixture::new();
    let (module, context) = (&fixture.module, &fixture.module.context);
    let conformances = ConformanceTable::new(context, &module.witness_tables);
    let queries = TypeQueries::of(module, &conformances);
    let [p, q, r] = ["P", "Q", "R"].map(|name| fixture.nominal(name));
    let [s, c, e, none] = ["S", "C", "E", "None"].map(|name| fixture.ty(name, &[]));
    let conformance = |ty, protocol| context.get_conformance(queries.conformance(ty, protocol));

    assert!(matches!(conformance(s, p).kind, ConformanceKind::Normal { .. }));
    assert_eq!(conformance(none, q).kind, ConformanceKind::Missing);
    let parameter = context.ty(Type::GenericParameter { depth: 0, index: 0 });
    assert_eq!(conformance(parameter, q).kind, ConformanceKind::Abstract);

    // A conformance of a superclass takes precedence over one implied by another conformance.
    let ConformanceKind::Inherited { base } = conformance(e, q).kind else { panic!("it is inherited") };
    assert_eq!(context.get_conformance(base).ty, c);
    assert!(matches!(conformance(e, r).kind, ConformanceKind::Inherited { .. }));

    // A conditional conformance states its requirements on the generic arguments.
    let boxed = |ty| fixture.ty("Box", &[ty]);
    for (ty, is_broken) in [(s, false), (parameter, false), (none, true), (boxed(s), true)] {
        let found = queries.conformance(boxed(ty), q);
        assert!(matches!(context.get_conformance(found).kind, ConformanceKind::Specialized { .. }));
        assert_eq!(queries.is_broken(found), is_broken, "{}", fixture.shown(ty));
    }
}

#[test]
fn maps_bring_a_conformance_for_each_that_their_signature_states() {
    let fixture = Fixture::new();
    let (module, context) = (&fixture.module, &fixture.module.context);
    let conformances = ConformanceTable::new(context, &module.witness_tables);
    let queries = TypeQueries::of(module, &conformances);
    let [q, r] = ["Q", "R"].map(|name| fixture.nominal(name));

    let map = fixture.map("inner", &[fixture.ty("Box", &[fixture.ty("S", &[])])]);
    let brought = queries.conformances_of(map);
    assert_eq!(brought, [r, q].map(|protocol| queries.conformance(context.replacements(map)[0], protocol)));
    // That V conforms to Q follows from R.
    let required = queries.required_conformances(context.get_substitutions(map).signature);
    assert_eq!(required.iter().map(|step| step.protocol).collect::<Vec<_>>(), [r]);
    assert!(queries.requirements_hold(map));
    let broken = fixture.map("inner", &[fixture.ty("C", &[])]);
    assert!(!queries.requirements_hold(broken));
    assert!(!queries.is_broken(queries.conformance(fixture.ty("C", &[]), q)));
}
