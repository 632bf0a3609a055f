// WorkerProtocol: the messages between `shoebox` and `shoebox-codec`.
//
// The worker opens hostile bytes with C libraries and may crash at any of them, so its messages are checked like any
// other input. Messages are length-prefixed frames in a compact binary form (see Wire.swift): a scan exchanges one pair
// for every file, and JSON at both ends would cost more than reading the pictures.
//
// The worker starts a conversation with `Hello`. Then `shoebox` sends a request frame and reads one reply for each of
// the files in it, in order. Before the reply to long work, such as a digest or a movie, there may be replies that only
// report that the work goes on. A process that dies has therefore died of the first file without a reply.
