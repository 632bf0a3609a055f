import ProbeWorker
import Glibc
import WorkerProcess

exit(WorkerProgram.shoeboxProbe.run(arguments: CommandLine.arguments))
