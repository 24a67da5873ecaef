import { canonicalName, type MxRecord, type SrvRecord } from '../../wire/dns/dns.ts'
import type { WantedRecord } from './record-set.ts'
import { includesUs, isSpf } from './spf.ts'

/** What DNS has at the name of a record. */
export type Seen =
  | { type: 'TXT'; values: readonly string[] }
  | { type: 'MX'; values: readonly MxRecord[] }
  | { type: 'CNAME'; values: readonly string[] }
  | { type: 'SRV'; values: readonly SrvRecord[] }

export type RecordVerdict = {
  readonly verdict: 'right' | 'wrong' | 'absent'
  readonly found: readonly string[]
  readonly message: string | null
}

/** Compares a record with what is there. `mxHosts` are all of ours. */
export const judgeRecord = (wanted: WantedRecord, seen: Seen, mxHosts: readonly string[]): RecordVerdict => {
  if (seen.type === 'MX') return judgeMx(wanted, seen.values, mxHosts)
  if (seen.type === 'CNAME') return judgeCname(wanted, seen.values)
  if (seen.type === 'SRV') return judgeSrv(wanted, seen.values)
  return judgeTxt(wanted, seen.values.map(normaliseText))
}

/** RFC 7208 §3.3 and others let spaces stand anywhere between the parts. */
export const normaliseText = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The tags of a record such as DKIM's and DMARC's: `v=DMARC1; p=none`. */
const tagsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(';').flatMap((part) => {
      const at = part.indexOf('=')
      return at < 1 ? [] : [[part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()] as const]
    }),
  )

/** Which texts at a name serve the same purpose as this record. */
export const isSamePurpose = (wanted: Pick<WantedRecord, 'record'>, text: string): boolean => {
  switch (wanted.record) {
    case 'SPF':
      return isSpf(text)
    case 'Ownership':
      return text.startsWith('mail-verify=')
    case 'DKIM':
      return tagsOf(text).has('p') || /^v=dkim1\b/i.test(text)
    case 'DMARC':
      return /^v=dmarc1\s*(;|$)/i.test(text)
    case 'MTA-STS':
      return /^v=stsv1\s*(;|$)/i.test(text)
    case 'TLS-RPT':
      return /^v=tlsrptv1\s*(;|$)/i.test(text)
    default:
      return true
  }
}

const right = (found: readonly string[]): RecordVerdict => ({ verdict: 'right', found, message: null })
const wrong = (found: readonly string[], message: string): RecordVerdict => ({ verdict: 'wrong', found, message })
const absent = (found: readonly string[] = []): RecordVerdict => ({
  verdict: 'absent',
  found,
  message: 'Record not found.',
})

const judgeTxt = (wanted: WantedRecord, all: readonly string[]): RecordVerdict => {
  const found = all.filter((text) => isSamePurpose(wanted, text))
  const [first] = found
  if (first === undefined) return absent()
  if (wanted.record === 'Ownership')
    return found.includes(wanted.value) ? right(found) : wrong(found, 'The record has a different value.')
  if (found.length > 1) return wrong(found, 'There are several of these records. Keep only one.')
  const problem = textProblem(wanted, first)
  return problem === null ? right(found) : wrong(found, problem)
}

const textProblem = ({ record, value }: WantedRecord, text: string): string | null => {
  const tags = tagsOf(text)
  const ours = tagsOf(value)
  switch (record) {
    case 'SPF':
      return includesUs(text, value) ? null : "The SPF record doesn't include this server."
    case 'DKIM':
      return stripped(tags.get('p')) === stripped(ours.get('p')) ? null : 'The record has a different key.'
    case 'DMARC':
      return /^(none|quarantine|reject)$/i.test(tags.get('p') ?? 'none') ? null : 'The DMARC policy is invalid.'
    case 'MTA-STS':
      return tags.get('id') === ours.get('id') ? null : 'The policy ID is outdated.'
    case 'TLS-RPT':
      return addressesOf(tags.get('rua')).has(ours.get('rua') ?? '')
        ? null
        : 'Reports are only sent to another address.'
    default:
      return text === normaliseText(value) ? null : 'The record has a different value.'
  }
}

const stripped = (text: string | undefined): string => (text ?? '').replace(/\s+/g, '')
const addressesOf = (rua: string | undefined): ReadonlySet<string> =>
  new Set((rua ?? '').split(',').map((address) => address.trim()))

/** Ours must come before those of others, or some mail goes elsewhere. */
const judgeMx = (wanted: WantedRecord, records: readonly MxRecord[], mxHosts: readonly string[]): RecordVerdict => {
  const found = records.map(({ priority, exchange }) => `${priority} ${exchange || '.'}`)
  const own = new Set(mxHosts.map(canonicalName))
  const ours = records.filter(({ exchange }) => own.has(exchange))
  const foreign = records.filter(({ exchange }) => !own.has(exchange))
  const worst = Math.max(...ours.map(({ priority }) => priority))
  const [rival] = foreign.filter(({ priority }) => ours.length === 0 || priority <= worst)
  if (rival) return wrong(found, `Mail goes to ${rival.exchange || 'nobody'}. Remove that MX record.`)
  return ours.some(({ exchange }) => exchange === canonicalName(wanted.value)) ? right(found) : absent(found)
}

const judgeCname = (wanted: WantedRecord, names: readonly string[]): RecordVerdict => {
  if (names.length === 0) return absent()
  return names.includes(canonicalName(wanted.value)) ? right(names) : wrong(names, 'The record points to another host.')
}

const judgeSrv = (wanted: WantedRecord, records: readonly SrvRecord[]): RecordVerdict => {
  const found = records.map(
    ({ priority, weight, port, target }) => `${priority} ${weight} ${port} ${target === '' ? '.' : target}`,
  )
  if (found.length === 0) return absent()
  const isOurs = records.some(
    ({ target, port }) =>
      target === canonicalName(wanted.value === '.' ? '' : wanted.value) && (target === '' || port === wanted.port),
  )
  return isOurs ? right(found) : wrong(found, 'The record points to another server.')
}
