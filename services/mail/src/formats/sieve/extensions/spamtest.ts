import { hasTag, keys } from '../arguments.ts'
import { defineExtension } from '../define.ts'
import { matchValues } from '../match/match.ts'

/** RFC 5235 §3.2: 0 is a message that was not tested, 1 surely wanted, 10 surely spam. */
export const spamtest = defineExtension({
  name: 'spamtest',
  tests: {
    spamtest: {
      positional: ['string'],
      matches: true,
      test: (call, run) => {
        const percent = run.chain.environment.spamPercent ?? null
        if (percent === null) return matchValues(call, hasTag(call, 'count') ? [] : ['0'], keys(call, run), run)
        const bounded = Math.min(Math.max(percent, 0), 100)
        const score = hasTag(call, 'percent') ? Math.round(bounded) : 1 + Math.floor((bounded * 9) / 100)
        return matchValues(call, [String(score)], keys(call, run), run)
      },
    },
  },
})
