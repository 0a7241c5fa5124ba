"""Faults to be planted in the adapters: module, text, what stands there instead, and the test that has to find it."""

READ, WRITE, QUEUES, JOIN, BLOCK = "weft_dma_read", "weft_dma_write", "weft_queues", "weft_join", "mqnic_app_block"
MESSAGES, CUT, WINDOWS = "messages_to_itself", "cut_and_bad", "windows_of"

# Where, what, by what, the top whose tests are run, which of them ("" for all).
FAULTS = [
    # A packet is given out before its status.
    (READ, "oldest != newest && done[oldest[SLOTS-1:0]]", "oldest != newest", READ, "any_length"),
    # A slot's done bit is left from the read before.
    (READ, "done[newest[SLOTS-1:0]]       <= 1'b0;", "", READ, "under_way"),
    # Statuses are taken for those of the oldest read.
    (READ, "done[s_axis_status_tag[SLOTS-1:0]]   <= 1'b1", "done[oldest[SLOTS-1:0]]   <= 1'b1", READ, "any_length"),
    # A failed read passes.
    (READ, "s_axis_status_error != 4'd0", "1'b0", READ, "what_fails"),
    # Bytes beside those that the engine writes are written, too.
    (READ, "ram_wr_cmd_valid[1] && ram_wr_cmd_be[64+i]", "ram_wr_cmd_valid[1]", READ, "any_length"),
    # The ring is written over.
    (READ, "room >= rows && ", "", READ, "a_full_ring"),
    # More reads than slots.
    (READ, "!full && room", "room", READ, "under_way"),
    # A packet of a multiple of 128 bytes and one has a row too few.
    (READ, "{7'd0, |bytes[6:0]}", "{7'd0, |bytes[6:1]}", READ, "any_length"),
    # tkeep of the last word.
    (READ, "~({64{1'b1}} << left[6:0])", "~({64{1'b1}} << left[5:0])", READ, "any_length"),
    # A write of the engine is not answered while it has one in the other segment.
    (READ, "rst ? 2'b00 : ram_wr_cmd_valid", "rst ? 2'b00 : ram_wr_cmd_valid[0] ? 2'b01 : ram_wr_cmd_valid", READ, "any_length"),
    # A word is lost when the NIC does not take it.
    (READ, "        if (moves) begin\n            low_word", "        begin\n            low_word", READ, "any_length"),
    # Segments are exchanged.
    (WRITE, "comes && tail[0] == s", "comes && tail[0] != s", WRITE, "any_length"),
    # The ring is written over.
    (WRITE, "!no_word && !no_slot", "!no_slot", WRITE, "a_full_ring"),
    # More packets than slots.
    (WRITE, "!no_word && !no_slot", "!no_word", WRITE, "a_full_ring"),
    # Words are free before the status.
    (WRITE, "if (s_axis_status_valid) begin\n            head ", "if (m_axis_desc_valid && m_axis_desc_ready) begin\n            head ", WRITE, "a_full_ring"),
    # The descriptor leaves with the first word.
    (WRITE, "if (s_axis_write_tlast) begin", "if (s_axis_write_tlast || tail[RING:0] == start) begin", WRITE, "any_length"),
    # Answers are not held.
    (WRITE, "!answer_valid || ram_rd_resp_ready[s]", "1'b1", WRITE, "any_length"),
    # Errors are not told.
    (WRITE, "s_axis_status_error != 4'd0", "1'b0", WRITE, "errors"),
    # Frames are mixed.
    (JOIN, "inside_frame ? last_was_b : ", "", JOIN, ""),
    # The spare word is lost.
    (JOIN, "spare_valid ? spare : word", "word", JOIN, ""),
    # One side always first.
    (JOIN, "!(s_axis_a_tvalid && last_was_b)", "!s_axis_a_tvalid", JOIN, ""),
    # A clock is lost between frames.
    (JOIN, "&& !spare_valid;\n    wire         moves", "&& !spare_valid && (inside_frame || !m_axis_tvalid);\n    wire         moves", JOIN, ""),
    # The ring of completions is overfilled by one.
    (QUEUES, "ring_used < (16'd1 << ring_size)", "ring_used <= (16'd1 << ring_size)", QUEUES, ""),
    # The phase does not turn.
    (QUEUES, "!ring_tail[ring_size]", "1'b1", QUEUES, ""),
    # The seventeenth work request is taken.
    (QUEUES, "if (!post_used[4])", "if (1'b1)", QUEUES, ""),
    # Part of a word is written.
    (QUEUES, "s_axil_wstrb == 4'hF", "1'b1", QUEUES, ""),
    # Entries of one kind starve the others.
    (QUEUES, "turn                <= who == 2'd2 ? 2'd0 : who + 2'd1;", "turn <= 2'd0;", QUEUES, ""),
    # A buffer's word is written over before the NIC knows it.
    (QUEUES, "if (!m_axis_buffer_tvalid) begin", "begin", QUEUES, ""),
    # The windows overlap.
    ("weft_axil_split", "|s_axil_awaddr[ADDR_WIDTH-1:17] ? NOBODY", "|s_axil_awaddr[ADDR_WIDTH-1:18] ? NOBODY", BLOCK, WINDOWS),
    # The host's tags are lost.
    ("weft_app", ".s_axis_b_tuser(s_axis_host_tuser)", ".s_axis_b_tuser({TX_USER{1'b0}})", BLOCK, MESSAGES),
    # A completion ahead of its data: descriptors of one word overtake.
    (WRITE, "desc              <= slot[next[SLOTS-1:0]];", "desc <= newest - next > 1 && slot[newest[SLOTS-1:0]-1][77:64] == 16 ? slot[newest[SLOTS-1:0]-1] : slot[next[SLOTS-1:0]];", BLOCK, MESSAGES),
    # The MAC's mark on bad frames is lost.
    ("weft_app", ".s_axis_net_tuser(s_axis_rx_tuser)", ".s_axis_net_tuser({RX_USER{1'b0}})", BLOCK, MESSAGES),
]
