//! ECMP, W-ECMP and RSQ: a value chooses among next hops; it is a hash of the flow, or random.

use super::contract::{Built, SchemeError, Site};
use super::next_hops::{self, Form, Groups};
use crate::kit::{Builder, Guard, Profile, intrinsic::*};
use std::sync::Arc;

/// The value that chooses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    /// A hash of addresses and ports.
    Flow,
    /// A new random value for each packet.
    Random,
}

/// Members of a weighted group: enough for exact weights up to k = 22, and 32 blocks of memory at k = 64.
pub(super) const WEIGHTED_MEMBERS: usize = 128;

/// Builds the program. `members` above 1: weighted groups with this number of members.
pub(super) fn build(
    site: Site,
    profile: Profile,
    value: Value,
    members: usize,
) -> Result<Built, SchemeError> {
    let name = match (value, members) {
        (Value::Random, _) => "rsq",
        (Value::Flow, 1) => "ecmp",
        (Value::Flow, _) => "wecmp",
    };
    let mut b = Builder::new(name, profile);
    let hops = next_hops::add(&mut b, &site);
    let choice = b.field("value", 16);
    let selector = b.selector("next hops", site.targets() as usize, members.max(site.up()));
    let flow = [SRC_HIGH, SRC, DST_HIGH, DST, SPORT, DPORT];
    match value {
        Value::Flow => b.ingress(1).hash("flow", Guard::Always, (flow, site.hash_seed()), choice),
        Value::Random => b.ingress(1).random("random", Guard::Always, choice),
    };
    b.ingress(2).select("up port", selector, Guard::If(hops.route.is_up), (hops.group, choice), PORT_OUT);
    let program = Arc::new(b.build()?);
    let form = Form::Members(selector, members);
    Ok(Built { program, control: Box::new(Groups { site, hops, form, pointers: None }) })
}
