import { defineExtension } from '../define.ts'
import { octet } from '../match/octet.ts'

/** RFC 4790. */
export const comparatorOctet = defineExtension({ name: 'comparator-i;octet', comparators: [octet] })
