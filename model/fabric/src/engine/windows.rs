//! The engine that works window by window. A window is the least time from leaving one queue to entering the
//! next. A packet that leaves a node in one window therefore enters another node in a later window. So nodes
//! need no order among themselves, and threads meet once a window.

use super::links::Window;
use super::mail::{Exchange, Post, State};
use super::shard::{End, Parts, Shard, join};
use super::{Learned, Limits, Outcome, Progress, World};
use crate::balance::Balancer;
use crate::host::{Endpoint, NEVER};
use crate::network::{Network, Wiring, shares};
use std::iter::Peekable;
use std::sync::Arc;

/// Windows after which a run reports its progress.
const TELL: u64 = 64;

/// The data that the parts of a run share.
pub(super) struct Plan {
    network: Arc<Network>,
    wiring: Arc<Wiring>,
    /// The part of each node.
    pub(super) owner: Arc<[u16]>,
    routing: Vec<Learned>,
    longest_ps: u64,
    every_ps: u64,
}

/// Divides a world into a number of parts, or into one for each edge switch if these are fewer.
pub(super) fn divide<B: Balancer, H: Endpoint>(
    world: &mut World<B, H>,
    count: u32,
) -> (Plan, Vec<Parts<B, H>>) {
    let count = count.clamp(1, world.network.topology.edges().min(u16::MAX.into()));
    let owner = shares(&world.network, count);
    let mut parts: Vec<Parts<B, H>> = (0..count).map(|_| Parts::default()).collect();
    for (number, station) in (0..).zip(world.stations.drain(..)) {
        parts[usize::from(owner[number as usize])].stations.push((number, station));
    }
    for node in world.nodes.drain(..) {
        parts[usize::from(owner[world.network.node(node.switch) as usize])].nodes.push(node);
    }
    let plan = Plan {
        network: Arc::clone(&world.network),
        wiring: Arc::clone(&world.wiring),
        owner,
        routing: world.routing.clone(),
        longest_ps: world.longest_ps,
        every_ps: world.every_ps,
    };
    (plan, parts)
}

/// A part of a run, between two windows.
pub(super) struct Worker<B, H: Endpoint> {
    number: usize,
    pub(super) shard: Shard<B, H>,
    pub(super) window: Window,
    routing: Peekable<std::vec::IntoIter<Learned>>,
    round: u64,
    /// The states of all parts at the end of the last window.
    pub(super) states: Vec<State>,
}

impl<B: Balancer, H: Endpoint> Worker<B, H> {
    pub(super) fn new(number: usize, plan: &Plan, parts: Parts<B, H>) -> Self {
        let place = (Arc::clone(&plan.network), Arc::clone(&plan.wiring));
        let window = Window { number: 0, length_ps: plan.wiring.delays_ps().0, until_ps: NEVER };
        let times = (plan.longest_ps, plan.every_ps);
        Self {
            number,
            shard: Shard::new(number, place, Arc::clone(&plan.owner), times, parts),
            window,
            routing: plan.routing.clone().into_iter().peekable(),
            round: 0,
            states: Vec::new(),
        }
    }

    /// Runs the window. All parts call this function together. If one part passes `stops`, the states of all
    /// parts show this request.
    pub(super) fn step(&mut self, post: &dyn Exchange<H::Body>, stops: bool) {
        let Self { number, shard, window, routing, round, states } = self;
        while let Some(learned) = routing.next_if(|learned| learned.at_ps <= window.start_ps()) {
            shard.learn(&learned);
        }
        if window.start_ps() < window.until_ps {
            shard.run(*window);
        }
        let state = shard.state(stops);
        shard.hand_over(post, *round);
        post.meet(*round, *number, state, states);
        shard.receive(post, *round, *window, states.len());
        *round += 1;
    }

    /// Runs all windows. `goal`: the number of ends of flows of the whole run, and the limit of time.
    pub(super) fn finish(
        mut self,
        post: &dyn Exchange<H::Body>,
        (expected, until_ps): (u64, u64),
        watch: &mut dyn FnMut(Progress) -> bool,
    ) -> End<B, H> {
        let mut progress = Progress::default();
        self.window.until_ps = until_ps;
        loop {
            let stops = self.round.is_multiple_of(TELL) && !watch(progress);
            self.step(post, stops);
            let Self { window, states, .. } = &mut self;
            progress = Progress { now_ps: window.end_ps(), finished: finished(states) };
            match after(states, *window, expected) {
                Some(next) => window.number = next,
                None => {
                    let end_ps = window.end_ps().min(until_ps);
                    return self.shard.end(end_ps);
                }
            }
        }
    }
}

/// Runs a world until its flows have ended and no packet is in transit, or to its limit, or until `watch`
/// returns `false`. The result is independent of the number of threads.
pub fn run<B: Balancer, H: Endpoint>(
    mut world: World<B, H>,
    limits: Limits,
    mut watch: impl FnMut(Progress) -> bool + Send,
) -> Outcome<H> {
    let goal = (world.expected(), limits.until_ps);
    let (plan, parts) = divide(&mut world, limits.threads);
    let post = Post::new(parts.len());
    let work = |number: usize, parts: Parts<B, H>, watch: &mut dyn FnMut(Progress) -> bool| {
        let _guard = post.guard();
        Worker::new(number, &plan, parts).finish(&post, goal, watch)
    };
    let ends: Vec<_> = std::thread::scope(|scope| {
        let mut rest = parts.into_iter().enumerate();
        let first = rest.next();
        let others: Vec<_> = rest
            .map(|(number, parts)| {
                scope.spawn({
                    let work = &work;
                    move || work(number, parts, &mut |_| true)
                })
            })
            .collect();
        let first = first.map(|(number, parts)| work(number, parts, &mut watch));
        let others =
            others.into_iter().map(|it| it.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        first.into_iter().chain(others).collect()
    });
    join(world, ends)
}

/// Number of packets in transit.
pub(super) fn held(states: &[State]) -> u64 {
    states.iter().fold(0, |sum, state| sum.wrapping_add(state.held))
}

/// Ends of flows so far.
pub(super) fn finished(states: &[State]) -> u64 {
    states.iter().map(|state| state.finished).sum()
}

/// The next time at which a host acts by itself, if no packet is in transit.
pub(super) fn due_ps(states: &[State]) -> u64 {
    states.iter().map(|state| state.next_ps).min().unwrap_or(u64::MAX)
}

/// The window after `window`, by the states of all threads; `None` if the run has ended. All threads compute
/// the same window.
fn after(states: &[State], window: Window, expected: u64) -> Option<u64> {
    let held = held(states);
    if (held == 0 && finished(states) >= expected) || states.iter().any(|state| state.stops) {
        return None;
    }
    let mut next = window.number + 1;
    if held == 0 {
        // No packet is under way: skip to the next time at which a host acts.
        next = next.max(due_ps(states) / window.length_ps);
    }
    (next.checked_mul(window.length_ps)? < window.until_ps).then_some(next)
}
