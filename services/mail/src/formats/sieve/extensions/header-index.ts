import { hasTag, tagAmount } from '../arguments.ts'
import type { Call } from '../compiled.ts'
import { defineExtension, type TagDefinition } from '../define.ts'

const indexTag: TagDefinition = {
  value: 'number',
  check: (call) => (tagAmount(call, 'index') === 0 ? '":index" must be 1 or more' : null),
  headers: {
    stage: 'select',
    pick: (found, call) => {
      const index = tagAmount(call, 'index') ?? 1
      const picked = found.at(hasTag(call, 'last') ? -index : index - 1)
      return picked && index <= found.length ? [picked] : []
    },
  },
}

const lastTag: TagDefinition = { check: (call: Call) => (hasTag(call, 'index') ? null : '":last" requires ":index"') }
const tags = { index: indexTag, last: lastTag }

/** RFC 5260 §6: one of several header fields with the same name. */
export const headerIndex = defineExtension({
  name: 'index',
  tags: { header: tags, address: tags, date: tags },
})
