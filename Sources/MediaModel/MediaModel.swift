// MediaModel: the values everyone in the house speaks.
//
// A photo library is described here without any library that could read one: what a picture is
// called, how large it is, when and where it was taken. Every other room imports this one, and this
// one imports none, so a reader can learn the vocabulary of Shoebox from this folder alone. The
// names are PhotoKit's, EXIF's and QuickTime's, because those are the words of the people who ask.
