import MediaModel
import Testing

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

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
    // Java's `kk` counts the hours of the day from 1 to 24.
    ("2013:05:06 24:12:34", "2013-05-06T00:12:34"),
    // A leap second, and a rounded 59.9.
    ("2016:12:31 23:59:60", "2017-01-01T00:00:00"),
    ("2022:02:16 12:55:60.00", "2022-02-16T12:56:00.00"),
    // Fields without zeros, as exiftool takes them.
    ("2021:6:5 8:3:9", "2021-06-05T08:03:09"),
    ("2021: 6: 5  8: 3: 9", "2021-06-05T08:03:09"),
    // A 12-hour clock.
    ("2010:05:03 02:15:00 PM", "2010-05-03T14:15:00"),
    ("2010:05:03 02:15:00PM", "2010-05-03T14:15:00"),
    ("2010:05:03  2:15:00 pm", "2010-05-03T14:15:00"),
    ("2010:05:03 2:15:00 p.m.", "2010-05-03T14:15:00"),
    ("2010:05:03 02:15:00.5 AM", "2010-05-03T02:15:00.5"),
    ("2010:05:03 12:15:00 AM", "2010-05-03T00:15:00"),
    ("2010:05:03 12:15:00 PM", "2010-05-03T12:15:00"),
    ("2010-05-03 02:15 PM +02:00", "2010-05-03T14:15:00+02:00"),
    // These are of a 24-hour clock, whatever follows.
    ("2010:05:03 14:15:00 AM", "2010-05-03T14:15:00"),
    ("2010:05:03 00:15:00 PM", "2010-05-03T00:15:00"),
    ("2010:05:03 02:15:00 PMT", "2010-05-03T02:15:00"),
  ])
  func readsEverySpelling(text: String, expected: String) {
    #expect(DateText(text)?.captureTime("t").iso8601 == expected)
  }

  @Test(arguments: [
    "0000:00:00 00:00:00", "    :  :     :  :  ", "", "2024", "2023:02:29 00:00:00",
    "2022:13:01 00:00:00", "2022:01:01 25:00:00", "2022-01-01T24:00:00", "yesterday",
    "42603:05:04 04:12:48",
  ])
  func refusesInvalidDates(text: String) {
    #expect(DateText(text) == nil)
  }

  /// exiftool 12.57 on PNGs with these dates; GNU date for the offsets.
  @Test(arguments: [
    ("Sat, 06 May 2023 12:34:56 +0200", "2023-05-06T12:34:56+02:00"),
    ("Sat, 06 May 2023 12:34:56 GMT", "2023-05-06T12:34:56+00:00"),
    ("06 May 2023 12:34 EST", "2023-05-06T12:34:00-05:00"),
    ("Sat May  6 12:34:56 2023", "2023-05-06T12:34:56"),
    ("Sat 06 May 2023 12:34:56 PM CEST", "2023-05-06T12:34:56"),
    ("Sat 06 May 2023 01:34:56 PM CEST", "2023-05-06T13:34:56"),
    ("Sat 06 May 2023 12:34:56 AM CEST", "2023-05-06T00:34:56"),
  ])
  func readsDatesInWords(text: String, expected: String) {
    #expect(DateText(worded: text)?.captureTime("t").iso8601 == expected)
  }

  @Test(arguments: ["", "May", "6 May 2023", "May 6 12:34", "Sat 31 Feb 2023 12:34:56", "maybe :"])
  func refusesWordsWithoutADate(text: String) {
    #expect(DateText(worded: text) == nil)
  }

  /// exiftool's RIFF.pm, ConvertRIFFDate, which names the cameras; the last date is from a Pentax.
  @Test(arguments: [
    ("Mon Mar 10 15:04:43 2003", "2003-03-10T15:04:43"),
    ("2003:03:10 15:04:43", "2003-03-10T15:04:43"), ("2001/ 1/27  1:42PM", "2001-01-27T13:42:00"),
    ("2005/11/28/ 09:19", "2005-11-28T09:19:00"), ("2002-12-16  15:35:01", "2002-12-16T15:35:01"),
    ("2009/10/27 12:14:34", "2009-10-27T12:14:34"),
  ])
  func readsCamerasDatesOfAVI(text: String, expected: String) {
    #expect(DateText(avi: text)?.captureTime("t").iso8601 == expected)
  }

  @Test(arguments: ["", "2003", "2003-13-10 15:04:43", "a 2003 3 10 15 4"])
  func refusesInvalidAVIDates(text: String) {
    #expect(DateText(avi: text) == nil)
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

/// Names as devices write them; the makers document their meaning.
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
    ("20160521_203412000_iOS.jpg", "2016-05-21T20:34:12.000+00:00", "name:iOS"),
    ("2013-05-06 12.34.56-1.jpg", "2013-05-06T12:34:56", "name:date"),
    ("20230506_123456_1.jpg", "2023-05-06T12:34:56", "name:date"),
  ])
  func readsNames(name: String, expected: String, source: String) {
    let time = FileNameTime.captureTime(name: Array(name.utf8))
    #expect(time?.iso8601 == expected)
    #expect(time?.source == source)
  }

  /// Names of macOS screenshots and recordings in several languages; all but the last four and those with AM
  /// in front are names of files in public repositories.
  @Test(arguments: [
    ("Bildschirmfoto 2020-09-10 um 16.18.34.png", "2020-09-10T16:18:34"),
    ("Bildschirm\u{AD}foto 2023-05-06 um 12.34.56.png", "2023-05-06T12:34:56"),
    ("Schermafbeelding 2019-01-16 om 17.17.56.png", "2019-01-16T17:17:56"),
    ("Skærmbillede 2024-12-18 kl. 15.17.44.png", "2024-12-18T15:17:44"),
    ("Enregistrement de l’écran 2022-09-12 à 17.01.41.mov", "2022-09-12T17:01:41"),
    ("Registrazione schermo 2026-06-18 alle 14.23.53.mov", "2026-06-18T14:23:53"),
    ("Captura de Tela 2026-09-28 às 19.20.35.png", "2026-09-28T19:20:35"),
    ("Captura de ecrã 2023-11-26, às 18.53.34.png", "2023-11-26T18:53:34"),
    ("Captura de pantalla 2024-07-10 a la(s) 5.16.27 p. m..png", "2024-07-10T17:16:27"),
    ("Grabación de pantalla 2025-12-31 a las 0.10.31.mov", "2025-12-31T00:10:31"),
    ("Снимок экрана 2025-07-18 в 10.40.08.png", "2025-07-18T10:40:08"),
    ("Знімок екрана 2026-02-22 о 8.46.56 пп.png", "2026-02-22T20:46:56"),
    ("Nagranie z ekranu 2026-08-5 o 22.07.56.mov", "2026-08-05T22:07:56"),
    ("Ảnh màn hình 2026-02-15 lúc 09.56.45.png", "2026-02-15T09:56:45"),
    ("Képernyőfotó 2023-11-02 - 17.37.46.png", "2023-11-02T17:37:46"),
    ("Ekran Resmi 2022-03-23 8.36.56 PM.png", "2022-03-23T20:36:56"),
    ("Ekran Resmi 2023-05-06 ÖS 3.34.56.png", "2023-05-06T15:34:56"),
    ("스크린샷 2023-12-29 오후 7.33.35.png", "2023-12-29T19:33:35"),
    ("스크린샷 2023-12-29 오전 12.33.35.png", "2023-12-29T00:33:35"),
    ("截屏2023-05-06 下午1.34.56.png", "2023-05-06T13:34:56"),
    ("スクリーンショット 2023-05-06 午後1.34.56.png", "2023-05-06T13:34:56"),
    ("Screen_Shot_2018-07-04_at_2.49.57_PM.png", "2018-07-04T14:49:57"),
    ("Screen-Shot-2022-01-27-at-22.23.43.png", "2022-01-27T22:23:43"),
  ])
  func readsNamesInOtherLanguages(name: String, expected: String) {
    #expect(FileNameTime.captureTime(name: Array(name.utf8))?.iso8601 == expected)
  }

  /// Facebook's numbers, a word in between, and an unknown half of the day.
  @Test(arguments: [
    "20181104_10215432123456789_1234567890123456789_n.jpg", "2018110410215432123.jpg",
    "2020-01-01 with the whole family 10.11.12.jpg", "2020-01-01 夜中 1.11.12.png",
    "20200101 um 10.11.12.png", "IMG_20230506_1234567.jpg",
  ])
  func ignoresOtherDigits(name: String) {
    #expect(FileNameTime.captureTime(name: Array(name.utf8)) == nil)
  }

  @Test(arguments: ["IMG_0001.HEIC", "20211399_101112.jpg", "DSC_20200101.jpg", "1234567890.png"])
  func findsNoDateInOtherNames(name: String) {
    #expect(FileNameTime.captureTime(name: Array(name.utf8)) == nil)
  }
}
