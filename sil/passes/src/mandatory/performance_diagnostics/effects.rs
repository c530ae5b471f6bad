//! The possible runtime effects of an instruction (`getRuntimeEffect` in lib/SIL/Utils/InstructionUtils.cpp).

use sil_analysis::ApplySite;
use sil_ir::context::{FunctionAttribute, Representation, SilType, SubstitutionMapId, Type, TypeId};
use sil_ir::instructions::builtins::{BuiltinKind, NamedBuiltin};
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::views::CopyAddr;
use sil_ir::model::{Body, Details, Function, InstructionId, Module};
use sil_ir::types::{ExistentialKind, TypeQueries};

/// A possible effect of the runtime library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// Metadata access, which may instantiate them.
    Metadata,
    /// Memory allocation.
    Allocation,
    /// Memory deallocation.
    Deallocation,
    /// Locking.
    Lock,
    /// Reference counting.
    Counting,
    /// A release, which may end the lifetime of a value.
    Release,
    /// A dynamic cast.
    Cast,
    /// An Objective-C call.
    ObjectiveC,
    /// A use of an existential value.
    Existential,
    /// A use of a class existential.
    ClassExistential,
}

/// The possible effects of an instruction, and the type that they concern.
#[derive(Default)]
pub(super) struct Effects {
    kinds: Vec<Effect>,
    pub(super) ty: Option<TypeId>,
}

impl Effects {
    fn of<const N: usize>(kinds: [Effect; N]) -> Self {
        Self { kinds: kinds.to_vec(), ty: None }
    }

    fn about(self, ty: SilType) -> Self {
        Self { ty: Some(ty.ty), ..self }
    }

    pub(super) fn has(&self, effect: Effect) -> bool {
        self.kinds.contains(&effect)
    }
}

/// The function whose instructions are examined.
#[derive(Clone, Copy)]
pub(super) struct Scene<'m> {
    pub(super) module: &'m Module,
    pub(super) queries: &'m TypeQueries<'m>,
    pub(super) function: &'m Function,
    pub(super) body: &'m Body,
}

impl Scene<'_> {
    /// Returns the possible effects of an instruction.
    pub(super) fn effects(self, id: InstructionId) -> Effects {
        use Effect::*;
        let body = self.body;
        let operand = body.operands(id).first().map(|operand| body.ty(*operand));
        let result = body.result(id).map(|result| body.ty(result));
        let about = |effects: Effects, ty: Option<SilType>| match ty {
            Some(ty) => effects.about(ty),
            None => effects,
        };
        match body.instructions[id].opcode {
            Opcode::OpenExistentialMetatype
            | Opcode::OpenExistentialBox
            | Opcode::OpenExistentialValue
            | Opcode::OpenExistentialBoxValue
            | Opcode::OpenExistentialAddr => Effects::of([Existential]),
            Opcode::Keypath => Effects::of([Allocation, Release, Metadata]),
            Opcode::InitExistentialAddr | Opcode::InitExistentialValue => {
                about(Effects::of([Allocation, Release, Metadata, Existential]), operand)
            }
            Opcode::AllocExistentialBox => about(Effects::of([Allocation, Release, Metadata, Existential]), result),
            Opcode::InitExistentialRef => {
                let is_of_classes = result.is_some_and(|ty| self.has_class_protocols_alone(ty));
                let kind = if is_of_classes { ClassExistential } else { Existential };
                about(Effects::of([Metadata, kind]), result)
            }
            Opcode::OpenExistentialRef => about(Effects::of([Metadata, ClassExistential]), operand),
            Opcode::InitExistentialMetatype => about(Effects::of([Metadata, Existential]), operand),
            Opcode::UnconditionalCheckedCast
            | Opcode::UnconditionalCheckedCastAddr
            | Opcode::CheckedCastAddrBr
            | Opcode::CheckedCastBr => about(Effects::of([Cast, Metadata]), operand),
            Opcode::AllocPack | Opcode::AllocPackMetadata | Opcode::WitnessMethod | Opcode::OpenPackElement => {
                Effects::of([Metadata])
            }
            Opcode::AllocStack => match result.filter(|ty| self.is_only_in_memory(*ty) && self.is_dependent(*ty)) {
                Some(ty) => Effects::of([Metadata]).about(ty),
                None => Effects::default(),
            },
            Opcode::AllocBox | Opcode::AllocRef | Opcode::AllocRefDynamic => {
                about(Effects::of([Allocation, Metadata, Release]), result)
            }
            Opcode::DeallocRef | Opcode::DeallocPartialRef | Opcode::DeallocBox | Opcode::DeallocExistentialBox => {
                Effects::of([Deallocation])
            }
            Opcode::CopyAddr | Opcode::ExplicitCopyAddr => self.copy(id),
            Opcode::Store if body.instructions[id].attributes.contains(Attribute::Assign) => Effects::of([Release]),
            Opcode::DestroyAddr => match operand {
                Some(ty) if self.is_trivial(ty) => Effects::default(),
                Some(ty) if self.is_only_in_memory(ty) => Effects::of([Release, Metadata]).about(ty),
                _ => about(Effects::of([Release]), operand),
            },
            Opcode::Metatype | Opcode::ValueMetatype => self.metatype(result),
            Opcode::ExistentialMetatype => {
                let is_of = |ty: SilType| self.queries.existential_kind(ty.ty) == ExistentialKind::Class;
                let is_class = operand.is_some_and(is_of);
                let effects = if is_class { Effects::of([Metadata, Existential]) } else { Effects::of([Metadata]) };
                about(effects, operand)
            }
            Opcode::StrongRetain
            | Opcode::RetainValue
            | Opcode::RetainValueAddr
            | Opcode::CopyValue
            | Opcode::ExplicitCopyValue
            | Opcode::BeginCowMutation
            | Opcode::IsUnique
            | Opcode::CopyBlock => match operand {
                Some(ty) if self.is_borrowed_closure(ty) => Effects::default(),
                _ => Effects::of([Counting]),
            },
            Opcode::StrongRelease | Opcode::ReleaseValue | Opcode::ReleaseValueAddr | Opcode::DestroyValue => {
                match operand {
                    Some(ty) if self.is_borrowed_closure(ty) => Effects::default(),
                    _ => about(Effects::of([Release]), operand),
                }
            }
            Opcode::GlobalValue => Effects::of([Lock, Metadata]),
            Opcode::Apply | Opcode::TryApply | Opcode::BeginApply | Opcode::PartialApply => self.call(id),
            Opcode::Builtin => self.builtin(id),
            _ => Effects::default(),
        }
    }

    fn is_trivial(self, ty: SilType) -> bool {
        self.queries.properties(ty.ty, self.function.signature).is_trivial()
    }

    fn is_only_in_memory(self, ty: SilType) -> bool {
        self.queries.properties(ty.ty, self.function.signature).is_address_only()
    }

    fn is_dependent(self, ty: SilType) -> bool {
        self.queries.is_dependent(ty.ty)
    }

    /// Returns whether a value is a non-escaping closure, which is not reference-counted.
    fn is_borrowed_closure(self, ty: SilType) -> bool {
        match self.queries.get(ty.ty) {
            Type::Function(function) => {
                function.attributes.contains(FunctionAttribute::NoEscape)
                    && function.representation == Representation::Thick
            }
            _ => false,
        }
    }

    fn copy(self, id: InstructionId) -> Effects {
        use Effect::*;
        let Some(CopyAddr { source, .. }) = CopyAddr::get(self.body, id) else { return Effects::default() };
        let ty = self.body.ty(source);
        if self.is_trivial(ty) {
            return Effects::default();
        }
        let attributes = self.body.instructions[id].attributes;
        let effects = match (attributes.contains(Attribute::Init), attributes.contains(Attribute::Take)) {
            (false, _) => Effects::of([Metadata, Release]),
            (true, false) => Effects::of([Metadata, Counting]),
            (true, true) => Effects::of([Metadata]),
        };
        effects.about(ty)
    }

    /// Returns whether all protocols of an existential type are class protocols. A class constraint of the type itself
    /// does not count.
    fn has_class_protocols_alone(self, ty: SilType) -> bool {
        self.queries.protocols_in(ty.ty).iter().all(|protocol| self.queries.is_class_protocol(*protocol))
    }

    fn metatype(self, result: Option<SilType>) -> Effects {
        use sil_ir::context::MetatypeRepresentation;
        let Some(ty) = result else { return Effects::default() };
        match self.queries.get(ty.ty) {
            Type::Metatype { representation: Some(MetatypeRepresentation::Thin), .. } => Effects::default(),
            Type::Metatype { instance, .. } => Effects::of([Effect::Metadata]).about(SilType::object(*instance)),
            _ => Effects::of([Effect::Metadata]),
        }
    }

    fn call(self, id: InstructionId) -> Effects {
        use Effect::*;
        let body = self.body;
        let mut kinds = Vec::new();
        let Some(site) = ApplySite::new(body, id) else { return Effects::default() };
        let representation = site.conventions(self.queries).map(|found| found.function.representation);
        match representation {
            Some(Representation::ObjCMethod | Representation::Block) => kinds.extend([ObjectiveC, Metadata]),
            Some(Representation::WitnessMethod(protocol)) => {
                let is_of_classes = self.queries.is_class_protocol(protocol);
                kinds.extend([Metadata, if is_of_classes { ClassExistential } else { Existential }]);
            }
            _ => {}
        }
        let opcode = body.instructions[id].opcode;
        if opcode == Opcode::BeginApply {
            kinds.push(Allocation);
        }
        if opcode == Opcode::PartialApply {
            if body.instructions[id].attributes.contains(Attribute::OnStack) {
                // As in Swift, address captures count too.
                let is_counted = |ty: SilType| !self.is_trivial(ty) && !self.is_borrowed_closure(ty);
                if site.arguments().iter().any(|value| is_counted(body.ty(*value))) {
                    kinds.push(Counting);
                }
            } else {
                kinds.extend([Allocation, Release, Metadata]);
            }
        }
        if let Details::Apply(apply) = &body.instructions[id].details
            && apply.substitutions != SubstitutionMapId::EMPTY
        {
            kinds.push(Metadata);
        }
        Effects { kinds, ty: None }
    }

    fn builtin(self, id: InstructionId) -> Effects {
        use Effect::*;
        let Details::Builtin(builtin) = &self.body.instructions[id].details else { return Effects::default() };
        let kind = builtin.kind();
        let Some(BuiltinKind::Named(named)) = kind else { return Effects::default() };
        match named {
            NamedBuiltin::Once | NamedBuiltin::OnceWithContext => Effects::of([Lock]),
            NamedBuiltin::IsUnique | NamedBuiltin::CopyArray => Effects::of([Counting]),
            NamedBuiltin::AllocRaw => Effects::of([Allocation]),
            NamedBuiltin::DeallocRaw => Effects::of([Deallocation]),
            NamedBuiltin::DestroyArray => Effects::of([Release]),
            _ => Effects::default(),
        }
    }
}
