//! Capture propagation: specialises the function of a closure whose captures are all constant, so that the closure
//! captures nothing. Follows lib/SILOptimizer/IPO/CapturePropagation.cpp.
//!
//! The pass specialises a function if it calls a captured value, since that call becomes direct. If a function ignores
//! its captures and forwards to another one, that one replaces it. Closures with generic substitutions that are not all
//! concrete are left alone.

mod ignored;
mod key_paths;

use sil_analysis::{ApplyKind, Change, Uses};
use sil_ir::context::{
    CalleeConvention, FunctionAttribute, FunctionType, Name, Representation, SilType, SubstitutionMapId, Type, TypeId,
};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::Opcode;
use sil_ir::model::views::{self, IntegerValue, Unary};
use sil_ir::model::{
    BlockId, Body, Function, FunctionId, InstructionId, Linkage, Place, Replacements, StringEncoding, Value,
};
use sil_ir::symbols::{self, ParameterChange, SpecializationPass};

use self::ignored::Forwarded;
use crate::InstructionBuilder;
use crate::editing::builder::Origin;
use crate::editing::cloning::{ClonePlaces, Cloner};
use crate::editing::specialized_functions::attributes_without_effects;
use crate::editing::specialized_names::specialized_name;
use crate::editing::unused::remove_unused;
use crate::optimizations::generic_specialization::Specialization;
use crate::pass::{Description, Environment, Gate, Gates, Pass, Rewrite, Runner};

pub(crate) const CAPTURE_PROPAGATION: Pass = Pass::new(&Description {
    name: "capture-prop",
    class_name: "CapturePropagation",
    summary: "Specialises closures whose captures are all constants.",
    gates: Gates { optimize_none: Gate::Skip, ..Gates::OPEN },
    runner: Runner::Function(propagate),
});

/// The limit on the length of strings in symbols, in bytes.
const LONGEST_STRING: usize = 32;

/// Specialises the closures that a function creates.
pub(crate) fn propagate(environment: Environment<'_>) -> Result<Option<Rewrite>, Box<Diagnostic>> {
    let Environment { function, body: before, .. } = environment;
    let mut body = before.clone();
    let mut replacements = Replacements::default();
    let mut functions = Vec::new();
    let mut unused = Vec::new();
    for id in before.placed_instructions() {
        let Some(closure) = Closure::of(environment, id) else { continue };
        let Some(made) = before.result(id) else { continue };
        let instead = match ignored::forwarded_to(environment, &closure) {
            Some(Forwarded { name, ty, made: function }) => {
                functions.extend(function);
                refer(&mut body, id, before.ty(made), (name, ty))
            }
            None => {
                let Some(specialized) = closure.specialized(environment) else { continue };
                let instead = refer(&mut body, id, before.ty(made), (specialized.name, specialized.ty));
                functions.push((closure.id, specialized));
                instead
            }
        };
        replacements.replace(made, instead);
        unused.extend(before.operands(id));
        erase(&mut body, environment.analyses.uses(before), id, (made, instead), &mut replacements);
    }
    if unused.is_empty() {
        return Ok(None);
    }
    body.replace_values(&replacements);
    for value in unused.iter().filter(|value| key_paths::is_constant(before, **value)) {
        key_paths::remove(environment.queries, &mut body, *value);
    }
    remove_unused(&mut body, unused);
    Ok(Some(Rewrite { functions, ..Rewrite::new(function, body, Change::Instructions) }))
}

/// Inserts a thick reference to a function before the `partial_apply` `closure`.
fn refer(body: &mut Body, closure: InstructionId, thick: SilType, (name, ty): (Name, TypeId)) -> Value {
    let mut builder = InstructionBuilder::new(body, Place::Before(closure), closure);
    let thin = SilType::object(ty);
    let function = builder.function_ref(name, thin);
    builder.thin_to_thick_function(function, thick)
}

/// Erases a `partial_apply`. A closure without captures has no stack memory and no dependence, so those instructions
/// are erased too.
fn erase(
    body: &mut Body,
    uses: &Uses,
    closure: InstructionId,
    (made, instead): (Value, Value),
    replacements: &mut Replacements,
) {
    let captured = body.operands(closure)[1..].to_vec();
    body.erase(closure);
    let mut open = vec![made];
    while let Some(value) = open.pop() {
        for found in uses.of(value) {
            match body.instructions[found.user].opcode {
                Opcode::DeallocStack => body.erase(found.user),
                Opcode::MarkDependence if found.operand == 0 && captured.contains(&body.operands(found.user)[1]) => {
                    let Some(dependent) = body.result(found.user) else { continue };
                    replacements.replace(dependent, instead);
                    body.erase(found.user);
                    open.push(dependent);
                }
                _ => {}
            }
        }
    }
}

/// A closure whose function has a body.
struct Closure<'m> {
    /// The instruction that creates it.
    made_by: InstructionId,
    /// The closure's function.
    id: FunctionId,
    function: &'m Function,
    body: &'m Body,
    captured: &'m [Value],
    /// The substitutions of the function, which are all concrete.
    substitutions: SubstitutionMapId,
    /// The type of the closure, without the captured parameters.
    ty: TypeId,
}

impl<'m> Closure<'m> {
    fn of(environment: Environment<'m>, id: InstructionId) -> Option<Self> {
        let Environment { module, queries, body: caller, .. } = environment;
        if caller.instructions[id].opcode != Opcode::PartialApply {
            return None;
        }
        let views::Apply { callee, arguments: captured, apply } = views::Apply::of(caller, id);
        let reference = caller.defining(callee)?;
        let name = views::FunctionRef::get(caller, reference)?.function;
        let id_of_function = module.function_named(name)?;
        let function = &module.functions[id_of_function];
        let body = function.body.as_ref()?;
        let ty = caller.ty(caller.result(id)?).ty;
        let substitutions = apply.substitutions;
        let types = queries.context.replacements(substitutions);
        let is_known =
            !types.iter().any(|ty| queries.is_dependent(*ty)) && types.is_empty() == function.signature.is_none();
        is_known.then_some(Self { made_by: id, id: id_of_function, function, body, captured, substitutions, ty })
    }

    fn calls_an_argument(&self) -> bool {
        let parameters = &self.body.blocks[self.body.entry()].arguments;
        self.body.placed_instructions().any(|id| {
            let is_call = ApplyKind::of(self.body.instructions[id].opcode).is_some_and(ApplyKind::is_full);
            is_call && self.body.operands(id).first().is_some_and(|callee| parameters.contains(callee))
        })
    }

    /// Specialises the function for the captured constants. Returns `None` if a capture is not constant or the function
    /// calls none of them.
    fn specialized(&self, environment: Environment<'m>) -> Option<Function> {
        if !self.calls_an_argument() && !key_paths::are_applied(environment, self) {
            return None;
        }
        let Environment { module, queries, function: caller, body: outer, .. } = environment;
        let Type::Function(closure) = queries.get(self.ty) else { return None };
        let mut changes = vec![ParameterChange::Unchanged; self.left_open()];
        for (operand, captured) in (1..).zip(self.captured) {
            changes.push(constant(environment, *captured)?);
            let is_key_path = key_paths::is_constant(outer, *captured);
            if is_key_path && !key_paths::is_borrowed(queries, outer, self.made_by, operand) {
                return None;
            }
        }
        let mut thin = FunctionType {
            representation: Representation::Thin,
            callee: CalleeConvention::None,
            ..(**closure).clone()
        };
        thin.attributes.remove(FunctionAttribute::NoEscape);
        let ty = queries.context.ty(Type::Function(Box::new(thin)));
        let body = self.specialized_body(environment);
        let pass = SpecializationPass::CapturePropagation;
        let name = specialized_name(module, self.name(environment)?, pass, caller.serialization, &changes)?;
        Some(Function {
            name,
            ty,
            signature: None,
            linkage: Linkage::Shared,
            serialization: caller.serialization,
            attributes: attributes_without_effects(self.function),
            body: Some(body),
            ..self.function.clone()
        })
    }

    /// The name of the function, or of its generic specialisation if there are substitutions.
    fn name(&self, environment: Environment<'_>) -> Option<Name> {
        if self.substitutions == SubstitutionMapId::EMPTY {
            return Some(self.function.name);
        }
        let made =
            Specialization::keeping_values(environment.module, environment.into(), self.function, self.substitutions)?;
        Some(made.name)
    }

    /// The number of parameters that are not captured. They come first.
    fn left_open(&self) -> usize {
        self.body.blocks[self.body.entry()].arguments.len().saturating_sub(self.captured.len())
    }

    /// Clones the body, with clones of the constants at the start in place of the captured arguments.
    fn specialized_body(&self, environment: Environment<'m>) -> Body {
        let Environment { queries, body: outer, .. } = environment;
        let from = self.body;
        let mut body = Body::default();
        let entry = body.add_block();
        // A debug scope belongs to one function, so the cloned constants have none.
        let nowhere = Origin::nowhere(self.function.span);
        let nowhere = ClonePlaces::Call(nowhere);
        let site = InstructionId::from_u32(0);
        let mut constants = Cloner::new(queries, outer, SubstitutionMapId::EMPTY, None, nowhere, site);
        let mut cloner = Cloner::new(queries, from, self.substitutions, None, ClonePlaces::Kept, site);
        cloner.map_block(from.entry(), entry);
        let parameters = &from.blocks[from.entry()].arguments;
        let (open, captured) = parameters.split_at(self.left_open());
        for parameter in open {
            let clone = cloner.argument(&mut body, entry, *parameter);
            cloner.map_value(*parameter, clone);
        }
        let mut key_paths = Vec::new();
        for (parameter, captured) in captured.iter().zip(self.captured) {
            let constant = clone_constant(&mut constants, &mut body, outer, entry, *captured);
            cloner.map_value(*parameter, constant);
            if key_paths::is_constant(outer, *captured) {
                key_paths.push(constant);
            }
        }
        cloner.whole(&mut body);
        key_paths.into_iter().for_each(|copy| key_paths::end_copy(self, &mut body, copy));
        body
    }
}

/// The mangling of a captured constant, or `None` if the value is not constant.
fn constant(environment: Environment<'_>, value: Value) -> Option<ParameterChange> {
    let Environment { module, queries, body, .. } = environment;
    let id = body.defining(value)?;
    let text = |name| module.context.text(name).to_owned();
    Some(match body.instructions[id].opcode {
        Opcode::ThinToThickFunction | Opcode::ConvertFunction => {
            return constant(environment, Unary::of(body, id).operand);
        }
        Opcode::Upcast | Opcode::OpenExistentialRef | Opcode::Keypath => {
            return key_paths::constant(queries, body, value);
        }
        Opcode::FunctionRef => ParameterChange::Function(text(views::FunctionRef::of(body, id).function)),
        Opcode::GlobalAddr => match views::GlobalAddr::of(body, id) {
            views::GlobalAddr { global, dependence: None } => ParameterChange::Global(text(global.name)),
            _ => return None,
        },
        Opcode::IntegerLiteral => match views::IntegerLiteral::of(body, id).value {
            // Symbols cannot represent negative integers.
            IntegerValue::Narrow(value) => ParameterChange::Integer(u128::try_from(value).ok()?.to_string()),
            IntegerValue::Wide(_) => return None,
        },
        Opcode::FloatLiteral => ParameterChange::Float(views::FloatLiteral::of(body, id).bits.to_string()),
        Opcode::StringLiteral => {
            let literal = views::StringLiteral::of(body, id).literal;
            let encoding = match literal.encoding {
                StringEncoding::Utf8 => symbols::StringEncoding::Utf8,
                StringEncoding::Utf16 => symbols::StringEncoding::Utf16,
                StringEncoding::ObjCSelector => symbols::StringEncoding::ObjC,
                StringEncoding::Bytes | StringEncoding::OsLog => return None,
            };
            let text = std::str::from_utf8(&literal.bytes).ok().filter(|text| text.len() <= LONGEST_STRING)?;
            ParameterChange::String(encoding, text.to_owned())
        }
        _ => return None,
    })
}

/// Clones a constant with its operands.
fn clone_constant(cloner: &mut Cloner<'_>, to: &mut Body, from: &Body, into: BlockId, value: Value) -> Value {
    if let Some(cloned) = cloner.cloned(value) {
        return cloned;
    }
    if let Some(id) = from.defining(value) {
        for operand in from.operands(id) {
            clone_constant(cloner, to, from, into, *operand);
        }
        cloner.instruction(to, into, id);
    }
    cloner.value(to, value)
}
