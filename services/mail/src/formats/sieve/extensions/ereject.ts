import { text } from '../arguments.ts'
import { defineExtension } from '../define.ts'
import { addAction } from '../result.ts'

/** RFC 5429 §2.1: refuse during the SMTP dialogue, never with a message of its own to a forged sender. */
export const ereject = defineExtension({
  name: 'ereject',
  commands: {
    ereject: {
      positional: ['string'],
      run: (call, run) => {
        addAction({ kind: 'reject', reason: text(call, 0, run), quietly: true }, call, run)
        return undefined
      },
    },
  },
})
