// WorkerProcess: the worker's side of the protocol.
//
// A worker is a program that `shoebox` starts for hostile bytes. It loads what it needs, enters its sandbox, greets, and
// answers each request (see WorkerProtocol). The programs differ only in what they load and in how they answer.
