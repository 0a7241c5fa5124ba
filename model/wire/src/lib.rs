//! RoCEv2 and weft headers, ICRC, pcap and pcapng.
