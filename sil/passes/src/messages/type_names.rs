//! Types as Swift's diagnostics print them: without modules, and with the short forms of optionals, arrays and
//! dictionaries.

use sil_ir::context::{
    FunctionAttribute, NominalId, Parameter, ParameterConvention, ParameterOption, SignatureId, Type, TypeId,
};
use sil_ir::symbols::{Style, Symbol};
use sil_ir::types::TypeQueries;
use sil_text::print::Printer;

/// Returns the text of a type; types without a short form are printed as in SIL. Generic parameters have their names in
/// `signature`.
pub(crate) fn type_name(queries: &TypeQueries<'_>, ty: TypeId, signature: Option<SignatureId>) -> String {
    name(queries, ty, (signature, Spelling::Short), NESTING)
}

/// Returns the text of a type without a signature, for messages of lowering.
pub fn type_in_words(queries: &TypeQueries<'_>, ty: TypeId) -> String {
    type_name(queries, ty, None)
}

/// The same for a canonical type: without short forms.
pub(crate) fn canonical_type_name(queries: &TypeQueries<'_>, ty: TypeId, signature: Option<SignatureId>) -> String {
    name(queries, ty, (signature, Spelling::Canonical), NESTING)
}

/// Whether types are printed in their short forms.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelling {
    /// The short forms `T?` and `[T]`.
    Short,
    /// The full forms `Optional<T>` and `Array<T>`.
    Canonical,
}

/// The limit for nested types.
const NESTING: u32 = 64;

fn name(
    queries: &TypeQueries<'_>,
    ty: TypeId,
    (signature, spelling): (Option<SignatureId>, Spelling),
    depth: u32,
) -> String {
    let context = queries.context;
    let Some(depth) = depth.checked_sub(1) else { return in_sil(queries, ty) };
    let part = |ty: TypeId| name(queries, ty, (signature, spelling), depth);
    match queries.get(ty) {
        Type::Tuple(elements) => {
            let element = |label: Option<&str>, ty: TypeId| match label {
                Some(label) => format!("{label}: {}", part(ty)),
                None => part(ty),
            };
            let elements = elements.iter().map(|found| element(found.label.map(|label| context.text(label)), found.ty));
            format!("({})", elements.collect::<Vec<_>>().join(", "))
        }
        Type::Nominal(nominal) => {
            let own = own_name(queries, nominal.declaration);
            let arguments: Vec<String> = nominal.arguments.iter().map(|ty| part(*ty)).collect();
            let short = if spelling == Spelling::Short { own } else { "" };
            match (short, arguments.as_slice()) {
                ("Optional", [payload]) if is_compound(queries, nominal.arguments[0]) => format!("({payload})?"),
                ("Optional", [payload]) => format!("{payload}?"),
                ("Array", [element]) => format!("[{element}]"),
                ("Dictionary", [key, value]) => format!("[{key} : {value}]"),
                (_, arguments) => {
                    // A type around another one has no short form.
                    let around = |ty| name(queries, ty, (signature, Spelling::Canonical), depth);
                    let path = match nominal.parent {
                        Some(parent) => format!("{}.{own}", around(parent)),
                        None => path(queries, nominal.declaration),
                    };
                    if arguments.is_empty() { path } else { format!("{path}<{}>", arguments.join(", ")) }
                }
            }
        }
        Type::Storage { referent, .. } => part(*referent),
        Type::Metatype { instance, .. } if is_compound(queries, *instance) => format!("({}).Type", part(*instance)),
        Type::Metatype { instance, .. } => format!("{}.Type", part(*instance)),
        Type::ExistentialMetatype { instance, .. } => format!("{}.Type", part(*instance)),
        Type::Function(_) if spelling == Spelling::Short => function_name(queries, ty, &part),
        Type::Existential(constraint) => match queries.get(*constraint) {
            Type::Protocol { .. } => format!("any {}", part(*constraint)),
            _ => in_sil(queries, ty),
        },
        Type::Protocol { protocol, arguments } if arguments.is_empty() => {
            context.text(queries.declarations.get(*protocol).name).to_owned()
        }
        // An opened archetype is printed as its existential.
        Type::OpenedArchetype { existential, .. } => part(*existential),
        Type::OpaqueResult { symbol, .. } => opaque_result(context.text(*symbol)),
        Type::Pack { elements, .. } => {
            let elements: Vec<String> = elements.iter().map(|element| part(*element)).collect();
            elements.join(", ")
        }
        Type::PackExpansion { pattern } => format!("repeat {}", part(*pattern)),
        Type::PackElement(pack) => format!("each {}", part(*pack)),
        Type::PackElementArchetype { interface, .. } => format!("each {}", part(*interface)),
        Type::DependentMember { base, member, .. } => format!("{}.{}", part(*base), context.text(*member)),
        Type::NamedParameter { name, .. } => context.text(*name).to_owned(),
        Type::GenericParameter { depth, index } => {
            let parameters = signature.map(|signature| &context.get_signature(signature).parameters);
            let found = parameters.and_then(|all| all.iter().find(|own| (own.depth, own.index) == (*depth, *index)));
            let name = found.and_then(|parameter| parameter.name);
            name.map_or_else(|| in_sil(queries, ty), |name| context.text(name).to_owned())
        }
        _ => in_sil(queries, ty),
    }
}

/// The name of a declaration alone.
fn own_name<'q>(queries: &TypeQueries<'q>, nominal: NominalId) -> &'q str {
    let own = queries.context.text(queries.declarations.get(nominal).name);
    own.rsplit('.').next().unwrap_or(own)
}

/// The name of a declaration after those of the types around it, none of which has parameters.
fn path(queries: &TypeQueries<'_>, nominal: NominalId) -> String {
    let own = own_name(queries, nominal);
    match queries.declarations.get(nominal).parent {
        Some(parent) => format!("{}.{own}", path(queries, parent)),
        None => own.to_owned(),
    }
}

/// Whether a type is written in parentheses where something follows it: a function, or a type that begins with `any`
/// (lib/AST/ASTPrinter.cpp, `isSimpleUnderPrintOptions`).
fn is_compound(queries: &TypeQueries<'_>, ty: TypeId) -> bool {
    match queries.get(ty) {
        Type::Function(_) => true,
        Type::Existential(constraint) => match queries.get(*constraint) {
            Type::Composition(composition) => !composition.members.is_empty(),
            _ => true,
        },
        _ => false,
    }
}

/// Returns the text of an opaque result type: its declaration, since the symbol does not contain the protocol of `some
/// P`.
fn opaque_result(symbol: &str) -> String {
    let declaration = Symbol::demangle(symbol).and_then(|symbol| symbol.print(Style::Simplified));
    format!("some type, the result of {}", declaration.as_deref().unwrap_or(symbol))
}

/// Returns the text of a function type such as `(Int) async throws -> T`, reconstructed from its lowered type.
fn function_name(queries: &TypeQueries<'_>, ty: TypeId, part: &dyn Fn(TypeId) -> String) -> String {
    let Some(conventions) = queries.conventions(ty) else { return in_sil(queries, ty) };
    let function = conventions.function;
    let parameter = |parameter: &Parameter| {
        let isolated = if parameter.options.contains(ParameterOption::Isolated) { "isolated " } else { "" };
        match parameter.convention {
            ParameterConvention::InOut | ParameterConvention::InOutAliasable => {
                format!("{isolated}inout {}", part(parameter.ty))
            }
            _ => format!("{isolated}{}", part(parameter.ty)),
        }
    };
    let is_written = |parameter: &&Parameter| !parameter.options.contains(ParameterOption::ImplicitLeading);
    let parameters: Vec<String> = function.parameters.iter().filter(is_written).map(parameter).collect();
    let results: Vec<String> = function.results.iter().map(|result| part(result.ty)).collect();
    let result = match results.as_slice() {
        [only] => only.clone(),
        several => format!("({})", several.join(", ")),
    };
    let has = |attribute| function.attributes.contains(attribute);
    let sendable = if has(FunctionAttribute::Sendable) { "@Sendable " } else { "" };
    let asynchronous = if has(FunctionAttribute::Async) { " async" } else { "" };
    let throwing = if function.error.is_some() { " throws" } else { "" };
    format!("{sendable}({}){asynchronous}{throwing} -> {result}", parameters.join(", "))
}

fn in_sil(queries: &TypeQueries<'_>, ty: TypeId) -> String {
    let mut printer = Printer::new(queries.context, queries.declarations);
    printer.formal_type(ty);
    printer.out
}
