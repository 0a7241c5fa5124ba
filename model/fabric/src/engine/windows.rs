//! The engine that goes window by window. A window is the least time from leaving one queue to entering the next. A
//! packet that leaves a node in a window therefore enters another in a later one: nodes need no order among
//! themselves, and threads meet once a window.

use super::links::Window;
use super::mail::{Post, State};
use super::shard::{Parts, Shard, join};
use super::{Limits, Outcome, Progress, World};
use crate::balance::Balancer;
use crate::host::Endpoint;
use crate::network::shares;

/// Windows after which a run reports its progress.
const TELL: u64 = 64;

/// Runs a world until its flows have ended and no packet is under way, or to its limit, or until `watch` returns
/// `false`. The result is independent of the number of threads.
pub fn run<B: Balancer, H: Endpoint>(
    mut world: World<B, H>,
    limits: Limits,
    mut watch: impl FnMut(Progress) -> bool + Send,
) -> Outcome<H> {
    let threads = limits.threads.clamp(1, world.network.topology.edges().min(64)) as usize;
    let owner = shares(&world.network, threads as u32);
    let expected: u64 = world.stations.iter().map(|it| u64::from(it.host.expected())).sum();
    let mut parts: Vec<Parts<B, H>> = (0..threads).map(|_| Parts::default()).collect();
    for (number, station) in (0..).zip(world.stations.drain(..)) {
        parts[usize::from(owner[number as usize])].stations.push((number, station));
    }
    for node in world.nodes.drain(..) {
        parts[usize::from(owner[world.network.node(node.switch) as usize])].nodes.push(node);
    }
    let post = Post::new(threads);
    let place = (&world.network, &world.wiring);
    let work = |number: usize, parts: Parts<B, H>, watch: &mut dyn FnMut(Progress) -> bool| {
        let _guard = post.guard();
        let mut shard = Shard::new(number, place, &owner, (world.longest_ps, world.every_ps), parts);
        let mut window = Window { number: 0, length_ps: place.1.delays_ps().0 };
        let mut routing = world.routing.iter().peekable();
        let (mut round, mut progress, mut states) = (0, Progress::default(), Vec::new());
        loop {
            while let Some(learned) = routing.next_if(|learned| learned.at_ps <= window.start_ps()) {
                shard.learn(learned);
            }
            shard.run(window);
            let stops = round % TELL == 0 && !watch(progress);
            let state = shard.state(stops);
            shard.hand_over(&post, round);
            post.meet(round, number, state, &mut states);
            shard.receive(&post, round, window, threads);
            let finished = states.iter().map(|state| state.finished).sum();
            (round, progress) = (round + 1, Progress { now_ps: window.end_ps(), finished });
            match after(&states, window, expected, limits.until_ps) {
                Some(next) => window.number = next,
                None => return shard.end(window.end_ps()),
            }
        }
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

/// The window after one, by the states of all threads; `None`: the run has ended. All threads compute the same.
fn after(states: &[State], window: Window, expected: u64, until_ps: u64) -> Option<u64> {
    let held: u64 = states.iter().fold(0, |sum, state| sum.wrapping_add(state.held));
    let finished: u64 = states.iter().map(|state| state.finished).sum();
    if (held == 0 && finished >= expected) || states.iter().any(|state| state.stops) {
        return None;
    }
    let mut next = window.number + 1;
    if held == 0 {
        // Nothing is under way: on to the next time at which a host does something.
        let due = states.iter().map(|state| state.next_ps).min().unwrap_or(u64::MAX);
        next = next.max(due / window.length_ps);
    }
    (next.checked_mul(window.length_ps)? < until_ps).then_some(next)
}
