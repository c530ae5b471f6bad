//! Opaque result types as trees of symbols (docs/ABI/Mangling.rst, "Opaque return types").

use super::{Referred, SymbolTypes};
use crate::context::{Name, TypeId};
use crate::declarations::{NominalKind, OpaqueDeclaration};
use crate::symbols::{Kind, NodeId, Reference, Symbol};
use crate::types::{OpaqueInterface, Type};

impl SymbolTypes<'_> {
    /// The opaque type number `ordinal` of the declaration with `symbol`, for `arguments`.
    pub(super) fn opaque_type(&mut self, symbol: Name, ordinal: u32, arguments: &[TypeId]) -> Option<NodeId> {
        let declaration = self.queries.opaque_declaration(symbol)?;
        let name = match self.reference_to(Referred::Opaque(symbol), Reference::IndirectContext) {
            Some(reference) => reference,
            None => self.opaque_name(symbol)?,
        };
        let ordinal = self.tree.add_index(Kind::Number, ordinal.into());
        let mut lists = Vec::new();
        let mut rest = arguments;
        for count in self.levels_around(declaration) {
            let (level, others) = rest.split_at_checked(count)?;
            lists.push(level);
            rest = others;
        }
        lists.push(rest);
        let mut nodes = Vec::new();
        for list in lists {
            let types = list.iter().map(|argument| self.ty(*argument)).collect::<Option<Vec<_>>>()?;
            nodes.push(self.tree.add(Kind::TypeList, &types));
        }
        let arguments = self.tree.add(Kind::TypeList, &nodes);
        Some(self.tree.add(Kind::OpaqueType, &[name, ordinal, arguments]))
    }

    /// How many parameters each type around a declaration has, the outermost first.
    fn levels_around(&self, declaration: &OpaqueDeclaration) -> Vec<usize> {
        let mut levels = Vec::new();
        let mut container = declaration.container;
        while let Some(nominal) = container.map(|id| self.queries.declarations.get(id)) {
            let own = match nominal.kind {
                NominalKind::Protocol => 1,
                _ => nominal.own_parameters as usize,
            };
            levels.push(own);
            container = nominal.parent;
        }
        levels.reverse();
        levels
    }

    /// The opaque types of the declaration with the symbol `name`.
    pub fn opaque_name(&mut self, name: Name) -> Option<NodeId> {
        let queries = self.queries;
        let mut symbol = Symbol::demangle(queries.context.text(name))?;
        if let Some(signature) = queries.opaque_declaration(name).and_then(|declaration| declaration.outer) {
            symbol = symbol.without_clear_protocols(&|base| {
                let parameter = Type::GenericParameter { depth: base.depth, index: base.index };
                let member = |base, name: &&str| {
                    let member = queries.context.name(name);
                    queries.context.ty(Type::DependentMember { base, member, protocol: None })
                };
                let base = base.path.iter().fold(queries.context.ty(parameter), member);
                queries.generics().required_protocols(signature, base) == 1
            });
        }
        let entity = symbol.copy_entity(self.tree)?;
        Some(self.tree.add(Kind::OpaqueReturnTypeOf, &[entity]))
    }

    /// `base.member`, where `base` is an opaque type or a member of one; none for other types.
    pub(super) fn opaque_member(&mut self, base: TypeId, member: Name) -> Option<NodeId> {
        let OpaqueInterface { signature, interface, .. } = self.queries.opaque_interface(base)?;
        let protocol = self.queries.generics().declaring_protocol(signature, interface, member)?;
        let base = self.ty(base)?;
        let name = self.associated_type(member, protocol)?;
        Some(self.tree.add(Kind::DependentMember, &[base, name]))
    }
}
