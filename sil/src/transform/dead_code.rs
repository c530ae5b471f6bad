//! placeholder
use super::{Change, Environment};
use crate::model::Body;
pub(super) fn eliminate(_environment: Environment<'_>, _body: &mut Body) -> Change {
    Change::None
}
