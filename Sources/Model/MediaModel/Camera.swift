/// The device that took a picture, in its own words.
package struct Camera: Sendable, Hashable {
  package var make: String?
  package var model: String?
  package var lens: String?
  /// Firmware or program version, `15.2.1`.
  package var software: String?

  package init(
    make: String? = nil, model: String? = nil, lens: String? = nil, software: String? = nil
  ) {
    self.make = make
    self.model = model
    self.lens = lens
    self.software = software
  }

  /// Whether nothing is known.
  package var isEmpty: Bool { self == Camera() }
}

extension Camera {
  /// Make and model as a person says them: the make only once, `Canon EOS R5`; nil without either.
  package var displayName: String? {
    let make = make?.trimmed ?? "", model = model?.trimmed ?? ""
    if make.isEmpty || model.lowercased().hasPrefix(make.lowercased()) {
      return model.isEmpty ? nil : model
    }
    return model.isEmpty ? make : "\(make) \(model)"
  }
}

/// How a picture was exposed.
package struct Exposure: Sendable, Hashable {
  /// Seconds.
  package var time: Double?
  package var fNumber: Double?
  package var iso: Int?
  /// Millimetres.
  package var focalLength: Double?
  /// Millimetres on 35 mm film for the same angle of view.
  package var focalLengthIn35mm: Int?

  package init(
    time: Double? = nil, fNumber: Double? = nil, iso: Int? = nil, focalLength: Double? = nil,
    focalLengthIn35mm: Int? = nil
  ) {
    self.time = time
    self.fNumber = fNumber
    self.iso = iso
    self.focalLength = focalLength
    self.focalLengthIn35mm = focalLengthIn35mm
  }

  /// Whether nothing is known.
  package var isEmpty: Bool { self == Exposure() }
}
