//! Computes the escape effects of function arguments: not escaping, escaping to the return value, or escaping to
//! another argument. Follows SwiftCompilerSources/Sources/Optimizer/FunctionPasses/ComputeEscapeEffects.swift.

use sil_analysis::escape::{self, EscapePath, Follows, Start, Visit, VisitDefinition, Visitor};
use sil_analysis::{
    AnalyzedModule, ApplySite, Authority, BodyView, EscapeEffect, EscapeTarget, Exclusivity, FunctionEffects,
    Projection, ProjectionPath, Use,
};
use sil_ir::instructions::Opcode;
use sil_ir::model::{Definition, InstructionId, Value};

/// The effects of the function with the computed escape effects, or `None` if they do not change. Effects stated in the
/// source are kept.
pub(super) fn effects(
    module: &AnalyzedModule<'_>,
    view: &BodyView<'_>,
    known: &FunctionEffects,
) -> Option<FunctionEffects> {
    let stated = || known.escapes.iter().filter(|effect| effect.authority == Authority::Stated);
    let is_stated = |argument: usize| {
        stated().any(|effect| {
            effect.argument == argument
                || matches!(effect.to, EscapeTarget::Argument { argument: to, .. } if to == argument)
        })
    };
    let mut escapes: Vec<EscapeEffect> = stated().copied().collect();
    let mut computer = Computer { module, view, returned: returned_value(view), found: Vec::new() };
    for (index, argument) in view.body.blocks[view.body.entry()].arguments.iter().enumerate() {
        if !view.has_trivial_non_pointer_type(*argument) && !is_stated(index) {
            computer.argument(index, *argument);
        }
    }
    escapes.append(&mut computer.found);
    (escapes != known.escapes).then(|| known.with_escapes(escapes))
}

/// The returned value, if the function returns.
fn returned_value(view: &BodyView<'_>) -> Option<Value> {
    let ends = view.body.blocks.keys().filter_map(|block| view.body.terminator(block));
    let mut returns = ends.filter(|id| view.opcode(*id) == Opcode::Return);
    returns.next().and_then(|id| view.operand(id, 0))
}

struct Computer<'a, 'm> {
    module: &'a AnalyzedModule<'m>,
    view: &'a BodyView<'m>,
    returned: Option<Value>,
    found: Vec<EscapeEffect>,
}

impl Computer<'_, '_> {
    fn argument(&mut self, index: usize, argument: Value) {
        let anything = ProjectionPath::from(Projection::Anything);
        if escape::walk(self.module, self.view, &mut Stays, (argument, anything), Start::Down).is_ok() {
            return self.add(index, anything, EscapeTarget::Nowhere);
        }
        // First the value itself, then the contents of an object that it refers to.
        if self.part(index, argument, ProjectionPath::EMPTY) {
            let objects = ProjectionPath::new(&[Projection::AnyClassField, Projection::AnyValueFields]);
            self.part(index, argument, objects);
        }
    }

    fn add(&mut self, argument: usize, pattern: ProjectionPath, to: EscapeTarget) {
        self.found.push(EscapeEffect { argument, pattern, to, authority: Authority::Computed });
    }

    /// Computes the escape effect of a part of an argument. Returns whether there is one.
    fn part(&mut self, index: usize, argument: Value, part: ProjectionPath) -> bool {
        let is_class = self.view.queries.is_class(self.view.body.ty(argument).ty);
        let part = if is_class { part } else { part.push(Projection::AnyValueFields) };
        let mut visitor = Destination { found: None };
        let walked = escape::walk(self.module, self.view, &mut visitor, (argument, part), Start::Down);
        let (Ok(()), Some(returned)) = (walked, self.returned) else { return false };
        let to = match visitor.found {
            None => EscapeTarget::Nowhere,
            Some(Place::Argument(argument, path)) => EscapeTarget::Argument { argument, path },
            Some(Place::Return(path)) => {
                let mut visitor = OnlySource { argument: (argument, part), returned: path, is_reached: false };
                let walked = escape::walk(self.module, self.view, &mut visitor, (returned, path), Start::Up);
                let is_only = walked.is_ok() && visitor.is_reached;
                let exclusive = if is_only { Exclusivity::Exclusive } else { Exclusivity::Shared };
                EscapeTarget::Return { path, exclusive }
            }
        };
        self.add(index, part, to);
        true
    }
}

/// Returns whether a value is passed to the same argument in a recursive call.
fn is_recursion(view: &BodyView<'_>, found: Use) -> bool {
    let same = || {
        let site = ApplySite::new(view.body, found.user).filter(|site| site.kind.is_full())?;
        (site.called_function()? == view.function.name).then_some(())?;
        let index = site.numbering(site.conventions(view.queries)?).sil_argument_of_operand(found.operand as usize)?;
        Some(argument_number(view, view.used_value(found))? == index)
    };
    same().unwrap_or(false)
}

fn argument_number(view: &BodyView<'_>, value: Value) -> Option<usize> {
    match view.body.values[value].definition {
        Definition::Argument { block, index } if block == view.body.entry() => Some(index as usize),
        _ => None,
    }
}

fn is_return(view: &BodyView<'_>, id: InstructionId) -> bool {
    view.opcode(id) == Opcode::Return
}

/// Decides whether an argument does not escape, except to the same argument of a recursive call.
struct Stays;

impl Visitor for Stays {
    fn visit_use(&mut self, view: &BodyView<'_>, found: Use, _: EscapePath) -> Visit {
        if is_recursion(view, found) { Visit::Ignore } else { Visit::Continue }
    }

    fn follows(&self) -> Follows {
        Follows::Object
    }
}

#[derive(Clone, Copy)]
enum Place {
    Return(ProjectionPath),
    Argument(usize, ProjectionPath),
}

/// Finds the single destination of an argument.
struct Destination {
    found: Option<Place>,
}

impl Visitor for Destination {
    fn visit_use(&mut self, view: &BodyView<'_>, found: Use, path: EscapePath) -> Visit {
        if !is_return(view, found.user) {
            return if is_recursion(view, found) { Visit::Ignore } else { Visit::Continue };
        }
        self.found = match self.found {
            _ if path.follow_stores => return Visit::Escape,
            None => Some(Place::Return(path.path)),
            Some(Place::Return(before)) => Some(Place::Return(before.merge(path.path))),
            Some(Place::Argument(..)) => return Visit::Escape,
        };
        Visit::Ignore
    }

    fn visit_definition(&mut self, view: &BodyView<'_>, value: Value, path: EscapePath) -> VisitDefinition {
        let Some(argument) = argument_number(view, value) else { return VisitDefinition::GoUp };
        self.found = match self.found {
            _ if path.follow_stores => return VisitDefinition::Escape,
            None => Some(Place::Argument(argument, path.path)),
            Some(Place::Argument(same, before)) if same == argument => {
                Some(Place::Argument(argument, before.merge(path.path)))
            }
            Some(_) => return VisitDefinition::Escape,
        };
        VisitDefinition::GoDown
    }

    fn follows(&self) -> Follows {
        Follows::Object
    }
}

/// Decides whether the return value comes only from an argument, without having been stored.
struct OnlySource {
    argument: (Value, ProjectionPath),
    returned: ProjectionPath,
    is_reached: bool,
}

impl Visitor for OnlySource {
    fn visit_use(&mut self, view: &BodyView<'_>, found: Use, path: EscapePath) -> Visit {
        match view.opcode(found.user) {
            Opcode::Return if !path.follow_stores && path.path.matches(self.returned) => Visit::Ignore,
            Opcode::Return => Visit::Escape,
            Opcode::Store | Opcode::StoreWeak | Opcode::StoreUnowned | Opcode::CopyAddr | Opcode::StoreBorrow
                if found.operand == 1 =>
            {
                Visit::Escape
            }
            _ => Visit::Continue,
        }
    }

    fn visit_definition(&mut self, view: &BodyView<'_>, value: Value, path: EscapePath) -> VisitDefinition {
        if argument_number(view, value).is_none() {
            return VisitDefinition::GoUp;
        }
        let (argument, part) = self.argument;
        if path.follow_stores || value != argument || !path.path.matches(part) {
            return VisitDefinition::Escape;
        }
        self.is_reached = true;
        VisitDefinition::GoDown
    }

    fn follows(&self) -> Follows {
        Follows::Object
    }
}
