//! Bits that pass with the words of frames of other software, such as the time stamps and tags of another NIC's MAC.
//!
//! The blocks have one bit of `tuser`, which marks a bad frame. Widths are types in Rust-HDL. A type for each
//! of 128 widths of each shape would take hours to compile. The functions here therefore edit the emitted
//! Verilog: the queues of frames of other software get wider, and a delay line parallel to the pipelines
//! carries the bits. Every edit names its place, and fails unless exactly one such place exists.

use crate::emit::{EmitError, Module};
use weft_params::SackParams;

/// Edits of one module.
struct Edits<'a> {
    module: &'a mut Module,
}

impl<'a> Edits<'a> {
    /// The module with a name; the module's header gets the width.
    fn of(modules: &'a mut [Module], name: &str, bits: u32) -> Result<Self, EmitError> {
        let found = modules.iter_mut().find(|module| module.name == name);
        let module =
            found.ok_or_else(|| EmitError::Edit { module: name.into(), text: "module".into(), found: 0 })?;
        let heading = if module.text.contains("// Parameters:\n") { "" } else { "//\n// Parameters:\n" };
        let told = format!("\n{heading}//   bypass-user = {bits}\n\n`default_nettype none");
        Self { module }.replace("\n\n`default_nettype none", &told)
    }

    /// Replaces a text that occurs exactly once.
    fn replace(self, text: &str, with: &str) -> Result<Self, EmitError> {
        let found = self.module.text.matches(text).count();
        if found != 1 {
            return Err(EmitError::Edit { module: self.module.name.clone(), text: text.into(), found });
        }
        self.module.text = self.module.text.replacen(text, with, 1);
        Ok(self)
    }

    /// A port of one bit gets a width.
    fn port(self, direction: &str, name: &str, bits: u32) -> Result<Self, EmitError> {
        let range = format!("[{}:0]", bits - 1);
        let (one, more) =
            (format!("{direction} wire         {name}"), format!("{direction} wire {range:>7} {name}"));
        self.replace(&one, &more)
    }
}

/// The modules, edited if `tuser` has more than the bit for bad frames.
fn wider(
    mut modules: Vec<Module>,
    bits: u32,
    widen: fn(&mut [Module], u32) -> Result<(), EmitError>,
) -> Result<Vec<Module>, EmitError> {
    if bits > 1 {
        widen(&mut modules, bits)?;
    }
    Ok(modules)
}

/// The Verilog of `weft_ingress` with 1 to 128 bits of `tuser`.
pub fn ingress(params: &SackParams, psns: u32, bits: u32) -> Result<Vec<Module>, EmitError> {
    wider(super::ingress::emit_with(params, psns)?, bits, widen_ingress)
}

/// The Verilog of `weft_egress` with 1 to 128 bits of `tuser`.
pub fn egress(params: &SackParams, psns: u32, bits: u32) -> Result<Vec<Module>, EmitError> {
    wider(super::egress::emit_with(params, psns)?, bits, widen_egress)
}

/// The modules of `weft_nic` with 1 to 128 bits of `tuser`.
pub(crate) fn nic(modules: Vec<Module>, bits: u32) -> Result<Vec<Module>, EmitError> {
    wider(modules, bits, widen)
}

/// `weft_ingress` hands on `bits` of `tuser`.
fn widen_ingress(modules: &mut [Module], bits: u32) -> Result<(), EmitError> {
    let (high, more) = (bits - 1, bits - 2);
    let (fifo, user) = (577 + bits, format!("[{more}:0]"));
    // Words of frames pass `weft_ingress_align` in two stages: the second stage waits for the next word.
    let beside = format!(
        "\
    // User bits that pass with the words of frames of other software.
    reg user_live_q;
    always @(posedge clk) begin
        if (rst) user_live_q <= 1'b0;
        else user_live_q <= s_axis_net_tvalid;
    end

    reg {user} s1_user_q, s2_user_q;
    always @(posedge clk) begin
        s1_user_q <= s_axis_net_tuser[{high}:1];
    end

    always @(posedge clk) begin
        if (user_live_q) s2_user_q <= s1_user_q;
    end

    wire {user} s5_user_q;
    weft_delay #(.W({high}), .CLOCKS(3)) s5_user (
        .clk (clk),
        .en  (1'b1),
        .d   (s2_user_q),
        .q   (s5_user_q)
    );

    wire         bypass_out_valid;
    wire {user} bypass_out_word_user;
"
    );
    Edits::of(modules, "weft_ingress", bits)?
        .port("input ", "s_axis_net_tuser", bits)?
        .port("output", "m_axis_bypass_tuser", bits)?
        .replace("wire net_bad = s_axis_net_tuser;", "wire net_bad = s_axis_net_tuser[0];")?
        .replace("    wire         bypass_out_valid;\n", &beside)?
        .replace(
            "weft_fifo #(.W(578), .D(9), .RAM_STYLE(\"block\")) bypass (",
            &format!("weft_fifo #(.W({fifo}), .D(9), .RAM_STYLE(\"block\")) bypass ("),
        )?
        .replace(
            ".in_valid    (bypass_in_valid),\n        .in_word     (s5_beat_q),",
            ".in_valid    (bypass_in_valid),\n        .in_word     ({s5_user_q, s5_beat_q}),",
        )?
        .replace("({bypass_out_word_bad,", "({bypass_out_word_user, bypass_out_word_bad,")?
        .replace(
            "assign m_axis_bypass_tuser = bypass_out_word_bad;",
            "assign m_axis_bypass_tuser = {bypass_out_word_user, bypass_out_word_bad};",
        )?;
    Ok(())
}

/// `weft_egress` hands on `bits` of `tuser`.
fn widen_egress(modules: &mut [Module], bits: u32) -> Result<(), EmitError> {
    let (high, more, word) = (bits - 1, bits - 2, 577 + bits);
    let (user, all) = (format!("[{more}:0]"), format!("[{}:0]", word - 1));
    Edits::of(modules, "weft_egress", bits)?
        .port("input ", "s_axis_bypass_tuser", bits)?
        .port("output", "m_axis_net_tuser", bits)?
        .replace("wire foreign_bad = s_axis_bypass_tuser;", "wire foreign_bad = s_axis_bypass_tuser[0];")?
        .replace(
            "    wire         others_word_last, others_word_bad;\n",
            &format!(
                "    wire         others_word_last, others_word_bad;\n    wire {user} others_word_user;\n"
            ),
        )?
        .replace(
            "({foreign_bad, foreign_last, foreign_keep, foreign_data}),",
            &format!(
                "({{s_axis_bypass_tuser[{high}:1], foreign_bad, foreign_last, foreign_keep, foreign_data}}),"
            ),
        )?
        .replace(
            "({others_word_bad, others_word_last, others_word_keep, others_word_data}),",
            "({others_word_user, others_word_bad, others_word_last, others_word_keep, others_word_data}),",
        )?
        .replace("    wire [577:0] skid_out_word;\n", &format!("    wire {all} skid_out_word;\n"))?
        .replace(
            "    weft_skid #(.W(578)) skid (\n",
            &format!(
                "    // User bits that pass with the words of frames of others, through stages 3 to 17.
    wire {user} s17_user_d = choice_slot[0] ? others_word_user : {{{high}{{1'b0}}}};

    wire {user} s17_user_q;
    weft_delay #(.W({high}), .CLOCKS(15)) s17_user (
        .clk (clk),
        .en  (run),
        .d   (s17_user_d),
        .q   (s17_user_q)
    );

    weft_skid #(.W({word})) skid (\n"
            ),
        )?
        .replace(".in_word   (skid_in_word),", ".in_word   ({s17_user_q, skid_in_word}),")?
        .replace(
            "assign m_axis_net_tuser = skid_out_word[577];",
            &format!("assign m_axis_net_tuser = skid_out_word[{}:577];", word - 1),
        )?;
    Edits::of(modules, "weft_egress_others", bits)?
        .replace("input  wire [577:0] in_word,", &format!("input  wire {all} in_word,"))?
        .replace("output wire [577:0] word,", &format!("output wire {all} word,"))?
        .replace("in_word_data} = in_word;", "in_word_data} = in_word[577:0];")?
        .replace("    wire [577:0] words_out_word;\n", &format!("    wire {all} words_out_word;\n"))?
        .replace("weft_fifo #(.W(578),", &format!("weft_fifo #(.W({word}),"))?
        .replace("words_out_word_data} = words_out_word;", "words_out_word_data} = words_out_word[577:0];")?
        .replace("    reg [577:0] s2_word_q;\n", &format!("    reg {all} s2_word_q;\n"))?;
    Ok(())
}

/// `weft_nic` and its blocks pass on `bits` of `tuser`.
fn widen(modules: &mut [Module], bits: u32) -> Result<(), EmitError> {
    widen_ingress(modules, bits)?;
    widen_egress(modules, bits)?;
    let wire = |name: &str| (format!("    wire {name};\n"), format!("    wire [{}:0] {name};\n", bits - 1));
    let (ingress, egress) = (wire("ingress_m_axis_bypass_tuser"), wire("egress_m_axis_net_tuser"));
    Edits::of(modules, "weft_nic", bits)?
        .port("input ", "s_axis_net_tuser", bits)?
        .port("output", "m_axis_net_tuser", bits)?
        .port("input ", "s_axis_bypass_tuser", bits)?
        .port("output", "m_axis_bypass_tuser", bits)?
        .replace(&ingress.0, &ingress.1)?
        .replace(&egress.0, &egress.1)?;
    Ok(())
}
