/** Bytes of the text in UTF-8. Linear, and without a copy of the text. */
export const byteLength = (text: string): number => {
  let bytes = text.length
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x80) continue
    // Both halves of a surrogate pair count two: four bytes together.
    bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2
  }
  return bytes
}

/** Whether the text is longer in UTF-8. Most are so short that nothing has to be counted: a character takes three bytes at most. */
export const isLongerThan = (text: string, bytes: number): boolean =>
  text.length * 3 > bytes && byteLength(text) > bytes

/** Bytes of the value as stored JSON. */
export const jsonSize = (value: unknown): number => byteLength(JSON.stringify(value) ?? '')
