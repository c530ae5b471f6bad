//! The diagnostics of values that outlive their dependencies (include/swift/AST/DiagnosticsSIL.def, `lifetime_*`).

use sil_analysis::Use;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::model::FunctionFlag;
use sil_ir::symbols::{Accessor, EntityKind, Symbol};

use super::super::facts::Facts;
use super::super::scope::LifetimeDependence;
use super::variables::{LifetimeVariable, Location, function_location, location};

/// The kind of a faulty use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Misuse {
    /// The lifetime of the dependency has ended.
    OutOfScope,
    /// The value may escape the lifetime of the dependency.
    Escape,
}

impl Misuse {
    fn note(self) -> &'static str {
        match self {
            Misuse::OutOfScope => "this use of the lifetime-dependent value is out of scope",
            Misuse::Escape => "this use causes the lifetime-dependent value to escape",
        }
    }
}

/// The diagnostics of a function.
pub(super) struct Messages<'f, 'v, 'm> {
    pub(super) facts: &'f Facts<'v, 'm>,
}

impl Messages<'_, '_, '_> {
    /// Returns the error for a use of a dependent value.
    pub(super) fn outlives(&self, dependence: &LifetimeDependence, found: Use, misuse: Misuse) -> Vec<Diagnostic> {
        let facts = self.facts;
        let used = LifetimeVariable::of(facts, facts.view.used_value(found));
        let user = location(facts, found.user);
        let place = used.declaration.or(used.location).or(user).or_else(|| function_location(facts));
        let message = match (&used.name, place) {
            (Some(name), _) => format!("lifetime-dependent variable '{name}' escapes its scope"),
            (None, Some(_)) => "lifetime-dependent value escapes its scope".to_owned(),
            (None, None) => self.generated(),
        };
        let span = place.map_or(facts.view.function.span, |place| place.span);
        let error =
            Diagnostic::error("lifetime-dependence", message, span).in_source(place.and_then(|place| place.place));
        let error = self.with_scope(error, dependence);
        vec![noted(error, misuse.note(), user)]
    }

    /// Returns the message for compiler-generated functions.
    fn generated(&self) -> String {
        let function = self.facts.view.function;
        let symbol = self.facts.view.module.context.text(function.name);
        if let Some(accessor) = accessor_word(symbol) {
            return format!("lifetime-dependent value returned by generated accessor '{accessor}'");
        }
        let is_thunk = [
            FunctionFlag::Thunk,
            FunctionFlag::SignatureOptimizedThunk,
            FunctionFlag::ReabstractionThunk,
            FunctionFlag::BackDeployedThunk,
        ];
        let kind = if is_thunk.into_iter().any(|flag| function.has(flag)) { "thunk" } else { "function" };
        format!("lifetime-dependent value returned by generated {kind} '{symbol}'")
    }

    /// Adds a note about the dependency.
    fn with_scope(&self, error: Diagnostic, dependence: &LifetimeDependence) -> Diagnostic {
        let facts = self.facts;
        let Some(parent) = dependence.scope.parent(facts) else { return error };
        let variable = LifetimeVariable::of(facts, parent);
        let here = variable.location.or_else(|| function_location(facts));
        let name = variable.name.as_deref();
        let message = match name {
            _ if here.is_none() => return error,
            name if variable.is_access => {
                format!("it depends on this scoped access to variable '{}'", name.unwrap_or_default())
            }
            _ if variable.is_argument && variable.is_capture => {
                "it depends on a closure capture; this is not yet supported".to_owned()
            }
            Some(name) if variable.is_argument => format!("it depends on the lifetime of argument '{name}'"),
            None if variable.is_argument => {
                let symbol = facts.view.module.context.text(facts.view.function.name);
                format!("it depends on the lifetime of an argument of '{}'", accessor_word(symbol).unwrap_or(symbol))
            }
            Some(name) => format!("it depends on the lifetime of variable '{name}'"),
            None => "it depends on the lifetime of this parent value".to_owned(),
        };
        noted(error, &message, here)
    }
}

fn noted(error: Diagnostic, message: &str, at: Option<Location>) -> Diagnostic {
    match at {
        Some(at) => error.note_in_source(message, Some(at.span), at.place),
        None => error,
    }
}

/// Returns the keyword of the accessor of a symbol (include/swift/AST/AccessorKinds.def).
fn accessor_word(symbol: &str) -> Option<&'static str> {
    let entity = Symbol::demangle(symbol)?.entity()?;
    let (EntityKind::PropertyAccessor(accessor) | EntityKind::SubscriptAccessor(accessor)) = entity.kind else {
        return None;
    };
    Some(match accessor {
        Accessor::Getter => "get",
        Accessor::Setter => "set",
        Accessor::Read => "_read",
        Accessor::Read2 => "read",
        Accessor::Modify => "_modify",
        Accessor::Modify2 => "modify",
        Accessor::WillSet => "willSet",
        Accessor::DidSet => "didSet",
        Accessor::Init => "init",
        Accessor::UnsafeAddressor => "unsafeAddress",
        Accessor::UnsafeMutableAddressor => "unsafeMutableAddress",
        _ => return None,
    })
}
