//! Conversion of SIL types to [`TypeInfo`]: builtin types, references, records. Enums are laid out in `enums`.

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use sil_ir::cache::Cache;
use sil_ir::context::{
    BuiltinType, FunctionAttribute, FunctionResult, FunctionType, MetatypeRepresentation, Name, NominalId,
    Representation, SignatureId, StorageKind, Type, TypeId,
};
use sil_ir::declarations::{NominalDeclaration, NominalKind, Origin, RawLayout};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::types::{ExistentialKind, OpaqueResults, TypeQueries};

use super::c_records::layout_c_record;
use super::classes::ClassLayout;
use super::limits::Extent;
use super::records::layout_record;
use super::refused_types::refused_type;
use super::{
    Bits, Copying, Deinit, DeinitFunction, Element, ReferenceKind, Scalar, ScalarKind, TypeInfo, TypeKind, enums,
};
use crate::refusal::{Generated, error_without_place};

/// Facts of a target that layouts depend on (docs/ABI/TypeLayout.rst, docs/ABI/TypeMetadata.rst).
#[derive(Clone, Copy, Debug)]
pub struct TargetFacts {
    /// The size of a pointer in bytes.
    pub pointer_size: u64,
    /// The bits that are clear in all addresses of heap objects.
    pub heap_object_spare_bits: u64,
    /// The lowest valid pointer.
    pub least_valid_pointer: u32,
    /// The maximum number of registers in which Swift's convention passes or returns a value directly.
    pub direct_registers: u64,
}

/// The module of C declarations.
const C_MODULE: &str = "__C";

/// The form of values of the types of generic parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterValues {
    /// References to objects.
    References,
    /// Anything: their layout is known at run time.
    Opaque,
}

/// The knowledge of clients about the layouts of this module's public types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clients {
    /// All of them.
    Informed,
    /// Those of frozen types: the module's library may change others.
    Uninformed,
}

/// Creates and caches the [`TypeInfo`] of each type. Threads share it.
pub struct TypeConverter<'a> {
    /// The type queries.
    pub queries: &'a TypeQueries<'a>,
    /// The target's facts.
    pub target: TargetFacts,
    /// The `deinit`s of noncopyable types.
    pub deinits: FxHashMap<NominalId, Name>,
    opaque_results: OpaqueResults,
    /// Whether C headers are available.
    has_headers: bool,
    parameter_values: ParameterValues,
    clients: Clients,
    infos: Cache<TypeId, Arc<TypeInfo>>,
    pub(super) erased: Cache<(TypeId, SignatureId), TypeId>,
    pub(super) classes: Cache<TypeId, Arc<ClassLayout>>,
}

/// The layout of a type in progress, with its parts.
pub(super) struct Conversion<'c, 'a> {
    pub(super) converter: &'c TypeConverter<'a>,
    /// The types being laid out, outermost first: invalid input may make a type contain itself.
    open: RefCell<Vec<Subject>>,
}

/// A subject of layout. Instances of a class may contain values of the class, which are references.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// Values of a type.
    Values(TypeId),
    /// Instances of a class.
    Instances(TypeId),
}

impl<'a> TypeConverter<'a> {
    /// Creates an empty converter. `deinits` are those of a module's noncopyable types.
    pub fn new(queries: &'a TypeQueries<'a>, target: TargetFacts, deinits: FxHashMap<NominalId, Name>) -> Self {
        let (infos, erased, classes) = (Cache::default(), Cache::default(), Cache::default());
        Self {
            queries,
            target,
            deinits,
            opaque_results: OpaqueResults::default(),
            has_headers: false,
            parameter_values: ParameterValues::Opaque,
            clients: Clients::Informed,
            infos,
            erased,
            classes,
        }
    }

    /// The callee for the `deinit` of a noncopyable type, if it has one.
    fn deinit_of(&self, nominal: NominalId) -> Option<DeinitFunction> {
        if let Some(function) = self.deinits.get(&nominal) {
            return Some(DeinitFunction::Known(*function));
        }
        let declaration = self.queries.declarations.get(nominal);
        let is_elsewhere = declaration.attributes.has_deinit && declaration.origin == Origin::Imported;
        is_elsewhere.then_some(DeinitFunction::ValueWitness)
    }

    pub(super) fn conversion(&self) -> Conversion<'_, 'a> {
        Conversion { converter: self, open: RefCell::default() }
    }

    /// Sets the form of values of generic parameters' types.
    pub fn with_parameter_values(mut self, values: ParameterValues) -> Self {
        self.parameter_values = values;
        self
    }

    /// Sets the knowledge of the module's clients.
    pub fn with_clients(mut self, clients: Clients) -> Self {
        self.clients = clients;
        self
    }

    /// The knowledge of other modules about layouts.
    pub(super) fn clients(&self) -> Clients {
        self.clients
    }

    /// Returns whether the runtime must be able to compute the layout of an enum of the module, although it is known.
    pub fn is_found_by_runtime(&self, declaration: &NominalDeclaration) -> bool {
        enums::is_found_by_runtime(self, declaration)
    }

    /// Sets the underlying types of the module's opaque result types.
    pub fn with_opaque_results(mut self, opaque_results: OpaqueResults) -> Self {
        self.opaque_results = opaque_results;
        self
    }

    /// Sets whether C headers are available.
    pub fn with_headers(mut self, has_headers: bool) -> Self {
        self.has_headers = has_headers;
        self
    }

    /// The symbols of the declarations with opaque result types that the module's bodies show, in no order.
    pub fn known_opaque_results(&self) -> Vec<Name> {
        self.opaque_results.symbols(self.queries)
    }

    /// The type that the descriptor of opaque types has for `ty`, an opaque result type; none if no body shows it.
    pub fn described_opaque_type(&self, ty: TypeId) -> Option<TypeId> {
        self.opaque_results.described(self.queries, ty)
    }

    /// The canonical form of `ty`, with the underlying types of all opaque result types whose functions are in the
    /// module.
    pub fn transparent(&self, ty: TypeId) -> TypeId {
        self.opaque_results.transparent(self.queries, ty)
    }

    /// The `TypeInfo` of `ty`, a lowered type. The error has no span, which the caller adds.
    pub fn info(&self, ty: TypeId) -> Generated<Arc<TypeInfo>> {
        self.conversion().info(ty)
    }

    /// The direct result of a function: its only one, or the tuple of all direct ones.
    pub fn direct_result(&self, function: &FunctionType) -> Generated<Arc<TypeInfo>> {
        let direct: Vec<&FunctionResult> =
            function.results.iter().filter(|result| !result.convention.is_indirect()).collect();
        match direct.as_slice() {
            [only] if only.convention.is_projection() => {
                self.info(self.queries.context.ty(Type::Builtin(BuiltinType::RawPointer)))
            }
            [only] => self.info(only.ty),
            _ => self.record(&direct.iter().map(|result| result.ty).collect::<Vec<_>>()).map(Arc::new),
        }
    }

    /// A record of these types, in order.
    pub fn record(&self, types: &[TypeId]) -> Generated<TypeInfo> {
        self.conversion().record(None, types)
    }

    /// Returns whether values of `ty` are a single object reference or thick metatype, so that a method takes `self` in
    /// the context register.
    pub fn is_single_reference(&self, ty: TypeId) -> bool {
        match self.queries.get(ty) {
            Type::Metatype { representation, .. } => *representation != Some(MetatypeRepresentation::Thin),
            Type::Nominal(nominal) => {
                let kind = self.queries.declarations.get(nominal.declaration).kind;
                matches!(kind, NominalKind::Class | NominalKind::Actor)
            }
            Type::DynamicSelf(_) | Type::OpenedArchetype { .. } => true,
            Type::GenericParameter { .. } | Type::NamedParameter { .. } => true,
            Type::Builtin(BuiltinType::NativeObject | BuiltinType::BridgeObject) => true,
            _ => false,
        }
    }

    /// Returns whether `ty` is a signed integer of the standard library, which C functions take sign-extended.
    pub fn is_signed_integer(&self, ty: TypeId) -> bool {
        let Some(declaration) = self.queries.declaration_of(ty) else { return false };
        let text = |name| self.queries.context.text(name);
        match (text(declaration.module), text(declaration.name)) {
            ("Swift", name) => matches!(name, "Int8" | "Int16" | "Int32" | "Int64" | "Int"),
            // A C enum is a struct around an integer.
            (C_MODULE, _) => match self.queries.stored_property_types(ty).as_deref() {
                Some([only]) => *only != ty && self.is_signed_integer(*only),
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns whether a function with the lowered type `ty` returns `Never`.
    pub fn never_returns(&self, ty: TypeId) -> bool {
        let Type::Function(function) = self.queries.get(ty) else { return false };
        function.results.iter().any(|result| self.queries.is_never(result.ty))
    }

    /// Returns whether values of `declaration` are laid out at run time, since its library may change them.
    pub(crate) fn is_resilient(&self, declaration: &NominalDeclaration) -> bool {
        declaration.attributes.resilient && self.parameter_values == ParameterValues::Opaque
    }

    /// The form of values of the types of generic parameters.
    pub fn parameter_values(&self) -> ParameterValues {
        self.parameter_values
    }

    fn is_existential(&self, ty: TypeId) -> bool {
        matches!(self.queries.get(ty), Type::Existential(_))
    }

    /// The protocols of an existential or constraint with witness tables, in the order of the container.
    pub fn witness_table_protocols(&self, mut ty: TypeId) -> Vec<NominalId> {
        while let Type::ExistentialMetatype { instance, .. } = self.queries.get(ty) {
            ty = *instance;
        }
        self.queries.protocols_in(ty).into_iter().filter(|protocol| self.queries.has_witness_table(*protocol)).collect()
    }

    /// Returns whether `ty` is `any Error`.
    pub fn is_error_existential(&self, ty: TypeId) -> bool {
        self.is_existential(ty) && self.queries.existential_kind(ty) == ExistentialKind::Error
    }

    /// The error for an unsupported type.
    pub fn unsupported(&self, ty: TypeId) -> Box<Diagnostic> {
        if let Some(declaration) = self.queries.declaration_of(ty).filter(|found| found.origin == Origin::Named) {
            return Box::new(self.unknown_layout(declaration));
        }
        Box::new(refused_type(self.queries, ty))
    }

    /// The error for a type of which only the name is known. It is the same for all uses, so that it is reported once.
    fn unknown_layout(&self, declaration: &NominalDeclaration) -> Diagnostic {
        let text = |name| self.queries.context.text(name);
        let mut path = vec![text(declaration.name)];
        let mut parent = declaration.parent;
        while let Some(outer) = parent.map(|outer| self.queries.declarations.get(outer)) {
            path.push(text(outer.name));
            parent = outer.parent;
        }
        path.reverse();
        let message = format!("the layout of '{}' is not known: another module declares it", path.join("."));
        let error = error_without_place("unknown-layout", message).once();
        match text(declaration.module) {
            "" if self.has_headers => {
                error.hint("give the .sil file of that module as well: no C header that is given declares it")
            }
            "" => error.hint(
                "give the .sil file of that module as well, or the C header that declares it (--import-header FILE)",
            ),
            C_MODULE if self.has_headers => error.hint("no C header that is given declares it"),
            C_MODULE => error.hint("give the C header that declares it (--import-header FILE)"),
            module => error.hint(format!("give the .sil file of '{module}' as well")),
        }
    }
}

impl Conversion<'_, '_> {
    pub(super) fn info(&self, ty: TypeId) -> Generated<Arc<TypeInfo>> {
        match self.converter.infos.get(&ty) {
            Some(found) => Ok(found),
            None => self
                .within(Subject::Values(ty), || self.convert(ty).map(Arc::new))
                .map(|info| self.converter.infos.insert(ty, info)),
        }
    }

    /// Lays out `subject` with `work`, unless it is already in progress.
    pub(super) fn within<T>(&self, subject: Subject, work: impl FnOnce() -> Generated<T>) -> Generated<T> {
        if self.open.borrow().contains(&subject) || self.open.borrow().len() >= DEEPEST {
            return Err(Box::new(crate::refusal::unsupported_without_place("values of a type that contains itself")));
        }
        self.open.borrow_mut().push(subject);
        let result = work();
        self.open.borrow_mut().pop();
        result
    }

    /// The record of `types`, in order: the layout of `ty`, if it has a name.
    fn record(&self, ty: Option<TypeId>, types: &[TypeId]) -> Generated<TypeInfo> {
        let fields: Generated<Vec<_>> = types.iter().map(|ty| self.info(*ty)).collect();
        let fields = fields?;
        let extent = fields.iter().fold(Extent::NONE, |extent, field| extent.and(field));
        self.converter.require_room(ty, extent)?;
        Ok(layout_record(&fields, 0))
    }

    fn convert(&self, ty: TypeId) -> Generated<TypeInfo> {
        match self.converter.queries.get(ty) {
            Type::Builtin(builtin) => self.builtin(*builtin, ty),
            Type::Nominal(nominal) => self.nominal(ty, self.converter.queries.declarations.get(nominal.declaration)),
            Type::Tuple(elements) => {
                self.record(Some(ty), &elements.iter().map(|element| element.ty).collect::<Vec<_>>())
            }
            Type::Function(function) => Ok(self.function(function)),
            Type::Metatype { representation: Some(MetatypeRepresentation::Thin), .. } => Ok(layout_record(&[], 0)),
            Type::Metatype { .. } => Ok(self.aligned_pointer()),
            Type::Existential(_) => self.existential(ty),
            Type::ExistentialMetatype { instance, .. } => {
                let tables = self.converter.witness_table_protocols(*instance).len();
                Ok(layout_record(&(0..=tables).map(|_| Arc::new(self.aligned_pointer())).collect::<Vec<_>>(), 0))
            }
            Type::Box(_) | Type::DynamicSelf(_) => Ok(self.reference(ReferenceKind::Native)),
            Type::OpenedArchetype { .. } if self.converter.queries.properties(ty, None).is_reference() => {
                Ok(self.reference(ReferenceKind::Native))
            }
            Type::GenericParameter { .. } | Type::NamedParameter { .. } => match self.converter.parameter_values {
                ParameterValues::References => Ok(self.reference(ReferenceKind::Native)),
                ParameterValues::Opaque => Err(self.converter.unsupported(ty)),
            },
            Type::Storage { kind, referent } => self.storage(*kind, *referent),
            Type::BlockStorage(captured) => self.block_storage(*captured),
            Type::MoveOnlyWrapper(inner) => self.convert(*inner),
            // Includes the associated types of underlying types.
            Type::OpaqueResult { .. } | Type::DependentMember { .. } => {
                let underlying = self.converter.transparent(ty);
                match self.converter.queries.get(underlying) {
                    Type::OpaqueResult { .. } if self.converter.queries.is_opaque_class(underlying) => {
                        Ok(self.reference(ReferenceKind::Native))
                    }
                    Type::OpaqueResult { .. } | Type::DependentMember { .. } => Err(self.converter.unsupported(ty)),
                    _ => self.convert(underlying),
                }
            }
            _ => Err(self.converter.unsupported(ty)),
        }
    }

    fn builtin(&self, builtin: BuiltinType, ty: TypeId) -> Generated<TypeInfo> {
        let pointer_bits = self.converter.target.pointer_size as u32 * 8;
        Ok(match builtin {
            BuiltinType::Integer(bits) => {
                self.converter.require_width(bits)?;
                self.number(Scalar::Integer(bits))
            }
            BuiltinType::Word | BuiltinType::PackIndex => self.number(Scalar::Integer(pointer_bits)),
            BuiltinType::Float(bits) => self.number(Scalar::Float(bits)),
            BuiltinType::Vector { element, count } => self.number(Scalar::Vector { element, count }),
            BuiltinType::RawPointer | BuiltinType::RawUnsafeContinuation | BuiltinType::Job => {
                self.pointer(TypeKind::Scalar(ScalarKind::RawPointer))
            }
            BuiltinType::NativeObject => self.reference(ReferenceKind::Native),
            BuiltinType::BridgeObject => self.reference(ReferenceKind::Bridge),
            // The identity, which is null or an object, and its implementation.
            BuiltinType::Executor => {
                let identity = TypeInfo {
                    elements: vec![Element { scalar: Scalar::Integer(pointer_bits), offset: 0, bits: pointer_bits }],
                    ..self.aligned_pointer()
                };
                layout_record(&[Arc::new(identity), Arc::new(self.number(Scalar::Integer(pointer_bits)))], 0)
            }
            // The actor, which is null or an object, and its witness table with tags.
            BuiltinType::ImplicitActor => {
                let table = self.number(Scalar::Integer(pointer_bits));
                let record = layout_record(&[Arc::new(self.reference(ReferenceKind::Native)), Arc::new(table)], 0);
                TypeInfo { spare_bits: Bits::zero(record.size * 8), extra_inhabitant_count: 0, ..record }
            }
            BuiltinType::DefaultActorStorage | BuiltinType::NonDefaultDistributedActorStorage => {
                let word = self.converter.target.pointer_size;
                TypeInfo { copying: Copying::Trivial, ..raw_memory(ACTOR_STORAGE_WORDS * word, 2 * word) }
            }
            BuiltinType::UnsafeValueBuffer => {
                let word = self.converter.target.pointer_size;
                raw_memory(EXISTENTIAL_BUFFER_WORDS * word, word)
            }
            BuiltinType::Token => layout_record(&[], 0),
            // The address of its words, and their width with the sign.
            BuiltinType::IntegerLiteral => {
                let flags = self.number(Scalar::Integer(pointer_bits));
                layout_record(&[Arc::new(self.aligned_pointer()), Arc::new(flags)], 0)
            }
            BuiltinType::FixedArray { count, element } => return self.fixed_array(count, element, ty),
        })
    }

    /// An integer has spare bits up to its size in memory.
    fn number(&self, scalar: Scalar) -> TypeInfo {
        let bits = scalar.bits(self.converter.target.pointer_size as u32 * 8);
        let size = number_size(bits);
        let mut spare_bits = Bits::zero(size * 8);
        if matches!(scalar, Scalar::Integer(_)) {
            spare_bits.set_range(u64::from(bits), size * 8);
        }
        TypeInfo {
            size,
            alignment: size.next_power_of_two().min(MAXIMUM_ALIGNMENT),
            elements: vec![Element { scalar, offset: 0, bits }],
            kind: TypeKind::Scalar(ScalarKind::Number),
            copying: Copying::Trivial,
            deinit: None,
            extra_inhabitant_count: number_of_inhabitants(&spare_bits),
            spare_bits,
        }
    }

    fn pointer(&self, kind: TypeKind) -> TypeInfo {
        let size = self.converter.target.pointer_size;
        let bits = size as u32 * 8;
        let object_bits = self.converter.target.heap_object_spare_bits;
        let invalid = self.converter.target.least_valid_pointer;
        let (copying, spare, inhabitants) = match &kind {
            TypeKind::Reference(ReferenceKind::Native | ReferenceKind::Unowned | ReferenceKind::Block) => {
                (Copying::Loadable, object_bits, invalid)
            }
            TypeKind::Reference(ReferenceKind::OptionalUnowned) => (Copying::Loadable, object_bits, invalid - 1),
            // A bridged value may use any bit.
            TypeKind::Reference(ReferenceKind::Bridge) => (Copying::Loadable, 0, invalid),
            TypeKind::Scalar(ScalarKind::RawPointer) => (Copying::Trivial, 0, 1),
            TypeKind::Scalar(ScalarKind::AlignedPointer) => (Copying::Trivial, object_bits, invalid),
            TypeKind::Scalar(ScalarKind::OptionalPointer) => (Copying::Trivial, object_bits, invalid - 1),
            _ => (Copying::Trivial, 0, invalid),
        };
        TypeInfo {
            size,
            alignment: size,
            elements: vec![Element { scalar: Scalar::Pointer, offset: 0, bits }],
            kind,
            copying,
            spare_bits: Bits::from_u64(size * 8, spare),
            deinit: None,
            extra_inhabitant_count: inhabitants,
        }
    }

    fn reference(&self, kind: ReferenceKind) -> TypeInfo {
        self.pointer(TypeKind::Reference(kind))
    }

    /// A pointer to metadata or to an uncounted object.
    fn aligned_pointer(&self) -> TypeInfo {
        self.pointer(TypeKind::Scalar(ScalarKind::AlignedPointer))
    }

    /// A `@differentiable` function is a record of the original function and its derivatives, all of which have the
    /// same representation (lib/IRGen/GenDiffFunc.cpp).
    fn function(&self, function: &FunctionType) -> TypeInfo {
        let single = self.undifferentiated_function(function);
        match function.differentiability {
            None => single,
            Some(kind) => {
                let components: Vec<_> = std::iter::repeat_n(Arc::new(single), kind.component_count()).collect();
                layout_record(&components, 0)
            }
        }
    }

    /// A function is a pointer to code; if it is thick, a context follows, whose spare bits are not used.
    fn undifferentiated_function(&self, function: &FunctionType) -> TypeInfo {
        let code = || Arc::new(self.pointer(TypeKind::Scalar(ScalarKind::ValidPointer)));
        let context = match function.representation {
            Representation::Thick if function.attributes.contains(FunctionAttribute::NoEscape) => {
                self.pointer(TypeKind::Scalar(ScalarKind::RawPointer))
            }
            Representation::Thick => self.reference(ReferenceKind::Native),
            Representation::Block => return self.reference(ReferenceKind::Block),
            _ => return self.pointer(TypeKind::Scalar(ScalarKind::ValidPointer)),
        };
        let pair = layout_record(&[code(), Arc::new(context)], 0);
        TypeInfo { spare_bits: Bits::zero(pair.size * 8), ..pair }
    }

    /// A class-bound existential is a reference and a witness table for each protocol that has one.
    fn existential(&self, ty: TypeId) -> Generated<TypeInfo> {
        if self.converter.is_error_existential(ty) {
            return Ok(self.reference(ReferenceKind::Native));
        }
        match self.converter.queries.existential_kind(ty) {
            ExistentialKind::Class => {}
            ExistentialKind::Opaque if self.converter.parameter_values == ParameterValues::Opaque => {
                return Ok(self.opaque_existential(self.converter.witness_table_protocols(ty).len()));
            }
            _ => return Err(self.converter.unsupported(ty)),
        }
        let mut fields = vec![Arc::new(self.reference(ReferenceKind::Native))];
        for _ in self.converter.witness_table_protocols(ty) {
            fields.push(Arc::new(self.aligned_pointer()));
        }
        Ok(layout_record(&fields, 0))
    }

    /// A container with `tables` witness tables. Its value may be outside of the buffer, so the buffer's bits are not
    /// used.
    fn opaque_existential(&self, tables: usize) -> TypeInfo {
        let word = self.converter.target.pointer_size;
        let buffer = raw_memory(EXISTENTIAL_BUFFER_WORDS * word, word);
        let pointers = (0..=tables).map(|_| self.aligned_pointer());
        let fields: Vec<_> = std::iter::once(buffer).chain(pointers).map(Arc::new).collect();
        let record = layout_record(&fields, 0);
        TypeInfo { kind: TypeKind::Existential(record.fields().to_vec()), ..record }
    }

    /// The header of a block, [`BLOCK_HEADER_FIELDS`] fields, and its capture. The fields are: class, flags, a reserved
    /// word, code, descriptor.
    fn block_storage(&self, captured: TypeId) -> Generated<TypeInfo> {
        let pointer = || Arc::new(self.pointer(TypeKind::Scalar(ScalarKind::RawPointer)));
        let number = || Arc::new(self.number(Scalar::Integer(32)));
        let fields = [pointer(), number(), number(), pointer(), pointer(), self.info(captured)?];
        Ok(layout_record(&fields, 0))
    }

    /// An optional in reference storage is the null reference, not an enum.
    fn storage(&self, kind: StorageKind, referent: TypeId) -> Generated<TypeInfo> {
        let object = self.converter.queries.optional_object(referent);
        let referent = object.unwrap_or(referent);
        let reference = match (kind, object) {
            (StorageKind::Unowned, None) => self.reference(ReferenceKind::Unowned),
            (StorageKind::Unowned, Some(_)) => self.reference(ReferenceKind::OptionalUnowned),
            (StorageKind::Unmanaged, None) => self.aligned_pointer(),
            (StorageKind::Unmanaged, Some(_)) => self.pointer(TypeKind::Scalar(ScalarKind::OptionalPointer)),
            (StorageKind::Weak, _) => self.weak(),
        };
        let declaration = self.converter.queries.declaration_of(referent);
        if declaration.is_some_and(|found| matches!(found.kind, NominalKind::Class | NominalKind::Actor)) {
            // The layout of a self-referential class may be in progress.
            return Ok(reference);
        }
        // The witness tables of an existential come after the reference.
        let whole = self.info(referent)?;
        let tables: Vec<_> = whole.fields().iter().skip(1).map(|field| field.info.clone()).collect();
        if tables.is_empty() {
            return Ok(reference);
        }
        let fields: Vec<_> = std::iter::once(Arc::new(reference)).chain(tables).collect();
        Ok(layout_record(&fields, 0))
    }

    fn weak(&self) -> TypeInfo {
        let size = self.converter.target.pointer_size;
        TypeInfo {
            size,
            alignment: size,
            elements: Vec::new(),
            kind: TypeKind::Weak,
            copying: Copying::AddressOnly,
            spare_bits: Bits::zero(size * 8),
            deinit: None,
            extra_inhabitant_count: 0,
        }
    }

    fn fixed_array(&self, count: TypeId, element: TypeId, ty: TypeId) -> Generated<TypeInfo> {
        let Type::Integer(count) = self.converter.queries.get(count) else {
            return Err(self.converter.unsupported(ty));
        };
        let count = u64::try_from(*count).map_err(|_| self.converter.unsupported(ty))?;
        let element = self.info(element)?;
        self.converter.require_room(Some(ty), Extent::NONE.and_many(count, &element))?;
        let stride = element.stride();
        let moved = |index: u64| {
            let shift = move |scalar: &Element| Element { offset: scalar.offset + index * stride, ..*scalar };
            element.elements.iter().map(shift).collect::<Vec<_>>()
        };
        let size = if count == 0 { 0 } else { count * stride };
        // Only the spare bits of the first element count, including the padding after it.
        let mut spare_bits = Bits::zero(size * 8);
        spare_bits.insert(0, &element.spare_bits);
        if count > 0 {
            spare_bits.set_range(element.size * 8, stride * 8);
        }
        Ok(TypeInfo {
            deinit: None,
            size,
            alignment: element.alignment,
            elements: (0..count).flat_map(moved).collect(),
            copying: element.copying,
            spare_bits,
            extra_inhabitant_count: if count == 0 { 0 } else { element.extra_inhabitant_count },
            kind: TypeKind::FixedArray { count, element },
        })
    }

    fn nominal(&self, ty: TypeId, declaration: &NominalDeclaration) -> Generated<TypeInfo> {
        match declaration.kind {
            NominalKind::Class | NominalKind::Actor => Ok(self.reference(ReferenceKind::Native)),
            NominalKind::Struct => Ok(self.with_deinit(ty, self.structure(ty, declaration)?)),
            NominalKind::Enum if self.converter.is_resilient(declaration) => Err(self.converter.unsupported(ty)),
            NominalKind::Enum => Ok(self.with_deinit(ty, enums::layout(self, ty, declaration)?)),
            NominalKind::Protocol | NominalKind::Unknown => Err(self.converter.unsupported(ty)),
        }
    }

    fn structure(&self, ty: TypeId, declaration: &NominalDeclaration) -> Generated<TypeInfo> {
        if self.converter.is_resilient(declaration) {
            return Err(self.converter.unsupported(ty));
        }
        if let Some(layout) = &declaration.attributes.raw_layout {
            return self.raw_storage(ty, layout);
        }
        let fields = self.converter.queries.stored_property_types(ty).ok_or_else(|| self.converter.unsupported(ty))?;
        if let Some(layout) = &declaration.attributes.c_layout {
            let fields: Generated<Vec<_>> = fields.iter().map(|ty| self.info(*ty)).collect();
            let word = self.converter.target.pointer_size;
            return layout_c_record(layout, &fields?, word).ok_or_else(|| self.converter.unsupported(ty));
        }
        let mut info = self.record(Some(ty), &fields)?;
        if let Some(alignment) = declaration.attributes.alignment {
            info.alignment = info.alignment.max(u64::from(alignment));
        }
        Ok(info)
    }

    /// Memory with a raw layout, whose content only the type's own code knows: it is not bitwise takable, and its type
    /// destroys its content itself.
    fn raw_storage(&self, ty: TypeId, layout: &RawLayout) -> Generated<TypeInfo> {
        let queries = self.converter.queries;
        let (size, alignment) = match self.converter.substituted_raw_layout(ty, layout) {
            RawLayout::Fixed { size, alignment } => (size, alignment),
            RawLayout::Like(like) => {
                let info = self.info(like)?;
                (info.size, info.alignment)
            }
            RawLayout::LikeArrayOf { element, count } => {
                let Type::Integer(count) = queries.get(count) else {
                    return Err(self.converter.unsupported(ty));
                };
                let count = u64::try_from(*count).map_err(|_| self.converter.unsupported(ty))?;
                let info = self.info(element)?;
                (info.stride().checked_mul(count).ok_or_else(|| self.converter.unsupported(ty))?, info.alignment)
            }
        };
        if !alignment.is_power_of_two() {
            return Err(self.converter.unsupported(ty));
        }
        self.converter.require_room(Some(ty), Extent::of_memory(size.checked_add(alignment)))?;
        Ok(raw_memory(size, alignment))
    }

    /// Makes a value with a `deinit` non-trivial, regardless of its fields.
    fn with_deinit(&self, ty: TypeId, mut info: TypeInfo) -> TypeInfo {
        let queries = self.converter.queries;
        let function = queries.as_nominal(ty).and_then(|nominal| self.converter.deinit_of(nominal.declaration));
        if let Some(function) = function {
            let (mut symbol, is_for_type) = match function {
                DeinitFunction::Known(function) => (queries.context.text(function).to_owned(), false),
                DeinitFunction::ValueWitness => ("destroy".to_owned(), true),
            };
            if is_for_type
                || queries
                    .as_nominal(ty)
                    .is_some_and(|nominal| !nominal.arguments.is_empty() || nominal.parent.is_some())
            {
                let mut printer = sil_text::print::Printer::new(queries.context, queries.declarations);
                printer.lowered_type(ty);
                let escaped = printer.out.bytes().map(|byte| match byte.is_ascii_alphanumeric() {
                    true => char::from(byte).to_string(),
                    false => format!("_{byte:X}_"),
                });
                symbol.extend(escaped);
            }
            info.deinit = Some(Deinit { function, ty, symbol: symbol.into() });
            info.copying = info.copying.max(Copying::Loadable);
        }
        info
    }
}

/// Memory without parts.
fn raw_memory(size: u64, alignment: u64) -> TypeInfo {
    TypeInfo {
        size,
        alignment,
        elements: Vec::new(),
        kind: TypeKind::Raw,
        copying: Copying::AddressOnly,
        spare_bits: Bits::zero(size * 8),
        deinit: None,
        extra_inhabitant_count: 0,
    }
}

/// The runtime's storage in an actor (`NumWords_DefaultActor`, `NumWords_NonDefaultDistributedActor`,
/// include/swift/ABI/MetadataValues.h).
const ACTOR_STORAGE_WORDS: u64 = 12;

/// The size of an existential container's value buffer in words (docs/ABI/TypeLayout.rst, "Opaque Existential
/// Containers").
pub const EXISTENTIAL_BUFFER_WORDS: u64 = 3;

/// The limit for nested types; deeper ones are assumed to contain themselves.
const DEEPEST: usize = 200;

/// The maximum alignment of scalars in bytes.
const MAXIMUM_ALIGNMENT: u64 = 16;

/// The size in bytes of a number with this many bits.
fn number_size(bits: u32) -> u64 {
    match bits {
        80 => 16,
        _ => u64::from(bits.div_ceil(8)).next_power_of_two(),
    }
}

/// The number of patterns with a spare bit set, in the order of extra inhabitants: at most 2³¹ - 1 are counted
/// (lib/IRGen/GenType.cpp).
fn number_of_inhabitants(spare_bits: &Bits) -> u32 {
    let spare = spare_bits.count_ones();
    match (spare, spare_bits.width()) {
        (0, _) => 0,
        (_, 32..) => u32::MAX >> 1,
        (spare, width) => ((1 << spare) - 1) << (width - spare),
    }
}
