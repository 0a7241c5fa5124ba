//! A spine: routes, and marks packets with the load of the link down.

use super::dre::Dre;
use super::metrics::METRIC_BITS;
use super::options::Conga;
use crate::kit::{Builder, Guard, Profile, intrinsic::*};
use crate::schemes::contract::{Built, SchemeError, Site};
use crate::schemes::route;

/// The program of a spine.
pub(crate) fn build(options: &Conga, site: Site, profile: Profile) -> Result<Built, SchemeError> {
    let dre: Dre = options.dre()?;
    let mut b = Builder::new("conga-spine", profile);
    let route = route::add(&mut b, &site);
    let (level, tells) = (b.field("level", METRIC_BITS), b.field("tells", 1));
    let loads = b.array("load", usize::from(site.topology.ports(site.switch)), 64, 0);
    b.egress(0).register(
        ("estimate", loads, route.down_port),
        Guard::If(route.is_down),
        [CLOCK, LENGTH],
        [level, tells],
        move |cell, [clock, length]| dre.add(cell, clock, length),
    );
    b.egress(1).alu("mark", Guard::If(CW_VALID), [level, CW_OPCODE], [CW_OPCODE], |[level, metric]| {
        [metric.max(level)]
    });
    Ok(route::routes_only(site, route, b.build()?))
}
