import { defineExtension } from '../define.ts'

/** RFC 6131. */
export const vacationSeconds = defineExtension({
  name: 'vacation-seconds',
  includes: ['vacation'],
  tags: { vacation: { seconds: { value: 'number', oneOf: 'period' } } },
})
