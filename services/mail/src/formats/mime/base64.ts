import type { TransferDecoder } from './transfer-encoding.ts'

const PADDING = 64
const OTHER = 65
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

const values = new Uint8Array(256).fill(OTHER)
for (let value = 0; value < ALPHABET.length; value += 1) values[ALPHABET.charCodeAt(value)] = value
values['='.charCodeAt(0)] = PADDING

/**
 * RFC 2045 §6.8: what is not in the alphabet is skipped. Padding ends one run of base64, and another may follow, as in
 * attachments that were encoded piece by piece.
 */
export const base64Decoder = (): TransferDecoder => {
  let held = 0
  let bits = 0
  return {
    write: (slice) => {
      const content = Buffer.allocUnsafe(((slice.length * 3) >> 2) + 1)
      let length = 0
      for (let at = 0; at < slice.length; at += 1) {
        const value = values[slice[at] ?? 0] ?? OTHER
        if (value < PADDING) {
          held = ((held << 6) | value) & 0xffff
          bits += 6
          if (bits >= 8) {
            bits -= 8
            content[length] = (held >> bits) & 0xff
            length += 1
          }
        } else if (value === PADDING) bits = 0
      }
      return content.subarray(0, length)
    },
    end: () => Buffer.alloc(0),
  }
}

/** The length of what the decoder would give, and the lines it stands on. */
export const base64Length = (
  bytes: Buffer,
  start: number,
  end: number,
  lineBreak: number,
): { lines: number; decodedSize: number } => {
  let lines = 0
  let characters = 0
  let decodedSize = 0
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    const value = values[byte] ?? OTHER
    if (value < PADDING) characters += 1
    else if (byte === lineBreak) lines += 1
    else if (value === PADDING) {
      decodedSize += Math.floor((characters * 3) / 4)
      characters = 0
    }
  }
  return { lines, decodedSize: decodedSize + Math.floor((characters * 3) / 4) }
}
