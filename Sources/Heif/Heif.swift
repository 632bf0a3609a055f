// Heif
