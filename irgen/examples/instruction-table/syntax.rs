//! The syntax of an instruction as one line, from the pieces in its row.

use sil_ir::context::BuiltinType;
use sil_ir::instructions::{Attribute, Information, Opcode, Piece, Punctuation};

/// The line.
pub fn of(row: &Information) -> String {
    let mut line = row.opcode.name().to_owned();
    for piece in row.syntax {
        if *piece != Piece::Punctuation(Punctuation::Comma) {
            line.push(' ');
        }
        line.push_str(&piece_text(row.opcode, *piece));
    }
    line
}

/// Whether the instruction has any operand.
pub fn has_operands(row: &Information) -> bool {
    of(row).contains("OPERAND")
}

/// Whether the number of operands varies.
pub fn has_list(row: &Information) -> bool {
    of(row).contains("OPERAND, …")
}

fn piece_text(opcode: Opcode, piece: Piece) -> String {
    match piece {
        Piece::Attributes(attributes) => attributes_text(attributes),
        Piece::Choice(attributes) => attributes.iter().map(|word| word.name()).collect::<Vec<_>>().join(" or "),
        Piece::Operand | Piece::UntypedOperand(_) => "OPERAND".to_owned(),
        Piece::OptionalOperand(word, _) => format!("({word} OPERAND)?"),
        Piece::Operands => "(OPERAND, …)".to_owned(),
        Piece::OperandList => "OPERAND, …".to_owned(),
        Piece::Type => "TYPE".to_owned(),
        Piece::FormalType | Piece::PackType | Piece::PackShape => "$FORMAL".to_owned(),
        Piece::BareFormalType => "FORMAL".to_owned(),
        Piece::Word(word) => word.to_owned(),
        Piece::Punctuation(Punctuation::Comma) => ",".to_owned(),
        Piece::Punctuation(Punctuation::Colon) => ":".to_owned(),
        Piece::Member => "MEMBER".to_owned(),
        Piece::Index => "NUMBER".to_owned(),
        Piece::Alignment => "[align=NUMBER]?".to_owned(),
        Piece::String => "STRING".to_owned(),
        Piece::Variable => "(, let or var, name STRING, …)?".to_owned(),
        Piece::Forwarding => "(, forwarding: OWNERSHIP)?".to_owned(),
        Piece::TypedFunction => "@FUNCTION : TYPE".to_owned(),
        Piece::Global => "@GLOBAL".to_owned(),
        Piece::Target => "BLOCK".to_owned(),
        Piece::Own => own_form(opcode).to_owned(),
    }
}

fn attributes_text(attributes: &[Attribute]) -> String {
    let names: Vec<&str> = attributes.iter().map(|attribute| attribute.name()).collect();
    match names.as_slice() {
        [only] => format!("[{only}]?"),
        names => format!("[{}]*", names.join(" or ")),
    }
}

/// The forms that the table does not take apart.
fn own_form(opcode: Opcode) -> &'static str {
    use Opcode::*;
    match opcode {
        AllocRef => "[bare or objc or stack]* [tail_elems TYPE * OPERAND, …]* TYPE",
        AllocRefDynamic => "[objc]? [tail_elems TYPE * OPERAND, …]* OPERAND, TYPE",
        AssignOrInit => {
            "[init]? [MODE] [assign=NUMBER]* MEMBER, self OPERAND, value OPERAND, init OPERAND, set OPERAND"
        }
        UncheckedOwnershipConversion => "OPERAND, OWNERSHIP to OWNERSHIP",
        Object => "TYPE (OPERAND, …, [tail_elems] OPERAND, …)",
        Tuple => "TYPE? (OPERAND, …)",
        Enum => "TYPE, MEMBER(, OPERAND)?",
        SelectEnum | SelectEnumAddr => "OPERAND, case MEMBER: OPERAND, …, default OPERAND : TYPE",
        IntegerLiteral => "TYPE, NUMBER",
        FloatLiteral => "TYPE, 0xBITS",
        StringLiteral => "ENCODING STRING",
        Apply | BeginApply | PartialApply | Thunk => "[ATTRIBUTE]* OPERAND<FORMAL, …>(OPERAND, …) : TYPE",
        TryApply => "[ATTRIBUTE]* OPERAND<FORMAL, …>(OPERAND, …) : TYPE, normal BLOCK, error BLOCK",
        EndApply => "OPERAND as TYPE",
        Builtin => "STRING<FORMAL, …>(OPERAND, …) : TYPE",
        ClassMethod | SuperMethod | ObjCMethod | ObjCSuperMethod => "OPERAND, MEMBER : FORMAL, TYPE",
        WitnessMethod => "$FORMAL, MEMBER : FORMAL(, OPERAND)? : TYPE",
        UncheckedRefCastAddr => "FORMAL in OPERAND to FORMAL in OPERAND",
        UnconditionalCheckedCastAddr => "[prohibit_isolated_conformances]? FORMAL in OPERAND to FORMAL in OPERAND",
        CheckedCastBr => "[prohibit_isolated_conformances or exact]* FORMAL in OPERAND to FORMAL, BLOCK, BLOCK",
        CheckedCastAddrBr => {
            "[prohibit_isolated_conformances]? CONSUMPTION FORMAL in OPERAND to FORMAL in OPERAND, BLOCK, BLOCK"
        }
        ObjCProtocol => "#PROTOCOL : TYPE",
        OpenPackElement => "OPERAND of <SIGNATURE> at <FORMAL, …>, shape $FORMAL, uuid STRING",
        InitBlockStorageHeader => "OPERAND, invoke OPERAND<FORMAL, …> : TYPE, type TYPE",
        DifferentiableFunction => "[parameters NUMBER…] [results NUMBER…] OPERAND with_derivative {OPERAND, OPERAND}",
        LinearFunction => "[parameters NUMBER…] OPERAND with_transpose OPERAND",
        DifferentiableFunctionExtract | LinearFunctionExtract => "[EXTRACTEE] OPERAND (as TYPE)?",
        DifferentiabilityWitnessFunction => "(not read yet)",
        Keypath => "TYPE, (root $FORMAL; COMPONENT; …) <FORMAL, …> (OPERAND, …)",
        CondFail => "OPERAND, STRING",
        IncrementProfilerCounter => "NUMBER, STRING, num_counters NUMBER, hash NUMBER",
        Yield => "(OPERAND, …), resume BLOCK, unwind BLOCK",
        Br => "BLOCK(OPERAND, …)",
        CondBr => "OPERAND, BLOCK(OPERAND, …), BLOCK(OPERAND, …)",
        SwitchValue => "OPERAND, case OPERAND: BLOCK, …, default BLOCK",
        SwitchEnum | SwitchEnumAddr => "OPERAND, case MEMBER: BLOCK, …, default BLOCK",
        AwaitAsyncContinuation => "OPERAND, resume BLOCK, error BLOCK",
        _ => panic!("the own form of {} is not described in {}", opcode.name(), file!()),
    }
}

/// The spelling of a builtin type that results have.
pub fn builtin_type(ty: BuiltinType) -> String {
    match ty {
        BuiltinType::Integer(width) => format!("Builtin.Int{width}"),
        BuiltinType::RawPointer => "Builtin.RawPointer".to_owned(),
        BuiltinType::Word => "Builtin.Word".to_owned(),
        other => format!("Builtin.{other:?}"),
    }
}
