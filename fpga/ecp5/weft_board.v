// SPDX-License-Identifier: MIT OR Apache-2.0
//
// REPS and SMaRTT on an FPGA, docs/board.md: events made on the chip, a signature of all answers, compared with what the Rust
// model computes; registers on a UART, LEDs. After configuration one run goes by itself. The ports are those of a ULX3S.
`default_nettype none

module weft_board #(
    parameter DIVIDER = 217 // Clocks of a bit of the UART: 25 MHz and 115,200 baud.
) (
    input  wire       clk_25mhz,
    input  wire       ftdi_txd,   // What the FTDI sends.
    output wire       ftdi_rxd,
    output wire [7:0] led,
    output wire       wifi_gpio0  // High: the board's other processor does not take over.
);

    `include "weft_board.vh"

    localparam [31:0] IDENTITY = 32'h31544657; // "WFT1"
    localparam [6:0] ID = 7'd0, STATUS = 7'd1, SEED = 7'd2, EVENTS = 7'd3, CONFIG = 7'd4, EXPECTED_REPS = 7'd5, EXPECTED_SMARTT = 7'd6;
    localparam [6:0] SIGNATURE_REPS = 7'd7, SIGNATURE_SMARTT = 7'd8, ANSWERS_REPS = 7'd9, ANSWERS_SMARTT = 7'd10, CLOCKS = 7'd11, NOT_OPEN = 7'd12;

    wire        clk = clk_25mhz;
    wire  [6:0] address;
    wire        write;
    wire [31:0] write_data;
    reg  [31:0] read_data;
    initial read_data = 32'd0;
    weft_board_link #(.DIVIDER(DIVIDER)) link (
        .clk        (clk),
        .rx         (ftdi_txd),
        .tx         (ftdi_rxd),
        .address    (address),
        .write      (write),
        .write_data (write_data),
        .read_data  (read_data)
    );

    // Registers that are written. A write of STATUS starts a run.
    reg  [31:0] seed;
    reg  [31:0] events;
    reg   [6:0] configuration;
    reg  [31:0] expected_reps;
    reg  [31:0] expected_smartt;
    // Clocks that the reset before a run still lasts; configuration begins with one.
    reg   [3:0] resets;
    initial begin
        seed            = RUN_SEED;
        events          = RUN_EVENTS;
        configuration   = RUN_CONFIG;
        expected_reps   = RUN_REPS;
        expected_smartt = RUN_SMARTT;
        resets          = 4'd15;
    end
    always @(posedge clk) begin
        if (resets != 4'd0) resets <= resets - 4'd1;
        if (write) begin
            case (address)
                STATUS:          resets          <= 4'd15;
                SEED:            seed            <= write_data;
                EVENTS:          events          <= write_data;
                CONFIG:          configuration   <= write_data[6:0];
                EXPECTED_REPS:   expected_reps   <= write_data;
                EXPECTED_SMARTT: expected_smartt <= write_data;
                default: ;
            endcase
        end
    end
    reg rst;
    initial rst = 1'b1;
    always @(posedge clk) rst <= resets != 4'd0;

    // Answers are taken in three clocks of four, at random: a signature does not depend on it.
    reg [15:0] pauses;
    initial pauses = 16'd1;
    always @(posedge clk) pauses <= {pauses[14:0], pauses[15] ^ pauses[13] ^ pauses[12] ^ pauses[10]};

    wire [31:0] reps_signature;
    wire [31:0] reps_answers;
    wire [15:0] reps_not_open;
    weft_board_reps reps (
        .clk        (clk),
        .rst        (rst),
        .seed       (seed),
        .events     (events),
        .mode       (configuration[1:0]),
        .trimming   (configuration[2]),
        .thaw_reset (configuration[3]),
        .ready      (pauses[1:0] != 2'd0),
        .signature  (reps_signature),
        .answers    (reps_answers),
        .not_open   (reps_not_open)
    );

    wire [31:0] smartt_signature;
    wire [31:0] smartt_answers;
    wire [15:0] smartt_not_open;
    weft_board_smartt smartt (
        .clk         (clk),
        .rst         (rst),
        .seed        (seed),
        .events      (events),
        .signals     (configuration[5:4]),
        .late_losses (configuration[6]),
        .ready       (pauses[8:7] != 2'd0),
        .signature   (smartt_signature),
        .answers     (smartt_answers),
        .not_open    (smartt_not_open)
    );

    // The run is over when every event has its answer.
    reg        done;
    reg        reps_equal;
    reg        smartt_equal;
    reg [31:0] clocks;
    initial begin
        done         = 1'b0;
        reps_equal   = 1'b0;
        smartt_equal = 1'b0;
        clocks       = 32'd0;
    end
    always @(posedge clk) begin
        done         <= !rst && reps_answers == events && smartt_answers == events;
        reps_equal   <= reps_signature == expected_reps && reps_not_open == 16'd0;
        smartt_equal <= smartt_signature == expected_smartt && smartt_not_open == 16'd0;
        if (rst) clocks <= 32'd0;
        else if (!done) clocks <= clocks + 32'd1;
    end

    always @(posedge clk) begin
        case (address)
            ID:               read_data <= IDENTITY;
            STATUS:           read_data <= {29'd0, smartt_equal, reps_equal, done & resets == 4'd0};
            SEED:             read_data <= seed;
            EVENTS:           read_data <= events;
            CONFIG:           read_data <= {25'd0, configuration};
            EXPECTED_REPS:    read_data <= expected_reps;
            EXPECTED_SMARTT:  read_data <= expected_smartt;
            SIGNATURE_REPS:   read_data <= reps_signature;
            SIGNATURE_SMARTT: read_data <= smartt_signature;
            ANSWERS_REPS:     read_data <= reps_answers;
            ANSWERS_SMARTT:   read_data <= smartt_answers;
            CLOCKS:           read_data <= clocks;
            NOT_OPEN:         read_data <= {smartt_not_open, reps_not_open};
            default:          read_data <= 32'd0;
        endcase
    end

    // Beats with 1.5 Hz whatever else happens.
    reg [23:0] heart;
    initial heart = 24'd0;
    always @(posedge clk) heart <= heart + 24'd1;
    reg  [7:0] lights;
    initial lights = 8'd0;
    always @(posedge clk) begin
        lights <= {2'd0, done & !smartt_equal, done & !reps_equal, done & !(reps_equal & smartt_equal), done & reps_equal & smartt_equal, !done, heart[23]};
    end
    assign led        = lights;
    assign wifi_gpio0 = 1'b1;

endmodule

`default_nettype wire
