//! The rules of the hardware, and the effects of operations.

use super::intrinsic::*;
use super::*;
use std::sync::Arc;

fn builder() -> Builder {
    Builder::new("test", Profile::default())
}

#[test]
fn a_packet_has_one_access_to_an_array() {
    let mut b = builder();
    let array = b.array("count", 16, 8, 0);
    b.ingress(0).register(("add", array, PORT_IN), Guard::Always, [], [], |cell, []| {
        *cell += 1;
        []
    });
    b.ingress(1).register(("look", array, PORT_IN), Guard::Always, [], [PORT_OUT], |cell, []| [*cell]);
    let error = b.build().err();
    assert_eq!(error, Some(ProgramError::TwoAccesses { array: "count", first: "add", second: "look" }));
}

#[test]
fn what_no_earlier_stage_wrote_is_not_read() {
    for (writer, reader, fits) in [(0, 1, true), (1, 1, false), (2, 1, false)] {
        let mut b = builder();
        let field = b.field("mine", 8);
        b.ingress(writer).alu("write", Guard::Always, [PORT_IN], [field], |[port]| [port]);
        b.ingress(reader).alu("read", Guard::Always, [field], [PORT_OUT], |[mine]| [mine]);
        let expected =
            ProgramError::NotYetWritten { name: "read", gress: Gress::Ingress, stage: reader, field: "mine" };
        assert_eq!(b.build().err(), (!fits).then_some(expected));
    }
}

#[test]
fn a_guard_is_a_read_and_divides_writers() {
    for (second, fits) in [(Guard::Unless(IS_IP), true), (Guard::If(IS_V6), false), (Guard::Always, false)] {
        let mut b = builder();
        b.ingress(0).alu("one", Guard::If(IS_IP), [], [PORT_OUT], |[]| [1]);
        b.ingress(0).alu("two", second, [], [PORT_OUT], |[]| [2]);
        assert_eq!(b.build().is_ok(), fits);
    }
    let mut b = builder();
    let field = b.field("mine", 1);
    b.ingress(0).alu("one", Guard::If(field), [], [PORT_OUT], |[]| [1]);
    assert!(matches!(b.build(), Err(ProgramError::NotYetWritten { field: "mine", .. })));
}

#[test]
fn what_the_hardware_has_not_is_refused() {
    let add = |cell: &mut u64, []: [u64; 0]| {
        *cell += 1;
        []
    };
    let mut b = builder();
    b.ingress(20).alu("late", Guard::Always, [], [DROP], |[]| [1]);
    assert_eq!(b.build().err(), Some(ProgramError::Stage { name: "late", stage: 20, stages: 20 }));

    let mut b = builder();
    for name in ["a", "b", "c", "d", "e"] {
        let array = b.array(name, 16, 8, 0);
        b.egress(3).register((name, array, PORT_IN), Guard::Always, [], [], add);
    }
    assert!(matches!(b.build(), Err(ProgramError::Limit { what: "register arrays", used: 5, limit: 4, .. })));

    let mut b = builder();
    let array = b.array("big", 1 << 18, 64, 0);
    b.ingress(0).register(("big", array, PORT_IN), Guard::Always, [], [], add);
    assert!(matches!(b.build(), Err(ProgramError::Limit { what: "memory blocks", used: 128, .. })));

    let mut b = builder();
    b.ingress(0).alu("clock", Guard::Always, [], [CLOCK], |[]| [1]);
    assert_eq!(b.build().err(), Some(ProgramError::Given { name: "clock", field: "CLOCK" }));
}

#[test]
fn registers_count_and_wrap_and_fields_are_cut() {
    let mut b = builder();
    let (small, wide) = (b.field("small", 3), b.field("wide", 40));
    let array = b.array("count", 4, 5, 30);
    b.ingress(0).register(
        ("add", array, PORT_IN),
        Guard::Unless(DROP_ME),
        [LENGTH],
        [small, wide],
        |cell, [length]| {
            *cell += 1;
            [*cell, *cell + length]
        },
    );
    let mut pipe = Pipe::new(Arc::new(b.build().expect("fits")), 1, 1);
    let mut phv = pipe.phv();
    (phv[PORT_IN], phv[LENGTH]) = (6, 100);
    for (cell, small_is, wide_is) in [(31, 7, 131), (0, 0, 132), (1, 1, 101)] {
        pipe.run(Gress::Ingress, &mut phv, &[]);
        assert_eq!((pipe.cell(array, 2), phv[small], phv[wide]), (cell, small_is, wide_is));
    }
    phv[DROP_ME] = 1;
    pipe.run(Gress::Ingress, &mut phv, &[]);
    assert_eq!((pipe.cell(array, 2), pipe.cell(array, 1)), (1, 30));
}

/// A field that only the test sets.
const DROP_ME: Field = IS_V6;

#[test]
fn tables_hit_and_miss() {
    let mut b = builder();
    let (hit, port) = (b.field("hit", 1), b.field("port", 9));
    let table = b.table("route", 2, &[(port, 5)]);
    b.ingress(0).exact("look", table, Guard::Always, [DST, SPORT], hit);
    let mut pipe = Pipe::new(Arc::new(b.build().expect("fits")), 1, 1);
    assert!(pipe.insert(table, &[1, 2], &[7]) && pipe.insert(table, &[1, 3], &[8]));
    assert!(!pipe.insert(table, &[1, 4], &[9]), "it is full");
    assert!(pipe.insert(table, &[1, 3], &[9]), "an entry may change");
    let mut phv = pipe.phv();
    for (key, expected) in [([1, 2], (1, 7)), ([1, 3], (1, 9)), ([2, 2], (0, 5))] {
        [phv[DST], phv[SPORT]] = key;
        pipe.run(Gress::Ingress, &mut phv, &[]);
        assert_eq!((phv[hit], phv[port]), expected);
    }
    pipe.remove(table, &[1, 2]);
    assert_eq!(pipe.entries(table), 1);
}

#[test]
fn members_are_selected_evenly_and_chosen_by_load() {
    let mut b = builder();
    let (value, group, other) = (b.field("value", 16), b.field("group", 4), b.field("other", 9));
    let selector = b.selector("up", 4, 8);
    let again = b.selector("load", 4, 8);
    b.ingress(0).random("draw", Guard::Always, value);
    b.ingress(0).alu("group", Guard::Always, [PORT_IN], [group], |[port]| [port]);
    b.ingress(1).select("any", selector, Guard::Always, (group, value), PORT_OUT);
    b.ingress(1).choose("least", again, Guard::Always, (group, []), other, |members, []| {
        (0..members.len()).min_by_key(|at| members[*at].1).unwrap_or(0)
    });
    let mut pipe = Pipe::new(Arc::new(b.build().expect("fits")), 1, 9);
    assert!(pipe.set_group(selector, 1, &[3, 4, 5, 6, 7]) && pipe.set_group(again, 1, &[3, 4, 5]));
    assert!(!pipe.set_group(selector, 1, &[0; 9]) && !pipe.set_group(selector, 4, &[]));
    let mut counts = [0; 16];
    for _ in 0..10_000 {
        let mut phv = pipe.phv();
        phv[PORT_IN] = 1;
        pipe.run(Gress::Ingress, &mut phv, &[0, 0, 0, 9, 8, 8]);
        counts[phv[PORT_OUT] as usize] += 1;
        assert_eq!(phv[other], 4);
    }
    assert!(counts[3..8].iter().all(|count| (1_850..2_150).contains(count)), "{counts:?}");
    assert_eq!(counts.iter().sum::<i32>(), 10_000);
}

#[test]
fn hashes_of_different_seeds_have_nothing_in_common() {
    let mut same = 0;
    for value in 0..4096 {
        let [a, b] = [1, 2].map(|seed| pipe::hash(seed, [value].into_iter()) >> 29);
        same += u32::from(a == b);
    }
    assert!((400..624).contains(&same), "{same} of 4096, 512 expected");
}

#[test]
fn a_choice_may_remember_and_that_is_its_array_s_one_access() {
    let chosen = |accesses: bool| {
        let mut b = builder();
        let group = b.field("group", 4);
        let (selector, memory) = (b.selector("up", 4, 8), b.array("last", 4, 2, 0));
        b.ingress(0).alu("group", Guard::Always, [PORT_IN], [group], |[port]| [port]);
        // Adds the bytes that wait at the first member, and then chooses that member.
        b.ingress(1).choose_with(
            "turn",
            (selector, memory),
            Guard::Always,
            (group, []),
            PORT_OUT,
            |cell, loads, []| {
                *cell += u64::from(loads[0].1);
                (*cell % 4) as usize
            },
        );
        if accesses {
            b.ingress(2).register(("look", memory, group), Guard::Always, [], [], |_, []| []);
        }
        (b.build(), selector, memory)
    };
    let error = ProgramError::TwoAccesses { array: "last", first: "turn", second: "look" };
    assert_eq!(chosen(true).0.err(), Some(error));
    let (program, selector, memory) = chosen(false);
    let mut pipe = Pipe::new(Arc::new(program.expect("fits")), 1, 1);
    assert!(pipe.set_group(selector, 2, &[4, 5, 6, 7]));
    for (port, cell) in [(5, 1), (6, 2), (7, 3), (4, 0), (5, 1)] {
        let mut phv = pipe.phv();
        phv[PORT_IN] = 2;
        pipe.run(Gress::Ingress, &mut phv, &[0, 0, 0, 0, 1, 0, 0, 0]);
        assert_eq!((phv[PORT_OUT], pipe.cell(memory, 2), pipe.cell(memory, 1)), (port, cell, 0));
    }
}

#[test]
fn what_a_program_takes_is_counted() {
    let mut b = builder();
    let (a, c, mixed) = (b.field("a", 8), b.field("c", 3), b.field("mixed", 12));
    let array = b.array("count", 16, 8, 0);
    b.ingress(0)
        .alu("one", Guard::Always, [PORT_IN, DSCP], [a], |[port, _]| [port])
        .hash("mix", Guard::Always, ([SRC, DST], 1), mixed)
        .random("draw", Guard::Always, c);
    // A field of 8 bits, 3 bits, and the index.
    b.ingress(1).register(("add", array, mixed), Guard::Always, [a, c], [PORT_OUT], |cell, _| [*cell]);
    // Both halves share a stage.
    b.egress(0).alu("two", Guard::Always, [ECN], [a, c], |[ecn]| [ecn, 0]);
    let usage = b.build().expect("it keeps the rules").usage();
    assert_eq!((usage.stage_actions, usage.hash_bits), (5, 12));
    assert_eq!((usage.action_reads, usage.action_read_bits), (2, 9 + 6));
    assert_eq!((usage.register_reads, usage.register_read_bits), (3, 8 + 3 + 12));
}
