/** Encoded words have at most 75 characters (RFC 2047 §2); this many bytes of UTF-8 stay below. */
const WORD_BYTES = 42
const LINE_LENGTH = 76

/** A value for a header field that somebody wrote as text: one field in ASCII, folded, whatever the text has. */
export const encodeHeaderText = (text: string): string => {
  const flat = text.replace(/[\r\n\p{Cc}]+/gu, ' ').trim()
  return /^[\x20-\x7e]*$/.test(flat) ? folded(flat) : encodedWords(flat.toWellFormed()).join('\r\n ')
}

const encodedWords = (text: string): string[] => {
  const words: string[] = []
  let current = ''
  for (const character of text) {
    if (Buffer.byteLength(current + character) > WORD_BYTES) {
      words.push(current)
      current = ''
    }
    current += character
  }
  return [...words, current].map((word) => `=?utf-8?B?${Buffer.from(word).toString('base64')}?=`)
}

/** RFC 5322 §2.2.3: lines break before a blank. */
const folded = (text: string): string => {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/(?<=\S)(?= )/)) {
    if (line !== '' && line.length + word.length > LINE_LENGTH) {
      lines.push(line)
      line = ''
    }
    line += word
  }
  return [...lines, line].join('\r\n')
}
