import type { TransferDecoder } from './transfer-encoding.ts'

const TAB = 9
const LF = 10
const CR = 13
const SPACE = 32
const EQUALS = 61

/** Longer runs of spaces before a line break are kept: nobody adds that many on the way. */
const MAX_HELD_SPACES = 1024

const hexValue = (byte: number): number => {
  if (byte >= 48 && byte <= 57) return byte - 48
  if (byte >= 65 && byte <= 70) return byte - 55
  return byte >= 97 && byte <= 102 ? byte - 87 : -1
}

type Held = {
  /** Bytes that may yet turn out to be nothing: spaces at the end of a line, or what follows an equals sign. */
  readonly bytes: Buffer
  length: number
  /** A soft line break ended with CR; the LF after it belongs to it. */
  isAfterSoftCr: boolean
}

type Output = { readonly content: Buffer; length: number }

/**
 * RFC 2045 §6.7: soft line breaks and spaces at the end of lines vanish; an equals sign that encodes nothing is kept
 * as it is.
 */
export const quotedPrintableDecoder = (): TransferDecoder => {
  const held: Held = { bytes: Buffer.alloc(MAX_HELD_SPACES + 1), length: 0, isAfterSoftCr: false }
  return {
    write: (slice) => {
      const output: Output = { content: Buffer.allocUnsafe(slice.length + held.length), length: 0 }
      for (let at = 0; at < slice.length; at += 1) readByte(slice[at] ?? 0, held, output)
      return output.content.subarray(0, output.length)
    },
    end: () => {
      const isSoftBreak = held.bytes[0] === EQUALS && isBlankAfter(held)
      const rest = isSoftBreak ? Buffer.alloc(0) : Buffer.from(held.bytes.subarray(0, held.length))
      held.length = 0
      return rest
    },
  }
}

const readByte = (byte: number, held: Held, output: Output): void => {
  if (held.isAfterSoftCr) {
    held.isAfterSoftCr = false
    if (byte === LF) return
  }
  if (held.length > 0 && held.bytes[0] === EQUALS) readAfterEquals(byte, held, output)
  else readText(byte, held, output)
}

const readText = (byte: number, held: Held, output: Output): void => {
  if (byte === SPACE || byte === TAB) {
    keepByte(byte, held, output)
    return
  }
  if (byte === LF || byte === CR) held.length = 0
  else flush(held, output)
  if (byte === EQUALS) keepByte(byte, held, output)
  else write(byte, output)
}

const readAfterEquals = (byte: number, held: Held, output: Output): void => {
  const second = held.bytes[1] ?? 0
  const isBlank = held.length === 1 || second === SPACE || second === TAB
  if (isBlank && (byte === LF || byte === CR)) {
    held.length = 0
    held.isAfterSoftCr = byte === CR
  } else if (held.length === 1 && hexValue(byte) >= 0) keepByte(byte, held, output)
  else if (isBlank && (byte === SPACE || byte === TAB)) keepByte(byte, held, output)
  else if (!isBlank && hexValue(byte) >= 0) {
    held.length = 0
    write(hexValue(second) * 16 + hexValue(byte), output)
  } else {
    flush(held, output)
    readText(byte, held, output)
  }
}

const keepByte = (byte: number, held: Held, output: Output): void => {
  if (held.length > MAX_HELD_SPACES) flush(held, output)
  held.bytes[held.length] = byte
  held.length += 1
}

const flush = (held: Held, output: Output): void => {
  for (let at = 0; at < held.length; at += 1) write(held.bytes[at] ?? 0, output)
  held.length = 0
}

const write = (byte: number, output: Output): void => {
  output.content[output.length] = byte
  output.length += 1
}

const isBlankAfter = (held: Held): boolean =>
  held.bytes.subarray(1, held.length).every((byte) => byte === SPACE || byte === TAB)
