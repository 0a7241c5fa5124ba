//! Gives the shared library a name (soname) with the number of the interface.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libweft.so.1");
}
