import { texts } from '../arguments.ts'
import { defineExtension } from '../define.ts'
import { filingTag } from '../filing.ts'

/** RFC 5490 §3. */
export const mailbox = defineExtension({
  name: 'mailbox',
  tests: {
    mailboxexists: {
      positional: ['strings'],
      test: async (call, run) => {
        for (const name of texts(call, 0, run)) {
          run.spend(100)
          if (!(await run.chain.environment.mailboxes?.exists?.(name))) return false
        }
        return true
      },
    },
  },
  tags: filingTag('create', {}, (filing) => {
    filing.create = true
  }),
})
