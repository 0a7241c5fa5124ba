// A message from one NIC to another, and its completions at both ends. docs/libweft.md shows this program.
#include <stdio.h>
#include <string.h>
#include "weft.h"
#include "weft_nic.h"

static uint8_t memory[2][1 << 16];

// Carries the frames of `from` to the other NIC until no frame is left.
static int carry(weft_nic *nics[2], int from, uint64_t now) {
    weft_outgoing out;
    int frames = 0;
    while (weft_nic_poll(nics[from], now, &out) == WEFT_ONE) {
        uint8_t frame[16384];
        size_t bytes = 0;
        if (weft_nic_frame(nics[from], memory[from] + out.address, out.payload_bytes, now, frame, sizeof frame, &bytes) != WEFT_ONE)
            continue;
        weft_incoming in;
        weft_nic_receive(nics[!from], frame, bytes, 0, now, &in);
        if (in.payload_bytes) memcpy(memory[!from] + in.address, frame + in.payload_at, in.payload_bytes);
        printf("%d %zu %02x\n", from, bytes, frame[bytes - 1]);
        frames++;
    }
    return frames;
}

int main(void) {
    weft_nic *nics[2] = {weft_nic_new(16), weft_nic_new(16)};
    for (int end = 0; end < 2; end++) {
        weft_nic_write(nics[end], WEFT_REG_INGRESS_IPV4, 0x0A000001u + end, 0);
        weft_nic_write(nics[end], WEFT_REG_EGRESS_IPV4, 0x0A000001u + end, 0);
        weft_peer peer = {.region_length = 1 << 16, .region_key = 7, .qp = 0, .pkey = 0xFFFF};
        peer.address[12] = 10;
        peer.address[15] = 2 - end;
        if (weft_nic_open(nics[end], 0, &peer, 0) != WEFT_OK) return fprintf(stderr, "%s\n", weft_error()), 1;
    }
    for (int i = 0; i < 10000; i++) memory[0][i] = (uint8_t)(i * 7);
    weft_work work = {.local = 0, .remote = 4096, .key = 7, .length = 10000, .immediate = 42, .id = 1, .with_immediate = 1};
    weft_nic_work(nics[0], 0, &work, 1);
    weft_sent sent;
    weft_received received;
    int got = 0;
    for (uint64_t now = 1; now < 10000; now++) {
        while (carry(nics, 0, now) + carry(nics, 1, now)) {}
        if (weft_nic_received(nics[1], &received) == WEFT_ONE) got = printf("received %u\n", received.immediate);
        if (weft_nic_sent(nics[0], &sent) == WEFT_ONE) {
            printf("sent %u, status %u\n", sent.id, sent.status);
            break;
        }
    }
    int whole = memcmp(memory[0], memory[1] + 4096, 10000) == 0;
    weft_nic_free(nics[0]);
    weft_nic_free(nics[1]);
    return got && whole ? 0 : 1;
}
