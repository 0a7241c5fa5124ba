//! Tests of `weft params`.

use std::path::Path;
use std::process::{Command, Output};
use weft_params::{Network, Preset, Setup, Sizing, SmarttCsr, WindowAlgorithm};

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
    let default: Sizing = serde_json::from_str(&printed(&["--json", "--rate", "400"])).unwrap();
    assert_eq!(default.csr, SmarttCsr::default());

    let flags = "--link-gbps 800 --base-rtt-ns 3000,9000 --mtu-bytes 8192 --queue-bytes 500000 --tick-ps 25600 \
                 --preset artifact --no-trimming --granularity 4 --signals ecn --late-losses --json";
    let sizing: Sizing =
        serde_json::from_str(&printed(&flags.split_whitespace().collect::<Vec<_>>())).unwrap();
    let network = Network {
        link_gbps: 800,
        base_rtt_ns: vec![3_000, 9_000],
        wait_ns: 0,
        mtu_bytes: 8_192,
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
    let table = printed(&["--rate", "400"]);
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
    // Five packets of 8,192 bytes take longer than half a queue of 25,000.
    let short = printed(&["--link-gbps", "100", "--base-rtt-ns", "2000", "--mtu", "8192"]);
    assert!(short.contains("note: FastIncrease"), "{short}");
}

#[test]
fn a_window_of_256_packets_that_is_too_short_is_told() {
    let told = |arguments: &[&str]| String::from_utf8(weft(arguments).stderr).expect("text");
    assert_eq!(told(&[]), "");
    // 256 x 4,096 bytes are 1.25 BDP at 400 Gb/s of 16,777 ns.
    assert_eq!(told(&["--link-gbps", "400", "--base-rtt-ns", "4000,16777"]), "");
    let late = told(&["--link-gbps", "400", "--base-rtt-ns", "4000,16778"]);
    assert!(
        late.contains("1048576 bytes, less than the 1.25 BDP of 16778 ns, 1048625 bytes: one late packet"),
        "{late}"
    );
    // 800 Gb/s x 16,384 ns are 400 packets of 4,096 bytes: 256 of them are 512 Gb/s.
    let fast = ["--link-gbps", "800", "--base-rtt-ns", "16384"];
    assert!(told(&fast).contains("alone it gets at most 512 of 800 Gb/s"), "{}", told(&fast));
    assert_eq!(told(&[&fast[..], &["--mtu-bytes", "8192"]].concat()), "");
    assert_eq!(told(&[&fast[..], &["--json"]].concat()), told(&fast));
}

#[test]
fn a_c_compiler_reads_the_header() {
    let header = printed(&["--c-header", "--link-gbps", "400"]);
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
    compiles(folder.path(), &["-fsyntax-only", "main.c"]);
}

/// Whether a C compiler accepts these arguments in a folder, without a warning. Returns `false` if there is
/// no compiler.
#[track_caller]
fn compiles(folder: &Path, words: &[&str]) -> bool {
    let mut compiler = Command::new("cc");
    let include = concat!(env!("CARGO_MANIFEST_DIR"), "/../hdl/include");
    compiler.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-I", include]).args(words).current_dir(folder);
    let output = match compiler.output() {
        Ok(output) => output,
        Err(error) => {
            println!("skipped: no C compiler: {error}");
            return false;
        }
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    true
}

/// Text, C and JSON are the same writes: every register of the network once, the seed and its command last.
/// Without any writes the registers describe the network of `weft params` without options.
#[test]
fn registers_without_options_are_the_reset_values() {
    let json: Vec<serde_json::Value> = serde_json::from_str(&printed(&["--registers", "json"])).unwrap();
    let mut compared = 0;
    for line in json {
        let number = |key: &str| line[key].as_u64().unwrap() as u32;
        let (register, word) = weft_params::registers::at(number("offset") as u16).unwrap();
        if !["seed", "command"].contains(&register.name.as_str()) {
            assert_eq!(number("value"), register.word(word), "{}", register.name);
            compared += 1;
        }
    }
    assert!(compared > 80, "{compared} registers");
}

/// In a NIC with NSCC the registers of SMaRTT have other values; all other registers have the same.
#[test]
fn registers_of_a_nic_with_nscc() {
    let lines = |window: &str| -> Vec<serde_json::Value> {
        serde_json::from_str(&printed(&["--registers", "json", "--window", window])).unwrap()
    };
    let (smartt, nscc) = (lines("smartt"), lines("nscc"));
    let setup = Setup { window: WindowAlgorithm::Nscc, ..Setup::default() };
    let writes = setup.writes(None, 1).unwrap();
    assert_eq!((smartt.len(), nscc.len()), (writes.len(), writes.len()));
    let mut changed = 0;
    for ((before, after), write) in smartt.iter().zip(&nscc).zip(&writes) {
        assert_eq!(after["value"], write.value);
        let told = write.register.with_nscc();
        assert_eq!(after["meaning"], told.unwrap_or(&write.register.doc));
        assert!(told.is_some() || before == after, "{after}");
        changed += usize::from(before["value"] != after["value"]);
    }
    assert!(changed > 20, "{changed}");
    let target = nscc.iter().find(|line| line["name"] == "WEFT_REG_SMARTT_CLASS0_TARGET_RTT").unwrap();
    let class = setup.seen().unwrap().0.nscc().unwrap().classes[0];
    assert_eq!(target["value"], class.target_delay_ticks);
}

#[test]
fn registers_are_the_same_in_every_form() {
    let flags = [
        "--registers",
        "--clock-mhz",
        "322.265625",
        "--base-rtt-ns",
        "2000,6000",
        "--mac",
        "02:00:00:00:00:01",
    ];
    let text = printed(&flags);
    let number = |word: &str| u32::from_str_radix(&word[2..], 16).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let writes: Vec<(u32, String, u32)> = lines
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            (number(words[0]), words[1].split('+').next().unwrap().to_owned(), number(words[2]))
        })
        .collect();
    let names: Vec<&str> = writes.iter().map(|(_, name, _)| name.as_str()).collect();
    for name in [
        "TICK_SHIFT",
        "SENDER_MTU_SHIFT",
        "RECEIVER_ACK_TIMEOUT",
        "SACK_RX_ACK_PACKETS",
        "REPS_TRIMMING",
        "EGRESS_MAC",
    ] {
        assert!(names.contains(&format!("WEFT_REG_{name}").as_str()), "{name}");
    }
    for class in 0..4 {
        for name in ["SMARTT_CLASS#_MAX_CWND", "SACK_TX_CLASS#_RTO", "SACK_TX_CLASS#_RETRY_LIMIT"] {
            let name = format!("WEFT_REG_{}", name.replace('#', &class.to_string()));
            assert!(names.contains(&name.as_str()), "{name}");
        }
    }
    assert_eq!(names[names.len() - 2..], ["WEFT_REG_SEED", "WEFT_REG_COMMAND"]);
    // The host sets the NIC's own addresses.
    assert!(!names.iter().any(|name| name.contains("_IPV") || name.contains("QP_BASE")), "{names:?}");
    let value = |name: &str| writes.iter().find(|(_, other, _)| other == name).unwrap().2;
    // 24.8 ns; 1.65 base RTTs of 6 us on the wire and 117 clocks in the NICs, in ticks.
    assert_eq!((value("WEFT_REG_TICK_SHIFT"), value("WEFT_REG_COMMAND")), (3, 0x2_0000));
    assert_eq!(
        value("WEFT_REG_SMARTT_CLASS2_BASE_RTT"),
        (6_000.0 + 364.0f64 / 1.0).div_euclid(24.824).round() as u32
    );

    let json: Vec<serde_json::Value> =
        serde_json::from_str(&printed(&[&["--registers", "json"], &flags[1..]].concat())).unwrap();
    let of_json = json.iter().map(|line| {
        let number = |key: &str| line[key].as_u64().unwrap() as u32;
        (number("offset"), line["name"].as_str().unwrap().to_owned(), number("value"))
    });
    assert_eq!(of_json.collect::<Vec<_>>(), writes);

    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("configuration.h"),
        printed(&[&["--registers", "c"], &flags[1..]].concat()),
    )
    .unwrap();
    let program = "#include \"configuration.h\"\n#include \"configuration.h\"\n#include <stdio.h>\n\
        static uint32_t polls;\n\
        static uint32_t read_word(void *nic, uint32_t offset)\n{\n    (void)nic;\n    \
        return offset == WEFT_REG_COMMAND && polls++ % 2u == 0u ? WEFT_REG_COMMAND_BUSY_MASK : 0u;\n}\n\
        static void write_word(void *nic, uint32_t offset, uint32_t value)\n{\n    (void)nic;\n    \
        printf(\"%u %u\\n\", offset, value);\n}\n\
        int main(void)\n{\n    weft_configure(read_word, write_word, 0);\n    return 0;\n}\n";
    std::fs::write(folder.path().join("main.c"), program).unwrap();
    if compiles(folder.path(), &["-o", "configure", "main.c"]) {
        let output = Command::new(folder.path().join("configure")).output().unwrap();
        let told: String = writes.iter().map(|(offset, _, value)| format!("{offset} {value}\n")).collect();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), told);
    }
}

#[test]
fn seeds_of_neighbours_differ_in_half_of_their_bits() {
    let seed = |mac: &str| {
        let text = printed(&["--registers", "--mac", mac]);
        let line = text.lines().find(|line| line.contains("WEFT_REG_SEED ")).unwrap();
        u32::from_str_radix(line.rsplit("0x").next().unwrap(), 16).unwrap()
    };
    let seeds =
        ["02:00:00:00:00:01", "02:00:00:00:00:02", "02:00:00:00:00:03", "02:00:00:01:00:01"].map(seed);
    for (at, one) in seeds.iter().enumerate() {
        for other in &seeds[..at] {
            let bits = (one ^ other).count_ones();
            assert!((8..=24).contains(&bits), "{seeds:x?}");
        }
    }
    assert!(printed(&["--registers"]).contains("with --mac each has its own"));
}

#[test]
fn a_wrong_value_is_one_line_and_exit_code_2() {
    for (arguments, says) in [
        (&["--link-gbps", "5"][..], "link-gbps = 5 is not possible: use 10 to 1600 Gb/s"),
        (&["--window", "nscc"], "--registers"),
        (
            &["--registers", "--window", "nscc", "--preset", "artifact"],
            "--preset is a flag of SMaRTT: leave it out with --window nscc",
        ),
        (&["--registers", "--window", "dctcp"], "[possible values: smartt, nscc]"),
        (&["--mtu-bytes", "64"], "mtu-bytes = 64 is not possible: use a power of two, 256 to 8192"),
        (&["--mtu", "9000"], "mtu-bytes = 9000 is not possible: use a power of two, 256 to 8192"),
        (
            &["--registers", "--rate", "400"],
            "rate = 400 is not possible: 512 bits at 250 MHz carry 127 Gb/s of packets of 4096 bytes; use at least 785 MHz, \
             or a rate of at most 127 Gb/s",
        ),
        (
            &["--registers", "--rate", "25", "--clock-mhz", "156.25", "--width", "128"],
            "128 bits at 156.25 MHz carry 19 Gb/s",
        ),
        (&["--registers", "--clock-mhz", "20"], "clock-mhz = 20 is not possible: use 32 to 1000 MHz"),
        (&["--registers", "--width", "64"], "width = 64 is not possible: use 128, 256 or 512"),
        (
            &["--registers", "--tick-ps", "30000"],
            "tick-ps = 30000 is not possible: use 4000 ps, a clock, times a power of two",
        ),
        (&["--base-rtt-ns", "4000,300000"], "base-rtt-ns = 300000 is not possible"),
        (&["--base-rtt-ns", "1000,2000,3000,4000,5000"], "classes = 5 is not possible: give 1 to 4"),
        (
            &["--rate", "400", "--queue-bytes", "400000"],
            "queue-bytes = 400000 is not possible: the target RTT",
        ),
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
