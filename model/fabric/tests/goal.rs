//! Schedules in GOAL: messages match receives by time, operations that never end are reported with their
//! lines, and both forms of a file are read by their grammar. Both engines and any number of threads give the
//! same result.

use std::path::PathBuf;
use weft_fabric::plan::Plan;
use weft_fabric::report::Report;
use weft_fabric::simulate::Engine;
use weft_random::Rng;

/// A folder of this test with a setup of four hosts and a schedule.
struct Case(PathBuf);

impl Case {
    fn new(schedule: &[u8]) -> Self {
        static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let folder =
            PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("goal-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let setup = "[topology]\nkind = \"leaf-spine\"\nleaves = 2\nspines = 2\nhosts_per_leaf = 2\n[scheme]\nname = \"ecmp\"\n\
                     [workload]\nkind = \"goal\"\nfile = \"a.goal\"\n";
        std::fs::write(folder.join("a.toml"), setup).unwrap();
        std::fs::write(folder.join("a.goal"), schedule).unwrap();
        Self(folder)
    }

    fn plan(&self, sets: &[&str]) -> Result<Plan, String> {
        let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
        Plan::read(&self.0.join("a.toml"), &sets).map_err(|error| error.to_string())
    }

    /// Runs with both engines and with two threads, and compares.
    fn run_alone(&self) -> Report {
        let report = self.plan(&[]).unwrap().run(Engine::Windows, |_| true);
        let json = |report: &Report| serde_json::to_string(report).unwrap();
        for (sets, engine) in [(&[][..], Engine::Heap), (&["threads=2"], Engine::Windows)] {
            assert_eq!(json(&self.plan(sets).unwrap().run(engine, |_| true)), json(&report), "{engine:?}");
        }
        report
    }

    /// Also runs with DCQCN in place of the NIC, and checks that equally many operations end.
    fn run(&self) -> Report {
        let report = self.run_alone();
        let other = self.plan(&["hosts.baseline.kind=dcqcn"]).unwrap().run(Engine::Windows, |_| true);
        assert_eq!(other.violations.len(), report.violations.len());
        assert_eq!(other.summary.schedule.unwrap().ended, report.summary.schedule.unwrap().ended);
        report
    }
}

impl Drop for Case {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn run(schedule: &str) -> Report {
    Case::new(schedule.as_bytes()).run()
}

/// The schedule ends: all operations, without violations.
fn ends(schedule: &str) -> Report {
    let report = run(schedule);
    let figures = report.summary.schedule.unwrap();
    assert_eq!((figures.ended, &report.violations[..]), (figures.operations, &[][..]), "{schedule}");
    assert!(report.summary.is_complete);
    report
}

/// Start and end at the receiver, in the order of sends in the file.
fn times(report: &Report) -> Vec<(f64, f64)> {
    let of = |row: &weft_fabric::report::FlowRow| {
        let start = row.start_us.unwrap();
        (start, start + row.fct_us.unwrap())
    };
    report.flows.iter().map(of).collect()
}

/// The file lists the operations in the reverse order of their starts.
#[test]
fn messages_meet_receives_in_the_order_in_which_they_start() {
    let report = ends(
        "num_ranks 2
rank 0 {
b: send 10000b to 1
a: send 20000b to 1
b requires a
}
rank 1 {
a: recv 20000b from 0
b: recv 10000b from 0
b requires a
}
",
    );
    let times = times(&report);
    assert!(times[0].0 > times[1].1, "{times:?}");
    // A message that is first in the file waits for an answer to the second.
    let report = ends(
        "num_ranks 2
rank 0 {
late: send 4096b to 1
early: send 4096b to 1
ack: recv 8b from 1 tag 9
ack requires early
late requires ack
}
rank 1 {
first: recv 4096b from 0
reply: send 8b to 0 tag 9
reply requires first
second: recv 4096b from 0
second requires reply
}
",
    );
    let times = self::times(&report);
    assert!(times[2].0 >= times[1].1 && times[0].0 >= times[2].1, "{times:?}");
}

/// No dependency orders the two sends: their computations decide.
#[test]
fn time_decides_which_message_is_the_first() {
    for (first, second, is_quick) in [(50_000, 1_000, true), (1_000, 50_000, false)] {
        let report = ends(
            &format!(
                "num_ranks 2
rank 0 {{
x: calc {first}
y: calc {second}
a: send 100b to 1
b: send 100b to 1
a requires x
b requires y
z: recv 8b from 1
}}
rank 1 {{
r: recv 100b from 0
s: recv 100b from 0
answer: send 8b to 0
answer requires r
}}
rank 0x {{
}}
"
            )
            .replace("rank 0x {\n}\n", "")
            .replace("b requires y\n}", "b requires y\nz: recv 8b from 1\n}"),
        );
        let times = times(&report);
        let quick = times[usize::from(is_quick)];
        assert!(times[2].0 >= quick.1 && times[2].0 < 30.0, "{times:?}");
    }
}

#[test]
fn a_receive_of_any_source_or_tag_takes_what_comes_first() {
    let report = ends(
        "num_ranks 4
rank 1 { s: send 100b to 0 tag 5 r: recv 8b from 0 }
rank 2 { c: calc 20000 s: send 200b to 0 tag 6 s requires c }
rank 3 { c: calc 40000 s: send 300b to 0 tag 7 s requires c }
rank 0 {
a: recv 300b from -1 tag -1
b: recv 300b from -1 tag -1
c: recv 300b from 3 tag -1
to_b: send 8b to 1
to_b requires b
}
",
    );
    let times = times(&report);
    // Operations behind the second receive wait for the message of rank 2.
    let (of_rank_0, of_rank_2) = (times[0], times[2]);
    assert!(of_rank_0.0 >= of_rank_2.1 && of_rank_0.0 < 40.0, "{times:?}");
    // Messages of one source keep their order for all sizes: the short one is the second.
    let report = ends(
        "num_ranks 2
rank 0 { a: send 3000000b to 1 tag 1 b: send 8b to 1 tag 2 b irequires a r: recv 8b from 1 }
rank 1 { x: recv 8b from -1 tag -1 y: recv 8b from -1 tag -1 z: send 8b to 0 z requires y }
",
    );
    let times = self::times(&report);
    assert!(times[2].0 >= times[1].1 && times[2].0 < times[0].1, "{times:?}");
}

#[test]
fn the_whole_grammar_is_read() {
    let same = [
        "num_ranks 2\nrank 0 {\na: send 10000b to 1 tag 3\n}\nrank 1 {\nb: recv 10000b from 0 tag 3\n}\n",
        "num_ranks 2\nrank 0 {\nsend 10000b to 1 tag 3\n}\nrank 1 {\nrecv 10000b from 0 tag 3\n}\n",
        "/* two\n lines */ num_ranks 2 rank 1{recv 10000 b from 0 tag 3 cpu 1 nic 0}// end\nrank 0{send:send 10000b to 1 tag 3 cpu 0}",
        "\u{FEFF}num_ranks  2\r\n\r\nrank 0\r\n{\r\n\tsend\t10000b to 1 /* here, too */ tag 3\r\n}\r\nrank 1 {\r\n recv 10000b\n from 0 nic 0 tag 3 }\r\n",
    ];
    let times: Vec<_> = same.iter().map(|schedule| self::times(&ends(schedule))).collect();
    assert!(times.iter().all(|other| *other == times[0]), "{times:?}");
    // Computations alone; labels that come later, or have the names of words.
    let report = ends(
        "num_ranks 1\nrank 0 {\nb requires tag\nb: calc 1000\ntag: calc 500 cpu 3\ntag requires a\na: calc 0\n}\n",
    );
    assert_eq!((report.summary.flows, report.summary.schedule.unwrap().last_us), (0, Some(1.5)));
    // Beginnings, not ends.
    let report = ends("num_ranks 1\nrank 0 { a: calc 1000 b: calc 500 b irequires a }");
    assert_eq!(report.summary.schedule.unwrap().last_us, Some(1.0));
}

/// A schedule that never ends: the run ends, and reports the line that waits.
#[test]
fn what_never_ends_is_told_with_its_line() {
    let told = |schedule: &str| {
        let case = Case::new(schedule.as_bytes());
        let folder = case.0.display().to_string();
        let report = case.run();
        let told: Vec<String> = report.violations.iter().map(|it| it.replace(&folder, "")).collect();
        told
    };
    assert_eq!(
        told(
            "num_ranks 2\nrank 0 {\na: send 8b to 1\n}\nrank 1 {\nb: recv 8b from 0\nc: recv 9b from 0 tag 7\nd: calc 1\nd requires c\n}\n"
        ),
        ["/a.goal:7: rank 1: recv 9b from 0 tag 7: no message for this comes any more"]
    );
    // Each rank waits for the other.
    let both = "num_ranks 2\nrank 0 {\nr: recv 8b from 1\ns: send 8b to 1\ns requires r\n}\nrank 1 {\nr: recv 8b from 0\ns: send 8b to 0\ns requires r\n}\n";
    assert_eq!(told(both).len(), 2);
    assert_eq!(
        told("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\nb requires c\nc: calc 2\nc requires b\n}\n"),
        ["/a.goal:4: rank 0: calc 1: what this requires never ends"]
    );
    assert_eq!(
        told("num_ranks 2\nrank 0 {\na: send 8b to 1\n}\n"),
        ["/a.goal:3: rank 0: send 8b to 1 tag 0: no receive takes this"]
    );
    // A run that is cut short does not report a waiting line.
    let case = Case::new(both.replace("r: recv 8b from 1", "r: calc 9000000").as_bytes());
    let report = case.plan(&["until_us=10"]).unwrap().run(Engine::Windows, |_| true);
    assert_eq!(report.violations, [""; 0]);
}

#[test]
fn what_is_no_schedule_is_refused_with_its_line() {
    for (schedule, line, words) in [
        ("num_ranks 9\n", 1, "num_ranks 9 is not possible; use 1 to 4"),
        ("rank 0 {\n}\n", 1, "num_ranks must come first"),
        ("num_ranks 2\nrank 0 {\nsend 8b to 0\n}\n", 3, "does not send to itself"),
        ("num_ranks 2\nrank 0 {\nsend 8b to -1\n}\n", 3, "rank -1 is not possible"),
        ("num_ranks 2\nrank 0 {\nsend 8b to 1 tag -1\n}\n", 3, "tag -1 is not possible"),
        ("num_ranks 2\nrank 0 {\ncalc -1\n}\n", 3, "calc -1 is not possible"),
        (
            "num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 9b from 0\n}\n",
            6,
            "9 bytes are received, 8 are sent",
        ),
        ("num_ranks 2\nrank 0 {\na: calc 1\na requires b\n}\n", 4, "there is no b in this rank"),
        ("num_ranks 2\nrank 0 {\na: calc 1\na: calc 1\n}\n", 4, "a is given twice"),
        ("num_ranks 2\nrank 0 {\na needs b\n}\n", 3, "a is not known here; give num_ranks"),
        ("num_ranks 2\nrank 1 {\n}\nrank 1 {\n}\n", 4, "rank 1 is given twice"),
        ("num_ranks 2\nrank 1 {\n\n", 2, "a rank does not end with }"),
        ("num_ranks 2\nrank 1 {\nsend 8b from 0\n}\n", 3, "from where to should be"),
        ("num_ranks 2\n/* no end\n", 2, "a comment does not end"),
        ("num_ranks", 1, "the text ends too early"),
    ] {
        let error = Case::new(schedule.as_bytes()).plan(&[]).expect_err(schedule);
        assert!(error.contains(&format!("a.goal:{line}: ")) && error.contains(words), "{schedule}: {error}");
    }
}

/// An operation: kind, peer, size, tag, and the operations that wait for its end.
type Operation<'a> = (u8, u32, u64, u32, &'a [u32]);

/// The binary form of the operations of each rank.
fn binary(ranks: &[&[Operation<'_>]]) -> Vec<u8> {
    let mut bodies = Vec::new();
    for ops in ranks {
        let needs =
            |at: usize| ops.iter().flat_map(|op| op.4).filter(|it| **it as usize == at).count() as u32;
        let free: Vec<u32> = (0..ops.len()).filter(|at| needs(*at) == 0).map(|at| at as u32).collect();
        let mut body = [&[ops.len() as u32, free.len() as u32][..], &free].concat();
        let mut bytes: Vec<u8> = body.drain(..).flat_map(u32::to_le_bytes).collect();
        let mut appendix: Vec<u32> = Vec::new();
        for (at, (kind, peer, size, tag, after)) in ops.iter().enumerate() {
            bytes.extend(needs(at).to_le_bytes());
            bytes.push(*kind);
            bytes.extend(peer.to_le_bytes());
            bytes.extend(size.to_le_bytes());
            bytes.extend(tag.to_le_bytes());
            bytes.extend([0, 0]);
            for number in [after.len() as u32, appendix.len() as u32, 0, 999] {
                bytes.extend(number.to_le_bytes());
            }
            appendix.extend(*after);
        }
        bytes.extend(appendix.into_iter().flat_map(u32::to_le_bytes));
        bodies.push(bytes);
    }
    let mut file = [&4223u64.to_le_bytes()[..], &(ranks.len() as u32).to_le_bytes(), &[1, 1]].concat();
    let mut at = 6 + 16 * ranks.len() as u64;
    for body in &bodies {
        file.extend(at.to_le_bytes());
        at += body.len() as u64;
        file.extend(at.to_le_bytes());
    }
    [file, bodies.concat()].concat()
}

#[test]
fn the_binary_form_says_the_same() {
    let text = ends(
        "num_ranks 2
rank 0 { c: calc 5000 s: send 10000b to 1 tag 3 s requires c t: recv 8b from 1 }
rank 1 { r: recv 10000b from 0 tag 3 s: send 8b to 0 s requires r }
",
    );
    let any = u32::MAX;
    let file = binary(&[
        &[(3, 0, 5_000, 0, &[1]), (1, 1, 10_000, 3, &[]), (2, any, 8, any, &[])],
        &[(2, 0, 10_000, 3, &[1]), (1, 0, 8, 0, &[])],
    ]);
    let report = Case::new(&file).run();
    assert_eq!((times(&report), &report.violations), (times(&text), &vec![]));
    // Numbers of a damaged file are not trusted beyond the length of the file.
    let mut rng = Rng::new(1);
    for _ in 0..3_000 {
        let mut file = file.clone();
        for _ in 0..1 + rng.index(3) {
            let at = 8 + rng.index(file.len() - 8);
            file[at] = [0, 0xFF, rng.draw() as u8][rng.index(3)];
        }
        file.truncate(8 + rng.index(file.len() - 7));
        if let Err(error) = Case::new(&file).plan(&[]) {
            assert!(!error.contains('\n') && error.contains("a.goal"), "{error}");
        }
    }
}

/// Random schedules have as many sends as receives of each source, destination and tag, in any order and with
/// computations between. Every schedule ends at the same time in both engines. A receive of any source or tag
/// may match a message that is meant for another receive. The engines agree on these matches as well.
#[test]
fn random_schedules_end() {
    for seed in 1..=20 {
        let mut rng = Rng::new(seed);
        let is_exact = seed % 2 == 1;
        let mut ranks: Vec<Vec<String>> = vec![Vec::new(); 4];
        for number in 0..30 {
            let (from, to, tag, wait) = (rng.index(4), rng.index(4), rng.index(2), rng.index(3) * 700);
            if from == to {
                continue;
            }
            ranks[from].push(format!(
                "c{number}: calc {wait} s{number}: send 5000b to {to} tag {tag} s{number} requires c{number}"
            ));
            let mut any = |it: usize| if is_exact || rng.index(4) > 0 { it.to_string() } else { "-1".into() };
            let receive = format!("r{number}: recv 5000b from {} tag {}", any(from), any(tag));
            ranks[to].insert(0, receive);
        }
        let rank = |rank: usize| format!("rank {rank} {{\n{}\n}}\n", ranks[rank].join("\n"));
        let text: String = (0..4).map(rank).collect();
        let case = Case::new(format!("num_ranks 4\n{text}").as_bytes());
        if is_exact {
            let report = case.run();
            assert!(report.summary.is_complete, "seed {seed}: {:?}", report.violations);
            assert!(report.violations.is_empty(), "seed {seed}: {:?}", report.violations);
        } else {
            case.run_alone();
        }
    }
}
