-- Wireshark dissector of weft's extension headers (docs/dissector.md). It comes after Wireshark's own RoCEv2
-- dissector, which shows BTH, RETH, AETH and ICRC, and adds a tree `weft` with what that one does not know.
--
--     tshark -X lua_script:wireshark/weft.lua -Y 'weft.ev == 0xc123' -r capture.pcapng
--
-- Positions are those of model/wire/src/headers.rs; model/wire/tests/dissector.rs compares every field.

local weft = Proto("weft", "weft: packet spraying over RoCEv2")

weft.prefs.dscp_trimmed = Pref.uint("DSCP of trimmed packets", 12, "As the switches are configured")
weft.prefs.dscp_trimmed_lasthop =
    Pref.uint("DSCP of packets trimmed at the last hop", 16, "As the switches are configured")

local ECHOES = { [0] = "not marked", [1] = "CE", [2] = "always skip" }
local REASONS = {
    [0x01] = "TRIMMED", [0x02] = "TRIMMED_LASTHOP", [0x06] = "NO_BITMAP", [0x07] = "NO_PKT_BUFFER",
    [0x0A] = "NO_RESOURCE", [0x0B] = "PSN_OOR_WINDOW", [0x19] = "UNEXP_EVENT",
}

-- Wireshark's fields of the lower layers.
local udp_payload = Field.new("udp.payload")
local udp_source = Field.new("udp.srcport")
local udp_destination = Field.new("udp.dstport")
local udp_length = Field.new("udp.length")
local dscp_v4 = Field.new("ip.dsfield.dscp")
local dscp_v6 = Field.new("ipv6.tclass.dscp")

-- `f.ack_psn` is the field `weft.ack.psn`.
local f = weft.fields
local function key(name) return (name:gsub("%.", "_")) end
local function add(name, make, ...) f[key(name)] = make("weft." .. name, ...) end

local DEC, HEX = base.DEC, base.HEX

-- Of every packet. `ev` and `psn` are those of the data packet that it is, or that it answers.
add("kind", ProtoField.string, "Kind")
add("qp", ProtoField.uint24, "Destination QP", HEX)
add("psn", ProtoField.uint24, "PSN", DEC)
add("ev", ProtoField.uint16, "Entropy value", HEX)
add("ack_request", ProtoField.bool, "Asks for an ACK")
add("retransmission", ProtoField.bool, "Sent again")
add("solicited", ProtoField.bool, "Completion at the receiver")

add("xeth.tx_timestamp", ProtoField.uint16, "Time stamp (32 ns)", DEC)
add("xeth.tsr", ProtoField.uint8, "Time-stamp resolution", DEC)
add("xeth.ftype", ProtoField.uint8, "Format", DEC)
add("xeth.rqmsn", ProtoField.uint16, "Receive-queue message", DEC)
add("xeth.msn", ProtoField.uint16, "Message", DEC)

add("trimmed.last_hop", ProtoField.bool, "Trimmed at the last hop")
add("trimmed.rest", ProtoField.bytes, "After the last whole header")

add("ack.probe_reply", ProtoField.bool, "Answers a probe")
add("ack.ecn", ProtoField.uint8, "ECN echo", DEC, ECHOES)
add("ack.offset", ProtoField.int16, "Trigger - cumulative", DEC)
add("ack.cumulative", ProtoField.uint24, "Cumulative PSN", DEC)
add("ack.flow_label", ProtoField.uint16, "Echoed flow label, low half", HEX)
add("ack.spdcid", ProtoField.uint16, "Source PDC", DEC)
add("ack.dpdcid", ProtoField.uint16, "Destination PDC", DEC)
add("ack.cc_type", ProtoField.uint8, "Congestion-control type", DEC)
add("ack.wide", ProtoField.bool, "Bitmap of 256 bits")
add("ack.mpr", ProtoField.uint8, "Maximum PSN range (128 PSNs)", DEC)
add("ack.sack_offset", ProtoField.int16, "Bitmap's first PSN - cumulative", DEC)
add("ack.base", ProtoField.uint24, "Bitmap's first PSN", DEC)
add("ack.bitmap", ProtoField.string, "Bitmap, bit 0 at the right")
add("ack.bitmap.count", ProtoField.uint16, "PSNs in the bitmap", DEC)
add("ack.bitmap.psns", ProtoField.string, "Received beyond the cumulative PSN")
add("ack.tx_timestamp", ProtoField.uint16, "Echoed time stamp (32 ns)", DEC)
add("ack.ooo_count", ProtoField.uint16, "Received out of order", DEC)
add("ack.rc", ProtoField.bool, "Restore the saved window")
add("ack.rcv_cwnd_pend", ProtoField.uint8, "Penalty on the window (1/128)", DEC)
add("ack.rcvd_bytes", ProtoField.uint24, "Bytes received (256)", DEC)

add("ack.lists", ProtoField.bool, "List of entropy values")
add("ack.list.there", ProtoField.uint16, "Entries that are there", HEX)
add("ack.list.marked", ProtoField.uint16, "Of packets with CE", HEX)
add("ack.list.count", ProtoField.uint8, "Entries", DEC)
add("ack.list.evs", ProtoField.string, "Entropy values, the oldest packet first")

add("nack.ecn", ProtoField.uint8, "ECN echo", DEC, ECHOES)
add("nack.reason", ProtoField.uint8, "Reason", HEX, REASONS)
add("nack.vendor", ProtoField.uint8, "Vendor code", HEX)
add("nack.flow_label", ProtoField.uint16, "Echoed flow label, low half", HEX)
add("nack.spdcid", ProtoField.uint16, "Source PDC", DEC)
add("nack.dpdcid", ProtoField.uint16, "Destination PDC", DEC)
add("nack.psn", ProtoField.uint24, "PSN refused", DEC)
add("nack.cc_type", ProtoField.uint8, "Congestion-control type", DEC)
add("nack.tx_timestamp", ProtoField.uint16, "Echoed time stamp (32 ns)", DEC)

add("probe.vendor", ProtoField.uint8, "Vendor code", HEX)
add("probe.id", ProtoField.uint16, "Probe", DEC)
add("probe.spdcid", ProtoField.uint16, "Source PDC", DEC)
add("probe.dpdcid", ProtoField.uint16, "Destination PDC", DEC)
add("probe.tx_timestamp", ProtoField.uint16, "Time stamp (32 ns)", DEC)
add("probe.tsr", ProtoField.uint8, "Time-stamp resolution", DEC)
add("probe.ftype", ProtoField.uint8, "Format", DEC)

local too_short = ProtoExpert.new("weft.too_short", "Too short for its headers", expert.group.MALFORMED,
    expert.severity.WARN)
weft.experts = { too_short }

-- Bits high..low of the big-endian 32-bit word at byte `at`, bit 31 first on the wire.
local function bits(header, at, high, low)
    return header(at, 4):bitfield(31 - high, high - low + 1)
end

-- The same, added to the tree as field `name`, marking the bytes that hold it.
local function show(tree, header, name, at, high, low)
    local value = bits(header, at, high, low)
    local first, last = at + math.floor((31 - high) / 8), at + math.floor((31 - low) / 8)
    tree:add(f[key(name)], header(first, last - first + 1), value)
    return value
end

local function show_flag(tree, header, name, at, bit)
    local value = bits(header, at, bit, bit) == 1
    tree:add(f[key(name)], header(at + math.floor((31 - bit) / 8), 1), value)
    return value
end

local function signed16(value) return value < 0x8000 and value or value - 0x10000 end

local function psn_add(psn, offset) return (psn + offset) % 0x1000000 end

-- What every packet begins with.
local function common(tree, bth, kind, psn, psn_range, ev, ev_range)
    tree:add(f.kind, kind):set_generated()
    show(tree, bth, "qp", 4, 23, 0)
    tree:add(f.psn, psn_range, psn)
    tree:add(f.ev, ev_range, ev)
end

local function request(tree, bth, kind, ev)
    local psn = bits(bth, 8, 23, 0)
    common(tree, bth, kind, psn, bth(9, 3), ev.value, ev.range)
    show_flag(tree, bth, "ack_request", 8, 31)
    show_flag(tree, bth, "retransmission", 8, 29)
    show_flag(tree, bth, "solicited", 0, 23)
    return psn
end

local function xeth(tree, header)
    local sub = tree:add(weft, header, "XETH")
    local stamp = show(sub, header, "xeth.tx_timestamp", 0, 31, 16)
    show(sub, header, "xeth.tsr", 0, 15, 15)
    show(sub, header, "xeth.ftype", 0, 3, 0)
    show(sub, header, "xeth.rqmsn", 4, 31, 16)
    local message = show(sub, header, "xeth.msn", 4, 15, 0)
    return string.format("stamp %d message %d", stamp, message)
end

-- The bits of the bitmap, bit i at index i, and as hexadecimal digits, the highest first. On the wire stand
-- 64-bit words, the lowest word first, in two places: SETH and SACKX.
local function bitmap(words)
    local set, digits = {}, {}
    for number, word in ipairs(words) do
        local text = ""
        for byte = 0, 7 do
            local value = word(byte, 1):uint()
            text = text .. string.format("%02x", value)
            for bit = 0, 7 do
                set[64 * (number - 1) + 8 * (7 - byte) + bit] = math.floor(value / 2 ^ bit) % 2 == 1
            end
        end
        table.insert(digits, 1, text)
    end
    return set, table.concat(digits)
end

-- The PSNs that a bitmap names, as runs: "101-104 106".
local function runs(set, length, first)
    local count, parts, from = 0, {}, nil
    for i = 0, length do
        if set[i] then
            count = count + 1
            from = from or i
        elseif from then
            local low, high = psn_add(first, from), psn_add(first, i - 1)
            table.insert(parts, low == high and tostring(low) or low .. "-" .. high)
            from = nil
        end
    end
    return count, table.concat(parts, " ")
end

-- The entropy values of the other packets that an ACK answers: "c001 c7f2*", with a star if that packet had a mark.
local function list(tree, evx)
    local sub = tree:add(weft, evx, "EVX")
    local there = show(sub, evx, "ack.list.there", 0, 31, 16)
    local marked = show(sub, evx, "ack.list.marked", 0, 15, 0)
    local evs = {}
    for i = 0, 15 do
        local bit = 2 ^ i
        if math.floor(there / bit) % 2 == 1 then
            local star = math.floor(marked / bit) % 2 == 1 and "*" or ""
            table.insert(evs, string.format("%04x%s", evx(4 + 2 * i, 2):uint(), star))
        end
    end
    sub:add(f.ack_list_count, evx(0, 2), #evs)
    sub:add(f.ack_list_evs, evx(4, 32), table.concat(evs, " "))
    return string.format(", %d more", #evs)
end

local function ack(tree, bth, wide, lists)
    local seth, state = bth(16, 28), bth(44, 8)
    local offset = signed16(bits(seth, 0, 15, 0))
    local cumulative = bits(seth, 12, 23, 0)
    local psn, ev = psn_add(cumulative, offset), bits(seth, 4, 15, 0)
    common(tree, bth, "ACK", psn, seth(2, 2), ev, seth(6, 2))

    local sub = tree:add(weft, bth(16, lists and 96 or wide and 60 or 36), "ACK")
    show_flag(sub, seth, "ack.probe_reply", 0, 17)
    local echo = show(sub, seth, "ack.ecn", 0, 22, 21)
    sub:add(f.ack_offset, seth(2, 2), offset)
    show(sub, seth, "ack.cumulative", 12, 23, 0)
    show(sub, seth, "ack.flow_label", 4, 31, 16)
    show(sub, seth, "ack.spdcid", 8, 31, 16)
    show(sub, seth, "ack.dpdcid", 8, 15, 0)
    show(sub, seth, "ack.cc_type", 16, 31, 28)
    show_flag(sub, seth, "ack.lists", 16, 25)
    show_flag(sub, seth, "ack.wide", 16, 24)
    show(sub, seth, "ack.mpr", 16, 23, 16)
    local sack_offset = signed16(bits(seth, 16, 15, 0))
    sub:add(f.ack_sack_offset, seth(18, 2), sack_offset)
    local first = psn_add(cumulative, sack_offset)
    sub:add(f.ack_base, seth(18, 2), first)

    local words = { seth(20, 8) }
    if wide then
        for i = 0, 2 do words[2 + i] = bth(52 + 8 * i, 8) end
    end
    local set, digits = bitmap(words)
    local count, psns = runs(set, 64 * #words, first)
    sub:add(f.ack_bitmap, seth(20, 8), digits)
    sub:add(f.ack_bitmap_count, seth(20, 8), count)
    sub:add(f.ack_bitmap_psns, seth(20, 8), psns)

    show(sub, state, "ack.tx_timestamp", 0, 31, 16)
    show(sub, state, "ack.ooo_count", 0, 14, 0)
    show_flag(sub, state, "ack.rc", 4, 31)
    show(sub, state, "ack.rcv_cwnd_pend", 4, 30, 24)
    show(sub, state, "ack.rcvd_bytes", 4, 23, 0)
    local more = lists and list(sub, bth(76, 36)) or ""
    return string.format("ACK %d of %d, %d beyond, EV %04x%s%s", cumulative, psn, count, ev,
        echo == 1 and ", CE" or "", more)
end

local function nack(tree, bth)
    local neth = bth(16, 20)
    local psn, ev = bits(neth, 12, 23, 0), bits(neth, 4, 15, 0)
    common(tree, bth, "NACK", psn, neth(13, 3), ev, neth(6, 2))
    local sub = tree:add(weft, neth, "NACK")
    show(sub, neth, "nack.ecn", 0, 22, 21)
    local reason = show(sub, neth, "nack.reason", 0, 15, 8)
    show(sub, neth, "nack.vendor", 0, 7, 0)
    show(sub, neth, "nack.flow_label", 4, 31, 16)
    show(sub, neth, "nack.spdcid", 8, 31, 16)
    show(sub, neth, "nack.dpdcid", 8, 15, 0)
    show(sub, neth, "nack.psn", 12, 23, 0)
    show(sub, neth, "nack.cc_type", 16, 31, 28)
    show(sub, neth, "nack.tx_timestamp", 16, 15, 0)
    return string.format("NACK %d %s, EV %04x", psn, REASONS[reason] or string.format("reason %#x", reason), ev)
end

local function probe(tree, bth, ev)
    local psn = request(tree, bth, "PROBE", ev)
    local peth = bth(12, 16)
    local sub = tree:add(weft, peth, "PETH")
    show(sub, peth, "probe.vendor", 0, 7, 0)
    show(sub, peth, "probe.id", 4, 31, 16)
    show(sub, peth, "probe.spdcid", 8, 31, 16)
    show(sub, peth, "probe.dpdcid", 8, 15, 0)
    show(sub, peth, "probe.tx_timestamp", 12, 31, 16)
    show(sub, peth, "probe.tsr", 12, 15, 15)
    show(sub, peth, "probe.ftype", 12, 3, 0)
    return string.format("PROBE %d, EV %04x", psn, ev.value)
end

-- Data, or what a switch left of it: the DSCP decides, for a trimmer need not rewrite lengths.
local function data(tree, bth, opcode, ev, trimmed, last_hop)
    local psn = request(tree, bth, trimmed and "TRIMMED" or "DATA", ev)
    if trimmed then tree:add(f.trimmed_last_hop, last_hop):set_generated() end
    -- The headers as far as they are whole: RETH, ImmDt, XETH.
    local at, whole = 12, true
    local sizes = opcode == 0x0B and { 16, 4, 8 } or { 16, 8 }
    for _, size in ipairs(sizes) do
        whole = whole and at + size <= bth:len()
        if whole then at = at + size end
    end
    local stamps = whole and xeth(tree, bth(at - 8, 8)) or "no XETH"
    if trimmed and at < bth:len() then tree:add(f.trimmed_rest, bth(at)) end
    if not whole and not trimmed then tree:add_proto_expert_info(too_short) end
    return string.format("%s %d, EV %04x, %s", trimmed and "TRIMMED" or "DATA", psn, ev.value, stamps)
end

-- The last of the values: the innermost header, should there be tunnels.
local function last(field)
    local values = { field() }
    return values[#values]
end

function weft.dissector(_, pinfo, root)
    local payload, source, port = last(udp_payload), last(udp_source), last(udp_destination)
    if not payload or port.value ~= 4791 or payload.range:len() < 12 then return end
    local bth = payload.range
    local opcode, sprayed = bits(bth, 0, 31, 24), bits(bth, 8, 28, 28) == 1
    local length = last(udp_length).value
    local dscp = last(dscp_v4) or last(dscp_v6)

    local show_packet, need
    if (opcode == 0x0A or opcode == 0x0B) and sprayed then
        local last_hop = dscp.value == weft.prefs.dscp_trimmed_lasthop
        local trimmed = last_hop or dscp.value == weft.prefs.dscp_trimmed
        need, show_packet = 12, function(tree) return data(tree, bth, opcode, source, trimmed, last_hop) end
    elseif opcode == 0x11 and length == 124 then
        need, show_packet = 112, function(tree) return ack(tree, bth, true, true) end
    elseif opcode == 0x11 and length == 88 then
        need, show_packet = 76, function(tree) return ack(tree, bth, true, false) end
    elseif opcode == 0x11 and length == 64 then
        need, show_packet = 52, function(tree) return ack(tree, bth, false, false) end
    elseif opcode == 0x11 and length == 48 then
        need, show_packet = 36, function(tree) return nack(tree, bth) end
    elseif opcode == 0xDE then
        need, show_packet = 28, function(tree) return probe(tree, bth, source) end
    else
        return
    end

    local tree = root:add(weft, bth)
    if bth:len() < need then
        tree:add_proto_expert_info(too_short)
        return
    end
    local summary = show_packet(tree)
    tree:append_text(": " .. summary)
    pinfo.cols.info:append(" [" .. summary .. "]")
end

register_postdissector(weft)
