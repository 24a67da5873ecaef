import type { SieveAction } from '../action-types.ts'
import { defineExtension, type TagDefinition } from '../define.ts'

const copyTag: TagDefinition = {
  apply: (action: SieveAction) => {
    if (action.kind === 'fileinto' || action.kind === 'redirect') action.copy = true
  },
}

/** RFC 3894: file or redirect without ending the implicit keep. */
export const copy = defineExtension({
  name: 'copy',
  tags: { fileinto: { copy: copyTag }, redirect: { copy: copyTag } },
})
