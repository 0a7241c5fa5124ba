//! Numbers for variables: evaluation, and expressions for expressions: substitution.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use crate::graph::{Expr, cone};
use crate::{Node, Signals, Value};

/// Values of free variables. A variable without one reads as 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment(BTreeMap<Node, Value>);

impl Assignment {
    /// No values.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives `variable` a value, truncated to its width.
    ///
    /// # Panics
    ///
    /// `variable` is not a free variable.
    pub fn set(&mut self, variable: impl Into<Node>, value: impl Into<num_bigint::BigUint>) {
        let variable = variable.into();
        assert!(variable.name().is_some(), "{variable:?} is no free variable");
        self.0.insert(variable, Value::new(variable.width(), value));
    }

    /// The value of a variable, if it has one.
    pub fn get(&self, variable: impl Into<Node>) -> Option<&Value> {
        self.0.get(&variable.into())
    }

    /// The value of the variable with this name, if it has one.
    pub fn named(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(variable, _)| variable.name().as_deref() == Some(name)).map(|(_, value)| value)
    }

    /// Variables and values.
    pub fn iter(&self) -> impl Iterator<Item = (Node, &Value)> {
        self.0.iter().map(|(&variable, value)| (variable, value))
    }

    /// Whether no variable has a value.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of an expression.
    pub fn eval(&self, node: impl Into<Node>) -> Value {
        self.eval_all([node.into()]).remove(0)
    }

    /// The values of several expressions, their common parts evaluated once.
    pub fn eval_all(&self, nodes: impl IntoIterator<Item = Node>) -> Vec<Value> {
        let roots: Vec<Node> = nodes.into_iter().collect();
        let mut values: HashMap<Node, Value> = HashMap::new();
        for node in cone(roots.iter().copied()) {
            let value = match node.expr() {
                Expr::Constant(value) => (*value).clone(),
                Expr::Variable(_) => self.0.get(&node).cloned().unwrap_or(Value::zero(node.width())),
                Expr::Not(a) => values[&a].not(),
                Expr::Binary(op, a, b) => op.apply(&values[&a], &values[&b]),
                Expr::If(c, a, b) => values[if values[&c].is_zero() { &b } else { &a }].clone(),
                Expr::Slice(a, low) => values[&a].slice(low, node.width()),
                Expr::Concat(a, b) => values[&a].cat(&values[&b]),
            };
            values.insert(node, value);
        }
        roots.iter().map(|root| values[root].clone()).collect()
    }
}

/// One line: `head = 3'h5, rst = 1'h0`, by name.
impl fmt::Display for Assignment {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines: Vec<_> = self
            .0
            .iter()
            .map(|(node, value)| format!("{} = {value}", node.name().unwrap_or_default()))
            .collect();
        lines.sort();
        out.write_str(&lines.join(", "))
    }
}

/// Expressions in place of others; see [`Substitution::apply`].
///
/// Replacing variables instantiates an expression: a design fed from another one, or one more
/// clock. Replacing other nodes by fresh variables cuts the expression there: a proof of the cut
/// expression holds for the whole one.
#[derive(Clone, Debug, Default)]
pub struct Substitution(HashMap<Node, Node>);

impl Substitution {
    /// Replaces nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces `node` by `by`.
    ///
    /// # Panics
    ///
    /// The widths differ.
    pub fn replace(&mut self, node: Node, by: Node) {
        assert_eq!(node.width(), by.width(), "a substitute is as wide as what it replaces");
        self.0.insert(node, by);
    }

    /// Every word of `signals` with every replaced node exchanged.
    pub fn apply_to(&self, signals: &Signals) -> Signals {
        let nodes = self.apply(signals.nodes());
        signals.names().map(str::to_owned).zip(nodes).collect()
    }

    /// The expressions with every replaced node exchanged, all at once.
    pub fn apply(&self, nodes: impl IntoIterator<Item = Node>) -> Vec<Node> {
        let roots: Vec<Node> = nodes.into_iter().collect();
        let mut built: HashMap<Node, Node> = HashMap::new();
        for node in cone(roots.iter().copied()) {
            let new = match (self.0.get(&node), node.expr()) {
                (Some(&by), _) => by,
                (None, Expr::Constant(_) | Expr::Variable(_)) => node,
                (None, Expr::Not(a)) => !built[&a],
                (None, Expr::Binary(op, a, b)) => Node::binary(op, built[&a], built[&b]),
                (None, Expr::If(c, a, b)) => built[&a].when(built[&c], built[&b]),
                (None, Expr::Slice(a, low)) => built[&a].slice(low, node.width()),
                (None, Expr::Concat(a, b)) => built[&a].cat(built[&b]),
            };
            built.insert(node, new);
        }
        roots.iter().map(|root| built[root]).collect()
    }
}
