//! Named words: the ports and registers of a design, the fields of a state.

use std::collections::BTreeMap;

use crate::{Node, Term};

/// Words by name, in the order of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signals(BTreeMap<String, Node>);

/// An error for a name of a signal.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum SignalError {
    /// No signal has the name.
    #[error("no signal `{name}`: rename it or use one of {}", known.join(", "))]
    Missing {
        /// The requested name.
        name: String,
        /// The names that exist.
        known: Vec<String>,
    },
    /// The signal has another width.
    #[error("signal `{name}` has {actual} bits: read it as a word of {actual} bits, not {asked}")]
    Width {
        /// The requested name.
        name: String,
        /// The requested width.
        asked: usize,
        /// The width of the signal.
        actual: usize,
    },
}

impl Signals {
    /// No signals.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds or replaces a word.
    pub fn insert(&mut self, name: impl Into<String>, node: impl Into<Node>) {
        self.0.insert(name.into(), node.into());
    }

    /// Adds a word and returns the bundle, to write a bundle as one expression.
    pub fn with(mut self, name: impl Into<String>, node: impl Into<Node>) -> Self {
        self.insert(name, node);
        self
    }

    /// Adds or replaces all words of `other`.
    pub fn extend(&mut self, other: &Signals) {
        self.0.extend(other.0.iter().map(|(name, &node)| (name.clone(), node)));
    }

    /// The word `name`, of any width.
    pub fn node(&self, name: &str) -> Result<Node, SignalError> {
        self.0.get(name).copied().ok_or_else(|| SignalError::Missing {
            name: name.to_owned(),
            known: self.0.keys().cloned().collect(),
        })
    }

    /// The word `name`, which must have `W` bits.
    pub fn word<const W: usize>(&self, name: &str) -> Result<Term<W>, SignalError> {
        let node = self.node(name)?;
        Term::of(node).ok_or_else(|| SignalError::Width {
            name: name.to_owned(),
            asked: W,
            actual: node.width(),
        })
    }

    /// The names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The words in the order of their names.
    pub fn nodes(&self) -> impl Iterator<Item = Node> {
        self.0.values().copied()
    }

    /// Names and words.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Node)> {
        self.0.iter().map(|(name, &node)| (name.as_str(), node))
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the bundle is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The words that `of` gives for the names of this bundle.
    pub fn twins<E>(&self, mut of: impl FnMut(&str) -> Result<Node, E>) -> Result<Self, E> {
        self.names().map(|name| Ok((name.to_owned(), of(name)?))).collect()
    }

    /// The claims that each word of `self` equals the word of this name in `other`.
    pub fn matches(&self, other: &Signals) -> Result<Signals, SignalError> {
        self.iter()
            .map(|(name, node)| {
                let twin = other.node(name)?;
                if twin.width() != node.width() {
                    let (asked, actual) = (node.width(), twin.width());
                    return Err(SignalError::Width { name: name.to_owned(), asked, actual });
                }
                Ok((name.to_owned(), node.equals(twin)))
            })
            .collect()
    }

    /// Words of two bundles with the same names, side by side.
    pub(crate) fn zip<'a>(&'a self, other: &'a Signals) -> impl Iterator<Item = (&'a str, Node, Node)> {
        self.iter().zip(other.nodes()).map(|((name, a), b)| (name, a, b))
    }
}

impl FromIterator<(String, Node)> for Signals {
    fn from_iter<I: IntoIterator<Item = (String, Node)>>(signals: I) -> Self {
        Self(signals.into_iter().collect())
    }
}
