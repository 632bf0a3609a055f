import MediaModel
import Testing

@testable import Codec

/// Expected values: EXIF 2.32 §4.6.5, ISO 8601, IIM 4.2, and GNU date for the seconds.
struct DateTextTests {
  @Test(arguments: [
    ("2022:02:16 12:55:41", "2022-02-16T12:55:41"),
    ("2022-02-16T12:55:41.123+01:00", "2022-02-16T12:55:41.123+01:00"),
    ("2022-02-16T12:55:41Z", "2022-02-16T12:55:41+00:00"),
    ("2007:11:19 00:00-08:00", "2007-11-19T00:00:00-08:00"),
    ("2021-04-10T11:43:59+0100", "2021-04-10T11:43:59+01:00"),
    ("2024-04-22T14:38:09.526GMT+02:00", "2024-04-22T14:38:09.526+02:00"),
    ("2003-08-30", "2003-08-30T00:00:00"),
    ("2024:02:29 23:59:59", "2024-02-29T23:59:59"),
  ])
  func readsEverySpelling(text: String, expected: String) {
    #expect(DateText(text)?.captureTime("t").iso8601 == expected)
  }

  @Test(arguments: [
    "0000:00:00 00:00:00", "    :  :     :  :  ", "", "2024", "2023:02:29 00:00:00",
    "2022:13:01 00:00:00", "2022:01:01 25:00:00", "yesterday", "42603:05:04 04:12:48",
  ])
  func refusesWhatIsNoDate(text: String) {
    #expect(DateText(text) == nil)
  }

  @Test(arguments: [
    ("+02:00", 120), ("-0730", -450), ("Z", 0), ("+00:00", 0), ("+5:45", 345), ("+14:00", 840),
  ])
  func readsOffsets(text: String, minutes: Int) {
    #expect(DateText.offset(text) == minutes)
  }

  @Test(arguments: ["", "   :  ", "02:00", "+27:00", "+02:75", "east"])
  func refusesOffsets(text: String) {
    #expect(DateText.offset(text) == nil)
  }

  @Test func readsIPTCDates() {
    let date = DateText(iptcDate: "20200723", iptcTime: "101530+0200")
    #expect(date?.captureTime("t").iso8601 == "2020-07-23T10:15:30+02:00")
    let bare = DateText(iptcDate: "20040226", iptcTime: nil)
    #expect(bare?.captureTime("t").iso8601 == "2004-02-26T00:00:00")
  }
}

/// Names as the devices write them; what they mean is documented by their makers.
struct FileNameTimeTests {
  @Test(arguments: [
    ("PXL_20210503_101112345.jpg", "2021-05-03T10:11:12.345+00:00", "name:PXL"),
    ("IMG_20200101_235959.jpg", "2020-01-01T23:59:59", "name:IMG"),
    ("VID_20191231_000001.mp4", "2019-12-31T00:00:01", "name:VID"),
    ("20180725_163423.jpg", "2018-07-25T16:34:23", "name:date"),
    ("Screenshot_20240229-112233_Chrome.png", "2024-02-29T11:22:33", "name:Screenshot"),
    ("Screenshot 2021-04-05 at 1.02.03 PM.png", "2021-04-05T13:02:03", "name:Screenshot"),
    ("Screenshot 2023-04-05 at 12.02.03\u{202F}AM.png", "2023-04-05T00:02:03", "name:Screenshot"),
    (
      "Screenshot_2019-08-01-09-08-07-654_com.whatsapp.png", "2019-08-01T09:08:07.654",
      "name:Screenshot"
    ),
    ("IMG-20190704-WA0001.jpg", "2019-07-04T00:00:00", "name:WhatsApp"),
    ("00000IMG_00000_BURST20191203173458123_COVER.jpg", "2019-12-03T17:34:58.123", "name:date"),
    ("RPReplay_Final1620000000.mp4", "2021-05-03T00:00:00+00:00", "name:RPReplay"),
  ])
  func readsNames(name: String, expected: String, source: String) {
    let time = FileNameTime.captureTime(name: Array(name.utf8))
    #expect(time?.iso8601 == expected)
    #expect(time?.source == source)
  }

  @Test(arguments: ["IMG_0001.HEIC", "20211399_101112.jpg", "DSC_20200101.jpg", "1234567890.png"])
  func findsNoDateInOtherNames(name: String) {
    #expect(FileNameTime.captureTime(name: Array(name.utf8)) == nil)
  }
}
