// MediaModel: the values that all modules share.
//
// They describe a photo library without reference to a library that reads it: what a picture is called, how large it is,
// when and where it was taken. Every other module imports this one, and this one imports none. The names are those of
// PhotoKit, EXIF and QuickTime, because users know them.
