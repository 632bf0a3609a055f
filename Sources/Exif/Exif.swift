// Exif
