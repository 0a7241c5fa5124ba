use super::*;

const GOOD: &str = "# a comment
Nodes 4
Connections 5
Triggers 3
Failures 0

0->1 start 0 size 2000000 send_done_trigger 7
2->3 id 9 start 12.5 size 1 recv_done_trigger 7 prio 0 msg 3\r
1->0 trigger 7 id 4 size 10 send_done_trigger 2 recv_done_trigger 2
\t3->0 trigger 2 size 20
3->1 trigger 2 size 30 recv_done_trigger 5
trigger id 2 multishot
trigger barrier id 7 count 2
trigger id 5 oneshot";

fn error(text: &str) -> String {
    Matrix::parse("x.cm", text, Unit::Us).expect_err(text).to_string()
}

#[test]
fn all_of_the_grammar_is_read() {
    let matrix = Matrix::parse("x.cm", GOOD, Unit::Us).expect("a matrix");
    assert_eq!((matrix.file(), matrix.nodes(), matrix.triggers()), ("x.cm", 4, 3));
    let after = |trigger, times| Start::After { trigger, times };
    let flow = |id, [source, destination]: [u32; 2], bytes, start, send_done, recv_done| Flow {
        id,
        source,
        destination,
        bytes,
        start,
        send_done,
        recv_done,
    };
    // Triggers 2, 5, 7 have the numbers 0, 1, 2.
    let flows = [
        flow(1, [0, 1], 2_000_000, Start::At(0), Some(2), None),
        flow(9, [2, 3], 1, Start::At(12_500_000), None, Some(2)),
        flow(4, [1, 0], 10, after(2, 2), Some(0), Some(0)),
        flow(4, [3, 0], 20, after(0, 1), None, None),
        flow(5, [3, 1], 30, after(0, 2), None, Some(1)),
    ];
    assert_eq!(matrix.flows(), flows);
    for (unit, ps) in [(Unit::Ns, 12_500), (Unit::Ps, 13)] {
        let matrix = Matrix::parse("x.cm", GOOD, unit).expect("a matrix");
        assert_eq!(matrix.flows()[1].start, Start::At(ps));
    }
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let lines = |flows: &str| format!("Nodes 4\nConnections 1\n{flows}\n");
    for (line, says) in [
        ("0->1 size 5", "x.cm:3: the flow never starts; add start and a time, or trigger and an id"),
        ("0->1 start 0", "x.cm:3: the flow has no size; add size and its bytes"),
        (
            "0->1 start 0 size 137438953473",
            "x.cm:3: size needs a whole number from 0 to 137438953472, not 137438953473",
        ),
        ("0->1 start 0 size -5", "x.cm:3: size needs a whole number from 0 to 137438953472, not -5"),
        ("0->1 start 0 size", "x.cm:3: size needs a whole number from 0 to 137438953472, not nothing"),
        ("0->1 start soon size 5", "x.cm:3: start needs a time in us, not soon"),
        ("0->1 start -1 size 5", "x.cm:3: start needs a time in us, not -1"),
        ("0->1 start NaN size 5", "x.cm:3: start needs a time in us, not NaN"),
        (
            "0->1 start 1000001 size 5",
            "x.cm:3: start 1000001 us is later than 1 s; if the file counts ns or ps, say so",
        ),
        ("0->1 start inf size 5", "x.cm:3: start inf us is later than 1 s"),
        ("0->1 start 0 start 1 size 5", "x.cm:3: start or trigger is given twice"),
        ("0->1 start 0 trigger 1 size 5", "x.cm:3: start or trigger is given twice"),
        ("0->1 start 0 size 5 size 5", "x.cm:3: size is given twice"),
        ("0->1 id 0 start 0 size 5", "x.cm:3: id needs a whole number from 1"),
        ("0->1 start 0 size 5 colour 3", "x.cm:3: a flow has no colour; it has id, start or trigger, size,"),
        ("0->4 start 0 size 5", "x.cm:3: there is no node 4; 4 nodes are 0 to 3"),
        ("2->2 start 0 size 5", "x.cm:3: node 2 sends to itself"),
        ("0->x start 0 size 5", "x.cm:3: 0->x are not two nodes; write 0->1 without blanks"),
        (
            "0 -> 1 start 0 size 5",
            "x.cm:3: a line cannot begin with 0; use Nodes, Connections, Triggers, FROM->TO or trigger",
        ),
        ("0->1 trigger 3 size 5", "x.cm:3: trigger 3 is missing; add trigger id 3 and its kind"),
        ("0->1 start 0 size 5 send_done_trigger 3", "x.cm:3: trigger 3 is missing"),
        (
            "failure switch_type TOR switch_id 0 link_id 3",
            "x.cm:3: weft does not carry out the failures of a file; leave them out",
        ),
        ("Failures 1", "x.cm:3: weft does not carry out the failures"),
        ("Nodes 5", "x.cm:3: Nodes is given twice"),
        ("trigger oneshot", "x.cm:3: the trigger has no id; write trigger id 1 oneshot"),
        ("trigger id 1", "x.cm:3: the trigger has no kind; give oneshot, multishot or barrier"),
        ("trigger id 1 barrier", "x.cm:3: a barrier needs a count: how many flows fire it"),
        ("trigger id 1 oneshot count 2", "x.cm:3: a oneshot has no count; only a barrier has one"),
        ("trigger id 1 oneshot barrier", "x.cm:3: the kind is given twice"),
        ("trigger id 1 twice", "x.cm:3: a trigger has no twice; it has an id and is oneshot,"),
        ("trigger id 1 oneshot\ntrigger id 1 oneshot", "x.cm:4: trigger 1 is in line 3 already"),
        ("", "x.cm:2: Connections says 1, and 0 follow"),
        ("0->1 start 0 size 5\ntrigger id 1 oneshot", "x.cm:4: Triggers says 0, and 1 follow"),
    ] {
        let told = error(&lines(line));
        assert!(told.starts_with(says), "{line}: {told}");
        assert!(!told.contains('\n'), "{told}");
    }
    assert_eq!(error("Nodes 1\n"), "x.cm:1: Nodes needs a whole number from 2 to 4294967295, not 1");
    assert_eq!(error("Nodes 2 3\n"), "x.cm:1: 3 is one word too many");
    assert_eq!(
        error("Connections 1\n0->1 start 0 size 1"),
        "x.cm:2: Nodes is missing; add a line with their number"
    );
    assert_eq!(error("Nodes 2\n0->1 start 0 size 1"), "x.cm:2: Connections is missing; add Connections 1");
    assert_eq!(error(""), "x.cm:0: Nodes is missing; add a line with their number");
}

#[test]
fn triggers_must_fit_who_fires_them() {
    let fired = |kind: &str, flows: &[&str]| {
        let text = format!("Nodes 4\nConnections {}\nTriggers 1\ntrigger id 6 {kind}\n", flows.len());
        text + &flows.join("\n")
    };
    let (fires, waits) = ("0->1 start 0 size 1 send_done_trigger 6", "1->2 trigger 6 size 1");
    for (kind, flows, says) in [
        (
            "oneshot",
            &[fires, fires, waits][..],
            "x.cm:4: oneshot 6 is fired 2 times; make it a barrier count 2",
        ),
        (
            "barrier count 1",
            &[fires, fires, waits],
            "x.cm:4: barrier 6 of count 1 is fired 2 times; make its count 2",
        ),
        (
            "barrier count 3",
            &[fires, fires, waits],
            "x.cm:7: the flow never starts: trigger 6 fires 2 times, and it waits for 3",
        ),
        (
            "multishot",
            &[fires, waits, waits],
            "x.cm:7: the flow never starts: trigger 6 fires 1 times, and it waits for 2",
        ),
        (
            "oneshot",
            &["1->2 trigger 6 size 1 recv_done_trigger 6"],
            "x.cm:5: the flow never starts: trigger 6 fires 0 times",
        ),
    ] {
        let told = error(&fired(kind, flows));
        assert!(told.starts_with(says), "{told}");
    }
    // A trigger may have more shots than waiting flows, and may have no waiting flow.
    for (kind, flows) in [
        ("multishot", &[fires, fires, fires, waits][..]),
        ("oneshot", &[fires]),
        ("barrier count 3", &["0->2 start 0 size 9 send_done_trigger 6 recv_done_trigger 6", waits, fires]),
    ] {
        assert!(Matrix::parse("x.cm", &fired(kind, flows), Unit::Us).is_ok(), "{kind}");
    }
}

/// Reads traces of htsim itself, if they are available.
#[test]
fn traces_of_others_are_read() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/traces");
    for (name, flows, triggers) in [
        ("htsim_alltoall_serial_16n.cm", 240, 224),
        ("htsim_incast_16n.cm", 15, 0),
        ("htsim_perm_32n_32c_2MB.cm", 32, 0),
        ("htsim_triggers_128n_12c.cm", 12, 8),
    ] {
        let Ok(text) = std::fs::read_to_string(folder.join(name)) else {
            println!("{name} is not here");
            continue;
        };
        let matrix = Matrix::parse(name, &text, Unit::Us).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((matrix.flows().len(), matrix.triggers()), (flows, triggers), "{name}");
        assert!(matrix.flows().iter().all(|flow| flow.bytes == 2_000_000));
    }
}

/// Files of other tools begin with a byte order mark, have flows of unlimited size or of more than 4 GiB, and
/// have messages without a number.
#[test]
fn what_other_tools_write_is_read() {
    let text = "\u{FEFF}Nodes 4\nConnections 4\n0->1 id 1 msg start 0 size 10\n0->2 start 0 size 10 msg\n\
                1->2 start 0 size 5000000000 msg 7\n2->3 start 0 size 0\n";
    let matrix = Matrix::parse("x.cm", text, Unit::Us).expect("it is one");
    let bytes: Vec<u64> = matrix.flows().iter().map(|flow| flow.bytes).collect();
    assert_eq!(bytes, [10, 10, 5_000_000_000, ENDLESS]);
    // A flow of unlimited size never fires its trigger.
    let text = "Nodes 3\nConnections 2\nTriggers 1\n0->1 start 0 size 0 send_done_trigger 1\n1->2 trigger 1 size 5\n\
                trigger id 1 oneshot\n";
    let error = Matrix::parse("x.cm", text, Unit::Us).expect_err("it never starts").to_string();
    assert!(error.starts_with("x.cm:5: the flow never starts"), "{error}");
}
