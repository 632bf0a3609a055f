// WorkerProcess: the side of the worker that reads and makes media.
//
// The process confines itself, greets, and answers each request with one reply (see WorkerProtocol).
