//! Compares each short form with its full form, and checks the messages for wrong ones.

use crate::default::derive;
use crate::expand::{Clocked, expand};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Block, Expr, Stmt, parse_str};

/// Full form of `body`.
fn expanded(args: &str, body: &str) -> syn::Result<Block> {
    let clocked: Clocked = parse_str(args)?;
    let mut block: Block = parse_str(&format!("{{\n{body}\n}}"))?;
    expand(&clocked, &mut block, &mut |_, _| ())?;
    Ok(block)
}

/// Checks that `meant` is the full form of `body`.
fn means(args: &str, body: &str, meant: &str) {
    let text = |block: Block| block.into_token_stream().to_string();
    let meant: Block = parse_str(&format!("{{ {meant} }}")).expect("expected statements");
    assert_eq!(expanded(args, body).map(text).expect("refused"), text(meant));
}

/// Checks that `body` is refused at this line of the body, with a message that contains `part`.
fn refused(body: &str, line: usize, part: &str) {
    let error = expanded("", body).map(|_| ()).expect_err("taken");
    assert!(error.to_string().contains(part), "{error}");
    assert_eq!(error.span().start().line, line + 1, "{error}");
}

#[test]
fn registers() {
    means(
        "",
        "self.x.reg = self.y.val();",
        "self.x.clk.next = self.clk.val(); self.x.rst.next = self.rst.val();
         self.x.en.next = true; self.x.d.next = self.y.val();",
    );
    means(
        "en = run",
        "self.x[i].pipe = self.y.val();",
        "self.x[i].clk.next = self.clk.val(); self.x[i].en.next = self.run.val(); self.x[i].d.next = self.y.val();",
    );
    means(
        "en = run",
        "self.x.delay = when(self.go.val() & self.run.val(), 0.into());",
        "self.x.clk.next = self.clk.val(); self.x.en.next = self.go.val() & self.run.val();
         self.x.d.next = 0.into();",
    );
}

#[test]
fn enables() {
    means(
        "en = run",
        "self.x.pipe = self.y.val(); enable!(late.q); self.y.pipe = self.z.val();",
        "self.x.clk.next = self.clk.val(); self.x.en.next = self.run.val(); self.x.d.next = self.y.val();
         self.y.clk.next = self.clk.val(); self.y.en.next = self.late.q.val(); self.y.d.next = self.z.val();",
    );
}

#[test]
fn arithmetic() {
    means(
        "en = run",
        "self.x.mul = (self.y.val(), 3.into()); self.z.div = when(true, (self.y.val(), self.x.p.val()));",
        "self.x.clk.next = self.clk.val(); self.x.en.next = self.run.val();
         self.x.a.next = self.y.val(); self.x.b.next = 3.into();
         self.z.clk.next = self.clk.val(); self.z.en.next = true; self.z.en_late.next = true;
         self.z.num.next = self.y.val(); self.z.den.next = self.x.p.val();",
    );
}

#[test]
fn memories() {
    means(
        "en = run",
        "self.m.read = self.at.val(); self.m.write = when(self.we.val(), (self.at.val(), self.word.val()));",
        "self.m.clk.next = self.clk.val(); self.m.re.next = self.run.val();
         self.m.raddr.next = self.at.val(); self.m.oe.next = self.run.val();
         self.m.we.next = self.we.val(); self.m.waddr.next = self.at.val(); self.m.wdata.next = self.word.val();",
    );
    // The condition belongs to the array. The output register loads in the same clocks as all other
    // registers.
    means(
        "",
        "self.m.read = when(self.go.val(), self.at.val());",
        "self.m.clk.next = self.clk.val(); self.m.re.next = self.go.val();
         self.m.raddr.next = self.at.val(); self.m.oe.next = true;",
    );
}

#[test]
fn wires() {
    means(
        "",
        "wire!(self.a.*, self.b[2].in_* <- self.c.out_*: p, q);",
        "self.a.p.next = self.c.out_p.val(); self.a.q.next = self.c.out_q.val();
         self.b[2].in_p.next = self.c.out_p.val(); self.b[2].in_q.next = self.c.out_q.val();",
    );
    means(
        "",
        "wire!(self.x.next.* <- self.y.q.val().*: p); wire!(self.x.next.* <- self.*: q,);",
        "self.x.next.p = self.y.q.val().p; self.x.next.q = self.q.val();",
    );
    means(
        "",
        "stream!(self.a.s_axis_in_* <- self.m_axis_out_*: tdata); stream!(self.* <- self.b.*);",
        "self.a.s_axis_in_tvalid.next = self.m_axis_out_tvalid.val();
         self.m_axis_out_tready.next = self.a.s_axis_in_tready.val();
         self.a.s_axis_in_tdata.next = self.m_axis_out_tdata.val();
         self.tvalid.next = self.b.tvalid.val(); self.b.tready.next = self.tready.val();",
    );
}

#[test]
fn fields_of_words() {
    means(
        "",
        "self.a.next = field!(self.b.val(), Passed.una); self.c.next = field!(self.b.val(), Passed.ended);
         self.d.reg = field!(self.e.val().rest, Acknowledgement.ce..=stamp);",
        "self.a.next = self.b.val().get_bits::<10>(0); self.c.next = self.b.val().get_bit(10);
         self.d.clk.next = self.clk.val(); self.d.rst.next = self.rst.val(); self.d.en.next = true;
         self.d.d.next = self.e.val().rest.get_bits::<33>(305);",
    );
    means(
        "",
        "self.a.next = pack!(Passed { una: [self.l.val(), self.h.val()], ended: self.x.val() & self.y.val() });",
        "self.a.next = bit_cast::<11, 5>(self.l.val()) | (bit_cast::<11, 5>(self.h.val()) << 5)
             | (bit_cast::<11, 1>((self.x.val() & self.y.val()).into()) << 10);",
    );
    means(
        "",
        "self.a.next = bit_cast::<R, width!(Passed)>(self.b.val());
         stream!(self.a.in_* <- self.b.out_*: tid, tdata as Passed in self.word);",
        "self.a.next = bit_cast::<R, 11>(self.b.val());
         self.a.in_tvalid.next = self.b.out_tvalid.val(); self.b.out_tready.next = self.a.in_tready.val();
         self.a.in_tid.next = self.b.out_tid.val();
         self.word.next.una = self.b.out_tdata.val().get_bits::<10>(0);
         self.word.next.ended = self.b.out_tdata.val().get_bit(10);
         self.a.in_tdata.next = self.word.val();",
    );
    refused("\nself.a.next = field!(self.b.val(), Pass.una);", 2, "no word `Pass`");
    refused("self.a.next = field!(self.b.val(), Passed.end);", 1, "no field `end`");
    refused("self.a.next = field!(self.b.val(), Passed.ended..=una);", 1, "below the last");
    refused("self.a.next = pack!(Passed { ended: self.b.val() });", 1, "`una` of `Passed` comes next");
    refused("self.a.next = pack!(Passed { una: [a, b, c], ended: d });", 1, "3 equal parts");
    refused("self.a.next = pack!(Passed { una: a, ended: b, more: c });", 1, "no further field");
}

#[test]
fn fields_of_headers() {
    means(
        "",
        "self.a.next = field!(self.b.val(), Ack.Bth.psn in 0..64); self.c.next = field!(self.b.val(), Ack.Evx in 64..120);
         self.d.next = self.e.val() << low!(Ack.Seth.m in 20..84);",
        "self.a.next = self.b.val().get_bits::<24>(352); self.c.next = self.b.val().get_bits::<288>(0);
         self.d.next = self.e.val() << 469;",
    );
    refused(
        "self.a.next = field!(self.b.val(), Ack.Evx.there in 0..64);",
        1,
        "`Ack.Evx.there` is not in bytes 0..64",
    );
    refused("self.a.next = field!(self.b.val(), Data.Seth.m in 0..64);", 1, "`Data.Seth.m` is not");
}

#[test]
fn choices() {
    means(
        "",
        "self.x.next = if self.a.val() { 1.into() } else if self.b.val() { 2.into() } else { 3.into() };",
        "self.x.next = 3.into();
         if self.a.val() { self.x.next = 1.into(); } else if self.b.val() { self.x.next = 2.into(); }",
    );
    means(
        "",
        "self.s.next.f = if self.s.val().fresh { if self.b.val() { 1.into() } else { 2.into() } } else { 3.into() };",
        "self.s.next.f = 3.into();
         if self.s.val().fresh { self.s.next.f = 2.into(); if self.b.val() { self.s.next.f = 1.into(); } }",
    );
    means(
        "",
        "self.x.pipe = when(self.go.val(), if self.a.val() { self.b.val() } else { self.c.val() });",
        "self.x.clk.next = self.clk.val(); self.x.en.next = self.go.val(); self.x.d.next = self.c.val();
         if self.a.val() { self.x.d.next = self.b.val(); }",
    );
}

#[test]
fn choices_in_arms() {
    means(
        "",
        "match self.y.val().index() { 0 => self.x.next = if self.a.val() { 1.into() } else { 2.into() }, _ => {} }",
        "match self.y.val().index() {
             0 => { self.x.next = 2.into(); if self.a.val() { self.x.next = 1.into(); } }, _ => {}
         }",
    );
}

#[test]
fn everything_else_stays() {
    let body =
        "self.x.next = self.y.val(); self.s.next.read = true; if self.y.val() { self.x.d.next = false; }
        comment!(\"text\"); for i in 0..4 { self.z[i].next = false; }";
    means("", body, body);
}

#[test]
fn inside() {
    means(
        "",
        "for i in 0..4 { self.x[i].pipe = self.y[i].val(); }",
        "for i in 0..4 {
             self.x[i].clk.next = self.clk.val(); self.x[i].en.next = true; self.x[i].d.next = self.y[i].val();
         }",
    );
    means(
        "",
        "if self.y.val() { wire!(self.a.* <- self.*: p); } else { wire!(self.a.* <- self.b.*: p); }",
        "if self.y.val() { self.a.p.next = self.p.val(); } else { self.a.p.next = self.b.p.val(); }",
    );
}

#[test]
fn lines() {
    let block = expanded(
        "",
        "// Comment.\nself.x.reg =\n    self.y.val();\nwire!(\n    self.a.* <- self.*:\n    p,\n    q,\n);",
    );
    let block = block.expect("refused");
    let lines: Vec<usize> = block.stmts.iter().map(|stmt| stmt.span().start().line - 1).collect();
    // Four of the register, one of the place of `wire!`, one of the place of its name.
    assert_eq!(lines, [2, 2, 2, 2, 4, 7]);
    let choice = expanded("", "self.x.next = if self.y.val() {\n    1.into()\n} else {\n    2.into()\n};");
    let Some(Stmt::Expr(Expr::If(choice), _)) = choice.expect("refused").stmts.pop() else {
        panic!("no `if`");
    };
    assert_eq!(choice.then_branch.stmts[0].span().start().line - 1, 2);
}

#[test]
fn wrong_forms() {
    refused("\nif self.y.val() {\n    self.x.reg = self.y.val();\n}", 3, "`reg` in a branch");
    refused("match self.y.val() {\n    _ => self.x.pipe = 0.into(),\n}", 2, "`pipe` in a branch");
    refused("self.a.b.reg = self.y.val();", 1, "belongs to a field");
    refused("self.x.reg = when(self.y.val());", 1, "when(condition, value)");
    refused("self.x.mul = self.y.val();", 1, "a tuple: (a, b)");
    refused("self.x.div = (self.y.val(),);", 1, "a tuple: (num, den)");
    refused("self.x.write = (self.y.val(), self.z.val());", 1, "a write needs its enable");
    refused("self.x.next = if self.y.val() { true };", 1, "needs an `else`");
    refused("self.x.next = if self.y.val() {\n    true;\n} else { false };", 1, "is one value");
    refused(
        "self.x.next = if self.y.val() { self.x.val() + 1 } else { 0.into() };",
        1,
        "reads what it is assigned",
    );
    refused(
        "self.s.next.f = if self.y.val() { true } else { self.s.val().f };",
        1,
        "reads what it is assigned",
    );
    refused("self.x[1].next = if self.y.val() { 0.into() } else { self.x[1].val() };", 1, "reads what it is");
    refused("if self.y.val() {\n    enable!(run);\n}", 2, "`enable!` in a branch");
    refused("enable!(self.run);", 1, "expected identifier");
    refused("wire!(self.a.* <- self.b.*);", 1, "expected `:`");
    refused("wire!(self.a.* <- self.b.*: );", 1, "expected names");
    refused("wire!(self.a.* = self.b.*: p);", 1, "expected `<-`");
    refused("wire!(self.a <- self.b.*: p);", 1, "expected `.`");
    refused("wire!(a.* <- self.b.*: p);", 1, "expected `self`");
    refused("wire!(self.a.* <- self.b.val(1).*: p);", 1, "unexpected token");
    refused("wire!(self.a.* <- self.b.*:\n    p q);", 2, "expected `,`");
    refused("stream!(self.a.*, self.b.* <- self.c.*);", 1, "goes to one place");
}

#[test]
fn wrong_arguments() {
    for args in ["run", "enable = run", "en = true", "en = self.run", "en = run, rst"] {
        assert!(parse_str::<Clocked>(args).is_err(), "{args}");
    }
}

fn derived(item: &str) -> syn::Result<String> {
    derive(&parse_str(item)?).map(|tokens| tokens.to_string().replace(' ', ""))
}

#[test]
fn defaults() {
    let item = "#[requires(B == A + 1)] struct X<const A: usize, const B: usize> where T: Y {
        a: Signal<In, Bit>, #[new(2)] b: Delay<Bits<A>>, #[default(value())] c: Constant<Bit>, d: [Reg<Bit>; B] }";
    let text = derived(item).expect("refused");
    for part in [
        "impl<constA:usize,constB:usize>::core::default::DefaultforX<A,B>whereT:Y{",
        "const{assert!(B==A+1,\"Xrequires",
        "a:::core::default::Default::default(),b:<Delay<Bits<A>>>::new(2),c:value(),",
        "d:::core::array::from_fn(|_|::core::default::Default::default())}",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn given() {
    let item =
        "#[given(page: &Page)] struct X { a: Signal<In, Bit>, #[new(page.number())] b: Constant<Bit> }";
    let text = derived(item).expect("refused");
    let part = "pubfnnew(page:&Page)->Self{X{a:::core::default::Default::default(),b:<Constant<Bit>>::new(page.number())}";
    assert!(text.contains(part), "{text}");
    assert!(!text.contains("Defaultfor"), "{text}");
}

#[test]
fn wrong_defaults() {
    for (item, part) in [
        ("enum X { A }", "a block is a struct"),
        ("struct X(Bit);", "have names"),
        ("struct X { #[new(1)] #[default(y)] a: Reg<Bit> }", "one value"),
        ("struct X { #[default] a: Reg<Bit> }", "expected attribute arguments"),
        ("struct X { #[new = 1] a: Reg<Bit> }", "expected"),
        ("#[given(page)] struct X { a: Bit }", "expected `:`"),
        ("#[requires()] struct X { a: Bit }", "expected an expression"),
    ] {
        let error = derived(item).expect_err(item).to_string();
        assert!(error.contains(part), "{item}: {error}");
    }
}
