import type { Database } from '@stoa/kit/db/database.ts'

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
