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

/** Bytes of the value as stored JSON. */
export const jsonSize = (value: unknown): number => byteLength(JSON.stringify(value) ?? '')
