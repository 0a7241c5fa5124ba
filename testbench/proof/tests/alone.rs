//! The modules in a part decide whether its claims hold for another part.

use weft_hdl::{Floor, Module};
use weft_proof::alone::{every_instance, text};
use weft_symbolic::{Proof, Prover};

fn module(name: &str, text: &str) -> Module {
    Module { name: name.into(), text: text.into(), floor: Floor::Block }
}

fn block() -> [Module; 4] {
    [
        module("m_block", "    m_part #(.W(8), .KIND(\"x\")) part (\n    m_other other (\n"),
        module("m_part", "    m_leaf leaf (\n"),
        module("m_leaf", "one"),
        module("m_other", "other"),
    ]
}

#[test]
fn the_text_of_a_part_is_that_of_all_beneath_it() {
    let of = |modules: &[Module]| text(modules, &["m_block.part"]);
    let names: Vec<String> = of(&block()).into_iter().map(|module| module.name).collect();
    assert_eq!(names, ["m_part", "m_part", "m_leaf"]);
    for (at, from, to, same) in [
        (0, ".W(8)", ".W(9)", false),
        (1, "m_leaf leaf", "m_leaf twig", false),
        (2, "one", "two", false),
        (3, "other", "another", true),
    ] {
        let mut changed = block();
        changed[at].text = changed[at].text.replace(from, to);
        assert_eq!(of(&changed) == of(&block()), same, "{from}");
    }
}

#[test]
fn an_instance_with_other_parameters_is_not_proved_by_the_first() {
    let proved = |more: &str| {
        let mut modules = block();
        modules[0].text += more;
        let mut proof = Proof::new(Prover::default());
        every_instance(&modules, &["m_block.part"], &mut proof).unwrap();
        proof.is_proved()
    };
    assert!(proved(""));
    assert!(proved("    m_part #(.W(8), .KIND(\"y\")) twin (\n"));
    assert!(!proved("    m_part #(.W(9), .KIND(\"x\")) sister (\n"));
}
