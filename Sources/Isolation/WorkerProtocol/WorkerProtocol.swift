// WorkerProtocol: the messages between `shoebox` and its workers.
//
// The worker opens hostile bytes with C libraries and may be compromised by any of them, so its messages are checked
// like any other input. Messages are length-prefixed frames in a compact binary form (see Wire.swift): a scan exchanges
// one pair for every file, and JSON at both ends would cost more than reading the pictures.
//
// The worker starts with `Hello`. Then `shoebox` sends a request frame and reads one reply for each of its files, in
// order. Long work, such as a digest or a movie, sends interim replies before the final one. A process that ends has
// therefore been ended by the first file without a reply.
