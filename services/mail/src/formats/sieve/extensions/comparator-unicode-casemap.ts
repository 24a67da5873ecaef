import { defineExtension } from '../define.ts'
import { unicodeCasemap } from '../match/unicode-casemap.ts'

/** RFC 5051. */
export const comparatorUnicodeCasemap = defineExtension({
  name: 'comparator-i;unicode-casemap',
  comparators: [unicodeCasemap],
})
