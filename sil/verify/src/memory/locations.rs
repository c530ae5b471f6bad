//! Memory locations that a function can be followed through: stack memory and indirect arguments, divided into the
//! parts that projections name. A location with a use that is not understood is left out.

use rustc_hash::FxHashMap;
use sil_analysis::Uses;
use sil_ir::context::{ParameterConvention, ResultConvention, Type, TypeId};
use sil_ir::declarations::NominalKind;
use sil_ir::instructions::{Attribute, Opcode};
use sil_ir::model::{Body, Details, InstructionId, Value};

use crate::checker::FunctionVerifier;
use fixedbitset::FixedBitSet;

/// A location or a part of one.
pub(super) struct Location {
    /// An address of it.
    pub value: Value,
    /// This location's parts, and itself where they do not cover it.
    pub parts: FixedBitSet,
    parent: Option<usize>,
    uncovered: Option<Uncovered>,
}

/// How many fields of a location no part stands for.
#[derive(Clone, Copy)]
struct Uncovered {
    fields: i64,
    nontrivial: i64,
}

/// All locations of a function.
pub(super) struct Locations<'v, 'm> {
    verifier: &'v FunctionVerifier<'m>,
    body: &'m Body,
    uses: &'v Uses,
    all: Vec<Location>,
    by_address: FxHashMap<Value, usize>,
}

type Fields = FxHashMap<(usize, u32), usize>;

impl<'v, 'm> Locations<'v, 'm> {
    /// Finds the locations of the function.
    pub fn new(verifier: &'v FunctionVerifier<'m>, uses: &'v Uses) -> Self {
        let body = verifier.body;
        let mut locations = Self { verifier, body, uses, all: Vec::new(), by_address: FxHashMap::default() };
        locations.find_arguments();
        for block in body.blocks.keys() {
            for id in body.instructions_in(block) {
                locations.find_made_by(id);
            }
        }
        locations
    }

    fn find_arguments(&mut self) {
        let Some(conventions) = self.verifier.conventions else { return };
        let arguments = &self.body.blocks[self.body.entry()].arguments;
        for (argument, value) in conventions.arguments().zip(arguments) {
            use sil_ir::types::ArgumentRole::*;
            let followed = match argument.role {
                IndirectResult(index) => {
                    conventions.function.results[index as usize].convention == ResultConvention::Indirect
                }
                IndirectError => true,
                Parameter(index) => matches!(
                    conventions.function.parameters[index as usize].convention,
                    ParameterConvention::In
                        | ParameterConvention::InConstant
                        | ParameterConvention::InGuaranteed
                        | ParameterConvention::InOut
                ),
            };
            if followed && self.body.ty(*value).is_address() {
                self.analyze(*value);
            }
        }
    }

    fn find_made_by(&mut self, id: InstructionId) {
        let instruction = &self.body.instructions[id];
        match instruction.opcode {
            Opcode::AllocStack if !instruction.attributes.contains(Attribute::DynamicLifetime) => {
                for value in self.body.results(id) {
                    self.analyze(value);
                }
            }
            Opcode::BeginApply => {
                for value in self.body.results(id) {
                    if self.body.ty(value).is_address() {
                        self.analyze(value);
                    }
                }
            }
            _ => {}
        }
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn get(&self, index: usize) -> &Location {
        &self.all[index]
    }

    /// The location that an address is of.
    pub fn find(&self, address: Value) -> Option<&Location> {
        self.index_of(address).map(|index| &self.all[index])
    }

    pub fn index_of(&self, mut address: Value) -> Option<usize> {
        while let Some(id) = self.body.defining(address) {
            match (self.body.instructions[id].opcode, self.body.operands(id).first()) {
                (Opcode::BeginAccess | Opcode::MarkDependence, Some(operand)) => address = *operand,
                _ => break,
            }
        }
        self.by_address.get(&address).copied()
    }

    /// The locations that have a part whose destruction does something.
    pub fn nontrivial(&mut self) -> FixedBitSet {
        let mut bits = FixedBitSet::with_capacity(self.all.len());
        for index in 0..self.all.len() {
            if self.uncovered(index).nontrivial != 0 {
                bits.insert(index);
            }
        }
        bits
    }

    fn analyze(&mut self, root: Value) {
        let ty = self.body.ty(root).ty;
        if self.is_empty(ty) || self.verifier.properties(ty).is_guessed() {
            return;
        }
        let index = self.push(root, None);
        let mut collected = Vec::new();
        let mut fields = Fields::default();
        if self.analyze_uses(root, index, &mut collected, &mut fields) {
            self.by_address.insert(root, index);
        } else {
            self.all.truncate(index);
            for value in collected {
                self.by_address.remove(&value);
            }
        }
    }

    fn push(&mut self, value: Value, parent: Option<usize>) -> usize {
        let index = self.all.len();
        let mut parts = FixedBitSet::with_capacity(index + 1);
        parts.insert(index);
        self.all.push(Location { value, parts, parent, uncovered: None });
        index
    }

    /// Whether all uses of an address are understood.
    fn analyze_uses(&mut self, address: Value, index: usize, collected: &mut Vec<Value>, fields: &mut Fields) -> bool {
        use Opcode::*;
        let uses = self.uses;
        uses.of(address).iter().all(|found| {
            let id = found.user;
            let result = self.body.results(id).next();
            match (self.body.instructions[id].opcode, result) {
                (StructElementAddr | TupleElementAddr, Some(result)) => {
                    let field = self.field_number(id);
                    self.analyze_part(result, index, field, collected, fields)
                }
                (
                    InitExistentialAddr | OpenExistentialAddr | InitEnumDataAddr | UncheckedTakeEnumDataAddr,
                    Some(result),
                ) => self.analyze_part(result, index, 0, collected, fields),
                (BeginAccess, Some(result)) => self.analyze_uses(result, index, collected, fields),
                (MarkDependence, Some(result)) => {
                    found.operand != 0 || self.analyze_uses(result, index, collected, fields)
                }
                (LoadBorrow, Some(result)) => {
                    !uses.of(result).iter().any(|found| self.body.instructions[found.user].opcode == Br)
                }
                (
                    PartialApply
                    | DebugValue
                    | InjectEnumAddr
                    | SelectEnumAddr
                    | ExistentialMetatype
                    | ValueMetatype
                    | IsUnique
                    | FixLifetime
                    | Load
                    | Store
                    | StoreBorrow
                    | EndAccess
                    | DestroyAddr
                    | CheckedCastAddrBr
                    | UncheckedRefCastAddr
                    | UnconditionalCheckedCastAddr
                    | Apply
                    | TryApply
                    | BeginApply
                    | CopyAddr
                    | Yield
                    | DeallocStack
                    | SwitchEnumAddr
                    | WitnessMethod
                    | EndBorrow,
                    _,
                ) => true,
                _ => false,
            }
        })
    }

    fn field_number(&self, id: InstructionId) -> u32 {
        match &self.body.instructions[id].details {
            Details::Index(index) => *index,
            Details::Member(member) => match self.verifier.module.context.get_member(*member).target {
                sil_ir::context::MemberTarget::Stored(index) => index,
                _ => 0,
            },
            _ => 0,
        }
    }

    fn analyze_part(
        &mut self,
        projection: Value,
        parent: usize,
        field: u32,
        collected: &mut Vec<Value>,
        fields: &mut Fields,
    ) -> bool {
        let ty = self.body.ty(projection).ty;
        if self.is_empty(ty) {
            return false;
        }
        let part = match fields.get(&(parent, field)) {
            Some(part) => {
                if self.body.ty(self.all[*part].value).ty != ty {
                    return false;
                }
                *part
            }
            None => {
                let part = self.push(projection, Some(parent));
                fields.insert((parent, field), part);
                self.cover(parent, part, ty);
                part
            }
        };
        if !self.analyze_uses(projection, part, collected, fields) {
            return false;
        }
        self.by_address.insert(projection, part);
        collected.push(projection);
        true
    }

    /// Makes `part`, of type `ty`, a part of `parent` and of all that it is a part of.
    fn cover(&mut self, parent: usize, part: usize, ty: TypeId) {
        let ancestors: Vec<usize> = std::iter::successors(Some(parent), |index| self.all[*index].parent).collect();
        for ancestor in &ancestors {
            self.all[*ancestor].parts.grow_and_insert(part);
        }
        let mut uncovered = self.uncovered(parent);
        uncovered.fields -= 1;
        uncovered.nontrivial -= i64::from(!self.is_trivial(ty));
        self.all[parent].uncovered = Some(uncovered);
        if uncovered.fields <= 0 {
            for ancestor in ancestors {
                self.all[ancestor].parts.remove(parent);
            }
        }
    }

    fn uncovered(&mut self, index: usize) -> Uncovered {
        if let Some(found) = self.all[index].uncovered {
            return found;
        }
        let ty = self.body.ty(self.all[index].value).ty;
        let mut found = Uncovered { fields: 0, nontrivial: 0 };
        for field in self.fields_of(ty) {
            if !self.is_empty(field) {
                found.fields += 1;
                found.nontrivial += i64::from(!self.is_trivial(field));
            }
        }
        self.all[index].uncovered = Some(found);
        found
    }

    fn fields_of(&self, ty: TypeId) -> Vec<TypeId> {
        let queries = self.verifier.queries;
        let declaration = queries.declaration_of(ty);
        match queries.get(ty) {
            Type::Tuple(elements) => elements.iter().map(|element| element.ty).collect(),
            Type::Nominal(_) if declaration.is_some_and(|declaration| declaration.kind == NominalKind::Struct) => {
                queries.stored_property_types(ty).unwrap_or_default()
            }
            _ => vec![ty],
        }
    }

    /// Whether a type has no bits.
    pub fn is_empty(&self, ty: TypeId) -> bool {
        self.is_empty_within(ty, &mut Vec::new())
    }

    /// The same for a part of the types in `open`: a type that contains itself has no end, and is not empty.
    fn is_empty_within(&self, ty: TypeId, open: &mut Vec<TypeId>) -> bool {
        let is_struct = || {
            let declaration = self.verifier.queries.declaration_of(ty);
            declaration.is_some_and(|declaration| declaration.kind == NominalKind::Struct)
        };
        let has_parts = match self.verifier.queries.get(ty) {
            Type::Tuple(_) => true,
            Type::Nominal(_) => is_struct(),
            _ => false,
        };
        if !has_parts || open.contains(&ty) {
            return false;
        }
        open.push(ty);
        let is_empty = self.fields_of(ty).into_iter().all(|field| self.is_empty_within(field, open));
        open.pop();
        is_empty
    }

    /// Whether destroying a value has no effect, or an effect that is not known.
    pub fn is_trivial(&self, ty: TypeId) -> bool {
        let properties = self.verifier.properties(ty);
        properties.is_trivial() || properties.is_guessed()
    }
}
