//! Reads declarations for printing: from their extents in the text to a tree. A declaration that is not understood
//! gives nothing, and is printed as it is written.

use sil_ir::context::NominalId;
use sil_ir::declarations::NominalKind;
use sil_ir::source::Span;

use super::attributes;
use super::generics::Generics;
use super::tree::*;
use super::types::{Frame, TypeTexts, variadic};
use crate::syntax::cursor::Cursor;
use crate::syntax::declarations::{Configuration, Extent, declaration_extents};
use crate::syntax::lexer::Token;
use crate::syntax::types::{InheritanceClause, Piece};

/// How deep types may be nested in each other.
const DEPTH_LIMIT: usize = 50;

/// The words that introduce a type in the body of a function.
const LOCAL_TYPES: [&str; 5] = ["struct", "class", "enum", "actor", "protocol"];

/// Reads declarations that stand one after the other.
pub(super) struct Reader<'m> {
    pub(super) types: TypeTexts<'m>,
    pub(super) configuration: &'m Configuration,
}

impl Reader<'_> {
    /// The declaration of an extent: several, where it declares several variables.
    pub(super) fn declaration(
        &mut self,
        text: &str,
        extent: &Extent<'_>,
        around: Option<Around>,
    ) -> Option<Vec<Declaration>> {
        let attributes = attributes::ordered(&extent.modifiers)?;
        let Span { file, end, .. } = extent.span;
        let mut cursor = Cursor::within(text, file, extent.keyword, end);
        let keyword = cursor.bump();
        let stated = Stated { attributes, around };
        let frames = self.types.frames.len();
        let read = self.kind(&mut cursor, keyword, &stated);
        self.types.frames.truncate(frames);
        let kinds = read?;
        if !cursor.at(Token::End) {
            return None;
        }
        Some(kinds.into_iter().map(|kind| Declaration { attributes: stated.attributes.clone(), kind }).collect())
    }

    fn kind(&mut self, cursor: &mut Cursor<'_>, keyword: &str, stated: &Stated) -> Option<Vec<Kind>> {
        let one = |kind: Kind| Some(vec![kind]);
        match keyword {
            "struct" => one(self.nominal(cursor, TypeKeyword::Struct, stated)?),
            "class" => one(self.nominal(cursor, TypeKeyword::Class, stated)?),
            "actor" => one(self.nominal(cursor, TypeKeyword::Actor, stated)?),
            "enum" => one(self.nominal(cursor, TypeKeyword::Enum, stated)?),
            "protocol" => one(self.nominal(cursor, TypeKeyword::Protocol, stated)?),
            "extension" => one(self.extension(cursor)?),
            "var" => self.properties(cursor, Introducer::Var, stated),
            "let" => self.properties(cursor, Introducer::Let, stated),
            "case" => one(self.cases(cursor)?),
            "func" => one(self.function(cursor)?),
            "init" => one(self.callable(cursor, CallableKeyword::Initializer, Labels::FromName)?),
            "subscript" => one(self.callable(cursor, CallableKeyword::Subscript, Labels::None)?),
            "deinit" => {
                self.body(cursor)?;
                one(Kind::Deinitializer)
            }
            "typealias" => one(self.alias(cursor)?),
            "associatedtype" => one(self.associated_type(cursor)?),
            _ => None,
        }
    }

    // Types.

    fn nominal(&mut self, cursor: &mut Cursor<'_>, keyword: TypeKeyword, stated: &Stated) -> Option<Kind> {
        let name = name(cursor)?.to_owned();
        let context = self.types.context;
        let plain = context.find_name(crate::syntax::names::plain_name(&name))?;
        let nominal = match stated.around {
            None => self.types.table.top_level(plain)?,
            Some(around) => self.types.table.nested(around.nominal?, plain)?,
        };
        self.types.frames.push(Frame { nominal: Some(nominal), names: Vec::new() });
        let generics = match keyword {
            TypeKeyword::Protocol => self.primary_associated_types(cursor)?,
            _ => self.generics(cursor)?,
        };
        self.enter(&generics);
        let mut declaration = TypeDeclaration {
            keyword,
            nominal: Some(nominal),
            name,
            generics: generics.text.clone(),
            inherited: self.inherited(cursor, InheritanceClause::Declaration)?,
            requirements: self.requirements(cursor, &generics)?,
            members: Vec::new(),
            identity: self.types.identity(nominal),
        };
        if keyword == TypeKeyword::Protocol {
            self.order_inherited(&mut declaration);
        }
        self.members(cursor, &mut declaration)?;
        Some(Kind::Type(declaration))
    }

    /// The inherited protocols of a protocol stand in the order of its requirements.
    fn order_inherited(&self, declaration: &mut TypeDeclaration) {
        let types = &self.types;
        let inherited = &mut declaration.inherited;
        declaration.requirements.retain(|requirement| match requirement.strip_prefix("Self : ") {
            Some(constraint) => {
                inherited.push(constraint.to_owned());
                false
            }
            None => true,
        });
        let all = declaration.inherited.clone();
        let implied = |this: &String| all.iter().any(|other| other != this && types.inherits(other, this));
        declaration.inherited.retain(|this| !implied(this));
        declaration.inherited.sort_by_cached_key(|this| types.rank(this));
    }

    fn extension(&mut self, cursor: &mut Cursor<'_>) -> Option<Kind> {
        let piece = Piece::of_type(cursor).ok()?;
        let name = piece.slice().to_owned();
        if name.contains(|character: char| !character.is_alphanumeric() && !matches!(character, '_' | '.')) {
            return None;
        }
        let nominal = self.extended(&name);
        let names = nominal.map_or_else(Vec::new, |nominal| self.parameter_names(nominal));
        self.types.frames.push(Frame { nominal, names });
        let mut declaration = TypeDeclaration {
            keyword: TypeKeyword::Extension,
            nominal,
            identity: name.clone(),
            name,
            generics: String::new(),
            inherited: self.inherited(cursor, InheritanceClause::Extension)?,
            requirements: self.requirements(cursor, &Generics::default())?,
            members: Vec::new(),
        };
        self.members(cursor, &mut declaration)?;
        Some(Kind::Type(declaration))
    }

    fn extended(&self, path: &str) -> Option<NominalId> {
        let mut names = path.split('.');
        let mut found = self.types.visible(names.next()?)?;
        for name in names {
            found = self.types.table.nested(found, self.types.context.find_name(name)?)?;
        }
        Some(found)
    }

    fn parameter_names(&self, nominal: NominalId) -> Vec<String> {
        let declaration = self.types.table.get(nominal);
        let Some(signature) = declaration.signature.filter(|_| declaration.kind != NominalKind::Protocol) else {
            return Vec::new();
        };
        let parameters = self.types.context.get_signature(signature).parameters.iter();
        parameters.filter_map(|parameter| parameter.name).map(|name| self.types.context.text(name).to_owned()).collect()
    }

    fn members(&mut self, cursor: &mut Cursor<'_>, declaration: &mut TypeDeclaration) -> Option<()> {
        if !cursor.at(Token::LeftBrace) || self.types.frames.len() > DEPTH_LIMIT {
            return None;
        }
        let start = cursor.span().end;
        if !cursor.skip_balanced() {
            return None;
        }
        let mut inner = Cursor::within(cursor.text(), cursor.file(), start, cursor.previous_end() - 1);
        let extents = declaration_extents(self.types.context, self.configuration, &mut inner).ok()?;
        let around = Around { keyword: declaration.keyword, nominal: declaration.nominal };
        for extent in &extents {
            match self.declaration(cursor.text(), extent, Some(around)) {
                Some(read) => declaration.members.extend(read),
                None => declaration.members.push(verbatim(cursor.text(), extent)),
            }
        }
        Some(())
    }

    fn inherited(&self, cursor: &mut Cursor<'_>, clause: InheritanceClause) -> Option<Vec<String>> {
        self.after_colon(cursor, |piece| self.types.inherited(piece, clause))
    }

    fn after_colon(
        &self,
        cursor: &mut Cursor<'_>,
        spelled: impl Fn(&Piece<'_>) -> Option<String>,
    ) -> Option<Vec<String>> {
        let mut inherited = Vec::new();
        if cursor.eat(Token::Colon) {
            loop {
                inherited.push(spelled(&Piece::of_type(cursor).ok()?)?);
                if !cursor.eat(Token::Comma) {
                    break;
                }
            }
        }
        Some(inherited)
    }

    // Generic parameters.

    fn generics(&mut self, cursor: &mut Cursor<'_>) -> Option<Generics> {
        if !cursor.at(Token::Less) {
            return Some(Generics::default());
        }
        self.types.generics(&Piece::of_angles(cursor).ok()?)
    }

    fn primary_associated_types(&self, cursor: &mut Cursor<'_>) -> Option<Generics> {
        let mut generics = Generics::default();
        if cursor.at(Token::Less) {
            let piece = Piece::of_angles(cursor).ok()?;
            let names: Vec<&str> = piece.slice()[1..piece.slice().len() - 1].split(',').map(str::trim).collect();
            generics.text = format!("<{}>", names.join(", "));
        }
        Some(generics)
    }

    fn enter(&mut self, generics: &Generics) {
        self.types.frames.push(Frame { nominal: None, names: generics.names.clone() });
    }

    fn requirements(&self, cursor: &mut Cursor<'_>, generics: &Generics) -> Option<Vec<String>> {
        if !cursor.eat_word("where") {
            return self.types.requirements(generics, None);
        }
        let start = cursor.span().start;
        loop {
            Piece::of_type(cursor).ok()?;
            if !(cursor.eat(Token::Colon) || cursor.eat(Token::Equal) && cursor.eat(Token::Equal)) {
                return None;
            }
            Piece::of_type(cursor).ok()?;
            if !cursor.eat(Token::Comma) {
                break;
            }
        }
        let piece = Piece { text: cursor.text(), file: cursor.file(), start, end: cursor.previous_end() };
        self.types.requirements(generics, Some(&piece))
    }

    // Properties.

    fn properties(&self, cursor: &mut Cursor<'_>, introducer: Introducer, stated: &Stated) -> Option<Vec<Kind>> {
        let mut properties: Vec<Kind> = Vec::new();
        let mut untyped: Vec<String> = Vec::new();
        loop {
            untyped.push(name(cursor)?.to_owned());
            let mut ty = match cursor.eat(Token::Colon) {
                true => Some(self.property_type(cursor, stated)?),
                false => None,
            };
            let mut initial = Initial::None;
            if cursor.eat(Token::Equal) {
                ty = ty.or_else(|| self.type_of_value(cursor));
                initial = Initial::Written(initial_value(cursor)?.to_owned());
            }
            let written = if cursor.at(Token::LeftBrace) { Some(self.accessors(cursor)?) } else { None };
            let more = cursor.eat(Token::Comma);
            match ty {
                None if more && written.is_none() => continue,
                None => return None,
                Some(ty) => {
                    for name in untyped.drain(..) {
                        properties.push(property(introducer, name, &ty, &initial, written.clone(), stated)?);
                    }
                }
            }
            if !more {
                return Some(properties);
            }
        }
    }

    fn property_type(&self, cursor: &mut Cursor<'_>, stated: &Stated) -> Option<PropertyType> {
        let piece = Piece::of_type(cursor).ok()?;
        let (text, form) = (self.types.ty(&piece)?, self.types.form(&piece)?);
        let storage = stated.attributes.iter().find_map(|attribute| match attribute.as_str() {
            "weak" => Some("@sil_weak "),
            "unowned" | "unowned(safe)" => Some("@sil_unowned "),
            "unowned(unsafe)" => Some("@sil_unmanaged "),
            _ => None,
        });
        let storage = storage.filter(|_| !text.starts_with("@sil_")).unwrap_or_default();
        Some(PropertyType { text: format!("{storage}{text}"), form })
    }

    /// The type of an initial value that is a literal or makes an object of a type.
    fn type_of_value(&self, cursor: &Cursor<'_>) -> Option<PropertyType> {
        let mut after = cursor.clone();
        let token = after.peek();
        let word = after.bump();
        let ty = match token {
            Token::Integer if after.at(Token::Period) => "Double",
            Token::Integer => "Int",
            Token::String => "String",
            Token::Identifier if matches!(word, "true" | "false") => "Bool",
            Token::Identifier if after.at(Token::LeftParen) && self.types.visible(word).is_some() => word,
            _ => return None,
        };
        Some(PropertyType { text: ty.to_owned(), form: TypeForm::Other })
    }

    /// `{ mutating get set(value) async throws }`; none if a body stands in the braces itself.
    fn accessors(&self, cursor: &mut Cursor<'_>) -> Option<(Vec<Accessor>, AccessorLayout)> {
        cursor.bump();
        let layout = if cursor.at_line_start() { AccessorLayout::Lines } else { AccessorLayout::OneLine };
        let mut accessors = Vec::new();
        while !cursor.eat(Token::RightBrace) {
            let mut modifiers = Vec::new();
            while cursor.at(Token::AtName) || matches!(cursor.peek_text(), "mutating" | "nonmutating" | "__consuming") {
                modifiers.push(cursor.bump().to_owned());
                if cursor.at(Token::LeftParen) {
                    return None;
                }
            }
            let word = cursor.bump();
            if !matches!(
                word,
                "get"
                    | "set"
                    | "_read"
                    | "_modify"
                    | "read"
                    | "modify"
                    | "borrow"
                    | "mutate"
                    | "unsafeAddress"
                    | "unsafeMutableAddress"
            ) {
                return None;
            }
            let mut text = word.to_owned();
            if cursor.at(Token::LeftParen) {
                cursor.skip_balanced();
            }
            text.push_str(&self.effects(cursor)?);
            self.body(cursor)?;
            modifiers.retain(|modifier| modifier != "@_transparent");
            accessors.push(Accessor { modifiers, text });
        }
        if accessors.is_empty() { None } else { Some((accessors, layout)) }
    }

    // Cases and functions.

    fn cases(&self, cursor: &mut Cursor<'_>) -> Option<Kind> {
        let mut cases = Vec::new();
        loop {
            let mut text = name(cursor)?.to_owned();
            let mut payload = Payload::None;
            if cursor.at(Token::LeftParen) {
                payload = Payload::Some;
                let parameters = self.parameters(cursor, Labels::FromName)?;
                let texts = parameters.iter().map(|text| if text == "Void" { "()" } else { text });
                text.push_str(&format!("({})", texts.collect::<Vec<_>>().join(", ")));
            }
            if cursor.eat(Token::Equal) {
                initial_value(cursor)?;
            }
            cases.push(Case { text, payload });
            if !cursor.eat(Token::Comma) {
                return Some(Kind::Cases(cases));
            }
        }
    }

    fn function(&mut self, cursor: &mut Cursor<'_>) -> Option<Kind> {
        let mut function = String::new();
        if cursor.peek().is_operator() {
            let start = cursor.span().start;
            while cursor.peek().is_operator() && (function.is_empty() || cursor.is_adjacent()) {
                function.push_str(cursor.bump());
            }
            // In `func +<T>(…)` the last character opens the generic parameters.
            if function.len() > 1 && function.ends_with('<') && cursor.at(Token::Identifier) {
                function.pop();
                cursor.seek_byte(start + function.len() as u32);
            }
            function.push(' ');
        } else {
            function.push_str(name(cursor)?);
            if function.starts_with(is_operator) {
                function.push(' ');
            }
        }
        let labels = if function.ends_with(' ') { Labels::None } else { Labels::FromName };
        let Kind::Callable(callable) = self.callable(cursor, CallableKeyword::Function, labels)? else { return None };
        Some(Kind::Callable(Callable { name: function, ..callable }))
    }

    fn callable(&mut self, cursor: &mut Cursor<'_>, keyword: CallableKeyword, labels: Labels) -> Option<Kind> {
        let mut name = String::new();
        if keyword == CallableKeyword::Initializer && matches!(cursor.peek(), Token::Question | Token::Exclamation) {
            name.push_str(cursor.bump());
        }
        let generics = self.generics(cursor)?;
        self.enter(&generics);
        let mut callable = Callable {
            keyword,
            name,
            generics: generics.text.clone(),
            parameters: self.parameters(cursor, labels)?,
            effects: self.effects(cursor)?,
            result: None,
            requirements: Vec::new(),
            accessors: Vec::new(),
        };
        if cursor.eat(Token::Arrow) {
            let ty = self.types.ty(&Piece::of_type(cursor).ok()?)?;
            callable.result =
                Some(ty).filter(|ty| keyword == CallableKeyword::Subscript || !matches!(ty.as_str(), "()" | "Void"));
        }
        callable.requirements = self.requirements(cursor, &generics)?;
        if keyword == CallableKeyword::Subscript {
            if !cursor.at(Token::LeftBrace) {
                return None;
            }
            (callable.accessors, _) = self.accessors(cursor)?;
        } else {
            self.body(cursor)?;
        }
        Some(Kind::Callable(callable))
    }

    /// ` async throws(E)`
    fn effects(&self, cursor: &mut Cursor<'_>) -> Option<String> {
        let mut text = String::new();
        while let "async" | "throws" | "rethrows" | "reasync" = cursor.peek_text() {
            let word = cursor.bump();
            text.push_str(&format!(" {word}"));
            if cursor.eat(Token::LeftParen) {
                text.push_str(&format!("({})", self.types.ty(&Piece::of_type(cursor).ok()?)?));
                if !cursor.eat(Token::RightParen) {
                    return None;
                }
            }
        }
        Some(text)
    }

    /// `(x: Int, _ y: T = 0, C)`
    fn parameters(&self, cursor: &mut Cursor<'_>, rule: Labels) -> Option<Vec<String>> {
        if !cursor.eat(Token::LeftParen) {
            return None;
        }
        let mut parameters = Vec::new();
        while !cursor.eat(Token::RightParen) {
            parameters.push(self.parameter(cursor, rule)?);
            if !cursor.eat(Token::Comma) && !cursor.at(Token::RightParen) {
                return None;
            }
        }
        Some(parameters)
    }

    fn parameter(&self, cursor: &mut Cursor<'_>, rule: Labels) -> Option<String> {
        let mut text = String::new();
        let before = cursor.position();
        while cursor.at(Token::AtName) && labels_follow(cursor) {
            text.push_str(&format!("{} ", cursor.bump()));
        }
        let labels = labels(cursor);
        match &labels[..] {
            [] => {
                text.clear();
                cursor.seek(before);
            }
            ["_", second] if rule == Labels::None => text.push_str(&format!("{second}: ")),
            [first, second] if first != second || rule == Labels::None => text.push_str(&format!("{first} {second}: ")),
            [first, ..] => text.push_str(&format!("{first}: ")),
        }
        let mut piece = Piece::of_type(cursor).ok()?;
        let is_variadic = piece.slice().ends_with("...");
        piece.end -= if is_variadic { "...".len() as u32 } else { 0 };
        let ty = self.types.ty(&piece)?;
        text.push_str(&if is_variadic { variadic(&ty) } else { ty });
        if cursor.eat(Token::Equal) {
            text.push_str(&format!(" = {}", initial_value(cursor)?));
        }
        Some(text)
    }

    /// Skips a body, which is not printed. One that declares types has to stay: the rest of the module may use them.
    fn body(&self, cursor: &mut Cursor<'_>) -> Option<()> {
        if !cursor.at(Token::LeftBrace) {
            return Some(());
        }
        let start = cursor.position();
        cursor.skip_balanced().then_some(())?;
        let end = cursor.previous_end();
        cursor.seek(start);
        while cursor.previous_end() < end {
            if LOCAL_TYPES.contains(&cursor.bump()) {
                return None;
            }
        }
        Some(())
    }

    // Aliases.

    fn alias(&mut self, cursor: &mut Cursor<'_>) -> Option<Kind> {
        let name = name(cursor)?.to_owned();
        let generics = self.generics(cursor)?;
        self.enter(&generics);
        if !cursor.eat(Token::Equal) {
            return None;
        }
        let piece = Piece::of_type(cursor).ok()?;
        // The name of an alias has another meaning outside of it.
        if self.types.frames.len() > 1 && mentions(piece.slice(), &name) {
            return None;
        }
        let ty = self.types.aliased(&piece)?;
        let requirements = where_clause(&self.requirements(cursor, &generics)?);
        Some(Kind::Line(format!("typealias {name}{} = {ty}{requirements}", generics.text)))
    }

    fn associated_type(&self, cursor: &mut Cursor<'_>) -> Option<Kind> {
        let name = name(cursor)?;
        let mut inherited = self.after_colon(cursor, |piece| self.types.constraint(piece))?;
        inherited.sort_by_cached_key(|this| self.types.rank(this));
        let mut text = format!("associatedtype {name}{}", inheritance_clause(&inherited));
        if cursor.eat(Token::Equal) {
            text.push_str(&format!(" = {}", self.types.ty(&Piece::of_type(cursor).ok()?)?));
        }
        text.push_str(&where_clause(&self.requirements(cursor, &Generics::default())?));
        Some(Kind::Line(text))
    }
}

/// The label of a parameter with one name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Labels {
    /// The name: in functions and initialisers.
    FromName,
    /// There is none: in operators and subscripts.
    None,
}

/// The context of a member.
#[derive(Clone, Copy)]
pub(super) struct Around {
    keyword: TypeKeyword,
    nominal: Option<NominalId>,
}

/// The text before and around a declaration.
struct Stated {
    attributes: Vec<String>,
    around: Option<Around>,
}

impl Stated {
    fn has(&self, name: &str) -> bool {
        self.attributes.iter().any(|attribute| attribute == name)
    }
}

/// ` : A, B`, or nothing.
pub(super) fn inheritance_clause(inherited: &[String]) -> String {
    if inherited.is_empty() { String::new() } else { format!(" : {}", inherited.join(", ")) }
}

/// ` where T : P, U == V`, or nothing.
pub(super) fn where_clause(requirements: &[String]) -> String {
    if requirements.is_empty() { String::new() } else { format!(" where {}", requirements.join(", ")) }
}

/// A member as it is written, with the beginning of its line.
fn verbatim(text: &str, extent: &Extent<'_>) -> Declaration {
    let (start, end) = (extent.span.start as usize, extent.span.end as usize);
    let line = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let indentation = text[line..start].chars().all(|character| matches!(character, ' ' | '\t'));
    let start = if indentation { line } else { start };
    Declaration { attributes: Vec::new(), kind: Kind::Verbatim(text[start..end].to_owned()) }
}

/// Whether a word stands in a text.
fn mentions(text: &str, word: &str) -> bool {
    text.split(|character: char| !character.is_alphanumeric() && character != '_').any(|part| part == word)
}

/// Whether an operator that is no ASCII text can begin with this (The Swift Programming Language, "Operators").
fn is_operator(character: char) -> bool {
    matches!(u32::from(character),
        0xA1..=0xA7 | 0xA9 | 0xAB | 0xAC | 0xAE | 0xB0 | 0xB1 | 0xB6 | 0xBB | 0xBF | 0xD7 | 0xF7
        | 0x2016 | 0x2017 | 0x2020..=0x2027 | 0x2030..=0x203E | 0x2041..=0x2053 | 0x2055..=0x205E
        | 0x2190..=0x23FF | 0x2500..=0x2775 | 0x2794..=0x2BFF | 0x2E00..=0x2E7F
        | 0x3001..=0x3003 | 0x3008..=0x3020 | 0x3030)
}

fn name<'a>(cursor: &mut Cursor<'a>) -> Option<&'a str> {
    cursor.expect(Token::Identifier).ok()
}

fn property(
    introducer: Introducer,
    name: String,
    ty: &PropertyType,
    initial: &Initial,
    written: Option<(Vec<Accessor>, AccessorLayout)>,
    stated: &Stated,
) -> Option<Kind> {
    if stated.attributes.iter().any(|attribute| attribute == "lazy") {
        return None;
    }
    let has_storage = stated.has("@_hasStorage");
    let storage = if written.is_none() || has_storage { Storage::Stored } else { Storage::Computed };
    let in_protocol = stated.around.is_some_and(|around| around.keyword == TypeKeyword::Protocol);
    if storage == Storage::Stored && in_protocol {
        return None;
    }
    let accessor = |word: &str| Accessor { modifiers: Vec::new(), text: word.to_owned() };
    let (accessors, layout) = written.unwrap_or_else(|| match introducer {
        Introducer::Var if !has_storage => (vec![accessor("get"), accessor("set")], AccessorLayout::OneLine),
        _ => (vec![accessor("get")], AccessorLayout::OneLine),
    });
    let initial = match initial {
        Initial::None
            if storage == Storage::Stored && introducer == Introducer::Var && ty.form == TypeForm::ShortOptional =>
        {
            Initial::Nil
        }
        initial => initial.clone(),
    };
    Some(Kind::Property(Property { introducer, name, ty: ty.clone(), storage, accessors, layout, initial }))
}

/// The names before the colon of a parameter; none where a type stands without them.
fn labels<'a>(cursor: &mut Cursor<'a>) -> Vec<&'a str> {
    let mut ahead = cursor.clone();
    let mut labels = Vec::new();
    while ahead.at(Token::Identifier) && labels.len() < 2 {
        labels.push(ahead.bump());
    }
    if !ahead.eat(Token::Colon) {
        return Vec::new();
    }
    *cursor = ahead;
    labels
}

/// Whether attributes ahead belong to a parameter, not to a type.
fn labels_follow(cursor: &Cursor<'_>) -> bool {
    let mut ahead = cursor.clone();
    while ahead.at(Token::AtName) {
        ahead.bump();
    }
    !labels(&mut ahead).is_empty()
}

/// The text of an initial value or a default argument: to the end of its line, a comma, or a closing bracket.
fn initial_value<'a>(cursor: &mut Cursor<'a>) -> Option<&'a str> {
    let start = cursor.span().start as usize;
    loop {
        match cursor.peek() {
            Token::End | Token::Comma | Token::RightBrace | Token::RightParen | Token::Semicolon => break,
            token if token.closing().is_some() => {
                if !cursor.skip_balanced() {
                    return None;
                }
            }
            _ => {
                cursor.bump();
            }
        }
        if cursor.at(Token::LeftBrace) || cursor.at_line_start() {
            break;
        }
    }
    let text = &cursor.text()[start..cursor.previous_end() as usize];
    (!text.is_empty() && !text.contains(['\n', '{'])).then_some(text)
}
