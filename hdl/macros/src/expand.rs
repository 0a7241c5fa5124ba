//! What the short forms in a block's `update` stand for.
//!
//! Two crates hold this file: `#[clocked]` expands with it before rust-hdl sees the block, and the
//! emitter's source reader expands with it what it reads, so that both see the same statements.

use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{
    Block, Error, Expr, ExprAssign, ExprIf, Ident, Member, Result, Stmt, StmtMacro, Token, parse_quote_spanned,
};

/// The argument of `#[clocked]`: the signal that enables whatever says no `when`; without one, always.
#[derive(Default)]
pub struct Clocked {
    enable: Option<Ident>,
}

impl Parse for Clocked {
    fn parse(input: ParseStream) -> Result<Self> {
        if input.is_empty() {
            return Ok(Clocked::default());
        }
        let key: Ident = input.parse()?;
        if key != "en" {
            return Err(Error::new(key.span(), "expected `#[clocked]` or `#[clocked(en = signal)]`"));
        }
        input.parse::<Token![=]>()?;
        Ok(Clocked { enable: Some(input.parse()?) })
    }
}

/// A primitive that a short form drives.
pub struct Load {
    /// The field.
    pub field: Ident,
    /// The word that the form says: `reg`, `pipe`, ...
    pub word: Ident,
}

/// Replaces the short forms in `block` by what they stand for. Every statement keeps the line of its
/// form. Returns the primitives that they drive.
pub fn expand(clocked: &Clocked, block: &mut Block) -> Result<Vec<Load>> {
    let mut expansion = Expansion { clocked, loads: Vec::new() };
    expansion.block(block, false)?;
    Ok(expansion.loads)
}

struct Expansion<'a> {
    clocked: &'a Clocked,
    loads: Vec<Load>,
}

impl Expansion<'_> {
    /// `branch`: the block runs only sometimes.
    fn block(&mut self, block: &mut Block, branch: bool) -> Result<()> {
        for mut stmt in std::mem::take(&mut block.stmts) {
            let expanded = match &mut stmt {
                Stmt::Expr(e, _) => self.expr(e, branch)?,
                Stmt::Macro(m) => wires(m)?,
                _ => None,
            };
            match expanded {
                Some(stmts) => block.stmts.extend(stmts),
                None => block.stmts.push(stmt),
            }
        }
        Ok(())
    }

    /// What the statement `e` stands for, if it is a short form.
    fn expr(&mut self, e: &mut Expr, branch: bool) -> Result<Option<Vec<Stmt>>> {
        match e {
            Expr::Assign(e) => self.assign(e, branch),
            Expr::ForLoop(e) => self.block(&mut e.body, branch).map(|()| None),
            Expr::If(e) => self.branches(e).map(|()| None),
            Expr::Match(e) => {
                for arm in &mut e.arms {
                    self.arm(&mut arm.body)?;
                }
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    fn branches(&mut self, e: &mut ExprIf) -> Result<()> {
        self.block(&mut e.then_branch, true)?;
        match e.else_branch.as_mut().map(|(_, e)| &mut **e) {
            Some(Expr::If(e)) => self.branches(e),
            Some(e) => self.arm(e),
            None => Ok(()),
        }
    }

    fn arm(&mut self, e: &mut Expr) -> Result<()> {
        match e {
            Expr::Block(e) => self.block(&mut e.block, true),
            e => self.expr(e, true).map(|_| ()),
        }
    }

    fn assign(&mut self, e: &ExprAssign, branch: bool) -> Result<Option<Vec<Stmt>>> {
        let Expr::Field(target) = &*e.left else {
            return Ok(None);
        };
        let Member::Named(word) = &target.member else {
            return Ok(None);
        };
        // A field of a struct, `self.x.next.read = ..`, may have any name.
        if matches!(&*target.base, Expr::Field(f) if matches!(&f.member, Member::Named(n) if n == "next")) {
            return Ok(None);
        }
        // Inputs after the clock: the enable, then what the value gives.
        let (enable, inputs): (&str, &[&str]) = match word.to_string().as_str() {
            "reg" | "pipe" | "delay" => ("en", &["d"]),
            "mul" => ("en", &["a", "b"]),
            "div" => ("en", &["num", "den"]),
            "read" => ("re", &["raddr"]),
            "write" => ("we", &["waddr", "wdata"]),
            _ => return Ok(None),
        };
        if branch {
            let message = format!(
                "`{word}` in a branch: say it once before, with its usual value, and set `.{}.next` here",
                inputs[0]
            );
            return Err(Error::new(word.span(), message));
        }
        let place = &*target.base;
        let Some(field) = field(place) else {
            return Err(Error::new(place.span(), format!("`{word}` belongs to a field: `self.x.{word} = ..`")));
        };
        self.loads.push(Load { field, word: word.clone() });
        let span = place.span();
        let usual: Expr = match &self.clocked.enable {
            Some(signal) => {
                let signal = Ident::new(&signal.to_string(), span);
                parse_quote_spanned!(span=> self.#signal.val())
            }
            None => parse_quote_spanned!(span=> true),
        };
        let (when, value) = when(&e.right)?;
        if word == "write" && when.is_none() {
            return Err(Error::new(e.right.span(), "a write needs its enable: `when(enable, (address, word))`"));
        }
        let mut stmts: Vec<Stmt> = Vec::new();
        // A memory's clock comes with `read`; every memory is read.
        if word != "write" {
            stmts.push(parse_quote_spanned!(span=> #place.clk.next = self.clk.val();));
        }
        if word == "reg" {
            stmts.push(parse_quote_spanned!(span=> #place.rst.next = self.rst.val();));
        }
        let port = Ident::new(enable, span);
        let condition = when.unwrap_or(&usual);
        stmts.push(parse_quote_spanned!(span=> #place.#port.next = #condition;));
        for (input, value) in inputs.iter().zip(values(value, inputs)?) {
            let port = Ident::new(input, span);
            stmts.push(parse_quote_spanned!(span=> #place.#port.next = #value;));
        }
        if word == "read" {
            stmts.push(parse_quote_spanned!(span=> #place.oe.next = #usual;));
        }
        Ok(Some(stmts))
    }
}

/// The field that `self.x` or `self.x[i]` belongs to.
fn field(place: &Expr) -> Option<Ident> {
    match place {
        Expr::Index(e) => field(&e.expr),
        Expr::Field(e) => match (&*e.base, &e.member) {
            (Expr::Path(base), Member::Named(name)) if base.path.is_ident("self") => Some(name.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// The condition and the value of `when(condition, value)`.
fn when(e: &Expr) -> Result<(Option<&Expr>, &Expr)> {
    let Expr::Call(call) = e else {
        return Ok((None, e));
    };
    if !matches!(&*call.func, Expr::Path(p) if p.path.is_ident("when")) {
        return Ok((None, e));
    }
    match (call.args.first(), call.args.last(), call.args.len()) {
        (Some(condition), Some(value), 2) => Ok((Some(condition), value)),
        _ => Err(Error::new(call.span(), "expected `when(condition, value)`")),
    }
}

/// The values of so many inputs: one, or a tuple.
fn values<'a>(value: &'a Expr, inputs: &[&str]) -> Result<Vec<&'a Expr>> {
    match value {
        _ if inputs.len() == 1 => Ok(vec![value]),
        Expr::Tuple(tuple) if tuple.elems.len() == inputs.len() => Ok(tuple.elems.iter().collect()),
        _ => Err(Error::new(value.span(), format!("expected a tuple: ({})", inputs.join(", ")))),
    }
}

/// What `wire!` and `stream!` stand for.
fn wires(m: &StmtMacro) -> Result<Option<Vec<Stmt>>> {
    let stream = m.mac.path.is_ident("stream");
    if !stream && !m.mac.path.is_ident("wire") {
        return Ok(None);
    }
    let wires = (|input: ParseStream| Wires::parse(input, stream)).parse2(m.mac.tokens.clone())?;
    // The first statement begins where the macro does, below its comment.
    let here = m.mac.path.span();
    let mut stmts = Vec::new();
    let mut push = |to: &Ends, from: &Ends, name: &Ident| {
        let span = if stmts.is_empty() { here } else { name.span() };
        let (to, from) = (to.with(name, span), from.with(name, span));
        stmts.push(parse_quote_spanned!(span=> #to.next = #from.val();));
    };
    for to in &wires.to {
        if stream {
            push(to, &wires.from, &Ident::new("tvalid", here));
            push(&wires.from, to, &Ident::new("tready", here));
        }
        for name in &wires.names {
            push(to, &wires.from, name);
        }
    }
    Ok(Some(stmts))
}

/// `self.a.*, self.b.* <- self.c.prefix_*: name, name`.
struct Wires {
    to: Vec<Ends>,
    from: Ends,
    names: Vec<Ident>,
}

impl Wires {
    fn parse(input: ParseStream, stream: bool) -> Result<Self> {
        let mut to = vec![Ends::parse(input)?];
        while input.peek(Token![,]) {
            input.parse::<Token![,]>()?;
            to.push(Ends::parse(input)?);
        }
        if stream && to.len() > 1 {
            return Err(input.error("a stream goes to one place"));
        }
        input.parse::<Token![<-]>()?;
        let from = Ends::parse(input)?;
        let mut names = Vec::new();
        if !stream || !input.is_empty() {
            input.parse::<Token![:]>()?;
            let list = input.parse_terminated(Ident::parse_any, Token![,])?;
            if list.is_empty() {
                return Err(input.error("expected names"));
            }
            names.extend(list);
        }
        Ok(Wires { to, from, names })
    }
}

/// Signals that begin alike: `self.*`, `self.part.*`, `self.part.prefix_*`, `self.prefix_*`.
struct Ends {
    place: Expr,
    prefix: String,
}

impl Ends {
    fn parse(input: ParseStream) -> Result<Self> {
        let start: Token![self] = input.parse()?;
        let mut place: Expr = parse_quote_spanned!(start.span=> self);
        loop {
            if input.peek(syn::token::Bracket) {
                let index;
                syn::bracketed!(index in input);
                let index: Expr = index.parse()?;
                place = parse_quote_spanned!(start.span=> #place[#index]);
                continue;
            }
            input.parse::<Token![.]>()?;
            if input.peek(Token![*]) {
                input.parse::<Token![*]>()?;
                return Ok(Ends { place, prefix: String::new() });
            }
            let name: Ident = input.parse()?;
            if input.peek(Token![*]) {
                input.parse::<Token![*]>()?;
                return Ok(Ends { place, prefix: name.to_string() });
            }
            place = parse_quote_spanned!(start.span=> #place.#name);
        }
    }

    /// The signal of this name, all of it at `span`.
    fn with(&self, name: &Ident, span: proc_macro2::Span) -> Expr {
        let name = Ident::new(&format!("{}{name}", self.prefix), span);
        let place = &self.place;
        parse_quote_spanned!(span=> #place.#name)
    }
}
