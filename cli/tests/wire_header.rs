//! `weft_wire.h`, compiled as C. Its functions read and write the bits that the layout names; the test picks these bits one
//! by one. Its lengths and codes are the numbers of the wire format.

mod c;

use weft_random::Rng;
use weft_wire::headers::{self, Field, Header};

/// Compiles `code` behind an include of the header and runs it on `input`. Returns the output.
fn run(compiler: &str, standard: &str, suffix: &str, code: &str, input: &[u8]) -> Result<String, String> {
    let code = format!("#include <stdio.h>\n#include <inttypes.h>\n#include \"weft_wire.h\"\n{code}");
    let program = c::compile(compiler, &[standard, "-Wconversion"], suffix, &code)?;
    Ok(String::from_utf8(program.run(input)).expect("text"))
}

/// The field's bits, the first on the wire first, as positions counted from the header's first bit.
fn positions(field: &Field) -> impl Iterator<Item = usize> {
    let first = field.byte * 8 + (if field.high < 32 { 31 } else { 63 }) - field.high as usize;
    first..=first + (field.high - field.low) as usize
}

fn bit(header: &[u8], position: usize) -> u8 {
    header[position / 8] >> (7 - position % 8) & 1
}

/// A program that reads every header from its input, prints all fields, sets each to the complement and prints the bytes.
fn program() -> String {
    let mut code = String::from("int main(void)\n{\n    uint8_t h[64];\n");
    for Header { name, bytes, layout, .. } in &headers::ALL {
        code += &format!(
            "    if ({bytes} != WEFT_{}_LEN || fread(h, 1, {bytes}, stdin) != {bytes}) return 1;\n",
            name.to_uppercase()
        );
        let header = name.to_lowercase();
        for field in *layout {
            let (get, set) =
                (format!("weft_{header}_{}", field.name), format!("weft_{header}_set_{}", field.name));
            let cast = if field.signed { "(uint64_t)(uint16_t)" } else { "(uint64_t)" };
            code += &format!("    printf(\"{name}.{} %\" PRIx64 \"\\n\", {cast}{get}(h));\n", field.name);
            code += &format!("    {set}(h, (__typeof__({get}(h)))~{get}(h));\n");
            code +=
                &format!("    for (int i = 0; i < {bytes}; i++) printf(\"%02x\", h[i]);\n    puts(\"\");\n");
        }
    }
    code + "    return 0;\n}\n"
}

/// The expected lines, computed bit by bit.
fn expected(input: &[u8]) -> String {
    let (mut text, mut rest) = (String::new(), input);
    for Header { name, bytes, layout, .. } in &headers::ALL {
        let (header, behind) = rest.split_at(*bytes);
        let mut header = header.to_vec();
        for field in *layout {
            let value = positions(field).fold(0, |value, at| value << 1 | u64::from(bit(&header, at)));
            text += &format!("{name}.{} {value:x}\n", field.name);
            positions(field).for_each(|at| header[at / 8] ^= 0x80 >> (at % 8));
            text += &header.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            text.push('\n');
        }
        rest = behind;
    }
    text
}

#[test]
fn c_reads_and_writes_the_bits_that_the_layout_names() {
    let mut rng = Rng::new(1);
    let bytes = headers::ALL.iter().map(|header| header.bytes).sum();
    let input: Vec<u8> = (0..bytes).map(|_| rng.draw() as u8).collect();
    let said = run("gcc", "-std=gnu11", "c", &program(), &input);
    assert_eq!(said, Ok(expected(&input)));
}

/// The numbers are from the tables of the wire format, not from the crate: a driver's author would type these
/// numbers.
#[test]
fn lengths_and_codes_are_the_wire_formats() {
    let code = "\
        int main() {\n\
        static_assert(WEFT_UDP_LEN_NACK == 48 && WEFT_UDP_LEN_ACK_64 == 64 && WEFT_UDP_LEN_ACK_256 == 88, \"\");\n\
        static_assert(WEFT_UDP_LEN_ACK_LISTS == 124 && WEFT_ROCE_PORT == 4791 && WEFT_EV_FIRST == 49152, \"\");\n\
        static_assert(WEFT_OPCODE_WRITE_ONLY == 10 && WEFT_OPCODE_ACKNOWLEDGE == 17 && WEFT_OPCODE_PROBE == 222, \"\");\n\
        static_assert(WEFT_NACK_TRIMMED == 1 && WEFT_NACK_UNEXP_EVENT == 25 && WEFT_ECHO_CE == 1, \"\");\n\
        const uint8_t bth[12] = {0x0a, 0x40, 0xff, 0xff, 0, 1, 2, 3, 0x90, 4, 5, 6};\n\
        const uint8_t seth[28] = {0, 0, 0xff, 0xfe};\n\
        printf(\"%d %x %d %d %x %d\", weft_bth_opcode(bth), weft_bth_p_key(bth), weft_bth_ack_request(bth),\n\
               weft_bth_sprayed(bth), weft_bth_psn(bth), weft_seth_ack_psn_offset(seth));\n\
        }\n";
    assert_eq!(run("g++", "-std=c++17", "cpp", code, &[]), Ok("10 ffff 1 1 40506 -2".into()));
    assert!(run("g++", "-std=c++17", "cpp", "static_assert(WEFT_BTH_LEN == 16, \"\");", &[]).is_err());
}
