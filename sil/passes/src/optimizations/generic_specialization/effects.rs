//! Converts the escape effect attributes of a generic function for its specialisation (docs/SIL/FunctionAttributes.md).
//! Side effects are dropped, since they differ if values are passed directly.

use sil_ir::context::Context;
use sil_ir::model::FunctionAttribute;

use super::reabstraction::Passing;

/// The attribute with the new argument indices, or `None` if it no longer holds. Other attributes are returned
/// unchanged.
pub(super) fn renumbered(
    context: &Context,
    attribute: &FunctionAttribute,
    arguments: &[Passing],
) -> Option<FunctionAttribute> {
    let FunctionAttribute::Effects(text) = attribute else { return Some(attribute.clone()) };
    let text = context.text(*text);
    if !text.contains("escape") || text.contains(" read") || text.contains(" write") || text.contains(',') {
        return None;
    }
    let mut parts = text.split('%');
    let mut made = parts.next()?.to_owned();
    for part in parts {
        let digits = part.len() - part.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
        let (number, rest) = part.split_at(digits);
        made.push('%');
        match number.parse::<usize>() {
            Ok(argument) => made.push_str(&new_name(argument, arguments)?),
            Err(_) => made.push_str(number),
        }
        made.push_str(rest);
    }
    Some(FunctionAttribute::Effects(context.name(&made)))
}

/// The name of an argument in attributes: its index among the passed arguments, or the result.
fn new_name(argument: usize, arguments: &[Passing]) -> Option<String> {
    match arguments.get(argument)? {
        Passing::Returned => Some("r".to_owned()),
        Passing::Thrown | Passing::Dropped => None,
        Passing::Same | Passing::Value(_) => {
            let is_passed = |passing: &&Passing| matches!(passing, Passing::Same | Passing::Value(_));
            Some(arguments[..argument].iter().filter(is_passed).count().to_string())
        }
    }
}
