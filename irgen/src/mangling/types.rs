//! Types in mangled names (docs/ABI/Mangling.rst, "Types").

use rustc_hash::FxHashMap;
use sil::context::{Name, TypeId};
use sil::declarations::{NominalId, NominalKind};
use sil::types::{
    BuiltinType, FormalFunctionType, FormalSpecifier, FunctionAttribute, MetatypeRepresentation, NominalType,
    Representation, StorageKind, Throws, TupleElement, Type, TypeQueries, VectorElement,
};

use super::Flavor;
use super::buffer::{Buffer, SubstitutionKind};

/// What can be referred to again.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Entity {
    Module(Name),
    Nominal(NominalId),
    Bound(TypeId),
}

/// Mangles one name.
pub(super) struct Mangler<'q> {
    queries: &'q TypeQueries<'q>,
    buffer: Buffer,
    entities: FxHashMap<Entity, usize>,
}

impl<'q> Mangler<'q> {
    pub(super) fn new(queries: &'q TypeQueries<'q>, flavor: Flavor) -> Self {
        let mut buffer = Buffer::default();
        buffer.push(flavor.prefix());
        Self { queries, buffer, entities: FxHashMap::default() }
    }

    pub(super) fn operator(&mut self, operator: &str) {
        self.buffer.push(operator);
    }

    pub(super) fn finish(self) -> String {
        self.buffer.finish()
    }

    fn refer_back(&mut self, entity: Entity) -> bool {
        let found = self.entities.get(&entity).copied();
        if let Some(index) = found {
            self.buffer.back_reference(index);
        }
        found.is_some()
    }

    fn remember(&mut self, entity: Entity) {
        let index = self.entities.len();
        self.entities.entry(entity).or_insert(index);
    }

    pub(super) fn module(&mut self, module: Name) {
        let text = self.queries.context.text(module);
        match text {
            "Swift" => self.buffer.push("s"),
            "__C" => self.buffer.push("So"),
            _ if self.refer_back(Entity::Module(module)) => {}
            _ => {
                self.buffer.identifier(text);
                self.remember(Entity::Module(module));
            }
        }
    }

    /// A nominal type without its arguments.
    fn nominal(&mut self, id: NominalId) {
        let declaration = self.queries.declarations.get(id);
        if self.standard(id) || self.refer_back(Entity::Nominal(id)) {
            return;
        }
        self.context(id);
        self.buffer.identifier(self.queries.context.text(declaration.name));
        self.buffer.push(match declaration.kind {
            NominalKind::Class | NominalKind::Actor => "C",
            // A type whose kind nothing tells has no layout, so that nothing that is emitted mentions it.
            NominalKind::Struct | NominalKind::Unknown => "V",
            NominalKind::Enum => "O",
            NominalKind::Protocol => "P",
        });
        self.remember(Entity::Nominal(id));
    }

    fn context(&mut self, id: NominalId) {
        let declaration = self.queries.declarations.get(id);
        match declaration.parent {
            Some(parent) => self.nominal(parent),
            None => self.module(declaration.module),
        }
    }

    fn standard(&mut self, id: NominalId) -> bool {
        let declaration = self.queries.declarations.get(id);
        if declaration.parent.is_some() || self.queries.context.text(declaration.module) != "Swift" {
            return false;
        }
        let name = self.queries.context.text(declaration.name);
        let Some((_, letter)) = STANDARD_TYPES.iter().find(|(standard, _)| *standard == name) else { return false };
        self.buffer.substitution(letter, SubstitutionKind::Standard);
        true
    }

    /// A protocol where only a protocol can stand.
    pub(super) fn protocol(&mut self, id: NominalId) -> Option<()> {
        if self.queries.declarations.get(id).kind != NominalKind::Protocol {
            return None;
        }
        if !self.standard(id) && !self.refer_back(Entity::Nominal(id)) {
            self.context(id);
            self.buffer.identifier(self.queries.context.text(self.queries.declarations.get(id).name));
            self.remember(Entity::Nominal(id));
        }
        Some(())
    }

    /// A type; none where a part of it has no mangling here.
    pub(super) fn ty(&mut self, ty: TypeId) -> Option<()> {
        let ty = self.queries.canonical_type(ty);
        match self.queries.get(ty) {
            Type::Builtin(builtin) => self.builtin(*builtin)?,
            Type::Nominal(nominal) => self.nominal_type(ty, nominal)?,
            Type::Tuple(elements) => self.tuple(elements)?,
            Type::FormalFunction(function) => self.function(function)?,
            Type::Metatype { instance, representation } => {
                self.ty(*instance)?;
                self.metatype(*representation, "m", "XM");
            }
            Type::ExistentialMetatype { instance, representation } => {
                self.ty(*instance)?;
                self.metatype(*representation, "Xp", "Xm");
            }
            Type::Existential(constraint) => self.existential(*constraint)?,
            Type::GenericParameter { depth, index } | Type::NamedParameter { depth, index, .. } => {
                self.generic_parameter(*depth as usize, *index as usize);
            }
            Type::Storage { kind, referent } => {
                self.ty(*referent)?;
                self.buffer.push(match kind {
                    StorageKind::Unowned => "Xo",
                    StorageKind::Unmanaged => "Xu",
                    StorageKind::Weak => "Xw",
                });
            }
            Type::DynamicSelf(inner) => {
                self.ty(*inner)?;
                self.buffer.push("XD");
            }
            Type::Integer(value) => {
                self.buffer.push(if *value < 0 { "$n" } else { "$" });
                self.buffer.index(value.unsigned_abs() as usize);
            }
            _ => return None,
        }
        Some(())
    }

    fn nominal_type(&mut self, ty: TypeId, nominal: &NominalType) -> Option<()> {
        if nominal.arguments.is_empty() && nominal.parent.is_none() {
            self.nominal(nominal.declaration);
            return Some(());
        }
        if self.refer_back(Entity::Bound(ty)) {
            return Some(());
        }
        if let Some(object) = self.queries.optional_object(ty) {
            self.ty(object)?;
            self.buffer.push("Sg");
        } else {
            self.nominal(nominal.declaration);
            let mut separator = "y";
            self.arguments(nominal, &mut separator)?;
            self.buffer.push("G");
        }
        self.remember(Entity::Bound(ty));
        Some(())
    }

    /// A list of arguments for each level of nesting.
    fn arguments(&mut self, nominal: &NominalType, separator: &mut &'static str) -> Option<()> {
        if let Some(parent) = nominal.parent.and_then(|parent| self.queries.as_nominal(parent)) {
            self.arguments(parent, separator)?;
        }
        self.buffer.push(std::mem::replace(separator, "_"));
        nominal.arguments.iter().try_for_each(|argument| self.ty(*argument))
    }

    fn tuple(&mut self, elements: &[TupleElement]) -> Option<()> {
        self.list(elements.iter(), |mangler, element| {
            mangler.ty(element.ty)?;
            if let Some(label) = element.label {
                mangler.buffer.identifier(mangler.queries.context.text(label));
            }
            Some(())
        })?;
        self.buffer.push("t");
        Some(())
    }

    fn list<T>(
        &mut self,
        items: impl ExactSizeIterator<Item = T>,
        mut mangle: impl FnMut(&mut Self, T) -> Option<()>,
    ) -> Option<()> {
        if items.len() == 0 {
            self.buffer.push("y");
        }
        for (number, item) in items.enumerate() {
            mangle(self, item)?;
            if number == 0 {
                self.buffer.push("_");
            }
        }
        Some(())
    }

    fn function(&mut self, function: &FormalFunctionType) -> Option<()> {
        if self.is_void(function.result) {
            self.buffer.push("y");
        } else {
            self.ty(function.result)?;
        }
        self.parameters(function)?;
        let has = |attribute| function.attributes.contains(attribute);
        if has(FunctionAttribute::Async) {
            self.buffer.push("Ya");
        }
        if has(FunctionAttribute::Sendable) {
            self.buffer.push("Yb");
        }
        match function.throws {
            Throws::No => {}
            Throws::Any | Throws::Rethrows => self.buffer.push("K"),
            Throws::Typed(error) => {
                self.ty(error)?;
                self.buffer.push("YK");
            }
        }
        self.buffer.push(match function.representation {
            Representation::Thick if has(FunctionAttribute::NoEscape) => "XE",
            Representation::Thick => "c",
            Representation::Thin => "Xf",
            Representation::C => "XC",
            Representation::Block => "XB",
            _ => return None,
        });
        Some(())
    }

    fn parameters(&mut self, function: &FormalFunctionType) -> Option<()> {
        if let [only] = &*function.parameters
            && only.label.is_none()
            && !matches!(self.queries.get(only.ty), Type::Tuple(_))
        {
            return self.parameter(only.ty, only.specifier);
        }
        let is_empty = function.parameters.is_empty();
        self.list(function.parameters.iter(), |mangler, parameter| {
            mangler.parameter(parameter.ty, parameter.specifier)
        })?;
        if !is_empty {
            self.buffer.push("t");
        }
        Some(())
    }

    fn parameter(&mut self, ty: TypeId, specifier: FormalSpecifier) -> Option<()> {
        match self.queries.get(ty) {
            Type::InOut(inner) => {
                self.ty(*inner)?;
                self.buffer.push("z");
            }
            _ => self.ty(ty)?,
        }
        match specifier {
            FormalSpecifier::Default => {}
            FormalSpecifier::LegacyShared | FormalSpecifier::Borrowing => self.buffer.push("h"),
            FormalSpecifier::LegacyOwned | FormalSpecifier::Consuming => self.buffer.push("n"),
        }
        Some(())
    }

    fn is_void(&self, ty: TypeId) -> bool {
        matches!(self.queries.get(ty), Type::Tuple(elements) if elements.is_empty())
    }

    fn metatype(&mut self, representation: Option<MetatypeRepresentation>, without: &str, with: &str) {
        let letter = match representation {
            None => return self.buffer.push(without),
            Some(MetatypeRepresentation::Thin) => "t",
            Some(MetatypeRepresentation::Thick) => "T",
            Some(MetatypeRepresentation::ObjC) => "o",
        };
        self.buffer.push(with);
        self.buffer.push(letter);
    }

    fn existential(&mut self, constraint: TypeId) -> Option<()> {
        let (members, has_class_constraint) = match self.queries.get(constraint) {
            Type::Protocol { arguments, .. } if !arguments.is_empty() => return None,
            Type::Protocol { .. } => (vec![constraint], false),
            Type::Composition(composition) => (composition.members.clone(), composition.class_constraint.is_some()),
            _ => return None,
        };
        let protocol = |queries: &TypeQueries<'_>, ty: TypeId| match queries.get(ty) {
            Type::Protocol { protocol, .. } => Some(*protocol),
            _ => None,
        };
        let protocols: Vec<NominalId> = members.iter().filter_map(|member| protocol(self.queries, *member)).collect();
        let superclass = members.iter().find(|member| protocol(self.queries, **member).is_none());
        self.list(protocols.into_iter(), |mangler, protocol| mangler.protocol(protocol))?;
        match superclass {
            Some(superclass) => {
                self.ty(*superclass)?;
                self.buffer.push("Xc");
            }
            None if has_class_constraint => self.buffer.push("Xl"),
            None => self.buffer.push("p"),
        }
        Some(())
    }

    fn generic_parameter(&mut self, depth: usize, index: usize) {
        match (depth, index) {
            (0, 0) => self.buffer.push("x"),
            (0, _) => {
                self.buffer.push("q");
                self.buffer.index(index - 1);
            }
            _ => {
                self.buffer.push("qd");
                self.buffer.index(depth - 1);
                self.buffer.index(index);
            }
        }
    }

    fn builtin(&mut self, builtin: BuiltinType) -> Option<()> {
        let text = match builtin {
            BuiltinType::Integer(bits) => format!("Bi{bits}_"),
            BuiltinType::Float(bits) => format!("Bf{bits}_"),
            BuiltinType::Vector { element, count } => {
                let element = match element {
                    VectorElement::Integer(bits) => format!("Bi{bits}_"),
                    VectorElement::Float(bits) => format!("Bf{bits}_"),
                    VectorElement::RawPointer => "Bp".to_owned(),
                };
                format!("{element}Bv{count}_")
            }
            BuiltinType::FixedArray { count, element } => {
                self.ty(count)?;
                self.ty(element)?;
                "BV".to_owned()
            }
            BuiltinType::Word => "Bw".to_owned(),
            BuiltinType::IntegerLiteral => "BI".to_owned(),
            BuiltinType::RawPointer => "Bp".to_owned(),
            BuiltinType::RawUnsafeContinuation => "Bc".to_owned(),
            BuiltinType::NativeObject => "Bo".to_owned(),
            BuiltinType::BridgeObject => "Bb".to_owned(),
            BuiltinType::UnsafeValueBuffer => "BB".to_owned(),
            BuiltinType::Job => "Bj".to_owned(),
            BuiltinType::Executor => "Be".to_owned(),
            BuiltinType::DefaultActorStorage => "BD".to_owned(),
            BuiltinType::NonDefaultDistributedActorStorage => "Bd".to_owned(),
            BuiltinType::PackIndex => "BP".to_owned(),
            BuiltinType::Token => "Bt".to_owned(),
            BuiltinType::ImplicitActor => "BA".to_owned(),
        };
        self.buffer.push(&text);
        Some(())
    }
}

/// Types of the standard library with letters of their own (`KNOWN-TYPE-KIND`).
const STANDARD_TYPES: &[(&str, &str)] = &[
    ("AutoreleasingUnsafeMutablePointer", "A"),
    ("Array", "a"),
    ("BinaryFloatingPoint", "B"),
    ("Bool", "b"),
    ("Dictionary", "D"),
    ("Double", "d"),
    ("Encodable", "E"),
    ("Decodable", "e"),
    ("FloatingPoint", "F"),
    ("Float", "f"),
    ("RandomNumberGenerator", "G"),
    ("Hashable", "H"),
    ("Set", "h"),
    ("DefaultIndices", "I"),
    ("Int", "i"),
    ("Character", "J"),
    ("Numeric", "j"),
    ("BidirectionalCollection", "K"),
    ("RandomAccessCollection", "k"),
    ("Comparable", "L"),
    ("Collection", "l"),
    ("MutableCollection", "M"),
    ("RangeReplaceableCollection", "m"),
    ("ClosedRange", "N"),
    ("Range", "n"),
    ("ObjectIdentifier", "O"),
    ("UnsafePointer", "P"),
    ("UnsafeMutablePointer", "p"),
    ("Equatable", "Q"),
    ("Optional", "q"),
    ("UnsafeBufferPointer", "R"),
    ("UnsafeMutableBufferPointer", "r"),
    ("String", "S"),
    ("Substring", "s"),
    ("Sequence", "T"),
    ("IteratorProtocol", "t"),
    ("UnsignedInteger", "U"),
    ("UInt", "u"),
    ("UnsafeRawPointer", "V"),
    ("UnsafeMutableRawPointer", "v"),
    ("UnsafeRawBufferPointer", "W"),
    ("UnsafeMutableRawBufferPointer", "w"),
    ("RangeExpression", "X"),
    ("Strideable", "x"),
    ("RawRepresentable", "Y"),
    ("StringProtocol", "y"),
    ("SignedInteger", "Z"),
    ("BinaryInteger", "z"),
];
