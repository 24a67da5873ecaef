import { inBatches } from '@stoa/kit/db/batches.ts'
import type { Database, Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Authenticity } from '../../formats/authenticity/authenticity.ts'
import { parseMessage } from '../../formats/mime/mime.ts'
import type { Tables } from '../../tables.ts'
import { parseDmarcReport } from './dmarc-report.ts'
import { countReports, deleteReportsBefore, findReportedDomains, insertReport } from './queries.ts'
import type { Report } from './report.ts'
import { parseTlsReports } from './tls-report.ts'
import { attachedTexts } from './unpack.ts'

export { getReports } from './panel.ts'

/** The reports in a message: aggregate reports of DMARC and reports about TLS, packed in any usual way. */
export const readReports = async (bytes: Buffer): Promise<Report[]> => {
  const reports: Report[] = []
  for (const text of await attachedTexts(parseMessage(bytes), bytes)) {
    if (/^\s*\{/.test(text)) reports.push(...parseTlsReports(text))
    else {
      const report = await parseDmarcReport(text)
      if (report) reports.push(report)
    }
  }
  return reports
}

/** Reads and stores the reports in a message. Answers how many were new. */
export const takeReports = async (
  database: Database<Tables>,
  { bytes, authenticity, now }: { bytes: Buffer; authenticity: Authenticity; now: Date },
): Promise<number> => {
  if (answeringDomain(authenticity) === null) return 0
  const reports = await readReports(bytes)
  return reports.length === 0 ? 0 : database.tx((tx) => storeReports(tx, { reports, authenticity, now }))
}

/**
 * Stores reports about domains that are hosted here, each once, and only from a sender that some domain answers for.
 * Answers how many were new.
 */
const storeReports = async (
  tx: Tx<Tables>,
  input: { reports: readonly Report[]; authenticity: Authenticity; now: Date },
): Promise<number> => {
  const { reports, authenticity, now } = input
  const sender = answeringDomain(authenticity)
  if (sender === null || reports.length === 0) return 0
  const domains = await findReportedDomains(tx, [...new Set(reports.map(({ domain }) => domain))])
  let stored = 0
  for (const report of reports) {
    const domainId = domains.get(report.domain)
    if (domainId === undefined) continue
    if ((await countReports(tx, domainId, new Date(now.getTime() - DAY_MS))) >= MAX_PER_DAY) continue
    const isNew = await insertReport(tx, {
      ...report,
      id: newId(),
      domainId,
      org: named(report.org, sender),
      createdAt: now,
    })
    if (isNew) stored += 1
  }
  return stored
}

/** Removes reports that nobody looks at any more. */
export const forgetReports = (database: Database<Tables>, now: Date): Promise<number> => {
  const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS)
  return inBatches(database, FORGOTTEN_AT_ONCE, (tx, limit) => deleteReportsBefore(tx, before, limit))
}

const DAY_MS = 86_400_000
/** Long enough to compare a month with the same one of last year. */
const KEPT_DAYS = 400
const FORGOTTEN_AT_ONCE = 500
/** For one domain. Some hundred receivers report; more are somebody who wants to fill the disk. */
const MAX_PER_DAY = 1_000

/** The domain that signed it or whose server sent it; that of the author when it asks for more. */
const answeringDomain = ({ dmarc, dkim, spf, fromAddress }: Authenticity): string | null => {
  if (dmarc.result === 'pass') return fromAddress?.slice(fromAddress.lastIndexOf('@') + 1).toLowerCase() ?? null
  if (dmarc.result !== 'none') return null
  return dkim.find(({ result }) => result === 'pass')?.domain ?? (spf.result === 'pass' ? spf.domain : null)
}

/** Anybody can claim any name: one that is not the sender's is shown with the sender. */
const named = (org: string, sender: string): string =>
  org.toLowerCase().includes(sender) || sender.endsWith(`.${org.toLowerCase()}`) ? org : `${org} (${sender})`
