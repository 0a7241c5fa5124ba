//! Tests of `weft counters`: dumps of both kinds, rates, and files that are not dumps.

mod c;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use weft_params::registers::{self, COUNTERS_AT};

fn weft(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_weft");
    Command::new(program).arg("counters").args(arguments).output().expect("weft runs")
}

/// The end of the counters' region.
fn end() -> u16 {
    registers::pages().last().expect("a page").offset + registers::PAGE
}

/// Words of all counters: the *i*th has `value(i)`.
fn words(value: impl Fn(u64) -> u64) -> BTreeMap<u16, u32> {
    let mut words = BTreeMap::new();
    for (counter, at) in registers::counters().zip(0..) {
        words.insert(counter.offset, value(at) as u32);
        words.insert(counter.offset + 4, (value(at) >> 32) as u32);
    }
    words
}

fn text(words: &BTreeMap<u16, u32>) -> String {
    words.iter().map(|(offset, word)| format!("{offset:#06x} {word:#010x}\n")).collect()
}

fn binary(words: &BTreeMap<u16, u32>, from: u16) -> Vec<u8> {
    (from..end())
        .step_by(4)
        .flat_map(|at| words.get(&at).copied().unwrap_or_default().to_le_bytes())
        .collect()
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path: PathBuf = self.0.path().join(name);
        std::fs::write(&path, bytes).expect("written");
        path.to_str().expect("text").to_owned()
    }
}

#[track_caller]
fn printed(arguments: &[&str]) -> String {
    let output = weft(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Checks that the command refuses these arguments, with one line that contains all parts of `says`.
#[track_caller]
fn refused(arguments: &[&str], says: &[&str]) {
    let output = weft(arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with("weft: "), "{said}");
    for part in says {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn the_connection_in_query_is_shown() {
    let folder = Folder::new();
    let mut words = words(|_| 0);
    let fields = [("query", 7), ("query_cwnd", 250_000), ("query_una", 70), ("query_next", 76)];
    let packed =
        [("state", 5), ("query_packets", 4 | 6 << 9), ("query_timer", 394 | 2 << 15), ("query_history", 3)];
    let value = |words: &mut BTreeMap<u16, u32>, (name, value): (&str, u32)| {
        words.insert(registers::register(name).expect("a register").offset, value);
    };
    fields.into_iter().chain(packed).for_each(|field| value(&mut words, field));
    let said = printed(&[&folder.file("dump", text(&words))]);
    assert!(said.contains("The connection in QUERY"), "{said}");
    let shown = |name: &str| {
        let line = said.lines().find(|line| line.split_whitespace().next() == Some(name));
        line.and_then(|line| line.split_whitespace().nth(1)).unwrap_or_default().to_owned()
    };
    for (name, value) in [
        ("state.open", "1"),
        ("state.held", "0"),
        ("state.frozen", "1"),
        ("query", "7"),
        ("query_cwnd", "250,000"),
        ("query_una", "70"),
        ("query_next", "76"),
        ("query_packets.in_flight", "4"),
        ("query_packets.unacked", "6"),
        ("query_timer.epoch", "394"),
        ("query_timer.timeouts", "2"),
        ("query_history.freezes", "3"),
    ] {
        assert_eq!(shown(name), value, "{name}: {said}");
    }
    // A closed connection has no values to show.
    value(&mut words, ("state", 0));
    assert!(!printed(&[&folder.file("closed", text(&words))]).contains("QUERY"));
}

#[test]
fn all_kinds_of_dumps_say_the_same() {
    let folder = Folder::new();
    let words = words(|at| (at + 1) << 29);
    let of_text = folder.file("text", format!("# a comment\n\n{}", text(&words)));
    let bare = text(&words).replace("0x", "");
    let bare =
        folder.file("bare", bare.lines().rev().map(|line| format!("{line}  # last\n")).collect::<String>());
    let region = folder.file("region", binary(&words, COUNTERS_AT));
    let mut all = words.clone();
    all.extend([(0, registers::ID), (4, registers::VERSION)]);
    let whole = binary(&all, 0);
    let page = printed(&[&of_text]);
    assert_eq!(printed(&[&bare]), page);
    assert_eq!(printed(&[&region]), page);
    let whole = printed(&[&folder.file("whole", whole)]);
    // The delays of the NIC come last. A dump of all registers has further registers before the delays.
    let (table, holds) = page.split_once("\nwhat holds the NIC up: ").expect("a last line");
    assert!(whole.starts_with(table) && whole.contains("rtt_smallest") && whole.ends_with(holds));
    for (counter, at) in registers::counters().zip(1..) {
        let line = page.lines().find(|line| line.trim_start().starts_with(&format!("{} ", counter.name)));
        let line = line.unwrap_or_else(|| panic!("{} is missing", counter.name));
        let value = line.split_whitespace().nth(1).expect("a value").replace(',', "");
        assert_eq!(value, ((at as u64) << 29).to_string(), "{line}");
        assert!(line.ends_with(&counter.doc), "{line}");
    }
    for page_of in registers::pages().iter().filter(|page| page.offset >= COUNTERS_AT) {
        assert!(page.contains(page_of.doc), "{}", page_of.doc);
    }
}

#[test]
fn standard_input_is_read() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_weft"))
        .args(["counters", "-", "--nonzero"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("weft runs");
    let mut words = words(|_| 0);
    words.insert(registers::offsets::EGRESS_DATA_BYTES + 4, 1);
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(text(&words).as_bytes()).expect("written");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8(output.stdout).expect("text");
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(said.contains("egress_data_bytes  4,294,967,296  bytes of payload sent"), "{said}");
}

#[test]
fn two_dumps_give_differences_and_rates() {
    let folder = Folder::new();
    let before = folder.file("before", text(&words(|at| at)));
    let after = folder.file("after", binary(&words(|at| at + 5_000 * at), COUNTERS_AT));
    let page = printed(&[&before, &after, "--seconds", "2"]);
    let numbers = |name: &str| {
        let mut lines = page.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        lines.find(|words| words.first() == Some(&name)).expect("a line")[1..4].join(" ")
    };
    assert_eq!(numbers("ingress_trims"), "5,001 +5,000 2,500/s");
    assert_eq!(numbers("ingress_data"), "0 +0 0.00/s");
    let json = printed(&[&before, &after, "--seconds", "2", "--json"]);
    let json: Vec<serde_json::Value> = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json.len(), registers::COUNTERS);
    assert_eq!(json[1]["name"], "ingress_trims");
    assert_eq!(json[1]["offset"], u64::from(registers::offsets::INGRESS_TRIMS));
    assert_eq!((json[1]["value"].as_u64(), json[1]["counted"].as_u64()), (Some(5_001), Some(5_000)));
    assert_eq!(json[1]["per_second"].as_f64(), Some(2_500.0));
    let json = printed(&[&before, "--json"]);
    let json: Vec<serde_json::Value> = serde_json::from_str(&json).expect("JSON");
    assert!(json[1].get("counted").is_none() && json[1].get("per_second").is_none());
    refused(&[&after, &before], &["ingress_trims goes back from 5001 to 1"]);
    refused(&[&before, "--seconds", "2"], &["LATER"]);
    refused(&[&before, &after, "--seconds", "0"], &["--seconds 0", "above 0"]);
    refused(&[&before, &after, "--seconds", "NaN"], &["--seconds"]);
    refused(&["-", "-"], &["standard input"]);
}

#[test]
fn what_is_no_dump_is_refused_in_one_line() {
    let folder = Folder::new();
    let words = words(|at| at);
    let whole = text(&words);
    let region = binary(&words, COUNTERS_AT);
    let case =
        |bytes: &[u8], says: &[&str]| refused(&[&folder.file("case", bytes)], &[says, &["case"]].concat());
    case(b"", &["empty"]);
    case(b"\n# nothing\n", &["0x1000", "ingress_data", "cut off"]);
    let cut = &whole.as_bytes()[..whole.len() - 11];
    case(cut, &["cut off"]);
    let lines = whole.lines().collect::<Vec<_>>();
    let middle = lines[..lines.len() / 2].join("\n");
    case(middle.as_bytes(), &["no word at", "cut off"]);
    case(b"Lorem ipsum\n", &["line 1", "Lorem", "hexadecimal"]);
    case(b"int main(void) { return 0; }\n", &["line 1"]);
    case(format!("{whole}0x1000 1\n").as_bytes(), &["0x1000 is given twice"]);
    case(format!("{whole}0x12345 1\n").as_bytes(), &["no register has this offset"]);
    case(format!("0x0 12345678\n{whole}").as_bytes(), &["ID reads 0x12345678"]);
    case(format!("0x4 1\n{whole}").as_bytes(), &["version 0", "version 1"]);
    case(&region[..region.len() - 1], &["767 bytes", "768 bytes"]);
    case(&[0xFF; 768], &["0x10b8", "no register"]);
    case(&[&region[..], &[0]].concat(), &["769 bytes"]);
    let mut foreign = binary(&words, 0);
    case(&foreign, &["ID reads 0x00000000"]);
    foreign[..4].copy_from_slice(b"WEFT");
    case(&foreign, &["version 0"]);
    refused(&["no/such/file"], &["cannot read no/such/file"]);
}

/// The function of the header makes a dump that the command accepts.
#[test]
fn the_header_dumps_what_the_command_reads() {
    let folder = Folder::new();
    let code = r#"
        #include <stdio.h>
        #include "weft_nic.h"
        static uint32_t read_word(void *nic, uint32_t offset)
        {
            static uint32_t last;
            const uint32_t high = offset & 4u;
            if (high && last != offset - 4u) {
                return 0xFFFFFFFFu;
            }
            last = offset;
            return *(uint32_t *)nic + offset;
        }
        int main(void)
        {
            uint8_t image[WEFT_COUNTERS_BYTES];
            uint32_t nic = 0x10000000u;
            weft_dump_counters(read_word, &nic, image);
            return fwrite(image, 1, sizeof image, stdout) == sizeof image ? 0 : 1;
        }
    "#;
    let image = c::compile("gcc", &["-std=c99"], "c", code).expect("it compiles").run(&[]);
    let json = printed(&[&folder.file("image", image), "--json"]);
    let json: Vec<serde_json::Value> = serde_json::from_str(&json).expect("JSON");
    for (line, counter) in json.iter().zip(registers::counters()) {
        let low = 0x1000_0000 + u64::from(counter.offset);
        assert_eq!(line["value"].as_u64(), Some((low + 4) << 32 | low), "{}", counter.name);
    }
}

/// The last line gives the reason of the NIC's delays: the greatest counter, with those of the host first.
#[test]
fn the_last_line_says_what_holds_it_up() {
    let folder = Folder::new();
    let none = folder.file("none", text(&words(|_| 0)));
    assert!(!printed(&[&none]).contains("what holds"), "nothing does");
    let holds = |counts: [u64; 6]| {
        let first = registers::counters_of("holds").start as u64;
        let dump =
            words(|at| at.checked_sub(first).and_then(|at| counts.get(at as usize)).copied().unwrap_or(0));
        let page = printed(&[&none, &folder.file("dump", text(&dump))]);
        page.lines().last().expect("a line").to_owned()
    };
    for (counts, says) in [
        (
            [9_000, 10, 0, 0, 20, 0],
            "what holds the NIC up: the wire is full: the MAC accepts no words (holds_wire, 9,000 clocks)",
        ),
        ([0, 700, 0, 0, 20, 600], "the NIC waits for the host's DMA read data (holds_reads, 700 clocks)"),
        ([0, 0, 500, 0, 0, 900], "the host accepts no DMA write data (holds_writes"),
        ([0, 0, 0, 800, 900, 0], "the host accepts no completions (holds_completions"),
        ([10, 0, 0, 300, 900, 0], "the NIC waits for the peers' ACKs"),
        ([10, 0, 0, 0, 0, 900], "software posts no work"),
    ] {
        assert!(holds(counts).contains(says), "{}", holds(counts));
    }
}
