// Level M, for versions 1 to 20: enough for the longest address that an authenticator app is given
const ECC_PER_BLOCK = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26]
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16]

const at = (table: readonly number[], index: number): number => table[index] ?? 0
export const sizeOf = (version: number): number => version * 4 + 17
const countBits = (version: number): number => (version < 10 ? 8 : 16)

const rawCodewords = (version: number): number => {
  const aligns = Math.floor(version / 7) + 2
  const full = (16 * version + 128) * version + 64
  const alignments = version === 1 ? 0 : (25 * aligns - 10) * aligns - 55
  return Math.floor((full - alignments - (version >= 7 ? 36 : 0)) / 8)
}

const dataLength = (version: number): number =>
  rawCodewords(version) - at(ECC_PER_BLOCK, version - 1) * at(BLOCKS, version - 1)

/** The smallest version that holds so many bytes. */
export const versionFor = (length: number): number => {
  const version = BLOCKS.findIndex((_, index) => 4 + countBits(index + 1) + length * 8 <= dataLength(index + 1) * 8) + 1
  if (version === 0) throw new RangeError('The text is too long for a QR code')
  return version
}

export const bitsOf = (value: number, length: number): number[] =>
  Array.from({ length }, (_, index) => (value >>> (length - 1 - index)) & 1)

/** The bytes with their head and the padding. */
export const dataCodewords = (version: number, bytes: readonly number[]): number[] => {
  const capacity = dataLength(version) * 8
  const bits = [
    ...bitsOf(4, 4),
    ...bitsOf(bytes.length, countBits(version)),
    ...bytes.flatMap((byte) => bitsOf(byte, 8)),
  ]
  bits.push(...bitsOf(0, Math.min(4, capacity - bits.length)))
  bits.push(...bitsOf(0, (8 - (bits.length % 8)) % 8))
  const words = Array.from({ length: bits.length / 8 }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((word, bit) => word * 2 + bit, 0),
  )
  for (let pad = 0xec; words.length < capacity / 8; pad ^= 0xec ^ 0x11) words.push(pad)
  return words
}

// The field GF(2^8) with the polynomial of the standard
const multiply = (a: number, b: number): number => {
  let product = 0
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d)
    product ^= ((b >>> bit) & 1) * a
  }
  return product
}

const generator = (degree: number): number[] => {
  let factors = [1]
  for (let power = 0, root = 1; power < degree; power += 1, root = multiply(root, 2))
    factors = [...factors, 0].map(
      (factor, index) => factor ^ (index === 0 ? 0 : multiply(at(factors, index - 1), root)),
    )
  return factors.slice(1)
}

const remainder = (data: readonly number[], divisor: readonly number[]): number[] =>
  data.reduce<number[]>(
    (rest, word) => {
      const factor = word ^ at(rest, 0)
      return [...rest.slice(1), 0].map((value, index) => value ^ multiply(at(divisor, index), factor))
    },
    divisor.map(() => 0),
  )

/** Data and error correction of all blocks, in the order in which they are drawn. */
export const interleave = (version: number, data: readonly number[]): number[] => {
  const count = at(BLOCKS, version - 1)
  const divisor = generator(at(ECC_PER_BLOCK, version - 1))
  const short = Math.floor(data.length / count)
  const shortBlocks = count - (data.length % count)
  const blocks = Array.from({ length: count }, (_, index) => {
    const start = index * short + Math.max(0, index - shortBlocks)
    return data.slice(start, start + short + (index < shortBlocks ? 0 : 1))
  })
  const corrections = blocks.map((block) => remainder(block, divisor))
  const across = (parts: readonly number[][], length: number) =>
    Array.from({ length }, (_, index) => parts.flatMap((part) => part.slice(index, index + 1))).flat()
  return [...across(blocks, short + 1), ...across(corrections, divisor.length)]
}
