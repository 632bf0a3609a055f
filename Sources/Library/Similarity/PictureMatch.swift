/// Two pictures of which one is the other, or a part of it, as far as their signatures show.
package struct PictureMatch: Sendable, Hashable {
  /// The numbers of both pictures; the first one shows all of the second one, or a part of it.
  package var part: Int, whole: Int
  /// How well they agree, 0 to 1.
  package var similarity: Float
}
