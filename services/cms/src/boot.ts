/**
 * A start of the service is alive while PostgreSQL has its connection for notifications, which bears this name: every
 * process can look it up, a process that is killed is gone from there at once, and no heartbeat has to be written.
 */
export const bootConnectionName = (bootId: string): string => `${BOOT_CONNECTION} ${bootId}`

const BOOT_CONNECTION = 'stoa-cms-events'

/**
 * SQL: the ids of the starts that are alive, as text. Their connection asks something every second: one that has not for
 * so long belongs to a machine that vanished without a goodbye.
 */
export const ALIVE_BOOTS = `select substring(application_name from ${BOOT_CONNECTION.length + 2}) from pg_stat_activity
  where datname = current_database() and application_name like '${BOOT_CONNECTION} %'
    and coalesce(state_change, backend_start) > clock_timestamp() - interval '30 seconds'`

/** A name in the operator's connection string would take the place of the start's own. */
export const withoutConnectionName = (databaseUrl: string): string => {
  if (!URL.canParse(databaseUrl)) return databaseUrl
  const url = new URL(databaseUrl)
  if (!url.searchParams.has('application_name')) return databaseUrl
  url.searchParams.delete('application_name')
  return url.href
}
