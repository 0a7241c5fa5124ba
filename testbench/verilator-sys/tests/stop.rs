//! A fault that ends a simulation ends an instance, never the process.

mod common;

use common::{build, lanes, with};
use verilator_sys::{Build, Error, Reset, ports};

ports! {
    struct Stop {
        in clk: 1,
        in how: 3,
        out count: 8,
    }
}

impl Stop {
    fn clock(&mut self) -> Result<(), Error> {
        self.clk(0);
        self.eval()?;
        self.clk(1);
        self.eval()
    }

    /// Counts to three, then requests an end.
    fn ended(library: &std::sync::Arc<verilator_sys::Library>, how: u64) -> (Self, Result<(), Error>) {
        let mut dut = Self::new(library.instance(Reset::Zeros).unwrap()).unwrap();
        (0..3).for_each(|_| dut.clock().unwrap());
        dut.how(how);
        let result = dut.clock();
        (dut, result)
    }
}

#[test]
fn fatal_stop_and_assert_are_errors() {
    for lane in lanes() {
        let library = build(&lane, "stop", "stop.sv").load().unwrap();
        for (how, line, text) in [(1, 11, "the count was 3"), (2, 12, "$stop"), (4, 14, "small count")] {
            let (mut dut, result) = Stop::ended(&library, how);
            let message = result.unwrap_err().to_string();
            assert!(message.starts_with("the RTL stopped: "), "{message}");
            assert!(message.contains(&format!("stop.sv:{line}:")) && message.contains(text), "{message}");
            assert!(dut.instance().failed() && !dut.instance().finished());
            // The instance has no defined state: it refuses to continue, and gives the reason again.
            dut.how(0);
            let count = dut.count();
            assert_eq!(dut.clock().unwrap_err().to_string(), message);
            assert_eq!(dut.count(), count);
        }
        // Another instance is not affected.
        let (mut dut, result) = Stop::ended(&library, 0);
        result.unwrap();
        dut.clock().unwrap();
        assert_eq!(dut.count(), 5);
    }
}

#[test]
fn finish_is_a_state_of_its_instance() {
    for lane in lanes() {
        let library = build(&lane, "stop", "stop.sv").load().unwrap();
        let (mut other, _) = Stop::ended(&library, 0);
        let (mut dut, result) = Stop::ended(&library, 3);
        result.unwrap();
        other.clock().unwrap();
        assert!(dut.instance().finished() && !dut.instance().failed());
        assert!(!other.instance().finished());
        // A second $finish of a process ends it in plain Verilator.
        dut.clock().unwrap();
        assert_eq!(dut.count(), 5);
        let (dut, _) = Stop::ended(&library, 3);
        assert!(dut.instance().finished());
    }
}

/// Verilator's runtime finds a loop that never settles; the RTL does not.
#[test]
fn an_endless_loop_is_an_error() {
    let text = "module ring(input wire go, output wire y); /* verilator lint_off UNOPTFLAT */
        wire a = go & ~b; wire b = a; assign y = b; endmodule";
    for lane in lanes() {
        let build = with(&lane, Build::new("ring").text("ring.v", text).argument("-Wno-fatal"));
        let mut dut = build.load().unwrap().instance(Reset::Zeros).unwrap();
        dut.eval().unwrap();
        let go = dut.library().port("go").unwrap().id;
        dut.set(go, 1);
        let message = dut.eval().unwrap_err().to_string();
        assert!(message.contains("converge"), "{message}");
    }
}

#[test]
fn a_failing_final_block_does_not_hurt() {
    let text = "module last(input wire clk, output reg q);
        always @(posedge clk) q <= ~q;
        final $fatal(1, \"too late\");
        endmodule";
    for lane in lanes() {
        let library = with(&lane, Build::new("last").text("last.sv", text)).load().unwrap();
        for _ in 0..3 {
            library.instance(Reset::Zeros).unwrap().eval().unwrap();
        }
    }
}
