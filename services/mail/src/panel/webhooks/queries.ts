import type { Db } from '@stoa/kit/db/database.ts'
import type { SummaryRow } from '@stoa/kit/webhooks/deliveries.ts'
import type { EndpointRow } from '@stoa/kit/webhooks/endpoints.ts'
import type { WebhookEventListRequest, WebhookListRequest } from '@stoa/mail-model/webhooks.ts'
import { sql } from 'kysely'
import { contains, type Page, readPage } from '../../pagination/pagination.ts'
import type { Tables } from '../../tables.ts'

export const listWebhookRows = (
  db: Db<Tables>,
  accountId: string,
  list: WebhookListRequest,
): Promise<Page<EndpointRow>> => {
  const all = db
    .selectFrom('webhook_endpoint')
    .select([
      'id',
      'owner',
      'url',
      'events',
      'details',
      'secret_hint',
      'status',
      'disabled_reason',
      'failing_since',
      'consecutive_failures',
      'last_success_at',
      'version',
      'created_at',
      'updated_at',
    ])
    .where('owner', '=', accountId)
  const text = sql`concat_ws(' ', url, details ->> 'description')`
  return readPage(list.search ? all.where(contains(text, list.search)) : all, list, {
    columns: { created_at: 'created_at', endpoint: 'url', status: 'status' },
    id: 'id',
  })
}

export const countWebhooks = async (db: Db<Tables>, accountId: string): Promise<number> => {
  const { total } = await db
    .selectFrom('webhook_endpoint')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('owner', '=', accountId)
    .executeTakeFirstOrThrow()
  return total
}

/** Events of one endpoint, or of all that the account has. */
export const listEventRows = (
  db: Db<Tables>,
  { accountId, webhookId }: { accountId: string; webhookId?: string },
  list: WebhookEventListRequest,
): Promise<Page<SummaryRow>> => {
  let query = db
    .selectFrom('webhook_delivery as event')
    .innerJoin('webhook_endpoint as endpoint', 'endpoint.id', 'event.endpoint_id')
    .select([
      'event.id',
      'event.endpoint_id',
      'event.owner',
      'event.type',
      'event.status',
      'event.is_test',
      'event.attempts',
      'event.response_status',
      'event.error',
      'event.duration_ms',
      'event.last_attempt_at',
      'event.next_attempt_at',
      'event.created_at',
    ])
    // An endpoint that was deleted is nobody's, while its log still waits to be removed.
    .where('endpoint.owner', '=', accountId)
    .where('event.owner', '=', accountId)
  if (webhookId !== undefined) query = query.where('event.endpoint_id', '=', webhookId)
  if (list.type !== undefined) query = query.where('event.type', '=', list.type)
  if (list.status !== undefined) query = query.where('event.status', '=', list.status)
  if (list.search) query = query.where(contains(sql`concat_ws(' ', event.id, event.type)`, list.search))
  return readPage(query, list, {
    columns: { created_at: 'event.created_at', type: 'event.type', status: 'event.status' },
    id: 'event.id',
  })
}
