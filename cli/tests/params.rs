//! `weft params`, as it is run.

use std::process::{Command, Output};
use weft_params::{Network, Preset, Sizing, SmarttCsr};

fn weft(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_weft");
    Command::new(program).arg("params").args(arguments).output().expect("weft runs")
}

#[track_caller]
fn printed(arguments: &[&str]) -> String {
    let output = weft(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn json_reads_back_as_the_constants_of_that_network() {
    let default: Sizing = serde_json::from_str(&printed(&["--json"])).unwrap();
    assert_eq!(default.csr, SmarttCsr::default());

    let flags = "--link-gbps 800 --base-rtt-ns 3000,9000 --mtu-bytes 9000 --queue-bytes 500000 --tick-ps 25600 \
                 --preset artifact --no-trimming --granularity 4 --signals ecn --late-losses --json";
    let sizing: Sizing =
        serde_json::from_str(&printed(&flags.split_whitespace().collect::<Vec<_>>())).unwrap();
    let network = Network {
        link_gbps: 800,
        base_rtt_ns: vec![3_000, 9_000],
        mtu_bytes: 9_000,
        queue_bytes: Some(500_000),
        tick_ps: Some(25_600),
        preset: Preset::Artifact,
        trimming: false,
        granularity: 4,
        signals: weft_params::Signals::Ecn,
        late_losses: true,
    };
    assert_eq!(sizing, network.sizing().unwrap());
}

#[test]
fn the_table_has_every_constant_with_its_register() {
    let table = printed(&[]);
    let row = |name: &str| {
        let line = table.lines().filter(|line| line.trim_start().starts_with(name)).nth(2);
        line.unwrap_or_else(|| panic!("{name} in three classes\n{table}"))
            .split_whitespace()
            .collect::<Vec<_>>()
    };
    let class = SmarttCsr::default().classes[2];
    for (name, real, register) in [
        ("mtu_bytes", "4096.000000", class.mtu_bytes),
        ("max_cwnd_bytes", "750000.000000", class.max_cwnd_bytes),
        ("fair_decrease_bytes", "750000.000000", class.fair_decrease_bytes),
        ("base_rtt_ticks", "375.000000", class.base_rtt_ticks),
        ("target_rtt_ticks", "562.500000", class.target_rtt_ticks),
        ("fast_rtt_ticks", "387.800000", class.fast_rtt_ticks),
        ("multiplicative_increase", "32768.000000", class.multiplicative_increase),
        ("fair_increase", "4096.000000", class.fair_increase),
    ] {
        let cells = row(name);
        assert_eq!((cells[1], cells[3]), (real, format!("{register:#010x}").as_str()), "{cells:?}");
    }
    for (name, register) in [("wtd_alpha", "0x00000020"), ("qa_scaling", "0x00666666")] {
        let line = table.lines().find(|line| line.trim_start().starts_with(name)).expect(name);
        assert!(line.contains(register), "{line}");
    }
    // 563 ticks for 562.5, 0x666666 for 0.8.
    assert_eq!(row("target_rtt_ticks").last(), Some(&"%"));
    assert!(row("target_rtt_ticks").contains(&"+0.088889"), "{:?}", row("target_rtt_ticks"));
    assert!(!table.contains("note:"));
    // Five packets of 9,000 bytes take longer than half a queue of 25,000.
    let short = printed(&["--link-gbps", "100", "--base-rtt-ns", "2000", "--mtu-bytes", "9000"]);
    assert!(short.contains("note: FastIncrease"), "{short}");
}

#[test]
fn a_c_compiler_reads_the_header() {
    let header = printed(&["--c-header"]);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("smartt.h"), header).unwrap();
    let csr = SmarttCsr::default();
    let program = format!(
        "#include \"smartt.h\"\n#include \"smartt.h\"\n\
         _Static_assert(WEFT_SMARTT_TICK_PS == 32000, \"tick\");\n\
         _Static_assert(WEFT_SMARTT_CLASS0_MAX_CWND_BYTES == {}, \"class 0\");\n\
         _Static_assert(WEFT_SMARTT_CLASS3_FAIR_INCREASE == {}, \"class 3\");\n\
         _Static_assert(WEFT_SMARTT_QA_SCALING == {}, \"shared\");\n\
         _Static_assert(WEFT_SMARTT_SIGNALS == 0, \"signals\");\n",
        csr.classes[0].max_cwnd_bytes, csr.classes[3].fair_increase, csr.qa_scaling
    );
    std::fs::write(folder.path().join("main.c"), program).unwrap();
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c11", "-Wall", "-Werror", "-fsyntax-only", "main.c"]).current_dir(folder.path());
    let output = match compiler.output() {
        Ok(output) => output,
        Err(error) => return println!("skipped: no C compiler: {error}"),
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_wrong_value_is_one_line_and_exit_code_2() {
    for (arguments, says) in [
        (&["--link-gbps", "5"][..], "link-gbps = 5 is not possible: use 10 to 1600 Gb/s"),
        (&["--mtu-bytes", "64"], "mtu-bytes = 64 is not possible: use 1024 to 9216 bytes"),
        (&["--base-rtt-ns", "4000,300000"], "base-rtt-ns = 300000 is not possible"),
        (&["--base-rtt-ns", "1000,2000,3000,4000,5000"], "classes = 5 is not possible: give 1 to 4"),
        (&["--queue-bytes", "400000"], "queue-bytes = 400000 is not possible: the target RTT"),
        (&["--tick-ps", "40000"], "each at most 32 ns; use 1099 to 32000 ps"),
        (&["--granularity", "0"], "granularity = 0 is not possible: use 1 to 50 ACKs"),
    ] {
        let output = weft(arguments);
        let line = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            output.stdout.is_empty() && line.starts_with("weft: ") && line.lines().count() == 1,
            "{line}"
        );
        assert!(line.contains(says), "{line}");
    }
    let unknown = weft(&["--preset", "best"]);
    assert_eq!(unknown.status.code(), Some(2));
}
