//! What a function is known to do: its effect attributes (`[readnone]`, `[%0: noescape **, read v**]`, `[global: write]`), read and
//! asked about (SwiftCompilerSources/Sources/SIL/Effects.swift).

use super::ProjectionPath;
use crate::context::{Context, ParameterConvention};
use crate::instructions::MemoryBehavior;
use crate::model::{Function, FunctionAttribute, FunctionFlag};
use crate::types::{ArgumentConvention, FunctionConventions, Triviality};

/// The effects that a function's attributes state.
#[derive(Clone, Debug)]
pub struct FunctionEffects {
    /// Where arguments may go.
    pub escapes: Vec<EscapeEffect>,
    /// What happens to memory; none where nothing was computed.
    side: Option<SideEffects>,
    /// What flags of the function promise.
    promised: MemoryBehavior,
    /// Whether the function has indirect arguments that it reads and such that it writes, whatever flags say.
    by_convention: MemoryBehavior,
}

/// Where (a part of) an argument may go, or that it goes nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EscapeEffect {
    /// The number of the SIL argument.
    pub argument: usize,
    /// The parts of it that this is about.
    pub pattern: ProjectionPath,
    /// Where they go.
    pub to: EscapeTarget,
}

/// Where an argument goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EscapeTarget {
    /// `noescape`
    Nowhere,
    /// `escape => %r.path` where nothing else is returned there, `->` where something may be.
    Return { path: ProjectionPath, exclusive: Exclusivity },
    /// `escape -> %1.path`
    Argument { argument: usize, path: ProjectionPath },
}

/// Whether what is returned can only be the argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exclusivity {
    /// It can only be that.
    Exclusive,
    /// It may be something else.
    Shared,
}

#[derive(Clone, Default, Debug)]
struct SideEffects {
    arguments: Vec<ArgumentEffects>,
    /// What cannot be said of an argument.
    global: MemoryBehavior,
}

/// The parts of an argument that are read and written.
#[derive(Clone, Copy, Default, Debug)]
struct ArgumentEffects {
    read: Option<ProjectionPath>,
    write: Option<ProjectionPath>,
}

/// Whether an effect on a part of an argument is one on the part that is asked about.
enum Touches {
    Yes,
    No,
}

impl ArgumentEffects {
    fn behavior(self, touches: impl Fn(ProjectionPath) -> Touches) -> MemoryBehavior {
        let when = |part: Option<ProjectionPath>, behavior| match part.map(&touches) {
            Some(Touches::Yes) => behavior,
            Some(Touches::No) | None => MemoryBehavior::None,
        };
        when(self.read, MemoryBehavior::MayRead).union(when(self.write, MemoryBehavior::MayWrite))
    }
}

impl FunctionEffects {
    /// Reads the attributes of `function`. What cannot be read counts as not known.
    pub fn of(context: &Context, function: &Function, conventions: Option<FunctionConventions<'_>>) -> Self {
        let mut effects = Self {
            escapes: Vec::new(),
            side: None,
            promised: promised(context, function),
            by_convention: by_convention(conventions),
        };
        let mut readable = true;
        for attribute in &function.attributes {
            if let FunctionAttribute::Effects(text) = attribute {
                readable &= effects.read(context.text(*text)).is_some();
            }
        }
        if !readable {
            effects.side = None;
        }
        effects
    }

    fn read(&mut self, text: &str) -> Option<()> {
        let (subject, list) = text.split_once(':')?;
        if subject.trim() == "global" {
            return self.read_global(list);
        }
        let argument = argument_number(subject)?;
        list.split(',').try_for_each(|effect| self.read_argument(argument, effect.trim()))
    }

    fn read_global(&mut self, list: &str) -> Option<()> {
        let side = self.side.get_or_insert_default();
        for word in list.split(',').map(str::trim) {
            match word {
                "read" => side.global = side.global.union(MemoryBehavior::MayRead),
                "write" => side.global = side.global.union(MemoryBehavior::MayWrite),
                "copy" | "destroy" | "allocate" | "deinit_barrier" | "" => {}
                _ => return None,
            }
        }
        Some(())
    }

    fn read_argument(&mut self, argument: usize, effect: &str) -> Option<()> {
        let (word, rest) = effect.split_once(' ').unwrap_or((effect, ""));
        match word {
            "noescape" | "noescape!" => {
                let pattern = ProjectionPath::parse(rest.trim())?;
                self.escapes.push(EscapeEffect { argument, pattern, to: EscapeTarget::Nowhere });
            }
            "escape" | "escape!" => {
                let (from, to) = escape_route(rest)?;
                self.escapes.push(EscapeEffect { argument, pattern: from, to });
            }
            "read" | "write" | "copy" | "destroy" => {
                let path = ProjectionPath::parse(rest.trim())?;
                let arguments = &mut self.side.get_or_insert_default().arguments;
                if arguments.len() <= argument {
                    arguments.resize(argument + 1, ArgumentEffects::default());
                }
                match word {
                    "read" => arguments[argument].read = Some(path),
                    "write" => arguments[argument].write = Some(path),
                    _ => {}
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// Whether the part `path` of SIL argument number `argument` may outlive the call.
    pub fn can_escape(&self, argument: usize, path: ProjectionPath) -> bool {
        !self.escapes.iter().any(|effect| {
            effect.to == EscapeTarget::Nowhere && effect.argument == argument && path.matches(effect.pattern)
        })
    }

    /// What a call does to memory.
    pub fn memory(&self) -> MemoryBehavior {
        let Some(side) = &self.side else { return self.promised.union(self.by_convention) };
        let each = side.arguments.iter().map(|argument| argument.behavior(|_| Touches::Yes));
        each.fold(side.global, MemoryBehavior::union)
    }

    /// What a call does to the memory of the part `path` of SIL argument number `argument`.
    pub fn argument_memory(
        &self,
        argument: usize,
        convention: ArgumentConvention,
        path: ProjectionPath,
    ) -> MemoryBehavior {
        // Effects on an argument are about what is reached without a load.
        let loads = if is_indirect(convention) {
            path.may_have_class_projection()
        } else {
            path.may_have_two_class_projections()
        };
        if loads {
            return self.memory();
        }
        let Some(side) = &self.side else {
            return self.promised.union(convention_behavior(convention));
        };
        let stated = side.arguments.get(argument).copied().unwrap_or_default();
        stated.behavior(|part| if part.may_overlap(path) { Touches::Yes } else { Touches::No })
    }
}

/// What the argument's convention leaves of a callee's effect on it. `trivial` types have no raw pointers in them: passed as a
/// value, there is no memory behind such an argument.
pub(super) fn restricted(
    behavior: MemoryBehavior,
    convention: ArgumentConvention,
    trivial: Triviality,
) -> MemoryBehavior {
    use ParameterConvention::*;
    match convention {
        ArgumentConvention::Result(_) | ArgumentConvention::Error => behavior.without_read(),
        ArgumentConvention::Parameter(InGuaranteed | PackGuaranteed | InConstant) => behavior.without_write(),
        ArgumentConvention::Parameter(PackInOut) => behavior.without_read(),
        ArgumentConvention::Parameter(Owned | Guaranteed | Unowned) if trivial == Triviality::Trivial => {
            MemoryBehavior::None
        }
        ArgumentConvention::Parameter(_) => behavior,
    }
}

fn is_indirect(convention: ArgumentConvention) -> bool {
    match convention {
        ArgumentConvention::Result(_) | ArgumentConvention::Error => true,
        ArgumentConvention::Parameter(parameter) => parameter.is_indirect(),
    }
}

fn convention_behavior(convention: ArgumentConvention) -> MemoryBehavior {
    if convention.is_indirect_in() {
        MemoryBehavior::MayRead
    } else if convention.is_indirect_out() {
        MemoryBehavior::MayWrite
    } else {
        MemoryBehavior::None
    }
}

fn by_convention(conventions: Option<FunctionConventions<'_>>) -> MemoryBehavior {
    let Some(conventions) = conventions else { return MemoryBehavior::MayReadWrite };
    let each = conventions.arguments().map(|argument| convention_behavior(argument.convention));
    each.fold(MemoryBehavior::None, MemoryBehavior::union)
}

fn promised(context: &Context, function: &Function) -> MemoryBehavior {
    // C functions of the array implementation, and those that end the program: what they write no caller sees.
    let name = context.text(function.name);
    let ends = |attribute: &FunctionAttribute| match attribute {
        FunctionAttribute::Semantics(text) => context.text(*text) == "programtermination_point",
        _ => false,
    };
    let only_reads = matches!(name, "_swift_stdlib_malloc_size" | "_swift_stdlib_has_malloc_size")
        || function.attributes.iter().any(ends)
        || function.has(FunctionFlag::ReadOnly);
    if function.has(FunctionFlag::ReadNone) {
        MemoryBehavior::None
    } else if only_reads {
        MemoryBehavior::MayRead
    } else {
        MemoryBehavior::MayReadWrite
    }
}

fn argument_number(text: &str) -> Option<usize> {
    text.trim().strip_prefix('%')?.parse().ok()
}

/// `s1 => %r.c0`, `-> %1`
fn escape_route(text: &str) -> Option<(ProjectionPath, EscapeTarget)> {
    let (from, to, exclusive) = match (text.split_once("=>"), text.split_once("->")) {
        (Some((from, to)), _) => (from, to, Exclusivity::Exclusive),
        (None, Some((from, to))) => (from, to, Exclusivity::Shared),
        (None, None) => return None,
    };
    let (target, path) = to.trim().split_once('.').unwrap_or((to.trim(), ""));
    let path = ProjectionPath::parse(path)?;
    let target = match target {
        "%r" => EscapeTarget::Return { path, exclusive },
        _ if exclusive == Exclusivity::Exclusive => return None,
        _ => EscapeTarget::Argument { argument: argument_number(target)?, path },
    };
    Some((ProjectionPath::parse(from.trim())?, target))
}
