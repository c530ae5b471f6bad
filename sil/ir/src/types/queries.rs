//! [`TypeQueries`]: the questions about types. Owns the references to a module's facts about types. `caches` has the
//! answers that are kept.

use std::sync::Arc;

use super::{ConformanceTable, Generics, NominalType, Type, TypeCaches};
use crate::context::{Context, NominalId, TypeId};
use crate::declarations::{DeclarationTable, NominalDeclaration, StatedExecutor};
use crate::model::{AddressLowering, LanguageMode, Module, SwiftVersion};

/// Whose knowledge of a module's types counts, where its library may change them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Viewpoint {
    /// That of the module, which knows how it lays them out.
    Module,
    /// That of other modules, which do not: functions that they call take such values by their addresses.
    Clients,
}

/// Answers questions about types: substitution, members, conventions, lowering, classification. Usable from several
/// threads.
pub struct TypeQueries<'a> {
    /// The interned types.
    pub context: &'a Context,
    /// The declarations that nominal types refer to.
    pub declarations: &'a DeclarationTable,
    /// The known conformances.
    pub conformances: &'a ConformanceTable<'a>,
    /// Whether the module was made for Embedded Swift.
    pub mode: LanguageMode,
    /// How functions pass address-only values.
    pub address_lowering: AddressLowering,
    /// Whether all existentials but errors are bound to classes, as in Embedded Swift before version 6.3.
    pub(super) has_only_class_existentials: bool,
    pub(super) viewpoint: Viewpoint,
    pub(super) caches: Arc<TypeCaches>,
}

impl<'a> TypeQueries<'a> {
    /// Queries about the types of a module, with empty caches.
    pub fn of(module: &'a Module, conformances: &'a ConformanceTable<'a>) -> Self {
        Self::with_caches(module, conformances, TypeCaches::of(module))
    }

    /// Queries about the types of a module. The caches are those of earlier queries with the same declarations and
    /// conformances, or empty.
    pub fn with_caches(module: &'a Module, conformances: &'a ConformanceTable<'a>, caches: Arc<TypeCaches>) -> Self {
        let (declarations, address_lowering) = (&module.declarations, module.address_lowering);
        let queries =
            Self::from_parts(&module.context, declarations, conformances, (module.mode, address_lowering), caches);
        let has_only_class_existentials = module.mode == LanguageMode::Embedded && module.version < SwiftVersion::V6_3;
        Self { has_only_class_existentials, ..queries }
    }

    /// Queries with empty caches.
    pub fn new(
        context: &'a Context,
        declarations: &'a DeclarationTable,
        conformances: &'a ConformanceTable<'a>,
        mode: LanguageMode,
        address_lowering: AddressLowering,
    ) -> Self {
        let caches = TypeCaches::new(context, declarations);
        Self::from_parts(context, declarations, conformances, (mode, address_lowering), caches)
    }

    fn from_parts(
        context: &'a Context,
        declarations: &'a DeclarationTable,
        conformances: &'a ConformanceTable<'a>,
        (mode, address_lowering): (LanguageMode, AddressLowering),
        caches: Arc<TypeCaches>,
    ) -> Self {
        Self {
            context,
            declarations,
            conformances,
            mode,
            address_lowering,
            has_only_class_existentials: false,
            viewpoint: Viewpoint::Module,
            caches,
        }
    }

    /// The same as other modules see the types of this one, which evolves.
    pub fn seen_by_clients(mut self) -> Self {
        self.viewpoint = Viewpoint::Clients;
        self
    }

    /// The consequences of generic signatures and of the requirements of protocols.
    pub fn generics(&self) -> Generics<'_> {
        Generics::new(self.context, self.declarations, &self.caches.generics)
    }

    /// The type `ty`.
    pub fn get(&self, ty: TypeId) -> &'a Type {
        self.context.get(ty)
    }

    /// The nominal type that `ty` is, looking through `@dynamic_self`.
    pub fn as_nominal(&self, ty: TypeId) -> Option<&'a NominalType> {
        match self.get(ty) {
            Type::Nominal(nominal) => Some(nominal),
            Type::DynamicSelf(inner) | Type::MoveOnlyWrapper(inner) => self.as_nominal(*inner),
            _ => None,
        }
    }

    /// The declaration of the nominal type that `ty` is.
    pub fn declaration_of(&self, ty: TypeId) -> Option<&'a NominalDeclaration> {
        self.as_nominal(ty).map(|nominal| self.declarations.get(nominal.declaration))
    }

    /// Whether the program defines the executor of the actor `nominal`: in its declaration, or else in an extension of
    /// a protocol that it conforms to (lib/Sema/TypeCheckConcurrency.cpp, IsDefaultActorRequest).
    pub fn has_custom_executor(&self, nominal: NominalId) -> bool {
        let stated = |nominal: NominalId| self.declarations.get(nominal).attributes.executor;
        let inherited = || self.generics().inherited(nominal).iter().find_map(|protocol| stated(*protocol));
        stated(nominal).or_else(inherited) == Some(StatedExecutor::Custom)
    }

    /// Whether the declaration of `ty` is not at hand, or only facts from its uses.
    pub fn is_undeclared(&self, ty: TypeId) -> bool {
        match self.get(ty) {
            Type::Unresolved { .. } => true,
            _ => self.declaration_of(ty).is_some_and(|declaration| !declaration.is_complete()),
        }
    }

    /// The empty tuple.
    pub fn void(&self) -> TypeId {
        self.context.ty(Type::Tuple(Box::default()))
    }
}
