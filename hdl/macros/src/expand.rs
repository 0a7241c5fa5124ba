//! The full forms of the short forms in a block's `update`.
//!
//! Two crates share this file. `#[clocked]` expands blocks with it before rust-hdl sees them, and the
//! emitter's source reader expands the source with it. So both see the same statements.

use super::named;
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{Nothing, Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Block, Error, Expr, ExprAssign, ExprField, ExprIf, Ident, Member, Result, Stmt, StmtMacro, Token,
    bracketed, parenthesized, parse_quote_spanned, parse2, token,
};
use weft_interface::{Field, Slice, Word};

/// Argument of `#[clocked]`: the signal that enables statements without a `when`. Default: always enabled.
#[derive(Default)]
pub(crate) struct Clocked {
    enable: Option<Place>,
}

/// A signal of the block, or a signal of a part: `run`, `late.q`.
#[derive(Clone)]
struct Place(Vec<Ident>);

impl Place {
    /// Value of the signal, on the line of `span`.
    fn value(&self, span: Span) -> Expr {
        let names = self.0.iter().map(|name| Ident::new(&name.to_string(), span));
        parse_quote_spanned!(span=> self.#(#names).*.val())
    }
}

impl Parse for Place {
    fn parse(input: ParseStream) -> Result<Self> {
        let names = Punctuated::<Ident, Token![.]>::parse_separated_nonempty(input)?;
        Ok(Place(names.into_iter().collect()))
    }
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

/// Replaces the short forms in `block` by their full forms. Every statement keeps the line of its form.
/// `loads` is called with each word and the field that it drives: `reg`, `pipe`, ...
pub(crate) fn expand(
    clocked: &Clocked,
    block: &mut Block,
    loads: &mut dyn FnMut(&Ident, &Ident),
) -> Result<()> {
    *block = parse2(named::replace(block.to_token_stream())?)?;
    Expansion { enable: clocked.enable.clone(), loads }.block(block, false)
}

struct Expansion<'a> {
    /// Enable of the statements from here on.
    enable: Option<Place>,
    loads: &'a mut dyn FnMut(&Ident, &Ident),
}

impl Expansion<'_> {
    /// Expands the statements of a block. `branch` means that the block runs only under a condition.
    fn block(&mut self, block: &mut Block, branch: bool) -> Result<()> {
        for mut stmt in std::mem::take(&mut block.stmts) {
            let expanded = match &mut stmt {
                Stmt::Expr(e, _) => self.expr(e, branch)?,
                Stmt::Macro(m) if m.mac.path.is_ident("enable") => Some(self.enable(m, branch)?),
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

    /// Handles `enable!(signal);`: the signal enables all following statements without a `when`.
    fn enable(&mut self, m: &StmtMacro, branch: bool) -> Result<Vec<Stmt>> {
        if branch {
            return Err(Error::new(m.mac.path.span(), "`enable!` in a branch: say it before"));
        }
        self.enable = Some(m.mac.parse_body()?);
        Ok(Vec::new())
    }

    /// The full form of the statement `e`, if it is a short form.
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
            e => {
                if let Some(stmts) = self.expr(e, true)? {
                    *e = parse_quote_spanned!(e.span()=> { #(#stmts)* });
                }
                Ok(())
            }
        }
    }

    fn assign(&mut self, e: &ExprAssign, branch: bool) -> Result<Option<Vec<Stmt>>> {
        let loads = self.load(e, branch)?;
        match &*e.right {
            Expr::If(_) if loads.is_none() => choose(&e.left, &e.right).map(Some),
            _ => Ok(loads),
        }
    }

    fn load(&mut self, e: &ExprAssign, branch: bool) -> Result<Option<Vec<Stmt>>> {
        let Expr::Field(target) = &*e.left else {
            return Ok(None);
        };
        let Member::Named(word) = &target.member else {
            return Ok(None);
        };
        // A field of a struct, `self.x.next.read = ..`, may have any name.
        if is_next(&target.base) {
            return Ok(None);
        }
        // The inputs after the clock are the enable, then the inputs that the value gives.
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
            return Err(Error::new(
                place.span(),
                format!("`{word}` belongs to a field: `self.x.{word} = ..`"),
            ));
        };
        (self.loads)(&field, word);
        let span = place.span();
        let usual: Expr = match &self.enable {
            Some(signal) => signal.value(span),
            None => parse_quote_spanned!(span=> true),
        };
        let (when, value) = when(&e.right)?;
        if word == "write" && when.is_none() {
            return Err(Error::new(
                e.right.span(),
                "a write needs its enable: `when(enable, (address, word))`",
            ));
        }
        let mut stmts: Vec<Stmt> = Vec::new();
        // The clock of a memory comes with `read`, because every memory is read.
        if word != "write" {
            stmts.push(parse_quote_spanned!(span=> #place.clk.next = self.clk.val();));
        }
        if word == "reg" {
            stmts.push(parse_quote_spanned!(span=> #place.rst.next = self.rst.val();));
        }
        let port = Ident::new(enable, span);
        let condition = when.unwrap_or(&usual);
        stmts.push(parse_quote_spanned!(span=> #place.#port.next = #condition;));
        if word == "div" {
            stmts.push(parse_quote_spanned!(span=> #place.en_late.next = #condition;));
        }
        for (input, value) in inputs.iter().zip(values(value, inputs)?) {
            let port = Ident::new(input, span);
            stmts.extend(choose(&parse_quote_spanned!(span=> #place.#port.next), value)?);
        }
        if word == "read" {
            stmts.push(parse_quote_spanned!(span=> #place.oe.next = #usual;));
        }
        Ok(Some(stmts))
    }
}

/// Expands `target = value`. An `if` with values becomes assignments: first of the last value, then of each
/// other value, which overwrites the last one.
fn choose(target: &Expr, value: &Expr) -> Result<Vec<Stmt>> {
    let Expr::If(choice) = value else {
        return Ok(vec![parse_quote_spanned!(target.span()=> #target = #value;)]);
    };
    // All other values are assigned after the last one, and would see its assignment.
    if reads(value, target) {
        return Err(Error::new(
            value.span(),
            "a value of this `if` reads what it is assigned to; write it below",
        ));
    }
    let (usual, choice) = over(target, choice)?;
    let mut stmts = choose(target, usual)?;
    stmts.push(Stmt::Expr(Expr::If(choice), None));
    Ok(stmts)
}

/// Whether `value` reads the signal that `target` assigns, or the signal that has `target` as a field.
fn reads(value: &Expr, target: &Expr) -> bool {
    let plain = |e: &Expr| e.to_token_stream().to_string().split_whitespace().collect::<String>();
    let read = plain(target).replace(".next", ".val()");
    let longer = |rest: &str| rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    plain(value).split(&read).skip(1).any(|rest| !longer(rest))
}

/// Last value of `choice`, and the statement that assigns all other values to `target`.
fn over<'a>(target: &Expr, choice: &'a ExprIf) -> Result<(&'a Expr, ExprIf)> {
    let mut sets = choice.clone();
    let value = only(&choice.then_branch)?;
    sets.then_branch.stmts = choose(&at(target, value.span())?, value)?;
    let Some((_, otherwise)) = &choice.else_branch else {
        return Err(Error::new(choice.if_token.span, "an `if` with a value needs an `else`"));
    };
    match &**otherwise {
        Expr::If(inner) => {
            let (usual, inner) = over(target, inner)?;
            if let Some((_, otherwise)) = &mut sets.else_branch {
                **otherwise = Expr::If(inner);
            }
            Ok((usual, sets))
        }
        Expr::Block(block) => {
            sets.else_branch = None;
            Ok((only(&block.block)?, sets))
        }
        other => Err(Error::new(other.span(), "expected `if` or a value")),
    }
}

/// The value of a branch.
fn only(block: &Block) -> Result<&Expr> {
    match block.stmts.as_slice() {
        [Stmt::Expr(value, None)] => Ok(value),
        _ => Err(Error::new(block.span(), "a branch of an `if` with a value is one value")),
    }
}

/// `e` on the line of `span`.
fn at(e: &Expr, span: Span) -> Result<Expr> {
    fn located(tokens: TokenStream, span: Span) -> TokenStream {
        let locate = |mut token: TokenTree| {
            if let TokenTree::Group(group) = &token {
                token = Group::new(group.delimiter(), located(group.stream(), span)).into();
            }
            token.set_span(token.span().located_at(span));
            token
        };
        tokens.into_iter().map(locate).collect()
    }
    parse2(located(e.to_token_stream(), span))
}

/// Field of `self.x` or `self.x[i]`.
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

/// Condition and value of `when(condition, value)`.
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

/// Values of the inputs: one value, or a tuple.
fn values<'a>(value: &'a Expr, inputs: &[&str]) -> Result<Vec<&'a Expr>> {
    match value {
        _ if inputs.len() == 1 => Ok(vec![value]),
        Expr::Tuple(tuple) if tuple.elems.len() == inputs.len() => Ok(tuple.elems.iter().collect()),
        _ => Err(Error::new(value.span(), format!("expected a tuple: ({})", inputs.join(", ")))),
    }
}

/// The full forms of `wire!` and `stream!`.
fn wires(m: &StmtMacro) -> Result<Option<Vec<Stmt>>> {
    let stream = m.mac.path.is_ident("stream");
    if !stream && !m.mac.path.is_ident("wire") {
        return Ok(None);
    }
    let wires = m.mac.parse_body_with(|input: ParseStream| Wires::parse(input, stream))?;
    // The first statement begins where the macro does, below its comment.
    let here = m.mac.path.span();
    let mut stmts: Vec<Stmt> = Vec::new();
    let wire = |first: bool, to: &Ends, from: &Ends, name: &Ident| {
        let span = if first { here } else { name.span() };
        let (to, from) = (at(&to.target(name), span)?, at(&from.value(name), span)?);
        Ok::<Stmt, Error>(parse_quote_spanned!(span=> #to = #from;))
    };
    for to in &wires.to {
        if stream {
            stmts.push(wire(stmts.is_empty(), to, &wires.from, &Ident::new("tvalid", here))?);
            stmts.push(wire(false, &wires.from, to, &Ident::new("tready", here))?);
        }
        for Named { name, word } in &wires.names {
            let Some((word, local)) = word else {
                stmts.push(wire(stmts.is_empty(), to, &wires.from, name)?);
                continue;
            };
            stmts.extend(word_by_field(word, local, &wires.from.value(name), name.span())?);
            let target = to.target(name);
            stmts.push(parse_quote_spanned!(name.span()=> #target = #local.val();));
        }
    }
    Ok(Some(stmts))
}

/// Assigns each field of `word` in `local` from its bits in `value`.
fn word_by_field(word: &'static Word, local: &Expr, value: &Expr, span: Span) -> Result<Vec<Stmt>> {
    let assign = |(field, slice): (&Field, Slice)| {
        let (field, bits) = (Ident::new(field.name, span), named::bits_of(value, slice, span));
        parse2(quote_spanned!(span=> #local.next.#field = #bits;))
    };
    word.slices().map(assign).collect()
}

/// `self.a.*, self.b.* <- self.c.prefix_*: name, name`.
struct Wires {
    to: Vec<Ends>,
    from: Ends,
    names: Vec<Named>,
}

/// A signal `name`, or `name as Word in self.local`: the bits of a word on the right, its fields on the left.
struct Named {
    name: Ident,
    word: Option<(&'static Word, Expr)>,
}

impl Parse for Named {
    fn parse(input: ParseStream) -> Result<Self> {
        let name = Ident::parse_any(input)?;
        if !input.peek(Token![as]) {
            return Ok(Named { name, word: None });
        }
        input.parse::<Token![as]>()?;
        let word = named::word(&input.parse()?)?;
        input.parse::<Token![in]>()?;
        Ok(Named { name, word: Some((word, input.parse()?)) })
    }
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
            let list = input.parse_terminated(Named::parse, Token![,])?;
            if list.is_empty() {
                return Err(input.error("expected names"));
            }
            names.extend(list);
        }
        Ok(Wires { to, from, names })
    }
}

/// Signals with a common prefix, or fields of a struct: `self.*`, `self.part.*`, `self.prefix_*`,
/// `self.x.next.*`, `self.x.val().*`.
struct Ends {
    place: Expr,
    prefix: String,
}

impl Ends {
    fn parse(input: ParseStream) -> Result<Self> {
        let start: Token![self] = input.parse()?;
        let mut place: Expr = parse_quote_spanned!(start.span=> self);
        loop {
            if input.peek(token::Bracket) {
                let index;
                bracketed!(index in input);
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
            if name == "val" && input.peek(token::Paren) {
                let nothing;
                parenthesized!(nothing in input);
                nothing.parse::<Nothing>()?;
                place = parse_quote_spanned!(start.span=> #place.val());
                continue;
            }
            place = parse_quote_spanned!(start.span=> #place.#name);
        }
    }

    /// Signal or field of this name.
    fn with(&self, name: &Ident) -> Expr {
        let name = Ident::new(&format!("{}{name}", self.prefix), name.span());
        let place = &self.place;
        parse_quote_spanned!(name.span()=> #place.#name)
    }

    /// Target of an assignment to that signal.
    fn target(&self, name: &Ident) -> Expr {
        let place = self.with(name);
        if is_next(&self.place) { place } else { parse_quote_spanned!(name.span()=> #place.next) }
    }

    /// Value of that signal.
    fn value(&self, name: &Ident) -> Expr {
        let place = self.with(name);
        if matches!(self.place, Expr::MethodCall(_)) {
            place
        } else {
            parse_quote_spanned!(name.span()=> #place.val())
        }
    }
}

/// Whether `e` is `x.next`, so that a name after it is a field of a struct.
fn is_next(e: &Expr) -> bool {
    matches!(e, Expr::Field(ExprField { member: Member::Named(name), .. }) if name == "next")
}
