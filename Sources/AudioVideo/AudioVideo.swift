// AudioVideo
