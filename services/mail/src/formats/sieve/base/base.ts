import { defineExtension } from '../define.ts'
import { asciiCasemap } from '../match/ascii-casemap.ts'
import { octet } from '../match/octet.ts'
import { contains, is, matches } from '../match/types.ts'
import { discard, keep, redirect } from './actions.ts'
import { elseBranch, elsifBranch, ifBranch, require, stop } from './control.ts'
import { allOf, anyOf, isFalse, isTrue, not } from './logic.ts'
import { addressTest, exists, header, size } from './message-tests.ts'

/** RFC 5228 without its optional parts: what every script has without asking. */
export const base = defineExtension({
  name: '',
  commands: { if: ifBranch, elsif: elsifBranch, else: elseBranch, require, stop, keep, discard, redirect },
  tests: { address: addressTest, allof: allOf, anyof: anyOf, exists, false: isFalse, header, not, size, true: isTrue },
  matchTypes: { is, contains, matches },
  comparators: [octet, asciiCasemap],
  addressParts: {
    all: ({ all }) => all,
    localpart: ({ local, domain }) => (domain === '' ? null : local),
    domain: ({ domain }) => (domain === '' ? null : domain),
  },
})
