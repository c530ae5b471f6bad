//! Swift symbols (docs/ABI/Mangling.rst): one tree of the contents of a mangled symbol. [`demangle`](self::demangle())
//! makes it of a symbol, [`Symbol::remangle`] writes it as one, [`Symbol::print`] writes the name that `swift-demangle`
//! gives.
//!
//! Symbols of Swift 4.0 (`_T0`) and later (`$S`, `$s`, `$e`) are read; the mangling before 4.0 (`_Tt`, `_TF`) is not.

mod associated_types;
mod bit_fields;
mod demangle;
mod derivatives;
mod entity;
mod kind;
mod local_contexts;
mod mentions;
mod operations;
mod operator_names;
mod print;
mod punycode;
mod remangle;
mod specialization;
mod spelling;
mod standard;
mod tree;
mod words;
mod written_names;

pub use bit_fields::{BitFieldAccessor, bit_field_accessor};
pub use entity::{Entity, EntityKind, EntityPlace};
pub use kind::{Kind, Reference, SignatureChange, ValueChanges};
pub use local_contexts::{OuterContext, extended_type, first_local_type, plain_function, stands_in};
pub(crate) use mentions::add_described_type;
pub use mentions::{
    DeclaredEntity, MentionedKind, MentionedLocalType, MentionedType, Place, PrivateName, StorageFunction,
    function_around_local, local_types, mentioned_types,
};
pub use operations::Operation;
pub use specialization::{Abstraction, ParameterChange, ResultChange, SpecializationPass, SpecializedBody};
pub use spelling::*;
pub use standard::{is_standard_type, module_in_symbols};
pub use tree::{Node, NodeId, Tree};
pub use written_names::{Declarer, WrittenNames, WrittenParts};

use demangle::Labels;

/// How much of a symbol is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Style {
    /// Everything: modules, types, where clauses, the origin of a specialization.
    Full,
    /// The name that distinguishes one function of a program from another at a glance, as `swift-demangle -simplified`
    /// writes it.
    Simplified,
    /// The same with the names of modules.
    SimplifiedWithModules,
}

/// The nesting of tuples in the result of a function, which its lowered type does not show.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ResultShape<'s> {
    /// The elements of a tuple, with their labels.
    Tuple(Vec<(Option<&'s str>, ResultShape<'s>)>),
    /// Another value.
    Value,
}

/// The prefixes of mangled symbols, and those that the remangler writes for them.
const PREFIXES: &[(&str, &str)] = &[
    ("$s", "$s"),
    ("$e", "$e"),
    ("_T0", "$s"),
    ("$S", "$s"),
    ("_$S", "$s"),
    ("_$s", "_$s"),
    ("_$e", "_$e"),
    ("@__swiftmacro_", "@__swiftmacro_"),
];

/// Symbols nest in symbols, in specializations, this deep at most.
const SYMBOL_DEPTH: u32 = 3;

/// How symbols of a module begin.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Flavor {
    /// `$s`
    Default,
    /// `$e`: Embedded Swift from 6.2 on.
    Embedded,
}

/// A symbol.
#[derive(Clone, Debug)]
pub struct Symbol {
    prefix: &'static str,
    tree: Tree,
    root: NodeId,
}

impl Symbol {
    /// Adds the subject of the symbol to `tree`. None if the symbol has marks of the compiler beside it.
    pub(crate) fn copy_entity(&self, tree: &mut Tree) -> Option<NodeId> {
        let [entity] = self.tree.children(self.root) else { return None };
        Some(tree.add_copy(&self.tree, *entity))
    }

    /// The symbol about `entity`, a node of `tree`.
    pub fn new(flavor: Flavor, mut tree: Tree, entity: NodeId) -> Self {
        let root = tree.add(Kind::Global, &[entity]);
        let prefix = match flavor {
            Flavor::Default => "$s",
            Flavor::Embedded => "$e",
        };
        Symbol { prefix, tree, root }
    }

    /// The contents of `text`. None if it is no mangled symbol.
    pub fn demangle(text: &str) -> Option<Symbol> {
        let (read, written) = PREFIXES.iter().find(|(prefix, _)| text.starts_with(prefix))?;
        let labels = if *read == "_T0" { Labels::InTypes } else { Labels::BesideTypes };
        let (tree, root) = demangle::demangle(&text.as_bytes()[read.len()..], labels)?;
        Some(Symbol { prefix: written, tree, root })
    }

    /// The class whose deallocating deinit the symbol is, as the symbol of something else about it.
    pub fn of_deallocated_class(mut self, operation: Operation) -> Option<Symbol> {
        let [deallocator] = self.tree.children(self.root) else { return None };
        let class = match self.tree.kind(*deallocator) {
            Kind::Implicit(Implicit::Deallocator) => self.tree.child(*deallocator, 0)?,
            _ => return None,
        };
        let class = self.tree.add(Kind::Type, &[class]);
        let entity = self.tree.add(Kind::Operation(operation), &[class]);
        self.root = self.tree.add(Kind::Global, &[entity]);
        Some(self)
    }

    /// The requirement that the witness of a protocol is for, as the symbol of something else about it.
    pub fn of_witnessed_requirement(mut self, operation: Operation) -> Option<Symbol> {
        let [witness] = self.tree.children(self.root) else { return None };
        let requirement = match self.tree.kind(*witness) {
            Kind::Operation(Operation::ProtocolWitness) => self.tree.child(*witness, 1)?,
            _ => return None,
        };
        let entity = self.tree.add(Kind::Operation(operation), &[requirement]);
        self.root = self.tree.add(Kind::Global, &[entity]);
        Some(self)
    }

    /// The symbol of another entity of this one's subject.
    pub fn about(mut self, operation: Operation) -> Option<Symbol> {
        let [entity] = self.tree.children(self.root) else { return None };
        let entity = self.tree.add(Kind::Operation(operation), &[*entity]);
        self.root = self.tree.add(Kind::Global, &[entity]);
        Some(self)
    }

    /// The property or subscript that a getter or the accessor of a key path is for, as the symbol of something else
    /// about it.
    pub fn of_storage(mut self, operation: Operation) -> Option<Symbol> {
        let [accessor] = self.tree.children(self.root) else { return None };
        let storage = match self.tree.kind(*accessor) {
            Kind::KeyPathThunk(_) | Kind::Accessor(Accessor::Getter) => self.tree.child(*accessor, 0)?,
            _ => return None,
        };
        let entity = self.tree.add(Kind::Operation(operation), &[storage]);
        self.root = self.tree.add(Kind::Global, &[entity]);
        Some(self)
    }

    /// The property or subscript that the symbol is an accessor of.
    pub fn accessed_storage(mut self) -> Option<Symbol> {
        let [accessor] = self.tree.children(self.root) else { return None };
        let (Kind::Accessor(_), storage) = (self.tree.kind(*accessor), self.tree.child(*accessor, 0)?) else {
            return None;
        };
        self.root = self.tree.add(Kind::Global, &[storage]);
        Some(self)
    }

    /// The symbol of another accessor of the property or subscript that this one is an accessor of.
    pub fn of_accessor(mut self, accessor: Accessor) -> Option<Symbol> {
        let [own] = self.tree.children(self.root) else { return None };
        let (Kind::Accessor(_), storage) = (self.tree.kind(*own), self.tree.child(*own, 0)?) else { return None };
        let entity = self.tree.add(Kind::Accessor(accessor), &[storage]);
        self.root = self.tree.add(Kind::Global, &[entity]);
        Some(self)
    }

    /// How the symbol begins.
    pub fn flavor(&self) -> Flavor {
        match self.prefix {
            "$e" | "_$e" => Flavor::Embedded,
            _ => Flavor::Default,
        }
    }

    /// The module that declares the subject of the symbol; for a witness, the module that states the conformance. None
    /// if the symbol is about types alone.
    pub fn declaring_module(&self) -> Option<&str> {
        let mut node = self.root;
        loop {
            let children = self.tree.children(node);
            node = match self.tree.kind(node) {
                Kind::Module => return Some(&self.tree.get(node).text),
                Kind::Global | Kind::PartialApply(_) => {
                    *children.iter().find(|child| !self.tree.kind(**child).is_reported_of_function())?
                }
                Kind::AnonymousContext => *children.get(1)?,
                Kind::ProtocolConformance => *children.get(2)?,
                Kind::Reabstraction(_) | Kind::KeyPathThunk(_) | Kind::KeyPathIndexThunk(_) => return None,
                _ => *children.first()?,
            };
        }
    }

    /// The name, without labels, of the function that the symbol is about. None where it is about anything else, or of
    /// it.
    pub fn function_name(&self) -> Option<&str> {
        let [function] = self.tree.children(self.root) else { return None };
        let is_function = self.tree.kind(*function) == Kind::Function;
        let name = self.tree.child_of_kind(*function, Kind::Identifier).filter(|_| is_function)?;
        Some(&self.tree.get(name).text)
    }

    /// The labels of the parameters of the function that the symbol is about, none for a parameter without; empty where
    /// no parameter has one. None where the symbol is about no function with parameters.
    pub fn labels(&self) -> Option<Vec<Option<&str>>> {
        let mut node = self.root;
        loop {
            if let Some(labels) = self.labels_at(node) {
                return Some(labels);
            }
            node = *self.tree.children(node).iter().find(|child| !self.tree.kind(**child).is_reported_of_function())?;
        }
    }

    /// The labels of all parameters of the function that the symbol is about, none for a parameter without. None where
    /// the symbol is about no function.
    pub fn parameter_labels(&self) -> Option<Vec<Option<&str>>> {
        let mut labels = self.labels()?;
        labels.resize(self.parameters()?.len().max(labels.len()), None);
        Some(labels)
    }

    /// For each parameter of the function that the symbol is about whether it is variadic. None where the symbol is
    /// about no function.
    pub fn variadic_parameters(&self) -> Option<Vec<bool>> {
        let is_variadic = |parameter: NodeId| self.tree.child_of_kind(parameter, Kind::VariadicMarker).is_some();
        Some(self.parameters()?.iter().map(|parameter| is_variadic(*parameter)).collect())
    }

    /// The isolation of the function values that the symbol's function takes, for each of its parameters; none for
    /// other parameters. None if the subject of the symbol is no function.
    pub fn isolations_of_parameters(&self) -> Option<Vec<Option<ValueIsolation<'_>>>> {
        Some(self.parameters()?.iter().map(|parameter| self.isolation_of_value(*parameter)).collect())
    }

    fn isolation_of_value(&self, parameter: NodeId) -> Option<ValueIsolation<'_>> {
        let tree = &self.tree;
        let mut ty = match tree.kind(parameter) {
            Kind::TupleElement => tree.child_of_kind(parameter, Kind::Type)?,
            _ => parameter,
        };
        while let Kind::Type | Kind::Operation(_) = tree.kind(ty) {
            ty = tree.child(ty, 0)?;
        }
        let says = |operation| tree.child_of_kind(ty, Kind::Operation(operation));
        match tree.kind(ty) {
            Kind::FunctionType(_) if says(Operation::IsolatedAny).is_some() => Some(ValueIsolation::OwnActor),
            Kind::FunctionType(_) if says(Operation::NonIsolatedCaller).is_some() => Some(ValueIsolation::Caller),
            Kind::FunctionType(_) => Some(match says(Operation::GlobalActor) {
                Some(actor) => ValueIsolation::GlobalActor(self.name_of_nominal(actor)?),
                None => ValueIsolation::Nonisolated,
            }),
            _ => None,
        }
    }

    /// The name of the type that a node has.
    fn name_of_nominal(&self, node: NodeId) -> Option<&str> {
        let nominal = self.tree.content(self.tree.child(node, 0)?);
        self.tree.child_of_kind(nominal, Kind::Identifier).map(|name| self.tree.get(name).text.as_ref())
    }

    /// The parameters of the function that the symbol is about.
    fn parameters(&self) -> Option<Vec<NodeId>> {
        let tree = &self.tree;
        let arguments = tree.child_of_kind(self.function_type()?, Kind::ArgumentTuple)?;
        let parameters = tree.content(tree.child(arguments, 0)?);
        Some(match tree.kind(parameters) {
            Kind::Tuple => tree.children(parameters).to_vec(),
            _ => vec![parameters],
        })
    }

    /// The name of the global actor that functions run on which the function that the symbol is about gives.
    pub fn global_actor_of_result(&self) -> Option<&str> {
        let tree = &self.tree;
        let result = tree.child_of_kind(self.function_type()?, Kind::ReturnType)?;
        let given = tree.content(tree.child(result, 0)?);
        let actor = tree.child_of_kind(given, Kind::Operation(Operation::GlobalActor))?;
        self.name_of_nominal(actor)
    }

    /// The shape of the result of the symbol's function. None where the symbol names no function.
    pub fn shape_of_result(&self) -> Option<ResultShape<'_>> {
        let result = self.tree.child_of_kind(self.function_type()?, Kind::ReturnType)?;
        Some(self.shape(self.tree.child(result, 0)?))
    }

    fn shape(&self, ty: NodeId) -> ResultShape<'_> {
        let tree = &self.tree;
        let ty = tree.content(ty);
        if tree.kind(ty) != Kind::Tuple {
            return ResultShape::Value;
        }
        let elements = tree.children(ty).iter().map(|element| {
            let label = tree.child_of_kind(*element, Kind::TupleElementName);
            let label = label.map(|label| tree.get(label).text.as_ref());
            (label, tree.child_of_kind(*element, Kind::Type).map_or(ResultShape::Value, |ty| self.shape(ty)))
        });
        ResultShape::Tuple(elements.collect())
    }

    /// The type of the function or of the subscript that is the subject of the symbol, without generic parameters.
    fn function_type(&self) -> Option<NodeId> {
        let tree = &self.tree;
        let mut entity = *tree.children(self.root).iter().find(|part| !tree.kind(**part).is_reported_of_function())?;
        if tree.kind(entity) == Kind::Static {
            entity = tree.child(entity, 0)?;
        }
        // Of variables the type is that of their values.
        if let (Kind::Accessor(_), Some(storage)) = (tree.kind(entity), tree.child_of_kind(entity, Kind::Subscript)) {
            entity = storage;
        }
        let ty = tree.content(tree.child_of_kind(entity, Kind::Type)?);
        let ty = if tree.kind(ty) == Kind::GenericType { tree.content(tree.child(ty, 1)?) } else { ty };
        matches!(tree.kind(ty), Kind::FunctionType(_)).then_some(ty)
    }

    /// Whether the symbol is about the witness of a protocol.
    pub fn is_witness(&self) -> bool {
        let is_it = |part: &NodeId| self.tree.kind(*part) == Kind::Operation(Operation::ProtocolWitness);
        self.tree.children(self.root).iter().any(is_it)
    }

    /// The symbol of the original of a specialization.
    pub fn without_specializations(mut self) -> Symbol {
        let parts = self.tree.children(self.root).iter().copied();
        let parts: Vec<NodeId> = parts.filter(|part| !self.tree.kind(*part).is_reported_of_function()).collect();
        self.root = self.tree.add(Kind::Global, &parts);
        self
    }

    /// The labels, as [`Self::labels`] gives them, of the requirement called `name` (`init` for an initialiser,
    /// `subscript` for an accessor of one) that the witness of a protocol is for. None for other symbols.
    pub fn labels_of_witness(&self, name: &str) -> Option<Vec<Option<&str>>> {
        let [witness] = self.tree.children(self.root) else { return None };
        let is_witness = self.tree.kind(*witness) == Kind::Operation(Operation::ProtocolWitness);
        let mut requirement = self.tree.child(*witness, 1).filter(|_| is_witness)?;
        while matches!(self.tree.kind(requirement), Kind::Static | Kind::Accessor(_)) {
            requirement = self.tree.child(requirement, 0)?;
        }
        let is_called_so = match self.tree.kind(requirement) {
            Kind::Allocator => name == "init",
            Kind::Subscript => name == "subscript",
            Kind::Function => {
                let identifier = self.tree.child_of_kind(requirement, Kind::Identifier);
                identifier.is_some_and(|identifier| self.tree.get(identifier).text.as_ref() == name)
            }
            _ => false,
        };
        is_called_so.then(|| self.labels_at(requirement)).flatten()
    }

    fn labels_at(&self, entity: NodeId) -> Option<Vec<Option<&str>>> {
        let labels = self.tree.child_of_kind(entity, Kind::LabelList)?;
        let label = |child: &NodeId| match self.tree.kind(*child) {
            Kind::Identifier => Some(self.tree.get(*child).text.as_ref()),
            _ => None,
        };
        Some(self.tree.children(labels).iter().map(label).collect())
    }

    /// The symbol as text, mangled as current compilers do. None if the tree has a form that no compiler makes.
    pub fn remangle(self) -> Option<String> {
        let (bytes, _) = remangle::remangle(self.tree, self.root)?;
        Some(format!("{}{}", self.prefix, String::from_utf8(bytes).ok()?))
    }

    /// The name that the symbol stands for. None if the tree has a form that no compiler makes.
    pub fn print(&self, style: Style) -> Option<String> {
        print::print(&self.tree, self.root, style, 0)
    }
}

/// The isolation of a function value, by its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueIsolation<'s> {
    /// On no actor.
    Nonisolated,
    /// Where its caller runs: `nonisolated(nonsending)`.
    Caller,
    /// On the actor that it has with it: `@isolated(any)`.
    OwnActor,
    /// On a global actor, by the name of its type.
    GlobalActor(&'s str),
}

/// The name of a type as metadata have it: without a prefix, with references by address.
#[derive(Clone, Debug)]
pub struct TypeReference {
    tree: Tree,
    root: NodeId,
}

/// A [`TypeReference`] as bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MangledReference {
    /// The name. Four bytes after each control byte are an address.
    pub bytes: Vec<u8>,
    /// Where the addresses begin.
    pub addresses: Vec<usize>,
}

impl TypeReference {
    /// The contents of `bytes`, without the zero at their end. The index of a [`Kind::SymbolicReference`] is its
    /// address.
    pub fn demangle(bytes: &[u8]) -> Option<TypeReference> {
        let (tree, root) = demangle::demangle_type(bytes)?;
        Some(TypeReference { tree, root })
    }

    /// The reference to the type at `ty`, a node of `tree`.
    pub fn new(tree: Tree, ty: NodeId) -> Self {
        TypeReference { tree, root: ty }
    }

    /// The name as bytes. None if the tree has a form that no compiler makes.
    pub fn remangle(self) -> Option<MangledReference> {
        let (bytes, addresses) = remangle::remangle(self.tree, self.root)?;
        Some(MangledReference { bytes, addresses })
    }
}

/// The name that `symbol` stands for, written in full. None if it is no mangled symbol.
///
/// ```
/// assert_eq!(sil_ir::symbols::demangle("$s4main3fooyySiF").as_deref(), Some("main.foo(Swift.Int) -> ()"));
/// assert_eq!(sil_ir::symbols::demangle("memmove"), None);
/// ```
pub fn demangle(symbol: &str) -> Option<String> {
    demangle_as(symbol, Style::Full)
}

/// The name that `symbol` stands for, written in `style`. None if it is no mangled symbol.
pub fn demangle_as(symbol: &str, style: Style) -> Option<String> {
    demangle_nested(symbol, style, 0)
}

fn demangle_nested(symbol: &str, style: Style, depth: u32) -> Option<String> {
    if depth > SYMBOL_DEPTH {
        return None;
    }
    let symbol = Symbol::demangle(symbol)?;
    print::print(&symbol.tree, symbol.root, style, depth)
}
