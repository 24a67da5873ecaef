import assert from 'node:assert/strict'
import type { WebhookEvent } from '@stoa/cms-model/webhook-events.ts'
import type { Webhook, WebhookWithSecret } from '@stoa/cms-model/webhooks.ts'
import { createWebhookWorker } from '@stoa/kit/webhooks/worker.ts'
import type { CmsClient, CmsService } from '@stoa/tests/lib/cms.ts'
import { type Ctx, contextFor } from '../../../context.ts'
import { recordChange } from '../../../events/events.ts'

/** Of the entry in the test events. */
export const ENTRY_ID = '00000000-0000-4000-8000-0000000000e1'

/** For services whose webhooks are to reach a receiver on this machine. */
export const ALLOW_PRIVATE = { WEBHOOK_ALLOW_PRIVATE: 'true' }

/** An address that passes the check without a network; nothing is ever sent there. */
export const PUBLIC_TARGET = 'https://93.184.216.34/hook'

export const addHook = async (
  client: CmsClient,
  members: { url: string } & Record<string, unknown>,
): Promise<WebhookWithSecret> => {
  const answer = await client.post('/api/webhooks', { events: ['*'], ...members })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

export const readHook = async (client: CmsClient, id: string): Promise<Webhook> => {
  const answer = await client.get(`/api/webhooks/${id}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** Work that nobody asked for, as the scheduler does it. */
export const systemOf = (service: CmsService): Ctx =>
  contextFor(service.cms.services, { kind: 'system' as const, name: 'scheduler' })

/** A change of an entry, as the slices make it. */
export const publish = (service: CmsService, members: { ctx?: Ctx; event?: WebhookEvent; type?: string } = {}) => {
  const { ctx = systemOf(service), event = 'entry.published', type = 'article' } = members
  const url = 'https://www.example.com/hello'
  return service.cms.database.tx((tx) =>
    recordChange(ctx, tx, {
      action: event,
      target: { kind: 'entry', id: ENTRY_ID, label: 'Hello' },
      changed: ['title'],
      events: [
        {
          name: event,
          data: { id: ENTRY_ID, slug: 'hello', type, title: 'Hello', status: 'published', locale: 'en', url },
          previous: { slug: 'hallo', status: 'draft', url: null },
          isPublic: true,
        },
      ],
    }),
  )
}

/** Attempts everything that is due by the service's clock, without waiting for a worker to look. */
export const sendDue = (service: CmsService): Promise<void> =>
  createWebhookWorker(service.cms.services.webhooks).runDue()

export type ActivityRow = {
  actor_kind: string
  actor_id: string | null
  via: string
  target_kind: string
  target_id: string | null
  target_label: string
  changed: string[]
}

export const activityOf = (service: CmsService, action: string): Promise<ActivityRow[]> =>
  service.cms.database.db.query({ text: 'select * from activity where action = $1 order by id', values: [action] })

/** Everything that is stored about webhooks, to see that a refusal changed nothing. */
export const storedWebhooks = async ({ cms: { database } }: CmsService): Promise<unknown> => {
  const rowsOf = (table: string) => database.db.query({ text: `select * from ${table} order by id` })
  return Promise.all(['webhook_endpoint', 'webhook_delivery', 'activity'].map(rowsOf))
}
