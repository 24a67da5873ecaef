type Status = 'ok' | 'warning' | 'error'

/** One check, as both services report it. */
export type Check = {
  id: string
  status: Status
  message: string
  /** What to do about it. */
  action: string | null
}

export const statusWords = {
  ok: { label: 'OK', badge: 'live', notice: 'success' },
  warning: { label: 'Warning', badge: 'draft', notice: 'warning' },
  error: { label: 'Error', badge: 'failed', notice: 'danger' },
} as const satisfies Record<Status, { label: string; badge: string; notice: string }>

const names: Readonly<Record<string, string>> = {
  ports: 'Ports',
  public_url: 'Public URL',
  host_names: 'Host names',
  reverse_dns: 'Reverse DNS',
  dns_lists: 'DNS lists',
  blocklists: 'Blocklists',
  domains: 'Domains',
  certificate: 'Certificate',
  queue: 'Queue',
  webhooks: 'Webhooks',
  social: 'Social',
  plugins: 'Plugins',
  jobs: 'Background jobs',
  database: 'Database',
  clock: 'Clock',
  disk: 'Disk',
  backups: 'Backups',
}

export const checkName = (id: string): string => names[id] ?? id

const ORDER = { error: 0, warning: 1, ok: 2 } as const satisfies Record<Status, number>

/** In their own order where they are as bad. */
export const worstFirst = <C extends Check>(checks: readonly C[]): C[] =>
  checks.toSorted((a, b) => ORDER[a.status] - ORDER[b.status])

export const summaryOf = (checks: readonly Check[]): string => {
  const count = (status: Status) => checks.filter((check) => check.status === status).length
  const parts = [
    ...(count('error') > 0 ? [`${count('error')} ${count('error') === 1 ? 'error' : 'errors'}`] : []),
    ...(count('warning') > 0 ? [`${count('warning')} ${count('warning') === 1 ? 'warning' : 'warnings'}`] : []),
  ]
  return parts.length === 0 ? 'All checks passed' : parts.join(' and ')
}
