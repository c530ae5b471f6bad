//! Structures and vectors in functions with C's convention. Only clang knows how each target passes them: silc's code
//! passes their addresses to functions that clang compiles (`headers::Request`), which are inlined. Owns: the request
//! to clang. `c_definitions` sends it.

use std::collections::BTreeMap;
use std::rc::Rc;

use headers::{Accessor, AccessorKind, CFunction, CScalar, CValue, Request};
use inkwell::GlobalVisibility;
use inkwell::module::Linkage;
use inkwell::types::{BasicMetadataTypeEnum, FunctionType as LlvmFunctionType};
use inkwell::values::FunctionValue;
use sil_ir::context::{FunctionType, TypeId, VectorElement};
use sil_ir::declarations::NominalDeclaration;
use sil_ir::model::{Function, FunctionId};
use sil_ir::symbols::{BitFieldAccessor, bit_field_accessor};

use super::IRGenModule;
use super::entities::Entity;
use super::signature::Signature;
use crate::layout::{Scalar, TypeInfo};
use crate::llvm::modules;
use crate::refusal::{Generated, error_without_place};
use crate::target::Architecture;

/// The request to clang for the functions emitted so far.
#[derive(Default)]
pub struct CStructures {
    /// The functions that call with C's convention, by the types of their callees.
    calls: Vec<(Rc<CFunction>, String)>,
    /// The functions that C calls: the symbol, the symbol of the body, the type.
    entries: BTreeMap<String, (String, CFunction)>,
    linkages: Vec<EntryLinkage>,
}

/// The visibility of a function that clang defines for a SIL function.
#[derive(Clone, Debug)]
pub struct EntryLinkage {
    /// Its symbol.
    pub symbol: String,
    /// Its linkage.
    pub linkage: Linkage,
    /// Its visibility.
    pub visibility: GlobalVisibility,
}

/// The definitions that clang makes for a module.
#[derive(Default, Debug)]
pub struct CDefinitions {
    /// The request.
    pub request: Request,
    /// The linkage of the functions that C calls.
    pub entries: Vec<EntryLinkage>,
}

impl<'ctx> IRGenModule<'_, 'ctx> {
    /// Returns the type of a function with C's convention that takes or returns C structures, or `None` for others.
    pub(super) fn function_with_structures(&self, function: &FunctionType) -> Generated<Option<CFunction>> {
        let direct = function.results.iter().filter(|result| !result.convention.is_indirect());
        let results: Vec<TypeId> = direct.map(|result| result.ty).collect();
        let parameters = function.parameters.iter().filter(|parameter| !parameter.convention.is_indirect());
        let direct: Vec<TypeId> = parameters.map(|parameter| parameter.ty).chain(results.iter().copied()).collect();
        if !direct.iter().any(|ty| self.is_passed_by_clang(*ty)) {
            return match direct.into_iter().find(|ty| !self.is_passed_as_by_llvm(*ty)) {
                Some(vector) => Err(self.unsupported_type(vector)),
                None => Ok(None),
            };
        }
        let mut values = Vec::new();
        for parameter in &function.parameters {
            match parameter.convention.is_indirect() {
                true => values.push(CValue::Scalar(CScalar::Pointer)),
                false => values.extend(self.c_value(parameter.ty)?),
            }
        }
        let result = match results[..] {
            [] => None,
            [only] => self.c_value(only)?,
            [first, ..] => return Err(self.unsupported_type(first)),
        };
        Ok(Some(CFunction { parameters: values, result }))
    }

    /// Returns whether clang determines how the type is passed: a type with C layout, or a vector if headers are
    /// available.
    pub(super) fn is_passed_by_clang(&self, ty: TypeId) -> bool {
        self.is_c_structure(ty) || (self.program.headers.is_some() && self.c_vector(ty).is_some())
    }

    fn is_c_structure(&self, ty: TypeId) -> bool {
        let declaration = self.types.queries.declaration_of(ty);
        declaration.is_some_and(|declaration| declaration.attributes.c_layout.is_some())
    }

    /// Returns the C form of a value, or `None` for an empty value.
    fn c_value(&self, ty: TypeId) -> Generated<Option<CValue>> {
        if self.is_c_structure(ty) {
            return self.record_of(ty).map(Some);
        }
        let info = self.types.info(ty)?;
        match self.c_scalar(ty, &info).map(CValue::Scalar).or_else(|| self.c_vector(ty)) {
            None if info.elements.is_empty() && info.size == 0 => Ok(None),
            None => Err(self.unsupported_type(ty)),
            Some(value) => Ok(Some(value)),
        }
    }

    /// Returns whether C's convention and LLVM pass the type in the same registers; vectors are only known if they fill
    /// registers.
    fn is_passed_as_by_llvm(&self, ty: TypeId) -> bool {
        let Ok(info) = self.types.info(ty) else { return true };
        let is_vector = |scalar: Scalar| matches!(scalar, Scalar::Vector { .. });
        let mut vectors = info.elements.iter().filter(|element| is_vector(element.scalar));
        let has_registers = matches!(
            self.options.architecture,
            Architecture::X86_64 | Architecture::Aarch64 | Architecture::Arm | Architecture::Thumb
        );
        vectors.all(|vector| has_registers && matches!(vector.bits, 64 | 128))
    }

    fn c_vector(&self, ty: TypeId) -> Option<CValue> {
        let info = self.types.info(ty).ok()?;
        let [element] = info.elements.as_slice() else { return None };
        let Scalar::Vector { element, count } = element.scalar else { return None };
        let element = match element {
            VectorElement::Integer(bits @ (8 | 16 | 32 | 64)) => CScalar::Integer { bits, is_signed: true },
            VectorElement::Float(bits @ (16 | 32 | 64)) => CScalar::Float { bits },
            VectorElement::Integer(_) | VectorElement::Float(_) | VectorElement::RawPointer => return None,
        };
        let count = if self.types.queries.is_vector_of_three(ty) { 3 } else { count };
        Some(CValue::Vector { element, count })
    }

    fn c_scalar(&self, ty: TypeId, info: &TypeInfo) -> Option<CScalar> {
        let [element] = info.elements.as_slice() else { return None };
        match element.scalar {
            Scalar::Integer(1) => Some(CScalar::Bool),
            Scalar::Integer(bits @ (8 | 16 | 32 | 64)) => {
                Some(CScalar::Integer { bits, is_signed: self.types.is_signed_integer(ty) })
            }
            Scalar::Float(bits @ (16 | 32 | 64)) => Some(CScalar::Float { bits }),
            Scalar::Pointer => Some(CScalar::Pointer),
            Scalar::Integer(_) | Scalar::Float(_) | Scalar::Vector { .. } => None,
        }
    }

    fn record_of(&self, ty: TypeId) -> Generated<CValue> {
        let path = self.types.queries.declaration_of(ty).map(|declaration| self.path_of(declaration));
        let path = path.ok_or_else(|| self.unsupported_type(ty))?;
        match self.program.headers {
            Some(headers) if headers.has_record(&path) => Ok(CValue::Record(path)),
            headers => {
                let message = format!("how C functions take and return '{}' is not known", path.join("."));
                let error = error_without_place("c-structure", message);
                let hint = match headers {
                    Some(_) => "no C header that is given declares it",
                    None => "give the C header that declares it (--import-header FILE)",
                };
                Err(Box::new(error.hint(hint)))
            }
        }
    }

    fn path_of(&self, declaration: &NominalDeclaration) -> Vec<String> {
        let mut path = Vec::new();
        let mut next = Some(declaration);
        while let Some(declaration) = next {
            path.push(self.sil.context.text(declaration.name).to_owned());
            next = declaration.parent.map(|parent| self.sil.declarations.get(parent));
        }
        path.reverse();
        path
    }

    /// Returns the function that calls a function of this signature with C's convention. The address of the callee is
    /// its first parameter.
    pub fn c_call(&self, structures: &Rc<CFunction>, signature: &Signature<'ctx>) -> FunctionValue<'ctx> {
        let mut requested = self.c_structures.borrow_mut();
        let known =
            requested.calls.iter().find(|(function, _)| function == structures).map(|(_, symbol)| symbol.clone());
        let symbol = known.unwrap_or_else(|| {
            let symbol = format!("silc_c_call_{}", requested.calls.len());
            requested.calls.push((structures.clone(), symbol.clone()));
            symbol
        });
        let known = self.llvm.get_function(&symbol);
        known.unwrap_or_else(|| self.llvm.add_function(&symbol, self.with_callee(signature.llvm), None))
    }

    /// Returns a function type with an additional address as the first parameter.
    fn with_callee(&self, ty: LlvmFunctionType<'ctx>) -> LlvmFunctionType<'ctx> {
        let callee = BasicMetadataTypeEnum::from(self.builder.ptr_type());
        let parameters: Vec<_> = std::iter::once(callee).chain(ty.get_param_types()).collect();
        match ty.get_return_type() {
            Some(result) => inkwell::types::BasicType::fn_type(&result, &parameters, false),
            None => self.context.void_type().fn_type(&parameters, false),
        }
    }

    /// Returns the function with the body of the SIL function `entry`, which clang defines: structures are passed by
    /// address.
    pub(crate) fn c_body(&self, entry: FunctionValue<'ctx>, structures: &CFunction) -> FunctionValue<'ctx> {
        let mut requested = self.c_structures.borrow_mut();
        let (global, body) = (entry.as_global_value(), format!("silc_c_body_{}", requested.entries.len()));
        let symbol = modules::name_of(global);
        let (linkage, visibility) = (global.get_linkage(), global.get_visibility());
        requested.linkages.push(EntryLinkage { symbol: symbol.clone(), linkage, visibility });
        global.set_linkage(Linkage::External);
        global.set_visibility(GlobalVisibility::Default);
        requested.entries.insert(symbol, (body.clone(), structures.clone()));
        self.llvm.add_function(&body, entry.get_type(), None)
    }

    /// Returns the definitions that clang makes for the declared functions, all of which are known now.
    pub(super) fn c_definitions(&self) -> CDefinitions {
        let requested = self.c_structures.take();
        let mut request = Request {
            calls: requested.calls.into_iter().map(|(function, symbol)| (symbol, (*function).clone())).collect(),
            entries: requested.entries,
            ..Request::default()
        };
        if let Some(headers) = self.program.headers {
            let functions = self.sil.functions.keys().filter(|id| self.is_declared_only(*id));
            for id in functions {
                let symbol = self.symbol_of_function(&self.sil.functions[id]);
                if headers.defines(&symbol) {
                    request.definitions.push(symbol);
                } else {
                    request.accessors.extend(self.accessor(&symbol, &self.sil.functions[id]));
                }
            }
            let globals = self.sil.globals.iter().filter(|(_, global)| global.initializer.is_none());
            let symbols = globals.filter_map(|(id, _)| self.declared_variable(&Entity::Global(id)));
            request.definitions.extend(symbols.map(modules::name_of).filter(|symbol| headers.defines(symbol)));
        }
        CDefinitions { request, entries: requested.linkages }
    }

    fn is_declared_only(&self, id: FunctionId) -> bool {
        let declared = self.declared_function(&Entity::Function(id));
        declared.is_some_and(|function| function.count_basic_blocks() == 0)
            && !self.is_defined_here(&self.sil.functions[id])
    }

    /// Returns the accessor that Swift's importer synthesises for a bit-field, if `symbol` is one:
    /// `$So3cfga$level$setter`.
    fn accessor(&self, symbol: &str, function: &Function) -> Option<Accessor> {
        let headers = self.program.headers?;
        let BitFieldAccessor { record, field, sets } = bit_field_accessor(symbol)?;
        if !headers.has_bit_field(&record, &field) {
            return None;
        }
        let sil_ir::context::Type::Function(ty) = self.sil.context.get(function.ty) else { return None };
        let (value, kind) = match sets {
            true => (ty.parameters.first()?.ty, AccessorKind::Setter),
            false => (ty.results.first()?.ty, AccessorKind::Getter),
        };
        let value = self.c_scalar(value, &*self.types.info(value).ok()?)?;
        Some(Accessor { symbol: symbol.to_owned(), record, field, kind, value })
    }
}
