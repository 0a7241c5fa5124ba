//! No setup, trace, schedule or topology makes a plan or a run panic. An impossible input is refused with one
//! line, a possible one runs. A failure prints its seed; `Rng::new(seed)` makes the same input.

mod bases;

use bases::{FILES, FOUND, SETUPS, SHAPES};
use std::path::{Path, PathBuf};
use weft_fabric::plan::Plan;
use weft_fabric::simulate::Engine;
use weft_random::Rng;

/// Numbers that take the place of others: impossible ones, limits, and possible ones.
const NUMBERS: [&str; 24] = [
    "-1",
    "1e308",
    "18446744073709551616",
    "4294967295",
    "nan",
    "inf",
    "0.0000001",
    "65537",
    "16777216",
    "0",
    "0.5",
    "1",
    "2",
    "3",
    "4",
    "7",
    "8",
    "10",
    "16",
    "50",
    "100",
    "256",
    "1000",
    "4096",
];

/// Replaces numbers; changes some bytes; removes or doubles some bytes or a line.
fn mutate(text: &str, rng: &mut Rng) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    let count = [1, 1, 1, 2, 3][rng.index(5)];
    for _ in 0..count {
        let at = rng.index(bytes.len());
        let line = || {
            let begin = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
            let end =
                bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| at + end + 1);
            begin..end
        };
        match rng.index(16) {
            0 => bytes[at] = rng.draw() as u8,
            1 => bytes[at] ^= 1 << rng.index(7),
            2 => drop(bytes.drain(at..(at + 1 + rng.index(6)).min(bytes.len()))),
            3 => {
                let copy = bytes[at..(at + 1 + rng.index(20)).min(bytes.len())].to_vec();
                drop(bytes.splice(at..at, copy));
            }
            4 => bytes.truncate(at.max(1)),
            5 | 6 => drop(bytes.drain(line())),
            7 => {
                let line = line();
                let copy = bytes[line.clone()].to_vec();
                drop(bytes.splice(line.start..line.start, copy));
            }
            _ => {
                // A digit somewhere, and the number around it.
                let digits: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at].is_ascii_digit()).collect();
                let Some(&at) = digits.get(rng.index(digits.len().max(1))) else { continue };
                let is_other = |byte: &u8| !byte.is_ascii_digit() && *byte != b'.';
                let begin = bytes[..at].iter().rposition(is_other).map_or(0, |before| before + 1);
                let end = bytes[at..].iter().position(is_other).map_or(bytes.len(), |more| at + more);
                drop(bytes.splice(begin..end, NUMBERS[rng.index(NUMBERS.len())].bytes()));
            }
        }
        if bytes.is_empty() {
            bytes.push(b'\n');
        }
    }
    bytes
}

/// All numbers of a report are finite.
fn check(value: &serde_json::Value, name: &str) {
    match value {
        serde_json::Value::Array(all) => all.iter().for_each(|it| check(it, name)),
        serde_json::Value::Object(all) => all.values().for_each(|it| check(it, name)),
        serde_json::Value::Number(number) => {
            assert!(number.as_f64().is_some_and(f64::is_finite), "{name}: {number}");
        }
        _ => {}
    }
}

/// A setup and the file that it names.
type Input = (String, &'static str);

/// All inputs before they are mutated: possible setups, of which some name a file.
fn bases() -> Vec<Input> {
    let shapes = SHAPES.iter().map(|(kind, file)| {
        let workload = "kind = \"permutation\"\nbytes = 20000\n";
        let topology = format!("[topology]\nkind = \"{kind}\"\nfile = \"it\"\n");
        (format!("[scheme]\nname = \"ecmp\"\n[workload]\n{workload}{topology}"), *file)
    });
    let files = FILES.iter().map(|(workload, file)| {
        (format!("[scheme]\nname = \"ecmp\"\n[workload]\n{workload}{}", bases::LEAF_SPINE), *file)
    });
    let setups = SETUPS.iter().map(|(topology, setup)| (format!("{setup}[topology]\n{topology}"), ""));
    shapes.chain(files).chain(setups).collect()
}

/// Makes and runs one input. Returns `true` if the input makes a plan.
fn input(folder: &Path, bases: &[Input], seed: u64) -> bool {
    let mut rng = Rng::new(seed);
    // As many inputs of each kind: a topology file, a file of a workload, a setup.
    let kinds =
        [0..SHAPES.len(), SHAPES.len()..SHAPES.len() + FILES.len(), SHAPES.len() + FILES.len()..bases.len()];
    let kind = kinds[rng.index(3)].clone();
    let (setup, file) = &bases[kind.start + rng.index(kind.len())];
    // Of a setup with a file, mostly the file is mutated.
    let is_setup = file.is_empty() || rng.index(4) == 0;
    let (setup, file) = match is_setup {
        true => (mutate(setup, &mut rng), file.as_bytes().to_vec()),
        false => (setup.clone().into_bytes(), mutate(file, &mut rng)),
    };
    run(folder, setup, file, &format!("seed {seed}"))
}

/// Runs one input. Returns `true` if the input makes a plan.
fn run(folder: &Path, setup: Vec<u8>, file: Vec<u8>, name: &str) -> bool {
    for (file, text) in [("it.toml", setup), ("it", file)] {
        let path = folder.join(file);
        // A file that is written over is flushed to the disk by some file systems, a new one is not: that is 4 ms for each.
        let _ = std::fs::remove_file(&path);
        std::fs::write(path, text).unwrap();
    }
    let plan = match Plan::read(&folder.join("it.toml"), &["until_us=30".to_owned()]) {
        Ok(plan) => plan,
        Err(error) => {
            let said = error.to_string();
            assert!(!said.is_empty() && !said.contains('\n'), "{name}: {said}");
            return false;
        }
    };
    if plan.flows().len() <= 64 {
        assert!(plan.warnings().iter().all(|it| !it.contains('\n')));
        let report = plan.run(Engine::Windows, |_| true);
        check(&serde_json::to_value(&report).unwrap(), name);
        let is_schedule = report.summary.schedule.is_some();
        assert!(is_schedule || report.violations.is_empty(), "{name}: {:?}", report.violations);
    }
    true
}

/// A folder for inputs.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn inputs(seeds: std::ops::RangeInclusive<u64>) {
    let (folder, bases) = (folder(&format!("fuzz-{}", seeds.start())), bases());
    let all = seeds.clone().count();
    let mut can_be = 0;
    for seed in seeds {
        let done = std::panic::catch_unwind(|| input(&folder, &bases, seed));
        can_be += usize::from(done.unwrap_or_else(|_| panic!("input {seed} panicked")));
    }
    std::fs::remove_dir_all(&folder).unwrap();
    // The test is void if all inputs are refused, or all accepted.
    assert!((all / 10..all * 9 / 10).contains(&can_be), "{can_be} of {all} can be");
}

#[test]
fn a_few_thousand_inputs() {
    inputs(1..=3_000);
}

/// A base that is refused tests nothing but its refusal.
#[test]
fn each_base_is_possible() {
    let folder = folder("bases");
    let mut refused = Vec::new();
    for (number, (setup, file)) in bases().into_iter().enumerate() {
        std::fs::write(folder.join("it.toml"), &setup).unwrap();
        std::fs::write(folder.join("it"), file).unwrap();
        let plan = Plan::read(&folder.join("it.toml"), &[]);
        match plan {
            Ok(_) => {
                let _ = run(&folder, setup.into_bytes(), file.into(), &format!("base {number}"));
            }
            Err(error) => refused.push(format!("base {number}: {error}")),
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The names that a setup may have where this one has `nonsense`.
fn names(setup: &str) -> Vec<String> {
    let error = toml::from_str::<weft_fabric::setup::Setup>(setup).expect_err("nonsense");
    let said = error.message().split_once("expected").expect("the names").1;
    said.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Each table, each kind of workload, topology, scheme and baseline, and each key of hosts, switches and links is in a base.
#[test]
fn a_base_has_each_table_and_kind() {
    let all: String = bases().into_iter().map(|(setup, _)| setup).collect();
    let (scheme, workload) = ("[scheme]\nname = 'ecmp'\n", "[workload]\nkind = 'none'\n");
    let topology = format!("[topology]\n{}", bases::TWO_LEAVES);
    let rest = format!("{scheme}{workload}{topology}");
    let mut missing = Vec::new();
    let mut look = |count: usize, names: Vec<String>, form: &dyn Fn(&str) -> Vec<String>| {
        assert!(names.len() >= count, "{names:?}");
        missing.extend(names.into_iter().filter(|name| !form(name).iter().any(|form| all.contains(form))));
    };
    let key = |name: &str| {
        vec![
            format!("\n{name} = "),
            format!("[{name}]"),
            format!("[hosts.{name}]"),
            format!("[switch.{name}]"),
        ]
    };
    look(15, names(&format!("nonsense = 1\n{rest}")), &key);
    // Keys that only `weft cosim fabric` knows are refused elsewhere.
    let of_hosts = names(&format!("{rest}[hosts]\nnonsense = 1\n"));
    let of_hosts = of_hosts.into_iter().filter(|name| !["view", "connections"].contains(&name.as_str()));
    look(20, of_hosts.collect(), &key);
    for table in ["switch", "wire", "links", "routing", "inner", "series"] {
        look(2, names(&format!("{rest}[{table}]\nnonsense = 1\n")), &key);
    }
    for table in ["link", "cut", "flap", "degrade", "corrupt", "fail", "draw"] {
        look(3, names(&format!("{rest}[[{table}]]\nnonsense = 1\n")), &key);
    }
    let kind = |name: &str| vec![format!("kind = \"{name}\"")];
    look(12, names(&format!("{scheme}{topology}[workload]\nkind = 'nonsense'\n")), &kind);
    look(4, names(&format!("{scheme}{workload}[topology]\nkind = 'nonsense'\n")), &kind);
    look(6, names(&format!("{rest}[hosts.baseline]\nkind = 'nonsense'\n")), &kind);
    let name = |name: &str| vec![format!("name = \"{name}\"")];
    look(10, names(&format!("{workload}{topology}[scheme]\nname = 'nonsense'\n")), &name);
    let paths = "[hosts.baseline]\nkind = 'dctcp'\npaths = { name = 'nonsense' }\n";
    look(6, names(&format!("{rest}{paths}")), &name);
    assert!(missing.is_empty(), "no base has {missing:?}");
}

/// Inputs that found a fault.
#[test]
fn inputs_that_have_found_something() {
    let folder = folder("found");
    for (number, setup) in FOUND.iter().enumerate() {
        let setup = format!("{setup}{}", bases::LEAF_SPINE);
        run(&folder, setup.into_bytes(), Vec::new(), &format!("found {number}"));
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
#[ignore = "soak: a million setups, traces, schedules and topologies"]
fn a_million_inputs() {
    inputs(10_000..=1_010_000);
}

/// As many inputs as fit a time: `WEFT_FUZZ_SECONDS`, from seed `WEFT_FUZZ_SEED` on.
#[test]
#[ignore = "soak: inputs for WEFT_FUZZ_SECONDS, 10 s without it"]
fn inputs_for_a_time() {
    let number =
        |name: &str, usual: u64| std::env::var(name).ok().and_then(|it| it.parse().ok()).unwrap_or(usual);
    let (seconds, first) = (number("WEFT_FUZZ_SECONDS", 10), number("WEFT_FUZZ_SEED", 2_000_000));
    let (folder, bases, begun) = (folder("time"), bases(), std::time::Instant::now());
    let (mut all, mut can_be, mut found) = (0, 0, Vec::new());
    while begun.elapsed().as_secs() < seconds {
        let seed = first + all;
        let before = begun.elapsed();
        match std::panic::catch_unwind(|| input(&folder, &bases, seed)) {
            Ok(can) => can_be += u64::from(can),
            Err(_) => found.push(seed),
        }
        if (begun.elapsed() - before).as_secs() >= 5 {
            eprintln!("seed {seed} took {:?}", begun.elapsed() - before);
        }
        all += 1;
    }
    std::fs::remove_dir_all(&folder).unwrap();
    eprintln!("{all} inputs from seed {first}, {can_be} possible");
    assert!(found.is_empty(), "{found:?}");
}
