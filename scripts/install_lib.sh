#!/usr/bin/env bash
# Installs libweft beneath a folder: lib/libweft.so, .a and pkgconfig/weft.pc, include/weft.h and weft_nic.h.
#
#   scripts/install_lib.sh PREFIX
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# = 1 ] || { echo "usage: scripts/install_lib.sh PREFIX" >&2; exit 2; }
mkdir -p "$1/lib/pkgconfig" "$1/include"
prefix=$(cd "$1" && pwd)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
abi=$(sed -n 's/^#define WEFT_ABI_VERSION (*\([0-9]*\) << 16.*/\1/p' capi/include/weft.h)
[ -n "$abi" ] || { echo "capi/include/weft.h says no WEFT_ABI_VERSION" >&2; exit 2; }
install -m 644 capi/include/weft.h hdl/include/weft_nic.h "$prefix/include"
install -m 644 target/release/libweft.a "$prefix/lib"
install -m 755 target/release/libweft.so "$prefix/lib/libweft.so.$version"
ln -sf "libweft.so.$version" "$prefix/lib/libweft.so.$abi"
ln -sf "libweft.so.$abi" "$prefix/lib/libweft.so"
cat >"$prefix/lib/pkgconfig/weft.pc" <<PC
# The folder may be moved later.
prefix=\${pcfiledir}/../..
Name: weft
Description: Bit-exact models of weft's blocks and NIC
Version: $version
Cflags: -I\${prefix}/include
Libs: -L\${prefix}/lib -lweft
Libs.private: -lpthread -ldl -lm
PC
echo "libweft $version, interface $abi, is in $prefix"
