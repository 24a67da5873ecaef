import type { DnsRecord, DomainStatus, RecordKind, RecordStatus } from '@stoa/mail-model/dns.ts'
import type { Tone } from '@stoa/ui/display/badge.tsx'

/** How a record, a kind of record or a whole domain is shown; the icon and the word say the same as the colour. */
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

type Judged = Pick<DnsRecord, 'status' | 'found' | 'required'>

/** A record that is only recommended is never shown as a failure: mail works without it. */
export const recordLook = ({ status, found, required }: Judged): Look => {
  if (status === 'verified') return { tone: 'live', word: 'Verified', icon: 'good' }
  if (status === 'not_started') return { tone: 'neutral', word: 'Not checked yet', icon: 'unknown' }
  if (status === 'temporary_failure') return { tone: 'draft', word: 'Temporarily not found', icon: 'warning' }
  const wrong = status === 'failed' && found.length > 0
  if (!required)
    return wrong
      ? { tone: 'draft', word: 'Different value', icon: 'warning' }
      : { tone: 'neutral', word: 'Not set', icon: 'unknown' }
  if (wrong) return { tone: 'failed', word: 'Incorrect', icon: 'bad' }
  if (status === 'failed') return { tone: 'failed', word: 'Missing', icon: 'bad' }
  return { tone: 'draft', word: 'Not found yet', icon: 'waiting' }
}

/** From the best to the worst. */
const ORDER: readonly RecordStatus[] = ['verified', 'temporary_failure', 'not_started', 'pending', 'failed']

export type KindState = { kind: RecordKind; required: boolean; records: readonly DnsRecord[]; look: Look }

/** One entry for each kind, in the order of the records. What is needed decides; a spare DKIM key does not. */
export const kindStates = (records: readonly DnsRecord[], look = recordLook): readonly KindState[] =>
  [...Map.groupBy(records, ({ record }) => record)].map(([kind, members]) => {
    const needed = members.filter(({ required }) => required)
    const deciding = needed.length > 0 ? needed : members
    const worst = deciding.reduce((a, b) => (ORDER.indexOf(b.status) > ORDER.indexOf(a.status) ? b : a))
    return { kind, required: needed.length > 0, records: members, look: look(worst) }
  })

/** A record that worked and cannot be seen for the moment still works. */
export const isWorking = ({ status }: Pick<DnsRecord, 'status'>): boolean =>
  status === 'verified' || status === 'temporary_failure'

export type Tally = { needed: number; working: number; wrong: number }

/** How far the records are that the domain's state depends on. */
export const tallyOf = (records: readonly DnsRecord[]): Tally => {
  const needed = records.filter(({ required }) => required)
  return {
    needed: needed.length,
    working: needed.filter(isWorking).length,
    wrong: needed.filter(({ status, found }) => status === 'failed' && found.length > 0).length,
  }
}

/** Any valid DMARC policy counts as right; one that is not that of the settings still does something else. */
export const hasOtherPolicy = ({ record, status, found, value }: DnsRecord): boolean =>
  record === 'DMARC' && status === 'verified' && found.some((text) => policyOf(text) !== policyOf(value))

const policyOf = (text: string): string => /;\s*p\s*=\s*(\w+)/i.exec(text)?.[1]?.toLowerCase() ?? 'none'

/** Outside production, names under `.test` and the like count as verified without a record. */
export const isTrustedName = (status: DomainStatus, records: readonly DnsRecord[]): boolean =>
  status === 'verified' && records.some((record) => record.required && !isWorking(record))

/** How a record of such a name is shown: what is there counts, what is not there is not missed. */
export const trustedLook = (record: Judged): Look =>
  record.status === 'verified' ? recordLook(record) : { tone: 'neutral', word: 'Not needed', icon: 'unknown' }

/** The result of a check in words. */
export const describeTally = ({ needed, working, wrong }: Tally): string => {
  if (working === needed) return 'All required records are in place.'
  const missing = needed - working - wrong
  const parts = [
    `${working} of ${needed} required records are in place`,
    ...(wrong > 0 ? [`${wrong} ${wrong === 1 ? 'has' : 'have'} a different value`] : []),
    ...(missing > 0 ? [`${missing} ${missing === 1 ? 'is' : 'are'} not found yet`] : []),
  ]
  return `${parts.join(', ')}.`
}
