//! The body of a function that a pass rewrites in rounds, each of which looks at what the one before made.

use super::environment::Environment;
use super::rewrite::Rewrite;
use crate::analysis::{Analyses, Change};
use crate::model::Body;

/// A function that is rewritten in rounds.
pub(in crate::transform) struct Rounds<'m> {
    environment: Environment<'m>,
    /// What the rounds have made of the body.
    made: Option<Made>,
}

struct Made {
    body: Body,
    change: Change,
    analyses: Analyses,
}

impl<'m> Rounds<'m> {
    /// Before the first round.
    pub(in crate::transform) fn new(environment: Environment<'m>) -> Self {
        Self { environment, made: None }
    }

    /// Behind a first round of another kind, which may have made something.
    pub(in crate::transform) fn behind(environment: Environment<'m>, first: Option<Rewrite>) -> Self {
        let made = first.map(|Rewrite { body, change, .. }| Made { body, change, analyses: Analyses::default() });
        Self { environment, made }
    }

    /// The environment with the body as it is.
    pub(in crate::transform) fn current(&self) -> Environment<'_> {
        match &self.made {
            Some(Made { body, analyses, .. }) => self.environment.with_body(body, analyses),
            None => self.environment,
        }
    }

    /// Gives the function another body, in which `change` is other.
    pub(in crate::transform) fn set(&mut self, body: Body, change: Change) {
        let before = self.made.take().map(|made| made.change);
        self.made =
            Some(Made { body, change: before.max(Some(change)).unwrap_or(change), analyses: Analyses::default() });
    }

    /// What became of the function; none where no round changed anything.
    pub(in crate::transform) fn finish(self) -> Option<Rewrite> {
        self.made.map(|Made { body, change, .. }| Rewrite::new(self.environment.function, body, change))
    }
}
