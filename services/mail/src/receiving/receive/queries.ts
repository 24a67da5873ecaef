import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { OwnLimits } from '@stoa/mail-model/plans.ts'
import { limitsOfAccount, quotaOf } from '../../hosting/plans/plans.ts'
import type { ActivityTable } from '../../tables/receiving.ts'
import type { Tables } from '../../tables.ts'
import type { ActiveScript } from '../filters/filters.ts'
import type { KnownFolder } from './known-folders.ts'

/** All that a delivery to one mailbox has to know. */
export type DeliveryState = {
  email: string
  forwardTo: string[]
  keepCopy: boolean
  spamThreshold: number
  quotaBytes: number | null
  usedBytes: number
  inboxId: string
  junkId: string
  /** The folders of the mailbox, unless there are very many. */
  folders: KnownFolder[]
  scripts: ActiveScript[]
  /** The mailbox has taught what it takes for spam. */
  isTrained: boolean
  /** The message was delivered before, but its sender did not get the response. */
  isReceived: boolean
  /** A webhook of the account listens for mail that comes in. */
  isAwaited: boolean
  /** Somebody is on the mailbox's, its domain's or the instance's list of senders. */
  hasListedSenders: boolean
  /** The instance blocks some networks. */
  hasBlockedNetworks: boolean
}

type DeliveryRow = Omit<DeliveryState, 'scripts' | 'folders' | 'inboxId' | 'junkId'> & {
  plan: string
  limits: OwnLimits
  folders: KnownFolder[] | null
  scripts: { id: string; updatedAt: number }[] | null
}

/** More folders than this are looked up by name when a filter names one. */
const MAX_KNOWN_FOLDERS = 200

/** Receipts count for as long as senders try. */
const RECEIPT_MS = 5 * 86_400_000

/** Without a hash, whether the message is here is not checked. */
export const findDelivery = async (
  db: Db<Tables>,
  { addressId, hash, now }: { addressId: string; hash: Buffer | null; now: Date },
): Promise<DeliveryState | null> => {
  const [row] = await db.query<DeliveryRow>({
    name: 'find-delivery',
    text: `select address.email, address.forward_to as "forwardTo", address.keep_copy as "keepCopy",
                  address.spam_threshold as "spamThreshold", address.quota_bytes as "quotaBytes",
                  mailbox.used_bytes as "usedBytes", account.plan, account.limits,
                  (select json_agg(json_build_object('id', known.id, 'parentId', known.parent_id, 'name', known.name,
                                                     'role', known.role))
                   from (select id, parent_id, name, role from folder where folder.address_id = address.id
                         order by role is null limit $4) known) as folders,
                  exists (select 1 from spam_training where spam_training.address_id = address.id) as "isTrained",
                  (select json_agg(json_build_object('id', script.id,
                            'updatedAt', floor(extract(epoch from script.updated_at) * 1000))
                     order by script.turn, script.address_id is not null, script.position, script.id)
                   from (
                     select id, updated_at, case origin when 'panel' then 1 else 2 end as turn, address_id, position
                     from sieve_script where account_id = address.account_id and enabled
                       and (address_id = address.id or (address_id is null and origin = 'panel'))
                     union all select address_id, updated_at, 3, address_id, 0 from vacation
                     where address_id = address.id and enabled
                   ) script) as scripts,
                  exists (select 1 from receipt where receipt.address_id = address.id and receipt.hash = $2
                          and not receipt.acknowledged and receipt.created_at > $3) as "isReceived",
                  exists (select 1 from webhook_endpoint where webhook_endpoint.owner = address.account_id::text
                          and webhook_endpoint.status = 'enabled'
                          and 'email.received' = any (webhook_endpoint.events)) as "isAwaited",
                  exists (select 1 from listed_sender where listed_sender.list_id = any (
                            array[address.id, address.domain_id, '00000000-0000-0000-0000-000000000000']))
                    as "hasListedSenders",
                  exists (select 1 from listed_sender where list_id = '00000000-0000-0000-0000-000000000000'
                          and action = 'block' and strpos(pattern, '@') = 0) as "hasBlockedNetworks"
           from address join account on account.id = address.account_id
           join mailbox on mailbox.address_id = address.id
           where address.id = $1 and address.deleted_at is null`,
    values: [addressId, hash, new Date(now.getTime() - RECEIPT_MS), MAX_KNOWN_FOLDERS],
  })
  const folders = row?.folders ?? []
  const inbox = folders.find(({ role }) => role === 'inbox')
  const junk = folders.find(({ role }) => role === 'junk')
  if (!row || !inbox || !junk) return null
  const { plan, limits, ...state } = row
  // Only accounts whose storage is limited have to know what the other mailboxes of the account hold.
  const { storageBytes } = limitsOfAccount({ plan, limits })
  const quotaBytes = storageBytes === null ? state.quotaBytes : await quotaOf(db, addressId)
  const scripts = (row.scripts ?? []).map(({ id, updatedAt }) => ({ id, updatedAt: new Date(updatedAt) }))
  return { ...state, quotaBytes, scripts, folders, inboxId: inbox.id, junkId: junk.id }
}

export type ActivityEntry = {
  id: string
  addressId: string
  type: ActivityTable['type']
  direction: 'in' | 'out'
  sender: string
  recipient: string
  subject: string | null
  messageId: string | null
  sizeBytes: number
  remoteIp: string | null
  result: string
  createdAt: Date
}

/**
 * Writes down that a mailbox has got this message, with a line of its activity. False, and nothing written, when the
 * same message is there already and its sender may not know.
 */
export const insertReceipt = async (tx: Tx<Tables>, hash: Buffer, entry: ActivityEntry): Promise<boolean> => {
  const rows = await tx.query({
    name: 'insert-receipt',
    text: `with taken as (
             insert into receipt (address_id, hash, acknowledged, created_at) values ($1, $2, false, $3)
             on conflict (address_id, hash) do update set acknowledged = false, created_at = excluded.created_at
               where receipt.acknowledged or receipt.created_at <= $4
             returning 1)
           insert into activity (address_id, id, type, direction, sender, recipient, subject, message_id, size_bytes,
                                 remote_ip, result, created_at)
           select $1, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $3 from taken returning 1`,
    values: [
      entry.addressId,
      hash,
      entry.createdAt,
      new Date(entry.createdAt.getTime() - RECEIPT_MS),
      entry.id,
      entry.type,
      entry.direction,
      entry.sender,
      entry.recipient,
      entry.subject,
      entry.messageId,
      entry.sizeBytes,
      entry.remoteIp,
      entry.result,
    ],
  })
  return rows.length > 0
}

/** A refused sender retries again and again: the trace of the mailbox shows it once in a while. */
const REPEATED_EVERY_MS = 3_600_000

type TurnedAway = Omit<ActivityEntry, 'type' | 'direction'>

/** Records that a sender was deferred, unless a line of the last hour does. */
export const insertDeferred = (db: Db<Tables>, entry: TurnedAway): Promise<void> =>
  insertUnlessRepeated(db, 'deferred', entry)

/** Records that a server was refused, whatever sender it named, unless a line of the last hour does. */
export const insertRefused = (db: Db<Tables>, entry: TurnedAway): Promise<void> =>
  insertUnlessRepeated(db, 'rejected', entry)

const insertUnlessRepeated = async (
  db: Db<Tables>,
  type: 'deferred' | 'rejected',
  entry: TurnedAway,
): Promise<void> => {
  await db.query({
    name: `insert-${type}`,
    text: `insert into activity (address_id, id, type, direction, sender, recipient, subject, message_id, size_bytes,
                                 remote_ip, result, created_at)
           select $1, $2, $12, 'in', $3, $4, $5, $6, $7, $8, $9, $10
           where not exists (select from activity where address_id = $1 and created_at > $11 and type = $12
                               and direction = 'in' and ${type === 'deferred' ? 'sender = $3' : 'remote_ip = $8'})`,
    values: [
      entry.addressId,
      entry.id,
      entry.sender,
      entry.recipient,
      entry.subject,
      entry.messageId,
      entry.sizeBytes,
      entry.remoteIp,
      entry.result,
      entry.createdAt,
      new Date(entry.createdAt.getTime() - REPEATED_EVERY_MS),
      type,
    ],
  })
}

export const insertActivity = async (tx: Tx<Tables>, entries: readonly ActivityEntry[]): Promise<void> => {
  if (entries.length === 0) return
  await tx
    .insertInto('activity')
    .values(
      entries.map((entry) => ({
        address_id: entry.addressId,
        id: entry.id,
        type: entry.type,
        direction: entry.direction,
        sender: entry.sender,
        recipient: entry.recipient,
        subject: entry.subject,
        message_id: entry.messageId,
        size_bytes: entry.sizeBytes,
        remote_ip: entry.remoteIp,
        result: entry.result,
        created_at: entry.createdAt,
      })),
    )
    .execute()
}

/**
 * Writes down that a message was sent on instead of being stored. False when it was already, and its sender may not know.
 */
export const insertRelayReceipt = async (tx: Tx<Tables>, hash: Buffer, now: Date): Promise<boolean> => {
  const rows = await tx.query({
    name: 'insert-relay-receipt',
    text: `insert into relay_receipt as known (hash, acknowledged, created_at) values ($1, false, $2)
           on conflict (hash) do update set acknowledged = false, created_at = excluded.created_at
             where known.acknowledged or known.created_at <= $3
           returning 1`,
    values: [hash, now, new Date(now.getTime() - RECEIPT_MS)],
  })
  return rows.length > 0
}

/** `addressId` null: it was sent on, for no mailbox. */
export type ReceiptKey = { addressId: string | null; hash: Buffer }

/** The senders of these know that we have them: the same message once more is another message. */
export const acknowledgeReceipts = async (tx: Tx<Tables>, keys: readonly ReceiptKey[]): Promise<void> => {
  const stored = keys.filter(({ addressId }) => addressId !== null)
  const relayed = keys.filter(({ addressId }) => addressId === null)
  if (relayed.length > 0)
    await tx.query({
      name: 'acknowledge-relay-receipts',
      text: 'update relay_receipt set acknowledged = true where hash = any($1)',
      values: [relayed.map(({ hash }) => hash)],
    })
  if (stored.length === 0) return
  await tx.query({
    name: 'acknowledge-receipts',
    text: `update receipt set acknowledged = true from unnest($1::uuid[], $2::bytea[]) as given (address_id, hash)
           where receipt.address_id = given.address_id and receipt.hash = given.hash
             and receipt.address_id = any(array(select unnest($1::uuid[]))) and receipt.hash = any(array(select unnest($2::bytea[])))`,
    values: [stored.map(({ addressId }) => addressId), stored.map(({ hash }) => hash)],
  })
}

/** Removes receipts that count no more, a bounded number at a time; gives how many. */
export const deleteOldReceipts = async (tx: Tx<Tables>, now: Date, limit: number): Promise<number> => {
  const rows = await tx.query({
    text: `delete from receipt where ctid = any (array(
             select ctid from receipt where created_at <= $1 limit $2 for update skip locked)) returning 1`,
    values: [new Date(now.getTime() - RECEIPT_MS), limit],
  })
  return rows.length
}

export const deleteOldRelayReceipts = async (tx: Tx<Tables>, now: Date, limit: number): Promise<number> => {
  const rows = await tx.query({
    text: `delete from relay_receipt where ctid = any (array(
             select ctid from relay_receipt where created_at <= $1 limit $2 for update skip locked)) returning 1`,
    values: [new Date(now.getTime() - RECEIPT_MS), limit],
  })
  return rows.length
}

/** Activity is kept for a month. */
const ACTIVITY_MS = 30 * 86_400_000

/** Removes old activity, a bounded number at a time; gives how many. */
export const deleteOldActivity = async (tx: Tx<Tables>, now: Date, limit: number): Promise<number> => {
  const rows = await tx.query({
    text: `delete from activity where ctid = any (array(
             select ctid from activity where created_at <= $1 limit $2 for update skip locked)) returning 1`,
    values: [new Date(now.getTime() - ACTIVITY_MS), limit],
  })
  return rows.length
}

/** The addresses that lead to a mailbox, patterns left out. */
export const listOwnAddresses = async (db: Db<Tables>, addressId: string): Promise<string[]> => {
  const rows = await db.query<{ email: string }>({
    text: `select address_name.local_part || '@' || domain.name as email
           from address_name join domain on domain.id = address_name.domain_id
           where address_name.address_id = $1 and address_name.kind <> 'pattern'`,
    values: [addressId],
  })
  return rows.map(({ email }) => email)
}
