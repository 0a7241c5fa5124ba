//! The expression graph: storage of nodes. Equal expressions become the same node.
//!
//! The graph belongs to the thread and only grows. Hence a [`Node`] is a number that can be copied and is
//! always valid. A node cannot leave its thread.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;

use crate::Value;

/// An expression of any width, as the number of a node in this thread's graph.
///
/// Equal nodes are the same expression. A [`Prover`](crate::Prover) shows the converse.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(u32, PhantomData<*const ()>);

/// An operation on two words of the same width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Binary {
    And,
    Or,
    Xor,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    ShiftLeft,
    ShiftRight,
    Equal,
    Less,
}

impl Binary {
    pub(crate) fn commutes(self) -> bool {
        use Binary::*;
        matches!(self, And | Or | Xor | Add | Mul | Equal)
    }

    pub(crate) fn apply(self, a: &Value, b: &Value) -> Value {
        match self {
            Binary::And => a.and(b),
            Binary::Or => a.or(b),
            Binary::Xor => a.xor(b),
            Binary::Add => a.add(b),
            Binary::Sub => a.sub(b),
            Binary::Mul => a.mul(b),
            Binary::Div => a.div(b),
            Binary::Rem => a.rem(b),
            Binary::ShiftLeft => a.shl(b),
            Binary::ShiftRight => a.shr(b),
            Binary::Equal => Value::bit(a == b),
            Binary::Less => Value::bit(a.number() < b.number()),
        }
    }
}

/// The kind of a node. Operands are always older than the node itself.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Expr {
    Constant(Rc<Value>),
    Variable(Rc<str>),
    Not(Node),
    Binary(Binary, Node, Node),
    /// Condition, then, otherwise.
    If(Node, Node, Node),
    /// The bits from this index upwards.
    Slice(Node, usize),
    /// High part, low part.
    Concat(Node, Node),
}

impl Expr {
    fn operands(&self) -> impl Iterator<Item = Node> {
        let operands = match *self {
            Expr::Constant(_) | Expr::Variable(_) => [None; 3],
            Expr::Not(a) | Expr::Slice(a, _) => [Some(a), None, None],
            Expr::Binary(_, a, b) | Expr::Concat(a, b) => [Some(a), Some(b), None],
            Expr::If(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        operands.into_iter().flatten()
    }
}

#[derive(Default)]
struct Graph {
    nodes: Vec<(Expr, usize)>,
    index: HashMap<(Expr, usize), Node>,
}

thread_local! {
    static GRAPH: RefCell<Graph> = RefCell::default();
}

impl Node {
    /// Returns the single node of this expression.
    pub(crate) fn intern(expr: Expr, width: usize) -> Self {
        GRAPH.with_borrow_mut(|graph| {
            let key = (expr, width);
            if let Some(&node) = graph.index.get(&key) {
                return node;
            }
            let id = u32::try_from(graph.nodes.len()).expect("a graph has fewer than 2^32 nodes");
            let node = Node(id, PhantomData);
            graph.nodes.push(key.clone());
            graph.index.insert(key, node);
            node
        })
    }

    /// The free variable `name`. Equal name and width give the same variable.
    pub fn variable(name: &str, width: usize) -> Self {
        assert!(width > 0, "variable `{name}` has no bits");
        Self::intern(Expr::Variable(name.into()), width)
    }

    /// A new free variable, whose name is `name#` and a number.
    pub fn fresh(name: &str, width: usize) -> Self {
        let count = GRAPH.with_borrow(|graph| graph.nodes.len());
        Self::variable(&format!("{name}#{count}"), width)
    }

    /// The constant `value`.
    pub fn constant(value: Value) -> Self {
        let width = value.width();
        Self::intern(Expr::Constant(Rc::new(value)), width)
    }

    /// The low `width` bits of `value`.
    pub fn lit(width: usize, value: u128) -> Self {
        Self::constant(Value::new(width, value))
    }

    /// A constant bit.
    pub fn bit(bit: bool) -> Self {
        Self::lit(1, bit as u128)
    }

    /// Width in bits.
    pub fn width(self) -> usize {
        GRAPH.with_borrow(|graph| graph.nodes[self.index()].1)
    }

    /// The value, if the expression is a constant.
    pub fn value(self) -> Option<Rc<Value>> {
        GRAPH.with_borrow(|graph| match &graph.nodes[self.index()].0 {
            Expr::Constant(value) => Some(value.clone()),
            _ => None,
        })
    }

    /// The name, if the expression is a free variable.
    pub fn name(self) -> Option<Rc<str>> {
        GRAPH.with_borrow(|graph| match &graph.nodes[self.index()].0 {
            Expr::Variable(name) => Some(name.clone()),
            _ => None,
        })
    }

    pub(crate) fn expr(self) -> Expr {
        GRAPH.with_borrow(|graph| graph.nodes[self.index()].0.clone())
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Every node that `roots` use, operands before their users.
pub(crate) fn cone(roots: impl IntoIterator<Item = Node>) -> Vec<Node> {
    GRAPH.with_borrow(|graph| {
        let mut open: Vec<Node> = roots.into_iter().collect();
        let mut seen: HashSet<Node> = HashSet::new();
        while let Some(node) = open.pop() {
            if seen.insert(node) {
                open.extend(graph.nodes[node.index()].0.operands());
            }
        }
        let mut cone: Vec<Node> = seen.into_iter().collect();
        cone.sort();
        cone
    })
}

/// The free variables of `roots`, oldest first.
pub fn variables(roots: impl IntoIterator<Item = Node>) -> Vec<Node> {
    cone(roots).into_iter().filter(|node| node.name().is_some()).collect()
}

/// Shows one level of the expression. The whole expression can be too deep to print.
impl fmt::Debug for Node {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = |node: Node| format!("n{}", node.0);
        match self.expr() {
            Expr::Constant(value) => write!(out, "{value}"),
            Expr::Variable(name) => write!(out, "{name}:{}", self.width()),
            Expr::Not(a) => write!(out, "{}:{} = Not {}", id(*self), self.width(), id(a)),
            Expr::Binary(op, a, b) => {
                write!(out, "{}:{} = {op:?} {} {}", id(*self), self.width(), id(a), id(b))
            }
            Expr::If(c, a, b) => {
                write!(out, "{}:{} = If {} {} {}", id(*self), self.width(), id(c), id(a), id(b))
            }
            Expr::Slice(a, low) => write!(out, "{}:{} = Slice {} {low}", id(*self), self.width(), id(a)),
            Expr::Concat(a, b) => {
                write!(out, "{}:{} = Concat {} {}", id(*self), self.width(), id(a), id(b))
            }
        }
    }
}
