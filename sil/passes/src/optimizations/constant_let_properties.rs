//! Propagates constant `let` properties of classes: if all initialisers store the same constant, loads are replaced
//! with it. The properties themselves remain. Follows lib/SILOptimizer/IPO/LetPropertiesOpt.cpp.
//!
//! Does not own: properties of structs, whose memory may be written as part of an aggregate.

use rustc_hash::FxHashMap;
use sil_analysis::{Change, Use, Uses};
use sil_ir::context::{MemberId, MemberTarget, Mutability, NominalId};
use sil_ir::declarations::Origin;
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinCast, BuiltinKind};
use sil_ir::model::views::{RefElementAddr, Store, StructExtract, TupleExtract, Unary};
use sil_ir::model::{Body, Details, Function, FunctionId, InstructionId, Place, Value};
use sil_ir::parallel;
use sil_ir::types::TypeQueries;

use crate::InstructionBuilder;
use crate::editing::editor::Editor;
use crate::pass::{Description, Environment, Gates, ModuleEnvironment, Pass, Rewrite, Rewrites, Runner};

pub(crate) const CONSTANT_LET_PROPERTIES: Pass = Pass::new(&Description {
    name: "let-properties-opt",
    class_name: "LetPropertiesOpt",
    summary: "Replaces loads of `let` properties that always have one constant value.",
    gates: Gates::OPEN,
    runner: Runner::Whole(propagate),
});

/// The limit on the nesting of constants.
const NESTING: usize = 50;

/// Replaces the loads of constant properties in all functions.
pub(crate) fn propagate(environment: ModuleEnvironment<'_>) -> Rewrites {
    let ModuleEnvironment { module, queries, .. } = environment;
    let mut properties = Properties { queries, found: FxHashMap::default() };
    for function in module.functions.values() {
        properties.visit(function);
    }
    let rewrite = |id: &FunctionId| Some((*id, Ok(properties.rewrite(environment.of_function(*id)?)?)));
    parallel::map(&environment.functions(), rewrite).into_iter().flatten().collect()
}

/// A stored property of a class, by its index among the properties that the class declares.
type Property = (NominalId, u32);

/// The initial value of a property.
#[derive(Clone, Copy)]
enum Initial<'m> {
    /// There is not a single constant.
    Unknown,
    /// All initialisations seen so far store the constant `Value` of the `Body`.
    Constant(&'m Body, Value),
}

struct Properties<'m> {
    queries: &'m TypeQueries<'m>,
    found: FxHashMap<Property, Initial<'m>>,
}

impl<'m> Properties<'m> {
    /// The property, if it is a `let` of a class of this module.
    fn property(&self, member: MemberId) -> Option<Property> {
        let member = self.queries.context.get_member(member);
        let (Some(class), MemberTarget::Stored(index)) = (member.parent, member.target) else { return None };
        let declaration = self.queries.declarations.get(class);
        let stored = declaration.stored.get(index as usize)?;
        (declaration.origin == Origin::Module && stored.mutability == Mutability::Let).then_some((class, index))
    }

    /// The property that `address` projects, looking through accesses.
    fn projected(&self, body: &Body, mut address: Value) -> Option<Property> {
        while let Some(id) = body.defining(address) {
            match body.instructions[id].opcode {
                Opcode::BeginAccess => address = Unary::of(body, id).operand,
                Opcode::RefElementAddr => return self.property(RefElementAddr::of(body, id).field),
                _ => return None,
            }
        }
        None
    }

    /// Records the property initialisations of a function.
    fn visit(&mut self, function: &'m Function) {
        let Some(body) = &function.body else { return };
        let is_projection = |id: &InstructionId| body.instructions[*id].opcode == Opcode::RefElementAddr;
        let projections: Vec<InstructionId> = body.placed_instructions().filter(is_projection).collect();
        if projections.is_empty() {
            return;
        }
        let uses = Uses::new(body);
        for id in projections {
            if let Some(property) = self.property(RefElementAddr::of(body, id).field)
                && !self.visit_uses(function, body, &uses, (id, property))
            {
                self.found.insert(property, Initial::Unknown);
            }
        }
    }

    /// Returns whether all uses of a projection are loads, or initialise the property with its constant.
    fn visit_uses(
        &mut self,
        function: &Function,
        body: &'m Body,
        uses: &Uses,
        (id, property): (InstructionId, Property),
    ) -> bool {
        let mut open: Vec<Value> = body.results(id).collect();
        while let Some(address) = open.pop() {
            for found in uses.of(address) {
                let is_known = match body.instructions[found.user].opcode {
                    Opcode::BeginAccess => {
                        open.extend(body.results(found.user));
                        true
                    }
                    Opcode::Store => {
                        let Store { source, destination } = Store::of(body, found.user);
                        destination == address && self.initialize(function, body, property, source)
                    }
                    _ => is_read(body, uses, *found),
                };
                if !is_known {
                    return false;
                }
            }
        }
        true
    }

    /// Records an initialisation with `value`. Returns whether the property may still be constant.
    fn initialize(&mut self, function: &Function, body: &'m Body, property: Property, value: Value) -> bool {
        let loaded = body.defining(value).filter(|id| body.instructions[*id].opcode == Opcode::Load);
        if let Some(load) = loaded
            && self.projected(body, Unary::of(body, load).operand) == Some(property)
        {
            return true;
        }
        if !self.is_constant(function, body, value, NESTING) {
            return false;
        }
        match *self.found.entry(property).or_insert(Initial::Constant(body, value)) {
            Initial::Unknown => false,
            Initial::Constant(other, known) => are_same((other, known), (body, value)),
        }
    }

    fn is_constant(&self, function: &Function, body: &Body, value: Value, nesting: usize) -> bool {
        let (Some(id), Some(nesting)) = (body.defining(value), nesting.checked_sub(1)) else { return false };
        let parts = || body.operands(id).iter().all(|part| self.is_constant(function, body, *part, nesting));
        match (body.instructions[id].opcode, &body.instructions[id].details) {
            (Opcode::IntegerLiteral | Opcode::FloatLiteral | Opcode::StringLiteral, _) => true,
            (Opcode::Struct | Opcode::Tuple, _) => {
                self.queries.properties(body.ty(value).ty, function.signature).is_trivial() && parts()
            }
            (Opcode::Builtin, Details::Builtin(builtin)) => {
                let kind = builtin.kind();
                matches!(kind, Some(BuiltinKind::Cast(BuiltinCast::FPTrunc))) && parts()
            }
            _ => false,
        }
    }

    fn rewrite(&self, environment: Environment<'_>) -> Option<Rewrite> {
        let body = environment.body;
        let is_constant = |id: &InstructionId| {
            let property = RefElementAddr::get(body, *id).and_then(|projection| self.property(projection.field));
            matches!(property.and_then(|property| self.found.get(&property)), Some(Initial::Constant(..)))
        };
        let projections: Vec<InstructionId> = body.placed_instructions().filter(is_constant).collect();
        let mut editor = Editor::new(environment);
        for id in projections {
            let property = self.property(RefElementAddr::of(body, id).field)?;
            if let Some(Initial::Constant(from, value)) = self.found.get(&property) {
                replace_loads(&mut editor, id, (from, *value));
            }
        }
        editor.finish()
    }
}

/// Returns whether a use of an address only reads memory.
fn is_read(body: &Body, uses: &Uses, found: Use) -> bool {
    match body.instructions[found.user].opcode {
        Opcode::Load | Opcode::EndAccess | Opcode::DebugValue | Opcode::FixLifetime => true,
        Opcode::StructElementAddr | Opcode::TupleElementAddr | Opcode::BeginAccess => {
            let mut results = body.results(found.user);
            results.all(|part| uses.of(part).iter().all(|inner| is_read(body, uses, *inner)))
        }
        _ => false,
    }
}

/// Returns whether two values are equal constants.
fn are_same((left, first): (&Body, Value), (right, second): (&Body, Value)) -> bool {
    let (Some(one), Some(other)) = (left.defining(first), right.defining(second)) else { return false };
    let (made, remade) = (&left.instructions[one], &right.instructions[other]);
    let (parts, others) = (left.operands(one), right.operands(other));
    made.opcode == remade.opcode
        && made.details == remade.details
        && left.ty(first) == right.ty(second)
        && parts.len() == others.len()
        && parts.iter().zip(others).all(|(part, other)| are_same((left, *part), (right, *other)))
}

/// Replaces the loads of the projection `id` with a constant.
fn replace_loads(editor: &mut Editor<'_>, id: InstructionId, (from, value): (&Body, Value)) {
    let Some(address) = editor.body().result(id) else { return };
    let loading: Vec<Use> =
        editor.uses(address).into_iter().filter(|found| is_replaceable(editor, found.user)).collect();
    if loading.is_empty() {
        return;
    }
    let mut constant = None;
    editor.edit_whole(Change::Instructions, |body| {
        constant = make(body, id, from, value, &mut FxHashMap::default());
    });
    let Some(constant) = constant else { return };
    for found in loading {
        replace_load(editor, found.user, constant);
    }
}

/// Returns whether a user of an address, and its own users, only load values.
fn is_replaceable(editor: &Editor<'_>, user: InstructionId) -> bool {
    match editor.opcode(user) {
        Opcode::Load | Opcode::EndAccess | Opcode::DebugValue | Opcode::FixLifetime => true,
        Opcode::StructElementAddr | Opcode::TupleElementAddr | Opcode::BeginAccess => {
            let mut results = editor.body().results(user);
            results.all(|part| editor.uses(part).iter().all(|found| is_replaceable(editor, found.user)))
        }
        _ => false,
    }
}

/// Replaces the loads of `user` with `value`, and erases `user`.
fn replace_load(editor: &mut Editor<'_>, user: InstructionId, value: Value) {
    let opcode = editor.opcode(user);
    let part = match opcode {
        Opcode::Load => return editor.replace(user, value),
        Opcode::BeginAccess => value,
        Opcode::StructElementAddr => {
            let field = StructExtract::of(editor.body(), user).field;
            let Some(address) = editor.body().result(user) else { return };
            let ty = editor.body().ty(address).object_type();
            editor.build(Place::Before(user), user, |builder| builder.struct_extract(value, field, ty))
        }
        Opcode::TupleElementAddr => {
            let index = TupleExtract::of(editor.body(), user).index;
            let Some(address) = editor.body().result(user) else { return };
            let ty = editor.body().ty(address).object_type();
            editor.build(Place::Before(user), user, |builder| builder.tuple_extract(value, index, ty))
        }
        _ => return editor.erase(user),
    };
    for found in editor.body().result(user).map(|address| editor.uses(address)).unwrap_or_default() {
        replace_load(editor, found.user, part);
    }
    editor.erase(user);
}

/// Clones the constant `value` of another body before `id`.
fn make(
    body: &mut Body,
    id: InstructionId,
    from: &Body,
    value: Value,
    made: &mut FxHashMap<Value, Value>,
) -> Option<Value> {
    if let Some(known) = made.get(&value) {
        return Some(*known);
    }
    let source = from.defining(value)?;
    let parts: Option<Vec<Value>> =
        from.operands(source).iter().map(|part| make(body, id, from, *part, made)).collect();
    let constant = InstructionBuilder::new(body, Place::Before(id), id).copy_of(from, source, &parts?)?;
    made.insert(value, constant);
    Some(constant)
}
