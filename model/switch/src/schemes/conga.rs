//! CONGA on two tiers (CONGA section 3): flowlets go to the uplink whose path is least congested. Each leaf learns how
//! congested its paths to another leaf are: packets gather the highest metric of the links that they pass, and packets
//! back bring it home.
//!
//! The header is carried in the fields of the ConWeave header ([`crate::packet`]), which every RoCEv2 packet gets at its
//! first leaf and loses at its last. Other packets are balanced like them, but bring no metrics.
//!
//! | CONGA | here |
//! |---|---|
//! | LBTag, the uplink of the first leaf | `CW_PATH`, counted from 1 |
//! | CE, the metric so far | `CW_OPCODE` |
//! | FB_LBTag | `CW_TAIL_TX`, counted from 1; 0: no feedback |
//! | FB_Metric | `CW_TX` |
//!
//! The load of the leaf's own uplinks is measured behind the queues and is wanted before them. Where hardware has no way
//! back, a truncated copy of a packet brings it through the recirculation port: whenever the level of an uplink changes,
//! and once in each age.

mod dre;
mod metrics;
mod spine;

pub(super) use spine::build as build_spine;

use super::route::{self, Route};
use super::{Built, Control, Full, SchemeError, Site, bits};
use crate::kit::{Builder, Guard, Pipe, Profile, Table, intrinsic::*};
use crate::topology::Failed;
use dre::Dre;
use metrics::{METRIC_BITS, MOST_UPLINKS, Metrics};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Options. One clock is 1 ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Conga {
    /// A flow that was silent for longer than so many clocks begins a new flowlet.
    pub gap_clocks: u64,
    /// Entries of the flowlet table.
    pub entries: u32,
    /// Clocks between two decays of a load estimate (DRE).
    pub dre_clocks: u64,
    /// A decay takes one part in so many.
    pub dre_parts: u32,
    /// Clocks after which a metric that nobody renewed is 0; at most twice as many.
    pub age_clocks: u64,
    /// Rate of links between switches.
    pub gbit_per_s: u32,
}

impl Default for Conga {
    /// Gap 100 us, decay of 1/5 every 50 us, age 500 us, 100 Gb/s.
    fn default() -> Self {
        Self {
            gap_clocks: 100_000,
            entries: 65_536,
            dre_clocks: 50_000,
            dre_parts: 5,
            age_clocks: 500_000,
            gbit_per_s: 100,
        }
    }
}

impl Conga {
    /// The load estimate of a link, or what is wrong with the options.
    fn dre(&self) -> Result<Dre, SchemeError> {
        let Self { entries, dre_clocks, dre_parts, age_clocks, gbit_per_s, .. } = *self;
        let options = [
            ("entries", u64::from(entries)),
            ("dre-clocks", dre_clocks),
            ("dre-parts", dre_parts.into()),
            ("age-clocks", age_clocks),
            ("gbit-per-s", gbit_per_s.into()),
        ];
        for (option, value) in options {
            if value == 0 || value > 1 << 32 {
                return Err(SchemeError::Option { option, value, possible: "1 to 2^32" });
            }
        }
        // C x tau, tau = T/alpha, in bytes (CONGA section 3.2).
        let full = u128::from(gbit_per_s) * u128::from(dre_clocks) * u128::from(dre_parts) / 8;
        let full_bytes = u64::try_from(full).unwrap_or(u64::MAX).clamp(1, u32::MAX.into());
        Ok(Dre { full_bytes, dre_clocks, parts: dre_parts.into(), age_clocks })
    }
}

/// The control plane of a leaf.
struct Leaf {
    site: Site,
    route: Route,
    sources: Table,
    reach: Table,
}

/// The program of a leaf.
pub(super) fn build(options: &Conga, site: Site, profile: Profile) -> Result<Built, SchemeError> {
    if site.topology.is_fat_tree() {
        return Err(SchemeError::TwoTiers);
    }
    let up = site.up();
    if up > MOST_UPLINKS {
        return Err(SchemeError::Ports { up, most: MOST_UPLINKS });
    }
    let dre = options.dre()?;
    let Conga { gap_clocks, entries, age_clocks, .. } = *options;
    let mut b = Builder::new("conga", profile);
    let route = route::add(&mut b, &site);
    let (leaves, hosts) = (site.targets(), site.topology.hosts() as usize);
    let first_port = u64::from(site.topology.up_ports(site.switch).start);
    let recirculation = u64::from(site.topology.ports(site.switch));

    // A copy that comes back: uplink, counted from 1, and its level.
    let (report, report_level) = (b.carried("report", 4), b.carried("report level", METRIC_BITS));
    let (epoch, zero) = (b.field("epoch", 4), b.field("zero", 1));
    let (source, peer) = (b.field("source leaf", bits(leaves)), b.field("peer leaf", bits(leaves)));
    let found = ["has source", "has reach"].map(|name| b.field(name, 1));
    let [goes_up, arrives, takes_part] = ["goes up", "arrives", "takes part"].map(|name| b.field(name, 1));
    let reachable = b.field("reachable", up as u32);
    let (index, draw) = (b.field("index", bits(entries)), b.field("draw", 16));
    let (feedback_tag, feedback) = (b.field("feedback tag", 4), b.field("feedback", METRIC_BITS));
    let all = METRIC_BITS * MOST_UPLINKS as u32;
    let (remote, local) = (b.field("remote", all), b.field("local", all));
    let (best, uplink) = (b.field("best", up as u32), b.field("uplink", 4));
    let sources = b.table("sources", hosts, &[(source, 0)]);
    let reach = b.table("reach", leaves as usize, &[(reachable, 0)]);
    let [from_leaf, to_leaf] =
        ["congestion from leaf", "congestion to leaf"].map(|name| b.array(name, leaves as usize, 64, 0));
    let own = b.array("own uplinks", 1, 64, 0);
    let flowlets = b.array("flowlets", entries as usize, 64, 0);

    b.ingress(0)
        .exact("source", sources, Guard::If(IS_IP), [SRC_HIGH, SRC], found[0])
        .alu("epoch", Guard::Always, [CLOCK], [epoch], move |[clock]| [clock / age_clocks])
        .alu("zero", Guard::Always, [], [zero], |[]| [0]);
    b.ingress(1)
        .exact("reach", reach, Guard::If(route.is_known), [route.target], found[1])
        .hash("flow", Guard::Always, ([SRC_HIGH, SRC, DST_HIGH, DST, SPORT, DPORT], site.hash_seed()), index)
        .random("draw", Guard::Always, draw)
        .alu(
            "kind",
            Guard::If(route.is_known),
            [route.is_down, CW_VALID, report],
            [goes_up, arrives, takes_part],
            |[is_down, has_header, report]| {
                let goes_up = is_down == 0 && report == 0;
                let arrives = is_down == 1 && has_header == 1 && report == 0;
                [goes_up, arrives, goes_up || arrives].map(u64::from)
            },
        )
        .alu("peer", Guard::Always, [route.is_down, source, route.target], [peer], |[down, from, to]| {
            [if down == 1 { from } else { to }]
        });
    let is_part = Guard::If(takes_part);
    b.ingress(2)
        .register(
            ("heard", from_leaf, peer),
            is_part,
            [epoch, goes_up, CW_PATH, CW_OPCODE],
            [feedback_tag, feedback],
            move |cell, [epoch, goes_up, path, metric]| {
                let mut heard = Metrics::of(*cell, epoch);
                let told = match goes_up {
                    1 => heard.tell(up),
                    _ => {
                        heard.set(path.wrapping_sub(1), metric);
                        [0, 0]
                    }
                };
                *cell = heard.cell();
                told
            },
        )
        .register(
            ("told", to_leaf, peer),
            is_part,
            [epoch, goes_up, CW_TAIL_TX, CW_TX],
            [remote],
            |cell, [epoch, goes_up, tag, metric]| {
                let mut paths = Metrics::of(*cell, epoch);
                if goes_up == 0 {
                    paths.set(tag.wrapping_sub(1), metric);
                }
                *cell = paths.cell();
                [paths.all()]
            },
        )
        .register(
            ("own", own, zero),
            Guard::Always,
            [epoch, report, report_level],
            [local],
            |cell, [epoch, report, level]| {
                let mut links = Metrics::of(*cell, epoch);
                links.set(report.wrapping_sub(1), level);
                *cell = links.cell();
                [links.all()]
            },
        );
    let headers = [CW_VALID, CW_PATH, CW_OPCODE, CW_TX, CW_TAIL_TX];
    b.ingress(3)
        .alu("best", Guard::If(goes_up), [local, remote, reachable], [best], |[local, remote, reachable]| {
            [metrics::best(local, remote, reachable)]
        })
        .alu("strip", Guard::If(arrives), [], headers, |[]| [0; 5])
        .alu("end report", Guard::If(report), [], [DROP], |[]| [1]);
    b.ingress(4).register(
        ("flowlet", flowlets, index),
        Guard::If(goes_up),
        [CLOCK, best, reachable, draw],
        [uplink],
        move |cell, [clock, best, reachable, draw]| {
            let (last, was_used, before) = (*cell >> 16, *cell >> 4 & 1, *cell & 0xF);
            let silent = clock.wrapping_sub(last) & (u64::MAX >> 16);
            let has = |set: u64| was_used == 1 && set >> before & 1 == 1;
            // A new flowlet stays where it was if that is as good as any (CONGA section 3.5).
            let stays = if silent <= gap_clocks { has(reachable) } else { has(best) };
            let uplink = if stays { before } else { metrics::any(best, draw) };
            *cell = clock << 16 | 1 << 4 | uplink;
            [uplink]
        },
    );
    b.ingress(5).alu(
        "send",
        Guard::If(goes_up),
        [uplink, IS_ROCE, feedback_tag, feedback],
        [PORT_OUT, CW_VALID, CW_PATH, CW_OPCODE, CW_TX, CW_TAIL_TX],
        move |[uplink, is_roce, tag, feedback]| [first_port + uplink, is_roce, uplink + 1, 0, feedback, tag],
    );

    let (measured, level, tells) =
        (b.field("measured", 1), b.field("level", METRIC_BITS), b.field("tells", 1));
    let loads = b.array("load", up, 64, 0);
    b.egress(0).alu(
        "measured",
        Guard::Always,
        [goes_up, PASS],
        [measured, level, tells],
        // Not the copies, which have all fields of the packet.
        |[goes_up, pass]| [u64::from(goes_up == 1 && pass != 3), 0, 0],
    );
    b.egress(1).register(
        ("estimate", loads, uplink),
        Guard::If(measured),
        [CLOCK, LENGTH],
        [level, tells],
        move |cell, [clock, length]| dre.add(cell, clock, length),
    );
    b.egress(2)
        .alu("mark", Guard::If(measured), [level, CW_OPCODE], [CW_OPCODE], |[level, metric]| {
            [metric.max(level)]
        })
        .alu(
            "report",
            Guard::If(tells),
            [uplink, level],
            [MIRROR, MIRROR_PORT, MIRROR_BYTES, report, report_level],
            move |[uplink, level]| [1, recirculation, 12, uplink + 1, level],
        );
    let program = Arc::new(b.build()?);
    Ok(Built { program, control: Box::new(Leaf { site, route, sources, reach }) })
}

impl Control for Leaf {
    fn start(&self, _: &mut Pipe) {}

    fn fill(&self, pipe: &mut Pipe, failed: &Failed) -> Result<(), Full> {
        let Self { site, route, sources, reach } = self;
        route.fill(site, pipe, failed)?;
        for (host, address) in (0..).zip(site.addresses.iter()) {
            let leaf = host / site.topology.hosts_per_edge();
            if !pipe.insert(*sources, address, &[leaf.into()]) {
                return Err(Full { table: "sources" });
            }
        }
        for leaf in 0..site.targets() {
            let weights = (0..).zip(site.weights(failed, leaf));
            let mask = weights.map(|(up, weight)| u64::from(weight > 0) << up).sum();
            if !pipe.insert(*reach, &[leaf.into()], &[mask]) {
                return Err(Full { table: "reach" });
            }
        }
        Ok(())
    }
}
