// WorkerProcess: the worker's side of the protocol, which reads and makes media.
//
// The process confines itself, greets, and answers each request (see WorkerProtocol).
