// Checks that every misuse returns a code with a message, and leaves handles usable.
#include <stdio.h>
#include <string.h>
#include "weft.h"
#include "weft_nic.h"

static int wrong;

static void is(const char *what, int code, int expected, const char *says) {
    if (code == expected && (code >= 0 || strstr(weft_error(), says))) return;
    printf("%s: code %d, expected %d, \"%s\"\n", what, code, expected, weft_error());
    wrong++;
}

int main(void) {
    weft_reps_event event = {.kind = WEFT_REPS_OPEN};
    weft_reps_outcome outcome;
    uint32_t value;
    if (weft_reps_new(5, 8, 16) || !strstr(weft_error(), "use 4, 16, 64")) wrong++, puts("five connections");
    if (weft_nic_new(0) || weft_nic_clocked_new(3) || weft_sack_tx_new(1) || weft_sack_rx_new(1) || weft_smartt_new(1)) wrong++, puts("shapes");
    weft_reps_free(NULL);
    weft_nic_free(NULL);
    weft_reps *reps = weft_reps_new(4, 8, 16);
    is("no handle", weft_reps_step(NULL, &event, &outcome), WEFT_NULL, "reps is NULL");
    is("no event", weft_reps_step(reps, NULL, &outcome), WEFT_NULL, "event is NULL");
    is("no place", weft_reps_step(reps, &event, NULL), WEFT_NULL, "outcome is NULL");
    event.connection = 4;
    is("connection", weft_reps_step(reps, &event, &outcome), WEFT_RANGE, "use 0 to 3");
    event.connection = 0, event.kind = 8;
    is("kind", weft_reps_step(reps, &event, &outcome), WEFT_RANGE, "use 0 to 7");
    event.kind = WEFT_REPS_ACK, event.ecn = 2;
    is("bit", weft_reps_step(reps, &event, &outcome), WEFT_RANGE, "use 0 to 1");
    is("register", weft_reps_write(reps, 0x0240, 1), WEFT_NO_REGISTER, "0x240");
    is("value", weft_reps_write(reps, WEFT_REG_REPS_EVS_SIZE, 0), WEFT_RANGE, "use 1 to 65536");
    is("bits", weft_reps_write(reps, WEFT_REG_REPS_TRIMMING, 2), WEFT_RANGE, "bits");
    is("as it was", weft_reps_read(reps, WEFT_REG_REPS_EVS_SIZE, &value), WEFT_OK, "");
    if (value != 4096) wrong++, puts("a refused value was kept");
    is("a good one", weft_reps_write(reps, WEFT_REG_REPS_EVS_SIZE, 256), WEFT_OK, "");
    is("read back", weft_reps_read(reps, WEFT_REG_REPS_EVS_SIZE, &value), WEFT_OK, "");
    if (value != 256) wrong++, puts("a value was not kept");
    weft_reps_free(reps);

    weft_nic *nic = weft_nic_new(4);
    weft_peer peer = {.qp = 1 << 24};
    weft_outgoing out;
    uint8_t frame[64] = {0};
    size_t bytes;
    weft_incoming in;
    is("qp", weft_nic_open(nic, 0, &peer, 0), WEFT_RANGE, "qp");
    is("time", weft_nic_close(nic, 0, 10), WEFT_OK, "");
    is("buffer", weft_nic_buffer(nic, 0, 3, 20), WEFT_RANGE, "word 3: use 0 to 2");
    is("time goes back", weft_nic_close(nic, 0, 9), WEFT_ORDER, "must not go back");
    is("no register", weft_nic_write(nic, 0xFFFF0, 0, 90), WEFT_NO_REGISTER, "");
    is("a refusal leaves time as it was", weft_nic_close(nic, 0, 10), WEFT_OK, "");
    is("nothing to send", weft_nic_poll(nic, 10, &out), WEFT_OK, "");
    is("no frame", weft_nic_frame(nic, NULL, 0, 10, frame, sizeof frame, &bytes), WEFT_ORDER, "weft_nic_poll");
    is("no bytes", weft_nic_receive(nic, NULL, 10, 0, 10, &in), WEFT_NULL, "frame is NULL");
    is("nothing", weft_nic_receive(nic, NULL, 0, 0, 10, &in), WEFT_OK, "");
    is("rubbish", weft_nic_receive(nic, frame, sizeof frame, 0, 10, &in), WEFT_OK, "");
    is("other traffic", weft_nic_bypass(nic, frame, sizeof frame), WEFT_OK, "");
    is("it is sent", weft_nic_poll(nic, 10, &out), WEFT_ONE, "");
    is("no room", weft_nic_frame(nic, NULL, 0, 10, frame, 63, &bytes), WEFT_ROOM, "64 are needed");
    is("room", weft_nic_frame(nic, NULL, 0, 10, frame, 64, &bytes), WEFT_ONE, "");
    is("counter", weft_nic_read(nic, WEFT_REG_EGRESS_BYPASS_FRAMES, &value), WEFT_OK, "");
    if (value != 1) wrong++, puts("a counter");
    is("no counter", weft_nic_read(nic, 0xFFFF0, &value), WEFT_NO_REGISTER, "weft_nic.h");
    weft_nic_free(nic);

    weft_scoreboard *board = weft_scoreboard_new(4);
    weft_work work = {.length = 1};
    weft_sent sent = {.status = 7};
    if (weft_scoreboard_new(7) || !strstr(weft_error(), "use 4, 16, 64")) wrong++, puts("a scoreboard of seven");
    is("no scoreboard", weft_scoreboard_settle(NULL, 0), WEFT_NULL, "scoreboard is NULL");
    is("no work", weft_scoreboard_work(board, 0, NULL, 0), WEFT_NULL, "work is NULL");
    is("its connection", weft_scoreboard_work(board, 4, &work, 0), WEFT_RANGE, "use 0 to 3");
    is("its frame", weft_scoreboard_frame(board, NULL, 60, 0), WEFT_NULL, "frame is NULL");
    is("its counter", weft_scoreboard_counter(board, 4, 0, 0), WEFT_NO_REGISTER, "no such counter");
    is("its time", weft_scoreboard_settle(board, 9), WEFT_OK, "");
    is("its time goes back", weft_scoreboard_settle(board, 8), WEFT_ORDER, "must not go back");
    is("nothing was sent", weft_scoreboard_sent(board, &sent, 9), WEFT_ONE, "");
    weft_scoreboard_free(board);

    weft_nic_clocked *clocked = weft_nic_clocked_new(4);
    weft_nic_inputs inputs;
    weft_nic_outputs outputs;
    memset(&inputs, 0, sizeof inputs);
    is("no inputs", weft_nic_clock(clocked, NULL, &outputs), WEFT_NULL, "inputs is NULL");
    is("no outputs", weft_nic_clock(clocked, &inputs, NULL), WEFT_NULL, "outputs is NULL");
    inputs.work_tid = 4;
    is("a port's connection", weft_nic_clock(clocked, &inputs, &outputs), WEFT_RANGE, "work_tid 4: use 0 to 3");
    inputs.work_tid = 0, inputs.rst = 2;
    is("a port of one bit", weft_nic_clock(clocked, &inputs, &outputs), WEFT_RANGE, "rst 2: use 0 to 1");
    weft_nic_clocked_free(clocked);

    const char setup[] = "topology = { kind = 'leaf-spine', leaves = 2, spines = 2, hosts_per_leaf = 2 }\nscheme = { name = 'ecmp' }\n";
    const char *none[] = {"workload.kind=none"}, *other[] = {"workload.kind=tornado", "workload.bytes=1"}, *unknown[] = {"hosts.ev_mode=no"}, *gap[] = {NULL};
    weft_done done;
    weft_late late;
    const char *json;
    if (weft_fabric_new(setup, sizeof setup - 1, NULL, other, 2) || !strstr(weft_error(), "workload.kind: a program sends")) wrong++, puts("a workload");
    if (weft_fabric_new(setup, sizeof setup - 1, NULL, unknown, 1) || !strstr(weft_error(), "ev_mode")) wrong++, puts("a key");
    if (weft_fabric_new(NULL, 10, NULL, none, 1) || weft_fabric_new(setup, 10, NULL, NULL, 1) || weft_fabric_new(setup, 10, NULL, gap, 1)) wrong++, puts("NULL");
    if (weft_fabric_new("\xff", 1, NULL, none, 1) || !strstr(weft_error(), "UTF-8")) wrong++, puts("a text");
    if (weft_fabric_read("no such file", none, 1) || !strstr(weft_error(), "no such file")) wrong++, puts("a file");
    if (weft_fabric_now_ps(NULL) || !strstr(weft_error(), "fabric is NULL") || weft_fabric_warnings(NULL)) wrong++, puts("no fabric");
    weft_fabric_free(NULL);
    weft_fabric *fabric = weft_fabric_new(setup, sizeof setup - 1, NULL, none, 1);
    if (!fabric || weft_fabric_hosts(fabric) != 4 || *weft_fabric_warnings(fabric)) wrong++, puts(weft_error());
    is("host", weft_fabric_send(fabric, 0, 4, 1, 0, 0), WEFT_RANGE, "use 0 to 3");
    is("one host", weft_fabric_send(fabric, 1, 1, 1, 0, 0), WEFT_RANGE, "two hosts");
    is("empty", weft_fabric_send(fabric, 0, 1, 0, 0, 0), WEFT_RANGE, "bytes 0");
    is("too late", weft_fabric_send(fabric, 0, 1, 1, WEFT_NEVER, 0), WEFT_RANGE, "time");
    is("connections", weft_fabric_connect(fabric, 0, 1, 0), WEFT_RANGE, "connections 0");
    is("no room", weft_fabric_advance(fabric, 0, &done, 0, &bytes), WEFT_ROOM, "room");
    is("nowhere", weft_fabric_advance(fabric, 0, NULL, 1, &bytes), WEFT_NULL, "done is NULL");
    is("not counted", weft_fabric_advance(fabric, 0, &done, 1, NULL), WEFT_NULL, "count is NULL");
    is("late", weft_fabric_late(fabric, NULL), WEFT_NULL, "late is NULL");
    is("a flow", weft_fabric_send(fabric, 0, 1, 1, 0, 5), WEFT_OK, "");
    is("under way", weft_fabric_is_idle(fabric), WEFT_OK, "");
    is("received", weft_fabric_advance(fabric, WEFT_NEVER, &done, 1, &bytes), WEFT_ONE, "");
    is("known", weft_fabric_advance(fabric, WEFT_NEVER, &done, 1, &bytes), WEFT_ONE, "");
    if (done.user != 5 || !done.is_sender || bytes != 1) wrong++, puts("a completion");
    is("nothing more", weft_fabric_advance(fabric, WEFT_NEVER, &done, 1, &bytes), WEFT_OK, "");
    is("idle", weft_fabric_is_idle(fabric), WEFT_ONE, "");
    is("in time", weft_fabric_late(fabric, &late), WEFT_OK, "");
    is("nowhere", weft_fabric_report(fabric, NULL, &bytes), WEFT_NULL, "json is NULL");
    is("the end", weft_fabric_report(fabric, &json, &bytes), WEFT_OK, "");
    if (late.flows || strlen(json) != bytes || bytes < 100) wrong++, puts("a report");
    is("again", weft_fabric_report(fabric, &json, &bytes), WEFT_OK, "");
    is("over", weft_fabric_send(fabric, 0, 1, 1, 0, 0), WEFT_ORDER, "weft_fabric_report");
    is("and over", weft_fabric_advance(fabric, 0, &done, 1, &bytes), WEFT_ORDER, "weft_fabric_report");
    weft_fabric_free(fabric);
    return wrong;
}
