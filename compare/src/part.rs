//! The named parts of LLVM IR that are compared separately, and the sets of them that a user switches off.

/// A part of a function, a global or an instruction that can differ by itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// Opcodes, operands, types, constants, initialisers: the computation.
    Body,
    /// Which instructions stand in a block's way in another order, where the order matters.
    Order,
    /// Linkage, visibility, DLL storage, `dso_local`.
    Linkage,
    /// The calling convention, and the attributes of parameters that belong to it (`swiftself`, `sret`, `signext`, …).
    CallingConvention,
    /// All other attributes of functions, parameters, results, call sites and globals.
    Attributes,
    /// Alignment of memory accesses, stack slots, globals and parameters.
    Alignment,
    /// `nuw`, `nsw`, `exact`, `inbounds`, fast-math flags, `tail`.
    Flags,
    /// TBAA metadata.
    Tbaa,
    /// Debug locations, debug records, debug information.
    Debug,
    /// All other metadata: branch weights, ranges, alias scopes, loops, module flags.
    Metadata,
    /// Sections, partitions, comdats, garbage collectors.
    Section,
    /// Whether a global is a constant or a variable.
    Constness,
    /// The target triple and the data layout.
    Target,
}

impl Part {
    /// All parts.
    pub const ALL: [Part; 13] = [
        Part::Body,
        Part::Order,
        Part::Linkage,
        Part::CallingConvention,
        Part::Attributes,
        Part::Alignment,
        Part::Flags,
        Part::Tbaa,
        Part::Debug,
        Part::Metadata,
        Part::Section,
        Part::Constness,
        Part::Target,
    ];

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Part::Body => "body",
            Part::Order => "order",
            Part::Linkage => "linkage",
            Part::CallingConvention => "calling-convention",
            Part::Attributes => "attributes",
            Part::Alignment => "alignment",
            Part::Flags => "flags",
            Part::Tbaa => "tbaa",
            Part::Debug => "debug",
            Part::Metadata => "metadata",
            Part::Section => "section",
            Part::Constness => "constness",
            Part::Target => "target",
        }
    }

    /// The parts that can be switched off: all but the computation and its order.
    pub fn optional() -> impl Iterator<Item = Part> {
        Self::ALL.into_iter().filter(|part| !matches!(part, Part::Body | Part::Order))
    }

    /// The part of this name, if it can be switched off.
    pub fn from_name(name: &str) -> Option<Part> {
        Self::optional().find(|part| part.name() == name)
    }
}

/// A set of parts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Parts(u16);

impl Parts {
    /// Adds a part.
    pub fn insert(&mut self, part: Part) {
        self.0 |= 1 << part as u16;
    }

    /// Adds all of another set.
    pub fn extend(&mut self, other: Parts) {
        self.0 |= other.0;
    }

    /// Whether the part is in the set.
    pub fn contains(self, part: Part) -> bool {
        self.0 & (1 << part as u16) != 0
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The parts, in the order of [`Part::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Part> {
        Part::ALL.into_iter().filter(move |part| self.contains(*part))
    }

    /// Their names, separated by commas.
    pub fn names(self) -> String {
        self.iter().map(Part::name).collect::<Vec<_>>().join(", ")
    }
}

impl FromIterator<Part> for Parts {
    fn from_iter<I: IntoIterator<Item = Part>>(parts: I) -> Self {
        let mut set = Parts::default();
        parts.into_iter().for_each(|part| set.insert(part));
        set
    }
}
