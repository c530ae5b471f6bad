//! Static initialisers of globals: the values that they may contain (`isValidInStaticInitializerOfGlobal`,
//! SwiftCompilerSources/Sources/Optimizer/Utilities/OptUtils.swift), and their creation
//! (Utilities/StaticInitCloner.swift).
//!
//! Does not own: the choice of globals.

use rustc_hash::{FxHashMap, FxHashSet};
use sil_analysis::Use;
use sil_ir::context::{BuiltinType, SilType, Type, VectorElement};
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinCast, BuiltinKind, NamedBuiltin, OverflowOperation};
use sil_ir::model::views::{self, TupleExtract};
use sil_ir::model::{BlockId, Body, InstructionId, LanguageMode, NewInstruction, Place, StringEncoding, Value};
use sil_ir::source::Span;

use super::builder::{InstructionBuilder, Origin};
use super::editor::Editor;

/// Looks through accesses, since the address of a global is the same outside of an access.
pub(crate) fn without_access(body: &Body, mut value: Value) -> Value {
    while let Some(access) = body.defining(value).filter(|id| body.instructions[*id].opcode == Opcode::BeginAccess) {
        value = views::Unary::of(body, access).operand;
    }
    value
}

/// Returns whether `value` and its transitive operands may be in a static initialiser.
pub(crate) fn may_be_initial_value(editor: &Editor<'_>, value: Value) -> bool {
    let body = editor.body();
    let mut seen = FxHashSet::default();
    let mut open = vec![without_access(body, value)];
    while let Some(next) = open.pop() {
        let Some(id) = body.defining(next) else { return false };
        if seen.insert(id) {
            if !may_stand_in_initializer(editor, id) {
                return false;
            }
            open.extend(body.operands(id).iter().map(|operand| without_access(body, *operand)));
        }
    }
    true
}

fn may_stand_in_initializer(editor: &Editor<'_>, id: InstructionId) -> bool {
    use Opcode::*;
    let body = editor.body();
    match editor.opcode(id) {
        Struct | Tuple | Enum | IntegerLiteral | FloatLiteral | Object | Vector | UncheckedRefCast | Upcast
        | ValueToBridgeObject | ConvertFunction | ThinToThickFunction | AddressToPointer | GlobalAddr | FunctionRef => {
            true
        }
        StringLiteral => matches!(
            views::StringLiteral::of(body, id).literal.encoding,
            StringEncoding::Bytes | StringEncoding::Utf8 | StringEncoding::OsLog
        ),
        // Only an immutable object has its address from the start: arrays in Embedded Swift.
        GlobalValue => {
            let environment = editor.environment;
            let is_array = |object| environment.queries.is_array_storage(body.ty(object).ty);
            environment.module.mode == LanguageMode::Embedded && body.result(id).is_some_and(is_array)
        }
        TupleExtract => is_number_part(editor, id) && is_part_of_string(editor, id),
        Builtin => may_compute_initial_value(editor, id),
        _ => false,
    }
}

/// Returns whether the linker can compute a builtin: on literals, or an address plus an offset.
fn may_compute_initial_value(editor: &Editor<'_>, id: InstructionId) -> bool {
    let operand_is = |index, opcode| {
        let operand = views::Builtin::of(editor.body(), id).arguments.get(index);
        operand.is_some_and(|operand| editor.made_by(*operand, opcode).is_some())
    };
    match builtin(editor, id) {
        Some(BuiltinKind::Cast(BuiltinCast::PtrToInt)) => operand_is(0, Opcode::StringLiteral),
        Some(BuiltinKind::Cast(BuiltinCast::IntToPtr)) => operand_is(0, Opcode::IntegerLiteral),
        Some(BuiltinKind::Named(NamedBuiltin::StringObjectOr)) => operand_is(1, Opcode::IntegerLiteral),
        Some(BuiltinKind::Cast(BuiltinCast::ZExtOrBitCast)) => true,
        Some(BuiltinKind::Named(NamedBuiltin::OnFastPath)) => true,
        Some(BuiltinKind::Named(NamedBuiltin::ZeroInitializer)) => is_zero_number(editor, id),
        Some(BuiltinKind::WithOverflow(OverflowOperation::USub)) => {
            single_user(editor, id, Opcode::TupleExtract).is_some_and(|part| is_number_part(editor, part))
        }
        _ => false,
    }
}

fn builtin(editor: &Editor<'_>, id: InstructionId) -> Option<BuiltinKind> {
    let views::Builtin { builtin, .. } = views::Builtin::get(editor.body(), id)?;
    builtin.kind()
}

/// The single use of the result of `id`, if its user has the given opcode.
fn single_user(editor: &Editor<'_>, id: InstructionId, opcode: Opcode) -> Option<InstructionId> {
    let [Use { user, .. }] = editor.uses(editor.body().result(id)?)[..] else { return None };
    (editor.opcode(user) == opcode).then_some(user)
}

/// Returns whether `id` extracts the difference with a literal from an overflow operation, as in the address of a
/// string's code units.
fn is_number_part(editor: &Editor<'_>, id: InstructionId) -> bool {
    let TupleExtract { operand, index } = TupleExtract::of(editor.body(), id);
    let difference = editor.made_by(operand, Opcode::Builtin);
    index == 0
        && difference.is_some_and(|difference| {
            let subtracts = builtin(editor, difference) == Some(BuiltinKind::WithOverflow(OverflowOperation::USub));
            let subtracted = views::Builtin::of(editor.body(), difference).arguments.get(1).copied();
            let is_literal = subtracted.is_some_and(|value| editor.made_by(value, Opcode::IntegerLiteral).is_some());
            subtracts && is_literal
        })
}

fn is_part_of_string(editor: &Editor<'_>, id: InstructionId) -> bool {
    let user = single_user(editor, id, Opcode::Builtin);
    user.and_then(|user| builtin(editor, user)) == Some(BuiltinKind::Named(NamedBuiltin::StringObjectOr))
}

fn is_zero_number(editor: &Editor<'_>, id: InstructionId) -> bool {
    let Some(zero) = editor.body().result(id) else { return false };
    let Type::Builtin(ty) = editor.environment.queries.get(editor.body().ty(zero).ty) else { return false };
    match ty {
        BuiltinType::Vector { element, .. } => matches!(element, VectorElement::Integer(_) | VectorElement::Float(_)),
        BuiltinType::Integer(_) | BuiltinType::Word | BuiltinType::Float(_) => true,
        _ => false,
    }
}

/// A static initialiser being built.
pub(crate) struct InitialValueMaker<'f> {
    /// The body that contains the original values.
    from: &'f Body,
    to: Body,
    block: BlockId,
    made: FxHashMap<Value, Value>,
}

impl<'f> InitialValueMaker<'f> {
    /// Creates an empty initialiser for values of `from`.
    pub(crate) fn new(from: &'f Body) -> Self {
        let mut to = Body::default();
        let block = to.add_block();
        Self { from, to, block, made: FxHashMap::default() }
    }

    /// Clones `value` with its transitive operands, each once. Returns `None` if one of them is not defined by an
    /// instruction.
    pub(crate) fn value(&mut self, value: Value) -> Option<Value> {
        let value = without_access(self.from, value);
        let mut open = vec![value];
        while let Some(next) = open.last().copied() {
            let id = self.from.defining(next)?;
            let operands = self.from.operands(id).iter().map(|operand| without_access(self.from, *operand));
            let missing: Vec<Value> = operands.filter(|operand| !self.made.contains_key(operand)).collect();
            if missing.is_empty() {
                open.pop();
                if !self.made.contains_key(&next) {
                    self.instruction(id)?;
                }
            }
            open.extend(missing.into_iter().rev());
        }
        self.made.get(&value).copied()
    }

    fn instruction(&mut self, id: InstructionId) -> Option<()> {
        let from = self.from;
        let made = |operand: &Value| self.made.get(&without_access(from, *operand)).copied();
        let operands: Vec<Value> = from.operands(id).iter().map(made).collect::<Option<_>>()?;
        let instruction = &from.instructions[id];
        let results: Vec<SilType> = from.results(id).map(|result| from.ty(result)).collect();
        let clone = self.to.insert(
            Place::End(self.block),
            NewInstruction {
                opcode: instruction.opcode,
                attributes: instruction.attributes,
                details: instruction.details.clone(),
                operands: &operands,
                types: from.types(id),
                targets: &[],
                results: &results,
                span: instruction.span,
                location: None,
                traits: Default::default(),
            },
        );
        self.made.extend(from.results(id).zip(self.to.results(clone)));
        Some(())
    }

    /// Creates a tuple of cloned values.
    pub(crate) fn tuple(&mut self, elements: &[Value], ty: SilType, span: Span) -> Value {
        self.builder(span).tuple(elements, ty)
    }

    /// Creates an object of cloned values as the whole initialiser: stored properties, then tail elements.
    pub(crate) fn object(mut self, properties: &[Value], tail: &[Value], class: SilType, span: Span) -> Body {
        self.builder(span).object(properties, tail, class);
        self.to
    }

    /// Returns the initialiser. Its last value is the initial value.
    pub(crate) fn finish(self) -> Body {
        self.to
    }

    fn builder(&mut self, span: Span) -> InstructionBuilder<'_> {
        InstructionBuilder::of_origin(&mut self.to, Place::End(self.block), Origin::nowhere(span))
    }
}
