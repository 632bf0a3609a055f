import WorkerProcess
import Glibc

// Everything is in the module WorkerProcess.
exit(CodecProgram.run(arguments: CommandLine.arguments))
