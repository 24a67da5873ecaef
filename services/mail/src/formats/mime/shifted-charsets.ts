const SHIFT_OUT = 0x0e
const SHIFT_IN = 0x0f
const ESCAPE = 0x1b
const LF = 10
const TILDE = 126
const OPEN = 123
const CLOSE = 125

/** RFC 1557: Korean between SO and SI, the same characters as EUC-KR with the high bits off. */
export const decodeIso2022Kr = (bytes: Buffer): string => {
  const plain = Buffer.alloc(bytes.length)
  let length = 0
  let isShifted = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === SHIFT_OUT) isShifted = true
    else if (byte === SHIFT_IN) isShifted = false
    // The announcement at the beginning: ESC $ ) C
    else if (byte === ESCAPE && bytes[at + 1] === 0x24) at += 3
    else {
      if (byte === LF) isShifted = false
      plain[length] = isShifted && byte > 32 ? byte | 0x80 : byte
      length += 1
    }
  }
  return new TextDecoder('euc-kr').decode(plain.subarray(0, length))
}

/** RFC 1843: Chinese between ~{ and ~}, the same characters as GB 2312 with the high bits off. */
export const decodeHz = (bytes: Buffer): string => {
  const plain = Buffer.alloc(bytes.length)
  let length = 0
  let isShifted = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    const next = bytes[at + 1]
    if (byte === TILDE && (next === OPEN || next === CLOSE)) {
      isShifted = next === OPEN
      at += 1
    } else if (byte === TILDE && next === LF) at += 1
    else {
      if (byte === TILDE && next === TILDE) at += 1
      if (byte === LF) isShifted = false
      plain[length] = isShifted && byte > 32 ? byte | 0x80 : byte
      length += 1
    }
  }
  return new TextDecoder('gb18030').decode(plain.subarray(0, length))
}
