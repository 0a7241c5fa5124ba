//! Access to ports: every storage size, checks against the RTL, padding bits.

mod common;

use common::{build, lanes};
use verilator_sys::{Direction, Error, Instance, PortId, Reset, ports};

const A: u32 = 5;

ports! {
    /// Every port of wide.v.
    pub struct Wide {
        in clk: 1,
        in rst: 1,
        in a: A,
        in b: 9,
        in c: 20,
        in d: 48,
        in e: [193],
        in s_axis_tdata: [512],
        out a_is_5: 1,
        out a_next: (A),
        out b_next: 9,
        out c_next: 20,
        out d_next: 48,
        out e_next: [193],
        out m_axis_tdata: [512],
        out cycles: 48,
    }
}

ports! {
    struct TooNarrow {
        in a: 4,
    }
}

ports! {
    struct WrongWay {
        out a: 5,
    }
}

ports! {
    struct Absent {
        in aa: 5,
    }
}

fn clock(dut: &mut Wide) {
    for level in [0, 1] {
        dut.clk(level);
        dut.eval().unwrap();
    }
}

#[test]
fn typed_access_to_every_size() {
    for lane in lanes() {
        let library = build(&lane, "wide", "wide.v").load().unwrap();
        let mut dut = Wide::new(library.instance(Reset::Random(3)).unwrap()).unwrap();
        dut.rst(1);
        dut.a(5);
        dut.b(0x1ff);
        dut.c(0xf_fffe);
        dut.d(0xffff_ffff_fffe);
        let e = [0x0123_4567_89ab_cdef, 1, 2, 1];
        dut.e(&e);
        let beat = [1, 2, 3, 4, 5, 6, 7, 8];
        dut.s_axis_tdata(&beat);
        clock(&mut dut);
        assert_eq!(dut.a_is_5(), 1);
        assert_eq!(dut.a_next(), 6);
        assert_eq!(dut.b_next(), 0);
        assert_eq!(dut.c_next(), 0xf_ffff);
        assert_eq!(dut.d_next(), 0xffff_ffff_ffff);
        assert_eq!(dut.e_next(), [!e[0], !e[1], !e[2], 0]);
        let rotated: [u64; 8] = std::array::from_fn(|i| beat[i] >> 1 | beat[(i + 1) % 8] << 63);
        assert_eq!(dut.m_axis_tdata(), rotated);
        assert_eq!(dut.cycles(), 0);
        dut.rst(0);
        (0..1000).for_each(|_| clock(&mut dut));
        assert_eq!(dut.cycles(), 1000);
    }
}

#[test]
fn access_by_name_to_every_size() {
    for lane in lanes() {
        let library = build(&lane, "wide", "wide.v").load().unwrap();
        let id = |name: &str| library.port(name).unwrap().id;
        let mut dut = library.instance(Reset::Ones).unwrap();
        let step = |dut: &mut Instance| {
            for level in [0, 1] {
                dut.set(id("clk"), level);
                dut.eval().unwrap();
            }
        };
        for (name, width) in [("a", 5), ("b", 9), ("c", 20), ("d", 48)] {
            let port = library.port(name).unwrap();
            assert_eq!((port.width, port.direction, port.words()), (width, Direction::In, 1));
            dut.set(port.id, (1 << width) - 2);
            step(&mut dut);
            assert_eq!(dut.get(id(&format!("{name}_next"))), (1 << width) - 1);
            dut.write(port.id, &[6]);
            step(&mut dut);
            let mut value = [u64::MAX; 2];
            dut.read(id(&format!("{name}_next")), &mut value);
            assert_eq!(value, [7, 0]);
        }
        dut.write(id("e"), &[u64::MAX; 4]);
        dut.write(id("s_axis_tdata"), &[2, 4, 6, 8]);
        step(&mut dut);
        let mut value = [9; 5];
        dut.read(id("e_next"), &mut value);
        assert_eq!(value, [0; 5]);
        let mut value = [9; 8];
        dut.read(id("m_axis_tdata"), &mut value);
        assert_eq!(value, [1, 2, 3, 4, 0, 0, 0, 0]);
        assert_eq!(dut.get(id("m_axis_tdata")), 1);
        dut.set(id("s_axis_tdata"), 6);
        step(&mut dut);
        dut.read(id("m_axis_tdata"), &mut value);
        assert_eq!(value, [3, 0, 0, 0, 0, 0, 0, 0]);
        let names: Vec<&str> = library.ports().iter().map(|port| port.name.as_str()).collect();
        assert_eq!(names.len(), 16);
        assert!(library.ports().iter().enumerate().all(|(i, port)| library.ports()[i].id == port.id));
    }
}

/// Verilator assumes that the unused upper bits of an input are 0: 0xe5 on a port of 5 bits would make `a ==
/// 5` false and `a + 1` 38.
#[test]
fn padding_bits_are_dropped() {
    for lane in lanes() {
        let library = build(&lane, "wide", "wide.v").load().unwrap();
        let mut typed = Wide::new(library.instance(Reset::Zeros).unwrap()).unwrap();
        typed.a(0xe5);
        typed.b(0xffff);
        typed.d(u64::MAX);
        typed.e(&[u64::MAX; 4]);
        clock(&mut typed);
        assert_eq!((typed.a_is_5(), typed.a_next(), typed.b_next(), typed.d_next()), (1, 6, 0, 0));
        assert_eq!(typed.e_next(), [0; 4]);

        let mut named = library.instance(Reset::Zeros).unwrap();
        let id = |name: &str| library.port(name).unwrap().id;
        let by_set = |dut: &mut Instance, port: PortId, value: u64| dut.set(port, value);
        let by_write = |dut: &mut Instance, port: PortId, value: u64| dut.write(port, &[value]);
        for drive in [by_set as fn(&mut _, _, _), by_write] {
            drive(&mut named, id("a"), 0xe5);
            drive(&mut named, id("b"), 0xffff);
            drive(&mut named, id("c"), u64::MAX);
            named.write(id("e"), &[u64::MAX; 4]);
            for level in [0, 1] {
                named.set(id("clk"), level);
                named.eval().unwrap();
            }
            let seen = ["a_is_5", "a_next", "b_next", "c_next"].map(|name| named.get(id(name)));
            assert_eq!(seen, [1, 6, 0, 0]);
            let mut e = [1; 4];
            named.read(id("e_next"), &mut e);
            assert_eq!(e, [0; 4]);
        }
    }
}

#[test]
fn declarations_are_checked() {
    let library = build(&None, "wide", "wide.v").load().unwrap();
    let instance = || library.instance(Reset::Zeros).unwrap();
    let message = |result: Result<(), Error>| result.unwrap_err().to_string();
    assert_eq!(
        message(TooNarrow::new(instance()).map(drop)),
        "`a` of `wide`: declared in 4, the RTL says in 5; correct the declaration"
    );
    assert_eq!(
        message(WrongWay::new(instance()).map(drop)),
        "`a` of `wide`: declared out 5, the RTL says in 5; correct the declaration"
    );
    assert!(
        message(Absent::new(instance()).map(drop)).starts_with("`wide` has no port `aa`; it has: clk, rst")
    );
}

#[test]
fn undriven_inputs_are_zero() {
    let library = build(&None, "wide", "wide.v").load().unwrap();
    let mut dut = Wide::new(library.instance(Reset::Ones).unwrap()).unwrap();
    clock(&mut dut);
    assert_eq!((dut.a_next(), dut.d_next()), (1, 1));
    assert_eq!(dut.m_axis_tdata(), [0; 8]);
}

#[test]
#[should_panic(expected = "an output cannot be driven")]
fn outputs_are_not_driven() {
    let library = build(&None, "wide", "wide.v").load().unwrap();
    let port = library.port("a_next").unwrap().id;
    library.instance(Reset::Zeros).unwrap().set(port, 1);
}

#[test]
fn parameters_change_widths() {
    for lane in lanes() {
        let build = build(&lane, "wide", "wide.v").param("DW", 128);
        let library = build.load().unwrap();
        assert_eq!(library.port("m_axis_tdata").unwrap().width, 128);
        let error = Wide::new(library.instance(Reset::Zeros).unwrap()).map(drop).unwrap_err();
        assert!(matches!(error, Error::PortMismatch { ref port, .. } if port == "s_axis_tdata"), "{error}");
    }
}
