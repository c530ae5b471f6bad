//! The types of one name that code can name at a place: a function sees its own local types and those of the functions
//! around it, and a cast names its type in the source. Owns the evidence of scopes, symbols and the source for the
//! names in instructions. Does not own: the conclusions (`open_names`).

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use sil_ir::context::{Name, NominalId, Type, TypeId};
use sil_ir::declarations::{LocalOrigin, Place};
use sil_ir::model::{Body, Details, InstructionId, LanguageMode, Module, ScopeId, function_of_scope};
use sil_ir::symbols::{OuterContext, plain_function, stands_in};

use crate::swift_source::{SwiftPlace, SwiftSources};

/// The types that the code at a place can name.
pub(super) struct VisibleTypes<'m> {
    module: &'m Module,
    sources: Option<&'m SwiftSources>,
    /// The extents of instructions with a written scope, in the order of the text, with the scope.
    scopes: Vec<(Place, Place, ScopeId)>,
    declaring: RefCell<FxHashMap<NominalId, Option<Declaring>>>,
}

/// The code that declares a local type.
#[derive(Clone)]
enum Declaring {
    /// The function with this symbol.
    Function(String),
    /// The top-level code of a main file.
    Main,
}

/// The function of top-level code.
const MAIN: &str = "main";

/// The suffix of the symbol of a function's descriptor as a context (docs/ABI/Mangling.rst, "Globals").
const ANONYMOUS_DESCRIPTOR: &str = "MXX";

impl<'m> VisibleTypes<'m> {
    pub(super) fn new(module: &'m Module, sources: Option<&'m SwiftSources>) -> Self {
        let scopes = if keeps_types_in_their_functions(module) { written_scopes(module) } else { Vec::new() };
        Self { module, sources, scopes, declaring: RefCell::default() }
    }

    /// Returns the `candidates` that can be named at `place`; all of them without evidence.
    pub(super) fn at(&self, place: Place, candidates: &[NominalId]) -> Vec<NominalId> {
        let all = || candidates.to_vec();
        let Some(function) = self.function_at(place) else { return all() };
        let visible: Vec<_> = all().into_iter().filter(|candidate| self.sees(function, *candidate)).collect();
        if visible.is_empty() { all() } else { visible }
    }

    /// Returns the function whose code is at `place`, if its code names only types that its source can name.
    fn function_at(&self, place: Place) -> Option<Name> {
        let next = self.scopes.partition_point(|(start, _, _)| *start <= place);
        let (_, end, scope) = *self.scopes.get(next.checked_sub(1)?)?;
        let (function, ty) = function_of_scope(&self.module.scopes, scope).filter(|_| place < end)?;
        let context = &self.module.context;
        let is_generic = matches!(context.get(ty), Type::Function(function) if function.signature.is_some());
        let text = context.text(function);
        let is_plain = text == MAIN || plain_function(text).is_some_and(|plain| plain == text);
        (is_plain && !is_generic).then_some(function)
    }

    fn sees(&self, function: Name, candidate: NominalId) -> bool {
        let mut declaring = self.declaring.borrow_mut();
        let declaring = declaring.entry(candidate).or_insert_with(|| self.declaring(candidate));
        let function = self.module.context.text(function);
        match declaring {
            Some(Declaring::Function(declaring)) => function != MAIN && stands_in(function, declaring),
            Some(Declaring::Main) | None => true,
        }
    }

    /// Returns the code that declares a local type; `None` for other types, and if no symbol names that code.
    fn declaring(&self, candidate: NominalId) -> Option<Declaring> {
        let local = self.module.declarations.get(candidate).attributes.local?;
        let LocalOrigin::Descriptor(descriptor) = local.origin else { return None };
        let OuterContext::Anonymous(context) = OuterContext::around(self.module.context.text(descriptor))? else {
            return None;
        };
        match OuterContext::around(&context) {
            Some(OuterContext::Module) if plain_function(context.strip_suffix(ANONYMOUS_DESCRIPTOR)?).is_none() => {
                Some(Declaring::Main)
            }
            _ => Some(Declaring::Function(context.strip_suffix(ANONYMOUS_DESCRIPTOR)?.to_owned())),
        }
    }

    /// Returns the type that a cast names in the source, among those of its name, with the place of its name in the
    /// cast.
    pub(super) fn of_cast(&self, body: &Body, instruction: InstructionId) -> Option<(Place, NominalId)> {
        let instruction = &body.instructions[instruction];
        let Details::Cast(cast) = &instruction.details else { return None };
        let declarations = &self.module.declarations;
        let stand_in = declarations.open_names.get(self.named(cast.target)?)?;
        let location = instruction.location.filter(|location| !location.automatic)?;
        let place = location.place.filter(|place| place.line > 0 && place.column > 0)?;
        let text = |name| self.module.context.text(name);
        let place = SwiftPlace { file: text(place.file), line: place.line, column: place.column };
        let path = self.sources?.cast_type(place)?;
        let name = text(declarations.get(stand_in.candidates[0]).name);
        let visible = self.at(stand_in.place, &stand_in.candidates);
        if path.last().is_none_or(|last| last != name) || visible.iter().any(|ty| self.is_local(*ty)) {
            return None;
        }
        let meant: Vec<NominalId> = match &path[..] {
            [_] => {
                let nearest = visible.iter().map(|ty| declarations.distance(*ty)).min();
                visible.into_iter().filter(|ty| Some(declarations.distance(*ty)) == nearest).collect()
            }
            [module, _] => visible.into_iter().filter(|ty| text(declarations.get(*ty).module) == module).collect(),
            _ => return None,
        };
        if let [only] = meant[..] { Some((stand_in.place, only)) } else { None }
    }

    fn is_local(&self, ty: NominalId) -> bool {
        self.module.declarations.get(ty).attributes.local.is_some()
    }

    /// Returns the declaration of a nominal type or protocol, also of its metatype or existential.
    fn named(&self, ty: TypeId) -> Option<NominalId> {
        match self.module.context.get(ty) {
            Type::Nominal(nominal) => Some(nominal.declaration),
            Type::Protocol { protocol, .. } => Some(*protocol),
            Type::Existential(constraint) => self.named(*constraint),
            Type::Metatype { instance, .. } => self.named(*instance),
            _ => None,
        }
    }
}

/// Returns whether code names only types that its source can name. Performance passes move code and types between
/// functions.
fn keeps_types_in_their_functions(module: &Module) -> bool {
    module.mode == LanguageMode::Full && module.scopes.values().all(|scope| scope.inlined_at.is_none())
}

fn written_scopes(module: &Module) -> Vec<(Place, Place, ScopeId)> {
    let bodies = module.functions.values().filter_map(|function| function.body.as_ref());
    let mut scopes: Vec<_> = bodies
        .flat_map(|body| {
            body.placed_instructions().filter_map(|id| {
                let instruction = &body.instructions[id];
                let scope = instruction.location?.scope?;
                Some((instruction.span.start, instruction.span.end, scope))
            })
        })
        .collect();
    scopes.sort_unstable_by_key(|(start, _, _)| *start);
    scopes
}
