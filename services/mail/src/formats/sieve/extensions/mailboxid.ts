import { tagText, texts } from '../arguments.ts'
import { defineExtension } from '../define.ts'
import { filingTag } from '../filing.ts'

/** RFC 9042. */
export const mailboxid = defineExtension({
  name: 'mailboxid',
  tests: {
    mailboxidexists: {
      positional: ['strings'],
      test: async (call, run) => {
        for (const id of texts(call, 0, run)) {
          run.spend(100)
          if (!(await run.chain.environment.mailboxes?.idExists?.(id))) return false
        }
        return true
      },
    },
  },
  tags: filingTag('mailboxid', { value: 'string' }, (filing, call, run) => {
    filing.mailboxId = tagText(call, 'mailboxid', run)
  }),
})
