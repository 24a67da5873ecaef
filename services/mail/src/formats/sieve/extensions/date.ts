import { constants, hasTag, isMade, keys, tagConstants, tagText, text } from '../arguments.ts'
import type { Call } from '../compiled.ts'
import { datePart, isDatePart, parseMailDate, parseZone, type ZonedDate } from '../dates.ts'
import { defineExtension, type TagDefinition } from '../define.ts'
import { headersFor } from '../header-values.ts'
import { matchValues } from '../match/match.ts'
import type { MaybePromise } from '../message.ts'
import { quoted } from '../problems.ts'
import type { Run } from '../run-state.ts'

const zoneTag: TagDefinition = {
  value: 'string',
  oneOf: 'zone',
  check: (call) => {
    const wrong = tagConstants(call, 'zone').find((zone) => parseZone(zone) === null)
    return wrong === undefined ? null : `${quoted(wrong)} isn't a time zone; use a form like "+0100"`
  },
}

/** RFC 5260 §4, §5. */
export const date = defineExtension({
  name: 'date',
  tests: {
    date: {
      positional: ['string', 'string', 'strings'],
      matches: true,
      tags: { zone: zoneTag, originalzone: { oneOf: 'zone' } },
      check: (call) => partProblem(call, 1),
      test: (call, run) => {
        const headers = headersFor(call, text(call, 0, run), run)
        // RFC 5260 §4: without an index, the first field of the name counts.
        const [first] = headers
        const found = first ? parseMailDate(first.decoded) : null
        return matchPart(call, found, text(call, 1, run), run)
      },
    },
    currentdate: {
      positional: ['string', 'strings'],
      matches: true,
      tags: { zone: zoneTag },
      check: (call) => partProblem(call, 0),
      test: (call, run) => {
        const now = { time: run.chain.environment.now.getTime(), zoneMinutes: localZone(run) }
        return matchPart(call, now, text(call, 0, run), run)
      },
    },
  },
})

const matchPart = (call: Call, found: ZonedDate | null, part: string, run: Run): MaybePromise<boolean> => {
  const zoned = found && {
    time: found.time,
    zoneMinutes: hasTag(call, 'originalzone') ? found.zoneMinutes : zoneOf(call, run),
  }
  const value = zoned && datePart(zoned, part)
  return matchValues(call, value === null ? [] : [value], keys(call, run), run)
}

const zoneOf = (call: Call, run: Run): number => {
  const zone = tagText(call, 'zone', run)
  return (zone === null ? null : parseZone(zone)) ?? localZone(run)
}

const localZone = ({ chain }: Run): number => chain.environment.zoneMinutes ?? 0

const partProblem = (call: Call, index: number): string | null => {
  if (isMade(call.values[index])) return null
  const [name = ''] = constants(call, index)
  return isDatePart(name) ? null : `${quoted(name)} isn't a date part`
}
