//! Metatypes and values of types: rows of the instruction table.

use super::super::information::MemoryBehavior::*;
use super::super::information::{Information, instruction};
use super::super::opcode::Opcode::*;

pub(super) const ROWS: &[Information] = &[
    instruction(Metatype, None),
    instruction(ValueMetatype, MayRead),
    instruction(ExistentialMetatype, MayRead),
    instruction(ObjCProtocol, None),
    instruction(TypeValue, None),
    instruction(InitExistentialMetatype, None),
    instruction(OpenExistentialMetatype, None),
    instruction(ThickToObjcMetatype, None),
    instruction(ObjcToThickMetatype, None),
    instruction(ObjcMetatypeToObject, None),
    instruction(ObjcExistentialMetatypeToObject, None),
];
