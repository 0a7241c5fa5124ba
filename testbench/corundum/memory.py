"""Host memory with addresses of 64 bits. Bytes that were not written are random."""

import random

PAGE = 4096


class Memory:
    def __init__(self, seed=1):
        self.seed, self.pages = seed, {}

    def _page(self, number):
        if number not in self.pages:
            self.pages[number] = bytearray(random.Random(self.seed << 64 | number).randbytes(PAGE))
        return self.pages[number]

    def read(self, address, length) -> bytes:
        out = bytearray()
        while length:
            number, at = divmod(address, PAGE)
            part = self._page(number)[at:at + length]
            out += part
            address, length = address + len(part), length - len(part)
        return bytes(out)

    def write(self, address, data):
        while data:
            number, at = divmod(address, PAGE)
            part = data[:PAGE - at]
            self._page(number)[at:at + len(part)] = part
            address, data = address + len(part), data[len(part):]
