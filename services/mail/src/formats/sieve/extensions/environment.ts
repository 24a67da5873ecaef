import { keys, text } from '../arguments.ts'
import { defineExtension } from '../define.ts'
import { matchValues } from '../match/match.ts'

/** RFC 5183 §4: the test of an item that is not known fails, also where it only counts. */
export const environment = defineExtension({
  name: 'environment',
  tests: {
    environment: {
      positional: ['string', 'strings'],
      matches: true,
      test: (call, run) => {
        const name = text(call, 0, run).toLowerCase()
        const value = run.chain.environment.item?.(name) ?? (name === 'name' ? 'Stoa' : null)
        return value !== null && matchValues(call, [value], keys(call, run), run)
      },
    },
  },
})
