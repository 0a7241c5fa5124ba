//! DRILL(2,1): two random next hops and the remembered one (DRILL section 3; ConWeave section 4.1 compares
//! with it).

use super::contract::{Built, SchemeError, Site};
use super::next_hops::{self, Form, Groups};
use crate::kit::{Builder, Guard, Profile, intrinsic::*};
use std::sync::Arc;

/// The program: one memory for each group. Among equals, the remembered next hop is chosen first: changing without gain
/// would reorder packets.
pub(super) fn build(site: Site, profile: Profile) -> Result<Built, SchemeError> {
    let mut b = Builder::new("drill", profile);
    let hops = next_hops::add(&mut b, &site);
    let (first, second) = (b.field("first sample", 16), b.field("second sample", 16));
    let groups = site.targets() as usize;
    let selector = b.selector("next hops", groups, site.up());
    let memory = b.array("best", groups, 8, 0);
    b.ingress(1).random("first", Guard::Always, first).random("second", Guard::Always, second);
    b.ingress(2).choose_with(
        "up port",
        (selector, memory),
        Guard::If(hops.route.is_up),
        (hops.group, [first, second]),
        PORT_OUT,
        |best, ports, [first, second]| {
            let count = ports.len() as u64;
            let first = (first * count) >> 16;
            // Another one than the first next hop, if there is one.
            let second = (first + 1 + ((second * (count - 1)) >> 16)) % count;
            let candidates = [*best % count, first, second];
            let chosen = candidates.into_iter().min_by_key(|at| ports[*at as usize].1).unwrap_or(0);
            *best = chosen;
            chosen as usize
        },
    );
    let program = Arc::new(b.build()?);
    let form = Form::Members(selector, 1);
    Ok(Built { program, control: Box::new(Groups { site, hops, form, pointers: Some(memory) }) })
}
