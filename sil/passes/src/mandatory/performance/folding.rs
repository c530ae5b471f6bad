//! Folds code by concrete types: integer literals of arbitrary width become numbers, since no code can compute with
//! that type; values of generic parameters, casts between value types, and comparisons of metatypes are known.

use sil_ir::context::{BuiltinType, SilType, Type};
use sil_ir::instructions::Opcode;
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::model::views;
use sil_ir::model::{InstructionId, Place, Value};
use sil_ir::types::TypeQueries;

use super::constants;
use crate::InstructionBuilder;
use crate::editing::inlining::Inliner;
use crate::editing::literals::parameter_value;
use crate::knowledge::cast_feasibility::SourceType;
use crate::knowledge::casts;
use crate::knowledge::floats::Float;
use crate::knowledge::metatypes;
use crate::knowledge::numbers::truncated;
use crate::pass::settings::Settings;

/// Folds an operation on literals, the assert configuration, the value of a generic parameter, or a cast. Returns
/// whether it was one.
pub(super) fn fold(
    queries: &TypeQueries<'_>,
    settings: &Settings,
    inliner: &mut Inliner<'_>,
    id: InstructionId,
) -> bool {
    let folded = match inliner.body.instructions[id].opcode {
        Opcode::Builtin => folded(queries, inliner, id)
            .or_else(|| assert_configuration(settings, inliner, id))
            .or_else(|| constants::computed(queries, inliner, id))
            .or_else(|| compared_metatypes(queries, inliner, id)),
        Opcode::StructExtract | Opcode::TupleExtract => constants::part(queries, inliner, id),
        Opcode::TypeValue => type_value(queries, inliner, id),
        Opcode::CheckedCastAddrBr => return fold_cast(queries, inliner, id).is_some(),
        _ => None,
    };
    let Some(folded) = folded else { return false };
    let Some(result) = inliner.body.result(id) else { return false };
    inliner.replace(result, folded);
    inliner.body.erase(id);
    true
}

fn folded(queries: &TypeQueries<'_>, inliner: &mut Inliner<'_>, id: InstructionId) -> Option<Value> {
    let body = &inliner.body;
    let views::Builtin { arguments, builtin } = views::Builtin::of(body, id);
    let operation = builtin.operation()?.clone();
    if operation.types.first() != Some(&BuiltinType::IntegerLiteral) {
        return None;
    }
    let value = constants::literal(inliner, *arguments.first()?)?;
    let to = *operation.types.get(1)?;
    let ty = SilType::object(queries.context.ty(Type::Builtin(to)));
    let result = body.ty(body.result(id)?);
    let body = &mut inliner.body;
    let mut builder = InstructionBuilder::new(body, Place::Before(id), id);
    match (operation.kind, to) {
        (BuiltinKind::Named(named), BuiltinType::Integer(width)) if width <= 128 => {
            let overflows = match named {
                NamedBuiltin::SToSCheckedTrunc => !fits_signed(value, width),
                NamedBuiltin::SToUCheckedTrunc => !fits_unsigned(value, width),
                _ => return None,
            };
            let number = builder.integer_literal(truncated(value, width), ty);
            let bit = SilType::object(queries.context.ty(Type::Builtin(BuiltinType::Integer(1))));
            let overflow = builder.integer_literal(if overflows { -1 } else { 0 }, bit);
            Some(builder.tuple(&[number, overflow], result))
        }
        (BuiltinKind::Named(NamedBuiltin::IntToFPWithOverflow), BuiltinType::Float(width)) => {
            let (number, _) = Float::of_integer(value, width)?;
            Some(builder.float_literal(number.bits, ty))
        }
        _ => None,
    }
}

/// Returns the assert configuration, if it is set.
fn assert_configuration(settings: &Settings, inliner: &mut Inliner<'_>, id: InstructionId) -> Option<Value> {
    let configuration = settings.assert_configuration.number()?;
    let body = &inliner.body;
    let operation = views::Builtin::of(body, id).builtin.operation()?;
    if operation.kind != BuiltinKind::Named(NamedBuiltin::AssertConf) {
        return None;
    }
    let ty = body.ty(body.result(id)?);
    let mut builder = InstructionBuilder::new(&mut inliner.body, Place::Before(id), id);
    Some(builder.integer_literal(configuration.into(), ty))
}

fn fits_signed(value: i128, width: u32) -> bool {
    truncated(value, width) == value
}

fn fits_unsigned(value: i128, width: u32) -> bool {
    value >= 0 && (width >= 127 || value >> width == 0)
}

/// Folds a comparison of metatypes with known types.
fn compared_metatypes(queries: &TypeQueries<'_>, inliner: &mut Inliner<'_>, id: InstructionId) -> Option<Value> {
    let body = &inliner.body;
    let views::Builtin { arguments, builtin } = views::Builtin::of(body, id);
    let operation = builtin.operation()?;
    if !matches!(operation.kind, BuiltinKind::Named(NamedBuiltin::IsSameMetatype)) {
        return None;
    }
    let instance = |value: Value| {
        let wrapped = body.defining(inliner.resolve(value))?;
        if body.instructions[wrapped].opcode != Opcode::InitExistentialMetatype {
            return None;
        }
        let made = body.defining(inliner.resolve(views::Unary::of(body, wrapped).operand))?;
        match queries.get(views::Metatype::get(body, made)?.ty.ty) {
            Type::Metatype { instance, .. } => Some(*instance).filter(|ty| !queries.is_dependent(*ty)),
            _ => None,
        }
    };
    let instances = [instance(*arguments.first()?)?, instance(*arguments.get(1)?)?];
    let are_same = metatypes::are_same(queries, None, instances, SourceType::Exact)?;
    let ty = body.ty(body.result(id)?);
    let mut builder = InstructionBuilder::new(&mut inliner.body, Place::Before(id), id);
    Some(builder.integer_literal(-i128::from(are_same), ty))
}

/// Returns the value of a generic parameter in the struct of an integer.
fn type_value(queries: &TypeQueries<'_>, inliner: &mut Inliner<'_>, id: InstructionId) -> Option<Value> {
    let Type::Integer(value) = *queries.get(views::TypeValue::of(&inliner.body, id).parameter) else { return None };
    let ty = inliner.body.ty(inliner.body.result(id)?);
    let fields = queries.field_types(ty.ty)?;
    let [field] = fields[..] else { return None };
    let mut builder = InstructionBuilder::new(&mut inliner.body, Place::Before(id), id);
    Some(parameter_value(&mut builder, value, ty, field))
}

/// Folds a cast between value types: it succeeds for equal types, and fails for types of different declarations.
/// Optionals are not folded, as casts look into them.
fn fold_cast(queries: &TypeQueries<'_>, inliner: &mut Inliner<'_>, id: InstructionId) -> Option<()> {
    let views::CheckedCastAddrBr { source, destination, success, failure, cast } =
        views::CheckedCastAddrBr::of(&inliner.body, id);
    let outcome = casts::outcome(queries, cast.source?, cast.target)?;
    let target = if outcome == casts::Outcome::Succeeds { success } else { failure };
    let consumption = cast.consumption;
    let mut builder = InstructionBuilder::new(&mut inliner.body, Place::Before(id), id);
    casts::move_value(&mut builder, outcome, consumption, source, destination);
    builder.branch(target, &[]);
    inliner.body.erase(id);
    Some(())
}
