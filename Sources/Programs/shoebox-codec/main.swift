import CodecWorker
import Glibc
import WorkerProcess

exit(WorkerProgram.shoeboxCodec.run(arguments: CommandLine.arguments))
