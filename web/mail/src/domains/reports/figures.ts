import type { Report } from '@stoa/mail-model/domains.ts'

export type Day = { day: string; pass: number; fail: number }

const DAY_MS = 86_400_000
/** Fewer would make bars of a single day into walls. */
const MIN_DAYS = 30
/** More bars than this cannot be distinguished. */
const MAX_DAYS = 60

/** Passed and failed for each day on which a report begins, with the days between, a month at least, oldest first. */
export const daysOf = (reports: readonly Pick<Report, 'begin' | 'pass' | 'fail'>[]): readonly Day[] => {
  const days = new Map<string, Day>()
  for (const { begin, pass, fail } of reports) {
    const day = begin.slice(0, 10)
    const before = days.get(day) ?? { day, pass: 0, fail: 0 }
    days.set(day, { day, pass: before.pass + pass, fail: before.fail + fail })
  }
  const known = [...days.keys()].sort()
  const [first] = known
  const last = known.at(-1)
  if (first === undefined || last === undefined) return []
  const end = Date.parse(last)
  const shown = Math.round((end - Date.parse(first)) / DAY_MS) + 1
  const start = end - (Math.min(MAX_DAYS, Math.max(MIN_DAYS, shown)) - 1) * DAY_MS
  return Array.from({ length: Math.round((end - start) / DAY_MS) + 1 }, (_none, index) => {
    const day = new Date(start + index * DAY_MS).toISOString().slice(0, 10)
    return days.get(day) ?? { day, pass: 0, fail: 0 }
  })
}

export type Sums = { pass: number; fail: number; reporters: number }

export const sumsOf = (reports: readonly Pick<Report, 'org' | 'pass' | 'fail'>[]): Sums => ({
  pass: reports.reduce((sum, { pass }) => sum + pass, 0),
  fail: reports.reduce((sum, { fail }) => sum + fail, 0),
  reporters: new Set(reports.map(({ org }) => org)).size,
})

/** A share in whole percent; a single failure among many is never rounded away. */
export const percentOf = (part: number, whole: number): string => {
  if (whole === 0) return '–'
  const share = (part / whole) * 100
  if (part < whole && share > 99) return `${Math.floor(share * 10) / 10} %`
  return `${Math.round(share)} %`
}

/** Mail that came from one server, according to DMARC reports. */
export type ReportSource = {
  ip: string
  count: number
  passed: number
  dkim: number
  spf: number
  refused: number
  from: string
}

type Rows = readonly Pick<Report, 'rows'>[]

/** The servers that sent in the name of the domain, the busiest first. */
export const sourcesOf = (reports: Rows): readonly ReportSource[] => {
  const sources = new Map<string, ReportSource>()
  for (const row of reports.flatMap(({ rows }) => rows)) {
    const ip = text(row.source_ip) || 'Unknown'
    const count = number(row.count)
    const [dkim, spf] = [row.dkim === 'pass', row.spf === 'pass']
    const before = sources.get(ip) ?? { ip, count: 0, passed: 0, dkim: 0, spf: 0, refused: 0, from: '' }
    sources.set(ip, {
      ip,
      count: before.count + count,
      passed: before.passed + (dkim || spf ? count : 0),
      dkim: before.dkim + (dkim ? count : 0),
      spf: before.spf + (spf ? count : 0),
      refused: before.refused + (row.disposition === 'quarantine' || row.disposition === 'reject' ? count : 0),
      from: before.from || text(row.envelope_from) || text(row.header_from),
    })
  }
  return [...sources.values()].sort((a, b) => b.count - a.count || a.ip.localeCompare(b.ip))
}

/** One way in which encrypted deliveries failed, according to TLS reports. */
export type Failure = { reason: string; count: number; hosts: readonly string[]; senders: readonly string[] }

export const failuresOf = (reports: Rows): readonly Failure[] => {
  const failures = new Map<string, { count: number; hosts: Set<string>; senders: Set<string> }>()
  for (const row of reports.flatMap(({ rows }) => rows))
    for (const failure of Array.isArray(row.failures) ? row.failures : []) {
      if (!isRecord(failure)) continue
      const reason = text(failure.result_type) || 'unknown'
      const before = failures.get(reason) ?? { count: 0, hosts: new Set(), senders: new Set() }
      before.count += number(failure.count)
      if (text(failure.receiving_host)) before.hosts.add(text(failure.receiving_host))
      if (text(failure.sending_ip)) before.senders.add(text(failure.sending_ip))
      failures.set(reason, before)
    }
  return [...failures]
    .map(([reason, { count, hosts, senders }]) => ({ reason, count, hosts: [...hosts], senders: [...senders] }))
    .sort((a, b) => b.count - a.count)
}

/** RFC 8460 §4.3 in words. */
export const failureWords: Readonly<Record<string, string>> = {
  'starttls-not-supported': 'Encryption not supported',
  'certificate-host-mismatch': 'Certificate name mismatch',
  'certificate-expired': 'Certificate expired',
  'certificate-not-trusted': 'Certificate not trusted',
  'validation-failure': "Connection couldn't be validated",
  'tlsa-invalid': 'Invalid TLSA record',
  'dnssec-invalid': 'Invalid DNSSEC',
  'dane-required': 'Required DANE missing',
  'sts-policy-fetch-error': "MTA-STS policy couldn't be fetched",
  'sts-policy-invalid': 'Invalid MTA-STS policy',
  'sts-webpki-invalid': 'Policy host has no valid certificate',
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
