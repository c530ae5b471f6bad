//! Tests of field-sensitive pruned liveness (`FieldSensitivePrunedLiveness`).

use sil_analysis::{BlockLiveness, LiveBoundary, LiveDefinition, LiveUse, PrunedLiveness};
use sil_ir::model::{BlockId, InstructionId};
use std::ops::Range;

use super::TestResult;
use super::liveness::named_use;
use super::specification::ArgumentKind;
use super::test::Test;

/// The liveness of each leaf.
struct FieldLiveness<'t> {
    leaves: Vec<PrunedLiveness<'t>>,
    /// The blocks and users of all leaves, in the order of their discovery.
    blocks: Vec<BlockId>,
    users: Vec<InstructionId>,
}

impl<'t> FieldLiveness<'t> {
    fn new(test: &Test<'t>) -> Self {
        let body = test.body();
        let empty = PrunedLiveness::new(body, test.environment.analyses.cfg(body));
        Self { leaves: vec![empty], blocks: Vec::new(), users: Vec::new() }
    }

    /// Grows to at least `count` leaves.
    fn grow(&mut self, count: usize) {
        let missing = count.saturating_sub(self.leaves.len());
        self.leaves.extend(std::iter::repeat_n(self.leaves[0].clone(), missing));
    }

    fn define(&mut self, definition: Option<LiveDefinition>, range: Range<usize>) {
        self.grow(range.end);
        self.leaves[range].iter_mut().for_each(|leaf| leaf.define(definition));
        self.note_blocks();
    }

    fn add(&mut self, user: InstructionId, kind: LiveUse, range: Range<usize>) {
        self.grow(range.end);
        self.leaves[range].iter_mut().for_each(|leaf| leaf.add(user, kind));
        if !self.users.contains(&user) {
            self.users.push(user);
        }
        self.note_blocks();
    }

    fn note_blocks(&mut self) {
        for block in self.leaves.iter().flat_map(|leaf| leaf.discovered_blocks()) {
            if !self.blocks.contains(block) {
                self.blocks.push(*block);
            }
        }
    }

    fn write(&self, test: &mut Test<'_>) {
        for block in &self.blocks {
            test.write(format_args!("bb{}: ", block.as_u32()));
            for leaf in &self.leaves {
                let word = match leaf.block(*block) {
                    BlockLiveness::Dead => "Dead",
                    BlockLiveness::LiveWithin => "LiveWithin",
                    BlockLiveness::LiveOut => "LiveOut",
                };
                test.write(format_args!("{word}, "));
            }
            test.write(format_args!("\n"));
        }
        for user in &self.users {
            let line = test.instruction(*user);
            for (number, leaf) in self.leaves.iter().enumerate() {
                let word = match leaf.user(*user) {
                    None => continue,
                    Some(LiveUse::NonUse) => "non-user",
                    Some(LiveUse::Ending) => "lifetime-ending user",
                    Some(LiveUse::NonEnding) => "regular user",
                };
                test.write(format_args!("{word}: {line}\tat {number}\n"));
            }
        }
        self.write_boundary(test);
    }

    fn write_boundary(&self, test: &mut Test<'_>) {
        let boundaries: Vec<LiveBoundary> = self.leaves.iter().map(PrunedLiveness::boundary).collect();
        let users = boundaries.iter().flat_map(|boundary| boundary.last_users.iter().copied());
        for user in unique(users) {
            let at = self.places(&boundaries, |boundary| boundary.last_users.contains(&user));
            let line = test.instruction(user);
            test.write(format_args!("last user: {line}\tat {at}\n"));
        }
        let edges = boundaries.iter().flat_map(|boundary| boundary.boundary_edges.iter().copied());
        for block in unique(edges) {
            let at = self.places(&boundaries, |boundary| boundary.boundary_edges.contains(&block));
            test.write(format_args!("boundary edge: bb{}\n\tat {at}\n", block.as_u32()));
        }
        let dead = boundaries.iter().flat_map(|boundary| boundary.dead_definitions.iter().copied());
        for definition in unique(dead) {
            let at = self.places(&boundaries, |boundary| boundary.dead_definitions.contains(&definition));
            let line = test.definition(definition);
            test.write(format_args!("dead def: {line}\tat {at}\n"));
        }
    }

    /// Returns the number of leaves and the selected ones, such as `2[0, 1]`.
    fn places(&self, boundaries: &[LiveBoundary], is_meant: impl Fn(&LiveBoundary) -> bool) -> String {
        let meant = boundaries.iter().enumerate().filter(|(_, boundary)| is_meant(boundary));
        let numbers: Vec<String> = meant.map(|(number, _)| number.to_string()).collect();
        format!("{}[{}]", self.leaves.len(), numbers.join(", "))
    }
}

fn unique<T: PartialEq>(found: impl Iterator<Item = T>) -> Vec<T> {
    let mut unique = Vec::new();
    for next in found {
        if !unique.contains(&next) {
            unique.push(next);
        }
    }
    unique
}

fn take_range(test: &mut Test<'_>) -> TestResult<Range<usize>> {
    let (start, end) = (test.take_number()?, test.take_number()?);
    match (usize::try_from(start), usize::try_from(end)) {
        (Ok(start), Ok(end)) if start < end && end <= 1 << 16 => Ok(start..end),
        _ => test.wrong("a range of leaves"),
    }
}

/// Takes a value, the range of its leaves, `uses:`, and users, each with the kind of use and its leaves. Prints the
/// liveness.
pub(super) fn of_value(test: &mut Test<'_>) -> TestResult<()> {
    let value = test.take_value()?;
    let range = take_range(test)?;
    let mut liveness = FieldLiveness::new(test);
    liveness.define(LiveDefinition::of(test.body(), value), range);
    test.take_label("uses:")?;
    while test.has_more() {
        let user = test.take_instruction()?;
        let word = test.take_text()?;
        let kind = named_use(test, &word)?;
        liveness.add(user, kind, take_range(test)?);
    }
    liveness.write(test);
    Ok(())
}

/// Takes a value or an instruction, `defs:` and definitions with their leaves, `uses:` and users, each with whether it
/// ends the lifetime, and its leaves. Prints the liveness.
pub(super) fn of_several_definitions(test: &mut Test<'_>) -> TestResult<()> {
    test.take()?;
    test.write(format_args!("FieldSensitive MultiDef lifetime analysis:\n"));
    test.take_label("defs:")?;
    let mut liveness = FieldLiveness::new(test);
    loop {
        let (definition, word, line) = match test.take()?.kind {
            ArgumentKind::Instruction(id) => {
                (Some(LiveDefinition::Instruction(id)), "instruction", test.instruction(id))
            }
            ArgumentKind::Value(value) | ArgumentKind::BlockArgument(value) => {
                (LiveDefinition::of(test.body(), value), "value", test.value(value))
            }
            ArgumentKind::Text(text) if text == "uses:" => break,
            _ => return test.wrong("a value, an instruction or 'uses:'"),
        };
        let range = take_range(test)?;
        test.write(format_args!("  def in range [{}, {}) {word}: {line}", range.start, range.end));
        liveness.define(definition, range);
    }
    while test.has_more() {
        let user = test.take_instruction()?;
        let kind = if test.take_bool()? { LiveUse::Ending } else { LiveUse::NonEnding };
        liveness.add(user, kind, take_range(test)?);
    }
    liveness.write(test);
    Ok(())
}
