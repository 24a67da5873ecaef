import { defineExtension } from '../define.ts'
import { asciiCasemap } from '../match/ascii-casemap.ts'

/** RFC 4790. */
export const comparatorAsciiCasemap = defineExtension({
  name: 'comparator-i;ascii-casemap',
  comparators: [asciiCasemap],
})
