import { type Suppression, suppression } from '../suppressions.ts'
import { defineEvent, SAMPLE_ID } from './define.ts'

const suppressionEvent = (words: { label: string; when: string }) =>
  defineEvent({
    group: 'Suppressions',
    ...words,
    data: suppression,
    sample: ({ at }): Suppression => ({
      object: 'suppression',
      id: SAMPLE_ID,
      email: 'person@example.org',
      origin: 'bounce',
      reason: null,
      source_id: SAMPLE_ID,
      expires_at: null,
      created_at: at,
    }),
  })

export const suppressionEvents = {
  'suppression.added': suppressionEvent({
    label: 'Added',
    when: 'An address was suppressed manually, by an import, a bounce or a complaint',
  }),
  'suppression.removed': suppressionEvent({
    label: 'Removed',
    when: 'A suppression was removed or has expired',
  }),
}
