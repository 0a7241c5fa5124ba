//! Capture files: every format read and written, every kind of damage named.

use std::borrow::Cow;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use pcap_file::pcap::{PcapHeader, PcapPacket, PcapWriter};
use pcap_file::pcapng::PcapNgWriter;
use pcap_file::pcapng::blocks::enhanced_packet::EnhancedPacketBlock;
use pcap_file::pcapng::blocks::interface_description::{
    InterfaceDescriptionBlock, InterfaceDescriptionOption,
};
use pcap_file::pcapng::blocks::packet::PacketBlock;
use pcap_file::pcapng::blocks::simple_packet::SimplePacketBlock;
use pcap_file::{DataLink, Endianness, TsResolution};
use proptest::prelude::*;
use weft_wire::capture::{Format, MAX_FRAME_LEN, ReadError, Resolution, WriteError};
use weft_wire::{CaptureReader, CaptureWriter, Frame, write_atomically};

fn read(file: &[u8]) -> Result<Vec<Frame>, ReadError> {
    CaptureReader::new(file, "x.pcap")?.collect()
}

fn written(mut writer: CaptureWriter<Vec<u8>>, frames: &[Frame]) -> Vec<u8> {
    for frame in frames {
        writer.write(frame).unwrap();
    }
    writer.finish().unwrap()
}

fn sample() -> Vec<Frame> {
    let cut_off = Frame { original_len: 1500, ..Frame::new(1_000_000_007_123_456_000, vec![3; 96]) };
    let comment = Some("third ünd last".into());
    vec![
        Frame::new(5_000, vec![1; 60]),
        cut_off,
        Frame { comment, ..Frame::new(u64::from(u32::MAX), vec![9; 61]) },
    ]
}

fn without_comments(frames: Vec<Frame>) -> Vec<Frame> {
    frames.into_iter().map(|frame| Frame { comment: None, ..frame }).collect()
}

/// Scratch folder of one test.
fn scratch(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn frames() -> impl Strategy<Value = Vec<Frame>> {
    let frame = (any::<u64>(), 0u32..3, prop::collection::vec(any::<u8>(), 0..200), any::<Option<String>>());
    prop::collection::vec(frame, 0..20).prop_map(|frames| {
        let frame = |(time_ns, missing, data, comment): (_, _, Vec<u8>, _)| Frame {
            time_ns,
            original_len: data.len() as u32 + missing,
            data,
            comment,
        };
        frames.into_iter().map(frame).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn pcapng_gives_back_what_was_written(frames in frames(), comment: String) {
        let file = written(CaptureWriter::pcapng(vec![], &comment).unwrap(), &frames);
        let mut reader = CaptureReader::new(file.as_slice(), "x").unwrap();
        prop_assert_eq!(reader.format(), Format::Pcapng);
        prop_assert_eq!(reader.by_ref().collect::<Result<Vec<_>, _>>().unwrap(), frames);
        let comments: Vec<String> = if comment.is_empty() { vec![] } else { vec![comment] };
        prop_assert_eq!(reader.comments(), comments);
    }

    #[test]
    fn pcap_gives_back_what_was_written(frames in frames(), micro: bool) {
        let resolution = if micro { Resolution::Micro } else { Resolution::Nano };
        let unit = if micro { 1000 } else { 1 };
        let frames: Vec<Frame> = without_comments(frames)
            .into_iter()
            .map(|frame| Frame { time_ns: frame.time_ns % (1_000_000_000 << 32) / unit * unit, ..frame })
            .collect();
        let file = written(CaptureWriter::pcap(vec![], resolution).unwrap(), &frames);
        let reader = CaptureReader::new(file.as_slice(), "x").unwrap();
        prop_assert_eq!(reader.format(), if micro { Format::PcapMicro } else { Format::PcapNano });
        prop_assert_eq!(reader.collect::<Result<Vec<_>, _>>().unwrap(), frames);
    }
}

#[test]
fn every_kind_of_pcap_is_read() {
    for endianness in [Endianness::Big, Endianness::Little] {
        for (ts_resolution, format) in
            [(TsResolution::MicroSecond, Format::PcapMicro), (TsResolution::NanoSecond, Format::PcapNano)]
        {
            let header = PcapHeader { endianness, ts_resolution, ..Default::default() };
            let mut writer = PcapWriter::with_header(vec![], header).unwrap();
            for frame in sample() {
                let time = Duration::from_nanos(frame.time_ns);
                writer.write_packet(&PcapPacket::new(time, frame.original_len, &frame.data)).unwrap();
            }
            let file = writer.into_writer();
            let reader = CaptureReader::new(file.as_slice(), "x").unwrap();
            assert_eq!(reader.format(), format);
            let mut expected = without_comments(sample());
            if format == Format::PcapMicro {
                expected[2].time_ns = expected[2].time_ns / 1000 * 1000;
            }
            assert_eq!(reader.collect::<Result<Vec<_>, _>>().unwrap(), expected);
        }
    }
}

fn interface(options: Vec<InterfaceDescriptionOption<'static>>) -> InterfaceDescriptionBlock<'static> {
    InterfaceDescriptionBlock { linktype: DataLink::ETHERNET, snaplen: 64, options }
}

fn enhanced(interface_id: u32, ticks: u64, data: &[u8]) -> EnhancedPacketBlock<'_> {
    let original_len = data.len() as u32;
    let timestamp = Duration::from_nanos(ticks);
    EnhancedPacketBlock { interface_id, timestamp, original_len, data: data.into(), options: vec![] }
}

#[test]
fn every_kind_of_pcapng_packet_is_read_by_its_interface() {
    for endianness in [Endianness::Big, Endianness::Little] {
        let mut writer = PcapNgWriter::with_endianness(vec![], endianness).unwrap();
        writer.write_pcapng_block(interface(vec![])).unwrap();
        writer.write_pcapng_block(interface(vec![InterfaceDescriptionOption::IfTsResol(9)])).unwrap();
        writer.write_pcapng_block(enhanced(0, 7 << 32 | 5, &[1; 60])).unwrap();
        writer.write_pcapng_block(enhanced(1, 7 << 32 | 5, &[2; 61])).unwrap();
        writer
            .write_pcapng_block(SimplePacketBlock { original_len: 63, data: Cow::Borrowed(&[3; 63]) })
            .unwrap();
        let high_low = (7u64 << 32) | 5;
        writer
            .write_pcapng_block(PacketBlock {
                interface_id: 1,
                drop_count: 0,
                // The crate writes this number as a whole; on the wire it is two words, the high word first.
                timestamp: match endianness {
                    Endianness::Big => high_low,
                    Endianness::Little => high_low.rotate_left(32),
                },
                captured_len: 62,
                original_len: 62,
                data: Cow::Borrowed(&[4; 62]),
                options: vec![],
            })
            .unwrap();
        assert_eq!(
            read(&writer.into_inner()).unwrap(),
            [
                Frame::new(high_low * 1000, vec![1; 60]),
                Frame::new(high_low, vec![2; 61]),
                Frame::new(0, vec![3; 63]),
                Frame::new(high_low, vec![4; 62]),
            ]
        );
    }
}

#[test]
fn sections_of_both_byte_orders_follow_each_other() {
    let mut file = written(CaptureWriter::pcapng(vec![], "a=1\nb=2=3").unwrap(), &sample());
    let mut writer = PcapNgWriter::with_endianness(vec![], Endianness::Big).unwrap();
    writer.write_pcapng_block(interface(vec![])).unwrap();
    writer.write_pcapng_block(enhanced(0, 1, &[7; 8])).unwrap();
    file.extend(writer.into_inner());
    file.extend(written(CaptureWriter::pcapng(vec![], "c=4").unwrap(), &[]));
    let mut reader = CaptureReader::new(file.as_slice(), "x").unwrap();
    let mut expected = sample();
    expected.push(Frame::new(1000, vec![7; 8]));
    assert_eq!(reader.by_ref().collect::<Result<Vec<_>, _>>().unwrap(), expected);
    assert_eq!(reader.comments(), ["a=1\nb=2=3", "c=4"]);
    assert_eq!(reader.provenance("b"), Some("2=3"));
    assert_eq!(reader.provenance("c"), Some("4"));
    assert_eq!(reader.provenance("d"), None);
}

#[test]
fn long_files_are_streamed() {
    // The file is longer than any buffer, with records across every chunk boundary.
    let frames: Vec<Frame> = (0..2000).map(|i| Frame::new(i, vec![i as u8; i as usize * 7 % 1500])).collect();
    for file in [
        written(CaptureWriter::pcapng(vec![], "").unwrap(), &frames),
        written(CaptureWriter::pcap(vec![], Resolution::Nano).unwrap(), &frames),
    ] {
        assert!(file.len() > 1_000_000);
        assert_eq!(read(&file).unwrap(), frames);
        // A reader that gives one byte at a time.
        struct Drip<'a>(&'a [u8]);
        impl std::io::Read for Drip<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                let len = buffer.len().min(1);
                self.0.read(&mut buffer[..len])
            }
        }
        let frames_read: Result<Vec<_>, _> = CaptureReader::new(Drip(&file), "x").unwrap().collect();
        assert_eq!(frames_read.unwrap(), frames);
    }
}

fn error_of(file: &[u8]) -> String {
    let error = read(file).expect_err("a damaged file was read").to_string();
    assert!(error.starts_with("x.pcap: ") && !error.contains('\n'), "{error}");
    error
}

#[test]
fn errors_name_file_record_and_remedy() {
    assert!(error_of(b"").contains("is empty"));
    assert!(error_of(b"GIF89a, a picture").contains("begins with 47494638; give a pcap or pcapng"));
    assert!(error_of(&[0x1F, 0x8B, 8, 0]).contains("gunzip"));
    let missing = CaptureReader::open("/no/such/file.pcap").err().unwrap();
    assert!(missing.to_string().starts_with("/no/such/file.pcap: cannot read: "), "{missing}");

    let pcap = written(CaptureWriter::pcap(vec![], Resolution::Nano).unwrap(), &without_comments(sample()));
    let pcapng = written(CaptureWriter::pcapng(vec![], "k=v").unwrap(), &sample());
    assert!(error_of(&pcap[..10]).contains("record 0 needs 24 bytes and the file has 10 more"));
    assert!(error_of(&pcap[..pcap.len() - 1]).contains("record 3 needs 77 bytes and the file has 76 more"));
    assert!(error_of(&pcap[..24 + 16 + 60 + 5]).contains("record 2 needs 16 bytes and the file has 5"));
    assert!(error_of(&pcapng[..pcapng.len() - 1]).contains("record 3 needs"));
    assert!(error_of(&pcapng[..13]).contains("record 0 needs"));

    // The frames before the damage are given out.
    let mut reader = CaptureReader::new(&pcap[..pcap.len() - 1], "x").unwrap();
    assert_eq!(reader.by_ref().filter(Result::is_ok).count(), 2);
    assert!(reader.next().is_none(), "nothing after an error");

    let with = |file: &[u8], at: usize, bytes: &[u8]| {
        let mut file = file.to_vec();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        error_of(&file)
    };
    assert!(with(&pcap, 20, &[247]).contains("has link type 247; Ethernet (1), Linux cooked"));
    assert!(with(&pcap, 24 + 8, &[0xFF; 4]).contains("record 1 claims 4294967295 bytes"));
    // Section header 28 + 8 of comment + 4, interface description 20 + 8 + 4.
    let packet = 28 + 8 + 4 + 20 + 8 + 4;
    assert!(with(&pcapng, packet + 4, &[0xFC, 0xFF, 0xFF, 0xFF]).contains("record 1 needs 4294967292 bytes"));
    assert!(with(&pcapng, packet + 4, &[8, 0]).contains("record 1 is damaged (its block has 8 bytes)"));
    assert!(with(&pcapng, packet + 4, &[72, 0]).contains("record 1 is damaged (its block does not end"));
    assert!(with(&pcapng, 8, &[0xFF]).contains("record 0 "));
}

#[test]
fn frames_that_do_not_fit_are_refused() {
    let mut pcap = CaptureWriter::pcap(vec![], Resolution::Micro).unwrap();
    let mut pcapng = CaptureWriter::pcapng(vec![], "").unwrap();
    let longest = Frame::new(0, vec![0; MAX_FRAME_LEN]);
    let too_long = Frame::new(0, vec![0; MAX_FRAME_LEN + 1]);
    for writer in [&mut pcap, &mut pcapng] {
        writer.write(&longest).unwrap();
        assert!(matches!(writer.write(&too_long), Err(WriteError::Length { record: 2, .. })));
        let short = Frame { original_len: 3, ..Frame::new(0, vec![0; 4]) };
        assert!(matches!(writer.write(&short), Err(WriteError::Length { .. })));
    }
    assert!(matches!(pcap.write(&Frame::new(u64::MAX, vec![])), Err(WriteError::Time { .. })));
    let comment = |len| Frame { comment: Some("x".repeat(len)), ..Frame::new(u64::MAX, vec![]) };
    pcapng.write(&comment(65_535)).unwrap();
    assert!(matches!(pcapng.write(&comment(65_536)), Err(WriteError::Comment { len: 65_536 })));
    assert!(matches!(CaptureWriter::pcapng(vec![], &"x".repeat(65_536)), Err(WriteError::Comment { .. })));
    // Frames written before and after a refusal read back.
    assert_eq!(read(&pcap.finish().unwrap()).unwrap(), std::slice::from_ref(&longest));
    assert_eq!(read(&pcapng.finish().unwrap()).unwrap(), [longest, comment(65_535)]);
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let folder = scratch("atomic");
    let path = folder.join("a.pcapng");
    let entries = || std::fs::read_dir(&folder).unwrap().count();
    let write = |frames: &[Frame]| {
        write_atomically(&path, |file| {
            let mut writer = CaptureWriter::pcapng(file, "")?;
            frames.iter().try_for_each(|frame| writer.write(frame))?;
            writer.finish()?;
            Ok::<_, WriteError>(())
        })
    };
    let bad = Frame { original_len: 0, ..Frame::new(0, vec![1]) };
    write(std::slice::from_ref(&bad)).unwrap_err();
    assert_eq!(entries(), 0, "nothing left of the failure");
    write(&sample()).unwrap();
    write(&[sample()[0].clone(), bad]).unwrap_err();
    let panicked = std::panic::catch_unwind(|| {
        write_atomically(&path, |file| -> std::io::Result<()> {
            file.write_all(b"half")?;
            panic!("in the middle")
        })
    });
    assert!(panicked.is_err());
    assert_eq!(entries(), 1);
    let frames: Result<Vec<_>, _> = CaptureReader::open(&path).unwrap().collect();
    assert_eq!(frames.unwrap(), sample(), "the old file stands");
}

#[test]
fn what_cannot_be_written_is_named() {
    let folder = scratch("atomic-errors");
    let nothing =
        |path: PathBuf| write_atomically(path, |_| Ok::<_, std::io::Error>(())).unwrap_err().to_string();
    let missing = nothing(folder.join("no/such/a.pcap"));
    assert!(missing.contains("no/such/a.pcap") && missing.contains("check that the folder"), "{missing}");
    assert!(nothing(folder.clone()).contains("atomic-errors"), "a folder is not replaced");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_devices_kept() {
    let folder = scratch("atomic-links");
    std::fs::write(folder.join("real"), b"old").unwrap();
    std::os::unix::fs::symlink("real", folder.join("link")).unwrap();
    let fill = |text: &'static [u8]| move |file: &mut std::io::BufWriter<std::fs::File>| file.write_all(text);
    write_atomically(folder.join("link"), fill(b"new")).unwrap();
    assert_eq!(std::fs::read(folder.join("real")).unwrap(), b"new");
    assert!(folder.join("link").is_symlink());
    write_atomically("/dev/null", fill(b"gone")).unwrap();
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
    if std::path::Path::new("/dev/full").exists() {
        let full = write_atomically("/dev/full", fill(b"no space")).unwrap_err().to_string();
        assert!(full.contains("/dev/full") && full.contains("has space"), "{full}");
    }
}
