import { setTimeout as sleep } from 'node:timers/promises'
import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Clock } from '@stoa/kit/clock.ts'
import type { Database, Tx } from '@stoa/kit/db/database.ts'
import { Fault } from '@stoa/kit/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Log } from '@stoa/kit/log.ts'
import { unlinkQueued } from '../../hosting/enqueue/enqueue.ts'
import type { Tables } from '../../tables.ts'
import { type NewSuppression, suppress, suppressionSpelling } from '../suppressions/suppressions.ts'
import { decideNextState, type NextState } from './next-state.ts'
import { type Notice, queueNotice, writeNotices } from './notices.ts'
import type { Claim, OnOutcome, Result } from './parts.ts'
import {
  addSoftBounce,
  deleteSoftBounces,
  insertActivity,
  noteFailure,
  noteSuccess,
  resultKey,
  writeResults,
} from './record-queries.ts'
import { destinationRetryAt } from './retry-times.ts'

export type RecorderParts = {
  database: Database<Tables>
  blobs: Blobs
  hostname: string
  clock: Clock
  log: Log
  onOutcome: OnOutcome | undefined
}

export type Recorder = {
  /** Records the results of a claim. Resolves when it is durable, or when it turned out that the claim is not ours. */
  record(claim: Claim, results: readonly Result[]): Promise<void>
  /** Does not wait any longer for a database that is away. */
  giveUp(): void
}

type Work = { claim: Claim; results: readonly Result[]; done(): void }
type Prepared = { claim: Claim; nextStates: readonly NextState[]; notices: readonly Notice[]; now: Date }

/** One transaction for what has come in while the last one was written. */
const MAX_BATCH = 100
const RETRY_MS = 500
const WEEK_MS = 7 * 86_400_000
/** Temporary failures of so many messages in a week are a permanent one. */
const SOFT_BOUNCES = 5

export const createRecorder = (parts: RecorderParts): Recorder => {
  const waiting: Work[] = []
  let isWriting = false
  let isGivenUp = false

  const writeAll = async (): Promise<void> => {
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_BATCH)
      await writeBatch(batch)
      for (const { done } of batch) done()
    }
    isWriting = false
  }
  const writeBatch = async (batch: readonly Work[]): Promise<void> => {
    while (!isGivenUp) {
      try {
        const prepared = await Promise.all(batch.map((work) => prepare(parts, work)))
        await write(parts, prepared)
        return
      } catch (error) {
        if (error instanceof Fault && error.kind === 'unavailable') {
          parts.log.warn({ messages: batch.length }, 'results cannot be written now; trying again')
          await sleep(RETRY_MS)
        } else if (batch.length > 1) {
          for (const work of batch) await writeBatch([work])
          return
        } else return await writeBare(batch[0], error)
      }
    }
  }
  /** Writes the result without its hooks, so that an error in a hook never causes the same mail to be sent again. */
  const writeBare = async (work: Work | undefined, error: unknown): Promise<void> => {
    if (!work) return
    parts.log.error(
      { err: error, queueMessageId: work.claim.messageId },
      'what follows from a delivery was not written',
    )
    const now = parts.clock.now()
    const rows = work.results.map((result) => decideNextState(work.claim, result, now).written)
    await parts.database
      .tx((tx) => writeResults(tx, rows, now))
      .catch((cause: unknown) => parts.log.error({ err: cause }, 'a result was lost; the message is due again later'))
  }

  return {
    record: (claim, results) =>
      new Promise((resolve) => {
        waiting.push({ claim, results, done: resolve })
        // Results of the same turn are written together.
        if (!isWriting) {
          isWriting = true
          setImmediate(() => void writeAll())
        }
      }),
    giveUp() {
      isGivenUp = true
    },
  }
}

/** Records the results of a claim at once; false when the claim is not ours any more. */
export const recordNow = async (
  parts: RecorderParts,
  work: { claim: Claim; results: readonly Result[] },
): Promise<boolean> => (await write(parts, [await prepare(parts, work)])) > 0

/** Decided, and with its reports stored: no file is written while rows are locked. */
const prepare = async (
  parts: RecorderParts,
  { claim, results }: Pick<Work, 'claim' | 'results'>,
): Promise<Prepared> => {
  const now = parts.clock.now()
  const nextStates = results.map((result) => decideNextState(claim, result, now))
  return { claim, nextStates, notices: await writeNotices(parts, claim, { nextStates, now }), now }
}

/** Gives how many of them were ours to write. */
const write = (parts: RecorderParts, prepared: readonly Prepared[]): Promise<number> =>
  parts.database.tx(async (tx) => {
    const now = parts.clock.now()
    const taken = await writeResults(
      tx,
      prepared.flatMap(({ nextStates }) => nextStates.map(({ written }) => written)),
      now,
    )
    const ours = prepared.flatMap((one) => {
      const nextStates = one.nextStates.filter(({ written }) => taken.has(resultKey(written)))
      if (nextStates.length < one.nextStates.length)
        parts.log.warn({ queueMessageId: one.claim.messageId }, 'a late result of a delivery was dropped')
      return nextStates.length > 0 ? [{ ...one, nextStates }] : []
    })
    await writeConsequences(tx, parts, ours, now)
    return ours.length
  })

const writeConsequences = async (
  tx: Tx<Tables>,
  parts: RecorderParts,
  prepared: readonly Prepared[],
  now: Date,
): Promise<void> => {
  const finished = prepared.filter(({ nextStates }) => nextStates.some(({ written }) => written.isFinished))
  const activity = prepared.flatMap(({ claim, nextStates }) => nextStates.flatMap((one) => activityOf(claim, one, now)))
  const outcomes = prepared.flatMap(({ nextStates }) => nextStates.flatMap(({ outcome }) => outcome ?? []))
  const writeFollowing = async (): Promise<void> => {
    await writeDestinations(tx, prepared, now)
    await writeSuppressions(tx, prepared, now)
    if (outcomes.length > 0) await parts.onOutcome?.(tx, outcomes)
  }
  // None of these needs what another one answers.
  await Promise.all([
    finished.length > 0 ? unlinkQueued(tx, [...new Set(finished.map(({ claim }) => claim.messageId))]) : null,
    queueNotices(tx, prepared, now),
    writeFollowing(),
    activity.length > 0 ? insertActivity(tx, activity) : null,
  ])
}

const queueNotices = async (tx: Tx<Tables>, prepared: readonly Prepared[], now: Date): Promise<void> => {
  for (const { notices } of prepared) for (const notice of notices) await queueNotice(tx, notice, now)
}

const writeDestinations = async (tx: Tx<Tables>, prepared: readonly Prepared[], now: Date): Promise<void> => {
  const reached = new Set<string>()
  const failed = new Set<string>()
  for (const { claim, nextStates } of prepared) {
    for (const { result } of nextStates) {
      const { verdict, path } = result
      const isFailure = verdict.kind === 'temporary' && verdict.isDestination
      if (isFailure) failed.add(claim.domain)
      else if (path.ip !== null) reached.add(claim.domain)
    }
  }
  if (reached.size > 0) await noteSuccess(tx, [...reached].toSorted())
  for (const domain of [...failed].toSorted()) {
    if (!reached.has(domain))
      await noteFailure(tx, domain, { now, retryAt: (failures) => destinationRetryAt(now, failures) })
  }
}

/** Only the sending API suppresses; people who write by hand see the report and decide themselves. */
const writeSuppressions = async (tx: Tx<Tables>, prepared: readonly Prepared[], now: Date): Promise<void> => {
  const delivered: { accountId: string; email: string }[] = []
  const found: NewSuppression[] = []
  for (const { claim, nextStates } of prepared) {
    const { accountId, source } = claim.message
    if (source !== 'api' || accountId === null) continue
    for (const { result, written } of nextStates) {
      const email = suppressionSpelling(result.recipient.address)
      const { verdict } = result
      const base = { accountId, email, origin: 'bounce' as const, sourceId: claim.messageId }
      if (verdict.kind === 'delivered') delivered.push({ accountId, email })
      if (verdict.kind === 'permanent' && verdict.by === 'peer' && verdict.isAddress)
        found.push({ ...base, reason: written.reply ?? 'bounced' })
      if (verdict.kind === 'temporary' && verdict.code !== null && !verdict.isDestination) {
        const count = await countSoftBounce(tx, { ...base, now })
        if (count < SOFT_BOUNCES) continue
        found.push({ ...base, reason: `${count} messages in a week were not accepted: ${verdict.reply}` })
      }
    }
  }
  await suppress(tx, found, now)
  if (delivered.length === 0) return
  const emails = delivered.map(({ email }) => email)
  await deleteSoftBounces(
    tx,
    delivered.map(({ accountId }) => accountId),
    emails,
  )
}

const countSoftBounce = (
  tx: Tx<Tables>,
  { accountId, email, sourceId, now }: { accountId: string; email: string; sourceId: string; now: Date },
): Promise<number> => {
  const since = new Date(now.getTime() - WEEK_MS)
  return addSoftBounce(tx, { accountId, email, messageId: sourceId, now, since })
}

const ACTIVITY_TYPES = { delivered: 'sent', bounced: 'bounced', failed: 'bounced', deferred: 'deferred' } as const

const activityOf = ({ message, returnPath }: Claim, { outcome, result }: NextState, now: Date) => {
  if (outcome === null || outcome.state === 'suppressed' || message.addressId === null) return []
  // The first delay is news, the others are in the queue.
  if (outcome.state === 'deferred' && outcome.attempt > 1) return []
  return [
    {
      address_id: message.addressId,
      id: newId(),
      type: ACTIVITY_TYPES[outcome.state],
      direction: 'out' as const,
      sender: returnPath,
      recipient: result.recipient.address,
      subject: message.subject,
      message_id: message.headerMessageId,
      size_bytes: message.size,
      remote_ip: null,
      result: outcome.reply,
      created_at: now,
    },
  ]
}
