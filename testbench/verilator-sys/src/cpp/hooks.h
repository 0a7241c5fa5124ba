// Included before every translation unit: routes the runtime's output and its fatal errors to shim.cpp.
#pragma once

int vsys_printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
void vl_stop_maybe(const char* file, int line, const char* scope, bool maybe);
