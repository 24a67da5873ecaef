import type { Database } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'

/** Ends the connections on which processes of this database wait for notifications; each of them connects again. */
export const loseNotifications = async (
  { pool }: Pick<Database<unknown>, 'pool'>,
  applicationName = 'stoa-events',
): Promise<void> => {
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like $1 || '%'`,
    [applicationName],
  )
}

/** Resolves when this process is connected again: earlier subscribers have begun to catch up. */
export const loseAndReconnect = async (
  bus: Pick<Bus, 'subscribe'>,
  ...lost: Parameters<typeof loseNotifications>
): Promise<void> => {
  const { promise: isBack, resolve } = Promise.withResolvers<void>()
  const leave = bus.subscribe(() => undefined, resolve)
  await loseNotifications(...lost)
  await isBack
  leave()
}
