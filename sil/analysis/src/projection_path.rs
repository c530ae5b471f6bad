//! Projection paths: where in an aggregate, an object or memory a part lies.
//!
//! Paths are written as in SIL's effect attributes, the outermost projection first: `s0.2.c1` is field 1 of the object
//! that element 2 of field 0 of a struct refers to. Wild cards make a path a pattern: `v**` is any number of value
//! projections, `c*` one field of an object, `i*` an unknown number of elements further, `**` anything. The rules of
//! matching and merging are those of SwiftCompilerSources/Sources/SIL/Utilities/SmallProjectionPath.swift, whose paths
//! are as short as these.

use std::fmt;

/// A step from a whole to a part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Projection {
    /// `s0`: a field of a struct.
    Struct(u32),
    /// `0`: an element of a tuple.
    Tuple(u32),
    /// `e0`: the payload of an enum's case.
    EnumCase(u32),
    /// `c0`: a stored property of an object, counted with those of its superclasses; the field of a box.
    ClassField(u32),
    /// `ct`: an object's tail elements.
    TailElements,
    /// `x`: the value in an existential.
    Existential,
    /// `i1`: so many elements further on; never 0.
    Index(u32),
    /// `i*`: an unknown number of elements further on.
    AnyIndex,
    /// `c*`: any stored property or the tail elements of an object.
    AnyClassField,
    /// `v**`: any number of projections that stay in the same value or memory.
    AnyValueFields,
    /// `**`: any number of any projections. Nothing follows it.
    Anything,
}

impl Projection {
    /// Whether the part lies in the same value or memory as the whole.
    pub fn is_value_field(self) -> bool {
        use Projection::*;
        matches!(self, Struct(_) | Tuple(_) | EnumCase(_) | Existential | Index(_) | AnyIndex | AnyValueFields)
    }

    /// Whether the whole is a reference and the part lies in the object.
    pub fn is_class_field(self) -> bool {
        matches!(self, Projection::ClassField(_) | Projection::TailElements | Projection::AnyClassField)
    }

    fn is_index(self) -> bool {
        matches!(self, Projection::Index(_) | Projection::AnyIndex)
    }
}

/// Paths have at most so many steps; longer ones become `**`.
const LIMIT: usize = 8;

/// A path of projections, or a pattern of paths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ProjectionPath {
    /// The steps from the last to the first; those after `length` are [`Projection::Anything`], so that equal paths are
    /// equal.
    steps: [Projection; LIMIT],
    length: u8,
}

impl Default for ProjectionPath {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl From<Projection> for ProjectionPath {
    fn from(step: Projection) -> Self {
        Self::EMPTY.push(step)
    }
}

impl ProjectionPath {
    /// The path to the whole.
    pub const EMPTY: Self = Self { steps: [Projection::Anything; LIMIT], length: 0 };

    /// The path with these steps, the outermost first.
    pub fn new(steps: &[Projection]) -> Self {
        steps.iter().rev().fold(Self::EMPTY, |path, step| path.push(*step))
    }

    /// Whether there are no steps.
    pub fn is_empty(self) -> bool {
        self.length == 0
    }

    /// The outermost step.
    pub fn first(self) -> Option<Projection> {
        self.steps[..self.length as usize].last().copied()
    }

    /// The path without its outermost step.
    pub fn rest(mut self) -> Self {
        if let Some(last) = self.length.checked_sub(1) {
            self.length = last;
            self.steps[last as usize] = Projection::Anything;
        }
        self
    }

    /// The path through one more, outermost, step. Steps to elements of arrays add up.
    pub fn push(mut self, step: Projection) -> Self {
        match (step, self.first()) {
            (Projection::Index(0), _) => return self,
            (Projection::Index(by), Some(Projection::Index(further))) => {
                let sum = by.checked_add(further).map_or(Projection::AnyIndex, Projection::Index);
                return self.rest().push(sum);
            }
            (Projection::Index(_), Some(Projection::AnyIndex)) => return self,
            (Projection::AnyIndex, Some(inner)) if inner.is_index() => return self.rest().push(Projection::AnyIndex),
            _ => {}
        }
        let length = self.length as usize;
        if length == LIMIT {
            return Self::from(Projection::Anything);
        }
        self.steps[length] = step;
        self.length += 1;
        self
    }

    /// The rest of the path after `step`, if the path can begin with it: a wild card stays as long as it can.
    pub fn pop_if_matches(self, step: Projection) -> Option<Self> {
        match self.first()? {
            Projection::Anything => Some(self),
            Projection::AnyValueFields if step.is_value_field() => Some(self),
            Projection::AnyIndex if step.is_index() => Some(self),
            Projection::AnyValueFields | Projection::AnyIndex => self.rest().pop_if_matches(step),
            Projection::AnyClassField => step.is_class_field().then(|| self.rest()),
            first => (first == step).then(|| self.rest()),
        }
    }

    /// The path without the value projections that it begins with.
    pub fn pop_value_fields(self) -> Self {
        self.pop_while(Projection::is_value_field)
    }

    fn pop_indices(self) -> Self {
        self.pop_while(Projection::is_index)
    }

    fn pop_while(mut self, popped: impl Fn(Projection) -> bool) -> Self {
        while self.first().is_some_and(&popped) {
            self = self.rest();
        }
        self
    }

    /// The path up to its last step into an object, without that step and later ones. `**` may be such steps and stays.
    pub fn without_last_class_field(self) -> Self {
        let steps = &self.steps[..self.length as usize];
        let inner = steps.iter().position(|step| !step.is_value_field());
        match inner {
            Some(at) if steps[at] == Projection::Anything => self,
            Some(at) => Self::new(&steps[at + 1..].iter().rev().copied().collect::<Vec<_>>()),
            None => Self::EMPTY,
        }
    }

    /// Whether a step certainly goes into an object.
    pub fn has_class_projection(self) -> bool {
        self.steps[..self.length as usize].iter().any(|step| step.is_class_field())
    }

    /// Whether a step may go into an object.
    pub fn may_have_class_projection(self) -> bool {
        !self.matches(Self::from(Projection::AnyValueFields))
    }

    /// Whether two steps may go into objects.
    pub fn may_have_two_class_projections(self) -> bool {
        use Projection::*;
        self.may_have_class_projection() && !self.matches(Self::new(&[AnyValueFields, AnyClassField, AnyValueFields]))
    }

    /// Whether every path that this one stands for is one that `pattern` stands for.
    pub fn matches(self, pattern: Self) -> bool {
        let Some(step) = pattern.first() else { return self.is_empty() };
        let after = pattern.rest();
        match step {
            Projection::Anything => true,
            Projection::AnyValueFields => self.pop_value_fields().matches(after),
            Projection::AnyIndex => self.pop_indices().matches(after),
            Projection::AnyClassField => {
                self.first().is_some_and(Projection::is_class_field) && self.rest().matches(after)
            }
            step => self.first() == Some(step) && self.rest().matches(after),
        }
    }

    /// A path that stands for all that this one and `other` stand for.
    pub fn merge(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        let (first, second) = (self.first(), other.first());
        if let Some(step) = first.filter(|_| first == second) {
            let after = self.rest().merge(other.rest());
            let doubled = step == Projection::AnyValueFields && after.first() == Some(Projection::AnyValueFields);
            return if doubled { after } else { after.push(step) };
        }
        let either = |holds: fn(Projection) -> bool| first.is_some_and(holds) || second.is_some_and(holds);
        if either(Projection::is_index) {
            let after = self.pop_indices().merge(other.pop_indices());
            return match after.first() {
                Some(Projection::Anything | Projection::AnyValueFields) => after,
                _ => after.push(Projection::AnyIndex),
            };
        }
        if either(Projection::is_value_field) {
            let after = self.pop_value_fields().merge(other.pop_value_fields());
            return match after.first() {
                Some(Projection::Anything) => after,
                _ => after.push(Projection::AnyValueFields),
            };
        }
        match (first, second) {
            (Some(first), Some(second)) if first.is_class_field() && second.is_class_field() => {
                self.rest().merge(other.rest()).push(Projection::AnyClassField)
            }
            _ => Self::from(Projection::Anything),
        }
    }

    /// Whether both may lead to the same part, or one of them to a part of the other's.
    pub fn may_overlap(self, other: Self) -> bool {
        let (Some(first), Some(second)) = (self.first(), other.first()) else { return true };
        let either = |step: Projection| first == step || second == step;
        if either(Projection::Anything) {
            return true;
        }
        if either(Projection::AnyIndex) {
            return self.pop_indices().may_overlap(other.pop_indices());
        }
        if either(Projection::AnyValueFields) {
            return self.pop_value_fields().may_overlap(other.pop_value_fields());
        }
        let any_field = first.is_class_field() && second.is_class_field() && either(Projection::AnyClassField);
        (first == second || any_field) && self.rest().may_overlap(other.rest())
    }

    /// The path from the part of this path to the part of `longer`; none if that is not known.
    pub fn remainder_of(self, longer: Self) -> Option<Self> {
        use Projection::*;
        match self.first() {
            None => Some(longer),
            Some(Anything | AnyValueFields | AnyClassField | AnyIndex) => None,
            Some(step) if longer.first() == Some(step) => self.rest().remainder_of(longer.rest()),
            Some(_) => None,
        }
    }

    /// The path that `text` writes: `s0.c1.v**`.
    pub fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::EMPTY);
        }
        let steps: Option<Vec<Projection>> = text.split('.').map(parse_step).collect();
        let steps = steps?;
        let before = steps.split_last().map_or(&[][..], |(_, before)| before);
        (steps.len() <= LIMIT && !before.contains(&Projection::Anything)).then(|| Self::new(&steps))
    }
}

fn parse_step(text: &str) -> Option<Projection> {
    Some(match text {
        "**" => Projection::Anything,
        "v**" => Projection::AnyValueFields,
        "c*" => Projection::AnyClassField,
        "i*" => Projection::AnyIndex,
        "ct" => Projection::TailElements,
        "x" => Projection::Existential,
        _ => {
            let digits = text.trim_start_matches(|first: char| first.is_ascii_alphabetic());
            let number = digits.parse().ok()?;
            match &text[..text.len() - digits.len()] {
                "" => Projection::Tuple(number),
                "s" => Projection::Struct(number),
                "e" => Projection::EnumCase(number),
                "c" => Projection::ClassField(number),
                "i" => Projection::Index(number),
                _ => return None,
            }
        }
    })
}

impl fmt::Display for Projection {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Projection::Struct(index) => write!(to, "s{index}"),
            Projection::Tuple(index) => write!(to, "{index}"),
            Projection::EnumCase(index) => write!(to, "e{index}"),
            Projection::ClassField(index) => write!(to, "c{index}"),
            Projection::Index(index) => write!(to, "i{index}"),
            Projection::TailElements => to.write_str("ct"),
            Projection::Existential => to.write_str("x"),
            Projection::AnyIndex => to.write_str("i*"),
            Projection::AnyClassField => to.write_str("c*"),
            Projection::AnyValueFields => to.write_str("v**"),
            Projection::Anything => to.write_str("**"),
        }
    }
}

impl fmt::Display for ProjectionPath {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.steps[..self.length as usize].iter().rev().enumerate() {
            if index > 0 {
                to.write_str(".")?;
            }
            write!(to, "{step}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> ProjectionPath {
        let found = ProjectionPath::parse(text);
        assert_eq!(found.map(|path| path.to_string()).as_deref(), Some(text));
        found.unwrap_or_default()
    }

    #[test]
    fn merging_keeps_what_both_have() {
        for (first, second, merged) in [
            ("s1.c4", "s1.c4", "s1.c4"),
            ("c1.c0", "c0", "c*.**"),
            ("s3.c0", "v**.c0", "v**.c0"),
            ("c0", "s2.c1", "v**.c*"),
            ("s1.s1.c2", "s1.c2", "s1.v**.c2"),
            ("ct", "c2", "c*"),
            ("i1", "i2", "i*"),
            ("s0.i*.e3", "s0.e3", "s0.i*.e3"),
            ("i*", "v**", "v**"),
            ("c3", "", "**"),
        ] {
            assert_eq!(path(first).merge(path(second)), path(merged), "{first} and {second}");
            assert_eq!(path(second).merge(path(first)), path(merged), "{second} and {first}");
        }
    }

    #[test]
    fn matching_a_pattern() {
        assert!(path("s0.c3.e1").matches(path("v**.c*.e1")));
        assert!(!path("v**.c*.e1").matches(path("s0.c3.e1")));
        assert!(path("").matches(path("v**")));
        assert!(!path("s0").matches(path("")));
        assert!(!path("**").matches(path("v**")));
        assert!(path("v**").matches(path("**")));
    }

    #[test]
    fn overlapping() {
        assert!(path("s0.s1").may_overlap(path("s0")));
        assert!(!path("s0.s1").may_overlap(path("s0.s2")));
        assert!(path("s0.v**").may_overlap(path("s0.s2")));
        assert!(!path("i1").may_overlap(path("i2")));
        assert!(path("i*.s1").may_overlap(path("i2.s1")));
        assert!(!path("i*.s1").may_overlap(path("i2.s0")));
        assert!(path("c*.s0").may_overlap(path("ct.s0")));
        assert!(!path("c1").may_overlap(path("s1")));
    }

    #[test]
    fn popping_a_wild_card() {
        let popped = |text, step| path(text).pop_if_matches(step).map(|rest| rest.to_string());
        assert_eq!(popped("v**.c3", Projection::Struct(7)).as_deref(), Some("v**.c3"));
        assert_eq!(popped("v**.c3", Projection::ClassField(3)).as_deref(), Some(""));
        assert_eq!(popped("c*.e1", Projection::ClassField(2)).as_deref(), Some("e1"));
        assert_eq!(popped("s0.c1", Projection::AnyValueFields), None);
        assert_eq!(popped("s0", Projection::Struct(1)), None);
    }

    #[test]
    fn indices_add_up() {
        let two = ProjectionPath::from(Projection::Index(1)).push(Projection::Index(1));
        assert_eq!(two.to_string(), "i2");
        assert_eq!(two.push(Projection::AnyIndex).to_string(), "i*");
        assert!(ProjectionPath::from(Projection::Index(0)).is_empty());
        assert_eq!(ProjectionPath::from(Projection::Index(u32::MAX)).push(Projection::Index(1)).to_string(), "i*");
    }

    #[test]
    fn too_long_a_path_is_anything() {
        let long = (0..9).fold(ProjectionPath::EMPTY, |path, index| path.push(Projection::Struct(index)));
        assert_eq!(long.to_string(), "**");
        assert_eq!(ProjectionPath::parse("**.s0"), None);
    }

    #[test]
    fn the_way_to_the_last_object() {
        let shortened = |text| path(text).without_last_class_field().to_string();
        assert_eq!(shortened("s0.e2.3.c4.s1"), "s0.e2.3");
        assert_eq!(shortened("v**.c1.c4.s1"), "v**.c1");
        assert_eq!(shortened("c1.**"), "c1.**");
        assert_eq!(shortened("s0"), "");
    }

    #[test]
    fn remainders() {
        let remainder = |short, long| path(short).remainder_of(path(long)).map(|path| path.to_string());
        assert_eq!(remainder("s0", "s0.s1").as_deref(), Some("s1"));
        assert_eq!(remainder("s0", "s1"), None);
        assert_eq!(remainder("i*.s1", "i*.s1"), None);
    }
}
