const PLUS = 43
const MINUS = 45
const REPLACEMENT = 0xfffd

const sixBits = (byte: number): number => {
  if (byte >= 65 && byte <= 90) return byte - 65
  if (byte >= 97 && byte <= 122) return byte - 71
  if (byte >= 48 && byte <= 57) return byte + 4
  if (byte === PLUS) return 62
  return byte === 47 ? 63 : -1
}

/** UTF-16 code units as they are found, in little endian. */
type Units = { readonly bytes: Buffer; length: number }

const add = (units: Units, unit: number): void => {
  units.length = units.bytes.writeUInt16LE(unit, units.length)
}

/** RFC 2152. Node has no decoder for it, and old mail is written in it. */
export const decodeUtf7 = (bytes: Buffer): string => {
  const units: Units = { bytes: Buffer.alloc(bytes.length * 2), length: 0 }
  let at = 0
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0
    at += 1
    if (byte === PLUS) at = readShifted(bytes, at, units)
    else add(units, byte < 128 ? byte : REPLACEMENT)
  }
  return units.bytes.toString('utf16le', 0, units.length).toWellFormed()
}

/** Reads the UTF-16 after a `+` up to what ends it; answers where that is. */
const readShifted = (bytes: Buffer, start: number, units: Units): number => {
  let bits = 0
  let held = 0
  let at = start
  for (; at < bytes.length; at += 1) {
    const value = sixBits(bytes[at] ?? 0)
    if (value < 0) break
    held = ((held << 6) | value) & 0x3fffff
    bits += 6
    if (bits >= 16) {
      bits -= 16
      add(units, (held >> bits) & 0xffff)
    }
  }
  if (bytes[at] !== MINUS) return at
  if (at === start) add(units, PLUS)
  return at + 1
}
