import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { ListRequest } from '@stoa/mail-model/list.ts'
import { sql } from 'kysely'
import { readPage } from '../../pagination/pagination.ts'
import type { Tables } from '../../tables.ts'
import type { Report } from './report.ts'

/** Which of these domains are hosted here, by name. */
export const findReportedDomains = async (
  tx: Tx<Tables>,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await tx
    .selectFrom('domain')
    .select(['id', 'name'])
    .where('name', 'in', names)
    .where('verified_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(rows.map(({ id, name }) => [name, id]))
}

/** How many reports came for a domain since then. */
export const countReports = async (tx: Tx<Tables>, domainId: string, since: Date): Promise<number> => {
  const row = await tx
    .selectFrom('report')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('domain_id', '=', domainId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return row.count
}

export const deleteReportsBefore = async (tx: Tx<Tables>, before: Date, limit: number): Promise<number> => {
  const gone = await tx.query({
    text: `delete from report where ctid = any (array(
             select ctid from report where created_at < $1 limit $2 for update skip locked))
           returning 1`,
    values: [before, limit],
  })
  return gone.length
}

/** False when the same report was stored before. */
export const insertReport = async (
  tx: Tx<Tables>,
  report: Report & { id: string; domainId: string; createdAt: Date },
): Promise<boolean> => {
  const row = await tx
    .insertInto('report')
    .values({
      domain_id: report.domainId,
      id: report.id,
      type: report.type,
      org: report.org,
      report_id: report.reportId,
      begins_at: report.begin,
      ends_at: report.end,
      pass: report.pass,
      fail: report.fail,
      rows: JSON.stringify(report.rows),
      created_at: report.createdAt,
    })
    .onConflict((conflict) => conflict.constraint('report_report_id_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const listReports = (
  db: Db<Tables>,
  domainId: string,
  list: ListRequest<'begin' | 'end' | 'org'> & { type?: 'dmarc' | 'tls' | undefined },
) => {
  const { search, type } = list
  const all = db
    .selectFrom('report')
    .select(['id', 'type', 'org', 'begins_at', 'ends_at', 'pass', 'fail', 'rows'])
    .where('domain_id', '=', domainId)
    .$if(type !== undefined, (query) => query.where('type', '=', type ?? 'dmarc'))
    .$if(Boolean(search), (query) => query.where(sql<boolean>`position(lower(${search}) in lower(org)) > 0`))
  return readPage(all, list, { columns: { begin: 'begins_at', end: 'ends_at', org: 'org' }, id: 'id' })
}
