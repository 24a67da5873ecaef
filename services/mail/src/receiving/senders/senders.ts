import type { Db, Tx } from '@stoa/kit/db/database.ts'
import { isConflict } from '@stoa/kit/db/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import { networksOf } from '@stoa/mail-model/networks.ts'
import type { Sender, SenderInput, SenderListRequest } from '@stoa/mail-model/senders.ts'
import { type Selectable, sql } from 'kysely'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { type Actor, ownerOf, recordAct } from '../../hosting/audit/audit.ts'
import { contains, type Page, readPage } from '../../pagination/pagination.ts'
import type { ListedSenderTable } from '../../tables/receiving.ts'
import type { Tables } from '../../tables.ts'
import type { ListedSender } from './decision.ts'

export { decideSender, type ListedSender, sendersOf } from './decision.ts'

/** Somebody's own list, not a feed of addresses: all of a domain's that allow are read with a message. */
const MAX_SENDERS = 1_000

/** Whose list it is: a mailbox's, a domain's, or with neither the instance's. */
export type SenderList = { readonly addressId: string | null; readonly domainId: string | null }

/** The value of `listed_sender.list_id` for the list of the instance. */
const INSTANCE_LIST = '00000000-0000-0000-0000-000000000000'
const idOf = ({ addressId, domainId }: SenderList): string => addressId ?? domainId ?? INSTANCE_LIST

export const getSender = async (ctx: Ctx, list: SenderList, id: string): Promise<SenderRow> =>
  (await findSender(ctx.db, list, id)) ?? fail('not_found')

export const getSenders = async (ctx: Ctx, list: SenderList, page: SenderListRequest): Promise<List<Sender>> => {
  const { rows, total } = await listSenders(ctx.db, list, page)
  return toList(page, total, rows.map(senderJson))
}

export const addSender = (ctx: Ctx, list: SenderList, input: SenderInput): Promise<Sender> =>
  ctx.tx((tx) => putOnList(tx, list, input, { now: ctx.now(), actor: actorOf(ctx, list) }))

export const removeSender = async (ctx: Ctx, row: SenderRow) => {
  const { id, address_id: addressId, domain_id: domainId } = row
  const actor = actorOf(ctx, { addressId, domainId })
  const isGone = await ctx.tx((tx) => takeOffList(tx, row, actor))
  return isGone ? ({ object: 'sender', id, deleted: true } as const) : fail('not_found')
}

/** The instance's list is the owner's, whose acts are written down; the others are people's own. */
const actorOf = (ctx: Ctx, { addressId, domainId }: SenderList): Actor | null =>
  addressId === null && domainId === null ? ownerOf(ctx) : null

/** Adds a sender to a list; what `actor` does is written down. */
export const putOnList = async (
  tx: Tx<Tables>,
  list: SenderList,
  { pattern, action }: SenderInput,
  { now, actor }: { now: Date; actor: Actor | null },
): Promise<Sender> => {
  if ((await countSenders(tx, list)) >= MAX_SENDERS)
    fail('quota_exceeded', { message: `The list can have up to ${MAX_SENDERS} senders.` })
  const owner = { address_id: list.addressId, domain_id: list.domainId }
  const row = { id: newId(), ...owner, pattern, action, created_at: now }
  const added = await insertSender(tx, row).catch((error: unknown) => {
    if (isConflict(error, 'listed_sender_pattern_key'))
      return fail('conflict', { message: 'This sender is already on the list.', cause: error })
    throw error
  })
  if (actor) await recordAct(tx, actor, { action: 'sender.added', target: pattern, detail: { action } })
  return senderJson(added)
}

/** False when it is not there any more. */
export const takeOffList = async (
  tx: Tx<Tables>,
  { id, pattern, action }: Pick<SenderRow, 'id' | 'pattern' | 'action'>,
  actor: Actor | null,
): Promise<boolean> => {
  if (!(await deleteSender(tx, id))) return false
  if (actor) await recordAct(tx, actor, { action: 'sender.removed', target: pattern, detail: { action } })
  return true
}

const senderJson = (row: SenderRow): Sender => ({
  object: 'sender',
  id: row.id,
  address_id: row.address_id,
  domain_id: row.domain_id,
  pattern: row.pattern,
  action: row.action,
  created_at: row.created_at.toISOString(),
})

type SenderRow = Omit<Selectable<ListedSenderTable>, 'list_id'>

const COLUMNS = ['id', 'address_id', 'domain_id', 'pattern', 'action', 'created_at'] as const

const listSenders = (db: Db<Tables>, list: SenderList, page: SenderListRequest): Promise<Page<SenderRow>> => {
  const all = db.selectFrom('listed_sender').select(COLUMNS).where('list_id', '=', idOf(list))
  return readPage(page.search ? all.where(contains(sql`pattern`, page.search)) : all, page, {
    columns: { created_at: 'created_at', pattern: 'pattern' },
    id: 'id',
  })
}

/** A whole list, by pattern. */
export const listAllSenders = (db: Db<Tables>, list: SenderList): Promise<SenderRow[]> =>
  db
    .selectFrom('listed_sender')
    .select(COLUMNS)
    .where('list_id', '=', idOf(list))
    .orderBy('pattern')
    .limit(MAX_SENDERS)
    .execute()

const findSender = (db: Db<Tables>, list: SenderList, id: string): Promise<SenderRow | undefined> =>
  db
    .selectFrom('listed_sender')
    .select(COLUMNS)
    .where('list_id', '=', idOf(list))
    .where('id', '=', id)
    .executeTakeFirst()

const countSenders = async (db: Db<Tables>, list: SenderList): Promise<number> => {
  const row = await db
    .selectFrom('listed_sender')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('list_id', '=', idOf(list))
    .executeTakeFirstOrThrow()
  return row.count
}

const insertSender = (tx: Tx<Tables>, row: SenderRow): Promise<SenderRow> =>
  tx.insertInto('listed_sender').values(row).returning(COLUMNS).executeTakeFirstOrThrow()

const deleteSender = async (tx: Tx<Tables>, id: string): Promise<boolean> =>
  (await tx.deleteFrom('listed_sender').where('id', '=', id).returning('id').executeTakeFirst()) !== undefined

/**
 * The network on the instance's list that a server is blocked by: its mail is refused at the door, whatever lists of
 * domains and mailboxes say.
 */
export const findBlockedServer = async (db: Db<Tables>, ip: string): Promise<string | null> => {
  const networks = networksOf(ip)
  const listed = await db.query<Pick<ListedSender, 'pattern' | 'action'>>({
    name: 'find-listed-servers',
    text: 'select pattern, action from listed_sender where list_id = $1 and pattern = any ($2)',
    values: [INSTANCE_LIST, networks],
  })
  const narrowest = networks.find((network) => listed.some(({ pattern }) => pattern === network))
  return listed.some(({ pattern, action }) => pattern === narrowest && action === 'block') ? (narrowest ?? null) : null
}

/** What the lists that count for a mailbox say about these: addresses, domains as `@example.com`, and networks. */
export const findListedSenders = (
  db: Db<Tables>,
  { addressId, domainId }: { addressId: string; domainId: string },
  patterns: readonly string[],
): Promise<ListedSender[]> =>
  db.query<ListedSender>({
    name: 'find-listed-senders',
    text: `select pattern, action, case when address_id is not null then 'mailbox'
                    when domain_id is not null then 'domain' else 'instance' end as level
           from listed_sender where list_id = any ($1) and pattern = any ($2)`,
    values: [[addressId, domainId, INSTANCE_LIST], patterns],
  })
