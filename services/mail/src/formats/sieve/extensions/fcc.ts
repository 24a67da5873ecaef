import { defineExtension } from '../define.ts'

/** RFC 8580: keep a copy of what `vacation` and `notify` send. */
export const fcc = defineExtension({
  name: 'fcc',
  tags: { vacation: { fcc: { value: 'string' } }, notify: { fcc: { value: 'string' } } },
})
