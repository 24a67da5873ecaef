import { hasTag, tagAmount, tagText } from '../arguments.ts'
import type { Call } from '../compiled.ts'
import { defineExtension } from '../define.ts'
import { headersNamed } from '../message.ts'
import { chainState, type Run } from '../run.ts'

const DEFAULT_SECONDS = 7 * 86_400
const MAX_SECONDS = 90 * 86_400

/** RFC 7352 §3: within one message, the same question has the same answer. */
const answers = chainState((): Map<string, boolean> => new Map())

/** RFC 7352. */
export const duplicate = defineExtension({
  name: 'duplicate',
  tests: {
    duplicate: {
      tags: {
        handle: { value: 'string' },
        header: { value: 'string', oneOf: 'key' },
        uniqueid: { value: 'string', oneOf: 'key' },
        seconds: { value: 'number' },
        last: {},
      },
      test: async (call, run) => {
        const id = idOf(call, run)
        if (id === null) return false
        const key = JSON.stringify([tagText(call, 'handle', run) ?? '', id])
        const known = answers(run).get(key)
        if (known !== undefined) return known
        run.spend(100)
        const seconds = Math.min(tagAmount(call, 'seconds') ?? DEFAULT_SECONDS, MAX_SECONDS)
        const answer = (await run.chain.environment.duplicate?.(key, seconds, hasTag(call, 'last'))) ?? false
        answers(run).set(key, answer)
        return answer
      },
    },
  },
})

/** A message without the header field is never a duplicate. */
const idOf = (call: Call, run: Run): string | null => {
  const own = tagText(call, 'uniqueid', run)
  if (own !== null) return own === '' ? null : own
  const name = tagText(call, 'header', run) ?? 'message-id'
  return headersNamed(run.chain.message.root.headers, name)[0]?.decoded ?? null
}
