//! A function that a pass rewrites in rounds. Each round sees the results of the previous one.

use sil_analysis::{Analyses, Change};
use sil_ir::model::Body;

use super::environment::Environment;
use super::rewrite::Rewrite;

/// A function that is rewritten in rounds.
pub(crate) struct Rounds<'m> {
    environment: Environment<'m>,
    /// The current body, if a round changed it.
    made: Option<Made>,
}

struct Made {
    body: Body,
    change: Change,
    analyses: Analyses,
}

impl<'m> Rounds<'m> {
    /// The state before the first round.
    pub(crate) fn new(environment: Environment<'m>) -> Self {
        Self { environment, made: None }
    }

    /// The state after a first rewrite, if there was one.
    pub(crate) fn after(environment: Environment<'m>, first: Option<Rewrite>) -> Self {
        let made = first.map(|Rewrite { body, change, .. }| Made { body, change, analyses: Analyses::default() });
        Self { environment, made }
    }

    /// The environment with the current body.
    pub(crate) fn current(&self) -> Environment<'_> {
        match &self.made {
            Some(Made { body, analyses, .. }) => self.environment.with_body(body, analyses),
            None => self.environment,
        }
    }

    /// Sets the current body with the extent of its change.
    pub(crate) fn set(&mut self, body: Body, change: Change) {
        let before = self.made.take().map(|made| made.change);
        self.made =
            Some(Made { body, change: before.max(Some(change)).unwrap_or(change), analyses: Analyses::default() });
    }

    /// Returns the rewrite, or `None` if no round changed anything.
    pub(crate) fn finish(self) -> Option<Rewrite> {
        self.made.map(|Made { body, change, .. }| Rewrite::new(self.environment.function, body, change))
    }
}
