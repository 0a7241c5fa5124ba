//! The message of a packet that is sent again while the window is full: all 256 PSNs are outstanding, and
//! messages begin at odd and even PSNs. RTL and model are compared clock for clock. The test counts the
//! expected message from the requests.

use super::bench::{MTU, TICK, csr, open};
use crate::runs::found;
use weft_bench::{Driver, Plant, Report, Session};
use weft_blocks::sender::Dut;
use weft_nic::block::sender::{Inputs, Outputs};
use weft_nic::words::{Acknowledgement, Order, Work};
use weft_params::{SackParams, SenderCsr};

const CONNECTIONS: u32 = 16;
/// PSNs of a window.
const WINDOW: u32 = 256;
/// First PSN and packets of the messages of each connection, by its number. One more message fills the
/// window.
const CASES: [(u32, &[u32]); 6] =
    [(0, &[1]), (1, &[1]), (1, &[2]), (3, &[1, 1, 1, 1]), (0, &[1, 2, 3]), (0xFF_FFFF, &[1, 3])];
const CLOCKS: u64 = 20_000;

/// Opens the connections and posts their messages. When all windows are full, requests the packets of all
/// messages again, except the last message of each connection.
struct Full {
    csr: SenderCsr,
    clock: u64,
    opened: usize,
    works: Vec<(u32, Work)>,
    posted: usize,
    nacks: Vec<(u32, Acknowledgement)>,
    answered: usize,
    fresh: u32,
    again: Vec<(u32, Order)>,
}

impl Full {
    fn new() -> Self {
        let mut csr = csr(2 * WINDOW, 65_535);
        csr.sack = csr.sack.with_epoch(24_575);
        for class in &mut csr.smartt.classes {
            (class.base_rtt_ticks, class.target_rtt_ticks) = (60_000, 65_000);
        }
        let work = |key, packets| Work { key, length: packets * MTU, ..Work::default() };
        let of = |(id, (_, packets)): (u32, (u32, &'static [u32]))| {
            let numbered = (0..).zip(packets.iter().chain(&[WINDOW]));
            numbered.map(move |(key, &packets)| (id, work(key, packets)))
        };
        let asked = |(id, (first, packets)): (u32, (u32, &[u32]))| {
            (0..packets.iter().sum::<u32>()).map(move |number| {
                let psn = (first + number) & 0xFF_FFFF;
                (
                    id,
                    Acknowledgement { nack: true, expected: psn, trigger: psn, ..Acknowledgement::default() },
                )
            })
        };
        Self {
            csr,
            clock: 0,
            opened: 0,
            works: (0..).zip(CASES).flat_map(of).collect(),
            posted: 0,
            nacks: (0..).zip(CASES).flat_map(asked).collect(),
            answered: 0,
            fresh: 0,
            again: Vec::new(),
        }
    }

    /// Number of the message that a PSN of a connection belongs to.
    fn message(connection: u32, psn: u32) -> u32 {
        let (first, packets) = CASES[connection as usize];
        let mut number = psn.wrapping_sub(first) & 0xFF_FFFF;
        let mut message = 0;
        for &many in packets {
            if number < many {
                break;
            }
            number -= many;
            message += 1;
        }
        message
    }
}

impl Driver<Dut> for Full {
    fn next(&mut self, outputs: &Outputs) -> Option<Inputs> {
        if let Some((connection, order)) = outputs.order.get() {
            if order.again {
                self.again.push((connection, order));
            } else {
                self.fresh += 1;
            }
        }
        let clock = self.clock;
        self.clock += 1;
        let rst = clock == 0;
        let control = CASES.get(self.opened).map(|&(psn, _)| (self.opened as u32, open(psn)));
        let work = self.works.get(self.posted).copied().filter(|_| control.is_none());
        let full = self.fresh == WINDOW * CASES.len() as u32;
        let acknowledgement = self.nacks.get(self.answered).copied().filter(|_| full);
        self.opened += usize::from(!rst && control.is_some() && outputs.control_ready);
        self.posted += usize::from(!rst && work.is_some() && outputs.work_ready);
        self.answered += usize::from(!rst && acknowledgement.is_some() && outputs.acknowledgement_ready);
        let ready = Inputs {
            fetch_ready: true,
            order_ready: true,
            sent_ready: true,
            drained_ready: true,
            failed_ready: true,
            freeze_ready: true,
            ..Inputs::default()
        };
        let now = (clock / TICK) as u32;
        (clock < CLOCKS).then_some(Inputs { rst, now, control, work, acknowledgement, ..ready })
    }

    fn csr(&self) -> &SenderCsr {
        &self.csr
    }
}

fn run(plant: Option<&'static Plant>) -> (Report, Full) {
    let session = Session {
        exchange: plant.map(Into::into),
        ..Session::new(SackParams { connections: CONNECTIONS }.into(), 1)
    };
    let (finding, driver) =
        session.run_once::<Dut, _>(Full::new(), &mut ()).unwrap_or_else(|error| panic!("{error}"));
    (finding.report, driver)
}

#[test]
fn a_packet_of_a_full_window_is_sent_again_with_its_own_message() {
    let (report, full) = run(None);
    if let Some(mismatch) = report.mismatch {
        panic!("{mismatch}");
    }
    assert_eq!(full.fresh, WINDOW * CASES.len() as u32, "no window opens further");
    assert_eq!(full.again.len(), full.nacks.len());
    for (connection, order) in full.again {
        assert_eq!(order.key, Full::message(connection, order.psn), "connection {connection}, {order:?}");
    }
}

static PLANTS: [Plant; 3] = [
    Plant {
        name: "behind",
        breaks: "an even PSN takes the slot of the one behind it for its own, where that one may be outstanding",
        module: "weft_sender_packets",
        text: "{4'd0, entry_done[3:0]} << 4",
        bug: "{4'd0, entry_slot} << 4",
    },
    Plant {
        name: "before",
        breaks: "a message that begins at an odd PSN takes the one before it along",
        module: "weft_sender_packets",
        text: "entry_slot - 4'd1",
        bug: "entry_slot",
    },
    Plant {
        name: "lane",
        breaks: "a PSN's slot is read beside it",
        module: "weft_sender_packets",
        text: "s3_entry_q_psn[3:0]} << 2",
        bug: "s3_entry_q_psn[3:1], 1'b0} << 2",
    },
];

#[test]
fn slots_that_are_mistaken_are_found() {
    PLANTS.iter().for_each(|plant| found(plant, &run(Some(plant)).0));
}
