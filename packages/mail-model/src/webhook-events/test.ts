import { z } from 'zod'
import { defineEvent } from './define.ts'

export const testEvents = {
  'webhook.test': defineEvent({
    group: null,
    label: 'Test',
    when: 'A test was asked for and no other event was named',
    data: z.object({ webhook_id: z.uuid(), message: z.string() }),
    sample: ({ webhookId }) => ({ webhook_id: webhookId, message: 'This is a test of your webhook.' }),
  }),
}
