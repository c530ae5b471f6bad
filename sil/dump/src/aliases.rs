//! Pairs of values that may lead to the same memory, as text.

use sil_analysis::{AccessPath, AliasAnalysis, tbaa};

use super::Dumper;

impl Dumper<'_, '_> {
    pub(super) fn aliases(&mut self) {
        let view = self.view();
        let analysis = AliasAnalysis::new(self.analyzed, &view);
        let values = self.values();
        for (index, first) in values.iter().enumerate() {
            for second in &values[index..] {
                let used = [first, second].iter().all(|value| !view.uses.of(**value).is_empty());
                let answer = match (analysis.may_alias(*first, *second), used) {
                    (true, _) => "MayAlias",
                    (false, true) => "NoAlias",
                    (false, false) => "NoAlias, not used",
                };
                let (first, second) = (self.text.value(*first), self.text.value(*second));
                self.line(format_args!("  {first}, {second}: {answer}"));
            }
        }
    }

    pub(super) fn type_aliases(&mut self) {
        let view = self.view();
        let addresses = self.addresses();
        for (index, first) in addresses.iter().enumerate() {
            for second in &addresses[index + 1..] {
                let base = |address| AccessPath::of(&view, address).base;
                let distinct = tbaa::are_distinct(&view, (*first, base(*first)), (*second, base(*second)));
                let answer = if distinct { "distinct" } else { "may be the same" };
                let (first, second) = (self.text.typed_value(*first), self.text.typed_value(*second));
                self.line(format_args!("  {first}, {second}: {answer}"));
            }
        }
    }
}
