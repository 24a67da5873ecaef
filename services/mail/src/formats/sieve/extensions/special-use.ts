import { tagConstants, tagText, texts } from '../arguments.ts'
import { defineExtension } from '../define.ts'
import { filingTag } from '../filing.ts'

/** RFC 8579. */
export const specialUse = defineExtension({
  name: 'special-use',
  tests: {
    specialuse_exists: {
      positional: ['string', 'strings'],
      firstIsOptional: true,
      test: async (call, run) => {
        run.spend(100)
        const [mailbox] = texts(call, 0, run)
        return (
          (await run.chain.environment.mailboxes?.specialUseExists?.(mailbox ?? null, texts(call, 1, run))) ?? false
        )
      },
    },
  },
  tags: filingTag(
    'specialuse',
    { value: 'string', check: (call) => useProblem(tagConstants(call, 'specialuse')) },
    (filing, call, run) => {
      filing.specialUse = tagText(call, 'specialuse', run)
    },
  ),
})

const useProblem = (uses: readonly string[]): string | null =>
  uses.every((use) => /^\\[A-Za-z][A-Za-z0-9-]*$/.test(use))
    ? null
    : 'a special use starts with a backslash, like "\\\\Junk"'
