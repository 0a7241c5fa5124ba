//! JSQ and its quantised form: the next hop where the least waits.

use super::contract::{Built, SchemeError, Site};
use super::next_hops::{self, Form, Groups};
use crate::kit::{Builder, Guard, Profile, intrinsic::*};
use std::sync::Arc;

/// The default size of a port's buffer.
pub(super) const BUFFER_BYTES: u32 = 800_000;

/// Lower bounds of the levels, in bytes.
pub(super) fn levels(buffer_bytes: u32, percent: [u8; 3]) -> Result<[u32; 3], SchemeError> {
    if buffer_bytes == 0 {
        return Err(SchemeError::Option { option: "buffer-bytes", value: 0, possible: "1 or more" });
    }
    let is_rising = percent[0] > 0 && percent.is_sorted() && percent[2] <= 100;
    if !is_rising {
        let possible = "three numbers, none below the one before, from 1 to 100";
        return Err(SchemeError::Option { option: "percent", value: percent[0].into(), possible });
    }
    Ok(percent.map(|share| (u64::from(buffer_bytes) * u64::from(share) / 100) as u32))
}

/// The program. Levels all 0: bytes are not quantised.
pub(super) fn build(site: Site, profile: Profile, levels: [u32; 3]) -> Result<Built, SchemeError> {
    let is_exact = levels == [0; 3];
    let mut b = Builder::new(if is_exact { "jsq" } else { "quantised" }, profile);
    let hops = next_hops::add(&mut b, &site);
    let draw = b.field("draw", 16);
    let selector = b.selector("next hops", site.targets() as usize, site.up());
    let level = move |bytes: u32| match is_exact {
        true => bytes,
        false => levels.iter().filter(|level| bytes >= **level).count() as u32,
    };
    b.ingress(1).random("draw", Guard::Always, draw);
    b.ingress(2).choose(
        "up port",
        selector,
        Guard::If(hops.route.is_up),
        (hops.group, [draw]),
        PORT_OUT,
        move |ports, [draw]| least(ports, draw, level),
    );
    let program = Arc::new(b.build()?);
    let form = Form::Members(selector, 1);
    Ok(Built { program, control: Box::new(Groups { site, hops, form, pointers: None }) })
}

/// The index of the port of the least level, one of several by 16 random bits.
pub(crate) fn least(ports: &[(u64, u32)], draw: u64, level: impl Fn(u32) -> u32) -> usize {
    let best = ports.iter().map(|(_, bytes)| level(*bytes)).min();
    let is_best = |bytes: u32| Some(level(bytes)) == best;
    let count = ports.iter().filter(|(_, bytes)| is_best(*bytes)).count() as u64;
    let nth = (draw * count) >> 16;
    let mut among = ports.iter().enumerate().filter(|(_, (_, bytes))| is_best(*bytes));
    among.nth(nth as usize).map_or(0, |(at, _)| at)
}
