import type { DnsRecord, DomainStatus, RecordKind } from '@stoa/mail-model/dns.ts'
import type { Tone } from '@stoa/ui/display/badge.tsx'

/** How a record, a kind of record or a whole domain is shown; the icon and the word say the same as the color. */
export type Look = { tone: Tone; word: string; icon: 'good' | 'waiting' | 'warning' | 'bad' | 'unknown' }

export const domainLook = (status: DomainStatus): Look => DOMAIN_LOOKS[status]

const DOMAIN_LOOKS: Record<DomainStatus, Look> = {
  not_started: { tone: 'neutral', word: 'Not checked yet', icon: 'unknown' },
  pending: { tone: 'draft', word: 'Waiting for DNS', icon: 'waiting' },
  verified: { tone: 'live', word: 'Verified', icon: 'good' },
  partially_verified: { tone: 'draft', word: 'Partly verified', icon: 'waiting' },
  partially_failed: { tone: 'failed', word: 'Partly failing', icon: 'bad' },
  failed: { tone: 'failed', word: 'Failing', icon: 'bad' },
}

/** What sending and receiving depend on. The service wants DMARC as well before it calls a domain verified. */
const NEEDED: ReadonlySet<RecordKind> = new Set(['Ownership', 'MX', 'SPF', 'DKIM'])

/** A spare DKIM key is never needed. */
export const isNeeded = ({ record, required }: Pick<DnsRecord, 'record' | 'required'>): boolean =>
  required && NEEDED.has(record)

type Judged = Pick<DnsRecord, 'record' | 'status' | 'found' | 'required'>

/** A record that is only recommended is never shown as a failure: mail works without it. */
export const recordLook = (record: Judged): Look => {
  const { status } = record
  if (status === 'verified') return { tone: 'live', word: 'Verified', icon: 'good' }
  if (status === 'not_started') return { tone: 'neutral', word: 'Not checked yet', icon: 'unknown' }
  if (status === 'temporary_failure') return { tone: 'draft', word: 'Temporarily not found', icon: 'warning' }
  const wrong = isWrong(record)
  if (!isNeeded(record))
    return wrong
      ? { tone: 'draft', word: 'Different value', icon: 'warning' }
      : { tone: 'neutral', word: 'Not set', icon: 'unknown' }
  if (wrong) return { tone: 'failed', word: 'Incorrect', icon: 'bad' }
  if (status === 'failed') return { tone: 'failed', word: 'Missing', icon: 'bad' }
  return { tone: 'draft', word: 'Not found yet', icon: 'waiting' }
}

/** Something else is there. */
export const isWrong = ({ status, found }: Pick<DnsRecord, 'status' | 'found'>): boolean =>
  status === 'failed' && found.length > 0

/** Any valid DMARC policy counts as right; one that is not that of the settings still does something else. */
export const hasOtherPolicy = ({ record, status, found, value }: DnsRecord): boolean =>
  record === 'DMARC' && status === 'verified' && found.some((text) => policyOf(text) !== policyOf(value))

const policyOf = (text: string): string => /;\s*p\s*=\s*(\w+)/i.exec(text)?.[1]?.toLowerCase() ?? 'none'

/** A record that worked and cannot be seen for the moment still works. */
const isWorking = ({ status }: Pick<DnsRecord, 'status'>): boolean =>
  status === 'verified' || status === 'temporary_failure'

/** Outside production, names under `.test` and the like count as verified without a record. */
export const isTrustedName = (status: DomainStatus, records: readonly DnsRecord[]): boolean =>
  status === 'verified' && records.some((record) => record.required && !isWorking(record))

/** How a record of such a name is shown: what is there counts, what is not there is not missed. */
export const trustedLook = (record: Judged): Look =>
  record.status === 'verified' ? recordLook(record) : { tone: 'neutral', word: 'Skipped', icon: 'unknown' }

export type Tally = { total: number; verified: number; wrong: number }

export const tallyOf = (records: readonly DnsRecord[]): Tally => ({
  total: records.length,
  verified: records.filter(({ status }) => status === 'verified').length,
  wrong: records.filter(isWrong).length,
})

/** Mail goes out and comes in, and nothing that it needs is in doubt. */
export const isReady = (records: readonly DnsRecord[]): boolean =>
  records.filter(isNeeded).every(({ status }) => status === 'verified')

/** The result of a check in words. */
export const describeCheck = (records: readonly DnsRecord[]): string => {
  const { total, verified, wrong } = tallyOf(records.filter(isNeeded))
  if (verified === total) return 'All needed records are verified.'
  const missing = total - verified - wrong
  const parts = [
    `${verified} of ${total} needed records ${verified === 1 ? 'is' : 'are'} verified`,
    ...(wrong > 0 ? [`${wrong} ${wrong === 1 ? 'has' : 'have'} a different value`] : []),
    ...(missing > 0 ? [`${missing} ${missing === 1 ? "wasn't" : "weren't"} found`] : []),
  ]
  return `${parts.join(', ')}.`
}
