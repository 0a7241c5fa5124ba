//! A run that stops between two windows, so that a program can add flows (page `docs/ai-simulators.md`).

use super::mail::{Post, State};
use super::shard::join;
use super::windows::{Worker, divide, due_ps, finished, held};
use super::{Outcome, World};
use crate::balance::Balancer;
use crate::flow::{Flow, Lane};
use crate::host::nic::NicHost;
use crate::host::{Ended, Endpoint, NEVER, Told};
use std::panic::resume_unwind;
use std::sync::Arc;

/// A run with any load balancer.
pub(crate) trait Live: Send {
    /// The length of a window.
    fn window_ps(&self) -> u64;
    /// The beginning of the next window.
    fn now_ps(&self) -> u64;
    /// Opens a connection from a host to another one. Returns the number of the connection at the first host.
    fn open(&mut self, source: u32, destination: u32) -> u32;
    /// Starts the flow of this number, on one of these connections of its source.
    fn send(&mut self, number: u32, flow: Flow, lanes: Arc<[u32]>);
    /// Runs the windows that end by a time, at most `most` of them, and stops after the first one in which
    /// flows end. Writes their ends, in the order of hosts. Returns `true` if the number of windows was too
    /// low.
    fn advance(&mut self, until_ps: u64, most: u64, ended: &mut Vec<Ended>) -> bool;
    /// Whether no packet is in transit and every flow has ended at both hosts.
    fn is_idle(&self) -> bool;
    /// Ends the run.
    fn finish(self: Box<Self>) -> Outcome<Told>;
}

/// A run of this load balancer.
struct Run<B: Balancer> {
    /// The network; the workers have its nodes.
    world: World<B, NicHost>,
    owner: Arc<[u16]>,
    workers: Vec<Worker<B, NicHost>>,
    post: Post<<NicHost as Endpoint>::Body>,
    /// Number of ends of all flows that were sent so far, at both hosts.
    expected: u64,
}

/// A run of a world whose hosts have no flows yet.
pub(crate) fn run<B: Balancer + 'static>(mut world: World<B, NicHost>, threads: u32) -> Box<dyn Live> {
    let (plan, parts) = divide(&mut world, threads);
    let workers = parts.into_iter().enumerate().map(|(number, parts)| Worker::new(number, &plan, parts));
    let workers: Vec<_> = workers.collect();
    Box::new(Run { world, owner: plan.owner, post: Post::new(workers.len()), workers, expected: 0 })
}

impl<B: Balancer> Run<B> {
    fn host(&mut self, number: u32) -> &mut NicHost {
        let worker = &mut self.workers[usize::from(self.owner[number as usize])];
        worker.shard.host_mut(number)
    }

    fn states(&self) -> Vec<State> {
        self.workers.iter().map(|worker| worker.shard.state(false)).collect()
    }
}

/// The next window, if it ends by a time; otherwise the first window after that time with an event. All
/// threads compute the same window.
fn next(states: &[State], from: u64, length_ps: u64, (expected, until_ps): (u64, u64)) -> Result<u64, u64> {
    if held(states) > 0 {
        return if from < until_ps / length_ps { Ok(from) } else { Err(from) };
    }
    let due_ps = due_ps(states);
    if until_ps == NEVER && (finished(states) >= expected || due_ps == NEVER) {
        return Err(from);
    }
    // No packet is under way: skip to the next time at which a host acts.
    let (due, until) = (from.max(due_ps / length_ps), until_ps / length_ps);
    if due < until { Ok(due) } else { Err(from.max(until)) }
}

impl<B: Balancer> Live for Run<B> {
    fn window_ps(&self) -> u64 {
        self.workers[0].window.length_ps
    }

    fn now_ps(&self) -> u64 {
        self.workers[0].window.start_ps()
    }

    fn open(&mut self, source: u32, destination: u32) -> u32 {
        let now_ps = self.now_ps();
        let [here, there] = [source, destination].map(|host| self.host(host).connections());
        self.host(source).open(Lane { peer: destination, there }, now_ps);
        self.host(destination).open(Lane { peer: source, there: here }, now_ps);
        here
    }

    fn send(&mut self, number: u32, flow: Flow, lanes: Arc<[u32]>) {
        self.expected += 2;
        self.host(flow.destination).agenda_mut().expect(number, flow.clone());
        self.host(flow.source).agenda_mut().add(number, flow, lanes);
    }

    fn advance(&mut self, until_ps: u64, most: u64, ended: &mut Vec<Ended>) -> bool {
        let states = self.states();
        let (before, goal) = (finished(&states), (self.expected, until_ps));
        let Self { workers, post, .. } = self;
        let (post, states) = (&*post, &states);
        let work = move |worker: &mut Worker<B, NicHost>| {
            let _guard = post.guard();
            worker.states.clone_from(states);
            for _ in 0..most {
                let Worker { states, window, .. } = worker;
                match next(states, window.number, window.length_ps, goal) {
                    Ok(next) => window.number = next,
                    Err(next) => {
                        window.number = next;
                        return false;
                    }
                }
                worker.step(post, false);
                worker.window.number += 1;
                if finished(&worker.states) > before {
                    return false;
                }
            }
            true
        };
        let goes_on = match &mut workers[..] {
            [worker] => work(worker),
            many => std::thread::scope(|scope| {
                let all: Vec<_> = many.iter_mut().map(|worker| scope.spawn(move || work(worker))).collect();
                let ends = all.into_iter().map(|it| it.join().unwrap_or_else(|panic| resume_unwind(panic)));
                // All threads return the same value.
                ends.fold(true, |all, goes_on| all & goes_on)
            }),
        };
        if finished(&workers[0].states) > before {
            let hosts = workers.iter_mut().flat_map(|worker| worker.shard.hosts_mut());
            hosts.for_each(|host| ended.append(&mut host.agenda_mut().ended));
        }
        goes_on
    }

    fn is_idle(&self) -> bool {
        let states = self.states();
        held(&states) == 0 && finished(&states) >= self.expected
    }

    fn finish(self: Box<Self>) -> Outcome<Told> {
        let Self { world, workers, .. } = *self;
        let ends = workers.into_iter().map(|worker| {
            let now_ps = worker.window.start_ps();
            worker.shard.end(now_ps)
        });
        join(world, ends.collect()).map(Into::into)
    }
}
