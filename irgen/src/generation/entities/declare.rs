//! Adds entities to the LLVM module, each once.

use inkwell::module::Linkage;
use inkwell::types::{AnyType, BasicType, FunctionType};
use inkwell::values::{FunctionValue, GlobalValue, PointerValue, UnnamedAddress};
use sil_ir::context::Mutability;

use super::{AddressUse, Definition, Entity, LinkInfo};
use crate::generation::IRGenModule;
use crate::llvm::{globals, modules};

/// An entity in the LLVM module.
#[derive(Clone, Copy, Debug)]
pub enum Declared<'ctx> {
    /// A function.
    Function(FunctionValue<'ctx>),
    /// A variable.
    Variable(GlobalValue<'ctx>),
}

impl<'ctx> Declared<'ctx> {
    /// Its address.
    pub fn address(self) -> PointerValue<'ctx> {
        self.global().as_pointer_value()
    }

    /// Returns the global value.
    pub fn global(self) -> GlobalValue<'ctx> {
        match self {
            Declared::Function(function) => function.as_global_value(),
            Declared::Variable(variable) => variable,
        }
    }
}

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// `entity`, if it is declared already.
    pub(in crate::generation) fn declared(&self, entity: &Entity) -> Option<Declared<'ctx>> {
        self.entities.borrow().get(entity).copied()
    }

    /// The address of `entity`, if it is declared already.
    pub fn declared_address(&self, entity: &Entity) -> Option<PointerValue<'ctx>> {
        self.declared(entity).map(Declared::address)
    }

    /// The function `entity`, if it is declared already.
    pub fn declared_function(&self, entity: &Entity) -> Option<FunctionValue<'ctx>> {
        match self.declared(entity) {
            Some(Declared::Function(function)) => Some(function),
            _ => None,
        }
    }

    /// The variable `entity`, if it is declared already.
    pub fn declared_variable(&self, entity: &Entity) -> Option<GlobalValue<'ctx>> {
        match self.declared(entity) {
            Some(Declared::Variable(variable)) => Some(variable),
            _ => None,
        }
    }

    /// Returns whether the SIL module defines `variable`, in this unit or another one.
    pub fn owns_variable(&self, variable: GlobalValue<'ctx>) -> bool {
        let is_it = |declared: &Declared<'ctx>| matches!(declared, Declared::Variable(known) if *known == variable);
        let entities = self.entities.borrow();
        entities.iter().any(|(entity, declared)| is_it(declared) && self.definition_of(entity) != Definition::Elsewhere)
    }

    /// Declares the function `entity`, which is not declared yet. An existing declaration with its symbol is reused.
    pub fn declare_function(&self, entity: Entity, ty: FunctionType<'ctx>) -> FunctionValue<'ctx> {
        let info = self.link_info(&entity);
        self.claim_symbol(&entity, &info.symbol);
        let known = info.is_visible().then(|| self.llvm.get_function(&info.symbol)).flatten();
        let function = known.unwrap_or_else(|| self.llvm.add_function(&info.symbol, ty, None));
        self.apply(&info, function.as_global_value());
        self.entities.borrow_mut().insert(entity.clone(), Declared::Function(function));
        self.need_definition(entity);
        function
    }

    /// Declares the variable `entity`, which is not declared yet. It has no initial value. An existing declaration with
    /// its symbol and type is reused.
    pub fn declare_variable(&self, entity: Entity, ty: impl BasicType<'ctx>, alignment: u64) -> GlobalValue<'ctx> {
        let info = self.link_info(&entity);
        self.claim_symbol(&entity, &info.symbol);
        let ty = ty.as_basic_type_enum();
        let is_it = |known: &GlobalValue<'ctx>| {
            known.get_initializer().is_none() && known.get_value_type() == ty.as_any_type_enum()
        };
        let known = info.is_visible().then(|| self.llvm.get_global(&info.symbol)).flatten().filter(is_it);
        let variable = known.unwrap_or_else(|| self.llvm.add_global(ty, None, &info.symbol));
        variable.set_alignment(alignment.max(1) as u32);
        variable.set_constant(info.mutability == Mutability::Let);
        self.apply(&info, variable);
        self.entities.borrow_mut().insert(entity.clone(), Declared::Variable(variable));
        self.need_definition(entity);
        variable
    }

    /// Declares `entity`, which is not declared yet, as an alias of the address `target` in another variable.
    pub fn declare_alias(&self, entity: Entity, target: PointerValue<'ctx>) {
        let info = self.link_info(&entity);
        self.claim_symbol(&entity, &info.symbol);
        let alias = globals::add_alias(&self.llvm, &info.symbol, target);
        alias.set_linkage(info.linkage);
        alias.set_visibility(info.visibility);
        self.entities.borrow_mut().insert(entity, Declared::Variable(alias));
    }

    /// Gives the symbol to the entity that has it in SIL: a synthesised entity that is local to this LLVM module is
    /// renamed.
    fn claim_symbol(&self, entity: &Entity, symbol: &str) {
        if entity.is_made_up() {
            return;
        }
        let Some(holder) = modules::symbol_named(&self.llvm, symbol) else { return };
        if matches!(holder.get_linkage(), Linkage::Internal | Linkage::Private) {
            holder.set_name(&format!("{symbol}.local"));
        }
    }

    fn apply(&self, info: &LinkInfo<'_>, symbol: GlobalValue<'ctx>) {
        symbol.set_linkage(info.linkage);
        symbol.set_visibility(info.visibility);
        if let Some(section) = info.section {
            symbol.set_section(Some(section));
        }
        if info.address == AddressUse::Insignificant {
            symbol.set_unnamed_address(UnnamedAddress::Global);
        }
    }
}
