import type { Comparator } from '../define.ts'
import { orderByCodePoint } from './octet.ts'

const fold = (text: string): string => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())

/** RFC 4790 §9.2: letters of ASCII in upper and lower case are the same, all others are not. */
export const asciiCasemap: Comparator = {
  name: 'i;ascii-casemap',
  hasSubstrings: true,
  fold,
  order: (left, right) => orderByCodePoint(fold(left), fold(right)),
}
