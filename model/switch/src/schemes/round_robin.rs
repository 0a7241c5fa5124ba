//! Next hops in turn: SIMPLE RR of OFAN section 6.1 and its SWITCH PKT, in which the order changes.

use super::contract::{Built, SchemeError, Site, bits};
use super::next_hops::{self, Form, Groups};
use crate::kit::{Builder, Guard, Profile, intrinsic::*};
use std::sync::Arc;

/// One pointer for each group.
pub(super) fn build(site: Site, profile: Profile) -> Result<Built, SchemeError> {
    let mut b = Builder::new("round-robin", profile);
    let hops = next_hops::add(&mut b, &site);
    let groups = site.targets() as usize;
    let (at, found) = (b.field("at", bits(site.up() as u32)), b.field("found", 1));
    let pointer = b.array("pointer", groups, 8, 0);
    let slots = b.table("next hops", groups * site.up(), &[(PORT_OUT, 0)]);
    let is_up = Guard::If(hops.route.is_up);
    b.ingress(2).register(("turn", pointer, hops.group), is_up, [hops.size], [at], |cell, [size]| {
        // A group may have become smaller.
        let at = if *cell < size { *cell } else { 0 };
        *cell = at + 1;
        [at]
    });
    b.ingress(3).exact("up port", slots, is_up, [hops.group, at], found);
    let program = Arc::new(b.build()?);
    let control = Groups { site, hops, form: Form::Slots(slots), pointers: Some(pointer) };
    Ok(Built { program, control: Box::new(control) })
}

/// Refuses options out of range.
pub(super) fn check(turns: u8, orders: u8) -> Result<(), SchemeError> {
    match [("turns", turns), ("orders", orders)].into_iter().find(|(_, value)| *value == 0) {
        Some((option, _)) => Err(SchemeError::Option { option, value: 0, possible: "1 to 255" }),
        None => Ok(()),
    }
}

/// Builds the program with permuted orders: after `turns` turns, a random one of `orders` orders.
pub(super) fn build_permuted(
    site: Site,
    profile: Profile,
    turns: u8,
    orders: u8,
) -> Result<Built, SchemeError> {
    check(turns, orders)?;
    let mut b = Builder::new("permuted-round-robin", profile);
    let hops = next_hops::add(&mut b, &site);
    let (groups, up) = (site.targets() as usize, site.up());
    let at = b.field("at", bits(up as u32));
    let (number, order) = (b.field("number", bits(up as u32)), b.field("order", bits(orders.into())));
    let (draw, found, found_port) = (b.field("draw", 16), b.field("found order", 1), b.field("found", 1));
    // Number of the next hop 8, turns used 8, order 8.
    let pointer = b.array("pointer", groups, 24, 0);
    let numbers = b.table("orders", usize::from(orders) * up * (up + 1) / 2, &[(number, 0)]);
    let slots = b.table("next hops", groups * up, &[(PORT_OUT, 0)]);
    let is_up = Guard::If(hops.route.is_up);
    let (turns, count) = (u64::from(turns), u64::from(orders));
    b.ingress(1).random("draw", Guard::Always, draw);
    let step = move |cell: &mut u64, [size, draw]: [u64; 2]| {
        let (mut at, mut taken, mut order) = (*cell & 0xFF, *cell >> 8 & 0xFF, *cell >> 16);
        if at >= size {
            (at, taken) = (0, taken + 1);
        }
        if taken >= turns {
            (taken, order) = (0, (draw * count) >> 16);
        }
        *cell = order << 16 | taken << 8 | (at + 1);
        [at, order]
    };
    b.ingress(2).register(("turn", pointer, hops.group), is_up, [hops.size, draw], [at, order], step);
    b.ingress(3).exact("permute", numbers, is_up, [hops.size, order, at], found);
    b.ingress(4).exact("up port", slots, is_up, [hops.group, number], found_port);
    let program = Arc::new(b.build()?);
    let form = Form::Orders { slots, orders: numbers, count: orders };
    Ok(Built { program, control: Box::new(Groups { site, hops, form, pointers: Some(pointer) }) })
}
