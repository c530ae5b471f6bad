//! References to declarations: `#Point.x`, `#Shape.draw!1`, `#Opt.some!enumelt`, `#Comparable."<"`.

use sil_ir::context::{
    Derivative, DerivativeKind, Distribution, Foreign, MemberId, MemberKind, MemberRef, MemberTarget, Name, NominalId,
    Type,
};
use sil_ir::declarations::{LocalContext, Meaning, OpenMeaning, Visible};
use sil_ir::diagnostic::{Diagnostic, Level};
use sil_ir::source::Span;

use super::Parsed;
use super::lexer::Token;
use super::names::{plain_name, string_text};
use super::reader::Reader;
use super::suggestion::closest;

/// The suffix after the exclamation mark.
struct Suffix {
    kind: MemberKind,
    uncurry_level: Option<u32>,
    distribution: Distribution,
    foreign: Foreign,
    derivative: Option<Derivative>,
}

/// The declarer of the outermost type in a reference to a member.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TypeDeclarer {
    Module,
    /// `<abstract function>` or another context in a function.
    Function,
}

impl Reader<'_> {
    /// Reads a reference to a declaration: `#Point.x`, `#Shape.draw!1`. Only the types on the path must be known.
    pub fn member(&mut self) -> Parsed<MemberId> {
        self.cursor.expect(Token::Hash)?;
        let mut declarer = TypeDeclarer::Module;
        if self.cursor.at(Token::Less) {
            declarer = TypeDeclarer::Function;
            // `#<abstract function>Mark.none!enumelt`: a local type.
            let start = self.cursor.span().start;
            let Some((context, _)) = LocalContext::ahead(&self.cursor.text()[start as usize..]) else {
                return Err(self.cursor.expected("'<abstract function>' or its like, or the name of a declaration"));
            };
            self.cursor.seek_byte(start + context.spelling().len() as u32);
        }
        let mut path = vec![self.member_name()?];
        while self.cursor.at(Token::Period) && self.cursor.is_adjacent() {
            self.cursor.bump();
            path.push(self.member_name()?);
        }
        let suffix = self.member_suffix()?;
        let member = self.resolve_member(&path, declarer, suffix)?;
        Ok(self.context.member(member))
    }

    fn member_name(&mut self) -> Parsed<(Name, Span)> {
        let span = self.cursor.span();
        let start = span.start;
        if let Some(name) = self.raw_name_ahead() {
            self.cursor.seek_byte(start + self.context.text(name).len() as u32);
            return Ok((name, Span { end: start + self.context.text(name).len() as u32, ..span }));
        }
        let text = match self.cursor.peek() {
            Token::Identifier => plain_name(self.cursor.bump()).to_owned(),
            Token::String => {
                let literal = self.cursor.bump();
                let text = string_text(literal);
                text.ok_or_else(|| self.cursor.expected("a name"))?.into_owned()
            }
            Token::Dollar => {
                self.cursor.bump();
                format!("${}", self.cursor.expect(Token::Identifier)?)
            }
            // Older SIL writes operators without quotes: `#Int.+!1`.
            token if token.is_operator() => {
                let mut end = self.cursor.span().end;
                self.cursor.bump();
                while self.cursor.peek().is_operator()
                    && self.cursor.is_adjacent()
                    && !(self.cursor.at(Token::Exclamation) && self.cursor.peek_second() != Token::Equal)
                {
                    end = self.cursor.span().end;
                    self.cursor.bump();
                }
                self.cursor.text()[start as usize..end as usize].to_owned()
            }
            _ => return Err(self.cursor.expected("the name of a declaration")),
        };
        Ok((self.context.name(&text), self.cursor.span_from(start)))
    }

    /// Returns the longest raw identifier ahead. References write it without backticks: `#Tests.adds two`.
    fn raw_name_ahead(&self) -> Option<Name> {
        let ahead = self.cursor.rest();
        let stands = |name: &&Name| {
            let after = ahead.strip_prefix(self.context.text(**name)).map(|after| after.chars().next());
            after.is_some_and(|next| !next.is_some_and(|next| next.is_alphanumeric() || next == '_'))
        };
        let found = self.declarations.raw_names().iter().filter(stands);
        found.max_by_key(|name| self.context.text(**name).len()).copied()
    }

    fn member_suffix(&mut self) -> Parsed<Suffix> {
        let mut suffix = Suffix {
            kind: MemberKind::Plain,
            uncurry_level: None,
            distribution: Distribution::None,
            foreign: Foreign::No,
            derivative: None,
        };
        if !(self.cursor.at(Token::Exclamation) && self.cursor.is_adjacent()) {
            return Ok(suffix);
        }
        self.cursor.bump();
        loop {
            if self.cursor.at(Token::Integer) {
                suffix.uncurry_level = Some(self.cursor.expect_number()?);
            } else {
                self.member_word(&mut suffix)?;
            }
            // `#A.f!distributed`, `#A.p!distributed!getter`
            let separator = match suffix.distribution {
                Distribution::None => Token::Period,
                _ if self.cursor.at(Token::Exclamation) => Token::Exclamation,
                _ => Token::Period,
            };
            if !(self.cursor.at(separator) && self.cursor.is_adjacent()) {
                return Ok(suffix);
            }
            self.cursor.bump();
        }
    }

    fn member_word(&mut self, suffix: &mut Suffix) -> Parsed<()> {
        let span = self.cursor.span();
        let word = self.cursor.expect(Token::Identifier)?;
        match word {
            "foreign" => suffix.foreign = Foreign::Yes,
            "func" => {}
            "distributed" => suffix.distribution = self.distribution(Distribution::Method),
            "distributed_thunk" => suffix.distribution = self.distribution(Distribution::Thunk),
            "defaultarg" => {
                self.cursor.expect(Token::Period)?;
                suffix.kind = MemberKind::DefaultArgument(self.cursor.expect_number()?);
            }
            "jvp" | "vjp" => {
                let kind = if word == "jvp" { DerivativeKind::Jvp } else { DerivativeKind::Vjp };
                suffix.derivative = Some(Derivative { kind, configuration: self.derivative_configuration()? });
            }
            _ => match kind_of(word) {
                Some(kind) => suffix.kind = kind,
                // Swift's reader skips unknown words, too.
                None => self.diagnostics.push(unknown_word(word, span)),
            },
        }
        Ok(())
    }

    /// The text after the word is an address in the compiler's memory: `!distributed(0x557d867fee48)`.
    fn distribution(&mut self, distribution: Distribution) -> Distribution {
        if self.cursor.at(Token::LeftParen) && self.cursor.is_adjacent() {
            self.cursor.skip_balanced();
        }
        distribution
    }

    /// `.SUS` or `.SUS.<T where …>`
    fn derivative_configuration(&mut self) -> Parsed<Name> {
        self.cursor.expect(Token::Period)?;
        let start = self.cursor.span().start;
        self.cursor.expect(Token::Identifier)?;
        if self.cursor.at(Token::Period) && self.cursor.peek_second() == Token::Less {
            self.cursor.bump();
            self.generic_signature()?;
        }
        let text = &self.cursor.text()[start as usize..self.cursor.previous_end() as usize];
        Ok(self.context.name(text))
    }

    fn resolve_member(&mut self, path: &[(Name, Span)], declarer: TypeDeclarer, suffix: Suffix) -> Parsed<MemberRef> {
        let (name, _) = path[path.len() - 1];
        let around = &path[..path.len() - 1];
        let parent =
            if around.is_empty() { None } else { Some(self.find_parent(around, declarer, name, suffix.kind)?) };
        // The path can name a type itself: `#C!deallocator`.
        let itself = match suffix.kind {
            MemberKind::Allocator
            | MemberKind::Initializer
            | MemberKind::Destroyer
            | MemberKind::Deallocator
            | MemberKind::IsolatedDeallocator
            | MemberKind::IvarDestroyer
            | MemberKind::IvarInitializer
                if !matches!(self.context.text(name), "init" | "deinit") =>
            {
                self.find_path(path)
            }
            _ => None,
        };
        let (parent, target) = match (itself, parent) {
            (Some(itself), _) => (Some(itself), MemberTarget::Other),
            (None, Some(parent)) => {
                let (parent, target) = self.find_target(parent, name, suffix.kind);
                (Some(parent), target)
            }
            (None, None) => (None, MemberTarget::Other),
        };
        Ok(MemberRef {
            parent,
            name,
            kind: suffix.kind,
            target,
            uncurry_level: suffix.uncurry_level,
            distribution: suffix.distribution,
            foreign: suffix.foreign,
            derivative: suffix.derivative,
            overload: None,
            labels: None,
        })
    }

    /// Returns the type at a path that has the member `name`; an error if there is none. SIL omits modules: of types
    /// with the same name, the one that has the property or case is meant.
    fn find_parent(
        &self,
        path: &[(Name, Span)],
        declarer: TypeDeclarer,
        name: Name,
        kind: MemberKind,
    ) -> Parsed<NominalId> {
        let has_it = |parent: &NominalId| self.find_target(*parent, name, kind).1 != MemberTarget::Other;
        let may_have_it = |parent| has_it(&parent) || self.declarations.may_have_more_members(parent);
        let is_part = matches!(kind, MemberKind::Plain | MemberKind::EnumElement);
        let declares = |parent| self.declares(parent, name);
        if let Some(found) = self.find_open_parent(path, declarer, may_have_it, declares) {
            return Ok(found);
        }
        let nearest = match declarer {
            TypeDeclarer::Module => self.find_path(path),
            TypeDeclarer::Function => self.find_local_path(path).or_else(|| self.find_path(path)),
        };
        let found = match nearest.filter(|parent| !is_part || has_it(parent)) {
            Some(found) => Some(found),
            None => {
                let namesakes = self.declarations.all_top_level(path[0].0).iter().rev();
                namesakes.filter_map(|first| self.find_path_from(Some(*first), path)).find(has_it).or(nearest)
            }
        };
        found.ok_or_else(|| {
            let (name, span) = path[path.len() - 1];
            self.unknown_nominal(name, span)
        })
    }

    /// Returns the type at a path whose first name means any of several types: one that satisfies `is_part`, or at
    /// least `declares`, or the stand-in for those that do. `None` for other paths.
    fn find_open_parent(
        &self,
        path: &[(Name, Span)],
        declarer: TypeDeclarer,
        is_part: impl Fn(NominalId) -> bool,
        declares: impl Fn(NominalId) -> bool,
    ) -> Option<NominalId> {
        let (first, span) = path[0];
        let open_names = &self.declarations.open_names;
        let Some(OpenMeaning::AnyOf(candidates)) = open_names.meaning(first, span) else { return None };
        if let Some(Meaning::One(_)) = self.declarations.namesakes.meaning(first, span) {
            return None;
        }
        let is_declared = |candidate: NominalId| {
            let is_local = self.declarations.get(candidate).attributes.local.is_some();
            is_local == (declarer == TypeDeclarer::Function)
        };
        let having = |has: &dyn Fn(NominalId) -> bool| -> Vec<NominalId> {
            let leads = |candidate: &NominalId| {
                is_declared(*candidate) && self.find_path_from(Some(*candidate), path).is_some_and(has)
            };
            candidates.iter().copied().filter(leads).collect()
        };
        let fitting = [having(&is_part), having(&declares), having(&|_| true)];
        let fitting = fitting.into_iter().find(|fitting| !fitting.is_empty())?;
        let stand_in = open_names.stand_in(span.start, &fitting)?;
        if path.len() == 1 { Some(stand_in) } else { self.find_path_from(Some(stand_in), path) }
    }

    /// Returns whether a type declares a member called `name`.
    fn declares(&self, nominal: NominalId, name: Name) -> bool {
        let declaration = self.declarations.get(nominal);
        declaration.members.iter().any(|member| member.name == name)
            || declaration.associated_types.iter().any(|ty| ty.name == name)
    }

    fn unknown_nominal(&self, name: Name, span: Span) -> Box<Diagnostic> {
        let text = self.context.text(name);
        let error = Diagnostic::error("unknown-type", format!("cannot find type '{text}' in scope"), span);
        let names = self.declarations.iter().map(|(_, declaration)| self.context.text(declaration.name));
        Box::new(match closest(text, names) {
            Some(close) => error.hint(format!("did you mean '{close}'?")),
            None => error,
        })
    }

    fn find_path(&self, path: &[(Name, Span)]) -> Option<NominalId> {
        let (name, span) = path[0];
        let stated = match self.declarations.open_names.meaning(name, span) {
            Some(OpenMeaning::Stated(stated)) => Some(stated),
            Some(OpenMeaning::AnyOf(_)) | None => self.declarations.namesakes.meaning(name, span),
        };
        let first = match stated {
            Some(Meaning::One(meant)) => Some(meant),
            Some(Meaning::Unknown) => None,
            None => self.top_level_nominal(name),
        };
        self.find_path_from(first, path)
    }

    /// Returns the type at a path in the only local type with the first name.
    fn find_local_path(&self, path: &[(Name, Span)]) -> Option<NominalId> {
        let is_local = |id: &&NominalId| self.declarations.get(**id).attributes.local.is_some();
        let mut local = self.declarations.all_top_level(path[0].0).iter().filter(is_local);
        let only = local.next().filter(|_| local.next().is_none())?;
        self.find_path_from(Some(*only), path)
    }

    /// Returns the type at a path whose first name means `first`. If that is `None`, the first name is a module or
    /// unknown.
    fn find_path_from(&self, first: Option<NominalId>, path: &[(Name, Span)]) -> Option<NominalId> {
        let mut found: Option<NominalId> = None;
        let mut module = None;
        for (index, (name, _)) in path.iter().enumerate() {
            let declared = match (found, module) {
                (Some(parent), _) => self.declarations.nested(parent, *name).or_else(|| {
                    // A type with the name of a module does not hide the module's members.
                    let hidden = (index == 1).then_some(path[0].0).filter(|name| self.declarations.is_module(*name));
                    self.declarations.in_module(hidden?, *name)
                }),
                (None, Some(module)) => self.declarations.in_module(module, *name),
                (None, None) => first,
            };
            if declared.is_none() && found.is_none() && module.is_none() && self.declarations.is_module(*name) {
                module = Some(*name);
                continue;
            }
            found = Some(declared.or_else(|| self.declarations.named_type(found, module, *name))?);
        }
        found
    }

    fn top_level_nominal(&self, name: Name) -> Option<NominalId> {
        match self.declarations.visible(name)? {
            Visible::Nominal(nominal) => Some(nominal),
            Visible::Alias(alias) => match self.context.get(alias.ty) {
                Type::Nominal(nominal) => Some(nominal.declaration),
                _ => None,
            },
        }
    }

    /// Returns the property or case called `name`, in the class that declares it.
    pub(super) fn find_target(&self, parent: NominalId, name: Name, kind: MemberKind) -> (NominalId, MemberTarget) {
        // Classes of invalid input may be circular.
        let mut seen = vec![parent];
        while let Some(class) = seen.last().copied() {
            let declaration = self.declarations.get(class);
            if matches!(kind, MemberKind::Plain | MemberKind::EnumElement)
                && let Some(index) = declaration.cases.iter().position(|case| case.name == name)
            {
                return (class, MemberTarget::Case(index as u32));
            }
            if let Some(index) = declaration.stored.iter().position(|stored| stored.name == name) {
                return (class, MemberTarget::Stored(index as u32));
            }
            match declaration.superclass.map(|superclass| self.context.get(superclass)) {
                Some(Type::Nominal(superclass))
                    if kind == MemberKind::Plain && !seen.contains(&superclass.declaration) =>
                {
                    seen.push(superclass.declaration);
                }
                _ => break,
            }
        }
        (parent, MemberTarget::Other)
    }
}

fn unknown_word(word: &str, span: Span) -> Diagnostic {
    let message = format!("no kind of member is called '{word}'");
    let warning = Diagnostic { level: Level::Warning, ..Diagnostic::error("unknown-member-kind", message, span) };
    match closest(word, KINDS.iter().copied()) {
        Some(close) => warning.hint(format!("did you mean '{close}'?")),
        None => warning,
    }
}

/// The kinds for which misspellings get a suggestion.
const KINDS: [&str; 8] =
    ["getter", "setter", "allocator", "initializer", "enumelt", "destroyer", "deallocator", "globalaccessor"];

fn kind_of(word: &str) -> Option<MemberKind> {
    Some(match word {
        "getter" => MemberKind::Getter,
        "_distributed_getter" => MemberKind::DistributedGetter,
        "setter" => MemberKind::Setter,
        "read" => MemberKind::Read,
        "read2" => MemberKind::Read2,
        "borrow" => MemberKind::Borrow,
        "mutate" => MemberKind::Mutate,
        "modify" => MemberKind::Modify,
        "modify2" => MemberKind::Modify2,
        "addressor" => MemberKind::Addressor,
        "mutableAddressor" => MemberKind::MutableAddressor,
        "willSet" => MemberKind::WillSet,
        "didSet" => MemberKind::DidSet,
        "init" => MemberKind::InitAccessor,
        "allocator" => MemberKind::Allocator,
        "initializer" => MemberKind::Initializer,
        "enumelt" => MemberKind::EnumElement,
        "destroyer" => MemberKind::Destroyer,
        "deallocator" => MemberKind::Deallocator,
        "isolateddeallocator" => MemberKind::IsolatedDeallocator,
        "globalaccessor" => MemberKind::GlobalAccessor,
        "ivardestroyer" => MemberKind::IvarDestroyer,
        "ivarinitializer" => MemberKind::IvarInitializer,
        "propertyinit" => MemberKind::PropertyInitializer,
        "backinginit" => MemberKind::BackingInitializer,
        _ => return None,
    })
}
