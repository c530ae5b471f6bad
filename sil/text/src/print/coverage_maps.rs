//! Writes coverage maps.

use sil_ir::model::{CoverageCounter, CoverageMap};

use super::Printer;

impl Printer<'_> {
    /// Writes a `sil_coverage_map`.
    pub(super) fn coverage_map(&mut self, map: &CoverageMap) {
        self.text("sil_coverage_map");
        for name in [map.file, map.function, map.profile_name] {
            self.text(" ");
            self.quoted(self.context.text(name));
        }
        self.number(format_args!(" {} {{\n", map.hash));
        for region in &map.regions {
            let ((line, column), (end_line, end_column)) = (region.start, region.end);
            self.number(format_args!("  {line}:{column} -> {end_line}:{end_column} : "));
            match &region.counter {
                Some(counter) => self.counter(counter),
                None => self.text("skipped"),
            }
            self.text("\n");
        }
        self.text("}\n\n");
    }

    fn counter(&mut self, counter: &CoverageCounter) {
        let (first, operator, second) = match counter {
            CoverageCounter::Zero => return self.text("zero"),
            CoverageCounter::Counter(number) => return self.number(number),
            CoverageCounter::Sum(first, second) => (first, " + ", second),
            CoverageCounter::Difference(first, second) => (first, " - ", second),
        };
        self.text("(");
        self.counter(first);
        self.text(operator);
        self.counter(second);
        self.text(")");
    }
}
