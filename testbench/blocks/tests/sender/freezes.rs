//! Decisions of REPS while no reports of freezes are accepted (rule 17 of `docs/blocks/sender.md`), on RTL
//! and model, clock for clock; and the event of REPS for an idle connection (rule 10).

use super::bench::{Bench, MTU, TICK, ack, csr, open};
use crate::runs::found;
use weft_bench::{Driver, Plant, Report, Session};
use weft_blocks::sender::Dut;
use weft_nic::block::sender::{Inputs, Outputs};
use weft_nic::words::{Acknowledgement, Work};
use weft_params::{SackParams, SenderCsr};

const CONNECTIONS: u32 = 16;
/// Clocks in which no report of a freeze is accepted, and clocks in total.
const UNHEARD: u64 = 4_000;
const CLOCKS: u64 = 4_200;

/// Every connection sends a packet without an answer, so it freezes.
struct Unheard {
    csr: SenderCsr,
    clock: u64,
    opened: u32,
    posted: u32,
    /// Freezes counted when the first report was accepted, and at the end.
    waited: u32,
    freezes: u32,
}

impl Driver<Dut> for Unheard {
    fn next(&mut self, outputs: &Outputs) -> Option<Inputs> {
        let clock = self.clock;
        self.clock += 1;
        self.freezes = outputs.counters.paths.freezes;
        if clock == UNHEARD {
            self.waited = self.freezes;
        }
        let rst = clock == 0;
        let control = (self.opened < CONNECTIONS).then(|| (self.opened, open(0)));
        let work = Work { length: MTU, id: self.posted, ..Work::default() };
        let work = (control.is_none() && self.posted < CONNECTIONS).then_some((self.posted, work));
        self.opened += u32::from(!rst && control.is_some() && outputs.control_ready);
        self.posted += u32::from(!rst && work.is_some() && outputs.work_ready);
        let ready = Inputs {
            fetch_ready: true,
            order_ready: true,
            sent_ready: true,
            drained_ready: true,
            failed_ready: true,
            freeze_ready: clock >= UNHEARD,
            ..Inputs::default()
        };
        let now = (clock / TICK) as u32;
        (clock < CLOCKS).then_some(Inputs { rst, now, control, work, ..ready })
    }

    fn csr(&self) -> &SenderCsr {
        &self.csr
    }
}

fn run(plant: Option<&'static Plant>) -> (Report, Unheard) {
    let driver = Unheard { csr: csr(100, 60), clock: 0, opened: 0, posted: 0, waited: 0, freezes: 0 };
    let session = Session {
        exchange: plant.map(Into::into),
        ..Session::new(SackParams { connections: CONNECTIONS }.into(), 1)
    };
    let (finding, driver) =
        session.run_once::<Dut, _>(driver, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    (finding.report, driver)
}

/// Waiting freezes are counted once each. A decision after a freeze is not counted while the freeze waits.
#[test]
fn decisions_are_not_counted_again_while_freezes_wait() {
    let (report, Unheard { waited, freezes, .. }) = run(None);
    if let Some(mismatch) = report.mismatch {
        panic!("{mismatch}");
    }
    assert!((8..CONNECTIONS).contains(&waited), "{waited} freezes before the first is taken");
    assert_eq!(freezes, CONNECTIONS);
}

static WAITING: Plant = Plant {
    name: "waiting",
    breaks: "a decision that waits for room among the freezes is counted every clock",
    module: "weft_sender",
    text: ".again        (orders_order_again),\n        .decided      (decided)",
    bug: ".again        (orders_order_again),\n        .decided      (reps_m_axis_decision_tvalid & orders_ev_room)",
};

#[test]
fn a_decision_that_is_counted_while_it_waits_is_found() {
    found(&WAITING, &run(Some(&WAITING)).0);
}

/// A connection that sent no packet for longer than the idle time explores again, after any time.
#[test]
fn idle_is_idle_for_all_of_the_times_circle() {
    const CACHED: u16 = 0xC10A;
    let mut csr = csr(100, 600);
    csr.idle_ticks = 1_000;
    csr.reps = weft_params::RepsCsr { evs_size: 1, bdp_packets: 3, ..csr.reps };
    for ticks in [500, 1_500, (1 << 31) + 500, (1 << 31) + 1_500, (1 << 32) - 500] {
        let mut bench = Bench::new(csr);
        bench.work(0, 1);
        bench.idle(400);
        let answer = ack(1, bench.now());
        bench.answer(0, Acknowledgement { ev: CACHED, ..answer });
        bench.idle(400);
        assert_eq!((bench.orders.len(), bench.sent.len()), (1, 1));
        bench.at += ticks * TICK;
        bench.work(0, 1);
        bench.idle(400);
        let ev = bench.orders[1].1.ev;
        assert_eq!(ev == CACHED, ticks < 1_000, "{ticks} ticks: {ev:#x}");
    }
}
