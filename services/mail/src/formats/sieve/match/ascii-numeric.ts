import type { Comparator } from '../define.ts'

/** RFC 4790 §9.1: the number that a text starts with; any text that starts with none is infinity. */
export const asciiNumeric: Comparator = {
  name: 'i;ascii-numeric',
  hasSubstrings: false,
  fold: (text) => numberIn(text) ?? 'infinity',
  order: (left, right) => orderNumbers(numberIn(left), numberIn(right)),
}

/** Digits without leading zeros: they may be more than a number can hold. */
const numberIn = (text: string): string | null => {
  const digits = /^[0-9]+/.exec(text)?.[0]
  return digits === undefined ? null : digits.replace(/^0+(?=[0-9])/, '')
}

const orderNumbers = (left: string | null, right: string | null): number => {
  if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1
  if (left.length !== right.length) return left.length - right.length
  return left === right ? 0 : left < right ? -1 : 1
}
