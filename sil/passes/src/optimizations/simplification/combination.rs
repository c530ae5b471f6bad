//! The visitor of sil-combine (`SILCombiner::visit` of lib/SILOptimizer/SILCombiner). It does less than the
//! simplification of single instructions where other passes follow: constant folding and control flow folding are left
//! to them.
//!
//! Owns: the dispatch. The rules are in the files of their instructions. Those that only sil-combine uses are in
//! `combined` and `combined_builtins`.

use sil_ir::instructions::Opcode;
use sil_ir::model::InstructionId;

use super::Simplifier;
use crate::editing::accesses::remove_idle_access;
use crate::editing::cast_folding;

impl Simplifier<'_> {
    /// Combines an instruction with its operands' definitions and its uses.
    pub(super) fn combine(&mut self, id: InstructionId) {
        if self.destroy_source(id) || self.replace_by_same(id) || self.divide_load(id) || self.sink_forwarded(id) {
            return;
        }
        match self.editor.opcode(id) {
            Opcode::Apply => self.combine_apply(id),
            Opcode::TryApply => self.combine_try_apply(id),
            Opcode::BeginApply => {
                let _ = self.yield_by_key_path(id);
            }
            Opcode::PartialApply => {
                if self.closure_of_nothing(id).or_else(|| self.undo_reabstraction(id)).is_none() {
                    self.partial_apply(id);
                }
            }
            Opcode::Builtin => {
                let _ = self.combine_builtin(id);
            }
            Opcode::AllocStack => {
                self.alloc_stack(id);
                if self.removes_unread_memory() && self.editor.is_placed(id) {
                    let _ = self.remove_unread_memory(id);
                }
            }
            Opcode::CopyValue => {
                self.copy_value(id);
                if self.editor.is_placed(id) {
                    self.canonicalize_lifetime(id);
                }
            }
            opcode => self.combine_value(id, opcode),
        }
    }

    fn combine_apply(&mut self, id: InstructionId) {
        self.apply(id);
        self.substitute_call(id);
        if self.editor.is_placed(id) {
            let _ = self.remove_unneeded_call(id);
        }
    }

    fn combine_try_apply(&mut self, id: InstructionId) {
        let _ = self.call_thin(id);
        self.devirtualize(id);
        self.substitute_call(id);
        if self.editor.is_placed(id) {
            let _ = self.remove_unneeded_try(id);
        }
    }

    /// Combines instructions that create, begin, end and count values.
    fn combine_value(&mut self, id: InstructionId, opcode: Opcode) {
        match opcode {
            Opcode::AllocRefDynamic => self.alloc_ref_dynamic(id),
            Opcode::BeginBorrow => self.begin_borrow(id),
            Opcode::BeginCowMutation => self.begin_cow_mutation(id),
            Opcode::DestroyValue => self.destroy_value(id),
            Opcode::DestructureStruct => self.destructure_struct(id),
            Opcode::DestructureTuple => self.destructure_tuple(id),
            Opcode::EndBorrow => self.end_borrow(id),
            Opcode::EndCowMutation => self.end_cow_mutation(id),
            Opcode::FixLifetime => self.fix_lifetime(id),
            Opcode::GlobalValue => self.global_value(id),
            Opcode::ReleaseValue => self.release_value(id),
            Opcode::RetainValue => self.retain_value(id),
            Opcode::StrongRelease => self.strong_release(id),
            Opcode::StrongRetain => self.strong_retain(id),
            Opcode::DifferentiableFunctionExtract | Opcode::LinearFunctionExtract => {
                let _ = self.differentiable_function_extract(id);
            }
            Opcode::Metatype => {
                let _ = self.metatype(id);
            }
            Opcode::TypeValue => {
                let _ = self.type_value(id);
            }
            Opcode::WitnessMethod => {
                let _ = self.witness_method(id);
            }
            _ => self.combine_memory(id, opcode),
        }
    }

    /// Combines instructions on memory and enums.
    fn combine_memory(&mut self, id: InstructionId, opcode: Opcode) {
        match opcode {
            Opcode::AllocExistentialBox => {
                let _ = self.remove_error_box(id);
            }
            Opcode::BeginAccess => remove_idle_access(&mut self.editor, id),
            Opcode::IndexAddr => {
                let _ = self.index_addr(id);
            }
            Opcode::InjectEnumAddr => self.inject_enum_addr(id),
            Opcode::Load => self.load(id),
            Opcode::LoadBorrow => self.load_borrow(id),
            Opcode::MarkDependence | Opcode::MarkDependenceAddr => {
                let _ = self.mark_dependence(id);
            }
            Opcode::PointerToAddress => self.pointer_to_address(id),
            Opcode::SelectEnum => self.select_enum(id),
            Opcode::SelectEnumAddr => self.select_enum_addr(id),
            Opcode::Store => self.store(id),
            Opcode::SwitchEnumAddr => self.switch_enum_addr(id),
            Opcode::UncheckedEnumData => self.unchecked_enum_data(id),
            Opcode::UncheckedTakeEnumDataAddr => self.unchecked_take_enum_data_addr(id),
            _ => self.combine_branch(id, opcode),
        }
    }

    /// Combines branches and checks. Folding of terminators is left to the control flow simplification.
    fn combine_branch(&mut self, id: InstructionId, opcode: Opcode) {
        match opcode {
            Opcode::CheckedCastAddrBr if self.cast_boxed_error(id).is_some() => {}
            Opcode::CheckedCastAddrBr | Opcode::CheckedCastBr => {
                let _ = cast_folding::cast_metatype(&mut self.editor, id);
            }
            Opcode::CondBr => self.combine_cond_br(id),
            Opcode::CondFail => self.cond_fail(id),
            Opcode::SwitchValue => {
                let _ = self.switch_value(id);
            }
            Opcode::UnconditionalCheckedCast => {
                let _ = self.unconditional_checked_cast(id);
                let _ = self.uncheck_cast(id);
                self.fold_cast(id);
            }
            Opcode::UnconditionalCheckedCastAddr => {
                let _ = self.cast_boxed_error(id);
                self.fold_cast(id);
            }
            _ => self.combine_conversion(id, opcode),
        }
    }

    /// Combines conversions and projections of values.
    fn combine_conversion(&mut self, id: InstructionId, opcode: Opcode) {
        match opcode {
            Opcode::BridgeObjectToRef => self.bridge_object_to_ref(id),
            Opcode::ClassifyBridgeObject => self.classify_bridge_object(id),
            Opcode::ConvertEscapeToNoescape => {
                let _ = self.convert_thin(id);
                self.convert_escape_to_noescape(id);
            }
            Opcode::ConvertFunction => self.convert_function(id),
            Opcode::RawPointerToRef => self.raw_pointer_to_ref(id),
            Opcode::RefToRawPointer => self.ref_to_raw_pointer(id),
            Opcode::ThickToObjcMetatype | Opcode::ObjcToThickMetatype => {
                let _ = self.convert_metatype(id);
            }
            Opcode::UncheckedAddrCast => self.unchecked_addr_cast(id),
            Opcode::UncheckedBitwiseCast => self.unchecked_bitwise_cast(id),
            Opcode::UncheckedRefCast => self.combine_unchecked_ref_cast(id),
            Opcode::UncheckedRefCastAddr => self.unchecked_ref_cast_addr(id),
            Opcode::UncheckedTrivialBitCast => self.unchecked_trivial_bit_cast(id),
            Opcode::Upcast => self.upcast(id),
            _ => {}
        }
    }

    /// Folds a cast with a known result.
    fn fold_cast(&mut self, id: InstructionId) {
        if self.editor.is_placed(id) {
            let _ = cast_folding::fold(&mut self.editor, id);
        }
    }
}
