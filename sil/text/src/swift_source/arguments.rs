//! Argument lists as they are written, and which parameters they can be for (lib/Sema/CSSimplify.cpp,
//! `matchCallArguments`).

/// The arguments of a call, or the labels of a name such as `f(a:b:)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArgumentList {
    /// The arguments in order.
    pub arguments: Vec<Argument>,
    /// Their form.
    pub form: ArgumentForm,
}

/// How an argument is labelled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// `a: 1`
    Labelled(String),
    /// `1`
    Unlabelled,
    /// The first closure after a call, which is not labelled whatever its parameter is.
    TrailingClosure,
}

/// The form of a list of arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentForm {
    /// `f(a: 1)`: parameters may have no argument.
    Call,
    /// `f(a:)`: each parameter has a label.
    Name,
}

/// The known facts about a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter<'l> {
    /// The label; `_` where there is none.
    pub label: &'l str,
    /// How many arguments it takes.
    pub takes: Takes,
}

/// How many arguments a parameter takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// Just one.
    One,
    /// One, or none where it may have a default.
    OneOrNone,
    /// Any number.
    Any,
}

impl ArgumentList {
    /// Whether the list can be one for `parameters`.
    pub fn can_be_for(&self, parameters: &[Parameter<'_>]) -> bool {
        if self.form == ArgumentForm::Name {
            let labels = parameters.iter().map(|parameter| Some(parameter.label));
            return self.arguments.iter().map(Argument::label).eq(labels);
        }
        // Whether the arguments from a number on can be for the parameters from another one on, filled from the end.
        let count = self.arguments.len();
        let mut fits = vec![false; count + 1];
        fits[count] = true;
        for parameter in parameters.iter().rev() {
            let rest = fits;
            let none = parameter.takes != Takes::One;
            fits = (0..=count)
                .map(|from| {
                    let is_first =
                        self.arguments.get(from).is_some_and(|argument| argument.can_be_labelled(parameter.label));
                    none && rest[from] || is_first && self.ends_of(from, parameter).any(|end| rest[end])
                })
                .collect();
        }
        fits[0]
    }

    /// Where the arguments of a parameter can end that the one at `first` is for.
    fn ends_of(&self, first: usize, parameter: &Parameter<'_>) -> impl Iterator<Item = usize> {
        let is_more = |argument: &&Argument| parameter.takes == Takes::Any && **argument == Argument::Unlabelled;
        let more = self.arguments[first + 1..].iter().take_while(is_more).count();
        first + 1..=first + 1 + more
    }
}

impl Argument {
    /// Its text in a name.
    fn label(&self) -> Option<&str> {
        match self {
            Self::Labelled(label) => Some(label),
            Self::Unlabelled => Some("_"),
            Self::TrailingClosure => None,
        }
    }

    fn can_be_labelled(&self, label: &str) -> bool {
        self.label().is_none_or(|own| own == label)
    }
}
