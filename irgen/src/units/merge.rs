//! Merges objects of units to one object, in ELF. Sections are kept, possibly several with the same name: references to
//! them need no change, and the linker merges them. Those of debug information are merged, since tools look for one of
//! each. Symbols are merged by name.

use object::build::Id;
use object::build::elf::{Builder, Relocation, Section, SectionData, SectionId, Symbol, SymbolId};
use object::elf;
use rustc_hash::FxHashMap;

use crate::Error;

/// Merges objects; each symbol is defined in one of them. Symbols with a `local_name` are local to these objects.
pub fn merge(objects: &[Vec<u8>], local_name: impl Fn(&str) -> Option<&str>) -> Result<Vec<u8>, Error> {
    let mut parsed = objects.iter().map(|object| Builder::read(object.as_slice()).map_err(internal));
    let Some(first) = parsed.next() else { return Err(Error::Internal("there is no unit to emit".to_owned())) };
    let mut merger = Merger::new(first?);
    for object in parsed {
        merger.append(object?);
    }
    merger.finish(local_name)
}

fn internal(error: object::build::Error) -> Error {
    Error::Internal(format!("cannot join the objects of units: {error}"))
}

/// The new sections or symbols of an object, by their old index.
type NewIds<T> = FxHashMap<usize, New<T>>;

/// A section or symbol that replaces one of an object.
#[derive(Clone, Copy)]
struct New<T> {
    id: T,
    /// The size of its new section before the addition.
    before: u64,
}

struct Merger<'data> {
    whole: Builder<'data>,
    /// The symbols that other objects can refer to.
    globals: FxHashMap<Vec<u8>, SymbolId>,
}

/// Returns whether sections with this name are merged: debuggers look for one of each kind.
fn is_joined(section: &Section<'_>) -> bool {
    section.name.starts_with(b".debug_") && matches!(section.data, SectionData::Data(_))
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
            let SectionData::Relocation(relocations) = &section.data else { continue };
            let place = section.sh_info_section.and_then(|place| sections.get(&place.index()));
            let moved = relocations.iter().map(|relocation| {
                let symbol = relocation.symbol.and_then(|symbol| symbols.get(&symbol.index()));
                Relocation {
                    r_offset: relocation.r_offset + place.map_or(0, |place| place.before),
                    symbol: symbol.map(|symbol| symbol.id),
                    r_type: relocation.r_type,
                    r_addend: relocation.r_addend + symbol.map_or(0, |symbol| symbol.before as i64),
                }
            });
            if let Some(new) = sections.get(&section.id().index())
                && let SectionData::Relocation(all) = &mut self.whole.sections.get_mut(new.id).data
            {
                all.extend(moved);
            }
        }
    }

    /// Adds the sections, and returns the new one for each. There is one symbol table, and one string table.
    fn append_sections(&mut self, object: &Builder<'data>) -> NewIds<SectionId> {
        let mut new_ids = NewIds::default();
        let is_of_place = |section: &&Section<'data>| matches!(section.data, SectionData::Relocation(_));
        for section in object.sections.iter().filter(|section| !is_of_place(section)) {
            let new = self.append_section(section);
            new_ids.insert(section.id().index(), new);
        }
        for section in object.sections.iter().filter(is_of_place) {
            let new = self.relocations_like(section, &new_ids);
            new_ids.insert(section.id().index(), New { id: new, before: 0 });
        }
        for section in &object.sections {
            let new = self.whole.sections.get_mut(new_ids[&section.id().index()].id);
            if is_of_place(&section) || section.sh_flags.contains(elf::SHF_LINK_ORDER) {
                new.sh_link_section = section.sh_link_section.map(|linked| new_ids[&linked.index()].id);
                new.sh_info_section = section.sh_info_section.map(|described| new_ids[&described.index()].id);
            }
        }
        new_ids
    }

    /// Adds the bytes of `section` to a section, after the existing ones.
    fn append_section(&mut self, section: &Section<'data>) -> New<SectionId> {
        let is_note = section.name.as_slice() == b".note.GNU-stack";
        let same = |known: &&Section<'data>| match &section.data {
            SectionData::Symbol => matches!(known.data, SectionData::Symbol),
            SectionData::String => matches!(known.data, SectionData::String),
            SectionData::SectionString => matches!(known.data, SectionData::SectionString),
            SectionData::Attributes(_) => known.name == section.name,
            _ => (is_note || is_joined(section)) && known.name == section.name,
        };
        let Some(known) = self.whole.sections.iter().find(same).map(|known| known.id()) else {
            return New { id: self.add_section(section, section.data.clone()), before: 0 };
        };
        let joined = self.whole.sections.get_mut(known);
        let (SectionData::Data(all), SectionData::Data(more)) = (&mut joined.data, &section.data) else {
            return New { id: known, before: 0 };
        };
        let all = all.to_mut();
        all.resize(all.len().next_multiple_of(section.sh_addralign.max(1) as usize), 0);
        let before = all.len() as u64;
        all.extend_from_slice(more.as_slice());
        joined.sh_size = all.len() as u64;
        New { id: known, before }
    }

    fn add_section(&mut self, section: &Section<'data>, data: SectionData<'data>) -> SectionId {
        let new = self.whole.sections.add();
        new.name = section.name.clone();
        new.sh_type = section.sh_type;
        new.sh_flags = section.sh_flags;
        new.sh_size = section.sh_size;
        new.sh_info = section.sh_info;
        new.sh_addralign = section.sh_addralign;
        new.sh_entsize = section.sh_entsize;
        new.data = data;
        new.id()
    }

    /// Returns the section for relocations like those of `section`: an existing one for a merged section, else a new
    /// one.
    fn relocations_like(&mut self, section: &Section<'data>, new_ids: &NewIds<SectionId>) -> SectionId {
        let place = section.sh_info_section.map(|place| new_ids[&place.index()].id);
        let same = |known: &&Section<'data>| {
            matches!(known.data, SectionData::Relocation(_)) && known.sh_info_section == place
        };
        let found = self.whole.sections.iter().find(same).map(|known| known.id());
        found.unwrap_or_else(|| self.add_section(section, SectionData::Relocation(Vec::new())))
    }

    /// Adds the symbols, and returns the new one for each: an existing one with the same name, defined if one of the
    /// two is.
    fn append_symbols(&mut self, object: &Builder<'data>, sections: &NewIds<SectionId>) -> NewIds<SymbolId> {
        let mut new_ids = NewIds::default();
        for symbol in &object.symbols {
            let section = symbol.section.and_then(|section| sections.get(&section.index()).copied());
            let is_section = symbol.st_type() == elf::STT_SECTION;
            let id = match section.filter(|_| is_section).and_then(|section| self.symbol_of_section(section.id)) {
                Some(known) => known,
                None => self.append_symbol(symbol, section),
            };
            // A section's symbol is at the start of the section.
            let before = section.filter(|_| is_section).map_or(0, |section| section.before);
            new_ids.insert(symbol.id().index(), New { id, before });
        }
        new_ids
    }

    fn symbol_of_section(&self, section: SectionId) -> Option<SymbolId> {
        let is_it = |symbol: &&Symbol<'data>| symbol.st_type() == elf::STT_SECTION && symbol.section == Some(section);
        self.whole.symbols.iter().find(is_it).map(|symbol| symbol.id())
    }

    fn append_symbol(&mut self, symbol: &Symbol<'data>, section: Option<New<SectionId>>) -> SymbolId {
        let is_visible = symbol.st_bind() != elf::STB_LOCAL;
        let is_section = symbol.st_type() == elf::STT_SECTION;
        let known = self.globals.get(symbol.name.as_slice()).copied().filter(|_| is_visible);
        let is_defined = symbol.st_shndx != elf::SHN_UNDEF || symbol.section.is_some();
        let new = match known {
            Some(known) => self.whole.symbols.get_mut(known),
            None => self.whole.symbols.add(),
        };
        if known.is_none() || is_defined {
            new.name = symbol.name.clone();
            new.section = section.map(|section| section.id);
            new.st_info = symbol.st_info;
            new.st_other = symbol.st_other;
            new.st_shndx = symbol.st_shndx;
            new.st_value = symbol.st_value + section.filter(|_| !is_section).map_or(0, |section| section.before);
            new.st_size = symbol.st_size;
        }
        let id = new.id();
        if is_visible {
            self.globals.insert(symbol.name.to_vec(), id);
        }
        id
    }

    fn finish(mut self, local_name: impl Fn(&str) -> Option<&str>) -> Result<Vec<u8>, Error> {
        for symbol in self.whole.symbols.iter_mut() {
            if symbol.st_bind() == elf::STB_LOCAL {
                continue;
            }
            if let Some(name) = std::str::from_utf8(&symbol.name).ok().and_then(&local_name) {
                symbol.name = name.as_bytes().to_vec().into();
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
