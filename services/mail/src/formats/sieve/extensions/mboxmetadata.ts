import { keys, text, texts } from '../arguments.ts'
import { defineExtension } from '../define.ts'
import { matchValues } from '../match/match.ts'
import { hasAnnotations, readAnnotation } from '../metadata.ts'

/** RFC 5490 §4: annotations of a mailbox. */
export const mboxmetadata = defineExtension({
  name: 'mboxmetadata',
  tests: {
    metadata: {
      positional: ['string', 'string', 'strings'],
      matches: true,
      test: async (call, run) => {
        const value = await readAnnotation(run, text(call, 0, run), text(call, 1, run))
        // Only an annotation that there is can match.
        return value !== null && matchValues(call, [value], keys(call, run), run)
      },
    },
    metadataexists: {
      positional: ['string', 'strings'],
      test: (call, run) => hasAnnotations(run, text(call, 0, run), texts(call, 1, run)),
    },
  },
})
