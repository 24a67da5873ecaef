import { type Report as ReportJson, report } from '@stoa/mail-model/domains.ts'
import { type List, type ListRequest, toList } from '@stoa/mail-model/list.ts'
import type { Ctx } from '../../context.ts'
import { listReports } from './queries.ts'

/** Reports about a domain of the caller's account. */
export const getReports = async (
  ctx: Ctx,
  domainId: string,
  list: ListRequest<'begin' | 'end' | 'org'> & { type?: 'dmarc' | 'tls' | undefined },
): Promise<List<ReportJson>> => {
  const { rows, total } = await listReports(ctx.db, domainId, list)
  return toList(
    list,
    total,
    rows.map((row) => ({
      object: 'report',
      id: row.id,
      type: row.type,
      org: row.org,
      begin: row.begins_at.toISOString(),
      end: row.ends_at.toISOString(),
      pass: row.pass,
      fail: row.fail,
      rows: report.shape.rows.parse(row.rows),
    })),
  )
}
