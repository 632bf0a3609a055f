// LittleCMS: a wrapper of Little CMS 2, which converts colours by ICC profiles.
//
// Profiles describe colours by matrices, curves, tables of up to four dimensions, and newer ones by chains of all of
// these. Little CMS has code for all of them. A profile is part of a file and as hostile as the rest of it, so only
// the sandboxed worker links this module.
import CLCMS

/// Why a profile cannot be used.
package struct ColorProfileError: Error, Sendable, Hashable {
  /// What is wrong, without a final full stop, often in Little CMS's words.
  package var detail: String
}

/// A context of Little CMS, which collects its errors.
@safe final class ColorContext {
  let pointer: cmsContext
  /// Little CMS writes the text of its first error there.
  private let message: UnsafeMutablePointer<CChar>

  init() throws(ColorProfileError) {
    let count = Int(shoebox_lcms_message_size())
    unsafe message = .allocate(capacity: count)
    unsafe message.initialize(repeating: 0, count: count)
    guard let context = unsafe shoebox_lcms_context(message) else {
      unsafe message.deallocate()
      throw ColorProfileError(detail: "no memory")
    }
    unsafe pointer = context
  }

  deinit {
    unsafe cmsDeleteContext(pointer)
    unsafe message.deallocate()
  }

  /// The error for a call that failed.
  ///
  /// - Parameter usual: the detail if Little CMS gave no reason.
  func error(_ usual: String) -> ColorProfileError {
    let text = unsafe String(cString: message)
    return ColorProfileError(detail: text.isEmpty ? usual : text)
  }
}
