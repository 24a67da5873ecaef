import type { DomainStatus, RecordStatus } from '@stoa/mail-model/dns.ts'
import type { RecordState } from '../../tables/dns.ts'
import type { RecordVerdict } from './judge.ts'
import { recordKey, type WantedRecord } from './record-set.ts'

export type RecordStates = Readonly<Record<string, RecordState>>

/** For this long an absent record may still come, and one that went missing may come back. */
const PATIENCE_MS = 72 * 60 * 60_000
const MAX_FOUND = 10
const MAX_TEXT = 512

/** A look-up of a record; `unknown`: nobody could say. */
export type Observation = RecordVerdict | 'unknown'

/** The state of a record after a look, from what was known before. */
export const nextState = (
  observation: Observation,
  before: RecordState | undefined,
  { now, createdAt }: { now: Date; createdAt: Date },
): RecordState => {
  const checkedAt = now.toISOString()
  if (observation !== 'unknown' && observation.verdict === 'right')
    return { status: 'verified', found: shown(observation.found), message: null, checkedAt, verifiedAt: checkedAt }
  const verifiedAt = before?.verifiedAt ?? null
  const seen =
    observation === 'unknown'
      ? { found: before?.found ?? [], message: "The name servers didn't respond." }
      : { found: shown(observation.found), message: observation.message }
  if (observation !== 'unknown' && observation.verdict === 'wrong')
    return { status: 'failed', ...seen, checkedAt, verifiedAt }
  // Silence does not make right what was wrong a moment ago.
  if (observation === 'unknown' && before?.status === 'failed') return { ...before, message: seen.message, checkedAt }
  const isOld = (since: Date): boolean => now.getTime() - since.getTime() >= PATIENCE_MS
  if (verifiedAt !== null)
    return { status: isOld(new Date(verifiedAt)) ? 'failed' : 'temporary_failure', ...seen, checkedAt, verifiedAt }
  return { status: isOld(createdAt) ? 'failed' : 'pending', ...seen, checkedAt, verifiedAt }
}

const statusOf = (states: RecordStates, wanted: WantedRecord): RecordStatus =>
  states[recordKey(wanted)]?.status ?? 'not_started'

/** A record that worked and cannot be seen for the moment still works. */
export const isWorking = (status: RecordStatus): boolean => status === 'verified' || status === 'temporary_failure'

/** What the records that are needed say together. */
export const domainStatus = (records: readonly WantedRecord[], states: RecordStates): DomainStatus => {
  const statuses = records.filter(({ required }) => required).map((record) => statusOf(states, record))
  if (statuses.every((status) => status === 'not_started')) return 'not_started'
  if (statuses.every(isWorking)) return 'verified'
  const hasFailed = statuses.includes('failed')
  if (statuses.some(isWorking)) return hasFailed ? 'partially_failed' : 'partially_verified'
  return hasFailed ? 'failed' : 'pending'
}

/** Whether mail of the domain can be sent in its name. */
export const canSend = (records: readonly WantedRecord[], states: RecordStates): boolean =>
  records
    .filter(({ record, required }) => required && (record === 'Ownership' || record === 'SPF' || record === 'DKIM'))
    .every((record) => isWorking(statusOf(states, record)))

const MINUTE_MS = 60_000
/** After the domain was added. */
const FIRST_LOOKS = [1, 2, 5, 10, 30]
const SETTLED_MS = 6 * 60 * MINUTE_MS

/** When to look again: often while the owner is at it, rarely once everything is there. */
export const nextCheck = (status: DomainStatus, { now, createdAt }: { now: Date; createdAt: Date }): Date => {
  const age = now.getTime() - createdAt.getTime()
  if (status === 'verified' || age >= PATIENCE_MS) return new Date(now.getTime() + SETTLED_MS)
  const next = FIRST_LOOKS.map((minutes) => minutes * MINUTE_MS).find((at) => at > age)
  return new Date(next === undefined ? now.getTime() + 60 * MINUTE_MS : createdAt.getTime() + next)
}

/** Texts of strangers, short and on one line. */
const shown = (found: readonly string[]): string[] =>
  found.slice(0, MAX_FOUND).map((text) =>
    text
      .slice(0, MAX_TEXT)
      .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      .toWellFormed(),
  )
