//! Writes the Swift declarations of a module as Swift's printer writes them, with the members that Swift adds. A
//! declaration that is not understood is written as it stands in the source.

mod attributes;
mod generics;
mod reader;
mod synthesis;
mod tree;
mod types;
mod writer;

use sil_ir::model::Module;
use sil_ir::source::SourceMap;

use self::reader::Reader;
use self::tree::Declaration;
use self::types::TypeTexts;
use self::writer::Writer;
use super::Printer;
use crate::syntax::cursor::Cursor;
use crate::syntax::declarations::{Configuration, declaration_extents};

/// A part of the declarations.
enum Part<'a> {
    /// Declarations that one declaration of the text became.
    Read(Vec<Declaration>),
    /// A text that is written as it is.
    Verbatim(&'a str),
}

impl Printer<'_> {
    /// Writes the declarations of `module`, each with a blank line after it.
    pub(super) fn declarations(&mut self, module: &Module, sources: &SourceMap) {
        let mut parts = parts(module, sources);
        let read = parts.iter_mut().filter_map(|part| match part {
            Part::Read(declarations) => Some(declarations),
            Part::Verbatim(_) => None,
        });
        let mut declarations: Vec<&mut Declaration> = read.flatten().collect();
        synthesis::complete(&mut declarations, module);
        for part in &parts {
            match part {
                Part::Verbatim(text) => self.declaration_lines(text),
                Part::Read(declarations) => {
                    for declaration in declarations.iter().filter(|declaration| !declaration.is_silent()) {
                        let mut writer = Writer::default();
                        writer.declaration(declaration);
                        self.text(&writer.out);
                        self.text("\n");
                    }
                }
            }
        }
    }

    /// Writes declarations as they stand, without comments between them.
    fn declaration_lines(&mut self, text: &str) {
        let mut blank = true;
        for line in text.lines() {
            let line = line.trim_end();
            if line.starts_with("//") || (blank && line.is_empty()) {
                continue;
            }
            blank = line.is_empty();
            self.text(line);
            self.text("\n");
        }
        if !blank {
            self.text("\n");
        }
    }
}

fn parts<'a>(module: &Module, sources: &'a SourceMap) -> Vec<Part<'a>> {
    let configuration = Configuration {
        mode: module.mode,
        version: module.version,
        platform: module.platform,
        objective_c: module.provenance.objective_c,
    };
    let types = TypeTexts {
        context: &module.context,
        table: &module.declarations,
        frames: Vec::new(),
        depth: Default::default(),
    };
    let mut reader = Reader { types, configuration: &configuration };
    let mut parts = Vec::new();
    for span in &module.declaration_text {
        let text = sources.file(span.file).text.as_ref();
        let mut cursor = Cursor::within(text, span.file, span.start, span.end);
        let Ok(extents) = declaration_extents(&module.context, &configuration, &mut cursor) else {
            parts.push(Part::Verbatim(&text[span.start as usize..span.end as usize]));
            continue;
        };
        for extent in &extents {
            parts.push(match reader.declaration(text, extent, None) {
                Some(read) => Part::Read(read),
                None => Part::Verbatim(&text[extent.span.start as usize..extent.span.end as usize]),
            });
        }
    }
    parts
}
