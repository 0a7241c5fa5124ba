// Instances of the shim, made here and driven by two threads in turn; with an argument, by both at once.
#include "Vm.h"

#include <cstdio>
#include <thread>
#include <vector>

struct Instance;
extern "C" {
Instance* vsys_new(int reset, int seed);
void vsys_delete(Instance*);
int vsys_eval(Instance*);
void* vsys_port(Instance*, unsigned index);
const char* vsys_ports();
}

enum { CLK, RST, ENABLE, COUNT };

static CData& port(Instance* instance, unsigned index) {
    return *static_cast<CData*>(vsys_port(instance, index));
}

static void clock(const std::vector<Instance*>& instances, size_t first, size_t step) {
    for (size_t i = first; i < instances.size(); i += step) {
        for (int level : {0, 1}) {
            port(instances[i], CLK) = level;
            vsys_eval(instances[i]);
        }
    }
}

int main(int argc, char**) {
    const bool share = argc > 1;
    std::vector<Instance*> instances;
    for (int i = 0; i < 16; ++i) {
        instances.push_back(vsys_new(2, i + 1));
        port(instances.back(), RST) = 1;
        port(instances.back(), ENABLE) = 1;
    }
    clock(instances, 0, 1);
    for (Instance* instance : instances) port(instance, RST) = 0;
    for (size_t round = 0; round < 200; ++round) {
        std::thread other{[&] {
            clock(instances, round % 2, 2);
            // Construction and destruction beside evaluation, and beside one another.
            vsys_delete(vsys_new(2, 99));
        }};
        vsys_delete(vsys_new(2, 98));
        clock(instances, (round + !share) % 2, 2);
        other.join();
    }
    unsigned sum = 0;
    for (Instance* instance : instances) sum += port(instance, COUNT);
    std::printf("sum %u\n", sum);
    std::thread{[&] {
        for (Instance* instance : instances) vsys_delete(instance);
    }}.join();
}
