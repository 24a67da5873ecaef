import { isIP } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { XmlError, xmlElements } from '@stoa/kit/xml.ts'
import { asCount, asMoment, asText, type Report } from './report.ts'

/** Kept for showing; the sums are over all. */
const MAX_ROWS = 2_000
/** Read at once, before others get their turn. */
const ELEMENTS_PER_TURN = 20_000

/** An aggregate report (RFC 9990, and its predecessor in RFC 7489 appendix C), or null when it is none. */
export const parseDmarcReport = async (xml: string): Promise<Report | null> => {
  const reading: Reading = { facts: new Map(), row: new Map(), rows: [], all: 0, passed: 0 }
  try {
    let seen = 0
    for (const { path, text } of xmlElements(xml)) {
      seen += 1
      if (seen % ELEMENTS_PER_TURN === 0) await nextTurn()
      take(reading, path, text)
    }
  } catch (error) {
    if (error instanceof XmlError) return null
    throw error
  }
  return reportOf(reading)
}

type Reading = {
  /** Values of the whole report; the first of each name counts. */
  readonly facts: Map<string, string>
  row: Map<string, string>
  readonly rows: Record<string, unknown>[]
  all: number
  passed: number
}

const FACTS: ReadonlySet<string> = new Set([
  'feedback/report_metadata/org_name',
  'feedback/report_metadata/report_id',
  'feedback/report_metadata/date_range/begin',
  'feedback/report_metadata/date_range/end',
  'feedback/policy_published/domain',
])
const ROW = 'feedback/record/'
const ROW_FACTS: ReadonlySet<string> = new Set([
  'feedback/record/row/source_ip',
  'feedback/record/row/count',
  'feedback/record/row/policy_evaluated/disposition',
  'feedback/record/row/policy_evaluated/dkim',
  'feedback/record/row/policy_evaluated/spf',
  'feedback/record/identifiers/header_from',
  'feedback/record/identifiers/envelope_from',
])

const take = (reading: Reading, path: string, text: string): void => {
  if (path === 'feedback/record') endRow(reading)
  else if (ROW_FACTS.has(path)) setFirst(reading.row, path.slice(ROW.length), text)
  else if (FACTS.has(path)) setFirst(reading.facts, path, text)
}

const setFirst = (map: Map<string, string>, key: string, text: string): void => {
  if (!map.has(key)) map.set(key, asText(text))
}

const endRow = (reading: Reading): void => {
  const of = (key: string) => reading.row.get(key) ?? ''
  const count = asCount(Number(of('row/count')))
  const [dkim, spf] = [of('row/policy_evaluated/dkim'), of('row/policy_evaluated/spf')]
  reading.all += count
  // RFC 9989 §5.3: either of them is enough.
  if (dkim === 'pass' || spf === 'pass') reading.passed += count
  if (reading.rows.length < MAX_ROWS)
    reading.rows.push({
      source_ip: isIP(of('row/source_ip')) === 0 ? null : of('row/source_ip'),
      count,
      disposition: of('row/policy_evaluated/disposition'),
      dkim,
      spf,
      header_from: of('identifiers/header_from'),
      envelope_from: of('identifiers/envelope_from'),
    })
  reading.row = new Map()
}

const reportOf = ({ facts, rows, all, passed }: Reading): Report | null => {
  const of = (key: string) => facts.get(`feedback/${key}`) ?? ''
  const begin = momentOf(of('report_metadata/date_range/begin'))
  const end = momentOf(of('report_metadata/date_range/end'))
  const domain = of('policy_published/domain').toLowerCase().replace(/\.$/, '')
  const reportId = of('report_metadata/report_id')
  if (!begin || !end || domain === '' || reportId === '') return null
  return {
    type: 'dmarc',
    org: of('report_metadata/org_name') || 'unknown',
    reportId,
    domain,
    begin,
    end,
    pass: asCount(passed),
    fail: asCount(all - passed),
    rows,
  }
}

/** Seconds since 1970. */
const momentOf = (text: string): Date | null => (/^\d{1,12}$/.test(text) ? asMoment(Number(text) * 1000) : null)
