import CFFmpeg

/// The channels of audio and their order.
struct ChannelLayout: Equatable {
  /// FFmpeg's name of the layout, such as `5.1(side)`.
  var name: String
  /// FFmpeg's numbers of the channels' positions.
  private let positions: [Position]

  private typealias Position = Int32

  private static let frontLeft: Position = 0
  private static let frontRight: Position = 1
  private static let frontCenter: Position = 2
  private static let lowFrequency: Position = 3
  private static let backs: [Position] = [4, 5]
  private static let backCenter: Position = 8
  private static let sides: [Position] = [9, 10]
  /// The layouts that FFmpeg's AAC encoder and all players support, the smallest first.
  private static let aac: [ChannelLayout] = [
    ChannelLayout("mono", [frontCenter]),
    ChannelLayout("stereo", fronts),
    ChannelLayout("3.0", fronts + [frontCenter]),
    ChannelLayout("4.0", fronts + [frontCenter, backCenter]),
    ChannelLayout("5.0", fronts + [frontCenter] + backs),
    ChannelLayout("5.1", fronts + [frontCenter, lowFrequency] + backs),
    ChannelLayout("7.1", fronts + [frontCenter, lowFrequency] + backs + sides),
  ]
  private static let fronts = [frontLeft, frontRight]

  private init(_ name: String, _ positions: [Position]) {
    self.name = name
    self.positions = positions
  }

  init(_ source: AVChannelLayout) {
    // A copy without ownership, as in ``layoutName(_:)``.
    var layout = unsafe source
    if unsafe layout.order == AV_CHANNEL_ORDER_UNSPEC {
      unsafe av_channel_layout_default(&layout, source.nb_channels)
    }
    name = unsafe layoutName(layout)
    positions = (0..<(unsafe max(0, layout.nb_channels))).map { index in
      unsafe av_channel_layout_channel_from_index(&layout, UInt32(index)).rawValue
    }
  }

  var count: Int { positions.count }

  /// The layout of this audio as AAC with at most `limit` channels: the smallest that has a place for every channel.
  /// Channels that are not in this layout stay silent. Only if none has, or if the number of channels is reduced,
  /// channels are mixed.
  func aacLayout(limit: Int) -> String {
    if count > 2, count <= limit,
      let found = Self.aac.first(where: { $0.count <= limit && $0.hasPlaces(for: self) })
    {
      return found.name
    }
    return Self.mixed(to: min(count, limit))
  }

  /// The layout of this audio as PCM, which can have any: this one, unless the number of channels is reduced.
  func pcmLayout(limit: Int) -> String {
    count <= limit ? name : Self.mixed(to: limit)
  }

  /// The largest layout of at most `limit` channels.
  private static func mixed(to limit: Int) -> String {
    aac.last { $0.count <= limit }?.name ?? "mono"
  }

  /// Whether each channel of a source keeps a place of its own. FFmpeg moves side channels to the back, and divides
  /// a channel at the back's centre between left and right, if nothing else is there.
  private func hasPlaces(for source: ChannelLayout) -> Bool {
    let (own, wanted) = (Set(positions), Set(source.positions))
    var missing = wanted.subtracting(own)
    guard own.isSuperset(of: Self.backs), wanted.isDisjoint(with: Self.backs) else {
      return missing.isEmpty
    }
    if !missing.isDisjoint(with: Self.sides) {
      missing.subtract(Self.sides)
    } else {
      missing.remove(Self.backCenter)
    }
    return missing.isEmpty
  }
}
