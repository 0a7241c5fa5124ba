#include "Vm.h"

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    const uint64_t turns = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
    VerilatedContext context;
    context.threads(1);
    context.randReset(0);
    Vm* const dut = new Vm{&context, "TOP"};
    uint64_t checksum = 0;
    /*SETUP*/
    const auto start = std::chrono::steady_clock::now();
    for (uint64_t turn = 0; turn < turns; ++turn) {
        /*BODY*/
    }
    const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - start;
    std::printf("\n%f %" PRIu64 "\n", turns ? elapsed.count() / turns : 0.0, checksum);
    delete dut;
    return 0;
}
