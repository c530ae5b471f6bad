//! [`TypeQueries`]: the questions about types. Owns the references to a module's facts about types, and the caches.

use std::sync::Arc;

use super::conformances::Statement;
use super::known::KnownTypes;
use super::{ConformanceTable, Generics, GenericsCache, NominalType, PathStep, Type, TypeProperties};
use crate::cache::Cache;
use crate::context::{ConformanceId, Context, MemberId, Name, NominalId, SignatureId, SubstitutionMapId, TypeId};
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
    pub(super) known: KnownTypes,
    pub(super) generics: GenericsCache,
    pub(super) canonical: Cache<TypeId, TypeId>,
    /// The formal types of methods as their overloads are distinguished.
    pub(super) overloads: Cache<TypeId, TypeId>,
    pub(super) reduced: Cache<(TypeId, SignatureId), TypeId>,
    pub(super) fields: Cache<(TypeId, MemberId), Option<TypeId>>,
    pub(super) field_lists: Cache<TypeId, Option<Arc<[TypeId]>>>,
    pub(super) payloads: Cache<(TypeId, u32), Option<TypeId>>,
    pub(super) found_conformances: Cache<(TypeId, NominalId), ConformanceId>,
    pub(super) stated_conformances: Cache<(NominalId, NominalId), Option<(ConformanceId, Statement)>>,
    pub(super) required: Cache<SignatureId, Arc<[PathStep]>>,
    pub(super) members: Cache<(TypeId, Name, Option<NominalId>), Option<TypeId>>,
    /// Callees with generic arguments applied.
    pub(super) applied: Cache<(TypeId, SubstitutionMapId), TypeId>,
    pub(super) unsubstituted: Cache<TypeId, TypeId>,
    pub(super) opaque: Cache<TypeId, TypeId>,
    /// By symbols, the numbers of the declarations of opaque types.
    pub(super) opaque_declarations: Cache<Name, Option<usize>>,
    pub(super) properties: Cache<(TypeId, Option<SignatureId>), TypeProperties>,
}

impl<'a> TypeQueries<'a> {
    /// Queries about the types of a module, with empty caches.
    pub fn of(module: &'a Module, conformances: &'a ConformanceTable<'a>) -> Self {
        let (declarations, address_lowering) = (&module.declarations, module.address_lowering);
        let queries = Self::new(&module.context, declarations, conformances, module.mode, address_lowering);
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
        Self {
            context,
            declarations,
            conformances,
            mode,
            address_lowering,
            has_only_class_existentials: false,
            viewpoint: Viewpoint::Module,
            known: KnownTypes::new(context, declarations),
            generics: GenericsCache::default(),
            canonical: Cache::default(),
            overloads: Cache::default(),
            reduced: Cache::default(),
            fields: Cache::default(),
            field_lists: Cache::default(),
            payloads: Cache::default(),
            found_conformances: Cache::default(),
            stated_conformances: Cache::default(),
            required: Cache::default(),
            members: Cache::default(),
            applied: Cache::default(),
            unsubstituted: Cache::default(),
            opaque: Cache::default(),
            opaque_declarations: Cache::default(),
            properties: Cache::default(),
        }
    }

    /// The same as other modules see the types of this one, which evolves.
    pub fn seen_by_clients(mut self) -> Self {
        self.viewpoint = Viewpoint::Clients;
        self
    }

    /// The consequences of generic signatures and of the requirements of protocols.
    pub fn generics(&self) -> Generics<'_> {
        Generics::new(self.context, self.declarations, &self.generics)
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
