//! Splits blocks so that LLVM's fast instruction selection for x86-64 handles nearly all of them.
//!
//! At -O0, fast selection processes a block from its end. At the first instruction that it does not support, other than
//! a call, it gives up: all earlier instructions of the block are selected through a DAG, which is many times slower.
//! Such instructions end most Swift functions (returns of `swiftcc`) and accompany each throwing call (accesses of
//! `swifterror` slots). Here each of them begins a separate block, which costs no branch: the preceding block falls
//! through.
//!
//! Owns: where blocks are split. LLVM's remarks show the instructions that fast selection supports (`llc
//! -pass-remarks-missed=sdagisel`); a wrong assumption about one only costs time.

use inkwell::AtomicOrdering;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::basic_block::BasicBlock;
use inkwell::builder::{Builder, BuilderError};
use inkwell::context::ContextRef;
use inkwell::module::Module;
use inkwell::types::{AnyType, AnyTypeEnum};
use inkwell::values::{
    BasicValueEnum, CallSiteValue, FunctionValue, InstructionOpcode, InstructionValue, LLVMTailCallKind, PointerValue,
};
use rustc_hash::FxHashSet;

/// The minimum number of supported instructions for a separate block.
const WORTH_A_BLOCK: usize = 2;

/// Splits the blocks of all functions before instructions that fast selection for x86-64 does not support, including
/// returns of the convention with the number `swift`. Functions with debug information are unchanged: its records are
/// attached between instructions.
///
/// # Errors
/// Errors of LLVM's builder, which do not occur for a module that LLVM's verifier accepts.
pub fn cut_blocks(module: &Module<'_>, swift: u32) -> Result<(), BuilderError> {
    let context = module.get_context();
    let cutter = Cutter { builder: context.create_builder(), context };
    for function in module.get_functions().filter(|function| function.get_subprogram().is_none()) {
        let selection = FastSelection::of(function, swift);
        for block in function.get_basic_blocks() {
            let instructions: Vec<_> = block.get_instructions().collect();
            cutter.cut(block, &instructions, &selection.cuts(&instructions))?;
        }
    }
    Ok(())
}

struct Cutter<'ctx> {
    context: ContextRef<'ctx>,
    builder: Builder<'ctx>,
}

impl<'ctx> Cutter<'ctx> {
    /// Splits off the parts of a block before the instructions at `cuts`. The rest keeps the terminator, since phis of
    /// the successors name this block.
    fn cut(
        &self,
        block: BasicBlock<'ctx>,
        instructions: &[InstructionValue<'ctx>],
        cuts: &[usize],
    ) -> Result<(), BuilderError> {
        let (Some(terminator), false) = (instructions.last(), cuts.is_empty()) else { return Ok(()) };
        let parts: Vec<_> = cuts.iter().map(|_| self.context.prepend_basic_block(block, "")).collect();
        // Without its terminator the block has no successors, whose phis would be changed along with the branches to
        // it.
        terminator.remove_from_basic_block();
        block.replace_all_uses_with(&parts[0]);
        let mut begin = 0;
        for (number, (part, end)) in parts.iter().zip(cuts).enumerate() {
            self.builder.position_at_end(*part);
            for instruction in &instructions[begin..*end] {
                instruction.remove_from_basic_block();
                self.builder.insert_instruction(instruction, None);
            }
            self.builder.build_unconditional_branch(parts.get(number + 1).copied().unwrap_or(block))?;
            begin = *end;
        }
        self.builder.position_at_end(block);
        self.builder.insert_instruction(terminator, None);
        Ok(())
    }
}

/// Whether fast selection supports the returns of a function's convention.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Returns {
    Known,
    Unknown,
}

/// The instructions of a function that fast selection supports.
struct FastSelection<'ctx> {
    returns: Returns,
    /// The parameter and the slots passed as `swifterror`.
    errors: FxHashSet<PointerValue<'ctx>>,
}

impl<'ctx> FastSelection<'ctx> {
    fn of(function: FunctionValue<'ctx>, swift: u32) -> Self {
        let kind = Attribute::get_named_enum_kind_id("swifterror");
        let is_error = |number: &u32| function.get_enum_attribute(AttributeLoc::Param(*number), kind).is_some();
        let parameters =
            (0..function.count_params()).filter(is_error).filter_map(|number| function.get_nth_param(number));
        let mut errors: FxHashSet<_> = parameters.filter_map(|value| PointerValue::try_from(value).ok()).collect();
        let instructions = function.get_basic_block_iter().flat_map(BasicBlock::get_instructions);
        for instruction in instructions.filter(|one| one.get_opcode() == InstructionOpcode::Call) {
            let Ok(call) = CallSiteValue::try_from(instruction) else { continue };
            let is_error = |number: &u32| call.get_enum_attribute(AttributeLoc::Param(*number), kind).is_some();
            let passed = (0..call.count_arguments()).filter(is_error);
            errors.extend(passed.filter_map(|number| pointer_operand(instruction, number)));
        }
        let returns = if function.get_call_conventions() == swift { Returns::Unknown } else { Returns::Known };
        Self { returns, errors }
    }

    /// Returns the positions at which a block is split. A slot stays in the entry block.
    fn cuts(&self, instructions: &[InstructionValue<'ctx>]) -> Vec<usize> {
        let last_slot = instructions.iter().rposition(|one| is_static_slot(*one));
        let (mut cuts, mut known) = (Vec::new(), 0);
        for (position, instruction) in instructions.iter().enumerate() {
            if self.knows(*instruction) {
                known += 1;
            } else if last_slot.is_none_or(|slot| slot < position) {
                let before = position.checked_sub(1).map(|before| instructions[before]);
                if known >= WORTH_A_BLOCK && !before.is_some_and(must_be_followed) {
                    cuts.push(position);
                }
                known = 0;
            }
        }
        cuts
    }

    fn knows(&self, instruction: InstructionValue<'ctx>) -> bool {
        match instruction.get_opcode() {
            // A call is selected separately if necessary. Phis begin a block, regardless of what follows.
            InstructionOpcode::Call | InstructionOpcode::Phi => true,
            InstructionOpcode::Return => {
                let value = instruction.get_operand(0).and_then(|value| value.value());
                self.returns == Returns::Known && value.is_none_or(is_in_register)
            }
            InstructionOpcode::Load => fits_register(instruction.get_type()) && self.knows_access(instruction, 0),
            InstructionOpcode::Store => {
                let value = instruction.get_operand(0).and_then(|value| value.value());
                value.is_none_or(is_in_register) && self.knows_access(instruction, 1)
            }
            InstructionOpcode::Alloca => is_static_slot(instruction),
            InstructionOpcode::Switch
            | InstructionOpcode::IndirectBr
            | InstructionOpcode::AtomicCmpXchg
            | InstructionOpcode::AtomicRMW
            | InstructionOpcode::Fence
            | InstructionOpcode::InsertValue => false,
            _ => fits_register(instruction.get_type()),
        }
    }

    fn knows_access(&self, access: InstructionValue<'ctx>, address: u32) -> bool {
        let is_atomic = !matches!(access.get_atomic_ordering(), Ok(AtomicOrdering::NotAtomic));
        !is_atomic && pointer_operand(access, address).is_none_or(|address| !self.errors.contains(&address))
    }
}

fn pointer_operand<'ctx>(instruction: InstructionValue<'ctx>, number: u32) -> Option<PointerValue<'ctx>> {
    PointerValue::try_from(instruction.get_operand(number)?.value()?).ok()
}

fn is_in_register(value: BasicValueEnum<'_>) -> bool {
    fits_register(value.get_type().as_any_type_enum())
}

/// Returns whether a value of the type fits one register, or there is no value.
fn fits_register(ty: AnyTypeEnum<'_>) -> bool {
    match ty {
        AnyTypeEnum::IntType(ty) => matches!(ty.get_bit_width(), 1 | 8 | 16 | 32 | 64),
        AnyTypeEnum::StructType(_) | AnyTypeEnum::ArrayType(_) => false,
        _ => true,
    }
}

/// Returns whether it is a slot of constant size, which belongs to the frame in the entry block.
fn is_static_slot(instruction: InstructionValue<'_>) -> bool {
    let is_constant = |size: BasicValueEnum<'_>| size.is_int_value() && size.into_int_value().is_const();
    instruction.get_opcode() == InstructionOpcode::Alloca
        && instruction.get_operand(0).and_then(|size| size.value()).is_none_or(is_constant)
}

/// Returns whether it is a call that must be followed directly by its return.
fn must_be_followed(instruction: InstructionValue<'_>) -> bool {
    matches!(instruction.get_tail_call_kind(), Ok(LLVMTailCallKind::LLVMTailCallKindMustTail))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests fail by panicking")]
    use inkwell::context::Context;

    use super::cut_blocks;
    use crate::llvm::modules;

    const SWIFT: u32 = 16;

    /// Returns the instructions of each block of a function after `cut_blocks`, which LLVM's verifier accepts.
    fn cut(text: &str) -> Vec<Vec<String>> {
        let context = Context::create();
        let module = modules::parse(&context, text.as_bytes(), "test").unwrap();
        cut_blocks(&module, SWIFT).unwrap();
        modules::verify(&module).unwrap();
        let function = module.get_functions().find(|function| function.count_basic_blocks() > 0).unwrap();
        let opcode = |one: super::InstructionValue<'_>| format!("{:?}", one.get_opcode());
        function.get_basic_block_iter().map(|block| block.get_instructions().map(opcode).collect()).collect()
    }

    #[test]
    fn returns_of_swift_begin_blocks() {
        let text = "define swiftcc { i64, i64 } @f(i64 %a) {\n  %b = add i64 %a, 1\n  %c = add i64 %b, 2\n  \
            %d = insertvalue { i64, i64 } undef, i64 %c, 0\n  ret { i64, i64 } %d\n}\n";
        assert_eq!(cut(text), [vec!["Add", "Add", "Br"], vec!["InsertValue", "Return"]]);
        assert_eq!(
            cut("define i64 @f(i64 %a) {\n  %b = add i64 %a, 1\n  %c = add i64 %b, 2\n  ret i64 %c\n}\n").len(),
            1
        );
    }

    #[test]
    fn errors_are_accessed_in_blocks_of_their_own() {
        let text = "declare swiftcc void @g(ptr swifterror)\ndefine swiftcc void @f(ptr %p) {\n  %e = alloca swifterror ptr\n  \
            %a = load i64, ptr %p\n  store i64 %a, ptr %p\n  store ptr null, ptr %e\n  call swiftcc void @g(ptr swifterror %e)\n  \
            store i64 %a, ptr %p\n  %f = load ptr, ptr %e\n  ret void\n}\n";
        let first = vec!["Alloca", "Load", "Store", "Br"];
        assert_eq!(cut(text), [first, vec!["Store", "Call", "Store", "Br"], vec!["Load", "Return"]]);
    }

    #[test]
    fn a_loop_begins_with_its_phis_and_ends_with_its_switch() {
        let text = "define void @f(ptr %p) {\nentry:\n  br label %loop\nloop:\n  \
            %i = phi i64 [ 0, %entry ], [ %k, %loop ], [ %k, %loop ]\n  %j = add i64 %i, 1\n  %k = add i64 %j, 2\n  \
            switch i64 %k, label %loop [ i64 7, label %end\n i64 8, label %loop ]\nend:\n  \
            %l = phi i64 [ %k, %loop ]\n  store i64 %l, ptr %p\n  ret void\n}\n";
        let end = vec!["Phi", "Store", "Return"];
        assert_eq!(cut(text), [vec!["Br"], vec!["Phi", "Add", "Add", "Br"], vec!["Switch"], end]);
    }

    #[test]
    fn phis_stay_together() {
        let text = "define i56 @f(i1 %c) {\nentry:\n  br i1 %c, label %end, label %other\nother:\n  br label %end\nend:\n  \
            %a = phi i64 [ 0, %entry ], [ 1, %other ]\n  %b = phi i64 [ 1, %entry ], [ 2, %other ]\n  \
            %d = phi i56 [ 0, %entry ], [ 1, %other ]\n  ret i56 %d\n}\n";
        assert_eq!(cut(text), [vec!["Br"], vec!["Br"], vec!["Phi", "Phi", "Phi", "Br"], vec!["Return"]]);
    }

    #[test]
    fn slots_stay_in_the_entry_block() {
        let text = "define swiftcc void @f(ptr %p, i64 %n) {\n  %a = load i64, ptr %p\n  store i64 %a, ptr %p\n  \
            %s = alloca i8, i64 %n\n  %t = alloca i64\n  store i64 %a, ptr %t\n  ret void\n}\n";
        assert_eq!(cut(text), [vec!["Load", "Store", "Alloca", "Alloca", "Store", "Br"], vec!["Return"]]);
    }
}
