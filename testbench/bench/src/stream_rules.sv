// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The rules of a stream (docs/monitors.md), clock by clock: withdrawn, changed, reset, keep, gap, long. An
// instance beside a module, as `bind` puts it there, watches one of its streams or one channel of its
// AXI4-Lite side. A broken rule is an error that names the rule; %m names the stream.

`default_nettype none

module weft_stream_rules #(
    parameter bit OFFERED = 1'b1,     // the module drives tvalid
    parameter int unsigned BITS = 1,  // Bits of everything that must not change while a word waits
    parameter int unsigned BYTES = 0, // Bits of tkeep; 0: no tkeep
    parameter bit FRAMES = 1'b0,      // Whether the stream has a tlast
    parameter bit GAPLESS = 1'b0,     // no pause inside a frame
    parameter int unsigned MOST = 0   // words of a frame; 0: any
) (
    input wire                                    clk,
    input wire                                    rst,
    input wire                                    tvalid,
    input wire                                    tready,
    input wire                         [BITS-1:0] word,
    input wire [(BYTES > 0 ? BYTES : 1)-1:0]      tkeep,
    input wire                                    tlast
);

    // State after a clock: whether it was one of reset, whether a word was offered and not accepted, and this word.
    logic            begun = 1'b0;
    logic            was_reset = 1'b0;
    logic            held = 1'b0;
    logic [BITS-1:0] held_word = '0;
    int unsigned     words = 0;

    // Adding one to a number of ones from bit 0 on gives a value that shares no bit with them.
    localparam int unsigned KEPT = BYTES > 0 ? BYTES : 1;
    wire [KEPT-1:0] above = tkeep + KEPT'(1);
    wire            full = &tkeep;
    wire            is_kept = full | (tlast & |tkeep & ~|(tkeep & above));

    wire offered = tvalid & ~rst;
    wire taken = offered & tready;

    always @(posedge clk) begin
        begun <= 1'b1;
        was_reset <= rst;
        held <= offered & ~tready;
        held_word <= word;
        if (rst || (taken && tlast)) words <= 0;
        else if (taken && FRAMES) words <= words + 1;

        if (begun) begin
            // An unknown tvalid does not count as low.
            if (OFFERED && was_reset && tvalid !== 1'b0)
                $error("%m: reset: tvalid is not low in reset, or in the first clock after it");
            if (!rst && !was_reset) begin
                if (held && !tvalid) $error("%m: withdrawn: tvalid falls before tready");
                if (held && tvalid && word != held_word) $error("%m: changed: a word that waits is another");
                if (GAPLESS && !tvalid && words != 0) $error("%m: gap: no tvalid inside a frame");
            end
            if (offered && !(held && !was_reset) && BYTES > 0 && !is_kept)
                $error("%m: keep: tkeep is 0, has a hole, or is not full before the last word");
            if (taken && MOST > 0 && words >= MOST) $error("%m: long: a frame has more words than its page says");
        end
    end

endmodule

`default_nettype wire
