// MediaModel: the values that all modules share.
//
// It describes a photo library without any library that could read one: what a picture is called, how large it is, when
// and where it was taken. Every other module imports this one, and this one imports none. The names are those of
// PhotoKit, EXIF and QuickTime, because users know them.
