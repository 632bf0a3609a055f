// CodecPool
