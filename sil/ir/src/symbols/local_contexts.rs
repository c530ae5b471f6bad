//! The contexts of types that functions declare, as symbols have them: functions, closures and initial values, each of
//! which is a context without a name of its own at run time, and the extension, the type or the module around the
//! outermost (lib/IRGen/GenDecl.cpp, `getAddrOfContextDescriptorForParent`).

use super::mentions::{described_type, place};
use super::{Flavor, Kind, NodeId, Nominal, Operation, Symbol, Tree};

/// The context of a local type or a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OuterContext {
    /// A function or the like, or the top-level code of a file with statements: the symbol of its descriptor.
    Anonymous(String),
    /// An extension that is more than a part of the type it extends: the symbol of its descriptor.
    Extension(String),
    /// The type that these names lead to, the outermost first.
    Nominal(Vec<String>),
    /// The module itself.
    Module,
}

impl OuterContext {
    /// The function that declares the local type with the descriptor `symbol`, and the context of a context with the
    /// descriptor `symbol`. None for other symbols.
    pub fn around(symbol: &str) -> Option<Self> {
        let Symbol { tree, root, .. } = Symbol::demangle(symbol)?;
        let descriptor = tree.child(root, 0)?;
        match tree.kind(descriptor) {
            Kind::Operation(Operation::NominalTypeDescriptor) => of(&tree, described_type(&tree, root)?),
            Kind::Operation(Operation::AnonymousDescriptor) => match tree.child(descriptor, 0)? {
                file if tree.kind(file) == Kind::Module => Some(Self::Module),
                function => of(&tree, function),
            },
            _ => None,
        }
    }
}

/// The type that the extension with this descriptor extends: names that lead to it, the outermost first.
pub fn extended_type(symbol: &str) -> Option<Vec<String>> {
    let Symbol { tree, root, .. } = Symbol::demangle(symbol)?;
    let descriptor = tree.child(root, 0)?;
    let is_extension = tree.kind(descriptor) == Kind::Operation(Operation::ExtensionDescriptor);
    let extension = tree.child(descriptor, 0).filter(|_| is_extension)?;
    let mut path = Vec::new();
    place(&tree, tree.child(extension, 1)?, &mut path)?;
    Some(path)
}

/// The context of the declaration or closure `node`.
fn of(tree: &Tree, node: NodeId) -> Option<OuterContext> {
    let declaration = if tree.kind(node) == Kind::Static { tree.child(node, 0)? } else { node };
    let outer = tree.child(declaration, 0)?;
    // Accessors and initial values stand where their storage does.
    let storage = if tree.kind(outer) == Kind::Static { tree.child(outer, 0)? } else { outer };
    let outer = match tree.kind(storage) {
        Kind::Variable | Kind::Subscript => tree.child(storage, 0)?,
        _ => outer,
    };
    match tree.kind(outer) {
        Kind::Module if !is_local(tree, declaration) => Some(OuterContext::Module),
        Kind::Nominal(_) => {
            let mut path = Vec::new();
            place(tree, outer, &mut path)?;
            Some(OuterContext::Nominal(path))
        }
        Kind::Extension => descriptor(tree, Operation::ExtensionDescriptor, outer).map(OuterContext::Extension),
        _ => descriptor(tree, Operation::AnonymousDescriptor, outer).map(OuterContext::Anonymous),
    }
}

/// Whether `declaration` is among statements, whatever is around it.
fn is_local(tree: &Tree, declaration: NodeId) -> bool {
    let is_closure = matches!(tree.kind(declaration), Kind::ExplicitClosure | Kind::ImplicitClosure);
    is_closure || tree.children(declaration).iter().any(|child| tree.kind(*child) == Kind::LocalDeclName)
}

fn descriptor(tree: &Tree, operation: Operation, context: NodeId) -> Option<String> {
    let mut tree = tree.clone();
    let entity = tree.add(Kind::Operation(operation), &[context]);
    Symbol::new(Flavor::Default, tree, entity).remangle()
}

/// The function or the like that is the subject of a symbol, without the changes of passes: a possible context of local
/// types. None for symbols of other subjects, and of functions with generic parameters, as far as symbols show them: no
/// types stand in those.
pub fn plain_function(symbol: &str) -> Option<String> {
    let Symbol { tree, root, .. } = Symbol::demangle(symbol)?;
    let is_generic = |kind| {
        matches!(
            kind,
            Kind::GenericType
                | Kind::GenericParam { .. }
                | Kind::GenericSignature
                | Kind::PseudogenericSignature
                | Kind::Specialization(_)
                | Kind::PartialSpecialization(_)
        )
    };
    if tree.ids().any(|id| is_generic(tree.kind(id))) {
        return None;
    }
    let function = *tree.children(root).iter().find(|part| !tree.kind(**part).is_reported_of_function())?;
    let declares = matches!(
        tree.kind(function),
        Kind::Function
            | Kind::Allocator
            | Kind::Constructor
            | Kind::Accessor(_)
            | Kind::Static
            | Kind::ExplicitClosure
            | Kind::ImplicitClosure
    );
    if declares { Symbol::new(Flavor::Default, tree, function).remangle() } else { None }
}

/// Whether the function with the symbol `inner` is `outer` or nested in it, whatever flavors the two have: the symbol
/// of a nested function begins with that of its context. So does that of a static method with that of a method of
/// instances, of which an operator makes it.
pub fn stands_in(inner: &str, outer: &str) -> bool {
    let [inner, outer] = [inner, outer].map(|symbol| symbol.get(FLAVOR_LENGTH..).unwrap_or_default());
    inner.strip_prefix(outer).is_some_and(|rest| !rest.starts_with(STATIC))
}

/// The length of prefixes whose flavors do not count.
const FLAVOR_LENGTH: usize = "$s".len();

/// The operator of static members (docs/ABI/Mangling.rst, "Entities").
const STATIC: char = 'Z';

/// The symbol of the descriptor of the first type called `name` that `function` declares ([`plain_function`]).
pub fn first_local_type(function: &str, kind: Nominal, name: &str) -> Option<String> {
    let Symbol { mut tree, root, .. } = Symbol::demangle(function)?;
    let context = *tree.children(root).first()?;
    let number = tree.add_index(Kind::Number, 0);
    let name = tree.add_text(Kind::Identifier, name);
    let name = tree.add(Kind::LocalDeclName, &[number, name]);
    let ty = tree.add_type(Kind::Nominal(kind), &[context, name]);
    let descriptor = tree.add(Kind::Operation(Operation::NominalTypeDescriptor), &[ty]);
    Symbol::new(Flavor::Default, tree, descriptor).remangle()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_without_symbols_are_put_into_plain_functions() {
        let function = plain_function("$s4main1fyyFyycfU_Tf4n_n");
        assert_eq!(function.as_deref(), Some("$s4main1fyyFyycfU_"));
        let descriptor = first_local_type("$s4main1fyyFyycfU_", Nominal::Structure, "Deep");
        assert_eq!(descriptor.as_deref(), Some("$s4main1fyyFyycfU_4DeepL_VMn"));
        assert_eq!(plain_function("$s4main1fyyxlF"), None);
        assert_eq!(plain_function("$s4main1fyyxlFSi_Tg5"), None);
        assert_eq!(plain_function("$s4main1fyyFMXX"), None);
        assert!(stands_in("$s4main1CC1fyyFyycfU_", "$e4main1CC1fyyF"));
        assert!(!stands_in("$s4main1CC1fyyFZ", "$s4main1CC1fyyF"));
        assert!(!stands_in("$s4main1CC1fyyFZyycfU_", "$s4main1CC1fyyF"));
    }

    #[test]
    fn functions_around_a_type_are_contexts_up_to_what_has_a_name() {
        let mut symbol = "$sSi2l4E1gyyF4nestL_yyFyycfU_2CCL_VMn".to_owned();
        for outer in ["$sSi2l4E1gyyF4nestL_yyFyycfU_MXX", "$sSi2l4E1gyyF4nestL_yyFMXX", "$sSi2l4E1gyyFMXX"] {
            assert_eq!(OuterContext::around(&symbol), Some(OuterContext::Anonymous(outer.to_owned())));
            outer.clone_into(&mut symbol);
        }
        let extension = "$sSi2l4EMXE";
        assert_eq!(OuterContext::around(&symbol), Some(OuterContext::Extension(extension.to_owned())));
        assert_eq!(extended_type(extension), Some(vec!["Int".to_owned()]));
    }

    #[test]
    fn accessors_and_initial_values_stand_where_their_storage_does() {
        let around = |symbol| OuterContext::around(symbol);
        let nominal = |name: &str| Some(OuterContext::Nominal(vec![name.to_owned()]));
        assert_eq!(around("$s2l41SV1pSivgMXX"), nominal("S"));
        assert_eq!(around("$s2l41SV2stSivpZfiMXX"), nominal("S"));
        assert_eq!(around("$s2l41SVyS2icigMXX"), nominal("S"));
        assert_eq!(around("$s2l42ClCfdMXX"), nominal("Cl"));
        let function = "$s2l41SV2dayySiFMXX".to_owned();
        assert_eq!(around("$s2l41SV2dayySiFfA_MXX"), Some(OuterContext::Anonymous(function)));
    }

    #[test]
    fn statements_of_a_file_are_a_context() {
        let file = "$s2l4MXX".to_owned();
        assert_eq!(OuterContext::around("$s2l43TopL0_VMn"), Some(OuterContext::Anonymous(file.clone())));
        assert_eq!(OuterContext::around("$s2l4SiyXEfU_MXX"), Some(OuterContext::Anonymous(file.clone())));
        assert_eq!(OuterContext::around(&file), Some(OuterContext::Module));
        assert_eq!(OuterContext::around("$s2l21kyyFMXX"), Some(OuterContext::Module));
    }
}
