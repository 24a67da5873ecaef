/** No 0 and O, 1 and l: it may have to be typed on a phone. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP_LENGTH = 5

/** A password that nobody guesses and that can be read out: four groups of five, 99 bits. */
export const generatePassword = (): string =>
  Array.from({ length: GROUPS }, () => Array.from({ length: GROUP_LENGTH }, randomLetter).join('')).join('-')

/** Each letter is as likely as the others: bytes that would favor the first ones are drawn again. */
const randomLetter = (): string => {
  const limit = 256 - (256 % LETTERS.length)
  for (;;) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1))
    if (byte < limit) return LETTERS[byte % LETTERS.length] ?? ''
  }
}

export type Strength = { tone: 'failed' | 'draft' | 'live'; words: string; share: number }

const MIN_BYTES = 8

/** How long guessing would take, in words; null before anything was typed. The service refuses common ones. */
export const strengthOf = (password: string): Strength | null => {
  if (password === '') return null
  const size = new TextEncoder().encode(password).length
  if (size < MIN_BYTES) return { tone: 'failed', words: `Too short: use at least ${MIN_BYTES} characters`, share: 0.1 }
  const bits = bitsOf(password)
  if (bits < 40) return { tone: 'failed', words: 'Weak: easy to guess', share: 0.3 }
  if (bits < 60) return { tone: 'draft', words: 'Fair: longer is better', share: 0.55 }
  if (bits < 80) return { tone: 'live', words: 'Good', share: 0.8 }
  return { tone: 'live', words: 'Strong', share: 1 }
}

const KINDS = [
  { pattern: /[a-z]/, size: 26 },
  { pattern: /[A-Z]/, size: 26 },
  { pattern: /[0-9]/, size: 10 },
  { pattern: /[^a-zA-Z0-9]/, size: 20 },
] as const

/** Repeated and neighboring characters add little: `aaaaaaaa` and `12345678` are short. */
const bitsOf = (password: string): number => {
  const alphabet = KINDS.reduce((sum, { pattern, size }) => sum + (pattern.test(password) ? size : 0), 0)
  const codes = [...password].map((letter) => letter.codePointAt(0) ?? 0)
  const fresh = codes.filter((code, index) => Math.abs(code - (codes[index - 1] ?? -10)) > 1)
  return Math.min(fresh.length, new Set(codes).size * 2) * Math.log2(Math.max(alphabet, 2))
}
