import { defineExtension } from '../define.ts'
import { asciiNumeric } from '../match/ascii-numeric.ts'

/** RFC 4790. */
export const comparatorAsciiNumeric = defineExtension({
  name: 'comparator-i;ascii-numeric',
  comparators: [asciiNumeric],
})
