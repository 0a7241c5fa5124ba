// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Joins two streams of frames into one: frames whole, in turns if both wait,
// and no clock lost between or inside them.

`default_nettype none

module weft_join #(
    parameter USER = 17 // bits of tuser
) (
    input  wire            clk,
    input  wire            rst,

    input  wire            s_axis_a_tvalid,
    output wire            s_axis_a_tready,
    input  wire [511:0]    s_axis_a_tdata,
    input  wire [63:0]     s_axis_a_tkeep,
    input  wire            s_axis_a_tlast,
    input  wire [USER-1:0] s_axis_a_tuser,

    input  wire            s_axis_b_tvalid,
    output wire            s_axis_b_tready, // This and that of the other follow both tvalid.
    input  wire [511:0]    s_axis_b_tdata,
    input  wire [63:0]     s_axis_b_tkeep,
    input  wire            s_axis_b_tlast,
    input  wire [USER-1:0] s_axis_b_tuser,

    output reg             m_axis_tvalid,
    input  wire            m_axis_tready,
    output wire [511:0]    m_axis_tdata,
    output wire [63:0]     m_axis_tkeep,
    output wire            m_axis_tlast,
    output wire [USER-1:0] m_axis_tuser
);

    localparam W = 512 + 64 + 1 + USER;

    // Whose word is next: inside a frame its owner's, else by turns.
    reg          inside_frame;
    reg          last_was_b;
    wire         is_b = inside_frame ? last_was_b : s_axis_b_tvalid && !(s_axis_a_tvalid && last_was_b);
    wire [W-1:0] a    = {s_axis_a_tuser, s_axis_a_tlast, s_axis_a_tkeep, s_axis_a_tdata};
    wire [W-1:0] b    = {s_axis_b_tuser, s_axis_b_tlast, s_axis_b_tkeep, s_axis_b_tdata};
    wire [W-1:0] word = is_b ? b : a;

    // A word that came while the one before it could not leave.
    reg          spare_valid;
    reg  [W-1:0] spare;
    reg  [W-1:0] out;
    wire         comes = (is_b ? s_axis_b_tvalid : s_axis_a_tvalid) && !spare_valid;
    wire         moves = !m_axis_tvalid || m_axis_tready;

    assign s_axis_a_tready = !is_b && !spare_valid;
    assign s_axis_b_tready = is_b && !spare_valid;
    assign {m_axis_tuser, m_axis_tlast, m_axis_tkeep, m_axis_tdata} = out;

    always @(posedge clk) begin
        if (comes) begin
            inside_frame <= !word[576];
            last_was_b   <= is_b;
        end
        if (moves) begin
            out           <= spare_valid ? spare : word;
            m_axis_tvalid <= spare_valid || comes;
            spare_valid   <= 1'b0;
        end else if (comes) begin
            spare       <= word;
            spare_valid <= 1'b1;
        end
        if (rst) begin
            inside_frame  <= 1'b0;
            last_was_b    <= 1'b0;
            spare_valid   <= 1'b0;
            m_axis_tvalid <= 1'b0;
        end
    end

endmodule

`default_nettype wire
