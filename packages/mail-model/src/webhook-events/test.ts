import { z } from 'zod'
import { defineEvent } from './define.ts'

export const testEvents = {
  'webhook.test': defineEvent({
    group: null,
    label: 'Test',
    when: 'Someone sent a test event without choosing another type',
    data: z.object({ webhook_id: z.uuid(), message: z.string() }),
    sample: ({ webhookId }) => ({ webhook_id: webhookId, message: 'This is a test of your webhook.' }),
  }),
}
