import { keys, text, texts } from '../arguments.ts'
import { defineExtension } from '../define.ts'
import { matchValues } from '../match/match.ts'
import { hasAnnotations, readAnnotation } from '../metadata.ts'

/** RFC 5490 §5: annotations of the server. */
export const servermetadata = defineExtension({
  name: 'servermetadata',
  tests: {
    servermetadata: {
      positional: ['string', 'strings'],
      matches: true,
      test: async (call, run) => {
        const value = await readAnnotation(run, null, text(call, 0, run))
        // Only an annotation that there is can match.
        return value !== null && matchValues(call, [value], keys(call, run), run)
      },
    },
    servermetadataexists: {
      positional: ['strings'],
      test: (call, run) => hasAnnotations(run, null, texts(call, 0, run)),
    },
  },
})
