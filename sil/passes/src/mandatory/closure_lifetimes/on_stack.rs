//! Promotes non-escaping closures that are made for a single conversion to the stack: they borrow their captures until
//! the lifetime of the converted closure ends.

use sil_analysis::{ApplySite, OwnershipKinds, Use};
use sil_ir::context::{FunctionAttribute, ParameterConvention, SilType, Type};
use sil_ir::instructions::{Attribute, Opcode, Position};
use sil_ir::model::views::{Apply, Unary};
use sil_ir::model::{InstructionId, LocationKind, Place, Value};
use sil_ir::types::{ArgumentConvention, TypeQueries};
use std::cell::OnceCell;

use super::closure_user::only_user;
use super::{CapturedMemory, ClosureUser, Fixup};
use crate::InstructionBuilder;
use crate::editing::editor::Editor;
use crate::pass::Environment;

/// A non-escaping closure whose only use is a conversion.
pub(super) struct StackClosure {
    closure: InstructionId,
    /// The `convert_function` in front of the conversion.
    function_conversion: Option<InstructionId>,
    /// The conversion to a non-escaping function type.
    conversion: InstructionId,
    user: ClosureUser,
    /// The destroys and debug values of the closure.
    erased: Vec<InstructionId>,
    /// The ends of the lifetime of the converted closure, or of the closures made from it.
    ends: Vec<InstructionId>,
    captures: Vec<Capture>,
    /// The type of the closure on the stack.
    ty: SilType,
}

/// A capture of a closure.
enum Capture {
    /// A trivial value, which needs no end.
    Trivial(Value),
    /// The address of a variable.
    Variable(Value),
    Memory(CapturedMemory),
    Owned(Value),
    /// A value without its move-only wrapper: the unwrapping instruction, and the wrapped value.
    Unwrapped(InstructionId, Value),
}

impl StackClosure {
    /// Returns the closure of a conversion; `None` if it is not known or has other users.
    pub(super) fn find(fixup: &Fixup<'_>, conversion: InstructionId, user: ClosureUser) -> Option<Self> {
        let editor = &fixup.editor;
        let body = editor.body();
        let converted = Unary::of(body, conversion).operand;
        let function_conversion = editor.made_by(converted, Opcode::ConvertFunction);
        let made = function_conversion.map_or(converted, |id| Unary::of(body, id).operand);
        let closure = editor.made_by(made, Opcode::PartialApply)?;
        if function_conversion.is_some() && editor.uses(made).len() != 1 {
            return None;
        }
        (only_user(editor, converted) == Some(conversion)).then_some(())?;
        let users = editor.uses(converted).into_iter().map(|found| found.user);
        let erased: Vec<InstructionId> = users.filter(|user| *user != conversion).collect();
        let is_destroy = |id: &&InstructionId| editor.opcode(**id) == Opcode::DestroyValue;
        let is_after = |id: &InstructionId| fixup.dominators.instruction_dominates(body, conversion, *id);
        if !erased.iter().filter(is_destroy).all(is_after) {
            return None;
        }
        let ends = ends(editor, fixup, body.result(conversion)?)?;
        let captures = captures(fixup, closure, &ends)?;
        // Without a `convert_function`, the type is that of the conversion.
        let typed = if function_conversion.is_some() { made } else { body.result(conversion)? };
        let ty = without_escaping(editor.environment.queries, body.ty(typed));
        Some(Self { closure, function_conversion, conversion, user, erased, ends, captures, ty })
    }

    /// Makes the closure on the stack in place of the conversion. Returns whether it moves the deallocation of memory.
    pub(super) fn put_on_stack(self, fixup: &mut Fixup<'_>) -> bool {
        let editor = &mut fixup.editor;
        self.erased.iter().for_each(|id| editor.erase(*id));
        let borrows: Vec<Option<Value>> = self.captures.iter().map(|capture| self.borrow(editor, capture)).collect();
        let closure = self.make(editor, &borrows);
        let dependent = self.mark_dependences(editor, closure);
        let converted = self.convert_function(editor, dependent);
        editor.replace(self.conversion, converted);
        self.function_conversion.into_iter().for_each(|id| editor.erase(id));
        editor.erase(self.closure);
        for capture in &self.captures {
            match capture {
                Capture::Unwrapped(unwrap, _) => editor.erase(*unwrap),
                Capture::Memory(memory) if memory.original.is_some() => memory.erase(editor),
                Capture::Memory(memory) => memory.keep(editor),
                Capture::Trivial(_) | Capture::Variable(_) | Capture::Owned(_) => {}
            }
        }
        for end in &self.ends {
            self.end_captures(editor, *end, &borrows);
        }
        if let ClosureUser::AsyncLet { end } = self.user {
            let operands = [editor.body().operands(end), &[converted]].concat();
            editor.set_operands(end, &operands);
        }
        let is_reached = fixup.cfg.is_reachable(fixup.editor.body().instructions[self.closure].block);
        let kept = self.captures.iter().filter_map(|capture| match capture {
            Capture::Memory(memory) if memory.original.is_none() && is_reached => Some(memory),
            _ => None,
        });
        kept.map(|memory| memory.free(fixup)).count() > 0
    }

    /// Borrows an owned capture.
    fn borrow(&self, editor: &mut Editor<'_>, capture: &Capture) -> Option<Value> {
        let (value, unwrap) = match capture {
            Capture::Owned(value) => (*value, None),
            Capture::Unwrapped(unwrap, wrapped) => (*wrapped, Some(*unwrap)),
            Capture::Trivial(_) | Capture::Variable(_) | Capture::Memory(_) => return None,
        };
        let unwrapped = unwrap.and_then(|id| editor.body().result(id)).map(|value| editor.body().ty(value));
        Some(editor.build(Place::Before(self.conversion), self.closure, |builder| {
            let borrow = builder.begin_borrow(value);
            let Some(unwrapped) = unwrapped else { return borrow };
            builder.with([Attribute::Guaranteed]).moveonlywrapper_to_copyable(borrow, unwrapped)
        }))
    }

    fn make(&self, editor: &mut Editor<'_>, borrows: &[Option<Value>]) -> Value {
        let body = editor.body();
        let captured = self.captures.iter().zip(borrows).map(|(capture, borrow)| borrow.unwrap_or(capture.captured()));
        let operands: Vec<Value> = body.operands(self.closure).first().copied().into_iter().chain(captured).collect();
        let mut attributes = body.instructions[self.closure].attributes;
        attributes.insert(Attribute::OnStack);
        let apply = Apply::of(body, self.closure).apply.clone();
        editor.build(Place::Before(self.conversion), self.closure, |builder| {
            builder.with(attributes).partial_apply(apply, &operands, self.ty)
        })
    }

    /// Marks the closure as dependent on the memory that it captures.
    fn mark_dependences(&self, editor: &mut Editor<'_>, closure: Value) -> Value {
        let mut dependent = closure;
        for capture in &self.captures {
            let address = capture.captured();
            let is_memory = matches!(capture, Capture::Variable(_) | Capture::Memory(_));
            if !is_memory || editor.is_trivial(editor.body().ty(address).object_type()) {
                continue;
            }
            dependent = editor.build(Place::Before(self.conversion), self.closure, |builder| {
                builder.with([Attribute::NonEscaping]).mark_dependence(dependent, address)
            });
        }
        dependent
    }

    /// Applies the `convert_function` of the original closure to the closure on the stack.
    fn convert_function(&self, editor: &mut Editor<'_>, closure: Value) -> Value {
        let Some(conversion) = self.function_conversion else { return closure };
        let body = editor.body();
        let Some(ty) = body.result(self.conversion).map(|value| body.ty(value)) else { return closure };
        let attributes = body.instructions[conversion].attributes;
        editor.build(Place::Before(self.conversion), conversion, |builder| {
            builder.with(attributes).convert_function(closure, ty)
        })
    }

    /// Ends the borrows of captures, and destroys captures of the closure only, after `end`.
    fn end_captures(&self, editor: &mut Editor<'_>, end: InstructionId, borrows: &[Option<Value>]) {
        let captured = self.captures.iter().zip(borrows);
        let ends: Vec<CaptureEnd> =
            captured.map(|(capture, borrow)| capture.end(editor, borrow.map(|borrow| begun(editor, borrow)))).collect();
        // Text does not contain the end of the closure's braces; the call, after which it is destroyed, ends there.
        let closed = if editor.opcode(end) == Opcode::DestroyValue { end } else { self.closure };
        editor.build(Place::After(end), self.closure, |builder| {
            for captured in &ends {
                captured.make(builder, self.closure, closed);
            }
        });
    }
}

/// The ends of a capture after the closure.
struct CaptureEnd {
    borrow: Option<Value>,
    /// The capture of the closure only, and its destroying instruction.
    owned: Option<(Opcode, Value)>,
}

impl CaptureEnd {
    /// Makes the ends. The destroy of the capture is a cleanup at the location of `closed`.
    fn make(&self, builder: &mut InstructionBuilder<'_>, closure: InstructionId, closed: InstructionId) {
        if let Some(borrow) = self.borrow {
            builder.stand_at(closure);
            builder.end_borrow(borrow);
        }
        if let Some((opcode, value)) = self.owned {
            builder.stand_at(closed);
            builder.set_location_kind(LocationKind::Cleanup);
            builder.effect(opcode, value);
        }
    }
}

impl Capture {
    /// Returns the captured value if it is not borrowed.
    fn captured(&self) -> Value {
        match self {
            Capture::Trivial(value)
            | Capture::Variable(value)
            | Capture::Owned(value)
            | Capture::Unwrapped(_, value) => *value,
            Capture::Memory(memory) => memory.original.map_or(memory.address, |(_, original)| original),
        }
    }

    /// Returns the ends of the capture, given its borrow if any.
    fn end(&self, editor: &Editor<'_>, borrow: Option<Value>) -> CaptureEnd {
        let owned = match self {
            Capture::Owned(value) | Capture::Unwrapped(_, value) => Some((Opcode::DestroyValue, *value)),
            Capture::Memory(memory) if memory.original.is_none() => {
                let is_trivial = editor.is_trivial(editor.body().ty(memory.address).object_type());
                (!is_trivial).then_some((Opcode::DestroyAddr, memory.address))
            }
            Capture::Memory(_) | Capture::Trivial(_) | Capture::Variable(_) => None,
        };
        CaptureEnd { borrow, owned }
    }
}

/// Returns the borrow that a value unwraps, or the value itself if it is no unwrapped move-only value.
fn begun(editor: &Editor<'_>, borrow: Value) -> Value {
    let unwrap = editor.made_by(borrow, Opcode::MoveonlywrapperToCopyable);
    unwrap.map_or(borrow, |id| Unary::of(editor.body(), id).operand)
}

/// Returns the non-escaping form of a function type.
fn without_escaping(queries: &TypeQueries<'_>, ty: SilType) -> SilType {
    let Type::Function(function) = queries.get(ty.ty) else { return ty };
    let mut function = function.clone();
    function.attributes.insert(FunctionAttribute::NoEscape);
    SilType::object(queries.context.ty(Type::Function(function)))
}

/// Returns the captures of `closure`. `None` if its function does not only borrow one of them.
fn captures(fixup: &Fixup<'_>, closure: InstructionId, ends: &[InstructionId]) -> Option<Vec<Capture>> {
    let editor = &fixup.editor;
    let body = editor.body();
    let site = ApplySite::new(body, closure)?;
    let conventions = site.conventions(editor.environment.queries)?;
    let capture = |(number, value): (usize, &Value)| {
        let ArgumentConvention::Parameter(convention) = site.argument_of_operand(conventions, number)?.convention
        else {
            return None;
        };
        let ty = body.ty(*value);
        match convention {
            ParameterConvention::InOut | ParameterConvention::InOutAliasable => Some(Capture::Variable(*value)),
            ParameterConvention::InGuaranteed if ty.is_address() => {
                Some(Capture::Memory(CapturedMemory::of(fixup, *value, closure, ends)?))
            }
            _ if ty.is_address() => None,
            _ if editor.is_trivial(ty) => Some(Capture::Trivial(*value)),
            ParameterConvention::Guaranteed | ParameterConvention::InGuaranteed => {
                let unwrap = editor.made_by(*value, Opcode::MoveonlywrapperToCopyable);
                let is_owned = |id: &InstructionId| body.instructions[*id].attributes.contains(Attribute::Owned);
                let unwrap = unwrap.filter(is_owned).filter(|_| editor.uses(*value).len() == 1);
                Some(match unwrap {
                    Some(unwrap) => Capture::Unwrapped(unwrap, Unary::of(body, unwrap).operand),
                    None => Capture::Owned(*value),
                })
            }
            _ => None,
        }
    };
    body.operands(closure).iter().enumerate().skip(1).map(capture).collect()
}

/// Returns the ends of a converted closure: its destroys, or those of closures made from it. `None` if another
/// instruction consumes it.
fn ends(editor: &Editor<'_>, fixup: &Fixup<'_>, converted: Value) -> Option<Vec<InstructionId>> {
    let kinds = OnceCell::new();
    let (mut ends, mut open) = (Vec::new(), vec![converted]);
    // Each value is consumed by at most one other value.
    while let Some(value) = open.pop() {
        for found in editor.uses(value).into_iter().filter(|found| consumes(editor, fixup, &kinds, *found)) {
            let opcode = editor.opcode(found.user);
            match opcode {
                Opcode::DestroyValue => ends.push(found.user),
                Opcode::PartialApply => open.push(converted_later(editor, found.user)?),
                Opcode::Apply | Opcode::BeginApply | Opcode::Builtin => return None,
                _ if opcode.information().position == Position::Terminator => return None,
                _ => open.push(editor.body().result(found.user)?),
            }
        }
    }
    Some(ends)
}

/// Returns whether a use of a closure ends its lifetime.
fn consumes<'e>(editor: &'e Editor<'_>, fixup: &Fixup<'_>, kinds: &OnceCell<OwnershipKinds<'e>>, found: Use) -> bool {
    let body = editor.body();
    let passed = ApplySite::new(body, found.user).filter(|site| site.kind.is_full()).and_then(|site| {
        let conventions = site.conventions(editor.environment.queries)?;
        site.argument_of_operand(conventions, found.operand as usize)
    });
    match (editor.opcode(found.user), passed) {
        (Opcode::DestroyValue, _) => true,
        (_, Some(passed)) => passed.convention.is_consumed(),
        // Other instructions are rare, and need the ownership of the whole function.
        _ => {
            let Environment { queries, function, .. } = editor.environment;
            let kinds = kinds.get_or_init(|| OwnershipKinds::new(queries, function, body, fixup.cfg));
            kinds.operand(found).ends_lifetime()
        }
    }
}

/// Returns the non-escaping closure that is converted from a closure which captures another one.
fn converted_later(editor: &Editor<'_>, closure: InstructionId) -> Option<Value> {
    let mut made = closure;
    loop {
        made = only_user(editor, editor.body().result(made)?)?;
        match editor.opcode(made) {
            Opcode::ConvertFunction => {}
            Opcode::ConvertEscapeToNoescape => return editor.body().result(made),
            _ => return None,
        }
    }
}
