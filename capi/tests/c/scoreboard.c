// A NIC as the design that the scoreboard compares: 100,000 of its outputs equal the model's, and the
// scoreboard finds one wrong output of each kind. The program prints the scoreboard's differences for the
// wrong outputs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "weft.h"
#include "weft_nic.h"

enum { CONNECTIONS = 4, FRAME = 16384, WIRE = 4096, DEEP = 4, OUTPUTS = 100000 };

static uint8_t memory[1 << 18];
static uint8_t wire[2][WIRE][2048];
static size_t wire_bytes[2][WIRE];
static unsigned head[2], tail[2];
static uint64_t state = 2, now = 1;

static uint32_t draw(uint32_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

static void must(int code, int wanted, const char *what) {
    if (code == wanted) return;
    printf("%s: %d, %s\n", what, code, weft_error());
    exit(1);
}

static void equal(weft_scoreboard *board, int code) {
    must(code, WEFT_OK, code == WEFT_ONE ? weft_scoreboard_difference(board) : "scoreboard");
}

static void send(int to, const uint8_t *frame, size_t bytes) {
    if (draw(40) == 0 || bytes > sizeof wire[0][0]) return;
    memcpy(wire[to][tail[to] % WIRE], frame, bytes);
    wire_bytes[to][tail[to]++ % WIRE] = bytes;
}

// All counters of the design and of the model.
static void count(weft_scoreboard *board, weft_nic *design) {
    uint32_t value;
    for (uint32_t offset = WEFT_REG_INGRESS_DATA; offset < WEFT_REG_INGRESS_DATA + 1024; offset += 8)
        if (weft_nic_read(design, offset, &value) == WEFT_OK)
            equal(board, weft_scoreboard_counter(board, offset, value, now));
}

static void set(weft_scoreboard *board, weft_nic *design, uint32_t reg, uint32_t value) {
    must(weft_nic_write(weft_scoreboard_nic(board), reg, value, now), WEFT_OK, "register");
    must(weft_nic_write(design, reg, value, now), WEFT_OK, "register");
}

static void open_both(weft_nic *nic, uint32_t own) {
    must(weft_nic_write(nic, WEFT_REG_INGRESS_IPV4, own, now), WEFT_OK, "address");
    must(weft_nic_write(nic, WEFT_REG_EGRESS_IPV4, own, now), WEFT_OK, "address");
    must(weft_nic_write(nic, WEFT_REG_SENDER_MTU_SHIFT, 10, now), WEFT_OK, "MTU");
    for (uint32_t i = 0; i < CONNECTIONS; i++) {
        weft_peer peer = {.region_length = sizeof memory, .region_key = 7, .qp = i, .pkey = 0xFFFF};
        peer.address[12] = 10;
        peer.address[15] = (uint8_t)(3 - (own & 3));
        must(weft_nic_open(nic, i, &peer, now), WEFT_OK, "open");
    }
}

int main(void) {
    weft_scoreboard *board = weft_scoreboard_new(CONNECTIONS);
    weft_nic *design = weft_nic_new(CONNECTIONS), *peer = weft_nic_new(CONNECTIONS);
    open_both(weft_scoreboard_nic(board), 0x0A000001u);
    open_both(design, 0x0A000001u);
    open_both(peer, 0x0A000002u);
    for (size_t i = 0; i < sizeof memory; i++) memory[i] = (uint8_t)draw(256);
    uint8_t frame[FRAME];
    size_t bytes;
    weft_outgoing out, orders[DEEP];
    weft_incoming in;
    weft_sent sent;
    weft_received received;
    uint32_t connection;
    uint8_t standing;
    int few = 0;
    // A step is one input of the design, and all that it causes; faults of the design come behind the last.
    for (uint32_t id = 0; weft_scoreboard_compared(board) < OUTPUTS; id++, now += draw(20)) {
        weft_work work = {.local = draw(1 << 16), .remote = draw(1 << 16), .key = 7, .length = 1 + draw(9000), .immediate = draw(1 << 30),
                          .id = id, .with_immediate = (uint8_t)draw(2)};
        connection = draw(CONNECTIONS);
        if (draw(8) == 0) {
            for (unsigned more = draw(4); more < 4; more++, connection = draw(CONNECTIONS), work.length = 1 + draw(2000)) {
                // A packet without payload has no fetch: the order of draws of entropy values is not known, so there is only one value.
                if (few && draw(3) == 0) work.length = 0;
                must(weft_scoreboard_work(board, connection, &work, now), WEFT_OK, "work");
                must(weft_nic_work(design, connection, &work, now), WEFT_OK, "work");
            }
        } else if (draw(8) == 0) {
            must(weft_nic_work(peer, connection, &work, now), WEFT_OK, "work");
        } else if (draw(64) == 0) {
            memset(frame, (int)draw(256), 100);
            must(weft_scoreboard_bypass(board, frame, 100), WEFT_OK, "bypass");
            must(weft_nic_bypass(design, frame, 100), WEFT_OK, "bypass");
        } else if (head[0] != tail[0]) {
            uint8_t *given = wire[0][head[0] % WIRE];
            size_t count = wire_bytes[0][head[0]++ % WIRE];
            if (draw(50) == 0) given[draw((uint32_t)count)] ^= 4;
            must(weft_scoreboard_receive(board, given, count, 0, now), WEFT_OK, "receive");
            must(weft_nic_receive(design, given, count, 0, now, &in), WEFT_OK, "receive");
            if (in.kind == WEFT_FOREIGN) must(weft_scoreboard_bypassed(board, given, count, 0), WEFT_OK, "bypassed");
            if (in.payload_bytes)
                must(weft_scoreboard_write(board, in.connection, in.address, given + in.payload_at, in.payload_bytes), WEFT_OK, "write");
        }
        // As in hardware, several packets are chosen and read before the frame of the first leaves.
        unsigned chosen;
        do {
            for (chosen = 0; chosen < DEEP && weft_nic_poll(design, now, &orders[chosen]) == WEFT_ONE; chosen++) {
                out = orders[chosen];
                if (out.payload_bytes)
                    must(weft_scoreboard_fetch(board, out.connection, out.address, out.payload_bytes, now), WEFT_OK, "fetch");
            }
            for (unsigned i = 0; i < chosen; i++) {
                out = orders[i];
                const uint8_t *payload = draw(100) ? memory + out.address : NULL;
                if (out.payload_bytes) must(weft_scoreboard_read(board, payload, out.payload_bytes), WEFT_OK, "read");
                if (weft_nic_frame(design, payload, out.payload_bytes, now, frame, FRAME, &bytes) != WEFT_ONE) continue;
                equal(board, weft_scoreboard_frame(board, frame, bytes, now));
                if (out.kind != WEFT_OTHER) send(1, frame, bytes);
            }
        } while (chosen);
        while (weft_nic_sent(design, &sent) == WEFT_ONE) equal(board, weft_scoreboard_sent(board, &sent, now));
        while (weft_nic_received(design, &received) == WEFT_ONE) must(weft_scoreboard_received(board, &received, now), WEFT_OK, "received");
        while (weft_nic_event(design, &connection, &standing) == WEFT_ONE)
            equal(board, weft_scoreboard_event(board, connection, standing, now));
        equal(board, weft_scoreboard_settle(board, now));
        if (head[1] != tail[1]) {
            must(weft_nic_receive(peer, wire[1][head[1] % WIRE], wire_bytes[1][head[1] % WIRE], 0, now, &in), WEFT_OK, "peer");
            head[1]++;
        }
        if (id % 256 == 0) count(board, design);
        if (!few && weft_scoreboard_compared(board) > OUTPUTS / 2) {
            few = 1;
            set(board, design, WEFT_REG_REPS_EVS_SIZE, 1);
        }
        if (id % 4096 == 0) set(board, design, WEFT_REG_REPS_TRIMMING, id >> 12 & 1);
        while (tail[0] - head[0] < WIRE - 64 && weft_nic_poll(peer, now, &out) == WEFT_ONE)
            if (weft_nic_frame(peer, memory + out.address, out.payload_bytes, now, frame, FRAME, &bytes) == WEFT_ONE) send(0, frame, bytes);
        while (weft_nic_sent(peer, &sent) == WEFT_ONE || weft_nic_received(peer, &received) == WEFT_ONE) {}
    }
    // All buffers fail: work ends, and each connection has an event.
    for (uint32_t i = 0; i < CONNECTIONS; i++) {
        must(weft_nic_buffer(weft_scoreboard_nic(board), i, 2, now), WEFT_OK, "buffer");
        must(weft_nic_buffer(design, i, 2, now), WEFT_OK, "buffer");
        while (weft_nic_sent(design, &sent) == WEFT_ONE) equal(board, weft_scoreboard_sent(board, &sent, now));
        must(weft_nic_event(design, &connection, &standing), WEFT_ONE, "event");
        equal(board, weft_scoreboard_event(board, connection, standing, now));
        equal(board, weft_scoreboard_settle(board, now));
    }
    count(board, design);
    printf("compared\n");
    const char *kinds[] = {"sent", "received", "write", "fetch", "read", "event", "reply", "bypassed", "other", "counter", "unreported", "settle"};
    // A connection without work, whose buffer fails.
    weft_scoreboard *fresh = weft_scoreboard_new(CONNECTIONS);
    open_both(weft_scoreboard_nic(fresh), 0x0A000001u);
    must(weft_nic_buffer(weft_scoreboard_nic(fresh), 2, 2, now), WEFT_OK, "buffer");
    weft_sent no_sent = {.connection = 1, .id = 99};
    weft_received no_received = {.connection = 2, .immediate = 5};
    memset(frame, 0, sizeof frame);
    frame[12] = 8, frame[14] = 0x45, frame[23] = 17, frame[36] = 0x12, frame[37] = 0xB7, frame[42] = 0x11;
    for (int kind = 0; kind < 12; kind++) {
        int code = kind == 0   ? weft_scoreboard_sent(board, &no_sent, now)
                   : kind == 1 ? weft_scoreboard_received(board, &no_received, now)
                   : kind == 2 ? weft_scoreboard_write(board, 0, 4096, frame, 10)
                   : kind == 3 ? weft_scoreboard_fetch(board, 3, 4096, 10, now)
                   : kind == 4 ? weft_scoreboard_read(board, frame, 10)
                   : kind == 5 ? weft_scoreboard_event(board, 1, 5, now)
                   : kind == 6 ? weft_scoreboard_frame(board, frame, 100, now)
                   : kind == 7 ? weft_scoreboard_bypassed(board, frame, 100, 0)
                   : kind == 8 ? weft_scoreboard_frame(board, frame, 20, now)
                   : kind == 9 ? weft_scoreboard_counter(board, WEFT_REG_INGRESS_OVERFLOWS, 7, now)
                   : kind == 10 ? weft_scoreboard_settle(fresh, now)
                               : (weft_scoreboard_bypass(board, frame, 60), weft_scoreboard_settle(board, now));
        must(code, WEFT_ONE, kinds[kind]);
        printf("%s: %s\n", kinds[kind], weft_scoreboard_difference(kind == 10 ? fresh : board));
    }
    must(weft_scoreboard_settle(NULL, now), WEFT_NULL, "no scoreboard");
    must(weft_scoreboard_fetch(board, CONNECTIONS, 0, 1, now), WEFT_RANGE, "no connection");
    must(weft_scoreboard_event(board, CONNECTIONS, 1, now), WEFT_RANGE, "no connection");
    must(weft_scoreboard_counter(board, WEFT_REG_INGRESS_IPV4, 1, now), WEFT_NO_REGISTER, "no counter");
    must(weft_scoreboard_counter(NULL, WEFT_REG_INGRESS_DATA, 1, now), WEFT_NULL, "no scoreboard");
    must(weft_scoreboard_settle(board, now - 1), WEFT_ORDER, "time goes back");
    if (weft_scoreboard_new(5)) puts("five connections");
    weft_scoreboard_free(board);
    weft_scoreboard_free(fresh);
    weft_nic_free(design);
    weft_nic_free(peer);
    return 0;
}
