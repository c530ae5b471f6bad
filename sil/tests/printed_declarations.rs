//! Declarations as they are printed: in Swift's format, with the members that Swift adds, and with the meaning that
//! they had.
//!
//! Printed declarations keep their meaning: `keeps_the_meaning` reads all SIL of the repository's tests, and of the
//! folder that the environment variable SILC_CORPUS names.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sil::context::{Context, LayoutConstraint, Name, Requirement, TypeId};
use sil::declarations::{NominalDeclaration, Origin};
use sil::diagnostic::Level;
use sil::model::Module;
use sil::print::{Printer, print_module};
use sil::source::{SourceFile, SourceMap};
use sil::syntax::parse;

/// Reads a module; none if it has errors.
fn read(text: &str) -> Option<(Module, SourceMap)> {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("test.sil".into(), text.to_owned()));
    let outcome = parse(Arc::new(Context::new()), &sources, file, &Default::default());
    let failed = outcome.diagnostics.iter().any(|diagnostic| diagnostic.level == Level::Error);
    (!failed).then_some((outcome.module, sources))
}

fn printed(text: &str) -> String {
    let (module, sources) = read(text).expect("the text has no errors");
    print_module(&module, &sources)
}

fn assert_printed(text: &str, expected: &str) {
    let head = "sil_stage canonical\n\nimport Builtin\nimport Swift\nimport SwiftShims\n\n";
    let text = printed(&format!("{head}{text}"));
    assert_eq!(text.strip_prefix(head).expect("each module begins like this"), expected);
    assert_eq!(printed(&text), text, "printing what was printed");
}

#[test]
fn writes_a_member_a_line() {
    let text = include_str!("print/members.sil");
    assert_printed(text, include_str!("print/members.printed.sil"));
}

#[test]
fn adds_what_swift_adds() {
    let text = include_str!("print/added.sil");
    assert_printed(text, include_str!("print/added.printed.sil"));
}

#[test]
fn spells_types_and_requirements_as_swift() {
    let text = include_str!("print/types.sil");
    assert_printed(text, include_str!("print/types.printed.sil"));
}

#[test]
fn leaves_what_is_not_understood() {
    let text = "class C {\n  lazy var x : Int { get set }\n}\n\nfunc f(_ x:  some C)\n\n";
    assert_printed(text, text);
}

#[test]
fn keeps_what_printing_could_change() {
    let text = "sil_stage canonical\n\nimport Swift\n\nclass C {}\nclass AnyObject {}\nprotocol P : class {}\nprotocol Q where Self : C {}\n\
                struct Weak {\n  weak var c: Optional<C>\n}\nfunc f() {\n  struct Local {}\n}\n";
    let (module, sources) = read(text).expect("the declarations are right");
    let printed = print_module(&module, &sources);
    assert!(printed.contains("struct Local") && printed.contains(": class"), "{printed}");
    let (again, _) = read(&printed).expect("what was printed can be read");
    assert_same_meaning(Path::new("text"), &module, &again);
}

#[test]
fn keeps_the_meaning() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders = vec![root.join("tests"), root.join("examples"), root.join("sil/tests")];
    folders.extend(std::env::var_os("SILC_CORPUS").map(PathBuf::from));
    let mut files = Vec::new();
    for folder in folders {
        add_files(&folder, &mut files);
    }
    files.sort();
    let mut read_files = 0;
    for path in files {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Some((module, sources)) = read(&text) else { continue };
        read_files += 1;
        let text = print_module(&module, &sources);
        let (again, sources) = read(&text).unwrap_or_else(|| panic!("{} is printed with errors", path.display()));
        assert_eq!(print_module(&again, &sources), text, "{} printed again", path.display());
        assert_same_meaning(&path, &module, &again);
    }
    assert!(read_files > 100, "only {read_files} files could be read");
}

fn add_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            add_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "sil") {
            files.push(path);
        }
    }
}

fn assert_same_meaning(path: &Path, module: &Module, again: &Module) {
    // Types that functions declare come in the order in which they are mentioned, which is none of declarations.
    let own = |module: &Module| -> Vec<Meaning> {
        let all = module.declarations.iter().map(|(_, declaration)| declaration);
        let own = all.filter(|declaration| declaration.origin == Origin::Module);
        let mut meanings: Vec<Meaning> = own.map(|declaration| Meaning::of(module, declaration)).collect();
        meanings.sort_by(|first, second| first.layout.cmp(&second.layout));
        meanings
    };
    let (before, after) = (own(module), own(again));
    assert_eq!(before.len(), after.len(), "{}", path.display());
    for (before, after) in before.iter().zip(&after) {
        let place = format!("{} in {}", before.layout[0], path.display());
        assert_eq!(before.layout, after.layout, "{place}");
        assert!(after.requirements.is_subset(&before.requirements), "{place}: {:?}", after.requirements);
        assert!(before.members.is_subset(&after.members), "{place}: {:?} {:?}", before.members, after.members);
    }
}

/// The meaning of a nominal type, without the parts that the printer may omit or add.
struct Meaning {
    /// The parts that must be the same, in this order.
    layout: Vec<String>,
    /// Requirements and inherited types, without those that others imply.
    requirements: BTreeSet<String>,
    /// The names of members: Swift's are added.
    members: BTreeSet<String>,
}

impl Meaning {
    fn of(module: &Module, declaration: &NominalDeclaration) -> Self {
        let name = |name: Name| module.context.text(name).to_owned();
        let ty = |ty: TypeId| {
            let mut printer = Printer::new(&module.context, &module.declarations);
            printer.formal_type(ty);
            printer.out
        };
        let attributes = &declaration.attributes;
        let mut layout = vec![format!("{:?} {}", declaration.kind, name(declaration.name))];
        layout.push(format!("superclass {:?}", declaration.superclass.map(ty)));
        layout.push(format!("raw type {:?}", declaration.raw_type.map(ty)));
        layout.push(format!(
            "final {} noncopyable {} nonescapable {} class-bound {} indirect {} deinit {} alignment {:?} raw layout {}",
            attributes.is_final,
            attributes.noncopyable,
            attributes.nonescapable,
            attributes.class_bound,
            attributes.indirect,
            attributes.has_deinit,
            attributes.alignment,
            attributes.raw_layout.is_some(),
        ));
        for property in &declaration.stored {
            let (mutability, ownership) = (property.mutability, property.ownership);
            layout.push(format!("{mutability:?} {ownership:?} {}: {}", name(property.name), ty(property.ty)));
        }
        for case in &declaration.cases {
            layout.push(format!("case {} {:?} indirect {}", name(case.name), case.payload.map(ty), case.indirect));
        }
        let mut requirements = BTreeSet::new();
        if let Some(signature) = declaration.signature {
            let signature = module.context.get_signature(signature);
            for parameter in &signature.parameters {
                layout.push(format!("parameter {:?}", parameter.name.map(name)));
            }
            requirements.extend(signature.requirements.iter().map(|requirement| requirement_text(requirement, &ty)));
        }
        requirements.extend(declaration.conformances.iter().map(|conformance| ty(conformance.protocol)));
        let members =
            declaration.members.iter().map(|member| format!("{:?} {}", member.kind, name(member.name))).collect();
        Self { layout, requirements, members }
    }
}

fn requirement_text(requirement: &Requirement, ty: &dyn Fn(TypeId) -> String) -> String {
    match requirement {
        Requirement::Conformance { subject, constraint } => format!("{} : {}", ty(*subject), ty(*constraint)),
        Requirement::Superclass { subject, superclass } => format!("{} : {}", ty(*subject), ty(*superclass)),
        Requirement::SameType { first, second } => format!("{} == {}", ty(*first), ty(*second)),
        // How it is spelled does not matter.
        Requirement::Layout { subject, constraint: LayoutConstraint::Class(_) } => {
            format!("{} : AnyObject", ty(*subject))
        }
        Requirement::Layout { subject, constraint } => format!("{} : {constraint:?}", ty(*subject)),
        Requirement::Inverse { subject, inverse } => format!("{} : ~{inverse:?}", ty(*subject)),
    }
}
