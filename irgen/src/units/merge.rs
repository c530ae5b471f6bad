//! Objects of units to one object, in ELF. Sections stay as they are, several of one name where several units have it: what refers to
//! them needs no change, and the linker joins them. Symbols are joined by name.

use object::build::Id;
use object::build::elf::{Builder, SectionData, SectionId, SymbolId};
use object::elf;
use rustc_hash::FxHashMap;

use crate::Error;

/// Joins objects, of which each symbol is defined in one. Symbols of which `is_local` holds are for these objects alone.
pub fn merge(objects: &[Vec<u8>], is_local: impl Fn(&str) -> bool) -> Result<Vec<u8>, Error> {
    let mut parsed = objects.iter().map(|object| Builder::read(object.as_slice()).map_err(internal));
    let Some(first) = parsed.next() else { return Err(Error::Internal("there is no unit to emit".to_owned())) };
    let mut merger = Merger::new(first?);
    for object in parsed {
        merger.append(object?);
    }
    merger.finish(is_local)
}

fn internal(error: object::build::Error) -> Error {
    Error::Internal(format!("cannot join the objects of units: {error}"))
}

/// What became of the sections or symbols of an object, by their number in it.
type NewIds<T> = FxHashMap<usize, T>;

struct Merger<'data> {
    whole: Builder<'data>,
    /// The symbols that other objects can refer to.
    globals: FxHashMap<Vec<u8>, SymbolId>,
}

impl<'data> Merger<'data> {
    fn new(whole: Builder<'data>) -> Self {
        let visible = whole.symbols.iter().filter(|symbol| symbol.st_bind() != elf::STB_LOCAL);
        let globals = visible.map(|symbol| (symbol.name.to_vec(), symbol.id())).collect();
        Self { whole, globals }
    }

    fn append(&mut self, object: Builder<'data>) {
        let sections = self.append_sections(&object);
        let symbols = self.append_symbols(&object, &sections);
        for section in &object.sections {
            let (Some(new), SectionData::Relocation(relocations)) =
                (sections.get(&section.id().index()), &section.data)
            else {
                continue;
            };
            let mut relocations = relocations.clone();
            for relocation in &mut relocations {
                relocation.symbol = relocation.symbol.and_then(|symbol| symbols.get(&symbol.index()).copied());
            }
            self.whole.sections.get_mut(*new).data = SectionData::Relocation(relocations);
        }
    }

    /// Adds the sections, and gives the new one for each. There is one table of symbols and one of their names.
    fn append_sections(&mut self, object: &Builder<'data>) -> NewIds<SectionId> {
        let mut new_ids = NewIds::default();
        for section in &object.sections {
            let is_note = section.name.as_slice() == b".note.GNU-stack";
            let same = |known: &&object::build::elf::Section<'data>| match &section.data {
                SectionData::Symbol => matches!(known.data, SectionData::Symbol),
                SectionData::String => matches!(known.data, SectionData::String),
                SectionData::SectionString => matches!(known.data, SectionData::SectionString),
                SectionData::Attributes(_) => known.name == section.name,
                _ => is_note && known.name == section.name,
            };
            let found = self.whole.sections.iter().find(same).map(|known| known.id());
            let new = found.unwrap_or_else(|| {
                let new = self.whole.sections.add();
                new.name = section.name.clone();
                new.sh_type = section.sh_type;
                new.sh_flags = section.sh_flags;
                new.sh_size = section.sh_size;
                new.sh_info = section.sh_info;
                new.sh_addralign = section.sh_addralign;
                new.sh_entsize = section.sh_entsize;
                new.data = section.data.clone();
                new.id()
            });
            new_ids.insert(section.id().index(), new);
        }
        for section in &object.sections {
            let new = self.whole.sections.get_mut(new_ids[&section.id().index()]);
            if matches!(section.data, SectionData::Relocation(_)) || section.sh_flags.contains(elf::SHF_LINK_ORDER) {
                new.sh_link_section = section.sh_link_section.map(|linked| new_ids[&linked.index()]);
                new.sh_info_section = section.sh_info_section.map(|described| new_ids[&described.index()]);
            }
        }
        new_ids
    }

    /// Adds the symbols, and gives the new one for each: where the name is known already, that one, defined as one of the two is.
    fn append_symbols(&mut self, object: &Builder<'data>, sections: &NewIds<SectionId>) -> NewIds<SymbolId> {
        let mut new_ids = NewIds::default();
        for symbol in &object.symbols {
            let is_visible = symbol.st_bind() != elf::STB_LOCAL;
            let known = self.globals.get(symbol.name.as_slice()).copied().filter(|_| is_visible);
            let is_defined = symbol.st_shndx != elf::SHN_UNDEF || symbol.section.is_some();
            let new = match known {
                Some(known) => self.whole.symbols.get_mut(known),
                None => self.whole.symbols.add(),
            };
            if known.is_none() || is_defined {
                new.name = symbol.name.clone();
                new.section = symbol.section.and_then(|section| sections.get(&section.index()).copied());
                new.st_info = symbol.st_info;
                new.st_other = symbol.st_other;
                new.st_shndx = symbol.st_shndx;
                new.st_value = symbol.st_value;
                new.st_size = symbol.st_size;
            }
            if is_visible {
                self.globals.insert(symbol.name.to_vec(), new.id());
            }
            new_ids.insert(symbol.id().index(), new.id());
        }
        new_ids
    }

    fn finish(mut self, is_local: impl Fn(&str) -> bool) -> Result<Vec<u8>, Error> {
        for symbol in self.whole.symbols.iter_mut() {
            if symbol.st_bind() != elf::STB_LOCAL && std::str::from_utf8(&symbol.name).is_ok_and(&is_local) {
                symbol.set_st_info(elf::STB_LOCAL, symbol.st_type());
                symbol.st_other = elf::SymbolOther(0);
            }
        }
        // LLVM keeps the names of sections among those of symbols.
        if !self.whole.sections.iter().any(|section| matches!(section.data, SectionData::SectionString)) {
            let names = self.whole.sections.add();
            names.name = ".shstrtab".into();
            names.sh_type = elf::SHT_STRTAB;
            names.sh_addralign = 1;
            names.data = SectionData::SectionString;
        }
        let mut bytes = Vec::new();
        self.whole.write(&mut bytes).map_err(internal)?;
        Ok(bytes)
    }
}
