// SPDX-License-Identifier: MIT OR Apache-2.0
// Ring all-reduce, all-to-all, all-to-all in groups of eight and a pipeline through the adapter, as ASTRA-sim would play them. Messages carry numbers beside the
// API, in the order in which they are sent: a receive that ends early, twice or for another message gives a wrong sum.
//
//     driver SETUP ring|alltoall|groups|pipeline BYTES [KEY=VALUE...]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>

#include "weft_network.hh"

namespace {

using Numbers = std::vector<uint64_t>;

std::map<std::tuple<int, int, int>, std::deque<Numbers>> carried;
long handlers = 0;

[[noreturn]] void wrong(const char *what) {
    std::printf("wrong: %s\n", what);
    std::exit(1);
}

// A callback for a C function and its argument.
void call(void *argument) {
    auto *then = static_cast<std::function<void()> *>(argument);
    (*then)();
    delete then;
    handlers--;
}

void *later(std::function<void()> then) {
    handlers++;
    return new std::function<void()>(std::move(then));
}

struct Rank {
    AstraSim::AstraNetworkAPI &network;
    int number, ranks;
    uint64_t bytes;
    int left = 0; // what is to end before the rank has finished

    void send(int to, int tag, uint64_t count, Numbers numbers) {
        left++;
        carried[{number, to, tag}].push_back(std::move(numbers));
        network.sim_send(nullptr, count, 0, to, tag, nullptr, call, later([this] { ended(); }));
    }
    void receive(int from, int tag, uint64_t count, std::function<void(Numbers)> then) {
        left++;
        network.sim_recv(nullptr, count, 0, from, tag, nullptr, call, later([this, from, tag, then] {
            auto &waiting = carried[{from, number, tag}];
            if (waiting.empty()) wrong("a receive ended before its message was sent");
            Numbers numbers = waiting.front();
            waiting.pop_front();
            then(numbers);
            ended();
        }));
    }
    void work(double ns, std::function<void()> then) {
        left++;
        network.sim_schedule({AstraSim::NS, ns}, call, later([this, then] { then(); ended(); }));
    }
    void ended() {
        if (--left == 0) network.sim_notify_finished();
    }

    // 2 (n - 1) steps, each after the one before: first sums go around the ring, then all ranks get them.
    Numbers chunks;
    void ring(int step) {
        int next = (number + 1) % ranks, before = (number + ranks - 1) % ranks;
        int out = ((number - step) % ranks + ranks) % ranks, in = (out + ranks - 1) % ranks;
        uint64_t count = bytes / ranks;
        send(next, 1, count, {chunks[out]});
        receive(before, 1, count, [=, this](Numbers numbers) {
            chunks[in] = step < ranks - 1 ? chunks[in] + numbers[0] : numbers[0];
            if (step + 1 < 2 * (ranks - 1)) ring(step + 1);
        });
    }
    // Among the ranks that are `stride` apart.
    void all_to_all(int stride) {
        for (int ahead = stride; ahead < ranks; ahead += stride) {
            int to = (number + ahead) % ranks, from = (number + ranks - ahead) % ranks;
            // A message in two parts is a single one for its receiver.
            send(to, 2, bytes / 2, {});
            send(to, 2, bytes - bytes / 2, {static_cast<uint64_t>(number)});
            receive(from, 2, bytes, [this, from, stride](Numbers) {
                Numbers second = carried[{from, number, 2}].front();
                carried[{from, number, 2}].pop_front();
                chunks[from / stride] = second[0] + 1;
            });
        }
    }
    // Each stage computes for 5 us on each of eight parts.
    int done = 0, ready = 0;
    bool busy = false;
    void stage() {
        if (busy || ready == 0) return;
        busy = true, ready--;
        work(5000, [this] {
            busy = false;
            if (number + 1 < ranks) send(number + 1, 3, bytes, {static_cast<uint64_t>(done)});
            done++;
            stage();
        });
    }
    void pipeline() {
        for (int part = 0; part < 8 && number > 0; part++)
            receive(number - 1, 3, bytes, [this, part](Numbers numbers) {
                if (numbers[0] != static_cast<uint64_t>(part)) wrong("a part out of order");
                ready++;
                stage();
            });
        if (number == 0) ready = 8;
        stage();
    }
};

} // namespace

int main(int argc, char **argv) {
    if (argc < 4) return std::puts("driver SETUP ring|alltoall|groups|pipeline BYTES [KEY=VALUE...]"), 2;
    weft::Session session(argv[1], {argv + 4, argv + argc});
    std::string kind = argv[2];
    int ranks = session.ranks(), stride = kind == "groups" ? ranks / 8 : 1;
    std::vector<std::unique_ptr<weft::Network>> networks;
    std::deque<Rank> all;
    for (int rank = 0; rank < ranks; rank++) {
        networks.push_back(std::make_unique<weft::Network>(session, rank));
        all.push_back({*networks.back(), rank, ranks, std::strtoull(argv[3], nullptr, 10), 0, Numbers(ranks / stride, 0), 0, 0, false});
    }
    for (Rank &rank : all) {
        rank.left++;
        if (kind == "ring") {
            for (int chunk = 0; chunk < ranks; chunk++) rank.chunks[chunk] = (rank.number + 1) * (chunk + 1);
            rank.ring(0);
        } else if (kind == "alltoall" || kind == "groups") {
            rank.chunks[rank.number / stride] = rank.number + 1;
            rank.all_to_all(stride);
        } else {
            rank.pipeline();
        }
        rank.ended();
    }
    if (!session.run()) wrong("not all ranks have finished");
    for (const Rank &rank : all)
        for (uint64_t chunk = 0; kind != "pipeline" && chunk < rank.chunks.size(); chunk++) {
            uint64_t sum = static_cast<uint64_t>(ranks) * (ranks + 1) / 2 * (chunk + 1);
            uint64_t source = rank.number % stride + chunk * stride;
            if (rank.chunks[chunk] != (kind == "ring" ? sum : source + 1)) wrong("a sum");
        }
    if (kind == "pipeline" && all.back().done != 8) wrong("parts are missing");
    if (handlers) wrong("a handler was not called");
    weft::Late late = session.late();
    std::printf("{\"ns\": %.3f, \"late\": %llu, \"mean_ns\": %.1f, \"most_ns\": %.1f, \"window_ns\": %.1f, \"report\": %s}\n", session.now_ps() / 1e3,
                static_cast<unsigned long long>(late.answers), late.mean_ps / 1e3, late.most_ps / 1e3, late.window_ps / 1e3, session.report().c_str());
}
