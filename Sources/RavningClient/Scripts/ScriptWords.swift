import CommandLineKit

/// A line of a script as words: separated by spaces, put together by quotation marks; what follows a `#` at the beginning of
/// a word is for people.
enum ScriptWords {
    static func split(_ line: String) throws(UsageError) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
                word = word ?? ""
            } else if let open = quote {
                if character == open { quote = nil } else { word?.append(character) }
            } else if character == "\"" || character == "'" {
                quote = character
                word = word ?? ""
            } else if character == "#", word == nil {
                break
            } else if character.isWhitespace {
                if let whole = word { words.append(whole) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if quote != nil { throw UsageError("a quotation mark isn't closed") }
        if isEscaped { throw UsageError("nothing stands behind the last backslash") }
        if let word { words.append(word) }
        return words
    }
}
