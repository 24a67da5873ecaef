import { createMemory } from './memory.ts'

/** Messages up to here are read without a reservation. */
const SMALL_BYTES = 262_144
/** A larger one counts as no more than this: of the rest only pieces are in memory. */
const LARGE_BYTES = 8_000_000

const memory = createMemory({ total: 16 * LARGE_BYTES, share: 4 * LARGE_BYTES })

/** Reads a message for a mailbox: of large ones, some at a time in the process, and mailboxes take turns. */
export const readFairly = async <T>(mailboxId: string, bytes: number, read: () => Promise<T>): Promise<T> => {
  if (bytes <= SMALL_BYTES) return read()
  const reservation = await memory.reserve(mailboxId, Math.min(bytes, LARGE_BYTES))
  try {
    return await read()
  } finally {
    reservation.release()
  }
}
