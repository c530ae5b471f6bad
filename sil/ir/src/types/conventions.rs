//! Function conventions: the SIL arguments of a function type in order, its results, and how the numberings of
//! arguments relate (docs/SIL/SILFunctionConventions.md, docs/SIL/Types.md).

use super::*;

/// The role of a SIL argument of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArgumentRole {
    /// The address for the result with this number in `results`.
    IndirectResult(u32),
    /// The address for the error.
    IndirectError,
    /// The parameter with this number in `parameters`.
    Parameter(u32),
}

/// The passing and the ownership of a SIL argument, by its parameter or result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArgumentConvention {
    /// The address for a result.
    Result(ResultConvention),
    /// The address for the error.
    Error,
    /// A parameter.
    Parameter(ParameterConvention),
}

impl ArgumentConvention {
    /// Whether nothing else refers to the memory that the argument points to while the callee runs.
    pub fn is_exclusive_indirect(self) -> bool {
        use ParameterConvention::*;
        match self {
            ArgumentConvention::Result(_) | ArgumentConvention::Error => true,
            ArgumentConvention::Parameter(convention) => match convention {
                In | InConstant | InGuaranteed | InCxx | InOut | PackOwned | PackGuaranteed | PackInOut => true,
                InOutAliasable | Unowned | Owned | Guaranteed => false,
            },
        }
    }

    /// Whether the callee finds a value at the address and may not leave another one there.
    pub fn is_indirect_in(self) -> bool {
        use ParameterConvention::*;
        matches!(
            self,
            ArgumentConvention::Parameter(In | InConstant | InGuaranteed | InCxx | PackOwned | PackGuaranteed)
        )
    }

    /// Whether the callee puts a value where the address points to.
    pub fn is_indirect_out(self) -> bool {
        matches!(self, ArgumentConvention::Result(_) | ArgumentConvention::Error)
    }

    /// Whether the callee may change the value where the address points to, which stays the caller's.
    pub fn is_inout(self) -> bool {
        use ParameterConvention::*;
        matches!(self, ArgumentConvention::Parameter(InOut | InOutAliasable))
    }

    /// Whether the callee only borrows the value.
    pub fn is_guaranteed(self) -> bool {
        use ParameterConvention::*;
        matches!(self, ArgumentConvention::Parameter(Guaranteed | InGuaranteed | PackGuaranteed))
    }

    /// Whether the callee takes over the value.
    pub fn is_consumed(self) -> bool {
        use ParameterConvention::*;
        matches!(self, ArgumentConvention::Parameter(Owned | In | InConstant | InCxx | PackOwned))
    }
}

/// A SIL argument: an argument of a function's entry block, and an operand of an apply.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SilArgument {
    /// Its role.
    pub role: ArgumentRole,
    /// How it is passed.
    pub convention: ArgumentConvention,
    /// Its type: the address of a lowered type, or an object.
    pub ty: SilType,
}

/// The conventions of a function type. The type must not have pattern substitutions: see [`TypeQueries::conventions`].
#[derive(Clone, Copy)]
pub struct FunctionConventions<'t> {
    /// The function type.
    pub function: &'t FunctionType,
}

impl<'t> FunctionConventions<'t> {
    /// The conventions of `function`.
    pub fn new(function: &'t FunctionType) -> Self {
        Self { function }
    }

    /// The results that are returned through addresses, in order, with their numbers.
    pub fn indirect_results(self) -> impl Iterator<Item = (u32, &'t FunctionResult)> + use<'t> {
        (0..).zip(&self.function.results).filter(|(_, result)| result.convention.is_indirect())
    }

    /// The results that are returned as values, in order.
    pub fn direct_results(self) -> impl Iterator<Item = &'t FunctionResult> + use<'t> {
        self.function.results.iter().filter(|result| !result.convention.is_indirect())
    }

    /// Whether the result is borrowed from `self`.
    pub fn returns_borrow(self) -> bool {
        self.direct_results().any(|result| result.convention == ResultConvention::Guaranteed)
    }

    /// The error, where it is returned through an address.
    pub fn indirect_error(self) -> Option<&'t FunctionResult> {
        self.function.error.as_ref().filter(|error| error.convention.is_indirect())
    }

    /// How many SIL arguments stand before the parameters.
    pub fn first_parameter(self) -> usize {
        self.indirect_results().count() + usize::from(self.indirect_error().is_some())
    }

    /// How many SIL arguments there are.
    pub fn argument_count(self) -> usize {
        self.first_parameter() + self.function.parameters.len()
    }

    /// The SIL arguments: indirect results, the indirect error, parameters with `self` last.
    pub fn arguments(self) -> impl Iterator<Item = SilArgument> + use<'t> {
        let results = self.indirect_results().map(|(index, result)| SilArgument {
            role: ArgumentRole::IndirectResult(index),
            convention: ArgumentConvention::Result(result.convention),
            ty: SilType::address(result.ty),
        });
        let error = self.indirect_error().map(|error| SilArgument {
            role: ArgumentRole::IndirectError,
            convention: ArgumentConvention::Error,
            ty: SilType::address(error.ty),
        });
        let parameters = (0..).zip(&self.function.parameters).map(|(index, parameter)| SilArgument {
            role: ArgumentRole::Parameter(index),
            convention: ArgumentConvention::Parameter(parameter.convention),
            ty: parameter_type(parameter),
        });
        results.chain(error).chain(parameters)
    }

    /// SIL argument number `index`.
    pub fn argument(self, index: usize) -> Option<SilArgument> {
        self.arguments().nth(index)
    }

    /// The number of the parameter for `self`, where the function is a method: the last one.
    pub fn self_parameter(self) -> Option<usize> {
        use Representation::*;
        match self.function.representation {
            Method | WitnessMethod(_) | ObjCMethod | CxxMethod => self.function.parameters.len().checked_sub(1),
            Thick | Thin | C | Block | Closure | KeyPathGetter | KeyPathSetter | KeyPathEquals | KeyPathHash => None,
        }
    }

    /// The number of the SIL argument that passes parameter number `parameter`.
    pub fn argument_of_parameter(self, parameter: usize) -> usize {
        self.first_parameter() + parameter
    }

    /// The number of the parameter that SIL argument number `argument` passes.
    pub fn parameter_of_argument(self, argument: usize) -> Option<usize> {
        argument.checked_sub(self.first_parameter())
    }

    /// The number of the SIL argument that the first of `applied` arguments of a `partial_apply` becomes: it binds the
    /// last ones.
    pub fn first_applied_argument(self, applied: usize) -> Option<usize> {
        self.argument_count().checked_sub(applied)
    }

    /// The dependences of the results and the yields; none if none are stated.
    pub fn result_dependence(self) -> Option<&'t LifetimeDependence> {
        self.function.lifetimes.iter().find(|dependence| dependence.parameter.is_none())
    }

    /// The dependence of the results and the yields on SIL argument number `argument`.
    pub fn result_dependence_on(self, argument: usize) -> Option<LifetimeDependenceKind> {
        let parameter = self.parameter_of_argument(argument)?;
        self.result_dependence()?.on_parameter(u32::try_from(parameter).ok()?)
    }

    /// The dependences of the parameter of SIL argument number `argument` after a call.
    pub fn argument_dependence(self, argument: usize) -> Option<&'t LifetimeDependence> {
        let parameter = u32::try_from(self.parameter_of_argument(argument)?).ok()?;
        self.function.lifetimes.iter().find(|dependence| dependence.parameter == Some(parameter))
    }

    /// The dependence of SIL argument number `target` on number `source`.
    pub fn argument_dependence_on(self, target: usize, source: usize) -> Option<LifetimeDependenceKind> {
        let parameter = u32::try_from(self.parameter_of_argument(source)?).ok()?;
        self.argument_dependence(target)?.on_parameter(parameter)
    }

    /// The types that a coroutine yields.
    pub fn yields(self) -> impl Iterator<Item = SilType> + use<'t> {
        self.function.yields.iter().map(parameter_type)
    }
}

/// The SIL type of the argument for `parameter`.
pub fn parameter_type(parameter: &Parameter) -> SilType {
    if parameter.convention.is_indirect() { SilType::address(parameter.ty) } else { SilType::object(parameter.ty) }
}

impl<'a> TypeQueries<'a> {
    /// The conventions of a function type, its pattern substitutions applied; none for another type. If the module's
    /// values are opaque, they determine how the values are passed.
    pub fn conventions(&self, function: TypeId) -> Option<FunctionConventions<'a>> {
        let function = match self.get(function) {
            Type::MoveOnlyWrapper(inner) => *inner,
            _ => function,
        };
        match self.get(self.with_opaque_values(self.unsubstituted(function))) {
            Type::Function(function) => Some(FunctionConventions::new(function)),
            _ => None,
        }
    }

    /// The conventions of a call of `callee` with generic arguments.
    pub fn applied_conventions(
        &self,
        callee: TypeId,
        substitutions: SubstitutionMapId,
    ) -> Option<FunctionConventions<'a>> {
        self.conventions(self.apply_substitutions(callee, substitutions))
    }

    /// The type of the value that a call returns: a tuple where there are several direct results.
    pub fn direct_result(&self, conventions: FunctionConventions<'_>) -> SilType {
        let mut results = conventions.direct_results();
        let ty = match (results.next(), results.next()) {
            (None, _) => self.void(),
            (Some(only), None) => {
                if only.convention.is_projection() {
                    return SilType::address(only.ty);
                }
                only.ty
            }
            _ => {
                let elements = conventions.direct_results().map(|result| TupleElement { label: None, ty: result.ty });
                self.context.ty(Type::Tuple(elements.collect()))
            }
        };
        SilType::object(ty)
    }

    /// The type of the error that a call throws as a value.
    pub fn direct_error(&self, conventions: FunctionConventions<'_>) -> Option<SilType> {
        let error = conventions.function.error.as_ref()?;
        (!error.convention.is_indirect()).then(|| SilType::object(error.ty))
    }

    /// The type of the closure that `partial_apply` makes of `callee` when it binds the last `applied` parameters; none
    /// where `callee` is no function or has fewer.
    pub fn partial_apply_type(
        &self,
        callee: TypeId,
        substitutions: SubstitutionMapId,
        applied: usize,
        convention: CalleeConvention,
        stack: ClosureStorage,
    ) -> Option<TypeId> {
        let Type::Function(function) = self.get(self.apply_substitutions(callee, substitutions)) else { return None };
        let left = function.parameters.len().checked_sub(applied)?;
        let mut closure = (**function).clone();
        closure.parameters = closure.parameters[..left].into();
        closure.representation = Representation::Thick;
        closure.callee = convention;
        closure.attributes.remove(FunctionAttribute::Pseudogeneric);
        if stack == ClosureStorage::Stack {
            closure.attributes.insert(FunctionAttribute::NoEscape);
        }
        // The closure keeps the base of an inner pointer alive, and takes over autoreleased values.
        for result in &mut closure.results {
            result.convention = match result.convention {
                ResultConvention::UnownedInnerPointer => ResultConvention::Unowned,
                ResultConvention::Autoreleased => ResultConvention::Owned,
                other => other,
            };
        }
        Some(self.context.ty(Type::Function(Box::new(closure))))
    }
}

/// Where a closure's context lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClosureStorage {
    /// In a reference-counted object.
    Heap,
    /// `[on_stack]`
    Stack,
}
