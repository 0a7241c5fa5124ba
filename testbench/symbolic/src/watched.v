// A memory as proofs see it, in place of yosys' memory cell: one word at an arbitrary address. Reading another address,
// or the one being written, gives any word. A proof about this word holds for every word of a memory of any depth.

(* techmap_celltype = "$mem_v2" *)
module weft_watched_memory (RD_CLK, RD_EN, RD_ARST, RD_SRST, RD_ADDR, RD_DATA, WR_CLK, WR_EN, WR_ADDR, WR_DATA);
    parameter MEMID = "";
    parameter SIZE = 1;
    parameter OFFSET = 0;
    parameter ABITS = 1;
    parameter WIDTH = 1;
    parameter INIT = 1'bx;
    parameter RD_PORTS = 1;
    parameter RD_CLK_ENABLE = 1'b0;
    parameter RD_CLK_POLARITY = 1'b1;
    parameter RD_TRANSPARENCY_MASK = 1'b0;
    parameter RD_COLLISION_X_MASK = 1'b0;
    parameter RD_WIDE_CONTINUATION = 1'b0;
    parameter RD_CE_OVER_SRST = 1'b0;
    parameter RD_ARST_VALUE = 1'b0;
    parameter RD_SRST_VALUE = 1'b0;
    parameter RD_INIT_VALUE = 1'b0;
    parameter WR_PORTS = 1;
    parameter WR_CLK_ENABLE = 1'b1;
    parameter WR_CLK_POLARITY = 1'b1;
    parameter WR_PRIORITY_MASK = 1'b0;
    parameter WR_WIDE_CONTINUATION = 1'b0;

    input [RD_PORTS-1:0] RD_CLK, RD_EN, RD_ARST, RD_SRST;
    input [RD_PORTS*ABITS-1:0] RD_ADDR;
    output [RD_PORTS*WIDTH-1:0] RD_DATA;
    input [WR_PORTS-1:0] WR_CLK;
    input [WR_PORTS*WIDTH-1:0] WR_EN, WR_DATA;
    input [WR_PORTS*ABITS-1:0] WR_ADDR;

    // The register behind the read belongs to the module.
    wire _TECHMAP_FAIL_ = RD_PORTS != 1 || WR_PORTS != 1 || RD_CLK_ENABLE || !WR_CLK_ENABLE || OFFSET != 0;

    // Number of words, which a claim compares with the number that the addresses reach.
    wire [31:0] size = SIZE;

    wire [ABITS-1:0] address;
    wire [WIDTH-1:0] other;
    \$anyconst #(.WIDTH(ABITS)) any_address (.Y(address));
    \$anyseq #(.WIDTH(WIDTH)) any_other (.Y(other));

    wire writes = |WR_EN & WR_ADDR == address;
    wire [WIDTH-1:0] watched;
    wire [WIDTH-1:0] after = WR_EN & WR_DATA | ~WR_EN & watched;
    \$dff #(.WIDTH(WIDTH), .CLK_POLARITY(WR_CLK_POLARITY)) kept
        (.CLK(WR_CLK), .D(writes ? after : watched), .Q(watched));
    assign RD_DATA = RD_ADDR == address && !writes ? watched : other;
endmodule
