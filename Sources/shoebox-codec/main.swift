import Codec
import Glibc

// Everything is in the room Codec; this file only makes a program of it.
exit(CodecProgram.run(arguments: CommandLine.arguments))
