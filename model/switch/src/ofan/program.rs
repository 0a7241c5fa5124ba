//! The program of a switch.
//!
//! | stage | what |
//! |---|---|
//! | 0 | route and queue ([`route`]), class of size (rule 2) |
//! | 1 | the target's schedule and reachability bits; number of the pointer (rule 1); for packets that go down: the port |
//! | 2 | the schedule's weights; shortest queue, if requested (rule 9) |
//! | 3 | the pointer: one step (rule 4) |
//! | 4 | the port of the slot |

use super::control::Rotation;
use super::options::{First, Ofan, Schedules};
use super::schedule::{MOST_SLOTS, POINTER_BITS, Step, WORD_BITS};

use crate::kit::{Builder, Guard, Profile, intrinsic::*};
use crate::schemes::contract::{Built, SchemeError, Site, bits};
use crate::schemes::{adaptive, route};
use std::sync::Arc;

/// Maximum number of classes of packet size.
const MOST_CLASSES: usize = 4;

impl Ofan {
    /// Refuses options out of range.
    pub(crate) fn check(&self) -> Result<(), SchemeError> {
        let bounds = &self.classes.0;
        if bounds.len() >= MOST_CLASSES || !bounds.is_sorted() {
            let possible = "at most three bounds, none below the one before";
            return Err(SchemeError::Option { option: "classes", value: bounds.len() as u64, possible });
        }
        Ok(())
    }

    /// The program of a switch with ports up, and its control plane.
    pub(crate) fn build(&self, site: Site, profile: Profile) -> Result<Built, SchemeError> {
        build(self, site, profile)
    }
}

fn build(options: &Ofan, site: Site, profile: Profile) -> Result<Built, SchemeError> {
    let up = site.up();
    if up > MOST_SLOTS {
        return Err(SchemeError::Ports { up, most: MOST_SLOTS });
    }
    options.check()?;
    let bounds = &options.classes.0;
    let classes = bounds.len() as u64 + 1;
    let mut limits = [u64::MAX; MOST_CLASSES - 1];
    limits.iter_mut().zip(bounds).for_each(|(limit, bound)| *limit = u64::from(*bound));

    let mut b = Builder::new("ofan", profile);
    let route = route::add(&mut b, &site);
    let targets = site.targets();
    let rows = match options.schedules {
        Schedules::PerPod => site.topology.pods(),
        Schedules::PerDestination => targets,
    };
    let pointer_count = targets as usize * classes as usize;
    let class = b.field("class", 2);
    let (row, mask) = (b.field("row", bits(rows)), b.field("reachable", up as u32));
    let pointer_number = b.field("pointer number", bits(pointer_count as u32));
    let words = ["weights 0", "weights 1", "weights 2"].map(|name| b.field(name, WORD_BITS));
    let (shortest, draw) = (b.field("shortest", 9), b.field("draw", 16));
    let slot = b.field("slot", bits(up as u32));
    let found = ["has target", "has schedule", "has port"].map(|name| b.field(name, 1));
    let target_table = b.table("targets", targets as usize, &[(row, 0), (mask, 0)]);
    let weights = b.table("schedules", rows as usize, &words.map(|word| (word, 0)));
    let slots = b.table("slots", rows as usize * up, &[(PORT_OUT, 0)]);
    let queues = b.selector("up ports", 1, up);
    let pointers = b.array("pointers", pointer_count, POINTER_BITS, 0);

    b.ingress(0).alu("class", Guard::Always, [LENGTH], [class], move |[length]| {
        [limits.iter().filter(|limit| length > **limit).count() as u64]
    });
    b.ingress(1).exact("target", target_table, Guard::If(route.is_known), [route.target], found[0]).alu(
        "pointer",
        Guard::Always,
        [route.target, class],
        [pointer_number],
        move |[target, class]| [target * classes + class],
    );
    let is_up = Guard::If(route.is_up);
    b.ingress(2).exact("schedule", weights, is_up, [row], found[1]);
    let first_port = u64::from(site.topology.up_ports(site.switch).start);
    let shortest_first = options.first == First::ShortestQueue;
    if shortest_first {
        let none = b.field("group", 1);
        b.ingress(0).alu("group", Guard::Always, [], [none], |[]| [0]);
        b.ingress(1).random("draw", Guard::Always, draw);
        b.ingress(2).choose("shortest", queues, is_up, (none, [draw]), shortest, |ports, [draw]| {
            adaptive::least(ports, draw, |bytes| bytes)
        });
    } else {
        b.ingress(2).alu("first port", is_up, [], [shortest], move |[]| [first_port]);
    }
    let reads = [mask, words[0], words[1], words[2], shortest];
    b.ingress(3).register(
        ("step", pointers, pointer_number),
        is_up,
        reads,
        [slot],
        move |cell, [mask, w0, w1, w2, shortest]| {
            let mut pointer = Step::of(*cell);
            if shortest_first && !pointer.started {
                // Slots are in the order of ports.
                pointer.slot = (shortest - first_port) as u8;
            }
            pointer.started = true;
            let slot = pointer.next(mask, [w0, w1, w2]);
            *cell = pointer.cell();
            [slot]
        },
    );
    b.ingress(4).exact("port", slots, is_up, [row, slot], found[2]);

    let arrays = super::control::Memory { targets: target_table, weights, slots, pointers, queues };
    let control = Rotation::new(options.clone(), site, route, arrays);
    Ok(Built { program: Arc::new(b.build()?), control: Box::new(control) })
}
