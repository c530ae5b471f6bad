//! The types of an instruction's results, from the written types and the types of the operands.

use sil_ir::context::*;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::instructions::{Attribute, Opcode, ResultRule};
use sil_ir::model::Details;
use sil_ir::source::Span;
use sil_ir::types::*;

use super::super::Parsed;
use super::super::body::BodyReader;

/// The attributes of `partial_apply` that become attributes of the closure's type.
const OF_CLOSURES: [(Attribute, FunctionAttribute); 3] = [
    (Attribute::Isolated, FunctionAttribute::IsolatedAny),
    (Attribute::CalledAtMostOnce, FunctionAttribute::CalledAtMostOnce),
    (Attribute::CalledExactlyOnce, FunctionAttribute::CalledExactlyOnce),
];

impl BodyReader<'_, '_> {
    /// Adds the types of the results of the drafted instruction to the draft.
    pub(in super::super) fn results(&mut self, opcode: Opcode, span: Span) -> Parsed<()> {
        let result = match opcode.information().result {
            ResultRule::None => return Ok(()),
            ResultRule::Operand(index) => self.operand_type(index.into(), span)?,
            ResultRule::ObjectOf(index) => SilType::object(self.operand_type(index.into(), span)?.ty),
            ResultRule::Written(index) => self.draft.types[usize::from(index)],
            ResultRule::AddressOf(index) => SilType::address(self.draft.types[usize::from(index)].ty),
            ResultRule::Builtin(builtin) => self.builtin_type(builtin),
            ResultRule::Own => return self.own_results(opcode, span),
        };
        self.draft.results.push(result);
        Ok(())
    }

    fn own_results(&mut self, opcode: Opcode, span: Span) -> Parsed<()> {
        use Opcode::*;
        let result = match opcode {
            ProjectBox => {
                let index = self.index();
                self.part_of_operand(0, span, "field", |queries, base| queries.box_field_type(base, index))?
            }
            StructExtract | StructElementAddr | RefElementAddr => self.field(opcode, span)?,
            VectorBaseAddr => {
                self.part_of_operand(0, span, "elements", |queries, base| queries.vector_element(base))?
            }
            TupleExtract | TupleElementAddr => {
                let index = self.index();
                let part =
                    self.part_of_operand(0, span, "element", |queries, base| queries.tuple_element_type(base, index))?;
                SilType { ty: part.ty, category: self.operand_type(0, span)?.category }
            }
            UncheckedEnumData | InitEnumDataAddr | UncheckedTakeEnumDataAddr => self.payload(span)?,
            DestructureStruct | DestructureTuple => return self.destructured(span),
            AllocRef | AllocRefDynamic => self.last_type(span)?,
            Vector => self.vector_type(span)?,
            SelectEnum | SelectEnumAddr | InitBlockStorageHeader => self.last_type(span)?,
            Tuple => self.tuple_type(span)?,
            StrongCopyWeakValue | StrongCopyUnownedValue | StrongCopyUnmanagedValue | LoadWeak | LoadUnowned => {
                self.part_of_operand(0, span, "referent", |queries, base| referent(queries.get(base)))?.object_type()
            }
            WeakCopyValue => self.storage_type(StorageKind::Weak, span)?,
            UnownedCopyValue => self.storage_type(StorageKind::Unowned, span)?,
            BeginCowMutation => {
                let bit = self.builtin_type(BuiltinType::Integer(1));
                self.draft.results.push(bit);
                self.operand_type(0, span)?
            }
            CopyableToMoveonlywrapper | CopyableToMoveonlywrapperAddr => self.wrapped(opcode, span)?,
            MoveonlywrapperToCopyable | MoveonlywrapperToCopyableAddr => self.unwrapped(opcode, span)?,
            MoveonlywrapperToCopyableBox => self.unwrapped_box(span)?,
            FunctionExtractIsolation | ImplicitactorToOpaqueisolationCast => self.optional_actor(span)?,
            ClassifyBridgeObject => {
                let bit = self.builtin_type(BuiltinType::Integer(1)).ty;
                self.tuple_of([bit, bit])
            }
            UnconditionalCheckedCast => {
                SilType::object(self.queries.lower(self.formal_type(span)?, AbstractionPattern::Opaque))
            }
            InitExistentialAddr => {
                SilType::address(self.queries.lower(self.formal_type(span)?, AbstractionPattern::Opaque))
            }
            ProjectBlockStorage => {
                self.part_of_operand(0, span, "capture", |queries, base| match queries.get(base) {
                    Type::BlockStorage(capture) => Some(*capture),
                    _ => None,
                })?
            }
            Apply | BeginApply | PartialApply | Thunk => return self.call_results(opcode, span),
            TryApply => return Ok(()),
            EndApply => self.coroutine_result(span)?,
            DifferentiableFunction | LinearFunction => self.differentiable_type(opcode, span)?,
            DifferentiableFunctionExtract | LinearFunctionExtract => self.extracted_type(span)?,
            DifferentiabilityWitnessFunction => self.witness_function_type(span)?,
            _ => return Err(Box::new(Diagnostic::unsupported(format!("'{}'", opcode.name()), span))),
        };
        self.draft.results.push(result);
        Ok(())
    }

    pub(super) fn builtin_type(&self, builtin: BuiltinType) -> SilType {
        SilType::object(self.reader.context.ty(Type::Builtin(builtin)))
    }

    fn index(&self) -> u32 {
        if let Details::Index(index) = self.draft.details { index } else { 0 }
    }

    fn last_type(&self, span: Span) -> Parsed<SilType> {
        let missing = || Box::new(Diagnostic::error("type-missing", "a type is missing", span));
        self.draft.types.last().copied().ok_or_else(missing)
    }

    fn formal_type(&self, span: Span) -> Parsed<TypeId> {
        match self.draft.details {
            Details::FormalType(ty) => Ok(ty),
            _ => Err(Box::new(Diagnostic::error("type-missing", "a type is missing", span))),
        }
    }

    /// Returns the address type of a part of the operand's type; an error if there is no such part.
    fn part_of_operand(
        &self,
        operand: usize,
        span: Span,
        part: &str,
        find: impl FnOnce(&TypeQueries<'_>, TypeId) -> Option<TypeId>,
    ) -> Parsed<SilType> {
        let base = self.operand_type(operand, span)?;
        match find(self.queries, base.ty) {
            Some(ty) => Ok(SilType::address(ty)),
            None if self.queries.is_undeclared(base.ty) => Ok(SilType::address(self.unstated_type())),
            None => {
                let message = format!("the type of the operand has no such {part}");
                Err(Box::new(Diagnostic::error("no-such-part", message, span)))
            }
        }
    }

    /// Returns the placeholder for an unknown type of a part, until a use determines it.
    fn unstated_type(&self) -> TypeId {
        self.reader.context.ty(Type::unresolved(self.reader.context.name("_")))
    }

    fn member(&self) -> Option<MemberId> {
        if let Details::Member(member) = self.draft.details { Some(member) } else { None }
    }

    fn field(&mut self, opcode: Opcode, span: Span) -> Parsed<SilType> {
        let member = self.member();
        self.suppose_parent(member, span)?;
        let address = self
            .part_of_operand(0, span, "stored property", |queries, base| queries.stored_property_type(base, member?))?;
        Ok(if opcode == Opcode::StructExtract { address.object_type() } else { address })
    }

    /// Sets the type of an operand to the type that declares its member, if that has no generic parameters. This
    /// applies to an operand of unknown type, and to a member type of a parameter that requirements fix.
    fn suppose_parent(&mut self, member: Option<MemberId>, span: Span) -> Parsed<()> {
        let operand = self.operand_type(0, span)?;
        let parent = member.and_then(|member| self.reader.context.get_member(member).parent);
        if let Some(declaration) = parent
            && self.queries.is_uncertain(operand.ty)
            && self.reader.declarations.get(declaration).signature.is_none()
        {
            let nominal = NominalType { declaration, parent: None, arguments: Box::default() };
            let ty = self.reader.context.ty(Type::Nominal(nominal));
            self.body.values[self.draft.operands[0]].ty.ty = ty;
        }
        Ok(())
    }

    fn payload(&mut self, span: Span) -> Parsed<SilType> {
        let member = self.member();
        self.suppose_parent(member, span)?;
        let category = self.operand_type(0, span)?.category;
        let payload = self.part_of_operand(0, span, "case with a payload", |queries, base| {
            queries.enum_payload_type(base, member?)
        })?;
        Ok(SilType { ty: payload.ty, category })
    }

    fn destructured(&mut self, span: Span) -> Parsed<()> {
        let base = self.operand_type(0, span)?;
        let parts = self.queries.tuple_element_types(base.ty).or_else(|| self.queries.stored_property_types(base.ty));
        let undeclared = || vec![self.unstated_type(); self.draft.named_results];
        let parts = parts.or_else(|| self.queries.is_undeclared(base.ty).then(undeclared));
        let Some(parts) = parts else {
            return Err(Box::new(Diagnostic::error("no-such-part", "the operand has no parts to take apart", span)));
        };
        self.draft.results.extend(parts.into_iter().map(SilType::object));
        Ok(())
    }

    fn tuple_of(&self, types: impl IntoIterator<Item = TypeId>) -> SilType {
        let elements = types.into_iter().map(|ty| TupleElement { label: None, ty });
        SilType::object(self.reader.context.ty(Type::Tuple(elements.collect())))
    }

    fn tuple_type(&self, span: Span) -> Parsed<SilType> {
        if let Some(written) = self.draft.types.first() {
            return Ok(*written);
        }
        let element = |index| {
            let ty = self.operand_type(index, span)?.ty;
            // A tuple contains the value without its wrapper.
            Ok(if let Type::MoveOnlyWrapper(inner) = self.queries.get(ty) { *inner } else { ty })
        };
        let types: Parsed<Vec<_>> = (0..self.draft.operands.len()).map(element).collect();
        Ok(self.tuple_of(types?))
    }

    fn vector_type(&self, span: Span) -> Parsed<SilType> {
        let element = self.operand_type(0, span)?.ty;
        let count = self.reader.context.ty(Type::Integer(self.draft.operands.len() as i64));
        Ok(self.builtin_type(BuiltinType::FixedArray { count, element }))
    }

    fn storage_type(&self, kind: StorageKind, span: Span) -> Parsed<SilType> {
        let referent = self.operand_type(0, span)?.ty;
        Ok(SilType::object(self.reader.context.ty(Type::Storage { kind, referent })))
    }

    fn wrapped(&self, opcode: Opcode, span: Span) -> Parsed<SilType> {
        let operand = self.operand_of_wrapper_cast(opcode, span)?;
        if let Type::MoveOnlyWrapper(_) = self.queries.get(operand.ty) {
            return Err(wrong_operand(opcode, "must not be of moveonlywrapped type", span));
        }
        Ok(SilType { ty: self.reader.context.ty(Type::MoveOnlyWrapper(operand.ty)), category: operand.category })
    }

    fn unwrapped(&self, opcode: Opcode, span: Span) -> Parsed<SilType> {
        let operand = self.operand_of_wrapper_cast(opcode, span)?;
        match self.queries.get(operand.ty) {
            Type::MoveOnlyWrapper(inner) => Ok(SilType { ty: *inner, category: operand.category }),
            _ if self.queries.is_undeclared(operand.ty) => {
                Ok(SilType { ty: self.unstated_type(), category: operand.category })
            }
            _ => Err(wrong_operand(opcode, "must be of moveonlywrapped type", span)),
        }
    }

    /// Returns the type of the wrapped or unwrapped operand: an address or an object, as `opcode` requires
    /// (lib/SIL/Parser/ParseSIL.cpp).
    fn operand_of_wrapper_cast(&self, opcode: Opcode, span: Span) -> Parsed<SilType> {
        use Opcode::{CopyableToMoveonlywrapperAddr, MoveonlywrapperToCopyableAddr};
        let operand = self.operand_type(0, span)?;
        let in_memory = matches!(opcode, CopyableToMoveonlywrapperAddr | MoveonlywrapperToCopyableAddr);
        match operand.category {
            ValueCategory::Object if in_memory => Err(wrong_operand(opcode, "must have address type", span)),
            ValueCategory::Address if !in_memory => Err(wrong_operand(opcode, "must have object type", span)),
            _ => Ok(operand),
        }
    }

    fn unwrapped_box(&self, span: Span) -> Parsed<SilType> {
        let context = self.reader.context;
        let unwrap = |field: &BoxField| match context.get(field.ty) {
            Type::MoveOnlyWrapper(inner) => BoxField { mutability: field.mutability, ty: *inner },
            _ => *field,
        };
        let part = self.part_of_operand(0, span, "box of a wrapped type", |queries, base| match queries.get(base) {
            Type::Box(layout) => {
                let fields = layout.fields.iter().map(unwrap).collect();
                Some(context.ty(Type::Box(Box::new(BoxType { fields, ..(**layout).clone() }))))
            }
            _ => None,
        })?;
        Ok(part.object_type())
    }

    /// `Optional<any Actor>`
    fn optional_actor(&self, span: Span) -> Parsed<SilType> {
        let context = self.reader.context;
        let actor = self.reader.declarations.top_level(context.name("Actor"));
        let optional = actor.and_then(|protocol| {
            let constraint = context.ty(Type::Protocol { protocol, arguments: Box::default() });
            self.queries.optional_of(context.ty(Type::Existential(constraint)))
        });
        match optional {
            Some(ty) => Ok(SilType::object(ty)),
            None => Err(Box::new(Diagnostic::error("unknown-type", "the protocol 'Actor' is not declared", span))),
        }
    }

    fn call_results(&mut self, opcode: Opcode, span: Span) -> Parsed<()> {
        let Details::Apply(apply) = &self.draft.details else { return Ok(()) };
        let callee = apply.callee_type.ty;
        let applied = self.queries.apply_substitutions(callee, apply.substitutions);
        let not_callable = || Box::new(Diagnostic::error("callee-type", "the callee cannot be called like this", span));
        let result = match opcode {
            Opcode::PartialApply => {
                let attributes = self.draft.attributes;
                let convention = match attributes.contains(Attribute::CalleeGuaranteed) {
                    true => CalleeConvention::Guaranteed,
                    false => CalleeConvention::Owned,
                };
                let storage = match attributes.contains(Attribute::OnStack) {
                    true => ClosureStorage::Stack,
                    false => ClosureStorage::Heap,
                };
                let count = self.draft.operands.len() - 1;
                let closure = self.queries.partial_apply_type(callee, apply.substitutions, count, convention, storage);
                let mut closure = closure.ok_or_else(not_callable)?;
                for (said, attribute) in OF_CLOSURES {
                    if attributes.contains(said) {
                        closure = self.with_attribute(closure, attribute);
                    }
                }
                SilType::object(closure)
            }
            Opcode::Thunk => SilType::object(self.thick(applied)),
            Opcode::BeginApply => {
                let conventions = self.queries.conventions(applied).ok_or_else(not_callable)?;
                self.draft.results.extend(conventions.yields());
                let token = self.builtin_type(BuiltinType::Token);
                if conventions.function.coroutine == CoroutineKind::YieldOnce2 {
                    self.draft.results.push(token);
                    SilType::address(token.ty)
                } else {
                    token
                }
            }
            _ => {
                let conventions = self.queries.conventions(applied).ok_or_else(not_callable)?;
                self.queries.direct_result(conventions)
            }
        };
        self.draft.results.push(result);
        Ok(())
    }

    /// Returns the closure type of a thunk for a function: thick, with a guaranteed context.
    fn thick(&self, callee: TypeId) -> TypeId {
        let context = self.reader.context;
        let Type::Function(function) = context.get(callee) else { return callee };
        let mut function = function.clone();
        function.representation = Representation::Thick;
        function.callee = CalleeConvention::Guaranteed;
        context.ty(Type::Function(function))
    }

    fn with_attribute(&self, closure: TypeId, attribute: FunctionAttribute) -> TypeId {
        let context = self.reader.context;
        let Type::Function(function) = context.get(closure) else { return closure };
        let mut function = function.clone();
        function.attributes.insert(attribute);
        context.ty(Type::Function(function))
    }

    /// Returns the written type. Older SIL has none; the type is then the result of the token's coroutine.
    fn coroutine_result(&self, span: Span) -> Parsed<SilType> {
        if let Some(written) = self.draft.types.first() {
            return Ok(*written);
        }
        let token = self.draft.operands.first().and_then(|token| self.body.defining(*token));
        let details = token.map(|instruction| &self.body.instructions[instruction].details);
        if let Some(Details::Apply(apply)) = details {
            let conventions = self.queries.applied_conventions(apply.callee_type.ty, apply.substitutions);
            if let Some(conventions) = conventions {
                return Ok(self.queries.direct_result(conventions));
            }
        }
        Err(Box::new(Diagnostic::error("type-missing", "the type of the result is missing: 'as $T'", span)))
    }
}

fn referent(ty: &Type) -> Option<TypeId> {
    if let Type::Storage { referent, .. } = ty { Some(*referent) } else { None }
}

/// Returns the error for an invalid operand, in the words of Swift's parser (include/swift/AST/DiagnosticsParse.def).
fn wrong_operand(opcode: Opcode, rule: &str, span: Span) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("wrong-operand", format!("operand of '{}' {rule}", opcode.name()), span))
}
