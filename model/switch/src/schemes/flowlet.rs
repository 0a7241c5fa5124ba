//! LetFlow: a random next hop for every flowlet (LetFlow section 3; ConWeave section 4.1 compares with it).

use super::contract::{Built, SchemeError, Site, bits};
use super::next_hops::{self, Form, Groups};
use crate::kit::{Builder, Guard, Profile, intrinsic::*};
use std::sync::Arc;

/// Refuses options out of range.
pub(super) fn check(entries: u32) -> Result<(), SchemeError> {
    match (1..=1 << 20).contains(&entries) {
        true => Ok(()),
        false => {
            let (option, possible) = ("entries", "1 to 1048576");
            Err(SchemeError::Option { option, value: entries.into(), possible })
        }
    }
}

/// The program. For each hash of a flow, the table has the time of the last packet and a random value that
/// determines the next hop. If the next hop fails, the flowlet therefore continues by another one.
pub(super) fn build(
    site: Site,
    profile: Profile,
    gap_clocks: u64,
    entries: u32,
) -> Result<Built, SchemeError> {
    check(entries)?;
    let mut b = Builder::new("letflow", profile);
    let hops = next_hops::add(&mut b, &site);
    let index = b.field("index", bits(entries));
    let (draw, value) = (b.field("draw", 16), b.field("value", 16));
    let flowlets = b.array("flowlets", entries as usize, 64, 0);
    let selector = b.selector("next hops", site.targets() as usize, site.up());
    let flow = [SRC_HIGH, SRC, DST_HIGH, DST, SPORT, DPORT];
    let is_up = Guard::If(hops.route.is_up);
    b.ingress(1).hash("flow", Guard::Always, (flow, site.hash_seed()), index).random(
        "draw",
        Guard::Always,
        draw,
    );
    let apply = move |cell: &mut u64, [clock, draw]: [u64; 2]| {
        let (last, value) = (*cell >> 16, *cell & 0xFFFF);
        // The clock has 48 bits; a cell that is 0 was never used.
        let silent = clock.wrapping_sub(last) & (u64::MAX >> 16);
        let value = if *cell == 0 || silent > gap_clocks { draw } else { value };
        *cell = clock << 16 | value;
        [value]
    };
    b.ingress(2).register(("flowlet", flowlets, index), is_up, [CLOCK, draw], [value], apply);
    b.ingress(3).select("up port", selector, is_up, (hops.group, value), PORT_OUT);
    let program = Arc::new(b.build()?);
    let form = Form::Members(selector, 1);
    Ok(Built { program, control: Box::new(Groups { site, hops, form, pointers: None }) })
}
