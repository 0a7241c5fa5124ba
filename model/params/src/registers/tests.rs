use super::offsets::QUERY;
use super::*;
use crate::{EvMode, NsccCsr, Signals};
use std::collections::HashSet;

#[test]
fn registers_lie_in_pages_aligned_and_apart() {
    let mut taken = HashSet::new();
    let mut names = HashSet::new();
    for register in registers() {
        // Values of several words do not straddle the words of one 64-bit access.
        let align = if register.words() > 1 { 2 * WORD } else { WORD };
        assert_eq!(register.offset % align, 0, "{}", register.name);
        assert!(names.insert(&register.name), "{} twice", register.name);
        let page = pages().iter().find(|page| page.range().contains(&register.offset));
        let page = page.unwrap_or_else(|| panic!("{} is in no page", register.name));
        for offset in register.offsets() {
            assert!(taken.insert(offset), "{} lies on another", register.name);
            assert!(page.range().contains(&offset), "{} leaves its page", register.name);
            assert_eq!(at(offset).map(|(found, _)| &found.name), Some(&register.name));
        }
        let shown = matches!(page.kind, Kind::Shown | Kind::Counted);
        assert_eq!(register.access == Access::ReadOnly, shown, "{}", register.name);
        assert_eq!(register.is_counter(), page.kind == Kind::Counted, "{}", register.name);
        assert!(register.bits == 128 || register.reset >> register.bits == 0, "{}", register.name);
    }
    assert!(at(0x03C).is_none());
    assert!(pages().is_sorted_by(|a, b| a.offset + PAGE <= b.offset));
    assert!(pages().iter().all(|page| page.offset % PAGE == 0));
}

/// The reset values describe one network, that of `weft params` without a flag.
#[test]
fn reset_values_are_of_one_network() {
    let csr = crate::Setup::default().csr().expect("the default network");
    for (offset, value) in writes(&csr) {
        let (register, word) = at(offset).expect("a register");
        assert_eq!(register.word(word), value, "{}", register.name);
    }
}

#[test]
fn fields_lie_inside_and_apart() {
    for register in registers() {
        let mut taken = 0u128;
        for field in register.fields {
            let mask = ((1u128 << field.width) - 1) << field.lsb;
            assert_eq!(taken & mask, 0, "{}.{}", register.name, field.name);
            assert!(field.lsb + field.width <= register.bits, "{}.{}", register.name, field.name);
            assert_eq!(register.field(field.name), Some(field));
            taken |= mask;
        }
    }
}

#[test]
fn a_connections_number_has_room_for_every_shape() {
    let most = crate::CONNECTIONS.into_iter().max().expect("shapes");
    let holds = |bits: u32| assert!(most <= 1 << bits, "{bits} bits are less than {most} connections need");
    holds(at(QUERY).expect("a register").0.bits);
    let connections = registers().iter().find(|register| register.name == "connections").expect("a register");
    assert!(u64::from(most) >> connections.bits == 0);
    let numbers = registers().iter().flat_map(|register| register.fields.iter());
    let numbers: Vec<_> = numbers.filter(|field| field.name == "connection").collect();
    assert!(!numbers.is_empty());
    numbers.iter().for_each(|field| holds(field.width));
}

#[test]
fn ports_are_filled_without_a_gap() {
    for register in registers() {
        let Some(port) = &register.port else { continue };
        let mut filled = vec![0; port.width as usize];
        for part in registers().iter().filter_map(|part| part.port.as_ref()) {
            if part.name == port.name {
                let bits = part.lsb as usize..(part.lsb + part.bits) as usize;
                filled[bits].iter_mut().for_each(|times| *times += 1);
            }
        }
        assert!(filled.iter().all(|&times| times == 1), "{}", port.name);
        // The upper bits of two numbers are on the port only if the window has more than 256 PSNs.
        let of_larger = if register.name == "query_packets" { VIEW_MORE_BITS } else { 0 };
        assert!(register.is_counter() || port.bits + of_larger == register.bits, "{}", register.name);
    }
}

#[test]
fn writes_and_decode_are_inverse() {
    let mut words = std::collections::HashMap::new();
    let mut csr = NicCsr { tick_shift: 9, ..NicCsr::default() };
    csr.ingress.ipv6 = 0x2001_0DB8_0000_0000_0000_0000_0000_0001;
    csr.egress.mac = 0x0200_1234_5678;
    csr.receiver.sack.ack_packets = 7;
    csr.sender.mtu_shift = 10;
    csr.sender.sack.mtu_bytes = 1 << 10;
    csr.sender.reps.mode = EvMode::Reps2024;
    csr.sender.reps.trimming = false;
    csr.sender.smartt.signals = Signals::Delay;
    csr.sender.smartt.classes[3].fair_increase = 0x2AAA_AAAA;
    for (offset, word) in writes(&csr) {
        assert_eq!(words.insert(offset, word), None);
    }
    assert_eq!(decode(|offset| words[&offset]), csr);
    assert_ne!(decode(|offset| words[&offset] ^ 1), csr);
    let reset = |offset| {
        let (register, word) = at(offset).expect("of a register");
        (register.reset >> (32 * word)) as u32
    };
    assert_eq!(decode(reset), NicCsr::default());
}

/// If a constant of NSCC changes, the port of the table changes, and no other port.
#[test]
fn the_table_of_nscc_says_where_its_constants_are() {
    type Change = fn(&mut NsccCsr);
    let changes: [(&str, Change); 13] = [
        ("mtu", |csr| csr.classes[2].mtu_bytes ^= 1),
        ("max_cwnd", |csr| csr.classes[2].max_cwnd_bytes ^= 1),
        ("fair_decrease", |csr| csr.classes[2].fast_increase ^= 1),
        ("base_rtt", |csr| csr.classes[2].base_rtt_ticks ^= 1),
        ("target_rtt", |csr| csr.classes[2].target_delay_ticks ^= 1),
        ("fast_rtt", |csr| csr.classes[2].calm_delay_ticks ^= 1),
        ("multiplicative_increase", |csr| csr.classes[2].proportional_increase ^= 1),
        ("fair_increase", |csr| csr.classes[2].fair_increase ^= 1),
        ("multiplicative_decrease", |csr| csr.gamma ^= 1),
        ("wtd_alpha", |csr| csr.delay_alpha ^= 1),
        ("wtd_alphas", |csr| csr.delay_alphas[7] ^= 1),
        ("wtd_threshold", |csr| csr.eta ^= 1),
        ("late_losses", |csr| csr.adapt_by_delay ^= true),
    ];
    let with = |csr: &NsccCsr| {
        let mut nic = NicCsr::default();
        nic.sender.smartt = csr.as_smartt();
        writes(&nic)
    };
    let usual = NsccCsr::default();
    for (name, change) in changes {
        let mut csr = usual;
        change(&mut csr);
        let pairs = with(&usual).into_iter().zip(with(&csr)).filter(|(before, after)| before != after);
        let ports: Vec<_> = pairs.filter_map(|((offset, _), _)| at(offset)?.0.port.clone()).collect();
        assert_eq!(ports.len(), 1, "{name}");
        assert_eq!(ports[0].name, format!("cfg_smartt_{name}"));
    }
    let read = nscc::WORDS.iter().filter(|(_, meaning)| *meaning != nscc::NONE).map(|(name, _)| *name);
    assert_eq!(read.collect::<HashSet<_>>(), changes.map(|(name, _)| name).into());
    let told = registers().iter().filter(|register| register.with_nscc().is_some()).count();
    assert_eq!(told, nscc::WORDS.len() + 3 * 8, "four classes have eight each");
}

#[test]
fn counters_are_found_by_block() {
    assert_eq!(counters().count(), COUNTERS);
    let names = |block| {
        counters_of(block).map(|index| counters().nth(index).unwrap().name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names("sack_rx"), ["sack_rx_not_open_events", "sack_rx_duplicates", "sack_rx_outside"]);
    assert_eq!(names("smartt"), ["smartt_not_open_events"]);
    assert_eq!((names("ingress").len(), names("rtt").len()), (16, 16));
    assert!(counters_of("nothing").is_empty());
}

#[test]
fn staging_writes_every_word_of_its_page_once() {
    let staged = Staged {
        peer_address: u128::MAX,
        peer_v6: true,
        peer_mac: 0xFFFF_FFFF_FFFF,
        peer_tag: Some(0xFFFF),
        peer_pkey: Some(0xFFFF),
        peer_qp: 0xFF_FFFF,
        send_psn: 0xFF_FFFF,
        receive_psn: 0xFF_FFFF,
        region_base: u64::MAX,
        region_length: u32::MAX,
        region_key: u32::MAX,
        class: 3,
        ev: 0xFFFF,
        seed: u32::MAX,
    };
    let writes = staged.writes();
    let offsets: HashSet<_> = writes.iter().map(|&(offset, _)| offset).collect();
    assert_eq!((writes.len(), offsets.len()), (17, 17));
    for (offset, word) in writes {
        let (register, index) = at(offset).unwrap();
        assert_eq!(word, register.mask(index), "{}", register.name);
    }
}

#[test]
fn control_words_have_the_widths_of_the_contract() {
    let widths = controls().map(|control| (control.name, control.bits()));
    let wanted =
        [("ingress_peer", 163), ("egress_peer", 234), ("receiver_control", 153), ("sender_control", 77)];
    assert_eq!(widths, wanted);
}
