//! The known effects of a function: its effect attributes (`[readnone]`, `[%0: noescape **, read v**]`, `[global:
//! write]`), read, queried and written (SwiftCompilerSources/Sources/SIL/Effects.swift).

use sil_ir::context::Context;
use sil_ir::instructions::MemoryBehavior;
use sil_ir::model::{Function, FunctionAttribute, FunctionFlag};
use sil_ir::types::{ArgumentConvention, FunctionConventions, Triviality};

use super::ProjectionPath;
use super::effect_set::{Effect, EffectSet, Reach};

/// The effects that a function's attributes state.
#[derive(Clone, Debug)]
pub struct FunctionEffects {
    /// Where arguments may go.
    pub escapes: Vec<EscapeEffect>,
    /// Its side effects; none if nothing was computed.
    pub side: Option<SideEffects>,
    /// The effects that flags of the function allow.
    promised: EffectSet,
    /// Whether the function has indirect arguments that it reads, and ones that it writes, regardless of its flags.
    by_convention: EffectSet,
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
    /// The authority.
    pub authority: Authority,
}

/// The authority for an argument's escapes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Authority {
    /// The Swift program: `noescape!`. Computed effects never replace it.
    Stated,
    /// A pass that looked at the body.
    Computed,
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

/// Whether the returned value can only be the argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exclusivity {
    /// It can only be that.
    Exclusive,
    /// It may be something else.
    Shared,
}

/// The effects of a function on its arguments and otherwise.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct SideEffects {
    /// By SIL argument. Nothing happens to those that the list does not reach.
    pub arguments: Vec<ArgumentEffects>,
    /// The effects that are not on an argument.
    pub global: EffectSet,
}

/// The parts of an argument with effects, by [`Effect::OF_ARGUMENTS`]. Memory that a load leads to is no part.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct ArgumentEffects([Option<ProjectionPath>; Effect::OF_ARGUMENTS.len()]);

impl ArgumentEffects {
    /// The effects, each with the parts that it is on.
    pub fn iter(&self) -> impl Iterator<Item = (Effect, ProjectionPath)> + use<> {
        Effect::OF_ARGUMENTS.into_iter().zip(self.0).filter_map(|(effect, part)| Some((effect, part?)))
    }

    /// Adds that `effects` happen to `part`.
    pub fn add(&mut self, effects: EffectSet, part: ProjectionPath) {
        for (effect, known) in Effect::OF_ARGUMENTS.into_iter().zip(&mut self.0) {
            if effects.contains(effect) {
                *known = Some(known.map_or(part, |known| known.merge(part)));
            }
        }
    }

    /// The effects on parts that may overlap `path`.
    fn on(&self, path: ProjectionPath) -> EffectSet {
        let touching = self.iter().filter(|(_, part)| part.may_overlap(path));
        touching.fold(EffectSet::NONE, |effects, (effect, _)| effects.union(effect.into()))
    }

    fn all(&self) -> EffectSet {
        self.iter().fold(EffectSet::NONE, |effects, (effect, _)| effects.union(effect.into()))
    }
}

impl SideEffects {
    /// All that happens, to arguments or not.
    fn accumulated(&self) -> EffectSet {
        self.arguments.iter().fold(self.global, |effects, argument| effects.union(argument.all()))
    }

    /// The effects on SIL argument number `argument`.
    pub fn of_argument(&self, argument: usize) -> ArgumentEffects {
        self.arguments.get(argument).copied().unwrap_or_default()
    }
}

impl FunctionEffects {
    /// Reads the attributes of `function`. An attribute that cannot be read counts as not known.
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
        for word in list.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            side.global = side.global.union(Effect::from_name(word)?.into());
        }
        Some(())
    }

    fn read_argument(&mut self, argument: usize, effect: &str) -> Option<()> {
        let (word, rest) = effect.split_once(' ').unwrap_or((effect, ""));
        let authority = if word.ends_with('!') { Authority::Stated } else { Authority::Computed };
        match word {
            "noescape" | "noescape!" => {
                let pattern = ProjectionPath::parse(rest.trim())?;
                self.escapes.push(EscapeEffect { argument, pattern, to: EscapeTarget::Nowhere, authority });
            }
            "escape" | "escape!" => {
                let (from, to) = escape_route(rest)?;
                self.escapes.push(EscapeEffect { argument, pattern: from, to, authority });
            }
            _ => {
                let effect = Effect::from_name(word).filter(|effect| Effect::OF_ARGUMENTS.contains(effect))?;
                let path = ProjectionPath::parse(rest.trim())?;
                let arguments = &mut self.side.get_or_insert_default().arguments;
                if arguments.len() <= argument {
                    arguments.resize(argument + 1, ArgumentEffects::default());
                }
                arguments[argument].add(effect.into(), path);
            }
        }
        Some(())
    }

    /// The same with computed side effects of the function.
    #[must_use]
    pub fn with_side_effects(&self, side: SideEffects) -> Self {
        Self { side: Some(side), ..self.clone() }
    }

    /// The same with computed escapes of its arguments.
    #[must_use]
    pub fn with_escapes(&self, escapes: Vec<EscapeEffect>) -> Self {
        Self { escapes, ..self.clone() }
    }

    /// The attributes that state the effects, one for each argument that has any.
    pub fn attributes(&self) -> Vec<String> {
        let computed = self.side.as_ref().map_or(0, |side| side.arguments.len());
        let arguments = self.escapes.iter().map(|effect| effect.argument + 1).fold(computed, usize::max);
        let mut lines = Vec::new();
        for argument in 0..arguments {
            let escapes = self.escapes.iter().filter(|effect| effect.argument == argument);
            let mut words: Vec<String> = escapes.map(EscapeEffect::text).collect();
            let side = self.side.as_ref().map(|side| side.of_argument(argument)).unwrap_or_default();
            words.extend(side.iter().map(|(effect, path)| format!("{} {path}", effect.name()).trim_end().to_owned()));
            if !words.is_empty() {
                lines.push(format!("%{argument}: {}", words.join(", ")));
            }
        }
        lines.extend(self.side.as_ref().map(|side| format!("global: {}", side.global)));
        lines
    }

    /// Whether the part `path` of SIL argument number `argument` may outlive the call.
    pub fn can_escape(&self, argument: usize, path: ProjectionPath) -> bool {
        !self.escapes.iter().any(|effect| {
            effect.to == EscapeTarget::Nowhere && effect.argument == argument && path.matches(effect.pattern)
        })
    }

    /// The effects of a call.
    pub fn all(&self) -> EffectSet {
        match &self.side {
            Some(side) => side.accumulated(),
            None => self.promised.union(self.by_convention),
        }
    }

    /// The effect of a call on memory.
    pub fn memory(&self) -> MemoryBehavior {
        self.all().memory()
    }

    /// The effects of a call that are not on a certain argument.
    pub fn global(&self) -> EffectSet {
        self.side.as_ref().map_or(self.promised, |side| side.global)
    }

    /// The effects of a call on the part `path` of SIL argument number `argument`.
    pub fn on_argument(
        &self,
        argument: usize,
        convention: ArgumentConvention,
        trivial: Triviality,
        path: ProjectionPath,
    ) -> EffectSet {
        // Effects on an argument are about the parts that are reached without a load.
        let loads = if is_indirect(convention) {
            path.may_have_class_projection()
        } else {
            path.may_have_two_class_projections()
        };
        let reach = if path.may_have_class_projection() { Reach::Objects } else { Reach::Value };
        let effects = match &self.side {
            _ if loads => self.all(),
            Some(side) => {
                // A value that is loaded from a field may be destroyed.
                let after = if reach == Reach::Objects { self.all().ownership() } else { EffectSet::NONE };
                side.of_argument(argument).on(path).union(after)
            }
            None => self.promised.union(convention_effects(convention)),
        };
        effects.restricted(convention, trivial, reach)
    }
}

impl EscapeEffect {
    fn text(&self) -> String {
        let sign = if self.authority == Authority::Stated { "!" } else { "" };
        let suffix = |path: ProjectionPath| if path.is_empty() { String::new() } else { format!(".{path}") };
        let space = if self.pattern.is_empty() { "" } else { " " };
        let from = format!("{sign}{space}{}", self.pattern);
        match self.to {
            EscapeTarget::Nowhere => format!("noescape{from}"),
            EscapeTarget::Return { path, exclusive } => {
                let arrow = if exclusive == Exclusivity::Exclusive { "=>" } else { "->" };
                format!("escape{from} {arrow} %r{}", suffix(path))
            }
            EscapeTarget::Argument { argument, path } => format!("escape{from} -> %{argument}{}", suffix(path)),
        }
    }
}

fn is_indirect(convention: ArgumentConvention) -> bool {
    match convention {
        ArgumentConvention::Result(_) | ArgumentConvention::Error => true,
        ArgumentConvention::Parameter(parameter) => parameter.is_indirect(),
    }
}

fn convention_effects(convention: ArgumentConvention) -> EffectSet {
    if convention.is_indirect_in() {
        Effect::Read.into()
    } else if convention.is_indirect_out() {
        Effect::Write.into()
    } else {
        EffectSet::NONE
    }
}

fn by_convention(conventions: Option<FunctionConventions<'_>>) -> EffectSet {
    let Some(conventions) = conventions else { return EffectSet::WORST };
    let each = conventions.arguments().map(|argument| convention_effects(argument.convention));
    each.fold(EffectSet::NONE, EffectSet::union)
}

/// C functions of the array implementation, and those that end the program: no caller sees their writes.
fn promised(context: &Context, function: &Function) -> EffectSet {
    let name = context.text(function.name);
    let ends = |attribute: &FunctionAttribute| match attribute {
        FunctionAttribute::Semantics(text) => context.text(*text) == "programtermination_point",
        _ => false,
    };
    let without_release = EffectSet::WORST.without(Effect::Destroy);
    let without_write = without_release.without(Effect::Write).without(Effect::Allocate);
    if matches!(name, "_swift_stdlib_malloc_size" | "_swift_stdlib_has_malloc_size")
        || function.attributes.iter().any(ends)
    {
        Effect::Read.into()
    } else if function.has(FunctionFlag::ReadNone) {
        without_write.without(Effect::Read)
    } else if function.has(FunctionFlag::ReadOnly) {
        without_write
    } else if function.has(FunctionFlag::ReleaseNone) {
        without_release
    } else {
        EffectSet::WORST
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
