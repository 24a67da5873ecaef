import { keys, text } from '../arguments.ts'
import { defineExtension } from '../define.ts'
import { matchValues } from '../match/match.ts'

/** RFC 5183. An item that is not known matches nothing. */
export const environment = defineExtension({
  name: 'environment',
  tests: {
    environment: {
      positional: ['string', 'strings'],
      matches: true,
      test: (call, run) => {
        const name = text(call, 0, run).toLowerCase()
        const value = run.chain.environment.item?.(name) ?? (name === 'name' ? 'Stoa' : null)
        return matchValues(call, value === null ? [] : [value], keys(call, run), run)
      },
    },
  },
})
