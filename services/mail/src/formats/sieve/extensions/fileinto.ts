import { filingInto } from '../action-types.ts'
import { text } from '../arguments.ts'
import { defineExtension } from '../define.ts'
import { addAction } from '../result.ts'

/** RFC 5228 §4.1. */
export const fileinto = defineExtension({
  name: 'fileinto',
  commands: {
    fileinto: {
      positional: ['string'],
      run: (call, run) => {
        const filing = filingInto(text(call, 0, run))
        addAction({ kind: 'fileinto', ...filing, copy: false, edits: run.chain.edits }, call, run)
        return undefined
      },
    },
  },
})
