//! Bugs planted in the Verilog of `weft_registers`.

use weft_bench::Plant;

/// All planted bugs.
pub const PLANTS: &[Plant] = &[
    Plant {
        name: "turn",
        breaks: "a write does not wait for the read whose turn it is",
        module: "weft_registers_bus",
        text: " & !(read_here_q & writing_q)",
        bug: "",
    },
    Plant {
        name: "staging",
        breaks: "the P_Key is written while a command takes it along",
        module: "weft_registers",
        text: "(staging_found | partition_found) & !command_busy",
        bug: "(staging_found & !command_busy) | partition_found",
    },
    Plant {
        name: "page",
        breaks: "two pages of counters are one",
        module: "weft_registers",
        text: ".page     (10'd70)",
        bug: ".page     (10'd69)",
    },
    Plant {
        name: "strobe",
        breaks: "byte 3 follows the strobe of byte 2",
        module: "weft_registers_bus",
        text: "if (strobes_q[3])",
        bug: "if (strobes_q[2])",
    },
    Plant {
        name: "response",
        breaks: "a response leaves though the master does not take it",
        module: "weft_registers_bus",
        text: "read_done_q & rready",
        bug: "read_done_q",
    },
    Plant {
        name: "wrap",
        breaks: "a block's counter of 16 bits is taken for one of 24",
        module: "weft_registers_totals",
        text: "since_d = {8'd0, more[15:0]};",
        bug: "since_d = more;",
    },
    Plant {
        name: "clear",
        breaks: "a read does not clear",
        module: "weft_registers_totals",
        text: "asks & clear & !at[0]",
        bug: "asks & clear & at[0]",
    },
];
