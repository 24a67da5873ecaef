/** `TextEncoder` and `TextDecoder` of UTF-8, for QuickJS, which has none. It runs there, as text. */
export const guestText = (): void => {
  const REPLACEMENT = 0xfffd

  const bytesOf = (point: number): number[] => {
    if (point < 0x80) return [point]
    if (point < 0x800) return [0xc0 | (point >> 6), 0x80 | (point & 63)]
    if (point < 0x1_0000) return [0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63)]
    return [0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63)]
  }
  const isSurrogate = (point: number): boolean => point >= 0xd800 && point <= 0xdfff

  class TextEncoder {
    readonly encoding = 'utf-8'

    encode(text: unknown = ''): Uint8Array {
      const bytes: number[] = []
      for (const char of String(text)) {
        const point = char.codePointAt(0) ?? 0
        for (const byte of bytesOf(isSurrogate(point) ? REPLACEMENT : point)) bytes.push(byte)
      }
      return new Uint8Array(bytes)
    }
  }

  /** How many bytes follow the first one, and what the character is at least: shorter forms would be too long. */
  const shapeOf = (first: number): [follow: number, bits: number, least: number] | null => {
    if (first < 0x80) return [0, first, 0]
    if (first >= 0xc2 && first <= 0xdf) return [1, first & 31, 0x80]
    if (first >= 0xe0 && first <= 0xef) return [2, first & 15, 0x800]
    return first >= 0xf0 && first <= 0xf4 ? [3, first & 7, 0x1_0000] : null
  }

  /** The character at a place and how many bytes it takes; null where there is none. */
  const pointAt = (bytes: Uint8Array, at: number): { point: number | null; size: number } => {
    const shape = shapeOf(bytes[at] ?? 0)
    if (!shape) return { point: null, size: 1 }
    const [follow, bits, least] = shape
    let point = bits
    for (let next = 1; next <= follow; next += 1) {
      const byte = bytes[at + next]
      if (byte === undefined || byte >> 6 !== 2) return { point: null, size: next }
      point = (point << 6) | (byte & 63)
      // What can only become too long, half a pair or no character at all ends where that is known.
      const rest = 6 * (follow - next)
      const highest = ((point + 1) << rest) - 1
      const isOut = highest < least || point << rest > 0x10_ffff
      if (isOut || isSurrogate(point << rest)) return { point: null, size: next }
    }
    return { point, size: follow + 1 }
  }

  class TextDecoder {
    readonly encoding = 'utf-8'
    readonly fatal: boolean
    readonly ignoreBOM: boolean

    constructor(label: unknown = 'utf-8', options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
      if (!/^\s*(utf-?8|unicode-1-1-utf-8)\s*$/i.test(String(label)))
        throw new RangeError(`The encoding ${String(label)} isn't supported, only utf-8`)
      this.fatal = options.fatal === true
      this.ignoreBOM = options.ignoreBOM === true
    }

    decode(input: ArrayBuffer | ArrayBufferView = new Uint8Array(0)): string {
      const bytes = ArrayBuffer.isView(input)
        ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
        : new Uint8Array(input)
      let text = ''
      for (let at = 0; at < bytes.length; ) {
        const { point, size } = pointAt(bytes, at)
        if (point === null && this.fatal) throw new TypeError("The bytes aren't UTF-8")
        text += String.fromCodePoint(point ?? REPLACEMENT)
        at += size
      }
      return this.ignoreBOM || text.charCodeAt(0) !== 0xfeff ? text : text.slice(1)
    }
  }

  for (const made of [TextEncoder, TextDecoder])
    Object.defineProperty(globalThis, made.name, { value: made, writable: true, configurable: true })
}
