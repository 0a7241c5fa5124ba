//! A leaf chooses the uplink of a flowlet, and learns from the feedback.

use super::metrics::{self, METRIC_BITS, MOST_UPLINKS, Metrics};
use super::options::Conga;
use crate::kit::{Builder, Guard, Pipe, Profile, Table, intrinsic::*};
use crate::schemes::contract::{Built, Control, Full, SchemeError, Site, bits};
use crate::schemes::route::{self, Route};
use crate::topology::Failed;
use std::sync::Arc;

/// The control plane of a leaf.
struct Leaf {
    site: Site,
    route: Route,
    sources: Table,
    reach: Table,
}

/// The program of a leaf.
pub(crate) fn build(options: &Conga, site: Site, profile: Profile) -> Result<Built, SchemeError> {
    Conga::suits(&site.topology)?;
    let up = site.up();
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
            // A new flowlet stays on its uplink if that uplink is as good as any (CONGA section 3.5).
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
        // The condition excludes the copies, which have all fields of the packet.
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
