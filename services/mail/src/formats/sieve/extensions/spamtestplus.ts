import { defineExtension } from '../define.ts'

/** RFC 5235 §3.3: the score as a percentage. */
export const spamtestplus = defineExtension({
  name: 'spamtestplus',
  includes: ['spamtest'],
  tags: { spamtest: { percent: {} } },
})
