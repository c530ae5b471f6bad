//! The context that a function takes instead of the arguments that its partial applications bind.

use sil_analysis::ApplyKind;
use sil_ir::context::{
    BoxField, BoxType, BuiltinType, CalleeConvention, CapturesGenerics, FunctionType, Mutability, Parameter,
    ParameterConvention, ParameterOptions, Representation, SilType, TupleElement, Type, TypeId,
};
use sil_ir::declarations::NominalKind;
use sil_ir::diagnostic::Diagnostic;

use super::applications::{Applications, ClosureLifetime, Example, Site};

use sil_ir::model::{FunctionFlag, FunctionId, Module, Value};
use sil_ir::types::{FunctionConventions, TypeQueries};

use crate::InstructionBuilder;

/// The change of a function.
pub(super) struct Change {
    /// The new type.
    pub(super) ty: TypeId,
    /// The context that replaces the last parameters, or `None` if only the representation changes.
    pub(super) context: Option<Context>,
}

/// The context of a closure.
pub(super) struct Context {
    /// The type of the box or of the stack memory.
    pub(super) ty: TypeId,
    /// The type of the contents: the single capture, or a tuple of all.
    pub(super) held: TypeId,
    pub(super) lifetime: ClosureLifetime,
    /// The parameter convention of the context.
    pub(super) convention: ParameterConvention,
    /// The captures.
    pub(super) captures: Vec<Capture>,
    /// The index of the first captured argument.
    pub(super) first_argument: usize,
}

/// A captured value in a context.
#[derive(Clone, Copy)]
pub(super) struct Capture {
    /// The type of the original argument.
    pub(super) ty: TypeId,
    /// The type of the field in the context.
    pub(super) field: TypeId,
    pub(super) passing: Passing,
}

/// The way in which the function gets a captured value from the context.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Passing {
    /// Loaded, and trivial.
    Trivial,
    /// Loaded, and valid as long as the context.
    Borrowed,
    /// Loaded and retained.
    Copied,
    /// By its address in the context.
    InPlace,
    /// By the address of a copy.
    CopiedInMemory,
    /// By an address that the context holds.
    Address(Aliasing),
}

/// The aliasing of an address.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Aliasing {
    Exclusive,
    Aliasable,
}

impl Passing {
    fn of(convention: ParameterConvention, is_trivial: bool) -> Option<Self> {
        use ParameterConvention::*;
        Some(match convention {
            Owned | Guaranteed | Unowned if is_trivial => Self::Trivial,
            Guaranteed | Unowned => Self::Borrowed,
            Owned => Self::Copied,
            InGuaranteed => Self::InPlace,
            In | InConstant | InCxx => Self::CopiedInMemory,
            InOut => Self::Address(Aliasing::Exclusive),
            InOutAliasable => Self::Address(Aliasing::Aliasable),
            PackOwned | PackGuaranteed | PackInOut => return None,
        })
    }

    /// Returns whether the value is only valid as long as the context.
    pub(super) fn needs_context(self) -> bool {
        matches!(self, Self::Borrowed | Self::InPlace)
    }
}

impl Context {
    /// The address of the capture `index`, projected from the address of the contents.
    pub(super) fn part(&self, builder: &mut InstructionBuilder<'_>, whole: Value, index: usize) -> Value {
        match self.captures.get(index) {
            Some(capture) if self.captures.len() > 1 => {
                let address = SilType::address(capture.field);
                builder.tuple_element_addr(whole, index as u32, address)
            }
            _ => whole,
        }
    }
}

impl Change {
    /// The change of `callee`, or `None` if it is left unchanged.
    pub(super) fn of(
        module: &Module,
        queries: &TypeQueries<'_>,
        callee: FunctionId,
        applications: &Applications,
    ) -> Result<Option<Self>, Box<Diagnostic>> {
        let Some(example) = applications.example(module) else { return Ok(None) };
        let Type::Function(function) = module.context.get(module.functions[callee].ty) else { return Ok(None) };
        if is_simple(queries, function, &example) {
            return Ok(None);
        }
        let method = FunctionType { representation: Representation::Method, ..(**function).clone() };
        if is_simple(queries, &method, &example) {
            return Ok(Some(Self { ty: module.context.ty(Type::Function(Box::new(method))), context: None }));
        }
        // A caller that has the arguments need not allocate a context for them.
        let is_called_too = example.lifetime == ClosureLifetime::Escaping && !applications.full.is_empty();
        if is_called_too || function.signature.is_some() {
            return Ok(None);
        }
        let question = Question { module, queries, callee, applications, example };
        let context = question.context(function)?;
        let (convention, options) = (context.convention, ParameterOptions::default());
        let parameter = Parameter { convention, ty: context.ty, options };
        let open = function.parameters.len() - context.captures.len();
        let parameters = function.parameters[..open].iter().copied().chain([parameter]).collect();
        let ty = module.context.ty(Type::Function(Box::new(FunctionType { parameters, ..method })));
        Ok(Some(Self { ty, context: Some(context) }))
    }
}

/// The function whose context is determined.
struct Question<'q, 'm> {
    module: &'m Module,
    queries: &'q TypeQueries<'q>,
    callee: FunctionId,
    applications: &'q Applications,
    example: Example<'m>,
}

impl Question<'_, '_> {
    fn context(&self, function: &FunctionType) -> Result<Context, Box<Diagnostic>> {
        let example = self.applications.partial[0];
        if function.pattern.is_some() || function.invocation.is_some() {
            return Err(self.refuse(example, "the simplification of a closure with a substituted function type"));
        }
        let open = function.parameters.len().checked_sub(self.example.argument_count);
        let Some(open) = open.filter(|open| *open < function.parameters.len()) else {
            return Err(self.refuse(example, "the simplification of a closure of this function"));
        };
        let captures: Vec<Capture> =
            function.parameters[open..].iter().map(|parameter| self.capture(parameter)).collect::<Result<_, _>>()?;
        self.check(&captures)?;
        let held = self.held_type(&captures);
        Ok(Context {
            ty: self.context_type(held),
            held,
            lifetime: self.example.lifetime,
            convention: self.convention(),
            captures,
            first_argument: FunctionConventions::new(function).argument_of_parameter(open),
        })
    }

    fn capture(&self, parameter: &Parameter) -> Result<Capture, Box<Diagnostic>> {
        let Some(passing) = Passing::of(parameter.convention, self.is_trivial(parameter.ty)) else {
            return Err(
                self.refuse(self.applications.partial[0], "the simplification of a closure that captures a pack")
            );
        };
        let field = match passing {
            Passing::Address(_) => self.module.context.ty(Type::Builtin(BuiltinType::RawPointer)),
            _ => parameter.ty,
        };
        Ok(Capture { ty: parameter.ty, field, passing })
    }

    fn is_trivial(&self, ty: TypeId) -> bool {
        self.queries.properties(ty, None).is_trivial()
    }

    fn held_type(&self, captures: &[Capture]) -> TypeId {
        match captures {
            [capture] => capture.field,
            _ => {
                let element = |capture: &Capture| TupleElement { label: None, ty: capture.field };
                self.module.context.ty(Type::Tuple(captures.iter().map(element).collect()))
            }
        }
    }

    fn context_type(&self, held: TypeId) -> TypeId {
        match self.example.lifetime {
            ClosureLifetime::OnStack => held,
            ClosureLifetime::Escaping => self.module.context.ty(Type::Box(Box::new(BoxType {
                fields: Box::new([BoxField { mutability: Mutability::Let, ty: held }]),
                captures_generics: CapturesGenerics::No,
                substitutions: None,
            }))),
        }
    }

    /// The parameter convention of the context.
    fn convention(&self) -> ParameterConvention {
        match (self.example.lifetime, self.example.closure.callee) {
            (ClosureLifetime::OnStack, _) => ParameterConvention::InGuaranteed,
            (ClosureLifetime::Escaping, CalleeConvention::Guaranteed) => ParameterConvention::Guaranteed,
            (ClosureLifetime::Escaping, CalleeConvention::Owned) => ParameterConvention::Owned,
            (ClosureLifetime::Escaping, CalleeConvention::Unowned | CalleeConvention::None) => {
                ParameterConvention::Unowned
            }
        }
    }

    /// Rejects contexts whose values would be released too often, or never.
    fn check(&self, captures: &[Capture]) -> Result<(), Box<Diagnostic>> {
        if self.example.lifetime == ClosureLifetime::Escaping {
            return Ok(());
        }
        let sites = || self.applications.partial.iter().chain(&self.applications.full).copied();
        let has_ownership = |site: &Site| self.module.functions[site.function].has(FunctionFlag::Ossa);
        if let Some(site) = sites().find(has_ownership) {
            return Err(self.refuse(site, "the simplification of a closure on the stack in a function with ownership"));
        }
        if self.module.functions[self.callee].has(FunctionFlag::Ossa) {
            return Err(self.refuse(
                self.applications.partial[0],
                "the simplification of a closure on the stack of a function with ownership",
            ));
        }
        // The function that creates the closure still owns the values in memory.
        let stays = |capture: &Capture| {
            matches!(capture.passing, Passing::InPlace | Passing::CopiedInMemory) && !self.is_trivial(capture.ty)
        };
        if captures.iter().any(stays) {
            return Err(self.refuse(
                self.applications.partial[0],
                "the simplification of a closure on the stack that captures memory by value",
            ));
        }
        let is_consumed = captures.iter().any(|capture| capture.passing == Passing::Copied);
        match self.applications.full.iter().copied().find(|site| is_consumed || self.is_coroutine(*site)) {
            Some(site) => Err(self.refuse(site, "this call of a function whose closures are simplified")),
            None => Ok(()),
        }
    }

    /// Returns whether an apply site begins a coroutine.
    fn is_coroutine(&self, site: Site) -> bool {
        let body = self.module.functions[site.function].body.as_ref();
        let kind = body.and_then(|body| ApplyKind::of(body.instructions[site.instruction].opcode));
        kind == Some(ApplyKind::BeginApply)
    }

    fn refuse(&self, site: Site, what: &str) -> Box<Diagnostic> {
        let function = &self.module.functions[site.function];
        let span = function.body.as_ref().map_or(function.span, |body| body.instructions[site.instruction].span);
        Box::new(Diagnostic::unsupported(what, span).in_function(function.name))
    }
}

/// Returns whether a closure needs no context, because it binds a single argument that the function takes like a method
/// takes `self`.
fn is_simple(queries: &TypeQueries<'_>, function: &FunctionType, example: &Example<'_>) -> bool {
    use ParameterConvention::*;
    let Some(own) = function.parameters.last().filter(|_| example.argument_count == 1) else { return false };
    if function.signature.is_some() || function.representation != Representation::Method {
        return false;
    }
    match (example.lifetime, own.convention) {
        (ClosureLifetime::OnStack, InOut | InGuaranteed | InOutAliasable | PackInOut | PackGuaranteed | PackOwned) => {
            true
        }
        (ClosureLifetime::OnStack, Guaranteed | Unowned) => is_pointer_sized(queries, own.ty, NESTING),
        (ClosureLifetime::OnStack, Owned | In | InConstant | InCxx) => false,
        (ClosureLifetime::Escaping, convention) => {
            let fits = match example.closure.callee {
                CalleeConvention::Guaranteed => convention == Guaranteed,
                CalleeConvention::Owned => convention == Owned,
                CalleeConvention::Unowned | CalleeConvention::None => convention == Unowned,
            };
            fits && is_single_reference(queries, own.ty)
        }
    }
}

/// The limit on the nesting of types. In invalid input, a type may contain itself.
const NESTING: usize = 64;

/// The type of the single field of a struct or tuple.
fn only_field(queries: &TypeQueries<'_>, ty: TypeId) -> Option<TypeId> {
    match queries.get(ty) {
        Type::Tuple(elements) => match &elements[..] {
            [element] => Some(element.ty),
            _ => None,
        },
        Type::Nominal(nominal) => {
            let declaration = queries.declarations.get(nominal.declaration);
            let attributes = &declaration.attributes;
            let is_plain = declaration.kind == NominalKind::Struct
                && !attributes.resilient
                && attributes.alignment.is_none()
                && attributes.raw_layout.is_none()
                && attributes.c_layout.is_none();
            match queries.field_types(ty).filter(|_| is_plain)?[..] {
                [field] => Some(field),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns whether values of a type have the size of a pointer on all targets (`SILType::isPointerSizeAndAligned`).
fn is_pointer_sized(queries: &TypeQueries<'_>, ty: TypeId, nesting: usize) -> bool {
    match queries.get(ty) {
        Type::Builtin(BuiltinType::RawPointer | BuiltinType::NativeObject | BuiltinType::Word) | Type::Box(_) => true,
        _ if queries.is_class(ty) => true,
        _ => nesting > 0 && only_field(queries, ty).is_some_and(|field| is_pointer_sized(queries, field, nesting - 1)),
    }
}

/// Returns whether a value of a type is a single native Swift reference, or an optional one
/// (`SILType::isSingleSwiftRefcounted`, which excludes classes).
fn is_single_reference(queries: &TypeQueries<'_>, ty: TypeId) -> bool {
    let mut ty = ty;
    let mut is_unwrapped = false;
    for _ in 0..NESTING {
        let wrapped = queries.optional_object(ty).filter(|_| !is_unwrapped);
        is_unwrapped |= wrapped.is_some();
        match wrapped.or_else(|| only_field(queries, ty)) {
            Some(inner) => ty = inner,
            None => break,
        }
    }
    matches!(queries.get(ty), Type::Builtin(BuiltinType::NativeObject) | Type::Box(_))
}
