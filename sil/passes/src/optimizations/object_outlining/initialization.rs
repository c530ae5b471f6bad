//! The initialisation of an object: the stores to its stored properties and tail elements, and the end of its
//! initialisation.

use sil_analysis::{Use, stored_property_count};
use sil_ir::context::{Mutability, SilType, Type};
use sil_ir::instructions::builtins::{BuiltinKind, IntegerPredicate, NamedBuiltin};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::{self, GlobalAddr, GlobalUse, IntegerLiteral, IntegerValue, Store};
use sil_ir::model::{Body, Details, FunctionFlag, InstructionId, Value};

use super::uses_of_results;
use crate::editing::editor::Editor;
use crate::editing::initial_values::{InitialValueMaker, may_be_initial_value};
use crate::pass::Environment;

/// The initialisation of an object by constants, with one store per part.
pub(super) struct Initialization {
    /// The end of the initialisation: the object is shared, or stored to the global variable that it initialises.
    pub(super) end: InstructionId,
    properties: Vec<InstructionId>,
    /// The stores to tail elements, in element order. A tuple element has one store per tuple element.
    tail: Vec<InstructionId>,
    /// The number of stores per tail element.
    stores_per_element: usize,
    /// The type of the tail elements, or `None` if there are none.
    element: Option<SilType>,
}

impl Initialization {
    /// Finds the initialisation of an object. Returns `None` if a part is not constant, or if a use is not permitted on
    /// a static object.
    pub(super) fn find(editor: &Editor<'_>, allocation: InstructionId) -> Option<Self> {
        let shape = Shape::of(editor, allocation)?;
        let end = end_of_initialization(editor, allocation, shape.element.is_none())?;
        let mut search = Search {
            editor,
            end,
            properties: vec![None; shape.property_count],
            tail: vec![None; shape.tail_count * shape.stores_per_element],
        };
        search.run(editor.body().result(allocation)?)?;
        let Search { properties, tail, .. } = search;
        Some(Self {
            end,
            properties: properties.into_iter().collect::<Option<_>>()?,
            tail: tail.into_iter().collect::<Option<_>>()?,
            stores_per_element: shape.stores_per_element,
            element: shape.element,
        })
    }

    /// The stores, which are redundant once the object is outlined.
    pub(super) fn stores(&self) -> impl Iterator<Item = InstructionId> {
        self.properties.iter().chain(&self.tail).copied()
    }

    /// The static initialiser of the global.
    pub(super) fn initializer(&self, editor: &Editor<'_>, allocation: InstructionId) -> Option<Body> {
        let body = editor.body();
        let (class, span) = (*body.types(allocation).last()?, body.instructions[allocation].span);
        let mut maker = InitialValueMaker::new(body);
        let stored =
            |store: &InstructionId, maker: &mut InitialValueMaker<'_>| maker.value(Store::of(body, *store).source);
        let properties: Vec<Value> =
            self.properties.iter().map(|store| stored(store, &mut maker)).collect::<Option<_>>()?;
        let mut elements = Vec::new();
        for stores in self.tail.chunks(self.stores_per_element.max(1)) {
            let parts: Vec<Value> = stores.iter().map(|store| stored(store, &mut maker)).collect::<Option<_>>()?;
            match parts[..] {
                [element] => elements.push(element),
                _ => elements.push(maker.tuple(&parts, self.element?, span)),
            }
        }
        Some(maker.object(&properties, &elements, class, span))
    }
}

/// The number of parts of an object.
struct Shape {
    property_count: usize,
    tail_count: usize,
    stores_per_element: usize,
    element: Option<SilType>,
}

impl Shape {
    /// Returns `None` if it is not known statically.
    fn of(editor: &Editor<'_>, allocation: InstructionId) -> Option<Self> {
        let Environment { queries, module, .. } = editor.environment;
        let body = editor.body();
        if body.instructions[allocation].attributes.contains(Attribute::ObjC) {
            return None;
        }
        let (class, elements) = body.types(allocation).split_last()?;
        if editor.opcode(allocation) == Opcode::AllocRefDynamic && !queries.is_array_storage(class.ty) {
            return None;
        }
        let declaration = queries.as_nominal(class.ty)?.declaration;
        let property_count = stored_property_count(queries, declaration)? as usize;
        let (tail_count, element) = match elements {
            [] => (0, None),
            [element] => (tail_count(body, *body.operands(allocation).first()?)?, Some(*element)),
            _ => return None,
        };
        let stores_per_element = match element.map(|element| module.context.get(element.ty)) {
            Some(Type::Tuple(parts)) => parts.len(),
            _ => 1,
        };
        Some(Self { property_count, tail_count, stores_per_element, element })
    }
}

/// The number of tail elements, if it does not exceed the possible number of stores.
fn tail_count(body: &Body, count: Value) -> Option<usize> {
    let count = usize::try_from(literal(body, count)?).ok()?;
    (count <= body.instructions.len()).then_some(count)
}

fn literal(body: &Body, value: Value) -> Option<i128> {
    match IntegerLiteral::get(body, body.defining(value)?)?.value {
        IntegerValue::Narrow(value) => Some(value),
        IntegerValue::Wide(_) => None,
    }
}

/// The end of an object's initialisation: the point from which it is shared, so that mutation copies it first. An
/// object without tail elements, whose allocated size is not queried, may instead be stored to the global `let` that
/// the function initialises.
fn end_of_initialization(editor: &Editor<'_>, allocation: InstructionId, may_be_stored: bool) -> Option<InstructionId> {
    let mut open = vec![allocation];
    while let Some(object) = open.pop() {
        for Use { user, operand } in uses_of_results(editor, object) {
            match editor.opcode(user) {
                Opcode::Upcast | Opcode::UncheckedRefCast | Opcode::MoveValue | Opcode::EndInitLetRef => {
                    open.push(user)
                }
                Opcode::EndCowMutation => {
                    let stays_unique = editor.body().instructions[user].attributes.contains(Attribute::KeepUnique);
                    return (!stays_unique).then_some(user);
                }
                Opcode::Store if may_be_stored && operand == 0 && initializes_global(editor, user) => {
                    return Some(user);
                }
                _ => {}
            }
        }
    }
    None
}

/// Returns whether a store initialises the global `let` of the function.
fn initializes_global(editor: &Editor<'_>, store: InstructionId) -> bool {
    let Environment { module, function, .. } = editor.environment;
    let body = editor.body();
    let initialized = body.instructions_in(body.entry()).find(|id| editor.opcode(*id) == Opcode::AllocGlobal);
    let stored = body.defining(Store::of(body, store).destination).and_then(|id| GlobalAddr::get(body, id));
    let (Some(initialized), Some(stored)) = (initialized, stored) else { return false };
    let name = stored.global.name;
    let is_let = module.global_named(name).is_some_and(|id| module.globals[id].mutability == Mutability::Let);
    function.has(FunctionFlag::GlobalInitOnce) && is_let && GlobalUse::of(body, initialized).global.name == name
}

/// The part of the object that a value refers to.
#[derive(Clone, Copy)]
enum Reached {
    Object,
    /// The address of the stored property with this index.
    Property(usize),
    /// The address of the tail element with this index, or the end of the tail elements.
    Element(i128),
    /// The address of an element of a tail element of tuple type, by the index of its store.
    ElementPart(usize),
}

/// The search for the stores to an object.
struct Search<'a, 'm> {
    editor: &'a Editor<'m>,
    end: InstructionId,
    properties: Vec<Option<InstructionId>>,
    tail: Vec<Option<InstructionId>>,
}

impl Search<'_, '_> {
    /// Returns `None` if a use may change the object otherwise, or requires a heap allocation.
    fn run(&mut self, object: Value) -> Option<()> {
        let mut open = vec![(object, Reached::Object)];
        while let Some((value, reached)) = open.pop() {
            for found in self.editor.uses(value) {
                let next = match reached {
                    Reached::Object => self.of_object(found)?,
                    Reached::Property(number) => self.of_part(found, number, Parts::Properties)?,
                    Reached::Element(number) => self.of_element(found, number)?,
                    Reached::ElementPart(number) => self.of_part(found, number, Parts::Tail)?,
                };
                if let Some(next) = next {
                    open.extend(self.editor.body().results(found.user).map(|result| (result, next)));
                }
            }
        }
        Some(())
    }

    /// The part that a use of the object projects, if any.
    fn of_object(&mut self, found: Use) -> Option<Option<Reached>> {
        match self.editor.opcode(found.user) {
            Opcode::Upcast
            | Opcode::UncheckedRefCast
            | Opcode::MoveValue
            | Opcode::EndInitLetRef
            | Opcode::BeginBorrow => Some(Some(Reached::Object)),
            Opcode::RefElementAddr => {
                let number = self.editor.view().field_number(found.user)?;
                Some(Some(Reached::Property(number as usize)))
            }
            Opcode::RefTailAddr => Some(Some(Reached::Element(0))),
            Opcode::EndBorrow => Some(None),
            _ if found.user == self.end => Some(None),
            _ => is_harmless(self.editor, found).then_some(None),
        }
    }

    /// The part that a use of the address of tail element `number` projects, if any.
    fn of_element(&mut self, found: Use, number: i128) -> Option<Option<Reached>> {
        let body = self.editor.body();
        match self.editor.opcode(found.user) {
            Opcode::IndexAddr => {
                let distance = literal(body, views::IndexAddr::of(body, found.user).index)?;
                Some(Some(Reached::Element(number.checked_add(distance)?)))
            }
            Opcode::TupleElementAddr => {
                let part = views::TupleExtract::of(body, found.user);
                let Type::Tuple(parts) = self.editor.environment.queries.get(body.ty(part.operand).ty) else {
                    return None;
                };
                let store = number.checked_mul(parts.len() as i128)?.checked_add(i128::from(part.index))?;
                Some(Some(Reached::ElementPart(usize::try_from(store).ok()?)))
            }
            Opcode::AddressToPointer | Opcode::PointerToAddress => Some(Some(Reached::Element(number))),
            // A value that only depends on the element refers to other memory, although Swift treats it as the element.
            Opcode::MarkDependence if found.operand == 0 => Some(Some(Reached::Element(number))),
            Opcode::Store => {
                let source = Store::of(body, found.user).source;
                let is_tuple = matches!(self.editor.environment.queries.get(body.ty(source).ty), Type::Tuple(_));
                let number = usize::try_from(number).ok().filter(|_| !is_tuple)?;
                self.store(found, number, Parts::Tail)?;
                Some(None)
            }
            _ => is_harmless(self.editor, found).then_some(None),
        }
    }

    /// Handles a use of the address of a part that is stored to as a whole. Nothing is projected from it.
    fn of_part(&mut self, found: Use, number: usize, parts: Parts) -> Option<Option<Reached>> {
        match self.editor.opcode(found.user) {
            Opcode::Store => self.store(found, number, parts)?,
            _ if !is_harmless(self.editor, found) => return None,
            _ => {}
        }
        Some(None)
    }

    /// Records a store to a part. It must be the first one and store a constant.
    fn store(&mut self, found: Use, number: usize, parts: Parts) -> Option<()> {
        let is_destination = found.operand == 1;
        let source = Store::of(self.editor.body(), found.user).source;
        if !is_destination || !may_be_initial_value(self.editor, source) {
            return None;
        }
        let stores = match parts {
            Parts::Properties => &mut self.properties,
            Parts::Tail => &mut self.tail,
        };
        stores.get_mut(number)?.replace(found.user).is_none().then_some(())
    }
}

/// The kind of parts of an object.
#[derive(Clone, Copy)]
enum Parts {
    Properties,
    Tail,
}

/// Returns whether a use of an object, or of an address in it, is permitted on a static object.
fn is_harmless(editor: &Editor<'_>, found: Use) -> bool {
    use Opcode::*;
    let mut open = vec![found];
    while let Some(Use { user, operand }) = open.pop() {
        match editor.opcode(user) {
            DebugValue | Load | DeallocRef | DeallocStackRef | StrongRetain | StrongRelease | FixLifetime
            | MarkDependenceAddr => {}
            // A value that only depends on the object is not part of it.
            MarkDependence if operand == 1 => {}
            MarkDependence | StructElementAddr | AddressToPointer | Struct | Tuple | TupleExtract | Enum
            | StructExtract | UncheckedRefCast | Upcast | BeginDeallocRef | RefTailAddr | RefElementAddr => {
                open.extend(uses_of_results(editor, user));
            }
            Builtin if is_harmless_builtin(editor, user) => {}
            _ => return false,
        }
    }
    true
}

/// Returns whether a builtin compares addresses, as array comparison does, or destroys constant elements, which is a
/// no-op.
fn is_harmless_builtin(editor: &Editor<'_>, id: InstructionId) -> bool {
    let Details::Builtin(builtin) = &editor.body().instructions[id].details else { return false };
    let kind = builtin.kind();
    matches!(
        kind,
        Some(
            BuiltinKind::CompareIntegers(IntegerPredicate::Eq | IntegerPredicate::Ne)
                | BuiltinKind::Named(NamedBuiltin::DestroyArray)
        )
    )
}
