// SPDX-License-Identifier: MIT OR Apache-2.0
// The imports of weft_dpi_nic.svh: a scoreboard for a NIC, and a NIC as its peer. Streams come word by word, and are put together here.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "svdpi.h"
#include "weft.h"

// The longest frame that a stream may have, and a word more.
enum { ROOM = 16384 + 64, STREAMS = 6, NET_RX = 0, NET_TX, BYPASS_RX, BYPASS_TX, READ, WRITE };

typedef struct {
    weft_scoreboard *it;
    uint8_t bytes[STREAMS][ROOM];
    size_t count[STREAMS];
} board;

typedef struct {
    weft_nic *it;
    uint8_t in[ROOM], out[ROOM];
    size_t in_bytes, out_bytes;
} peer;

// Appends the bytes of a word that count.
static void add(uint8_t *bytes, size_t *count, const svBitVecVal *data, uint64_t keep) {
    for (int i = 0; i < 64; i++)
        if (keep >> i & 1 && *count < ROOM) bytes[(*count)++] = (uint8_t)(data[i / 4] >> 8 * (i % 4));
}

void *weft_dpi_scoreboard_new(unsigned connections) {
    board *made = calloc(1, sizeof *made);
    if (made && !(made->it = weft_scoreboard_new(connections))) free(made), made = NULL;
    return made;
}

void weft_dpi_scoreboard_free(void *handle) {
    board *it = handle;
    if (it) weft_scoreboard_free(it->it);
    free(it);
}

void *weft_dpi_scoreboard_nic(void *handle) { return weft_scoreboard_nic(((board *)handle)->it); }
const char *weft_dpi_scoreboard_difference(void *handle) { return weft_scoreboard_difference(((board *)handle)->it); }
uint64_t weft_dpi_scoreboard_compared(void *handle) { return weft_scoreboard_compared(((board *)handle)->it); }
int weft_dpi_scoreboard_settle(void *handle, uint64_t now_ticks) { return weft_scoreboard_settle(((board *)handle)->it, now_ticks); }

int weft_dpi_scoreboard_word(void *handle, int stream, const svBitVecVal *data, uint64_t keep, unsigned char last, unsigned char bad, uint64_t now_ticks) {
    board *it = handle;
    uint8_t *bytes = it->bytes[stream];
    add(bytes, &it->count[stream], data, keep);
    if (!last) return WEFT_OK;
    size_t count = it->count[stream];
    it->count[stream] = 0;
    switch (stream) {
        case NET_RX: return weft_scoreboard_receive(it->it, bytes, count, bad, now_ticks);
        case NET_TX: return weft_scoreboard_frame(it->it, bytes, count, now_ticks);
        case BYPASS_RX: return weft_scoreboard_bypass(it->it, bytes, count);
        case BYPASS_TX: return weft_scoreboard_bypassed(it->it, bytes, count, bad);
        default: return weft_scoreboard_read(it->it, bad ? NULL : bytes, count);
    }
}

int weft_dpi_scoreboard_write(void *handle, const svBitVecVal *data, uint64_t keep, unsigned char last, unsigned connection, uint64_t address) {
    board *it = handle;
    add(it->bytes[WRITE], &it->count[WRITE], data, keep);
    if (!last) return WEFT_OK;
    size_t count = it->count[WRITE];
    it->count[WRITE] = 0;
    return weft_scoreboard_write(it->it, connection, address, it->bytes[WRITE], count);
}

int weft_dpi_scoreboard_work(void *handle, unsigned connection, uint64_t local, uint64_t remote, unsigned key, unsigned length,
                             unsigned immediate, unsigned id, unsigned char with_immediate, uint64_t now_ticks) {
    weft_work work = {.local = local, .remote = remote, .key = key, .length = length, .immediate = immediate, .id = id, .with_immediate = with_immediate};
    return weft_scoreboard_work(((board *)handle)->it, connection, &work, now_ticks);
}

int weft_dpi_scoreboard_fetch(void *handle, unsigned connection, uint64_t address, unsigned bytes, uint64_t now_ticks) {
    return weft_scoreboard_fetch(((board *)handle)->it, connection, address, bytes, now_ticks);
}

int weft_dpi_scoreboard_received(void *handle, unsigned connection, unsigned immediate, unsigned message, uint64_t now_ticks) {
    weft_received received = {.connection = connection, .immediate = immediate, .message = message};
    return weft_scoreboard_received(((board *)handle)->it, &received, now_ticks);
}

int weft_dpi_scoreboard_sent(void *handle, unsigned connection, unsigned id, unsigned char status, uint64_t now_ticks) {
    weft_sent sent = {.connection = connection, .id = id, .status = status};
    return weft_scoreboard_sent(((board *)handle)->it, &sent, now_ticks);
}

int weft_dpi_scoreboard_event(void *handle, unsigned connection, unsigned char state, uint64_t now_ticks) {
    return weft_scoreboard_event(((board *)handle)->it, connection, state, now_ticks);
}

int weft_dpi_scoreboard_counter(void *handle, unsigned offset, unsigned value, uint64_t now_ticks) {
    return weft_scoreboard_counter(((board *)handle)->it, offset, value, now_ticks);
}

int weft_dpi_nic_read(void *nic, unsigned offset, unsigned *value) { return weft_nic_read(nic, offset, value); }
int weft_dpi_nic_event(void *nic, unsigned *connection, unsigned char *state) { return weft_nic_event(nic, connection, state); }
int weft_dpi_nic_write(void *nic, unsigned offset, unsigned value, uint64_t now_ticks) { return weft_nic_write(nic, offset, value, now_ticks); }
int weft_dpi_nic_buffer(void *nic, unsigned connection, unsigned char word, uint64_t now_ticks) { return weft_nic_buffer(nic, connection, word, now_ticks); }
int weft_dpi_nic_deadline(void *nic, uint64_t now_ticks, uint64_t *deadline_ticks) { return weft_nic_deadline(nic, now_ticks, deadline_ticks); }

int weft_dpi_nic_open(void *nic, unsigned connection, unsigned ipv4, uint64_t mac, unsigned qp, unsigned send_psn, unsigned receive_psn,
                      uint64_t region_base, unsigned region_length, unsigned region_key, uint64_t now_ticks) {
    weft_peer peer = {.region_base = region_base, .region_length = region_length, .region_key = region_key, .qp = qp,
                      .send_psn = send_psn, .receive_psn = receive_psn, .pkey = 0xFFFF};
    for (int i = 0; i < 4; i++) peer.address[12 + i] = (uint8_t)(ipv4 >> (24 - 8 * i));
    for (int i = 0; i < 6; i++) peer.mac[i] = (uint8_t)(mac >> (40 - 8 * i));
    return weft_nic_open(nic, connection, &peer, now_ticks);
}

void *weft_dpi_peer_new(unsigned connections) {
    peer *made = calloc(1, sizeof *made);
    if (made && !(made->it = weft_nic_new(connections))) free(made), made = NULL;
    return made;
}

void weft_dpi_peer_free(void *handle) {
    peer *it = handle;
    if (it) weft_nic_free(it->it);
    free(it);
}

void *weft_dpi_peer_nic(void *handle) { return ((peer *)handle)->it; }

int weft_dpi_peer_work(void *handle, unsigned connection, uint64_t remote, unsigned key, unsigned length, unsigned immediate, unsigned id,
                       unsigned char with_immediate, uint64_t now_ticks) {
    weft_work work = {.local = remote, .remote = remote, .key = key, .length = length, .immediate = immediate, .id = id, .with_immediate = with_immediate};
    return weft_nic_work(((peer *)handle)->it, connection, &work, now_ticks);
}

int weft_dpi_peer_word(void *handle, const svBitVecVal *data, uint64_t keep, unsigned char last, uint64_t now_ticks) {
    peer *it = handle;
    add(it->in, &it->in_bytes, data, keep);
    if (!last) return WEFT_OK;
    weft_incoming incoming;
    size_t count = it->in_bytes;
    it->in_bytes = 0;
    return weft_nic_receive(it->it, it->in, count, 0, now_ticks, &incoming);
}

// Polls until a frame can be made; its payload is a function of the address.
int weft_dpi_peer_next(void *handle, uint64_t now_ticks, unsigned *words) {
    peer *it = handle;
    weft_outgoing outgoing;
    weft_received received;
    weft_sent sent;
    int code;
    *words = 0;
    while (weft_nic_received(it->it, &received) == WEFT_ONE || weft_nic_sent(it->it, &sent) == WEFT_ONE) {}
    while ((code = weft_nic_poll(it->it, now_ticks, &outgoing)) == WEFT_ONE) {
        uint8_t payload[ROOM];
        for (unsigned i = 0; i < outgoing.payload_bytes; i++) payload[i] = (uint8_t)((outgoing.address + i) * 0x9E3779B1u >> 11);
        code = weft_nic_frame(it->it, payload, outgoing.payload_bytes, now_ticks, it->out, ROOM, &it->out_bytes);
        if (code == WEFT_ONE) *words = (unsigned)((it->out_bytes + 63) / 64);
        if (code != WEFT_OK) return code;
    }
    return code;
}

int weft_dpi_peer_get(void *handle, unsigned index, svBitVecVal *data, uint64_t *keep) {
    peer *it = handle;
    size_t from = 64 * (size_t)index, left = it->out_bytes > from ? it->out_bytes - from : 0;
    memset(data, 0, 64);
    for (size_t i = 0; i < 64 && i < left; i++) data[i / 4] |= (svBitVecVal)it->out[from + i] << 8 * (i % 4);
    *keep = left >= 64 ? UINT64_MAX : (UINT64_C(1) << left) - 1;
    return left ? WEFT_OK : -1;
}
