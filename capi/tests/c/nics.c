// Two NICs send each other messages over a network that loses, spoils, repeats and reorders frames: every answer of every
// call, one a line, 100,000 at least. `doors/nic.rs` does the same with the model in Rust.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "weft.h"
#include "weft_nic.h"

enum { CONNECTIONS = 4, WIRE = 1024, REGION = 1 << 17, LINES = 100000 };

static uint8_t memory[REGION], wire[2][WIRE][2048];
static size_t wire_bytes[2][WIRE];
static unsigned head[2], tail[2];
static uint64_t seed = 2, now = 1;
static weft_nic *nics[2];
static int lines;

static uint32_t draw(uint32_t below) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

static int answer(int code, const char *what) {
    if (code < 0) printf("%s: %d, %s\n", what, code, weft_error()), exit(1);
    return code;
}

static unsigned long long digest(const uint8_t *bytes, size_t count) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) sum = (sum ^ bytes[i]) * 0x100000001B3u;
    return sum;
}

static void say(char *line) {
    puts(line);
    lines++;
}

static void set(int end, uint32_t reg, uint32_t value) { answer(weft_nic_write(nics[end], reg, value, now), "register"); }

static void open_both(uint32_t connection) {
    for (int end = 0; end < 2; end++) {
        weft_peer peer = {.region_length = REGION, .region_key = 7, .qp = connection, .send_psn = 0xFFFFF0, .receive_psn = 0xFFFFF0, .pkey = 0xFFFF};
        peer.address[12] = 10;
        peer.address[15] = (uint8_t)(2 - end);
        answer(weft_nic_open(nics[end], connection, &peer, now), "open");
    }
}

static void control(int end, uint32_t connection) {
    uint32_t what = draw(12), word = draw(3);
    if (what == 5) answer(weft_nic_drain(nics[end], connection, now), "drain");
    else if (what == 6) answer(weft_nic_close(nics[end], connection, now), "close");
    else if (what == 7) answer(weft_nic_path_ok(nics[end], connection, now), "path_ok");
    else if (what == 8) answer(weft_nic_buffer(nics[end], connection, (uint8_t)word, now), "buffer");
    else if (what == 9) answer(weft_nic_seed(nics[end], word, now), "seed");
    else if (what > 9) set(end, WEFT_REG_REPS_TRIMMING, word & 1);
    else open_both(connection);
}

static void send(int to, const uint8_t *frame, size_t bytes) {
    unsigned copies = draw(20) == 0 ? 0 : draw(20) == 0 ? 2 : 1;
    while (copies--) {
        if (tail[to] - head[to] == WIRE) return;
        // Before the last frame, or behind it.
        unsigned at = tail[to]++ % WIRE, last = (at + WIRE - 1) % WIRE;
        if (tail[to] - head[to] > 1 && draw(4) == 0) {
            memcpy(wire[to][at], wire[to][last], sizeof wire[to][at]);
            wire_bytes[to][at] = wire_bytes[to][last];
            at = last;
        }
        memcpy(wire[to][at], frame, bytes);
        wire_bytes[to][at] = bytes;
    }
}

static void sends(int end, char *line) {
    for (int packets = 0; packets < 3; packets++) {
        weft_outgoing out;
        if (answer(weft_nic_poll(nics[end], now, &out), "poll") != WEFT_ONE) return;
        sprintf(line, "poll %d %u %u %u %u %llu %u", out.kind, out.connection, out.psn, out.ev, out.again, (unsigned long long)out.address, out.payload_bytes);
        say(line);
        uint8_t frame[16384];
        size_t bytes = 0;
        const uint8_t *payload = draw(200) == 0 ? NULL : memory + out.address;
        int made = answer(weft_nic_frame(nics[end], payload, payload ? out.payload_bytes : 0, now, frame, sizeof frame, &bytes), "frame");
        sprintf(line, "frame %d %zu %llx", made, bytes, digest(frame, bytes));
        say(line);
        if (made == WEFT_ONE) send(!end, frame, bytes);
    }
}

static void ends(int end, char *line) {
    weft_received received;
    weft_sent sent;
    uint32_t connection, value;
    uint8_t state;
    uint64_t deadline = 0;
    while (answer(weft_nic_received(nics[end], &received), "received")) sprintf(line, "received %u %u %u", received.connection, received.immediate, received.message), say(line);
    while (answer(weft_nic_sent(nics[end], &sent), "sent")) sprintf(line, "sent %u %u %u", sent.connection, sent.id, sent.status), say(line);
    while (answer(weft_nic_event(nics[end], &connection, &state), "event")) sprintf(line, "event %u %u", connection, state), say(line);
    int runs = answer(weft_nic_deadline(nics[end], now, &deadline), "deadline");
    sprintf(line, "deadline %d %llu", runs, (unsigned long long)deadline);
    say(line);
    if (draw(64)) return;
    for (connection = 0; connection < CONNECTIONS; connection++) {
        answer(weft_nic_state(nics[end], connection, &state), "state");
        sprintf(line, "state %u", state);
        say(line);
    }
    for (uint32_t at = WEFT_REG_INGRESS_DATA; at < WEFT_REG_INGRESS_DATA + 1024; at += 8) {
        if (weft_nic_read(nics[end], at, &value) != WEFT_OK) continue;
        sprintf(line, "counter %x %u", at, value);
        say(line);
    }
}

int main(void) {
    char line[256];
    for (int end = 0; end < 2; end++) {
        nics[end] = weft_nic_new(CONNECTIONS);
        set(end, WEFT_REG_INGRESS_IPV4, 0x0A000001u + end);
        set(end, WEFT_REG_EGRESS_IPV4, 0x0A000001u + end);
        set(end, WEFT_REG_SENDER_MTU_SHIFT, 10);
        set(end, WEFT_REG_SACK_TX_CLASS0_RTO, 500);
    }
    for (size_t i = 0; i < sizeof memory; i++) memory[i] = (uint8_t)draw(256);
    for (uint32_t connection = 0; connection < CONNECTIONS; connection++) open_both(connection);
    for (uint32_t id = 0; lines < LINES; id++) {
        now += draw(20) + (draw(400) == 0 ? 20000 : 0);
        int end = (int)draw(2);
        uint32_t connection = draw(CONNECTIONS), what = draw(64);
        if (what < 8) {
            weft_work work = {.local = draw(REGION / 2), .key = 7, .id = id};
            work.remote = draw(REGION / 2);
            work.length = draw(6000);
            work.immediate = draw(1 << 30);
            work.with_immediate = (uint8_t)draw(2);
            answer(weft_nic_work(nics[end], connection, &work, now), "work");
        } else if (what == 8) {
            uint8_t other[100];
            memset(other, (int)draw(256), sizeof other);
            answer(weft_nic_bypass(nics[end], other, sizeof other), "bypass");
        } else if (what == 9 && draw(2) == 0) {
            control(end, connection);
        } else if (head[end] != tail[end]) {
            uint8_t *frame = wire[end][head[end] % WIRE];
            size_t bytes = wire_bytes[end][head[end]++ % WIRE];
            weft_incoming in;
            if (draw(50) == 0) frame[draw((uint32_t)bytes)] ^= 4;
            answer(weft_nic_receive(nics[end], frame, bytes, draw(100) == 0, now, &in), "receive");
            sprintf(line, "receive %u %u %u %llu %u %u", in.kind, in.cause, in.connection, (unsigned long long)in.address, in.payload_at, in.payload_bytes);
            say(line);
        }
        for (end = 0; end < 2; end++) sends(end, line), ends(end, line);
    }
    weft_nic_free(nics[0]);
    weft_nic_free(nics[1]);
    return 0;
}
