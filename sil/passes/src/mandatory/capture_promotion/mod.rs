//! Capture promotion: a closure over a variable that is not mutated any more captures its value instead of its box
//! (lib/SILOptimizer/Mandatory/CapturePromotion.cpp).
//!
//! Owns: the closures and their captures. `candidates` finds the promotable ones; `cloning` clones the closures'
//! functions. Does not own: boxes that stay captured as boxes, and the removal of unused functions.

mod candidates;
mod cloning;

use sil_ir::context::{Name, SilType, Type, TypeId};
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, AttributeSet, Opcode};
use sil_ir::model::views::FunctionRef;
use sil_ir::model::{
    Body, Details, Function, FunctionAttribute, FunctionFlag, FunctionId, InstructionId, Module, Place, Value,
};
use sil_ir::parallel;
use sil_ir::types::{ConformanceTable, TypeQueries};

use self::candidates::Candidates;
use crate::InstructionBuilder;
use crate::mandatory::unused_originals::DELETE_IF_UNUSED;
use crate::pass::settings::Settings;
use crate::pass::{Description, Gates, Pass, Runner};

pub(crate) const CAPTURE_PROMOTION: Pass = Pass::new(&Description {
    name: "capture-promotion",
    class_name: "CapturePromotion",
    summary: "Captures variables by value where nothing writes to them after the capture.",
    gates: Gates::OPEN,
    runner: Runner::Program(|module, _, settings| promote(module, settings)),
});

/// A closure with promoted captures.
struct Promotion {
    /// The `partial_apply`.
    closure: InstructionId,
    /// The box operands that are captured by value, and the indices of their arguments in the closure's function.
    captures: Vec<(u32, usize)>,
}

/// The rewritten function and the clones of its closures' functions.
struct Promoted {
    body: Body,
    /// The clones, each with its original.
    functions: Vec<(FunctionId, Function)>,
    warnings: Vec<Diagnostic>,
}

/// Promotes the captures of all closures, and warns of variables that are mutated after a concurrently executing
/// closure captured them.
pub(crate) fn promote(module: &mut Module, settings: &Settings) -> Vec<Diagnostic> {
    let functions: Vec<FunctionId> = module.functions.keys().collect();
    let promoted = {
        let conformances = ConformanceTable::new(&module.context, &module.witness_tables);
        let queries = &TypeQueries::of(module, &conformances);
        let shared: &Module = module;
        parallel::map(&functions, |id| Some((*id, promote_in(shared, queries, settings, &shared.functions[*id])?)))
    };
    let marker = module.context.name(DELETE_IF_UNUSED);
    let mut made = Vec::new();
    let mut warnings = Vec::new();
    for (id, Promoted { body, functions, warnings: found }) in promoted.into_iter().flatten() {
        warnings.extend(found);
        if !functions.is_empty() {
            module.functions[id].body = Some(body);
            made.extend(functions);
        }
    }
    for (original, _) in &made {
        mark(&mut module.functions[*original], marker);
    }
    if !made.is_empty() {
        let names: Vec<Name> = made.iter().map(|(_, function)| function.name).collect();
        module.insert_functions(made);
        let ids: Vec<FunctionId> = names.into_iter().filter_map(|name| module.function_named(name)).collect();
        module.give_own_scopes(ids);
    }
    warnings
}

fn mark(function: &mut Function, marker: Name) {
    let attribute = FunctionAttribute::Semantics(marker);
    if !function.attributes.contains(&attribute) {
        function.attributes.push(attribute);
    }
}

fn promote_in(
    module: &Module,
    queries: &TypeQueries<'_>,
    settings: &Settings,
    function: &Function,
) -> Option<Promoted> {
    let before = function.body.as_ref()?;
    let makes_boxes = |id| before.instructions[id].opcode == Opcode::AllocBox;
    if function.has(FunctionFlag::Canonical)
        || !function.has(FunctionFlag::Ossa)
        || !before.placed_instructions().any(makes_boxes)
    {
        return None;
    }
    let (promotions, warnings) = Candidates::new(module, queries, function, before, settings).all();
    let mut promoted = Promoted { body: before.clone(), functions: Vec::new(), warnings };
    for promotion in promotions {
        rewrite(module, queries, function, &mut promoted, &promotion);
    }
    (!promoted.functions.is_empty() || !promoted.warnings.is_empty()).then_some(promoted)
}

/// Rewrites one closure to capture values; `None` if its function cannot be cloned.
fn rewrite(
    module: &Module,
    queries: &TypeQueries<'_>,
    caller: &Function,
    promoted: &mut Promoted,
    promotion: &Promotion,
) -> Option<()> {
    let Promotion { closure, captures } = promotion;
    let body = &mut promoted.body;
    let callee = *body.operands(*closure).first()?;
    let reference = body.defining(callee)?;
    let original = module.function_named(FunctionRef::get(body, reference)?.function)?;
    let arguments: Vec<usize> = captures.iter().map(|(_, argument)| *argument).collect();
    let clone = cloning::with_values(module, queries, &module.functions[original], caller.serialization, &arguments)?;
    let ty = SilType::object(clone.ty);
    let function = InstructionBuilder::new(body, Place::Before(*closure), *closure).function_ref(clone.name, ty);
    let mut operands = body.operands(*closure).to_vec();
    operands[0] = function;
    for (operand, _) in captures {
        let captured = operands[*operand as usize];
        operands[*operand as usize] = capture(queries, caller, body, *closure, captured)?;
    }
    body.set_operands(*closure, &operands);
    if let Details::Apply(apply) = &mut body.instructions[*closure].details {
        apply.callee_type = ty;
    }
    remove_if_unused(body, reference, callee);
    promoted.functions.push((original, clone));
    Some(())
}

/// Copies the contents of a box, whose ownership the closure gives up.
fn capture(
    queries: &TypeQueries<'_>,
    caller: &Function,
    body: &mut Body,
    closure: InstructionId,
    captured: Value,
) -> Option<Value> {
    let field = queries.box_field_type(body.ty(captured).ty, 0)?;
    let made = body.defining(captured)?;
    let address =
        InstructionBuilder::new(body, Place::After(made), made).project_box(captured, 0, SilType::address(field));
    let is_trivial = queries.properties(field, caller.signature).is_trivial();
    let mut attributes = AttributeSet::default();
    attributes.insert(if is_trivial { Attribute::Trivial } else { Attribute::Copy });
    let mut builder = InstructionBuilder::new(body, Place::Before(closure), closure);
    let value = builder.with(attributes).load(address);
    builder.destroy_value(captured);
    Some(value)
}

fn remove_if_unused(body: &mut Body, reference: InstructionId, function: Value) {
    let is_used = body.placed_instructions().any(|id| body.operands(id).contains(&function));
    if !is_used {
        body.erase(reference);
    }
}

/// Returns whether boxes of a type have one field.
fn is_variable(queries: &TypeQueries<'_>, ty: TypeId) -> bool {
    matches!(queries.get(ty), Type::Box(boxed) if boxed.fields.len() == 1)
}
