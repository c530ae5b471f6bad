//! Reconstructs the members of local types, which no declaration shows, from bodies: the types of stored properties and
//! payloads from stores, arguments and compositions; the order of a struct's properties from its memberwise initialiser
//! or the types of its composition; the order of a class's properties from its vtable. The underlying types of opaque
//! stored properties are determined in the same way. Does not own: superclasses (`local_superclasses`).
//!
//! Uncertain facts stay unknown: types that differ when they are lowered, and properties whose order matters and is not
//! visible.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use sil_ir::context::{
    Context, MemberId, MemberKind, MemberTarget, Mutability, Name, NominalId, SilType, StorageKind, Type, TypeId,
};
use sil_ir::declarations::{
    Access, LocalType, MemberOrder, NominalDeclaration, NominalKind, PropertyDifferentiation, PropertyInitializer,
    StoredProperty,
};
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{Composition, Enum, Store, StructExtract, SwitchEnum, Unary, View};
use sil_ir::model::{Body, DebugOperator, Details, Function, InstructionId, Module, VTable, VTableEntry, Value};
use sil_ir::symbols::Symbol;
use sil_ir::types::TypeQueries;

use super::local_generics::{Found, FoundTypes, Stated, is_parameter};
use super::local_superclasses::local_superclasses;

/// Returns the declarations of local types, completed from the bodies of `module`.
pub(super) fn local_members(module: &Module, queries: &TypeQueries<'_>) -> Vec<(NominalId, NominalDeclaration)> {
    let superclasses = local_superclasses(module, queries);
    let switched = payloads_of_switches(module, queries);
    let is_open = |id: NominalId, declaration: &NominalDeclaration| {
        is_open(declaration, queries.context) || superclasses.contains_key(&id) || switched.contains_key(&id)
    };
    let open = queries.declarations.iter().filter(|(id, declaration)| is_open(*id, declaration));
    let mut changed: Changed = open.map(|(id, declaration)| (id, declaration.clone())).collect();
    for (id, superclass) in &superclasses {
        if let Some(declaration) = changed.get_mut(id) {
            declaration.superclass = Some(*superclass);
        }
    }
    for (id, payloads) in switched {
        if let Some(declaration) = changed.get_mut(&id) {
            for (index, payload) in payloads {
                declaration.cases[index].payload = Some(payload);
            }
        }
    }
    if changed.is_empty() {
        return Vec::new();
    }
    let mut orders = Orders { queries, found: FxHashMap::default(), structs: FxHashMap::default() };
    for (function, body) in bodies(module) {
        orders.look_at(function, body);
    }
    for vtable in &module.vtables {
        orders.accessors(vtable);
    }
    for (id, declaration) in &mut changed {
        orders.apply(*id, declaration);
    }
    let mut found = found_types(module, queries, &changed);
    let mut sorted = false;
    for (id, declaration) in &mut changed {
        sorted |= orders.sort_by_types(*id, declaration, &found);
    }
    if sorted {
        found = found_types(module, queries, &changed);
    }
    let generic = changed.iter().filter(|(_, declaration)| declaration.signature.is_some()).map(|(id, _)| *id);
    let stated = Stated::new(queries, bodies(module).map(|(_, body)| body), &generic.collect(), found);
    for (id, declaration) in &mut changed {
        let uncertain = orders.is_uncertain(*id, declaration);
        for stored in declaration.stored.iter_mut().filter(|_| !uncertain) {
            if let Found::One(known) = stated.of(*id, stored.ty) {
                stored.ty = known;
            }
        }
        for case in &mut declaration.cases {
            match case.payload.map(|payload| stated.of(*id, payload)) {
                Some(Found::One(known)) => case.payload = Some(known),
                Some(Found::Boxed(known)) => (case.payload, case.indirect) = (Some(known), true),
                Some(Found::Nothing) | None => {}
            }
        }
    }
    changed.into_iter().collect()
}

/// Returns the bodies of functions and of globals' initialisers.
fn bodies(module: &Module) -> impl Iterator<Item = (Option<&Function>, &Body)> {
    let functions = module.functions.values().filter_map(|function| Some((Some(function), function.body.as_ref()?)));
    let initializers = module.globals.values().filter_map(|global| Some((None, global.initializer.as_deref()?)));
    functions.chain(initializers)
}

type Changed = BTreeMap<NominalId, NominalDeclaration>;

/// Returns placeholders for the payloads of cases of local enums, by the indices of the cases, if only the arguments of
/// blocks show that there is a payload: `switch_enum %0, case #<abstract function>Mark.some!enumelt: bb1`.
fn payloads_of_switches(module: &Module, queries: &TypeQueries<'_>) -> BTreeMap<NominalId, BTreeMap<usize, TypeId>> {
    let mut found: BTreeMap<NominalId, BTreeMap<usize, TypeId>> = BTreeMap::new();
    for (_, body) in bodies(module) {
        for instruction in body.placed_instructions() {
            let Some(SwitchEnum::<Value> { targets, cases, .. }) = SwitchEnum::get(body, instruction) else { continue };
            for (member, target) in cases.members.iter().zip(targets) {
                let member = queries.context.get_member(*member);
                let (Some(parent), MemberTarget::Case(index)) = (member.parent, member.target) else { continue };
                let declaration = queries.declarations.get(parent);
                let Some(case) = declaration.cases.get(index as usize) else { continue };
                let has_payload = body.blocks[*target].arguments.len() == 1;
                if declaration.attributes.local.is_some() && case.payload.is_none() && has_payload {
                    let payload = placeholder(queries, parent, queries.context.text(case.name));
                    found.entry(parent).or_default().insert(index as usize, payload);
                }
            }
        }
    }
    found
}

/// Returns whether the type has members of unknown types, or is a local struct without mentioned members.
fn is_open(declaration: &NominalDeclaration, context: &Context) -> bool {
    let is_unknown = |ty: TypeId| matches!(context.get(ty), Type::Unresolved { .. });
    let payloads = declaration.cases.iter().filter_map(|case| case.payload);
    let mut types = declaration.stored.iter().map(|stored| stored.ty).chain(payloads);
    match declaration.attributes.local {
        Some(_) if declaration.kind == NominalKind::Struct && declaration.stored.is_empty() => true,
        _ => types.any(is_unknown),
    }
}

/// The way in which values of a struct are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum StructUse {
    /// Every property has the same value.
    Uniform,
    /// The order of the properties determines which property has which value.
    Ordered,
    /// The number of values differs from the number of mentioned properties.
    OtherCount,
}

/// The way in which the values of a struct are made in bodies.
struct MadeStruct {
    how: StructUse,
    /// The type of one value.
    whole: TypeId,
    /// The types of its parts.
    parts: Vec<TypeId>,
}

/// The order of the stored properties of structs and classes.
struct Orders<'q> {
    queries: &'q TypeQueries<'q>,
    found: FxHashMap<NominalId, Vec<Name>>,
    structs: FxHashMap<NominalId, MadeStruct>,
}

impl Orders<'_> {
    fn look_at(&mut self, function: Option<&Function>, body: &Body) {
        for instruction in body.placed_instructions() {
            match body.instructions[instruction].opcode {
                Opcode::Struct => self.composition(function, body, instruction),
                Opcode::DestructureStruct => {
                    let whole = body.operands(instruction).first().map(|whole| body.ty(*whole));
                    if let Some(whole) = whole
                        && let Some(id) = self.local(whole)
                    {
                        self.note(id, whole.ty, part_types(body, body.results(instruction)), StructUse::Ordered);
                    }
                }
                _ => {}
            }
        }
    }

    fn composition(&mut self, function: Option<&Function>, body: &Body, instruction: InstructionId) {
        let Some(whole) = body.result(instruction).map(|whole| body.ty(whole)) else { return };
        let Some(id) = self.local(whole) else { return };
        let Some(Composition { elements }) = <Composition<'_, Value> as View<'_, Value>>::get(body, instruction) else {
            return;
        };
        let elements: Vec<Value> = elements.to_vec();
        let is_uniform = elements.windows(2).all(|pair| is_same_value(body, pair[0], pair[1]));
        let how = if is_uniform { StructUse::Uniform } else { StructUse::Ordered };
        self.note(id, whole.ty, part_types(body, elements.iter().copied()), how);
        if is_memberwise(body, &elements) {
            let symbol = function.and_then(|function| Symbol::demangle(self.queries.context.text(function.name)));
            let labels = symbol.as_ref().and_then(Symbol::initializer_labels);
            if let Some(labels) = labels.filter(|labels| labels.len() == elements.len()) {
                self.found.insert(id, labels.into_iter().map(|label| self.queries.context.name(label)).collect());
            }
        }
    }

    /// Orders the properties of a class by its vtable, which has the accessors of its own properties in declaration
    /// order. Properties without accessors are missing from it; `apply` checks for them.
    fn accessors(&mut self, vtable: &VTable) {
        let declaration = self.queries.declarations.get(vtable.class);
        if declaration.attributes.local.is_none() {
            return;
        }
        let getter = |entry: &VTableEntry| {
            let member = self.queries.context.get_member(entry.member);
            (member.parent == Some(vtable.class) && member.kind == MemberKind::Getter).then_some(member.name)
        };
        // The storage of a lazy property follows it directly.
        let stored = |name: Name| {
            let lazy = self.queries.context.name(&format!("$__lazy_storage_$_{}", self.queries.context.text(name)));
            declaration.stored.iter().map(|stored| stored.name).find(|stored| [name, lazy].contains(stored))
        };
        let names: Vec<Name> = vtable.entries.iter().filter_map(getter).filter_map(stored).collect();
        self.found.insert(vtable.class, names);
    }

    fn local(&self, ty: SilType) -> Option<NominalId> {
        let id = self.queries.as_nominal(ty.ty)?.declaration;
        self.queries.declarations.get(id).attributes.local.map(|_| id)
    }

    fn note(&mut self, id: NominalId, whole: TypeId, parts: Vec<TypeId>, how: StructUse) {
        let is_complete = parts.len() == self.queries.declarations.get(id).stored.len();
        let how = if is_complete { how } else { StructUse::OtherCount };
        let known = self.structs.entry(id).or_insert(MadeStruct { how, whole, parts });
        known.how = match (known.how, how) {
            (StructUse::OtherCount, _) | (_, StructUse::OtherCount) => StructUse::OtherCount,
            (StructUse::Ordered, _) | (_, StructUse::Ordered) => StructUse::Ordered,
            (StructUse::Uniform, StructUse::Uniform) => StructUse::Uniform,
        };
    }

    /// Orders the properties of `id`, if their order is known.
    fn apply(&self, id: NominalId, declaration: &mut NominalDeclaration) {
        let Some(names) = self.found.get(&id) else { return };
        let place = |name: &Name| declaration.stored.iter().position(|stored| stored.name == *name);
        let Some(places) = names.iter().map(place).collect::<Option<Vec<_>>>() else { return };
        let mut sorted = places.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() == declaration.stored.len() {
            declaration.stored = places.into_iter().map(|place| declaration.stored[place].clone()).collect();
            if let Some(local) = &mut declaration.attributes.local {
                local.order = MemberOrder::Declared;
            }
        }
    }

    /// Orders the properties of a struct by the operand types of its values, if each type is unique. Properties that
    /// nothing mentions get no names. Returns whether the order is known.
    fn sort_by_types(&mut self, id: NominalId, declaration: &mut NominalDeclaration, types: &FoundTypes) -> bool {
        let Some(made) = self.structs.get_mut(&id) else { return false };
        let is_open = made.how == StructUse::OtherCount || !is_ordered(declaration);
        let Some(local) = declaration.attributes.local.as_mut().filter(|_| is_open) else { return false };
        let Some(stored) = in_places(self.queries, id, &declaration.stored, made, types) else { return false };
        let nameless = self.queries.context.name("");
        let is_named = stored.iter().all(|stored| stored.name != nameless);
        local.order = if is_named { MemberOrder::Declared } else { MemberOrder::Unnamed };
        declaration.stored = stored;
        made.how = StructUse::Ordered;
        true
    }

    /// Returns whether code depends on an unknown order of the properties.
    fn is_uncertain(&self, id: NominalId, declaration: &NominalDeclaration) -> bool {
        match self.structs.get(&id).map(|made| made.how) {
            Some(StructUse::OtherCount) => true,
            Some(StructUse::Ordered) => !is_ordered(declaration),
            Some(StructUse::Uniform) | None => false,
        }
    }
}

fn part_types(body: &Body, parts: impl Iterator<Item = Value>) -> Vec<TypeId> {
    parts.map(|part| body.ty(part).ty).collect()
}

/// Returns the properties in the order of the types of a value's operands, with unnamed properties for types that no
/// property has. `None` if that is uncertain.
fn in_places(
    queries: &TypeQueries<'_>,
    nominal: NominalId,
    stored: &[StoredProperty],
    made: &MadeStruct,
    types: &FoundTypes,
) -> Option<Vec<StoredProperty>> {
    let part = |part: &TypeId| stated_type(queries.canonical_type(*part), types);
    let parts: &[TypeId] = &made.parts.iter().map(part).collect::<Vec<_>>();
    if stored.len() > parts.len() || !parts.iter().all(|part| is_formal(queries, *part, Generality::Generic)) {
        return None;
    }
    let mut places: Vec<Option<StoredProperty>> = vec![None; parts.len()];
    for property in stored {
        let ty = stated_type(queries.canonical_type(in_type(queries, made.whole, property.ty)?), types);
        let mut fitting = parts.iter().enumerate().filter(|(_, part)| **part == ty);
        let (Some((place, _)), None) = (fitting.next(), fitting.next()) else { return None };
        if places[place].replace(property.clone()).is_some() {
            return None;
        }
    }
    let places = places.into_iter().zip(parts).enumerate();
    Some(
        places
            .map(|(place, (property, ty))| property.unwrap_or_else(|| nameless(queries, nominal, place, *ty)))
            .collect(),
    )
}

/// Returns the placeholder for the type of a member of a local type until bodies determine it.
fn placeholder(queries: &TypeQueries<'_>, nominal: NominalId, member: &str) -> TypeId {
    let name = format!("{}.{member}", queries.context.text(queries.declarations.get(nominal).name));
    let arguments = arguments_of(queries, nominal);
    queries.context.ty(Type::Unresolved { name: queries.context.name(&name), arguments })
}

/// Returns the generic parameters of a nominal type as its arguments.
fn arguments_of(queries: &TypeQueries<'_>, nominal: NominalId) -> Box<[TypeId]> {
    match queries.get(queries.declarations.identity(queries.context, nominal)) {
        Type::Nominal(identity) => identity.arguments.clone(),
        _ => Box::default(),
    }
}

/// Returns an unnamed property at this index, which has the type `ty` in one value of the struct.
fn nameless(queries: &TypeQueries<'_>, nominal: NominalId, place: usize, ty: TypeId) -> StoredProperty {
    let declaration = queries.declarations.get(nominal);
    let ty =
        if arguments_of(queries, nominal).is_empty() { ty } else { placeholder(queries, nominal, &place.to_string()) };
    StoredProperty {
        name: queries.context.name(""),
        ty,
        mutability: Mutability::Var,
        ownership: None,
        lifetime: None,
        access: Access::Private,
        initializer: PropertyInitializer::Program,
        differentiation: PropertyDifferentiation::Followed,
        span: declaration.span,
    }
}

/// Returns the type that bodies determine for the placeholder `ty`, or `ty` itself.
fn stated_type(ty: TypeId, types: &FoundTypes) -> TypeId {
    match types.get(&ty) {
        Some(Found::One(stated)) => *stated,
        Some(Found::Boxed(_) | Found::Nothing) | None => ty,
    }
}

/// Returns whether two values are the same, or made by the same instruction without operands: literals, cases without
/// payload.
fn is_same_value(body: &Body, one: Value, other: Value) -> bool {
    let made_of_nothing = |value: Value| {
        let instruction = body.defining(value).filter(|instruction| body.operands(*instruction).is_empty())?;
        let made = &body.instructions[instruction];
        let is_constant = matches!(made.opcode, Opcode::Enum | Opcode::IntegerLiteral | Opcode::FloatLiteral);
        is_constant.then_some((made.opcode, &made.details, body.ty(value)))
    };
    one == other || made_of_nothing(one).is_some_and(|made| made_of_nothing(other) == Some(made))
}

/// Returns whether the order of the stored properties of a type is known; it is for all types that are not local.
fn is_ordered(declaration: &NominalDeclaration) -> bool {
    let is_declared = |local: LocalType| local.order != MemberOrder::Mentioned;
    declaration.stored.len() < 2 || declaration.attributes.local.is_none_or(is_declared)
}

/// Returns whether `body` only makes a value of its arguments in order, as an implicit memberwise initialiser does. A
/// written one has debug variables.
fn is_memberwise(body: &Body, elements: &[Value]) -> bool {
    let arguments = &body.blocks[body.entry()].arguments;
    let made_of = elements.iter().map(|element| stored_reference(body, *element));
    let made_of_arguments =
        arguments.split_last().is_some_and(|(_, properties)| properties.iter().copied().eq(made_of));
    let is_more = |instruction: InstructionId| {
        let opcode = body.instructions[instruction].opcode;
        !is_reference_storage(opcode) && !matches!(opcode, Opcode::Struct | Opcode::Return | Opcode::DestroyValue)
    };
    made_of_arguments && !body.placed_instructions().any(is_more)
}

/// Returns the reference that `value` stores, if `value` is the storage of an unowned property.
fn stored_reference(body: &Body, value: Value) -> Value {
    let mut value = value;
    while let Some(id) = body.defining(value).filter(|id| is_reference_storage(body.instructions[*id].opcode))
        && let [reference] = body.operands(id)
    {
        value = *reference;
    }
    value
}

/// Returns whether an instruction converts a reference to the storage of an unowned property.
fn is_reference_storage(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::RefToUnowned | Opcode::RefToUnmanaged | Opcode::CopyValue)
}

/// Returns the storage kind of an instruction that stores or loads references.
fn storage_kind(opcode: Opcode) -> StorageKind {
    match opcode {
        Opcode::StoreWeak | Opcode::LoadWeak => StorageKind::Weak,
        Opcode::StrongCopyUnmanagedValue | Opcode::UnmanagedToRef => StorageKind::Unmanaged,
        _ => StorageKind::Unowned,
    }
}

/// Returns the types of members according to the bodies of `module`.
fn found_types(module: &Module, queries: &TypeQueries<'_>, changed: &Changed) -> FoundTypes {
    let mut types = Types { queries, changed, found: FxHashMap::default() };
    for (function, body) in bodies(module) {
        types.look_at(function, body);
    }
    types.found
}

/// The types of members, by placeholder.
struct Types<'q> {
    queries: &'q TypeQueries<'q>,
    /// The local types, with members in order.
    changed: &'q Changed,
    found: FoundTypes,
}

impl<'q> Types<'q> {
    fn declaration(&self, id: NominalId) -> &'q NominalDeclaration {
        self.changed.get(&id).unwrap_or_else(|| self.queries.declarations.get(id))
    }

    fn look_at(&mut self, function: Option<&Function>, body: &Body) {
        for instruction in body.placed_instructions() {
            self.instruction(function, body, instruction);
        }
    }

    fn instruction(&mut self, function: Option<&Function>, body: &Body, instruction: InstructionId) {
        let operands = body.operands(instruction);
        match body.instructions[instruction].opcode {
            Opcode::Store | Opcode::StoreBorrow | Opcode::Assign => {
                if let Some(Store { source, destination }) = Store::get(body, instruction) {
                    self.same(body.ty(source), body.ty(destination));
                }
            }
            Opcode::Load | Opcode::LoadBorrow | Opcode::BeginAccess => {
                if let ([source], Some(result)) = (operands, body.result(instruction)) {
                    self.same(body.ty(*source), body.ty(result));
                }
            }
            Opcode::StoreWeak | Opcode::StoreUnowned => {
                if let [reference, destination] = *operands {
                    let kind = storage_kind(body.instructions[instruction].opcode);
                    self.storage(kind, body.ty(destination), body.ty(reference));
                }
            }
            Opcode::LoadWeak
            | Opcode::LoadUnowned
            | Opcode::StrongCopyUnownedValue
            | Opcode::StrongCopyUnmanagedValue
            | Opcode::UnmanagedToRef => {
                if let ([stored], Some(reference)) = (operands, body.result(instruction)) {
                    let kind = storage_kind(body.instructions[instruction].opcode);
                    self.storage(kind, body.ty(*stored), body.ty(reference));
                }
            }
            Opcode::CopyAddr => {
                if let [source, destination] = *operands {
                    self.same(body.ty(source), body.ty(destination));
                }
            }
            Opcode::Struct => self.composition(body, instruction),
            Opcode::Enum => {
                if let Some(Enum { case, payload: Some(payload) }) = Enum::<Value>::get(body, instruction)
                    && let Some(whole) = body.result(instruction)
                {
                    self.payload(body.ty(whole), case, body.ty(payload));
                }
            }
            Opcode::SwitchEnum => {
                if let Some(SwitchEnum::<Value> { targets, cases, operand, .. }) = SwitchEnum::get(body, instruction) {
                    for (member, target) in cases.members.iter().zip(targets) {
                        if let [payload] = body.blocks[*target].arguments[..] {
                            self.payload(body.ty(operand), *member, body.ty(payload));
                        }
                    }
                }
            }
            Opcode::RefElementAddr
            | Opcode::UncheckedEnumData
            | Opcode::InitEnumDataAddr
            | Opcode::UncheckedTakeEnumDataAddr => self.part(body, instruction),
            Opcode::StructExtract | Opcode::StructElementAddr => {
                self.part(body, instruction);
                if let Some(StructExtract { operand, field }) = StructExtract::<Value>::get(body, instruction) {
                    self.whole(body.ty(operand), field);
                }
            }
            Opcode::DebugValue => self.fragment(body, instruction),
            Opcode::Apply | Opcode::TryApply | Opcode::BeginApply => self.call(body, instruction),
            Opcode::Return => {
                let result = Unary::<Value>::get(body, instruction).map(|Unary { operand }| body.ty(operand));
                let conventions = function.and_then(|function| self.queries.conventions(function.ty));
                if let (Some(result), Some(conventions)) = (result, conventions) {
                    self.same(result, self.queries.direct_result(conventions));
                }
            }
            Opcode::Br => {
                if let [target] = body.targets(instruction) {
                    for (value, argument) in operands.iter().zip(&body.blocks[*target].arguments) {
                        self.same(body.ty(*value), body.ty(*argument));
                    }
                }
            }
            _ => {}
        }
    }

    fn composition(&mut self, body: &Body, instruction: InstructionId) {
        let Some(whole) = body.result(instruction).map(|whole| body.ty(whole).ty) else { return };
        let Some(declaration) = self.queries.as_nominal(whole).map(|whole| self.declaration(whole.declaration)) else {
            return;
        };
        let operands = body.operands(instruction);
        if declaration.signature.is_some() && declaration.attributes.local.is_none() {
            for (ty, value) in self.queries.field_types(whole).iter().flat_map(|types| types.iter()).zip(operands) {
                self.same_type(*ty, body.ty(*value).ty);
            }
            return;
        }
        if is_ordered(declaration) && declaration.stored.len() == operands.len() {
            for (stored, value) in declaration.stored.iter().zip(operands) {
                self.same_as_member(whole, stored.ty, body.ty(*value).ty);
            }
        }
    }

    /// Records that `payload` is the payload of the case `case` of `whole`.
    fn payload(&mut self, whole: SilType, case: MemberId, payload: SilType) {
        let member = self.queries.context.get_member(case);
        let (Some(parent), MemberTarget::Case(index)) = (member.parent, member.target) else { return };
        let declaration = self.declaration(parent);
        let ty = match declaration.signature {
            Some(_) => self.queries.enum_payload_type(whole.ty, case),
            None => declaration.cases.get(index as usize).and_then(|case| case.payload),
        };
        if let Some(ty) = ty {
            self.same_type(ty, payload.ty);
        }
    }

    /// Records the type of an extracted member. Its uses determine the type of the result.
    fn part(&mut self, body: &Body, instruction: InstructionId) {
        let (Details::Member(member), Some(part), [whole]) = (
            &body.instructions[instruction].details,
            body.result(instruction).map(|part| body.ty(part)),
            body.operands(instruction),
        ) else {
            return;
        };
        let reference = self.queries.context.get_member(*member);
        match (reference.parent, reference.target) {
            (Some(parent), MemberTarget::Stored(index)) => {
                // References name the declarations that the bodies were read with.
                if let Some(stored) = self.queries.declarations.get(parent).stored.get(index as usize) {
                    self.same_as_member(body.ty(*whole).ty, stored.ty, part.ty);
                }
            }
            _ => self.payload(body.ty(*whole), *member, part),
        }
    }

    /// `debug_value %1, name "x", type $Whole, expr op_fragment:#Whole.part`
    fn fragment(&mut self, body: &Body, instruction: InstructionId) {
        let Details::Variable(variable) = &body.instructions[instruction].details else { return };
        let ([DebugOperator::Fragment(member)], Some(whole), [part]) =
            (&variable.expression[..], variable.ty, body.operands(instruction))
        else {
            return;
        };
        let reference = self.queries.context.get_member(*member);
        if let (Some(parent), MemberTarget::Stored(index)) = (reference.parent, reference.target)
            && let Some(stored) = self.queries.declarations.get(parent).stored.get(index as usize)
        {
            self.same_as_member(whole.ty, stored.ty, body.ty(*part).ty);
        }
    }

    /// Records the type of `whole` as the struct that declares the extracted `field`, if the struct is not generic.
    fn whole(&mut self, whole: SilType, field: MemberId) {
        if let Some(parent) = self.queries.context.get_member(field).parent {
            let declaration = self.queries.declarations.get(parent);
            if declaration.signature.is_none() && declaration.kind == NominalKind::Struct {
                let identity = self.queries.declarations.identity(self.queries.context, parent);
                self.same_type(whole.ty, identity);
            }
        }
    }

    fn call(&mut self, body: &Body, instruction: InstructionId) {
        let Details::Apply(apply) = &body.instructions[instruction].details else { return };
        let Some((callee, arguments)) = body.operands(instruction).split_first() else { return };
        let Some(conventions) = self.queries.applied_conventions(body.ty(*callee).ty, apply.substitutions) else {
            return;
        };
        for (number, argument) in arguments.iter().enumerate() {
            if let Some(parameter) = conventions.argument(number) {
                self.same(body.ty(*argument), parameter.ty);
            }
        }
    }

    /// Records that `stored` is the storage type of references like `reference`.
    fn storage(&mut self, kind: StorageKind, stored: SilType, reference: SilType) {
        if matches!(self.queries.get(reference.ty), Type::Unresolved { .. }) {
            return;
        }
        let ty = self.queries.context.ty(Type::Storage { kind, referent: reference.ty });
        self.same_type(stored.ty, ty);
    }

    /// Records that a part of `whole` with the declared type `declared` has the type `part`.
    fn same_as_member(&mut self, whole: TypeId, declared: TypeId, part: TypeId) {
        if let Some(ty) = in_type(self.queries, whole, declared) {
            self.same_type(ty, part);
        }
    }

    fn same(&mut self, one: SilType, other: SilType) {
        self.same_type(one.ty, other.ty);
    }

    fn same_type(&mut self, one: TypeId, other: TypeId) {
        let is_unknown = |ty| matches!(self.queries.get(ty), Type::Unresolved { .. });
        let (unknown, known) = match (is_unknown(one), is_unknown(other)) {
            (true, false) => (one, other),
            (false, true) => (other, one),
            _ => return,
        };
        // Each function has its own names for generic parameters.
        let (unknown, known) = (self.queries.canonical_type(unknown), self.queries.canonical_type(known));
        let generality = match self.queries.get(unknown) {
            Type::Unresolved { arguments, .. } if !arguments.is_empty() => Generality::Generic,
            _ => Generality::Plain,
        };
        let is_formal = |ty| is_formal(self.queries, ty, generality);
        // A symbol of an opaque type does not determine its underlying type.
        if matches!(self.queries.get(known), Type::OpaqueResult { .. }) {
            return;
        }
        let found = match self.queries.get(known) {
            Type::Box(_) => match self.queries.box_field_type(known, 0) {
                Some(ty) if is_formal(ty) => Found::Boxed(ty),
                _ => Found::Nothing,
            },
            _ if is_formal(known) => Found::One(known),
            _ => Found::Nothing,
        };
        let entry = self.found.entry(unknown).or_insert(found);
        if *entry != found {
            *entry = Found::Nothing;
        }
    }
}

/// Returns the type of a member of `whole`, given `ty` in terms of the parameters of its type. `None` if the arguments
/// of `whole` are not known yet.
fn in_type(queries: &TypeQueries<'_>, whole: TypeId, ty: TypeId) -> Option<TypeId> {
    let mut find_parameter = |part| is_parameter(queries.get(part)).then_some(());
    match queries.as_nominal(whole) {
        Some(nominal) => Some(queries.substitute(ty, queries.nominal_substitutions(nominal))),
        None => queries.find_in(ty, &mut find_parameter).is_none().then_some(ty),
    }
}

/// The kind of type whose member's type is sought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Generality {
    /// A type without parameters.
    Plain,
    /// A generic type.
    Generic,
}

/// Returns whether a lowered type is its own formal type: it contains no function, metatype or unknown type. Parameters
/// of a generic function are allowed only for members of generic types.
fn is_formal(queries: &TypeQueries<'_>, ty: TypeId, generality: Generality) -> bool {
    let is_formal = |ty| is_formal(queries, ty, generality);
    match queries.get(ty) {
        Type::Nominal(nominal) => nominal.arguments.iter().copied().chain(nominal.parent).all(is_formal),
        Type::Tuple(elements) => elements.iter().all(|element| is_formal(element.ty)),
        Type::Existential(_) | Type::Builtin(_) => true,
        Type::Storage { referent, .. } => is_formal(*referent),
        Type::DependentMember { base, .. } => is_formal(*base),
        parameter => is_parameter(parameter) && generality == Generality::Generic,
    }
}
