//! Declarations as Swift's text, in the form that silc's reader takes: stored properties alone, each struct with the
//! layout that clang gave it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::model::*;

/// The declarations that names for which `is_wanted` holds need: their own, those that these mention, and so on.
pub fn text_of(declarations: &Declarations, is_wanted: &dyn Fn(&str) -> bool) -> String {
    let mut writer =
        Writer { declarations, nested: nested_in(declarations), needed: Needed::default(), text: String::new() };
    writer.find_needed(is_wanted);
    writer.write();
    writer.text
}

#[derive(Default)]
struct Needed {
    records: BTreeSet<usize>,
    enumerations: BTreeSet<usize>,
    aliases: BTreeSet<usize>,
    newtypes: BTreeSet<usize>,
}

impl Needed {
    fn count(&self) -> usize {
        self.records.len() + self.enumerations.len() + self.aliases.len() + self.newtypes.len()
    }
}

/// The records nested in a record, by their numbers.
#[derive(Default)]
struct Nested {
    records: Vec<usize>,
    enumerations: Vec<usize>,
}

struct Writer<'d> {
    declarations: &'d Declarations,
    nested: BTreeMap<usize, Nested>,
    needed: Needed,
    text: String,
}

fn nested_in(declarations: &Declarations) -> BTreeMap<usize, Nested> {
    let mut nested: BTreeMap<usize, Nested> = BTreeMap::new();
    for (number, record) in declarations.records.iter().enumerate() {
        if let Spelling::TypeOfField { parent, .. } = record.spelling {
            nested.entry(parent.0).or_default().records.push(number);
        }
    }
    for (number, enumeration) in declarations.enumerations.iter().enumerate() {
        if let Some(parent) = enumeration.parent {
            nested.entry(parent.0).or_default().enumerations.push(number);
        }
    }
    nested
}

impl Writer<'_> {
    fn find_needed(&mut self, is_wanted: &dyn Fn(&str) -> bool) {
        self.need_named(is_wanted);
        // A member of a type is nothing without it.
        let mut known = 0;
        while self.needed.count() > known {
            known = self.needed.count();
            let outer: BTreeSet<String> = self.needed_names().flat_map(|name| name.outer.clone()).collect();
            self.need_named(&|name| outer.contains(name));
        }
    }

    fn needed_names(&self) -> impl Iterator<Item = &TypeName> {
        let Declarations { records, enumerations, newtypes, aliases, .. } = self.declarations;
        let Needed { records: of_records, enumerations: of_enumerations, aliases: of_aliases, newtypes: of_newtypes } =
            &self.needed;
        let names = of_records.iter().map(|number| &records[*number].name);
        let names = names.chain(of_enumerations.iter().map(|number| &enumerations[*number].name));
        let names = names.chain(of_newtypes.iter().map(|number| &newtypes[*number].name));
        names.chain(of_aliases.iter().map(|number| &aliases[*number].name))
    }

    fn need_named(&mut self, is_wanted: &dyn Fn(&str) -> bool) {
        let declarations = self.declarations;
        for (number, record) in declarations.records.iter().enumerate() {
            if matches!(record.spelling, Spelling::Named(_)) && is_wanted(&record.name.name) {
                self.need_record(number);
            }
        }
        for (number, enumeration) in declarations.enumerations.iter().enumerate() {
            if enumeration.parent.is_none() && is_wanted(&enumeration.name.name) {
                self.needed.enumerations.insert(number);
            }
        }
        for (number, newtype) in declarations.newtypes.iter().enumerate() {
            if is_wanted(&newtype.name.name) && self.needed.newtypes.insert(number) {
                self.need(&newtype.ty);
            }
        }
        for (number, alias) in declarations.aliases.iter().enumerate() {
            if is_wanted(&alias.name.name) && self.needed.aliases.insert(number) {
                self.need(&alias.ty);
            }
        }
    }

    fn need_record(&mut self, first: usize) {
        let mut open = vec![first];
        while let Some(number) = open.pop() {
            let record = &self.declarations.records[number];
            if let Spelling::TypeOfField { parent, .. } = record.spelling {
                open.push(parent.0);
            }
            if self.needed.records.insert(number) {
                for field in &record.fields {
                    self.mention(&field.ty, &mut open);
                }
            }
            open.retain(|number| !self.needed.records.contains(number));
        }
    }

    fn need(&mut self, ty: &CType) {
        let mut records = Vec::new();
        self.mention(ty, &mut records);
        for record in records {
            self.need_record(record);
        }
    }

    /// Adds the records that `ty` mentions to `records`, and the enums to those that are needed.
    fn mention(&mut self, ty: &CType, records: &mut Vec<usize>) {
        match ty {
            CType::Record(id) => records.push(id.0),
            CType::Enumeration(id) => {
                self.needed.enumerations.insert(id.0);
                records.extend(self.declarations.enumerations[id.0].parent.map(|parent| parent.0));
            }
            CType::Newtype(id) => {
                self.needed.newtypes.insert(id.0);
                self.mention(&self.declarations.newtypes[id.0].ty, records);
            }
            CType::Pointer { pointee, .. } => self.mention(pointee, records),
            CType::Array(element, _) => self.mention(element, records),
            CType::FunctionPointer { parameters, result } => {
                parameters.iter().for_each(|parameter| self.mention(parameter, records));
                self.mention(result, records);
            }
            CType::Void | CType::Library(_) | CType::Vector(..) | CType::OpaquePointer | CType::Unknown => {}
        }
    }

    fn write(&mut self) {
        let declarations = self.declarations;
        for number in self.needed.records.clone() {
            let record = &declarations.records[number];
            if matches!(record.spelling, Spelling::Named(_)) {
                self.within(&record.name, |writer, depth| writer.record(number, depth));
            }
        }
        for number in self.needed.enumerations.clone() {
            let enumeration = &declarations.enumerations[number];
            if enumeration.parent.is_none() {
                self.within(&enumeration.name, |writer, depth| writer.enumeration(number, depth));
            }
        }
        for number in self.needed.newtypes.clone() {
            self.newtype(&declarations.newtypes[number]);
        }
        for number in self.needed.aliases.clone() {
            self.alias(&declarations.aliases[number]);
        }
    }

    /// Writes a declaration with this name, in an extension of the type that it is a member of. The depth is how far to
    /// indent.
    fn within(&mut self, name: &TypeName, write: impl FnOnce(&mut Self, usize)) {
        if name.outer.is_empty() {
            return write(self, 0);
        }
        let outer: Vec<String> = name.outer.iter().map(|name| quoted(name)).collect();
        let _ = writeln!(self.text, "extension {} {{", outer.join("."));
        write(self, 1);
        self.text.push_str("}\n");
    }

    fn newtype(&mut self, newtype: &Alias) {
        let Some(raw) = swift_type(self.declarations, &newtype.ty) else { return };
        let name = quoted(&newtype.name.name);
        self.within(&newtype.name, |writer, depth| {
            let indent = "  ".repeat(depth);
            let text = &mut writer.text;
            let _ = writeln!(text, "{indent}struct {name} : Equatable, RawRepresentable {{");
            let _ = writeln!(text, "{indent}  var rawValue: {raw}\n{indent}  typealias RawValue = {raw}\n{indent}}}");
        });
    }

    fn alias(&mut self, alias: &Alias) {
        let Some(ty) = swift_type(self.declarations, &alias.ty) else { return };
        self.within(&alias.name, |writer, depth| {
            let _ = writeln!(writer.text, "{}typealias {} = {ty}", "  ".repeat(depth), quoted(&alias.name.name));
        });
    }

    fn record(&mut self, number: usize, depth: usize) {
        let record = &self.declarations.records[number];
        let indent = "  ".repeat(depth);
        let mut layout = format!("size: {}, alignment: {}", record.size, record.alignment);
        let mut properties = String::new();
        for field in &record.fields {
            let Place::Bytes { offset, .. } = field.place else { continue };
            let Some(ty) = stored_type(self.declarations, record, field) else { continue };
            let _ = write!(layout, ", offset: {offset}");
            let _ = writeln!(properties, "{indent}  var {}: {ty}", quoted(&field.swift_name));
        }
        for (offset, bytes) in opaque_ranges(self.declarations, record) {
            let _ = write!(layout, ", opaque: {offset}, bytes: {bytes}");
        }
        self.name_space(&record.name, record.c_name.as_ref(), &indent);
        let _ = writeln!(self.text, "{indent}@_cLayout({layout})\n{indent}struct {} {{", quoted(&record.name.name));
        self.text.push_str(&properties);
        if let Some(nested) = self.nested.remove(&number) {
            nested.records.iter().for_each(|number| self.record(*number, depth + 1));
            nested.enumerations.iter().for_each(|number| self.enumeration(*number, depth + 1));
        }
        let _ = writeln!(self.text, "{indent}}}");
    }

    /// The attribute for the name of a type in symbols, if its name in Swift is that in C. A type without a name in C
    /// is named like a tag.
    fn name_space(&mut self, name: &TypeName, c_name: Option<&CName>, indent: &str) {
        let attribute = match c_name {
            Some(c_name) if *name != TypeName::plain(c_name.name.clone()) => return,
            Some(CName { space: NameSpace::Ordinary, .. }) => "@_cTypedef",
            Some(CName { space: NameSpace::Tags, .. }) | None => "@_cTag",
        };
        let _ = writeln!(self.text, "{indent}{attribute}");
    }

    fn enumeration(&mut self, number: usize, depth: usize) {
        let enumeration = &self.declarations.enumerations[number];
        let indent = "  ".repeat(depth);
        let Some(raw) = swift_type(self.declarations, &enumeration.raw_type) else { return };
        self.name_space(&enumeration.name, enumeration.c_name.as_ref(), &indent);
        let name = quoted(&enumeration.name.name);
        let conformances = match &enumeration.kind {
            EnumerationKind::Struct => "Equatable, RawRepresentable",
            EnumerationKind::OptionSet => "OptionSet",
            EnumerationKind::Enum { cases, size } => return self.own_enum(&name, &raw, cases, *size, &indent),
        };
        let _ = writeln!(self.text, "{indent}struct {name} : {conformances} {{\n{indent}  var rawValue: {raw}");
        let _ = writeln!(self.text, "{indent}  typealias RawValue = {raw}");
        if enumeration.kind == EnumerationKind::OptionSet {
            let _ = writeln!(self.text, "{indent}  typealias Element = {name}");
            let _ = writeln!(self.text, "{indent}  typealias ArrayLiteralElement = {name}");
        }
        let _ = writeln!(self.text, "{indent}}}");
    }

    fn own_enum(&mut self, name: &str, raw: &str, cases: &[(String, u64)], size: u64, indent: &str) {
        let values: String = cases.iter().map(|(_, value)| format!(", value: {value}")).collect();
        let _ = writeln!(self.text, "{indent}@_cValues(size: {size}{values})");
        let _ = writeln!(self.text, "{indent}enum {name} : Hashable, RawRepresentable {{");
        for (case, _) in cases {
            let _ = writeln!(self.text, "{indent}  case {}", quoted(case));
        }
        let _ = writeln!(self.text, "{indent}  typealias RawValue = {raw}\n{indent}}}");
    }
}

/// The type of a stored property. None for fields without one in Swift: those of unions, arrays without elements, types
/// that are not imported.
fn stored_type(declarations: &Declarations, record: &Record, field: &Field) -> Option<String> {
    if record.kind == RecordKind::Union {
        return None;
    }
    swift_type(declarations, &field.ty)
}

/// The bytes of a record without a stored property, which are copied with it: first byte and number
/// (`ClangRecordLowering`, lib/IRGen/GenStruct.cpp). Adjacent bit-fields are one range, cut where one begins at a
/// multiple of 32.
fn opaque_ranges(declarations: &Declarations, record: &Record) -> Vec<(u64, u64)> {
    if record.kind == RecordKind::Union {
        return if record.size == 0 { Vec::new() } else { vec![(0, record.size)] };
    }
    let mut ranges = Vec::new();
    let mut bits: Option<(u64, u64)> = None;
    let flush = |bits: &mut Option<(u64, u64)>, ranges: &mut Vec<(u64, u64)>| {
        if let Some((start, end)) = bits.take().filter(|(start, end)| start < end) {
            ranges.push((start / 8, end.div_ceil(8) - start / 8));
        }
    };
    for field in &record.fields {
        match field.place {
            Place::Bits { offset, width } => {
                if offset % 32 == 0 {
                    flush(&mut bits, &mut ranges);
                }
                bits = Some((bits.map_or(offset, |(start, _)| start), offset + width));
            }
            Place::Bytes { offset, size } => {
                flush(&mut bits, &mut ranges);
                if size > 0 && swift_type(declarations, &field.ty).is_none() {
                    ranges.push((offset, size));
                }
            }
        }
    }
    flush(&mut bits, &mut ranges);
    ranges
}

/// A type as a dump spells it; none for one that Swift does not import.
fn swift_type(declarations: &Declarations, ty: &CType) -> Option<String> {
    Some(match ty {
        CType::Void => "()".to_owned(),
        CType::Library(name) => (*name).to_owned(),
        CType::OpaquePointer => "OpaquePointer?".to_owned(),
        CType::Pointer { pointee, mutability } => pointer_type(declarations, pointee, *mutability)?,
        CType::FunctionPointer { parameters, result } => {
            let parameters: Option<Vec<String>> = parameters.iter().map(|ty| swift_type(declarations, ty)).collect();
            format!("(@convention(c) ({}) -> {})?", parameters?.join(", "), swift_type(declarations, result)?)
        }
        CType::Record(id) => record_path(declarations, *id),
        CType::Enumeration(id) => {
            let enumeration = &declarations.enumerations[id.0];
            match enumeration.parent {
                Some(parent) => format!("{}.{}", record_path(declarations, parent), quoted(&enumeration.name.name)),
                None => path(&enumeration.name),
            }
        }
        CType::Newtype(id) => path(&declarations.newtypes[id.0].name),
        CType::Array(_, 0) => "()".to_owned(),
        CType::Array(element, count) => {
            let element = swift_type(declarations, element)?;
            format!("({})", vec![element; usize::try_from(*count).ok()?].join(", "))
        }
        CType::Vector(element, count) => format!("SIMD{count}<{element}>"),
        CType::Unknown => return None,
    })
}

fn pointer_type(declarations: &Declarations, pointee: &CType, mutability: Mutability) -> Option<String> {
    Some(match (pointee, mutability) {
        (CType::Void, Mutability::Mutable) => "UnsafeMutableRawPointer?".to_owned(),
        (CType::Void, Mutability::Const) => "UnsafeRawPointer?".to_owned(),
        (pointee, Mutability::Mutable) => format!("UnsafeMutablePointer<{}>?", swift_type(declarations, pointee)?),
        (pointee, Mutability::Const) => format!("UnsafePointer<{}>?", swift_type(declarations, pointee)?),
    })
}

/// The name of a record, after those that it is nested in.
fn record_path(declarations: &Declarations, id: RecordId) -> String {
    let record = &declarations.records[id.0];
    match record.spelling {
        Spelling::Named(_) => path(&record.name),
        Spelling::TypeOfField { parent, .. } => {
            format!("{}.{}", record_path(declarations, parent), quoted(&record.name.name))
        }
    }
}

/// A name, after those of the types that it is a member of.
fn path(name: &TypeName) -> String {
    let names: Vec<String> = name.outer.iter().chain([&name.name]).map(|name| quoted(name)).collect();
    names.join(".")
}

/// A name in quotes: it may be a word of Swift's grammar.
fn quoted(name: &str) -> String {
    format!("`{name}`")
}
