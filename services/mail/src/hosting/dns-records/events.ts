import type { Tx } from '@stoa/kit/db/database.ts'
import type { DomainEventData } from '@stoa/mail-model/webhook-events.ts'
import type { Tables } from '../../tables.ts'
import { type DkimKey, type DomainView, findAnyDomainView, listKeys } from '../domains/domains.ts'
import { hasListener, recordEvent } from '../webhook-events/webhook-events.ts'
import { type DomainConfig, domainWithRecordsJson } from './domain-json.ts'

/** Records a webhook event about a domain as it is now; about a deleted one as it was. */
export const recordDomainEvent = async (
  tx: Tx<Tables>,
  config: DomainConfig,
  type: 'domain.created' | 'domain.updated' | 'domain.deleted',
  { accountId, domainId, now }: { accountId: string; domainId: string; now: Date },
): Promise<void> => {
  if (!(await hasListener(tx, accountId, type))) return
  const view = await findAnyDomainView(tx, accountId, domainId)
  if (!view) return
  await recordEvent(tx, accountId, { type, data: eventData(config, view, await listKeys(tx, domainId)) }, now)
}

const eventData = (config: DomainConfig, view: DomainView, keys: readonly DkimKey[]): DomainEventData => {
  const { id, name, status, created_at, records } = domainWithRecordsJson(config, view, keys)
  return {
    id,
    name,
    status,
    created_at,
    region: 'self-hosted',
    records: records.map((record) => ({
      record: record.record,
      name: record.name,
      type: record.type,
      ttl: String(record.ttl),
      status: record.status,
      value: record.value,
      ...(record.priority !== null && { priority: record.priority }),
    })),
  }
}
