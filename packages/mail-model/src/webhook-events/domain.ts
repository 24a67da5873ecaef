import { z } from 'zod'
import { domainStatuses, recordStatuses } from '../dns.ts'
import { moment } from '../text.ts'
import { defineEvent, SAMPLE_ID } from './define.ts'

const domainEventData = z.object({
  id: z.uuid(),
  name: z.string(),
  status: z.enum(domainStatuses),
  created_at: moment,
  /** Always the same word: there is one place, this one. */
  region: z.literal('self-hosted'),
  records: z.array(
    z.object({
      record: z.string(),
      name: z.string(),
      type: z.string(),
      ttl: z.string(),
      status: z.enum(recordStatuses),
      value: z.string(),
      priority: z.int().optional(),
    }),
  ),
})
export type DomainEventData = z.infer<typeof domainEventData>

const domainEvent = (words: { label: string; when: string }) =>
  defineEvent({
    group: 'Domains',
    ...words,
    data: domainEventData,
    sample: ({ at }): DomainEventData => ({
      id: SAMPLE_ID,
      name: 'example.com',
      status: 'pending',
      created_at: at,
      region: 'self-hosted',
      records: [
        {
          record: 'MX',
          name: '@',
          type: 'MX',
          ttl: '3600',
          status: 'pending',
          value: 'mail.example.net',
          priority: 10,
        },
      ],
    }),
  })

export const domainEvents = {
  'domain.created': domainEvent({ label: 'Added', when: 'A domain was added' }),
  'domain.updated': domainEvent({
    label: 'Updated',
    when: 'A domain was changed, or a check of its DNS records changed its status',
  }),
  'domain.deleted': domainEvent({ label: 'Deleted', when: 'A domain was deleted' }),
}
