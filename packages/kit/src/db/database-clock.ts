import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Database } from './database.ts'

export type DatabaseClock = Clock & { stop(): void }

/** Between two readings no clock is off by more than a few milliseconds. */
const READ_EVERY_MS = 30_000
/** A slower reading is too inaccurate. */
const MAX_ROUND_TRIP_MS = 1_000

/**
 * The time of the database, carried on by a clock that nobody sets. All processes on a database share it, whatever their
 * machines take for the time: a lease ends for all of them at once, and nothing is given up because a clock was set.
 */
export const openDatabaseClock = async <T>(
  { db }: Pick<Database<T>, 'db'>,
  { log, readEveryMs = READ_EVERY_MS }: { log: Log; readEveryMs?: number },
): Promise<DatabaseClock> => {
  const read = async (): Promise<{ ahead: number; roundTrip: number }> => {
    const asked = performance.now()
    const [row] = await db.query<{ now: Date }>({ text: 'select clock_timestamp() as now' })
    const answered = performance.now()
    if (!row) throw new Error('the database did not say the time')
    return { ahead: row.now.getTime() - (asked + answered) / 2, roundTrip: answered - asked }
  }
  let { ahead } = await read()
  const timer = setInterval(() => {
    read().then(
      (reading) => {
        if (reading.roundTrip <= MAX_ROUND_TRIP_MS) ahead = reading.ahead
      },
      (err: unknown) => log.debug({ err }, 'the time of the database could not be read; the last reading goes on'),
    )
  }, readEveryMs).unref()
  return { now: () => new Date(performance.now() + ahead), stop: () => clearInterval(timer) }
}
