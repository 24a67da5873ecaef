import { inBatches } from '@stoa/kit/db/batches.ts'
import type { Database, Db, Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Audit, AuditAction, AuditListRequest } from '@stoa/mail-model/audit.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import { type Selectable, sql } from 'kysely'
import type { Ctx } from '../../context.ts'
import { contains, type Page, readPage } from '../../pagination/pagination.ts'
import { sessionOf } from '../../principal.ts'
import type { AuditTable } from '../../tables/panel-accounts.ts'
import type { Tables } from '../../tables.ts'

/** Who acts for the whole instance: its owner by e-mail address, or a command on the server. */
export type Actor = { readonly actor: string; readonly now: Date }

export const ownerOf = (ctx: Ctx): Actor => ({ actor: sessionOf(ctx).account.email, now: ctx.now() })

export const hostActor = (now: Date): Actor => ({ actor: 'host', now })

export type Act = { action: AuditAction; target: string | null; detail?: Record<string, unknown> }

/** Writes down what was done, in the transaction that does it. */
export const recordAct = async (
  tx: Tx<Tables>,
  { actor, now }: Actor,
  { action, target, detail = {} }: Act,
): Promise<void> => {
  await tx.insertInto('audit').values({ id: newId(), actor, action, target, detail, created_at: now }).execute()
}

export const getAudit = async (ctx: Ctx, list: AuditListRequest): Promise<List<Audit>> => {
  const { rows, total } = await listAudit(ctx.db, list)
  return toList(list, total, rows.map(auditJson))
}

const KEPT_MS = 365 * 86_400_000
const ROWS_AT_ONCE = 500

/** Forgets what was done more than a year ago. */
export const forgetAudit = async (database: Database<Tables>, now: Date): Promise<void> => {
  const before = new Date(now.getTime() - KEPT_MS)
  await inBatches(database, ROWS_AT_ONCE, (tx, limit) => deleteOldAudit(tx, before, limit))
}

type AuditRow = Selectable<AuditTable>

const auditJson = (row: AuditRow): Audit => ({
  object: 'audit',
  id: row.id,
  actor: row.actor,
  action: row.action,
  target: row.target,
  detail: row.detail,
  created_at: row.created_at.toISOString(),
})

const listAudit = (db: Db<Tables>, list: AuditListRequest): Promise<Page<AuditRow>> => {
  const { search } = list
  const found = db
    .selectFrom('audit')
    .selectAll()
    .$if(Boolean(search), (query) => query.where(contains(sql`concat_ws(' ', actor, action, target)`, search ?? '')))
  return readPage(found, list, { columns: { created_at: 'created_at' }, id: 'id' })
}

const deleteOldAudit = async (tx: Tx<Tables>, before: Date, limit: number): Promise<number> => {
  const gone = await tx.query({
    text: `delete from audit where id = any (array(
             select id from audit where created_at < $1 order by created_at limit $2 for update skip locked))
           returning 1`,
    values: [before, limit],
  })
  return gone.length
}
