import type { RecordChange, RecordData, ZoneRecord } from '@stoa/kit/dns-zones/adapter.ts'
import type { PublishAction } from '@stoa/mail-model/dns.ts'
import {
  isSamePurpose,
  judgeRecord,
  mergeSpf,
  normaliseText,
  type Seen,
  type WantedRecord,
} from '../../hosting/dns-records/dns-records.ts'

/** What is to be done for one record; `change` is shared by records of one name and type. */
export type PublishStep = {
  readonly wanted: WantedRecord
  readonly action: Exclude<PublishAction, 'failed'>
  readonly message: string | null
}
export type PublishPlan = { readonly steps: readonly PublishStep[]; readonly changes: readonly RecordChange[] }

/**
 * What to do so that the records are there. What others put there stays unless `overwrite`; other texts beside ours stay
 * always.
 */
export const planPublish = (
  wanted: readonly WantedRecord[],
  existing: readonly ZoneRecord[],
  { overwrite, mxHosts }: { overwrite: boolean; mxHosts: readonly string[] },
): PublishPlan => {
  const groups = Map.groupBy(wanted, ({ fqdn, type }) => `${type} ${fqdn}`)
  const planned = [...groups.values()].map((group) => planGroup(group, existing, { overwrite, mxHosts }))
  return {
    steps: planned.flatMap(({ steps }) => steps),
    changes: planned.flatMap(({ change }) => (change ? [change] : [])),
  }
}

type Planned = { steps: PublishStep[]; change: RecordChange | null }

const planGroup = (
  group: readonly WantedRecord[],
  existing: readonly ZoneRecord[],
  rules: { overwrite: boolean; mxHosts: readonly string[] },
): Planned => {
  const [first] = group
  if (!first) return { steps: [], change: null }
  const { fqdn, type } = first
  const there = existing.filter((record) => record.fqdn === fqdn)
  const blocking = there.filter((record) => isBlocking(type, record.type))
  if (blocking.length > 0)
    return allSteps(group, 'skipped', `A ${blocking[0]?.type} record already exists at this name.`)
  const before = there.filter((record) => record.type === type)
  if (type === 'MX') return planMx(group, { before, fqdn, overwrite: rules.overwrite, mxHosts: rules.mxHosts })
  let after: readonly RecordData[] = before
  const steps = group.map((wanted) => {
    const planned = planOne(wanted, after, rules)
    after = planned.after
    return planned.step
  })
  return { steps, change: after === before ? null : { fqdn, type, before, after } }
}

/** RFC 1034 §3.6.2: beside a CNAME there is nothing else. */
const isBlocking = (wanted: string, there: string): boolean =>
  wanted === 'CNAME' ? there !== 'CNAME' : there === 'CNAME'

const allSteps = (group: readonly WantedRecord[], action: PublishStep['action'], message: string | null): Planned => ({
  steps: group.map((wanted) => ({ wanted, action, message })),
  change: null,
})

const dataOf = ({ value, priority, weight, port }: WantedRecord): RecordData => ({ value, priority, weight, port })

/** All MX records belong together: those of others would take the mail. */
const planMx = (
  group: readonly WantedRecord[],
  {
    before,
    fqdn,
    overwrite,
    mxHosts,
  }: { before: readonly ZoneRecord[]; fqdn: string; overwrite: boolean; mxHosts: readonly string[] },
): Planned => {
  const seen: Seen = {
    type: 'MX',
    values: before.map(({ value, priority }) => ({ exchange: value, priority: priority ?? 0 })),
  }
  const verdicts = group.map((wanted) => ({ wanted, ...judgeRecord(wanted, seen, mxHosts) }))
  const isForeign = before.some(({ value }) => !mxHosts.includes(value))
  if (verdicts.every(({ verdict }) => verdict === 'right')) return allSteps(group, 'unchanged', null)
  if (isForeign && !overwrite) return allSteps(group, 'skipped', 'MX records of another service exist.')
  const action = before.length === 0 ? 'created' : 'updated'
  return { ...allSteps(group, action, null), change: { fqdn, type: 'MX', before, after: group.map(dataOf) } }
}

const planOne = (
  wanted: WantedRecord,
  present: readonly RecordData[],
  { overwrite, mxHosts }: { overwrite: boolean; mxHosts: readonly string[] },
): { step: PublishStep; after: readonly RecordData[] } => {
  const isRival = ({ value }: RecordData): boolean =>
    wanted.type !== 'TXT' || isSamePurpose(wanted, normaliseText(value))
  const rivals = present.filter(isRival)
  const kept = present.filter((record) => !isRival(record))
  const step = (action: PublishStep['action'], message: string | null = null): PublishStep => ({
    wanted,
    action,
    message,
  })
  if (rivals.length === 0) return { step: step('created'), after: [...present, dataOf(wanted)] }
  if (judgeRecord(wanted, seenOf(wanted, rivals), mxHosts).verdict === 'right' && !isStale(wanted, rivals, overwrite))
    return { step: step('unchanged'), after: present }
  if (!overwrite && wanted.record !== 'Ownership')
    return { step: step('skipped', 'Another record exists. Set `overwrite` to replace it.'), after: present }
  const value =
    wanted.record === 'SPF'
      ? mergeSpf(
          rivals.map((record) => record.value),
          wanted.value,
        )
      : wanted.value
  return { step: step('updated'), after: [...kept, { ...dataOf(wanted), value }] }
}

/** Any valid DMARC policy counts; a request to overwrite sets this one. */
const isStale = ({ record, value }: WantedRecord, rivals: readonly RecordData[], overwrite: boolean): boolean =>
  record === 'DMARC' && overwrite && rivals.some((rival) => normaliseText(rival.value) !== value)

const seenOf = ({ type }: WantedRecord, present: readonly RecordData[]): Seen => {
  const values = present.map(({ value }) => value)
  if (type === 'SRV')
    return {
      type,
      values: present.map(({ value, port, priority, weight }) => ({
        target: value === '.' ? '' : value,
        port: port ?? 0,
        priority: priority ?? 0,
        weight: weight ?? 0,
      })),
    }
  return type === 'CNAME' ? { type, values } : { type: 'TXT', values }
}
