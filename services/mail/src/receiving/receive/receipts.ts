import type { Database } from '@stoa/kit/db/database.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Tables } from '../../tables.ts'
import { acknowledgeReceipts, type ReceiptKey } from './queries.ts'

/** Records which senders have received our answer. */
export type Receipts = {
  acknowledge(keys: readonly ReceiptKey[]): void
  /** Writes what is noted. */
  flush(): Promise<void>
}

/** Several messages are acknowledged with one statement. Losing some in a crash only makes a repeated message one. */
const WAIT_MS = 100
const MAX_BATCH = 500

export const createReceipts = (database: Pick<Database<Tables>, 'tx'>, log: Log): Receipts => {
  const noted: ReceiptKey[] = []
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  const write = async (): Promise<void> => {
    const batch = noted.splice(0, MAX_BATCH)
    if (batch.length === 0) return
    try {
      // Always in the same order, so that two processes do not wait for each other.
      batch.sort(
        (left, right) => (left.addressId ?? '').localeCompare(right.addressId ?? '') || left.hash.compare(right.hash),
      )
      await database.tx((tx) => acknowledgeReceipts(tx, batch))
    } catch (error) {
      log.warn({ err: error, count: batch.length }, 'receipts could not be acknowledged')
    }
  }
  const flush = (): Promise<void> => {
    if (timer) clearTimeout(timer)
    timer = null
    writing = writing.then(async () => {
      while (noted.length > 0) await write()
    })
    return writing
  }
  return {
    acknowledge(keys) {
      noted.push(...keys)
      if (noted.length >= MAX_BATCH) void flush()
      else timer ??= setTimeout(() => void flush(), WAIT_MS)
    },
    flush,
  }
}
