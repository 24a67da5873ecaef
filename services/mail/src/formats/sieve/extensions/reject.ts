import { text } from '../arguments.ts'
import { defineExtension } from '../define.ts'
import { addAction } from '../result.ts'

/** RFC 5429 §2.2: refuse with a reason that the sender gets, as a notification if need be. */
export const reject = defineExtension({
  name: 'reject',
  commands: {
    reject: {
      positional: ['string'],
      run: (call, run) => {
        addAction({ kind: 'reject', reason: text(call, 0, run), quietly: false }, call, run)
        return undefined
      },
    },
  },
})
