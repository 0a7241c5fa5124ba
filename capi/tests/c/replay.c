// Replays events of a file through a block, and writes its answers: replay BLOCK EVENTS ANSWERS
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "weft.h"
#include "weft_nic.h"

#define REPLAY(block, make)                                                                 \
    if (!strcmp(which, #block)) {                                                           \
        weft_##block *it = make;                                                            \
        weft_##block##_event happens;                                                       \
        weft_##block##_outcome answer;                                                      \
        while (it && fread(&happens, sizeof happens, 1, events) == 1) {                     \
            memset(&answer, 0, sizeof answer);                                              \
            if (weft_##block##_step(it, &happens, &answer) != WEFT_OK) return fail();       \
            fwrite(&answer, sizeof answer, 1, answers);                                     \
        }                                                                                   \
        if (!it) return fail();                                                             \
        weft_##block##_free(it);                                                            \
    }
// A sender's packets leave, and its timers expire, between events: three answers for each.
static int sends(FILE *events, FILE *answers) {
    weft_sack_tx *it = weft_sack_tx_new(16);
    weft_sack_tx_event happens;
    while (fread(&happens, sizeof happens, 1, events) == 1) {
        weft_sack_tx_outcome all[3];
        memset(all, 0, sizeof all);
        if (weft_sack_tx_step(it, &happens, &all[0]) != WEFT_OK) return 1;
        if (weft_sack_tx_send(it, happens.now_ticks, &all[1]) < 0) return 1;
        if (weft_sack_tx_timer(it, happens.connection, happens.now_ticks, &all[2]) < 0) return 1;
        fwrite(all, sizeof all, 1, answers);
    }
    weft_sack_tx_free(it);
    return 0;
}
#define CLOCK(block, make)                                                                  \
    if (!strcmp(which, #block "_clocked")) {                                                \
        weft_##block##_clocked *it = make;                                                  \
        weft_##block##_inputs inputs;                                                       \
        weft_##block##_outputs outputs;                                                     \
        while (it && fread(&inputs, sizeof inputs, 1, events) == 1) {                       \
            memset(&outputs, 0, sizeof outputs);                                            \
            if (weft_##block##_clock(it, &inputs, &outputs) != WEFT_OK) return fail();      \
            fwrite(&outputs, sizeof outputs, 1, answers);                                   \
        }                                                                                   \
        if (!it) return fail();                                                             \
        weft_##block##_clocked_free(it);                                                    \
    }

static int fail(void) {
    fprintf(stderr, "%s\n", weft_error());
    return 1;
}

int main(int count, char **words) {
    if (count != 4) return 2;
    const char *which = words[1];
    FILE *events = fopen(words[2], "rb"), *answers = fopen(words[3], "wb");
    if (!events || !answers || weft_abi_version() >> 16 != WEFT_ABI_VERSION >> 16) return 2;
    REPLAY(reps, weft_reps_new(16, 8, 16))
    REPLAY(smartt, weft_smartt_new(16))
    REPLAY(sack_rx, weft_sack_rx_new(16))
    if (!strcmp(which, "sack_tx") && sends(events, answers)) return fail();
    CLOCK(reps, weft_reps_clocked_new(16, 8, 16))
    CLOCK(smartt, weft_smartt_clocked_new(16))
    CLOCK(sack_rx, weft_sack_rx_clocked_new(16))
    CLOCK(sack_tx, weft_sack_tx_clocked_new(16))
    CLOCK(nic, weft_nic_clocked_new(16))
    fclose(events);
    return fclose(answers);
}
