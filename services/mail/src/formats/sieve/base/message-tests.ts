import { constants, hasTag, keys, tagAmount, texts } from '../arguments.ts'
import type { Call } from '../compiled.ts'
import type { SplitAddress, TestDefinition } from '../define.ts'
import { addressesOf, headerNameProblem, headersFor } from '../header-values.ts'
import { matchValues } from '../match/match.ts'
import { quoted } from '../problems.ts'
import type { Run } from '../run-state.ts'

/** RFC 5228 §5.7. */
export const header: TestDefinition = {
  positional: ['strings', 'strings'],
  matches: true,
  test: (call, run) => {
    const values = texts(call, 0, run).flatMap((name) => headersFor(call, name, run).map(({ decoded }) => decoded))
    return matchValues(call, values, keys(call, run), run)
  },
}

/** RFC 5228 §5.1. */
export const addressTest: TestDefinition = {
  positional: ['strings', 'strings'],
  matches: true,
  addressPart: true,
  check: (call) => addressHeaderProblem(constants(call, 0)),
  test: (call, run) => {
    const names = texts(call, 0, run).filter(hasAddresses)
    const found = names.flatMap((name) => addressesOf(headersFor(call, name, run), run))
    return matchValues(call, partsOf(call, found, run), keys(call, run), run)
  },
}

/** The part of each address that the call asks for; the whole address unless it says. */
const partsOf = (call: Call, addresses: readonly SplitAddress[], run: Run): string[] =>
  addresses
    .map((address) => (call.addressPart ? call.addressPart(address, run) : address.all))
    .filter((part) => part !== null)

/**
 * RFC 5228 §5.1: header fields that have addresses by the document that defines or registers them, such as RFC 5322,
 * 5536, 6477, 6857, 9057 and 9228, or in practice. What starts with X- may be anything.
 */
const addressHeaders = new RegExp(
  `^(?:${[
    'from|to|cc|bcc|sender|author|return-path|approved',
    'for-(?:approval|comment|handling)|return-receipt-requested|registered-mail-reply-requested-by',
    'mmhs-exempted-address|mmhs-authorizing-users|originator-return-address',
    'apparently-.*|x-.*|.*-(?:to|cc|bcc|from|sender|recipients?|return-path)',
  ].join('|')})$`,
  'i',
)
/** These fields name messages or groups. */
const otherHeaders = /^(?:in-reply-to|followup-to)$/i

const hasAddresses = (name: string): boolean => addressHeaders.test(name) && !otherHeaders.test(name)

/** RFC 5228 §2.4.2.2: a name that no field can have is no error in a test; it is never found. */
const addressHeaderProblem = (names: readonly string[]): string | null => {
  const wrong = names.find((name) => !hasAddresses(name) && headerNameProblem([name]) === null)
  return wrong === undefined
    ? null
    : `header field ${quoted(wrong)} doesn't contain addresses; use "header" instead of "address"`
}

/** RFC 5228 §5.5. */
export const exists: TestDefinition = {
  positional: ['strings'],
  test: (call, run) => texts(call, 0, run).every((name) => headersFor(call, name, run).length > 0),
}

/** RFC 5228 §5.9. A message of exactly the size is neither over nor under it. */
export const size: TestDefinition = {
  tags: { over: { value: 'number', oneOf: 'bound' }, under: { value: 'number', oneOf: 'bound' } },
  check: (call) => (call.tags.size === 0 ? '"size" requires ":over" or ":under" with a number' : null),
  test: (call, { chain }) => {
    const { size: octets } = chain.message
    return hasTag(call, 'over') ? octets > (tagAmount(call, 'over') ?? 0) : octets < (tagAmount(call, 'under') ?? 0)
  },
}
