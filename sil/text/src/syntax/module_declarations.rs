//! The declarations of a module's other files: `swift-frontend -primary-file` prints the declarations and uses of its
//! primary files, and leaves the layouts of the module's other types to other jobs. They come as one text of the whole
//! module, or as a text for each other file. Owns the selection of the other files' declarations.

use rustc_hash::{FxHashMap, FxHashSet};
use sil_ir::context::Context;
use sil_ir::diagnostic::Diagnostic;
use sil_ir::source::{FileId, SourceMap};

use super::Parsed;
use super::code::Code;
use super::cursor::Cursor;
use super::declarations::{Configuration, Extent, declaration_extents, private_discriminator};
use super::module::imported_module;
use super::scan::{Entity, EntityKind, entities};

/// The declarations of other files in a text.
pub(super) struct OtherFiles<'a> {
    pub(super) file: FileId,
    pub(super) text: &'a str,
    /// The imports of all files.
    pub(super) imports: Vec<&'a str>,
    /// The extents of the other files' declarations: first byte and end.
    pub(super) declarations: Vec<(u32, u32)>,
}

/// Returns the declarations in `whole` that `text` does not contain. Fails if several files have private types of one
/// name: the texts do not determine which one a name means.
pub(super) fn other_files<'a>(
    context: &Context,
    configuration: &Configuration,
    (file, text): (FileId, &'a str),
    own_entities: &[Entity],
    whole: FileId,
    sources: &'a SourceMap,
) -> Parsed<OtherFiles<'a>> {
    let own = extents(context, configuration, (file, text), own_entities)?;
    let whole_text = sources.file(whole).text.as_ref();
    let entities = entities(&Code::of(whole_text));
    let all = extents(context, configuration, (whole, whole_text), &entities)?;
    let mut left: FxHashMap<&str, usize> = FxHashMap::default();
    for extent in &own {
        *left.entry(written(text, extent)).or_default() += 1;
    }
    // The printer may write a declaration several times; as many copies as here are taken as the same.
    let others = all.iter().filter(|extent| match left.get_mut(written(whole_text, extent)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
    // Several files may each have the same alias.
    let mut aliases: FxHashSet<&str> = FxHashSet::default();
    let mut is_first = |text: &'a str, extent: &Extent<'_>| {
        !text[extent.keyword as usize..].starts_with("typealias") || aliases.insert(written(text, extent))
    };
    for extent in &own {
        is_first(text, extent);
    }
    let others: Vec<&Extent<'_>> = others.filter(|extent| is_first(whole_text, extent)).collect();
    let own_names = own.iter().filter_map(|extent| type_name(text, extent));
    no_namesakes(
        own_names.collect(),
        others.iter().filter_map(|extent| Some((type_name(whole_text, extent)?, *extent))),
    )?;
    Ok(OtherFiles {
        file: whole,
        text: whole_text,
        imports: imports(whole_text, &entities),
        declarations: others.iter().map(|extent| (extent.span.start, extent.span.end)).collect(),
    })
}

/// Returns the declarations of one other file.
pub(super) fn other_file(file: FileId, sources: &SourceMap) -> OtherFiles<'_> {
    let text = sources.file(file).text.as_ref();
    let entities = entities(&Code::of(text));
    let declarations = entities.iter().filter(|entity| entity.kind == EntityKind::Declarations);
    OtherFiles {
        file,
        text,
        imports: imports(text, &entities),
        declarations: declarations.map(|entity| (entity.start, entity.end)).collect(),
    }
}

/// Returns the private discriminator of another file of `module`, by the name of its text: `a.swift.sil` is the text of
/// `a.swift`.
pub(super) fn discriminator_of_text(module: &str, text: FileId, sources: &SourceMap) -> String {
    let path = sources.file(text).path.to_string_lossy();
    private_discriminator(module, path.strip_suffix(".sil").unwrap_or(&path))
}

fn imports<'a>(text: &'a str, entities: &[Entity]) -> Vec<&'a str> {
    let imports = entities.iter().filter(|entity| entity.kind == EntityKind::Import);
    imports.map(|entity| imported_module(&text[entity.start as usize..entity.end as usize])).collect()
}

fn extents<'a>(
    context: &Context,
    configuration: &Configuration,
    (file, text): (FileId, &'a str),
    entities: &[Entity],
) -> Parsed<Vec<Extent<'a>>> {
    let mut all = Vec::new();
    for entity in entities.iter().filter(|entity| entity.kind == EntityKind::Declarations) {
        let mut cursor = Cursor::within(text, file, entity.start, entity.end);
        all.extend(declaration_extents(context, configuration, &mut cursor)?);
    }
    Ok(all)
}

fn written<'a>(text: &'a str, extent: &Extent<'_>) -> &'a str {
    text[extent.span.start as usize..extent.span.end as usize].trim_end()
}

/// Returns the name of the type that a declaration declares, if it declares one.
fn type_name<'a>(text: &'a str, extent: &Extent<'_>) -> Option<&'a str> {
    const TYPES: [&str; 6] = ["struct", "class", "enum", "protocol", "actor", "typealias"];
    let declaration = &text[extent.keyword as usize..extent.span.end as usize];
    let (keyword, rest) = declaration.split_once(char::is_whitespace)?;
    let is_end = |character: char| !character.is_alphanumeric() && character != '_';
    TYPES.contains(&keyword).then(|| rest.trim_start().split(is_end).next().unwrap_or_default())
}

fn no_namesakes<'a, 'e>(
    mut names: FxHashSet<&'a str>,
    others: impl Iterator<Item = (&'a str, &'e Extent<'e>)>,
) -> Parsed<()> {
    for (name, extent) in others {
        if !names.insert(name) {
            let message =
                format!("not supported yet: types called '{name}' in several files of a module that is not read whole");
            return Err(Box::new(Diagnostic::error("not-supported", message, extent.span)));
        }
    }
    Ok(())
}
