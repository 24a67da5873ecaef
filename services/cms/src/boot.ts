/**
 * A start of the service is alive while PostgreSQL has its connection for notifications, which bears this name: every
 * process can look it up, a process that is killed is gone from there at once, and no heartbeat has to be written.
 */
export const bootConnectionName = (bootId: string): string => `${BOOT_CONNECTION} ${bootId}`

export const BOOT_CONNECTION = 'stoa-cms-events'

/** A name in the operator's connection string would take the place of the start's own. */
export const withoutConnectionName = (databaseUrl: string): string => {
  if (!URL.canParse(databaseUrl)) return databaseUrl
  const url = new URL(databaseUrl)
  if (!url.searchParams.has('application_name')) return databaseUrl
  url.searchParams.delete('application_name')
  return url.href
}
