import { hasTag, tagAmount, tagText } from '../arguments.ts'
import type { Call } from '../compiled.ts'
import { defineExtension } from '../define.ts'
import { headersNamed } from '../message.ts'
import { chainState, type Run, type SeenKey } from '../run-state.ts'

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
        const seconds = Math.min(tagAmount(call, 'seconds') ?? DEFAULT_SECONDS, MAX_SECONDS)
        // RFC 7352 §3: of what is remembered for no time there is no duplicate.
        if (id === null || seconds === 0) return false
        const key = JSON.stringify([tagText(call, 'handle', run) ?? '', id])
        const isKnown = answers(run).get(key) ?? (await ask(key, run))
        const isProlonged = hasTag(call, 'last')
        if (!isKnown || isProlonged) note({ key, seconds, isProlonged }, run)
        return isKnown
      },
    },
  },
})

const ask = async (key: string, run: Run): Promise<boolean> => {
  run.spend(100)
  const answer = (await run.chain.environment.duplicate?.(key)) ?? false
  answers(run).set(key, answer)
  return answer
}

const note = (seen: SeenKey, { chain, spend }: Run): void => {
  spend(chain.seen.length)
  const isNoted = chain.seen.some(({ key, isProlonged }) => key === seen.key && isProlonged === seen.isProlonged)
  if (!isNoted) chain.seen = [...chain.seen, seen]
}

/** A message without the header field is never a duplicate. */
const idOf = (call: Call, run: Run): string | null => {
  const own = tagText(call, 'uniqueid', run)
  if (own !== null) return own === '' ? null : own
  const name = tagText(call, 'header', run) ?? 'message-id'
  return headersNamed(run.chain.message.root.headers, name)[0]?.decoded ?? null
}
