import type { Clock } from '@stoa/kit/clock.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import type { Log } from '@stoa/kit/log.ts'
import { type MailDatabase, type MailTx, StoreRefusal } from '../../../store/store.ts'
import { applyAction, mailAction } from './actions.ts'
import { BULK_TOPIC } from './bulk.ts'
import {
  type BulkJobRow,
  claimBulkJob,
  findNextDue,
  finishBulkJob,
  postponeBulkJob,
  progressBulkJob,
  takeBatch,
} from './bulk-queries.ts'

export type BulkParts = { database: MailDatabase; bus: Bus; log: Log; clock: Clock }
export type BulkWorker = { stop(): Promise<void> }

/** How often to look for jobs that another process abandoned, and for retries. */
const SWEEP_MS = 5_000
const RETRY_MS = 10_000
const MAX_ATTEMPTS = 6

/** Works on actions that a request could not wait for; any number of processes may. */
export const startBulkWorker = (parts: BulkParts): BulkWorker => {
  const { bus, log } = parts
  let isStopped = false
  let working: Promise<void> | null = null
  let isAsked = false

  const work = async (): Promise<void> => {
    while (isAsked && !isStopped) {
      isAsked = false
      while (!isStopped && (await workOnce(parts)));
    }
  }
  const wake = (): void => {
    isAsked = true
    if (isStopped || working) return
    working = work()
      .catch((error: unknown) => log.error({ err: error }, 'actions on many messages wait for the database'))
      .finally(() => {
        working = null
        if (isAsked) wake()
      })
  }
  const leave = bus.subscribe(({ topic }) => {
    if (topic === BULK_TOPIC) wake()
  }, wake)
  const timer = setInterval(wake, SWEEP_MS).unref()
  wake()
  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      leave()
      await working
    },
  }
}

/** One batch of one job, in one transaction. False when there is nothing to do now. */
export const workOnce = async (parts: Omit<BulkParts, 'bus'>): Promise<boolean> => {
  const { database, clock, log } = parts
  const now = clock.now()
  const due = await findNextDue(database.db)
  if (due === null || due > now) return false
  let claimed: BulkJobRow | undefined
  try {
    return await database.tx(async (tx) => {
      claimed = await claimBulkJob(tx, now)
      if (!claimed) return false
      await workOn(tx, claimed, now)
      return true
    })
  } catch (error) {
    if (!claimed) throw error
    await giveUp(parts, claimed, error)
    log.warn({ err: error, jobId: claimed.id, addressId: claimed.address_id }, 'an action on many messages failed')
    return true
  }
}

const workOn = async (tx: MailTx, job: BulkJobRow, now: Date): Promise<void> => {
  const key = { addressId: job.address_id, id: job.id }
  const messageIds = await takeBatch(tx, key)
  if (messageIds) {
    const input = { addressId: job.address_id, messageIds, now }
    const { notFound } = await applyAction(tx, input, mailAction.parse(job.action))
    await progressBulkJob(tx, key, { done: messageIds.length, notFound: notFound.length, now })
  }
  if (job.done + (messageIds?.length ?? 0) >= job.total) await finishBulkJob(tx, key, { error: null, now })
}

/** A rule of the store will not change by itself; everything else is tried some more times. */
const giveUp = ({ database, clock }: Omit<BulkParts, 'bus'>, job: BulkJobRow, error: unknown): Promise<void> =>
  database.tx(async (tx) => {
    const now = clock.now()
    const key = { addressId: job.address_id, id: job.id }
    if (error instanceof StoreRefusal) return finishBulkJob(tx, key, { error: `${error.message}.`, now })
    const attempts = await postponeBulkJob(tx, key, new Date(now.getTime() + RETRY_MS))
    if (attempts >= MAX_ATTEMPTS)
      await finishBulkJob(tx, key, { error: 'The server ran into an unexpected error. Try again later.', now })
  })
