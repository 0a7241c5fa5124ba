//! `weft sim`, `weft sweep` and `weft plot`, as users run them.

mod command;

use command::{text, weft};
use serde_json::Value;
use std::path::Path;
use std::process::Output;

fn sim(folder: &Path, example: &str, flags: &str) -> Output {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(example);
    weft(folder, &format!("sim {} {flags}", file.display()))
}

fn read(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).expect(file)
}

#[test]
fn a_run_says_what_happened_the_same_with_any_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = sim(folder.path(), "trace.toml", "--json a.json --flows a.csv");
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}{}", text(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
    for words in [
        "16 hosts, 20 switches (ecmp)",
        "flows ended, the last after ",
        "edge up: 16 ports",
        "violations: 0\n",
    ] {
        assert!(printed.contains(words), "{words} in {printed}");
    }
    let json: Value = serde_json::from_str(&read(folder.path(), "a.json")).expect("JSON");
    let flows = json["flows"].as_array().expect("flows").len();
    assert_eq!(read(folder.path(), "a.csv").lines().count(), 1 + flows);
    // 2 % of 32 links: one link, in both directions.
    assert_eq!(json["faults"].as_array().map(Vec::len), Some(2));
    assert_eq!((&json["setup"]["seed"], &json["summary"]["is_complete"]), (&1.into(), &true.into()));

    assert_eq!(sim(folder.path(), "trace.toml", "--json b.json --threads 2").status.code(), Some(0));
    let output = sim(folder.path(), "trace.toml", "--json - --oracle");
    assert!(read(folder.path(), "a.json") == read(folder.path(), "b.json"), "threads");
    assert!(read(folder.path(), "a.json") == text(&output.stdout), "the oracle");
    let other = sim(folder.path(), "trace.toml", "--json - --seed 2");
    assert!(read(folder.path(), "a.json") != text(&other.stdout), "a seed");
}

#[test]
fn what_cannot_be_is_a_line_and_exit_code_2() {
    let folder = tempfile::tempdir().expect("a folder");
    for (example, flags, words) in [
        ("trace.toml", "--set topology.k=3", "weft: --set topology.k=3: a fat tree of k = 3 is not possible"),
        ("no.toml", "", "no.toml"),
        ("trace.toml", "--set links.host_gbps=-1", "weft: --set links.host_gbps=-1"),
        ("trace.toml", "--json no/folder.json", "no/folder.json"),
        ("trace.toml", "--rtl host=16", "weft: --rtl: there is no host 16: use 0 to 15"),
        ("trace.toml", "--rtl 3", "write host=3, host=3,5 or all"),
        ("permutation.toml", "--rtl host=3", "weft: --rtl: links.host_gbps: 400 is more than "),
        ("dctcp.toml", "--rtl host=3", "weft: --rtl: hosts.baseline: "),
        ("trace.toml", "--rtl host=3 --view late --capture a", "weft: --capture: the transaction view "),
        ("trace.toml", "--capture a", "--rtl"),
        ("dctcp.toml", "--events a.jsonl", "weft: --events: hosts.baseline: "),
        ("trace.toml", "--events a.jsonl --events-of host=16", "weft: --events-of: there is no host 16: use"),
        ("trace.toml", "--events a.jsonl --events-of 3", "write host=3, host=3,5 or flow=12"),
        ("trace.toml", "--events-of host=3", "--events"),
    ] {
        let output = sim(folder.path(), example, flags);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{flags}: {said}");
        assert!(said.contains(words) && said.lines().count() == 1, "{flags}: {said}");
    }
}

/// Tests the model at a host: the output equals that of a run without the flag, without Verilator.
#[test]
fn what_clocks_at_a_host_is_told_beside_the_run_without() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = sim(folder.path(), "flow_list.toml", "--rtl host=0 --view model --json a.json");
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}{}", text(&output.stderr));
    for words in
        ["model at host 0: ", "all of them right", " connections sent the same packets", "violations: 0\n"]
    {
        assert!(printed.contains(words), "{words} in {printed}");
    }
    let json: Value = serde_json::from_str(&read(folder.path(), "a.json")).expect("JSON");
    assert_eq!((&json["rtl"]["hosts"][0], &json["rtl"]["view"]), (&0.into(), &"model".into()));
    assert!(json["summary"]["is_complete"] == true && json["rtl"]["difference"]["connections"].is_u64());
    // A run with `--alone` has the same figures, and no second result.
    let output = sim(folder.path(), "flow_list.toml", "--rtl host=0 --view model --alone --json b.json");
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}{}", text(&output.stderr));
    assert!(printed.contains("all of them right") && !printed.contains("beside the run"), "{printed}");
    let mut alone: Value = serde_json::from_str(&read(folder.path(), "b.json")).expect("JSON");
    assert!(alone["rtl"].get("difference").is_none());
    alone["rtl"]["difference"] = json["rtl"]["difference"].clone();
    assert_eq!(alone, json);
}

/// With clocks at all hosts, each byte of the flows is written and sent by a NIC.
#[test]
fn clocks_at_all_hosts_handle_every_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = sim(folder.path(), "flow_list.toml", "--rtl all --view model --alone --json a.json");
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}{}", text(&output.stderr));
    assert!(printed.starts_with("model at all 16 hosts: "), "{printed}");
    let json: Value = serde_json::from_str(&read(folder.path(), "a.json")).expect("JSON");
    let flows = json["flows"].as_array().expect("flows");
    let bytes: u64 = flows.iter().filter_map(|flow| flow["bytes"].as_u64()).sum();
    assert_eq!(json["rtl"]["hosts"].as_array().map(Vec::len), Some(16));
    assert_eq!(json["rtl"]["written_bytes"], bytes);
    assert!(json["rtl"]["sent_bytes"].as_u64() >= Some(bytes), "{}", json["rtl"]);
}

/// The transaction view at the host, with one change.
#[test]
fn what_is_chance_and_what_is_lateness_is_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let difference = |view: &str| {
        let output =
            sim(folder.path(), "flow_list.toml", &format!("--rtl host=0 --view {view} --json a.json"));
        let printed = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{printed}{}", text(&output.stderr));
        assert!(printed.contains(&format!("{view} at host 0\nbeside the run without it: ")), "{printed}");
        let json: Value = serde_json::from_str(&read(folder.path(), "a.json")).expect("JSON");
        let count = |key: &str| json["rtl"]["difference"][key].as_u64().expect("a count");
        let later = json["rtl"]["difference"]["fct_ns"]["most"].as_f64().expect("a time");
        (count("connections") - count("same"), later)
    };
    // The flows of host 0 have other entropy values.
    let (others, _) = difference("seed");
    assert!(others > 0);
    let (_, later) = difference("late");
    assert!(later > 0.0);
}

#[test]
fn a_sweep_goes_on_where_it_stopped_and_is_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/flow_list.toml");
    let sweep = format!("sweep {} --over hosts.ev_mode=reps,ops --seeds 2 --out runs", file.display());
    let output = weft(folder.path(), &sweep);
    let printed = text(&output.stdout).to_owned();
    assert_eq!(output.status.code(), Some(0), "{printed}{}", text(&output.stderr));
    for words in [
        "hosts.ev_mode=reps (2 seeds)",
        "hosts.ev_mode=ops (2 seeds)",
        "last receiver, us ",
        "violations: 0\n",
    ] {
        assert!(printed.contains(words), "{words} in {printed}");
    }
    let one = "runs/hosts.ev_mode=reps,seed=2.json";
    let (before, other) = (read(folder.path(), one), "runs/hosts.ev_mode=ops,seed=1.json");
    let time =
        |file: &str| std::fs::metadata(folder.path().join(file)).and_then(|it| it.modified()).expect(file);
    let kept = time(other);
    std::fs::remove_file(folder.path().join(one)).expect("removed");
    assert_eq!(text(&weft(folder.path(), &sweep).stdout), printed);
    assert!(read(folder.path(), one) == before && time(other) == kept);

    for kind in ["cdf", "size", "bars"] {
        let output = weft(folder.path(), &format!("plot runs --kind {kind} --out {kind}.svg"));
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let svg = read(folder.path(), &format!("{kind}.svg"));
        assert!(
            svg.contains("flows, 16 hosts at 100 Gb/s, fat-tree, 2 seeds") && svg.contains("ops"),
            "{svg}"
        );
    }
    let noisy =
        sweep.replace("--out runs", "--set corrupt=[{a=\"edge-0\",b=\"agg-0\",ber=1e-6}] --out noisy");
    let printed = text(&weft(folder.path(), &noisy).stdout).to_owned();
    let lost = |line: &&str| line.starts_with("  lost to bit errors") && !line.contains(" 0 ± 0");
    assert_eq!(printed.lines().filter(lost).count(), 2, "{printed}");
    let output = weft(folder.path(), "plot runs/no.json --out no.svg");
    assert_eq!((output.status.code(), text(&output.stderr).lines().count()), (Some(2), 1));
    let output = weft(folder.path(), &format!("sweep {} --over seed --out runs", file.display()));
    assert_eq!((output.status.code(), text(&output.stderr).lines().count()), (Some(2), 1));
}

/// Machines that share a folder write the results and the table of one machine, even if one of them dies.
#[test]
fn several_machines_share_a_sweep() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/flow_list.toml");
    let sweep = |out: &str, more: &str| {
        format!("sweep {} --over hosts.ev_mode=reps,ops --seeds 3 --out {out} {more}", file.display())
    };
    let run = |words: &str| {
        let output = weft(folder.path(), words);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout).to_owned()
    };
    let alone = run(&sweep("alone", ""));
    let listed = run(&sweep("shared", "--list"));
    let files: Vec<&str> = listed.lines().filter_map(|line| line.split('\t').nth(3)).collect();
    assert_eq!((files.len(), files[4]), (6, "shared/hosts.ev_mode=ops,seed=2.json"));
    assert!(!folder.path().join("shared").exists());
    assert!(run(&sweep("shared", "--point 5")).starts_with("1 of 6 results are in shared\n"));
    assert!(folder.path().join(files[4]).exists());
    let mut dies = std::process::Command::new(env!("CARGO_BIN_EXE_weft"))
        .args(sweep("shared", "--shard 1/2").split_whitespace())
        .current_dir(folder.path())
        .spawn()
        .expect("weft runs");
    run(&sweep("shared", "--shard 2/2"));
    dies.kill().expect("it can be killed");
    dies.wait().expect("it ends");
    assert_eq!(run(&sweep("shared", "")), alone);
    for shared in files {
        assert!(
            read(folder.path(), shared) == read(folder.path(), &shared.replace("shared", "alone")),
            "{shared}"
        );
    }
    for wrong in ["--point 7", "--point 0", "--shard 3/2", "--shard 1/2 --point 1", "--list --csv a.csv"] {
        let output = weft(folder.path(), &sweep("shared", wrong));
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
}

/// A result is valid for its setup, the files that it names, and the program.
#[test]
fn a_sweep_makes_results_again_that_hold_no_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect(name);
    let network = "[topology]\nkind = \"leaf-spine\"\nleaves = 2\nspines = 1\nhosts_per_leaf = 1\n[scheme]\nname = \"ecmp\"\n";
    write("a.toml", &format!("{network}[workload]\nkind = \"flows\"\nfile = \"list.txt\"\n"));
    write("list.txt", "0 1 1000000 0\n");
    let sweep = || {
        let output = weft(folder.path(), "sweep a.toml --out runs");
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let of = |line: &&str| line.contains("last receiver, us");
        let last = text(&output.stdout).lines().find(of).expect("a time").to_owned();
        (last, text(&output.stderr).to_owned())
    };
    let (first, said) = sweep();
    assert_eq!(said, "");
    assert_eq!(sweep(), (first.clone(), String::new()));
    // Ten times the bytes.
    write("list.txt", "0 1 10000000 0\n");
    let (longer, said) = sweep();
    assert!(longer != first, "{longer}");
    let again = |what: &str| format!("weft: results {what} are made again, runs/run,seed=1.json first\n");
    assert_eq!(said, again("of another list.txt"));
    let result =
        || serde_json::from_str::<Value>(&read(folder.path(), "runs/run,seed=1.json")).expect("JSON");
    assert_eq!(
        (&result()["inputs"][0]["file"], result()["program"].as_str().map(str::len)),
        (&"list.txt".into(), Some(64))
    );
    for (key, what) in
        [("program", "of another program"), ("setup", "of another setup"), ("inputs", "of another list.txt")]
    {
        let mut other = result();
        other[key] = "another".into();
        write("runs/run,seed=1.json", &other.to_string());
        assert_eq!(sweep(), (longer.clone(), again(what)));
        assert_eq!(sweep().1, "");
    }
    write("runs/run,seed=1.json", &read(folder.path(), "runs/run,seed=1.json")[..100]);
    assert_eq!(sweep(), (longer, again("that cannot be read")));
}

/// An interrupted run has means over the flows that ended, or no mean if no flow ended.
#[test]
fn what_did_not_end_is_said_and_is_no_number() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = "[topology]\nkind = \"leaf-spine\"\nleaves = 2\nspines = 2\nhosts_per_leaf = 4\n[scheme]\nname = \"ecmp\"\n\
                [workload]\nkind = \"permutation\"\nbytes = 100000\n[hosts]\nev_mode = \"fixed\"\n";
    std::fs::write(folder.path().join("a.toml"), file).expect("written");
    let run = |flags: &str| {
        let output = weft(folder.path(), flags);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout).to_owned()
    };
    let printed =
        run("sweep a.toml --over until_us=1,13,200 --seeds 10 --out runs --csv a.csv --json a.json");
    let mut groups = printed.split("until_us=").skip(1);
    let mut line = |name: &str| {
        groups.next().and_then(|it| it.lines().find(|line| line.contains(name)).map(str::to_owned))
    };
    let none = line("completion, mean");
    assert_eq!(none.as_deref(), Some("  completion, mean, us       -; 0 of 80 flows ended"), "{printed}");
    let (some, all) = (line("completion, mean").expect("a line"), line("completion, mean").expect("a line"));
    assert!(some.ends_with(" of 80 flows ended") && !some.contains(" - "), "{some}");
    assert!(all.contains("; 95 %: ") && !all.contains("flows ended"), "{all}");
    let csv = read(folder.path(), "a.csv");
    assert!(csv.contains("\n1,\"completion, mean, us\",0,10,0,80,,,,,,\n"), "{csv}");
    let json: Value = serde_json::from_str(&read(folder.path(), "a.json")).expect("JSON");
    let row =
        json["rows"].as_array().expect("rows").iter().find(|row| row["figure"] == "completion, mean, us");
    assert_eq!(row.map(|row| (&row["mean"], &row["of_flows"])), Some((&Value::Null, &80.into())));
    // A distribution ends at the share of flows that have ended.
    run("plot runs --out a.svg");
    let svg = read(folder.path(), "a.svg");
    assert!(
        svg.contains("1 (0 of 80 flows)") && svg.contains(" of 80 flows)") && !svg.contains("200 ("),
        "{svg}"
    );
    run("plot runs --kind bars --out a.svg");
    let svg = read(folder.path(), "a.svg");
    assert!(svg.contains("1 (0 of 10 runs)") && svg.contains(">\n-\n<"), "{svg}");

    let printed = run("sim a.toml --set until_us=1 --json a.json");
    for line in [
        "\nnone of 8 flows ended, 0.0 Gb/s in all\n",
        "\ncompletion time in us, 0 of 8 flows: -\n",
        "\nslowdown, 0 of 8 flows: -\n",
    ] {
        assert!(printed.contains(line), "{line}{printed}");
    }
    let json: Value = serde_json::from_str(&read(folder.path(), "a.json")).expect("JSON");
    let summary = &json["summary"];
    for pointer in
        ["/finish_us", "/acknowledged_us", "/fct_us/mean", "/fct_us/p99", "/slowdown/mean", "/slowdown/most"]
    {
        assert_eq!(summary.pointer(pointer), Some(&Value::Null), "{pointer}");
    }
    assert_eq!((&summary["fct_us"]["count"], &summary["fct_us"]["of"]), (&0.into(), &8.into()));
}

/// Tables and plots of selected flows.
#[test]
fn flows_are_chosen_by_conditions() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/web_search.toml");
    let run = |flags: &str| {
        let output = weft(folder.path(), flags);
        assert_eq!(output.status.code(), Some(0), "{flags}: {}", text(&output.stderr));
        text(&output.stdout).to_owned()
    };
    let small = "--set workload.flows=40 --set topology.leaves=2";
    let sim = |flags: &str| run(&format!("sim {} {small} {flags}", file.display()));
    sim("--flows all.csv");
    let printed = sim("--flows some.csv --json a.json --where bytes<100000,rack=1");
    let lines = |file: &str| read(folder.path(), file).lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    let of = |line: &&String| {
        let number = |at: usize| line.split(',').nth(at).and_then(|it| it.parse().ok()).unwrap_or(u64::MAX);
        number(2) < 100_000 && (number(0) / 8 == 1 || number(1) / 8 == 1)
    };
    let by_hand: Vec<String> = lines("all.csv").iter().filter(of).cloned().collect();
    assert!((1..40).contains(&by_hand.len()));
    assert_eq!(lines("some.csv"), by_hand);
    let json: Value = serde_json::from_str(&read(folder.path(), "a.json")).expect("JSON");
    assert_eq!(json["summary"]["slowdown"]["of"], by_hand.len());
    let some = ["40 of 40 flows ended", &format!("completion time in us, {} flows: mean ", by_hand.len())];
    assert!(some.iter().all(|text| printed.contains(text)), "{printed}");

    let sweep = format!("sweep {} {small} --over workload.load=0.2,0.4 --seeds 2 --out runs", file.display());
    let all = run(&sweep);
    let some = run(&format!("{sweep} --where bytes<100000"));
    let mean = |text: &str| text.lines().find(|line| line.contains("completion, mean")).map(str::to_owned);
    assert!(mean(&all).is_some() && mean(&all) != mean(&some), "{some}");
    run("plot runs --kind over --key workload.load --figure slowdown.p99 --out over.svg");
    let svg = read(folder.path(), "over.svg");
    assert!(
        svg.contains("load (share of the hosts") && svg.contains("99th percentile of the slowdown"),
        "{svg}"
    );
    run("plot runs --where bytes<100000 --out some.svg");
    let wrong = [("size<5", "there is no column size"), ("bytes<nan", "\"nan\" is not a number")];
    for (condition, says) in wrong {
        let output = weft(folder.path(), &format!("plot runs --where {condition} --out no.svg"));
        let said = text(&output.stderr);
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.contains(says), "{said}");
    }
}

/// An option applies only to the schemes that have it.
#[test]
fn a_sweep_over_schemes_keeps_their_options() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/flow_list.toml");
    let sweep = |flags: &str| weft(folder.path(), &format!("sweep {} --out runs {flags}", file.display()));
    let output = sweep(
        "--set scheme.let-flow.entries=1024 --over scheme.name+hosts.ev_mode=let-flow+fixed,ecmp+reps --seeds 2,5",
    );
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(printed.starts_with("scheme.name=let-flow,hosts.ev_mode=fixed (2 seeds)"), "{printed}");
    let result = |scheme: &str, seed: u32| -> Value {
        let file = format!("runs/scheme.name={scheme},seed={seed}.json");
        serde_json::from_str(&read(folder.path(), &file)).expect("JSON")
    };
    let one = result("let-flow,hosts.ev_mode=fixed", 5);
    assert_eq!((&one["setup"]["scheme"]["entries"], &one["setup"]["seed"]), (&1024.into(), &5.into()));
    assert_eq!(result("ecmp,hosts.ev_mode=reps", 2)["setup"]["hosts"]["ev_mode"], "reps");
    for (flags, words) in [
        (
            "--set scheme.entries=1024 --over scheme.name=let-flow,ecmp",
            "--set scheme.entries=1024: the scheme ecmp does not have this option",
        ),
        ("--over scheme.name+hosts.ev_mode=ecmp", "has 1 values for 2 keys"),
        ("--seeds 0", "0 is not possible"),
        ("--seeds 3,3", "twice"),
        ("--over seed=1,2", "--seeds"),
        ("--over hosts.evs=32,32", "twice"),
    ] {
        let output = sweep(flags);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{flags}: {said}");
        assert!(
            said.contains(words) && said.lines().next().is_some_and(|line| line.contains(words)),
            "{said}"
        );
    }
}

/// Sweeps that share a folder do each run only once.
#[test]
fn two_sweeps_do_not_do_the_same_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/flow_list.toml");
    let sweep = format!("sweep {} --seeds 4 --out runs", file.display());
    std::fs::create_dir(folder.path().join("runs")).expect("made");
    // The lock of a sweep that runs seed 2; this test plays the sweep.
    let path = folder.path().join("runs/.run,seed=2.json.lock");
    let lock = std::fs::File::create(&path).expect("made");
    lock.lock().expect("locked");
    let there = |seed: u32| folder.path().join(format!("runs/run,seed={seed}.json")).exists();
    let [one, two] = std::thread::scope(|scope| {
        let both = [(); 2].map(|()| scope.spawn(|| weft(folder.path(), &sweep)));
        while !(there(1) && there(3) && there(4)) {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        // The run must last longer than a sweep that does not check.
        std::thread::sleep(std::time::Duration::from_secs(1));
        assert!(!there(2), "it was done twice");
        std::fs::remove_file(&path).expect("removed");
        drop(lock);
        both.map(|sweep| sweep.join().expect("it ran"))
    });
    assert_eq!((one.status.code(), two.status.code()), (Some(0), Some(0)), "{}", text(&one.stderr));
    assert_eq!((&one.stdout, one.stderr.len() + two.stderr.len()), (&two.stdout, 0));
    assert_eq!(std::fs::read_dir(folder.path().join("runs")).map(Iterator::count).ok(), Some(4));
}

/// The random failures of a seed can cut hosts off.
#[test]
fn a_sweep_leaves_out_seeds_that_cannot_be() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/trace.toml");
    let sweep = |flags: &str| weft(folder.path(), &format!("sweep {} --out runs {flags}", file.display()));
    let output = sweep("--set draw=[{share=0.2}] --seeds 5");
    let (printed, said) = (text(&output.stdout), text(&output.stderr));
    let left_out = said.lines().filter(|line| line.contains(": no path is left from host-")).count();
    assert!((1..5).contains(&left_out) && said.lines().count() == left_out + 1, "{said}");
    assert!(said.starts_with("weft: run, seed ") && said.contains(": draw.share: no path is left"), "{said}");
    assert!(
        said.ends_with(&format!("weft: {left_out} of 5 runs have no result: see the errors above\n")),
        "{said}"
    );
    assert!(
        printed.contains(&format!("run ({} of 5 seeds)\n  last receiver, us", 5 - left_out)),
        "{printed}"
    );
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read_dir(folder.path().join("runs")).map(Iterator::count).ok(), Some(5 - left_out));
    // All seeds are impossible, so no run is made.
    for (flags, words) in [
        (
            "--set draw=[{share=0.9}] --seeds 3 --out all",
            "weft: --set draw=[{share=0.9}]: draw.share: no path ",
        ),
        ("--over hosts.ev_mode=reps,no --seeds 3 --out all", "unknown variant `no`"),
    ] {
        let output = weft(folder.path(), &format!("sweep {} {flags}", file.display()));
        let said = text(&output.stderr);
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.contains(words) && !folder.path().join("all").exists(), "{said}");
    }
}

#[test]
fn entropy_values_are_thrown_over_uplinks() {
    let folder = tempfile::tempdir().expect("a folder");
    let throw = |flags: &str| weft(folder.path(), &format!("balls --bins 32 --evs 256,65536 {flags}"));
    let output = throw("--flows 1,32 --seeds 100 --plot a.svg");
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    // The rows of docs/results/r15.md.
    for row in
        [[" 1 ", " 256 ", "78.88 ± 19.60", "79.88 ± 22.81"], ["32 ", "65536 ", "0.80 ± 0.18", "0.80 ± 0.17"]]
    {
        assert!(printed.lines().any(|line| row.iter().all(|word| line.contains(word))), "{row:?}: {printed}");
    }
    let svg = read(folder.path(), "a.svg");
    assert!(
        svg.contains("32 flows") && svg.contains("Entropy values over 32 uplinks, 100 switches"),
        "{svg}"
    );
    for flags in ["--recycle 1", "--flows 0", "--bins 8,32", "--evs 0"] {
        assert_eq!(throw(flags).status.code(), Some(2), "{flags}");
    }
}
