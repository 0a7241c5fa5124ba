"""Calls libweft by ctypes, to compare it with the Python package. The structs are read from the header, so this client
has only the information of a C program."""

import ctypes
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TYPES = {"uint8_t": ctypes.c_uint8, "uint16_t": ctypes.c_uint16, "uint32_t": ctypes.c_uint32, "uint64_t": ctypes.c_uint64}


def _structs():
    with open(f"{ROOT}/capi/include/weft.h", encoding="utf-8") as file:
        text = re.sub(r"//.*", "", file.read())
    structs = {}
    for body, name in re.findall(r"typedef struct (?:\w+ )?\{(.*?)\} (\w+);", text, re.S):
        fields = re.findall(r"^\s*(\w+) (\w+)(?:\[(\d+)\])?;", body, re.M)
        if fields and all(kind in TYPES for kind, _, _ in fields):
            layout = [(field, TYPES[kind] * int(many) if many else TYPES[kind]) for kind, field, many in fields]
            structs[name] = type(name, (ctypes.Structure,), {"_fields_": layout})
    return structs


STRUCTS = _structs()
LIBRARY = ctypes.CDLL(f"{ROOT}/target/release/libweft.so")
LIBRARY.weft_error.restype = ctypes.c_char_p
ONE = 1


def new(name, *words):
    make = LIBRARY[f"weft_{name}_new"]
    make.restype = ctypes.c_void_p
    handle = make(*words)
    if not handle:
        raise ValueError(LIBRARY.weft_error().decode())
    return ctypes.c_void_p(handle)


def call(function, *words):
    code = LIBRARY[function](*words)
    if code < 0:
        raise ValueError(LIBRARY.weft_error().decode())
    return code


def fields(struct):
    """The values of a struct by their names."""
    values = ((name, getattr(struct, name)) for name, _ in struct._fields_)
    return {name: list(value) if isinstance(value, ctypes.Array) else value for name, value in values}


def _registers():
    """Numbers of the other header by their names, in lower case: offsets of registers, and numbers of words."""
    with open(f"{ROOT}/hdl/include/weft_nic.h", encoding="utf-8") as file:
        found = re.findall(r"^#define WEFT_REG_(\w+) (\w+?)u?\b", file.read(), re.M)
    return {name.lower(): int(number, 0) for name, number in found if number[0].isdigit()}


REGISTERS = _registers()


def offsets(name):
    """The offsets of a register's words."""
    return [REGISTERS[name] + 4 * word for word in range(REGISTERS.get(f"{name}_words", 1))]
