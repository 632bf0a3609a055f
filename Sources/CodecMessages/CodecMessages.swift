// CodecMessages: what `shoebox` and `shoebox-codec` say to each other.
//
// The two programs are one product on two sides of a wall: the codec side opens hostile bytes with C
// libraries and may die at any of them, so whatever it says is checked like any other input. Messages
// are length-prefixed frames in a compact binary form (see Wire.swift): a scan exchanges one pair of
// them for every file, and JSON at both ends would cost more than reading the pictures.
//
// A conversation: the codec process starts by sending `Hello`; then `shoebox` sends a request frame
// and reads exactly one reply for each of the files it names, in order. Before the reply to a long work,
// as a digest or a movie, there may be others that only say that it goes on. A process that dies
// therefore died of the first file without a reply.
