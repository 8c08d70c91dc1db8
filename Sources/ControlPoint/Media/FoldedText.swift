/// Compares texts without regard to case, accents, ligatures and invisible characters.
public enum FoldedText {
  /// Letters with accents by their plain letter.
  private static let accented: KeyValuePairs<Character, String> = [
    "a": "äáàâãåąăāǎạảấầẩẫậắằẳẵặ", "c": "çćčĉċ", "d": "ďđð", "e": "éèêëęěēėĕẹẻẽếềểễệ", "g": "ğĝġģ", "h": "ĥħ",
    "i": "íìîïıīįĩĭǐịỉ", "j": "ĵ", "k": "ķ", "l": "łľĺļŀ", "n": "ñńňņ", "o": "öóòôõøőōŏǒọỏốồổỗộơớờởỡợ", "r": "řŕŗ",
    "s": "šśşŝșẛ", "t": "ťţțŧ", "u": "üúùûůűųūũŭǔụủưứừửữự", "w": "ŵẁẃẅ", "y": "ýÿŷỳỵỷỹ", "z": "žźż", "α": "ά", "ε": "έ",
    "η": "ή", "ι": "ίϊΐ", "ο": "ό", "υ": "ύϋΰ", "ω": "ώ", "σ": "ς", "е": "ё", "и": "й",
  ]
  /// The accents that a plain spelling is likely to have lost, the most common ones first.
  private static let likely = "éöüäáóíñçøåýÿèëúïôêâàšžčřłśćńěğşőűůãõòìùîûёй"
  private static let ligatures: KeyValuePairs<Character, String> = [
    "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "’": "'", "‘": "'", "ʼ": "'",
  ]

  private static let plain: [Character: String] = {
    var plain = Dictionary(uniqueKeysWithValues: ligatures.map { ($0.key, $0.value) })
    for (letter, forms) in accented { for form in forms { plain[form] = String(letter) } }
    return plain
  }()

  /// The text in lower case, without accents and ligatures.
  public static func folded(_ text: String) -> String {
    var text = text
    let isPlain = text.withUTF8 { $0.allSatisfy { $0 < 0x80 } }
    if isPlain { return text.lowercased() }
    let lower = visible(text).lowercased()
    var result = ""
    for character in lower { result += plain[character] ?? withoutMarks(character) }
    return result
  }

  /// The text without characters that nobody sees or types, and with plain blanks.
  static func visible(_ text: String) -> String {
    var visible = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .format, .control: if scalar == "\t" || scalar == "\n" { visible.append(" ") }
      case .spaceSeparator: visible.append(" ")
      case .nonspacingMark where scalar.properties.isVariationSelector: break
      default: visible.append(scalar)
      }
    }
    return String(visible)
  }

  /// The letter of a character without its combining marks, such as those of other alphabets.
  private static func withoutMarks(_ character: Character) -> String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: character.unicodeScalars.filter { !(0x300...0x36F).contains($0.value) })
    return String(scalars)
  }

  /// Spellings of a word for servers that distinguish case or accents: as a name, without accents, and with one accent that a plain
  /// spelling may have lost, the likeliest first.
  /// - Parameter word: in lower case.
  static func spellings(of word: String, limit: Int) -> [String] {
    var spellings: [String] = []
    func add(_ spelling: String) {
      if spellings.count < limit, !spellings.contains(spelling) { spellings.append(spelling) }
    }
    add(word)
    add(capitalized(word))
    if word.count <= 4 { add(word.uppercased()) }
    let letters = Array(folded(word))
    add(capitalized(String(letters)))
    for accent in likely {
      guard let plain = plain[accent] else { continue }
      for place in letters.indices where String(letters[place]) == plain {
        var spelling = letters
        spelling[place] = accent
        // Even MiniDLNA ignores the case of ASCII letters.
        if place == 0 { add(String(spelling)) }
        add(capitalized(String(spelling)))
      }
    }
    return spellings
  }

  private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}
