import { casemap, casemapWork } from '../../mime/mime.ts'
import type { Comparator } from '../define.ts'
import { orderByCodePoint } from './octet.ts'

/** A letter with the marks on it, which may be one character or several. */
const CHARACTER = /\P{M}\p{M}*|\p{M}+/gu

/** RFC 5051: letters in upper and lower case are the same in all scripts, and so is a letter however it is written. */
export const unicodeCasemap: Comparator = {
  name: 'i;unicode-casemap',
  hasSubstrings: true,
  fold: casemap,
  order: (left, right) => orderByCodePoint(casemap(left), casemap(right)),
  characters: (text) => text.match(CHARACTER) ?? [],
  work: (text) => casemapWork(text) * 4,
}
