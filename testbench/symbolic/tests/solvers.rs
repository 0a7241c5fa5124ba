//! Evaluator, bit-blaster and SMT printer read the same expression the same way.

use proptest::prelude::*;
use weft_symbolic::{
    Answer, Assignment, Multiply, Node, Prover, SmtSolver, Verdict, cross_check, write_query,
};

/// One step of a random expression: an operation on words made before.
type Recipe = Vec<(u8, usize, usize, usize)>;

const OPERATIONS: u8 = 22;

fn mask(width: usize) -> u128 {
    (1 << width) - 1
}

fn signed(value: u128, width: usize) -> i128 {
    if value >> (width - 1) == 1 { value as i128 - (1 << width) } else { value as i128 }
}

/// Words of the recipe, each with the number that plain u128 arithmetic gives it.
fn build(recipe: &Recipe, a: u128, b: u128, c: u128) -> Vec<(Node, u128)> {
    let mut pool = vec![
        (Node::variable("a", 9), a),
        (Node::variable("b", 9), b),
        (Node::variable("c", 1), c),
        (Node::lit(5, 21), 21),
    ];
    for &(operation, i, j, k) in recipe {
        let (x, xv) = pool[i % pool.len()];
        let (y, yv) = pool[j % pool.len()];
        let (z, zv) = pool[k % pool.len()];
        let width = x.width();
        // The second operand, with the width of the first.
        let (y, yv) =
            if y.width() >= width { (y.slice(0, width), yv & mask(width)) } else { (y.widen(width), yv) };
        let (bit, bv) = (z.slice(k % z.width(), 1), zv >> (k % z.width()) & 1);
        let number = u128::from;
        let (node, value) = match operation % OPERATIONS {
            0 => (x + y, xv + yv),
            1 => (x - y, xv + (1 << width) - yv),
            2 => (x * y, xv * yv),
            3 => (x / y, xv.checked_div(yv).unwrap_or(mask(width))),
            4 => (x % y, xv.checked_rem(yv).unwrap_or(xv)),
            5 => (x & y, xv & yv),
            6 => (x | y, xv | yv),
            7 => (x ^ y, xv ^ yv),
            8 => (!x, !xv),
            9 => (x.equals(y), number(xv == yv)),
            10 => (x.less(y), number(xv < yv)),
            11 => (x.less_signed(y), number(signed(xv, width) < signed(yv, width))),
            12 => (x.when(bit, y), if bv == 1 { xv } else { yv }),
            13 => (x.shift_left(y), if yv < width as u128 { xv << yv } else { 0 }),
            14 => (x.shift_right(y), if yv < width as u128 { xv >> yv } else { 0 }),
            15 => (x.shift_right_signed(y), (signed(xv, width) >> yv.min(100)) as u128),
            16 => (x.slice(k % width, 1 + j % (width - k % width)), xv >> (k % width)),
            17 if width + z.width() <= 24 => (x.cat(z), xv << z.width() | zv),
            18 => (x.widen(width.max(20)), xv),
            19 => (x.widen_signed(width.max(20)), signed(xv, width) as u128),
            20 => {
                let by = k as u128 & mask(width.min(5));
                let shifted = if by < width as u128 { xv << by } else { 0 };
                (x.shift_left(Node::lit(width, by)), shifted)
            }
            _ => (x.is_zero(), number(xv == 0)),
        };
        pool.push((node, value & mask(node.width())));
    }
    pool
}

fn recipe() -> impl Strategy<Value = Recipe> {
    let step = (0..OPERATIONS, any::<usize>(), any::<usize>(), any::<usize>());
    prop::collection::vec(step, 1..25)
}

fn variables() -> [Node; 3] {
    [Node::variable("a", 9), Node::variable("b", 9), Node::variable("c", 1)]
}

/// `claim` holds of the words for these inputs; `broken` is wrong in one bit.
fn claims(recipe: &Recipe, inputs: [u128; 3], flip: usize) -> (Vec<Node>, Node, Node) {
    let words = build(recipe, inputs[0], inputs[1], inputs[2]);
    let assumptions =
        variables().iter().zip(inputs).map(|(v, x)| v.equals(Node::lit(v.width(), x))).collect();
    let claim = Node::all(words.iter().map(|&(node, value)| node.equals(Node::lit(node.width(), value))));
    let &(node, value) = words.last().unwrap();
    let broken = node.equals(Node::lit(node.width(), value ^ 1 << (flip % node.width())));
    (assumptions, claim, broken)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn evaluator_and_blaster_agree(recipe in recipe(), a in 0u128..512, b in 0u128..512, c in 0u128..2, flip: usize) {
        let mut assignment = Assignment::new();
        for (variable, value) in variables().into_iter().zip([a, b, c]) {
            assignment.set(variable, value);
        }
        for (node, value) in build(&recipe, a, b, c) {
            prop_assert_eq!(assignment.eval(node).to_u128(), Some(value), "{:?}", node);
        }
        let (assumptions, claim, broken) = claims(&recipe, [a, b, c], flip);
        prop_assert_eq!(Prover::default().prove(&assumptions, claim).unwrap(), Verdict::Proved);
        let found = Prover::default().prove(&assumptions, broken).unwrap();
        let Some(found) = found.counterexample() else { panic!("a wrong claim was {found:?}") };
        prop_assert!(found.iter().all(|(variable, value)| assignment.get(variable) == Some(value)));
    }
}

#[test]
fn another_solver_agrees() {
    let Some(solver) = SmtSolver::find() else {
        println!("skipped: no SMT solver on the search path");
        return;
    };
    let mut config = ProptestConfig::with_cases(60);
    config.failure_persistence = None;
    let mut runner = prop::test_runner::TestRunner::new(config);
    let strategy = (recipe(), 0u128..512, 0u128..512, 0u128..2, any::<usize>());
    runner
        .run(&strategy, |(recipe, a, b, c, flip)| {
            let (assumptions, claim, broken) = claims(&recipe, [a, b, c], flip);
            prop_assert_eq!(solver.prove(&assumptions, claim).unwrap(), Answer::Proved);
            prop_assert_eq!(solver.prove(&assumptions, broken).unwrap(), Answer::Refuted);
            // Without the assumptions the answer is open: both solvers must find the same answer.
            let free = cross_check(&Prover::default(), &solver, &[], broken);
            prop_assert!(!matches!(free.unwrap(), Verdict::Unknown));
            Ok(())
        })
        .unwrap();
}

#[test]
fn wide_words_are_proved() {
    let (a, b) = (Node::variable("a", 512), Node::variable("b", 512));
    let prover = Prover::default();
    assert!(prover.prove(&[], ((a | b) - (a & b)).equals(a ^ b)).unwrap().is_proved());
    assert!(prover.prove(&[b.less(a)], a.less(b)).unwrap().counterexample().is_some());
}

/// A multiplexer before or after a shared multiplier.
fn mux_around_product(width: usize) -> Node {
    let [a, b, x] = ["a", "b", "x"].map(|name| Node::variable(name, width));
    let select = Node::variable("select", 1);
    (a.when(select, b) * x).equals((x * a).when(select, b * x))
}

#[test]
fn uninterpreted_products_prove_what_exact_ones_cannot() {
    let prover = Prover { multiply: Multiply::Uninterpreted, ..Prover::default() };
    assert!(prover.prove(&[], mux_around_product(32)).unwrap().is_proved());
    assert!(Prover::default().prove(&[], mux_around_product(6)).unwrap().is_proved());
}

#[test]
fn uninterpreted_products_never_refute_wrongly() {
    let (a, b, c) = (Node::variable("a", 8), Node::variable("b", 8), Node::variable("c", 8));
    let distributes = (a * (b + c)).equals(a * b + a * c);
    let prover = Prover { multiply: Multiply::Uninterpreted, ..Prover::default() };
    assert_eq!(prover.prove(&[], distributes).unwrap(), Verdict::Unknown);
    // The solver must not prove a false claim either.
    assert!(!prover.prove(&[], (a * b).equals(a * c)).unwrap().is_proved());
}

/// Equal products with factors behind choices: neither solver has to multiply.
#[test]
fn uninterpreted_products_are_so_to_both_solvers() {
    let Some(solver) = SmtSolver::find() else {
        println!("skipped: no SMT solver on the search path");
        return;
    };
    let prover = Prover { multiply: Multiply::Uninterpreted, ..Prover::default() };
    let [a, b, c] = ["a", "b", "c"].map(|name| Node::variable(name, 64));
    let [first, second] = [(a ^ b) * c, c * ((a | b) - (a & b))];
    let same = cross_check(&prover, &solver, &[], first.equals(second)).unwrap();
    assert_eq!(same, Verdict::Proved);
    let other = cross_check(&prover, &solver, &[], first.equals(a * c)).unwrap();
    assert!(!other.is_proved());
    // The blaster sees that this factor is 0. The SMT-LIB constraints on products do not contain this fact.
    let zero = (a & b) & !(b & a);
    assert!(cross_check(&prover, &solver, &[], (zero * c).is_zero()).unwrap().is_proved());
}

#[test]
fn contradicting_assumptions_are_seen() {
    let a = Node::variable("a", 4);
    let prover = Prover::default();
    assert!(prover.satisfiable(&[a.less(Node::lit(4, 3))]).unwrap().counterexample().is_some());
    assert!(prover.satisfiable(&[a.less(Node::lit(4, 3)), Node::lit(4, 9).less(a)]).unwrap().is_proved());
}

#[test]
fn limits_end_the_solver() {
    let start = std::time::Instant::now();
    for (seconds_max, conflicts_max) in [(0.5, u32::MAX), (60.0, 100)] {
        let hasty = Prover { seconds_max, conflicts_max, ..Prover::default() };
        assert_eq!(hasty.prove(&[], mux_around_product(32)).unwrap(), Verdict::Unknown);
    }
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

/// A program that runs these lines of shell. Another process writes the file. Otherwise a child that another
/// test just starts may inherit the file open for writing, and then the file cannot be run.
fn script(folder: &std::path::Path, lines: &str) -> std::path::PathBuf {
    let path = folder.join("solver");
    let write = r#"printf '#!/bin/sh\n%s\n' "$1" >"$0" && chmod +x "$0""#;
    let status = std::process::Command::new("sh").args(["-c", write]).arg(&path).arg(lines).status();
    assert!(status.unwrap().success());
    path
}

#[test]
fn a_lying_solver_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let a = Node::variable("a", 4);
    let solver = SmtSolver::new(script(folder.path(), "echo sat"));
    let error = cross_check(&Prover::default(), &solver, &[], (a ^ a.shift_left(Node::lit(4, 0))).is_zero());
    assert!(error.unwrap_err().to_string().contains("do not trust"));
    assert!(SmtSolver::new(folder.path().join("absent")).prove(&[], a.is_zero()).is_err());
}

#[test]
fn what_is_no_verdict_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let b = Node::variable("b", 300);
    let said = |lines: &str| {
        let prover = Prover { program: script(folder.path(), lines), ..Prover::default() };
        prover.prove(&[], b.less(b + Node::lit(300, 1))).map_err(|error| error.to_string())
    };
    let read = "cat >/dev/null; ";
    assert_eq!(said(&format!("{read}echo s UNSATISFIABLE; exit 20")), Ok(Verdict::Proved));
    for half in ["", "exit 20", "echo s UNSATISFIABLE", "echo s SATISFIABLE; exit 20", "kill -9 $$"] {
        assert_ne!(said(&format!("{read}{half}")), Ok(Verdict::Proved), "{half}");
    }
    // The program ends before it has read everything, and reports the reason.
    assert!(said("echo no memory >&2; exit 1").unwrap_err().contains("no memory"));
    // The claim holds for 0.
    let wrong = said(&format!("{read}echo s SATISFIABLE; echo v 0; exit 10"));
    assert!(wrong.unwrap_err().contains("do not trust"));

    let absent = Prover { program: folder.path().join("absent"), ..Prover::default() };
    let error = absent.prove(&[], b.is_zero()).unwrap_err().to_string();
    assert!(error.contains("install cadical") && !error.contains('\n'), "{error}");
}

#[test]
fn a_query_is_readable_text() {
    let a = Node::variable("a\n(exit)", 4);
    let query = write_query(&[], a.less(Node::lit(4, 3)));
    assert!(query.starts_with("(set-logic QF_BV)") && query.ends_with("(check-sat)\n"));
    assert!(!query.lines().any(|line| line.starts_with("(exit")), "{query}");
}
