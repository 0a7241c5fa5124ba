//! C programs use the library as Rust uses the models: random events and clocks, a message, misuse. Each
//! program runs with the address and undefined-behaviour sanitizers, and one under valgrind.

mod answers;
mod clocked;
mod fabric;
mod nic;
mod nic_clocked;
mod odd;
mod program;

use answers::Block;
use program::{Program, scratch};
use std::fs;
use weft::*;
use weft_random::Rng;

/// Events, or clocks, of a block.
const EVENTS: usize = 100_000;

/// `EVENTS` random events through C and through the model.
fn same<B: Block>() {
    let (folder, program) = (scratch(), Program::sanitized("replay"));
    let (events, answers) = (folder.path().join("events"), folder.path().join("answers"));
    let mut rng = Rng::new(7);
    let mut first = B::new();
    let given: Vec<B::Given> = (0..EVENTS).map(|at| first.draw(&mut rng, at as u32)).collect();
    fs::write(&events, answers::bytes(&given)).expect("a file");
    program.run(&[B::NAME.as_ref(), events.as_os_str(), answers.as_os_str()]);
    let read: Vec<B::Told> = answers::values(&fs::read(&answers).expect("a file"));
    assert_eq!(read.len(), EVENTS);
    let mut model = B::new();
    for (at, (given, told)) in given.iter().zip(read).enumerate() {
        assert_eq!(B::seen(&told), model.answer(given), "event {at}: {given:?}");
    }
    model.everything_happened();
}

#[test]
fn reps() {
    same::<answers::Reps>();
}

#[test]
fn smartt() {
    same::<answers::Smartt>();
}

#[test]
fn sack_rx() {
    same::<answers::SackRx>();
}

#[test]
fn sack_tx() {
    same::<answers::SackTx>();
}

#[test]
fn reps_clock_by_clock() {
    same::<clocked::Reps>();
}

#[test]
fn smartt_clock_by_clock() {
    same::<clocked::Smartt>();
}

#[test]
fn sack_rx_clock_by_clock() {
    same::<clocked::SackRx>();
}

#[test]
fn sack_tx_clock_by_clock() {
    same::<clocked::SackTx>();
}

#[test]
fn the_nic_clock_by_clock() {
    same::<nic_clocked::Nic>();
}

/// 100,000 calls of two NICs that send each other messages over a network that loses and spoils.
#[test]
fn the_nic() {
    let said = Program::sanitized("nics").run(&[]);
    let (calls, wanted) = nic::said();
    assert!(calls >= EVENTS, "{calls} calls");
    let kinds = [
        "receive 0",
        "receive 1",
        "receive 2",
        "poll 1",
        "poll 2",
        "poll 3",
        "frame 0",
        "received",
        "sent",
        "event",
    ];
    for kind in kinds {
        let count = wanted.lines().filter(|line| line.starts_with(kind)).count();
        assert!(count > 10, "{kind}: {count} times");
    }
    for (at, (line, wanted)) in said.lines().zip(wanted.lines()).enumerate() {
        assert_eq!(line, wanted, "line {at}");
    }
    assert_eq!(said.len(), wanted.len());
}

/// Rings in a fabric: the completions, then the report.
#[test]
fn flows_that_come_during_a_run() {
    let said = Program::sanitized("fabric").run(&["threads=2".as_ref()]);
    assert_eq!(said, fabric::said());
    assert!(said.lines().filter(|line| line.ends_with(" 1")).count() > 100, "{said}");
}

#[test]
fn misuse_is_a_code() {
    Program::sanitized("misuse").run(&[]);
}

#[test]
fn no_word_makes_a_function_panic() {
    odd::nothing_panics();
}

#[test]
fn a_message_crosses() {
    let said = Program::sanitized("message").run(&[]);
    assert!(said.contains("received 42\n") && said.ends_with("sent 1, status 0\n"), "{said}");
    assert_eq!(said, answers::message());
}

/// 100,000 outputs of a design that equals the model, then one wrong output of each kind.
#[test]
fn a_scoreboard_finds_differences_alone() {
    let said = Program::sanitized("scoreboard").run(&[]);
    let lines: Vec<_> = said.lines().collect();
    assert_eq!((lines[0], lines.len()), ("compared", 13), "{said}");
    assert!(
        lines[1..10].iter().all(|line| line.contains("the model has") || line.contains("a fetch")),
        "{said}"
    );
    assert_eq!(lines[10], "counter: counter ingress_overflows: 7, expected 0");
    assert_eq!(lines[11], "unreported: an event of connection 2, state 0x81, was not reported");
    assert_eq!(lines[12], "settle: 1 frames of others were not sent");
}

/// The C programs read no byte that was not written, and leak no memory.
#[test]
fn nothing_leaks() {
    Program::plain("message").under_valgrind();
    Program::plain("misuse").under_valgrind();
    Program::plain("fabric").under_valgrind();
}

#[test]
fn the_page_s_example_prints_what_the_page_says() {
    let page = include_str!("../../../docs/libweft.md");
    let said = Program::of_the_page(page).run(&[]);
    assert!(page.contains(&format!("./example        # {}", said.trim_end())), "{said}");
}

#[test]
fn the_page_of_simulators_has_an_example_that_runs() {
    let page = include_str!("../../../docs/ai-simulators.md");
    let example = page.split("```c\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a program");
    assert!(example.lines().count() <= 20);
    let said = Program::of_the_page(page).run(&[]);
    assert!(page.contains(&format!("```text\n{said}```")), "{said}");
}

/// C++ reads both headers as well, with the static or the shared library.
#[test]
fn from_c_plus_plus() {
    assert_eq!(weft_abi_version(), WEFT_ABI_VERSION);
    Program::shared_from_c_plus_plus("misuse").run(&[]);
}
