//! Code that never returns: calls with an uninhabited result, and builtins that end the program.

use sil_analysis::ApplySite;
use sil_ir::context::TypeId;
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinKind, Intrinsic, NamedBuiltin};
use sil_ir::model::{Body, Details, InstructionId};
use sil_ir::types::TypeQueries;

use crate::pass::Environment;

/// Queries for code that never returns.
#[derive(Clone, Copy)]
pub(crate) struct NeverReturning<'m> {
    environment: Environment<'m>,
}

impl<'m> NeverReturning<'m> {
    pub(crate) fn new(environment: Environment<'m>) -> Self {
        Self { environment }
    }

    fn body(self) -> &'m Body {
        self.environment.body
    }

    /// Returns whether an instruction never returns, and so ends its block.
    pub(crate) fn is(self, id: InstructionId) -> bool {
        match self.body().instructions[id].opcode {
            Opcode::Apply => self.is_call(id),
            Opcode::Builtin => self.builtin(id).is_some_and(builtin_never_returns),
            // The getter of a property of an uninhabited type.
            Opcode::StructExtract | Opcode::StructElementAddr => {
                self.body().result(id).is_some_and(|value| self.is_uninhabited(self.body().ty(value).ty))
            }
            _ => false,
        }
    }

    /// Returns whether a call has an uninhabited result.
    pub(crate) fn is_call(self, call: InstructionId) -> bool {
        is_call(self.environment.queries, self.body(), call)
    }

    /// Returns whether `ty` is an enum without cases, such as `Never`.
    pub(crate) fn is_uninhabited(self, ty: TypeId) -> bool {
        is_uninhabited(self.environment.queries, ty)
    }

    fn builtin(self, id: InstructionId) -> Option<BuiltinKind> {
        let Details::Builtin(builtin) = &self.body().instructions[id].details else { return None };
        builtin.kind()
    }

    pub(crate) fn is_unreachable_builtin(self, id: InstructionId) -> bool {
        self.body().instructions[id].opcode == Opcode::Builtin
            && self.builtin(id) == Some(BuiltinKind::Named(NamedBuiltin::Unreachable))
    }
}

fn builtin_never_returns(kind: BuiltinKind) -> bool {
    use NamedBuiltin::{CondUnreachable, ErrorInMain, UnexpectedError, Unreachable};
    matches!(
        kind,
        BuiltinKind::Named(Unreachable | CondUnreachable | UnexpectedError | ErrorInMain)
            | BuiltinKind::Intrinsic(Intrinsic::Trap)
    )
}

/// Returns whether a call in `body` has an uninhabited result.
pub(crate) fn is_call(queries: &TypeQueries<'_>, body: &Body, call: InstructionId) -> bool {
    let conventions = ApplySite::new(body, call).and_then(|site| site.conventions(queries));
    conventions.is_some_and(|callee| callee.function.results.iter().any(|result| is_uninhabited(queries, result.ty)))
}

fn is_uninhabited(queries: &TypeQueries<'_>, ty: TypeId) -> bool {
    queries.declaration_of(ty).is_some_and(|declaration| declaration.is_uninhabited_enum())
}
