// SPDX-License-Identifier: MIT OR Apache-2.0
//
// REPS as one writes it by hand, from docs/blocks/reps.md alone: the yardstick that weft_reps is measured by.
// Same ports, same latency, same values on every clock; 256 connections, 8 entropy values of 16 bits each.

`default_nettype none

module weft_reps_plain #(
    parameter A = 8,  // bits of a connection
    parameter S = 3,  // bits of a slot
    parameter V = 16  // bits of an entropy value
) (
    input  wire         clk,
    input  wire         rst,
    input  wire [31:0]  now,
    input  wire         s_axis_event_tvalid,
    output wire         s_axis_event_tready,
    input  wire [A-1:0] s_axis_event_tid,
    input  wire [31:0]  s_axis_event_tdata,
    input  wire [3:0]   s_axis_event_tuser,
    output reg          m_axis_decision_tvalid,
    input  wire         m_axis_decision_tready,
    output reg  [A-1:0] m_axis_decision_tid,
    output reg  [V-1:0] m_axis_decision_tdata,
    output reg  [7:0]   m_axis_decision_tuser,
    input  wire [1:0]   cfg_mode,
    input  wire [V-1:0] cfg_ev_base,
    input  wire [16:0]  cfg_evs_size,
    input  wire [31:0]  cfg_freeze_timeout,
    input  wire [15:0]  cfg_bdp_packets,
    input  wire         cfg_trimming,
    input  wire         cfg_thaw_reset,
    input  wire [15:0]  cfg_rtt_high,
    input  wire [31:0]  cfg_rtt_window,
    output reg  [15:0]  stat_not_open_events
);

    localparam [2:0] SEND = 0, ACK = 1, TIMEOUT = 2, PATH_OK = 3, IDLE = 4, OPEN = 5, CLOSE = 6, SEED = 7;
    localparam [1:0] GIVEN = 0, EXPLORED = 1, RECYCLED = 2, REUSED = 3;
    localparam [31:0] MASK = 32'h9e3779b9; // a seed is combined with it
    localparam K = 43 + S + 2 * (S + 1);   // bits of a control word

    wire mode_reps  = cfg_mode == 0;
    wire mode_ops   = cfg_mode == 1;
    wire mode_fixed = cfg_mode == 2;
    wire mode_2024  = cfg_mode == 3;

    // All stages move, or none does.
    reg run;

    // Stage 1: the event. After reset a sweep puts a CLOSE of each connection in its place.
    reg          sweeping;
    reg          s1_valid, s1_live;
    reg  [A-1:0] s1_id;
    reg  [31:0]  s1_data, s1_now;
    reg  [3:0]   s1_user;
    wire [A:0]   next_id = {1'b0, sweeping ? s1_id : s_axis_event_tid} + {{A{1'b0}}, sweeping};

    assign s_axis_event_tready = run & ~sweeping;

    always @(posedge clk) begin
        if (run) begin
            s1_valid <= s_axis_event_tvalid & ~sweeping;
            s1_live <= s_axis_event_tvalid | sweeping;
            s1_id <= next_id[A-1:0];
            s1_data <= s_axis_event_tdata;
            s1_user <= sweeping ? {1'b0, CLOSE} : s_axis_event_tuser;
            s1_now <= now;
            if (next_id[A])
                sweeping <= 0;
        end
        if (rst) begin
            s1_valid <= 0;
            s1_live <= 0;
            s1_id <= 0;
            sweeping <= 1;
        end
    end

    // Stage 2: the control word is being read.
    reg          s2_valid, s2_live, s3_valid, s3_live, s4_valid, s4_live, s5_valid, s5_live;
    reg  [A-1:0] s2_id, s3_id, s4_id, s5_id;
    reg  [31:0]  s2_data, s3_data, s4_data;
    reg  [31:0]  s2_now, s3_now, s4_now;
    reg  [3:0]   s2_user, s3_user;
    reg          s2_near1, s2_near2, s2_near3, s2_near4;
    reg  [2:0]   s4_kind;

    always @(posedge clk) begin
        if (run) begin
            s2_valid <= s1_valid;
            s2_live <= s1_live;
            s2_id <= s1_id;
            s2_data <= s1_data;
            s2_user <= s1_user;
            s2_now <= s1_now;
            s2_near1 <= s2_live & s2_id == s1_id;
            s2_near2 <= s3_live & s3_id == s1_id;
            s2_near3 <= s4_live & s4_id == s1_id;
            s2_near4 <= s5_live & s5_id == s1_id;
        end
        if (rst) begin
            s2_valid <= 0;
            s2_live <= 0;
        end
    end

    // Stage 3: the word is there, or a younger one in stage 5, 6 or 7. How long ago was its time?
    reg          s3_near1, s3_high;
    reg  [1:0]   s3_pick; // the youngest, one LUT a bit of the word
    reg  [31:0]  s3_since;
    reg          s3_wraps;
    (* ram_style = "block", no_rw_check *)
    reg  [K-1:0] words [0:(1<<A)-1];
    reg  [K-1:0] s2_word, s3_word, s4_word, s5_word, s6_word, s7_word;
    wire [K-1:0] merged = s3_pick[1] ? (s3_pick[0] ? s7_word : s6_word) : s3_pick[0] ? s5_word : s3_word;
    wire [31:0]  limit = s2_user[2:0] == ACK ? cfg_freeze_timeout : cfg_rtt_window;

    always @(posedge clk) begin
        if (run) begin
            s2_word <= words[s1_id];
            s3_word <= s2_word;
            s3_valid <= s2_valid;
            s3_live <= s2_live;
            s3_id <= s2_id;
            s3_data <= s2_data;
            s3_user <= s2_user;
            s3_now <= s2_now;
            s3_since <= s2_now - limit;
            s3_wraps <= s2_now < limit;
            s3_high <= s2_data[31:16] >= cfg_rtt_high;
            s3_near1 <= s2_near1;
            s3_pick <= s2_near2 ? 2'd1 : s2_near3 ? 2'd2 : s2_near4 ? 2'd3 : 2'd0;
        end
        if (rst) begin
            s3_valid <= 0;
            s3_live <= 0;
        end
    end

    // A time that is not within the limit: from s3_since to s3_now, round the corner if s3_wraps
    function is_over(input [31:0] a);
        is_over = s3_wraps ? a < s3_since & a > s3_now : a < s3_since | a > s3_now;
    endfunction

    // Stage 4: the step, on the word of stage 3 or on the one that the event just before has left.
    reg          s4_near1, s4_elapsed, s4_elapsed_near;
    reg          s4_send, s4_random, s4_fixed, s4_number, s4_cache, s4_late, s4_cut, s4_keep;
    reg          s4_timeout, s4_path_ok, s4_idle, s4_opening, s4_closing, s4_seeding;
    reg          s5_touched;
    reg  [7:0]   bdp;
    wire [2:0]   kind = s3_user[2:0];
    wire         mark = s3_user[3];

    always @(posedge clk) begin
        if (run) begin
            s4_valid <= s3_valid;
            s4_live <= s3_live;
            s4_id <= s3_id;
            s4_data <= s3_data;
            s4_kind <= kind;
            s4_now <= s3_now;
            s4_near1 <= s3_near1;
            s4_word <= merged;
            s4_elapsed <= is_over(merged[42:11]);
            s4_elapsed_near <= is_over(s4_now);
            // What is asked for
            s4_send <= s3_live & kind == SEND & mode_reps;
            s4_random <= s3_live & kind == SEND & mode_ops;
            s4_fixed <= s3_live & kind == SEND & mode_fixed;
            s4_number <= s3_live & kind == SEND & mode_2024;
            s4_cache <= s3_live & kind == ACK & mode_reps & ~mark;
            s4_late <= s3_live & kind == ACK & mode_reps & s3_high;
            s4_cut <= s3_live & kind == ACK & mode_2024 & mark;
            s4_keep <= s3_live & kind == ACK & mode_2024 & ~mark;
            s4_timeout <= s3_live & kind == TIMEOUT & mode_reps;
            s4_path_ok <= s3_live & kind == PATH_OK & mode_reps;
            s4_idle <= s3_live & kind == IDLE & mode_reps;
            s4_opening <= s3_live & kind == OPEN;
            s4_closing <= s3_live & kind == CLOSE;
            s4_seeding <= s3_live & kind == SEED;
        end
        bdp <= cfg_bdp_packets[15:8] != 0 ? 8'd255 : cfg_bdp_packets[7:0];
        if (rst) begin
            s4_valid <= 0;
            s4_live <= 0;
            {s4_send, s4_random, s4_fixed, s4_number, s4_cache, s4_late, s4_cut, s4_keep} <= 0;
            {s4_timeout, s4_path_ok, s4_idle, s4_opening, s4_closing, s4_seeding} <= 0;
        end
    end

    // The word. Slots from `tail` on to before `head` are valid, if `some` is; else `tail` is `head`. A closed connection
    // is all zero, and nothing is to be explored while it is frozen.
    wire [S:0]   written;
    wire         some;
    wire [S-1:0] head, tail;
    wire [31:0]  stamp; // begin of the freeze, last high round-trip time; mode 2024: {..., cached, next}
    wire [7:0]   explore;
    wire         high, frozen, open;
    assign {written, some, tail, head, stamp, explore, high, frozen, open} = s4_near1 ? s5_word : s4_word;
    wire         exploring = explore != 0;
    wire         elapsed = s4_near1 & s5_touched ? s4_elapsed_near : s4_elapsed;

    wire fresh    = head == written[S-1:0] & ~written[S];
    wire take     = s4_send & some & ~exploring;
    wire reuse    = s4_send & ~some & frozen & written != 0;
    wire random   = open & (s4_random | s4_send & (exploring | ~some & ~(frozen & written != 0)));
    wire cache    = open & s4_cache;
    wire freeze   = open & s4_timeout & ~frozen & ~exploring & (cfg_trimming | ~high | elapsed);
    wire thaw     = frozen & ((s4_cache | s4_timeout) & elapsed | s4_path_ok);
    wire empty    = thaw & cfg_thaw_reset;
    wire touched  = freeze | s4_late & open & ~frozen;
    wire clear    = s4_opening | s4_closing;
    wire try_next = s4_number & exploring;
    wire cut      = s4_cut & open;
    wire explored = exploring & (s4_send | s4_number);
    wire full     = some & head == tail;

    wire         at_head = cache & ~empty | reuse & ~fresh;
    wire [S-1:0] slot = take ? tail : at_head ? head : {S{1'b0}};

    reg [S:0]   written_next;
    reg         some_next;
    reg [S-1:0] head_next, tail_next;
    reg [31:0]  stamp_next;
    reg [7:0]   explore_next;
    reg         high_next, frozen_next, open_next;

    always @* begin
        written_next = written;
        some_next = some;
        {head_next, tail_next} = {head, tail};
        {stamp_next, explore_next, high_next, frozen_next, open_next} = {stamp, explore, high, frozen, open};
        if (at_head)
            head_next = head + 1;
        else if (cache | reuse)
            head_next = 1;
        else if (clear | empty)
            head_next = 0;
        if (take | cache & ~empty & full | reuse & ~fresh)
            tail_next = tail + 1;
        else if (reuse)
            tail_next = 1;
        else if (clear | empty)
            tail_next = 0;
        if (take)
            some_next = head != tail + 3'd1;
        else if (cache)
            some_next = 1;
        else if (clear | empty)
            some_next = 0;
        if (clear | empty)
            written_next = {{S{1'b0}}, cache};
        else if (cache & fresh)
            written_next = written + 1;
        if (clear & ~(s4_opening & mode_2024) | (try_next | cut) & (&stamp[7:0]))
            explore_next = 0;
        else if (thaw | s4_idle & open & ~frozen | s4_opening)
            explore_next = bdp;
        else if (explored)
            explore_next = explore - 1;
        if (clear)
            stamp_next = 0;
        else if (touched)
            stamp_next = s4_now;
        else if (try_next | cut) begin
            stamp_next[7:0] = stamp[7:0] + 1;
            if (cut)
                stamp_next[15:8] = stamp[7:0];
        end
        if (clear)
            high_next = s4_opening & mode_2024;
        else if (freeze | s4_keep)
            high_next = 0;
        else if (touched | cut)
            high_next = 1;
        frozen_next = (frozen | freeze) & ~thaw & ~clear;
        open_next = (open | s4_opening) & ~s4_closing;
    end

    wire [K-1:0] word_next =
        {written_next, some_next, tail_next, head_next, stamp_next, explore_next, high_next, frozen_next, open_next};

    // Stage 5: the word is written.
    reg          s5_accepted, s5_frozen, s5_turned, s5_read, s5_write, s5_drawn;
    reg  [V-1:0] s5_ev;
    reg  [2:0]   s5_kind;
    reg  [1:0]   s5_source;
    reg  [S-1:0] s5_slot;

    always @(posedge clk) begin
        if (run) begin
            if (s5_live)
                words[s5_id] <= s5_word;
            s5_word <= word_next;
            s6_word <= s5_word;
            s7_word <= s6_word;
            s5_valid <= s4_valid;
            s5_live <= s4_live;
            s5_id <= s4_id;
            s5_kind <= s4_kind;
            s5_ev <= s4_data[V-1:0];
            s5_touched <= touched;
            s5_accepted <= open | s4_opening | s4_seeding;
            s5_frozen <= frozen_next & ~s4_seeding;
            s5_turned <= freeze | thaw;
            s5_source <= random | try_next ? EXPLORED : take | s4_number & open ? RECYCLED : reuse ? REUSED : GIVEN;
            s5_slot <= slot;
            s5_write <= cache | s4_opening | s4_keep & open;
            s5_read <= take | reuse | s4_fixed & open | s4_number & open & ~exploring & ~high;
            s5_drawn <= random | s4_number & open & (exploring | high);
            if (s5_valid & ~s5_accepted)
                stat_not_open_events <= stat_not_open_events + 1;
        end
        if (rst) begin
            s5_valid <= 0;
            s5_live <= 0;
            stat_not_open_events <= 0;
        end
    end

    // The random numbers: drawn in stage 4, scaled in 5 and 6.
    reg  [31:0] lfsr;
    reg  [22:0] draw;
    wire [22:0] taps = lfsr[22:0] ^ lfsr[24:2] ^ lfsr[28:6] ^ lfsr[29:7];
    wire [7:0]  number = exploring ? stamp[7:0] : stamp[15:8];
    reg  [39:0] product;
    reg  [15:0] index;
    wire        unused = &{1'b0, product[39], product[22:0]};

    always @(posedge clk) begin
        if (run) begin
            if (s4_seeding)
                lfsr <= s4_data == MASK ? 32'h80000000 : s4_data ^ MASK;
            else if (random)
                lfsr <= {taps, lfsr[31:23]};
            draw <= mode_2024 ? {number, 15'd0} : {lfsr[31:24] ^ lfsr[7:0], lfsr[23:9]};
            product <= draw * cfg_evs_size;
            index <= product[38:23];
        end
        if (rst)
            lfsr <= MASK;
    end

    // Stages 5 to 7: the entropy values.
    (* ram_style = "block", no_rw_check *)
    reg  [V-1:0] evs [0:(1<<(A+S))-1];
    reg  [V-1:0] s6_ev, s7_ev;
    reg          s6_valid, s7_valid, s6_read, s7_read, s6_drawn, s7_drawn;
    reg  [A-1:0] s6_id, s7_id;
    reg  [7:0]   s6_user, s7_user;
    wire [V-1:0] ev = s7_drawn ? cfg_ev_base + index[V-1:0] : s7_read ? s7_ev : {V{1'b0}};

    always @(posedge clk) begin
        if (run) begin
            if (s5_write)
                evs[{s5_id, s5_slot}] <= s5_ev;
            if (s5_read)
                s6_ev <= evs[{s5_id, s5_slot}];
            s7_ev <= s6_ev;
            s6_valid <= s5_valid;
            s6_id <= s5_id;
            s6_user <= {s5_turned, s5_frozen, s5_source, s5_accepted, s5_kind};
            s6_read <= s5_read;
            s6_drawn <= s5_drawn;
            s7_valid <= s6_valid;
            s7_id <= s6_id;
            s7_user <= s6_user;
            s7_read <= s6_read;
            s7_drawn <= s6_drawn;
        end
        if (rst) begin
            s6_valid <= 0;
            s7_valid <= 0;
        end
    end

    // Stage 8: the decision, and one that waits when it is not taken.
    reg  [A+V+7:0] held;
    wire           free = m_axis_decision_tready | ~m_axis_decision_tvalid;
    wire           offer = s7_valid | ~run;

    always @(posedge clk) begin
        run <= free | ~offer;
        if (run)
            held <= {s7_id, ev, s7_user};
        if (free)
            m_axis_decision_tvalid <= offer;
        if (free & offer)
            {m_axis_decision_tid, m_axis_decision_tdata, m_axis_decision_tuser} <= run ? {s7_id, ev, s7_user} : held;
        if (rst) begin
            run <= 1;
            m_axis_decision_tvalid <= 0;
        end
    end

endmodule

`default_nettype wire
