//! The contents of a board's memory from an executable, in formats of flash tools: raw bytes, or Intel's hexadecimal
//! text.

use object::elf::PT_LOAD;
use object::read::elf::{ElfFile, FileHeader, ProgramHeader};
use object::{Endianness, elf};

use crate::Error;

/// The format of a memory image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageFormat {
    /// The bytes from the lowest address to the highest, with zeros between.
    Binary,
    /// Intel's hexadecimal text, with addresses.
    IntelHex,
}

/// Bytes at an address.
struct Segment<'a> {
    address: u64,
    bytes: &'a [u8],
}

/// The maximum size of an image without addresses: more is a gap between two memories, not a program.
const LARGEST: u64 = 256 << 20;

/// Returns the contents of a board's memory from an ELF executable.
///
/// # Errors
/// [`Error::NoImage`] for parts too far from each other, or beyond the addresses of a hexadecimal text.
pub fn image(executable: &[u8], format: ImageFormat) -> Result<Vec<u8>, Error> {
    let mut segments = match object::FileKind::parse(executable) {
        Ok(object::FileKind::Elf32) => segments::<elf::FileHeader32<Endianness>>(executable),
        Ok(object::FileKind::Elf64) => segments::<elf::FileHeader64<Endianness>>(executable),
        Ok(_) => Err("the executable is not ELF".to_owned()),
        Err(error) => Err(error.to_string()),
    }
    .map_err(Error::NoImage)?;
    segments.sort_by_key(|segment| segment.address);
    match format {
        ImageFormat::Binary => binary(&segments),
        ImageFormat::IntelHex => intel_hex(&segments),
    }
    .map_err(Error::NoImage)
}

fn segments<Header: FileHeader<Endian = Endianness>>(executable: &[u8]) -> Result<Vec<Segment<'_>>, String> {
    let file = ElfFile::<Header>::parse(executable).map_err(|error| error.to_string())?;
    let endian = file.endian();
    let loaded = file.elf_program_headers().iter().filter(|header| header.p_type(endian) == PT_LOAD);
    let segments = loaded.map(|header| {
        let bytes = header.data(endian, executable).map_err(|()| "a segment is outside of the file".to_owned())?;
        Ok(Segment { address: header.p_paddr(endian).into(), bytes })
    });
    segments
        .filter(|segment| segment.as_ref().map_or(true, |segment: &Segment<'_>| !segment.bytes.is_empty()))
        .collect()
}

fn binary(segments: &[Segment<'_>]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let start = segments.first().map_or(0, |segment| segment.address);
    for segment in segments {
        let offset = segment.address - start;
        if offset > LARGEST {
            return Err(format!("its parts at {start:#x} and {:#x} are too far from each other", segment.address));
        }
        bytes.resize((offset as usize).max(bytes.len()), 0);
        bytes.extend_from_slice(segment.bytes);
    }
    Ok(bytes)
}

/// The number of bytes per line.
const LINE: usize = 16;

fn intel_hex(segments: &[Segment<'_>]) -> Result<Vec<u8>, String> {
    let mut records = Vec::new();
    let mut upper = 0;
    for segment in segments {
        let mut address = u32::try_from(segment.address).map_err(|_| "an address has more than 32 bits".to_owned())?;
        let mut rest = segment.bytes;
        while !rest.is_empty() {
            if address >> 16 != upper {
                upper = address >> 16;
                records.push(ihex::Record::ExtendedLinearAddress(upper as u16));
            }
            // A line must not cross into another upper half of the address.
            let room = 0x1_0000 - (address & 0xFFFF) as usize;
            let (value, further) = rest.split_at(rest.len().min(LINE).min(room));
            records.push(ihex::Record::Data { offset: address as u16, value: value.to_vec() });
            address = address.wrapping_add(value.len() as u32);
            rest = further;
        }
    }
    records.push(ihex::Record::EndOfFile);
    let text = ihex::create_object_file_representation(&records).map_err(|error| error.to_string())?;
    Ok(text.into_bytes())
}
