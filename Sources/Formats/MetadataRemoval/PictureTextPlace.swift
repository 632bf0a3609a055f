import MediaFormats

extension PictureText {
  /// Whether the text, or its keyword, may tell where the picture was taken.
  package var tellsPlace: Bool {
    LocationNames.contains(keyword: keyword) || LocationNames.isTold(in: Array(text.utf8))
  }
}
