// A read-modify-write pipeline with forwarding over a memory: the shape of a transport's per-flow state.
module speed (
    input  wire         clk,
    input  wire         rst,
    input  wire         s_valid,
    input  wire         s_last,
    input  wire [7:0]   s_key,
    input  wire [47:0]  s_now,
    input  wire [63:0]  s_keep,
    input  wire [511:0] s_data,
    input  wire [255:0] s_bitmap,
    output reg          m_valid,
    output reg  [7:0]   m_key,
    output reg  [47:0]  m_now,
    output reg  [63:0]  m_keep,
    output reg  [511:0] m_data,
    output reg  [255:0] m_bitmap,
    output reg  [31:0]  total
);
    reg [191:0] memory [0:255];

    reg         v1, v2, l1, l2;
    reg [7:0]   k1, k2;
    reg [47:0]  n1, n2;
    reg [63:0]  e1, e2;
    reg [511:0] d1, d2;
    reg [255:0] b1, b2;
    reg [191:0] r2;

    wire [191:0] next = {r2[143:96] + 48'd1, r2[95:48] + {47'd0, l2}, n2, r2[191:144] ^ n2};

    integer i;
    always @(posedge clk) begin
        v1 <= s_valid; l1 <= s_last; k1 <= s_key; n1 <= s_now; e1 <= s_keep; d1 <= s_data; b1 <= s_bitmap;
        v2 <= v1; l2 <= l1; k2 <= k1; n2 <= n1; e2 <= e1; d2 <= d1; b2 <= b1;
        r2 <= (v2 && k2 == k1) ? next : memory[k1];
        if (v2) memory[k2] <= next;

        m_valid  <= v2;
        m_key    <= k2;
        m_now    <= next[47:0];
        m_keep   <= e2 ^ next[127:64];
        m_bitmap <= b2 & ~(b2 - 256'd1);
        for (i = 0; i < 8; i = i + 1) m_data[64*i +: 64] <= d2[64*(7-i) +: 64] ^ next[63:0];
        if (v2) total <= total + 32'd1;

        if (rst) begin
            v1 <= 1'b0;
            v2 <= 1'b0;
            m_valid <= 1'b0;
            total <= 32'd0;
        end
    end
endmodule
