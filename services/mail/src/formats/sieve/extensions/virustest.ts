import { hasTag, keys } from '../arguments.ts'
import { defineExtension } from '../define.ts'
import { matchValues } from '../match/match.ts'

/** RFC 5235 §3.4: 0 is a message that was not tested, 1 clean, 5 surely infected. */
export const virustest = defineExtension({
  name: 'virustest',
  tests: {
    virustest: {
      positional: ['string'],
      matches: true,
      test: (call, run) => {
        const level = run.chain.environment.virusLevel ?? null
        const values = level === null && hasTag(call, 'count') ? [] : [String(level ?? 0)]
        return matchValues(call, values, keys(call, run), run)
      },
    },
  },
})
