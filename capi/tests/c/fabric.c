// Passes messages around rings of a fabric's hosts: each host passes on each message that it receives, and a
// host whose message has left sends one to another host.
#include <stdio.h>
#include <string.h>
#include "weft.h"

enum { HOSTS = 16, ROOM = 3 };

int main(int argc, char **argv) {
    const char setup[] = "seed = 3\n"
                         "topology = { kind = 'fat-tree', k = 4 }\n"
                         "scheme = { name = 'drill' }\n"
                         "workload = { kind = 'none' }\n"
                         "inner = { hosts = 2, gbps = 900, latency_ns = 300 }\n";
    const char *sets[] = {"switch.queue_bytes=50000", argc > 1 ? argv[1] : "threads=1"};
    weft_fabric *fabric = weft_fabric_new(setup, strlen(setup), "", sets, 2);
    if (!fabric) return puts(weft_error()), 1;
    for (uint32_t host = 0; host < HOSTS; host++)
        if (weft_fabric_send(fabric, host, (host + 5) % HOSTS, 100000, 0, 2) < 0) return puts(weft_error()), 1;
    // A compute kernel ends at this time.
    uint64_t until_ps = 7000000;
    weft_done done[ROOM];
    size_t count;
    int code;
    while ((code = weft_fabric_advance(fabric, until_ps, done, ROOM, &count)) == WEFT_ONE || (code == WEFT_OK && until_ps != WEFT_NEVER)) {
        if (code == WEFT_OK) {
            printf("now %llu\n", (unsigned long long)weft_fabric_now_ps(fabric));
            weft_fabric_send(fabric, 0, 9, 1, until_ps, 0);
            until_ps = WEFT_NEVER;
        }
        for (size_t at = 0; at < count; at++) {
            weft_done it = done[at];
            printf("%u %u %u %llu %u\n", it.flow, it.source, it.destination, (unsigned long long)it.at_ps, it.is_sender);
            uint32_t from = it.is_sender ? it.source : it.destination, to = (from + (it.is_sender ? 1 : 5)) % HOSTS;
            if (it.user && weft_fabric_send(fabric, from, to, 10000 + it.flow, it.at_ps, it.user - 1) < 0) return puts(weft_error()), 1;
        }
    }
    weft_late late;
    const char *json;
    if (code < 0 || weft_fabric_late(fabric, &late) < 0 || weft_fabric_report(fabric, &json, &count) < 0) return puts(weft_error()), 1;
    printf("late %llu %llu %llu\n%s", (unsigned long long)late.flows, (unsigned long long)late.sum_ps, (unsigned long long)late.most_ps, json);
    weft_fabric_free(fabric);
    return 0;
}
