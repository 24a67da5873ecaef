import { createHash } from 'node:crypto'
import { filingInto, type VacationAction } from '../action-types.ts'
import { parseAddress } from '../addresses.ts'
import { hasTag, tagAmount, tagConstants, tagText, tagTexts, text } from '../arguments.ts'
import type { Call } from '../compiled.ts'
import { defineExtension } from '../define.ts'
import { quoted, SieveRuntimeError } from '../problems.ts'
import { addAction } from '../result.ts'
import type { Run } from '../run-state.ts'

const DAY_SECONDS = 86_400
/** RFC 5230 §4.1 recommends a week. */
const DEFAULT_DAYS = 7

/** RFC 5230. Whether a reply is really sent is decided in `vacation-rules.ts` and by the caller, which stores the replies. */
export const vacation = defineExtension({
  name: 'vacation',
  commands: {
    vacation: {
      positional: ['string'],
      tags: {
        days: { value: 'number', oneOf: 'period' },
        subject: { value: 'string' },
        from: { value: 'string', check: (call) => senderProblem(tagConstants(call, 'from')) },
        addresses: { value: 'strings' },
        mime: {},
        handle: { value: 'string' },
      },
      run: (call, run) => {
        addAction(vacationOf(call, run), call, run)
        return undefined
      },
    },
  },
})

const vacationOf = (call: Call, run: Run): VacationAction => {
  const from = tagText(call, 'from', run)
  if (senderProblem(from === null ? [] : [from]))
    throw new SieveRuntimeError(`${quoted(from ?? '')} isn't an address you can reply from`)
  const fcc = tagText(call, 'fcc', run)
  const content = {
    reason: text(call, 0, run),
    subject: tagText(call, 'subject', run),
    from,
    mime: hasTag(call, 'mime'),
  }
  return {
    kind: 'vacation',
    ...content,
    seconds: secondsOf(call, run),
    addresses: tagTexts(call, 'addresses', run),
    handle: tagText(call, 'handle', run) ?? handleOf(content),
    fcc: fcc === null ? null : filingInto(fcc),
  }
}

/** RFC 5230 §4.1 and RFC 6131 §2 let the site set bounds. */
const secondsOf = (call: Call, { limits }: Run): number => {
  const seconds = tagAmount(call, 'seconds') ?? (tagAmount(call, 'days') ?? DEFAULT_DAYS) * DAY_SECONDS
  return Math.min(Math.max(seconds, limits.vacationMinSeconds), limits.vacationMaxSeconds)
}

/** RFC 5230 §4.2: another reply is another vacation, unless the script names it. */
const handleOf = (content: object): string => createHash('sha256').update(JSON.stringify(content)).digest('base64url')

const senderProblem = (addresses: readonly string[]): string | null => {
  const wrong = addresses.find((address) => !parseAddress(address))
  return wrong === undefined ? null : `${quoted(wrong)} isn't an address you can reply from`
}
