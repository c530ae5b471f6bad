//! Closures that do not escape and are made for one conversion alone are made on the stack: what they capture they borrow, until the value of the
//! conversion ends.

use std::cell::OnceCell;

use super::closure_user::only_user;
use super::{CapturedMemory, ClosureUser, Fixup};
use crate::analysis::{ApplySite, OwnershipKinds, Use};
use crate::context::{FunctionAttribute, ParameterConvention, SilType, Type};
use crate::instructions::{Attribute, Opcode, Position};
use crate::model::views::{Apply, Unary};
use crate::model::{InstructionId, LocationKind, Place, Value};
use crate::transform::InstructionBuilder;
use crate::transform::editing::editor::Editor;
use crate::transform::pass::Environment;
use crate::types::{ArgumentConvention, TypeQueries};

/// A closure that does not escape, and is only made to be converted.
pub(super) struct StackClosure {
    closure: InstructionId,
    /// What gives it another function type before that.
    function_conversion: Option<InstructionId>,
    /// What makes it one that does not escape.
    conversion: InstructionId,
    user: ClosureUser,
    /// What destroys it, or tells debuggers of it.
    erased: Vec<InstructionId>,
    /// What ends the value of the conversion, or what that becomes.
    ends: Vec<InstructionId>,
    captures: Vec<Capture>,
    /// The type of the closure on the stack.
    ty: SilType,
}

/// What a closure captures.
enum Capture {
    /// It needs no end.
    Trivial(Value),
    /// The address of a variable.
    Variable(Value),
    Memory(CapturedMemory),
    Owned(Value),
    /// A value without its wrapper against copies, which the instruction takes off, and the value in that.
    Unwrapped(InstructionId, Value),
}

impl StackClosure {
    /// None where a closure is not known, or needed by others.
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
        let is_behind = |id: &InstructionId| fixup.dominators.instruction_dominates(body, conversion, *id);
        if !erased.iter().filter(is_destroy).all(is_behind) {
            return None;
        }
        let ends = ends(editor, fixup, body.result(conversion)?)?;
        let captures = captures(fixup, closure, &ends)?;
        // Without another function type before, it is that of the conversion.
        let typed = if function_conversion.is_some() { made } else { body.result(conversion)? };
        let ty = without_escaping(editor.environment.queries, body.ty(typed));
        Some(Self { closure, function_conversion, conversion, user, erased, ends, captures, ty })
    }

    /// Makes the closure on the stack, in the place of the conversion. Whether memory is freed elsewhere for it.
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

    /// Borrows what is captured, where it is owned.
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

    /// Says that the closure needs the memory that it captures.
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

    /// Gives the closure on the stack the function type that the one before it got.
    fn convert_function(&self, editor: &mut Editor<'_>, closure: Value) -> Value {
        let Some(conversion) = self.function_conversion else { return closure };
        let body = editor.body();
        let Some(ty) = body.result(self.conversion).map(|value| body.ty(value)) else { return closure };
        let attributes = body.instructions[conversion].attributes;
        editor.build(Place::Before(self.conversion), conversion, |builder| {
            builder.with(attributes).convert_function(closure, ty)
        })
    }

    /// Ends, behind `end`, borrows of what was captured, and what was captured for the closure alone.
    fn end_captures(&self, editor: &mut Editor<'_>, end: InstructionId, borrows: &[Option<Value>]) {
        let captured = self.captures.iter().zip(borrows);
        let ends: Vec<CaptureEnd> =
            captured.map(|(capture, borrow)| capture.end(editor, borrow.map(|borrow| begun(editor, borrow)))).collect();
        // Text does not tell where the closure's braces end; the call ends there that it is destroyed behind.
        let closed = if editor.opcode(end) == Opcode::DestroyValue { end } else { self.closure };
        editor.build(Place::After(end), self.closure, |builder| {
            for captured in &ends {
                captured.make(builder, self.closure, closed);
            }
        });
    }
}

/// What ends behind a closure of what it captured.
struct CaptureEnd {
    borrow: Option<Value>,
    /// What was there for the closure alone, and what destroys it.
    owned: Option<(Opcode, Value)>,
}

impl CaptureEnd {
    /// Makes the ends, of which the one for what was captured alone is the clean-up of the closure that is `closed` there.
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
    /// What the closure captures where it borrows nothing.
    fn captured(&self) -> Value {
        match self {
            Capture::Trivial(value)
            | Capture::Variable(value)
            | Capture::Owned(value)
            | Capture::Unwrapped(_, value) => *value,
            Capture::Memory(memory) => memory.original.map_or(memory.address, |(_, original)| original),
        }
    }

    /// What ends behind the closure, which captures this by `borrow` where it borrows it.
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

/// The borrow that a value is, or that it is without its wrapper against copies.
fn begun(editor: &Editor<'_>, borrow: Value) -> Value {
    let unwrap = editor.made_by(borrow, Opcode::MoveonlywrapperToCopyable);
    unwrap.map_or(borrow, |id| Unary::of(editor.body(), id).operand)
}

/// The type of a function that does not escape.
fn without_escaping(queries: &TypeQueries<'_>, ty: SilType) -> SilType {
    let Type::Function(function) = queries.get(ty.ty) else { return ty };
    let mut function = function.clone();
    function.attributes.insert(FunctionAttribute::NoEscape);
    SilType::object(queries.context.ty(Type::Function(function)))
}

/// What `closure` captures. None where its function would not only borrow that.
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

/// What ends a converted closure: what destroys it, or what other functions are made of it. None where something else consumes it.
fn ends(editor: &Editor<'_>, fixup: &Fixup<'_>, converted: Value) -> Option<Vec<InstructionId>> {
    let kinds = OnceCell::new();
    let (mut ends, mut open) = (Vec::new(), vec![converted]);
    // Each value is consumed by one other at most.
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

/// Whether a use of a closure ends its lifetime.
fn consumes<'e>(editor: &'e Editor<'_>, fixup: &Fixup<'_>, kinds: &OnceCell<OwnershipKinds<'e>>, found: Use) -> bool {
    let body = editor.body();
    let passed = ApplySite::new(body, found.user).filter(|site| site.kind.is_full()).and_then(|site| {
        let conventions = site.conventions(editor.environment.queries)?;
        site.argument_of_operand(conventions, found.operand as usize)
    });
    match (editor.opcode(found.user), passed) {
        (Opcode::DestroyValue, _) => true,
        (_, Some(passed)) => passed.convention.is_consumed(),
        // What other instructions do is seldom asked for, and takes a look at the whole function.
        _ => {
            let Environment { queries, function, .. } = editor.environment;
            let kinds = kinds.get_or_init(|| OwnershipKinds::new(queries, function, body, fixup.cfg));
            kinds.operand(found).ends_lifetime()
        }
    }
}

/// The closure that does not escape which is made of the closure that captures another one.
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
