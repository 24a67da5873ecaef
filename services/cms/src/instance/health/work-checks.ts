import type { Finding } from '@stoa/kit/health/health.ts'

const MAX_NAMED = 5

const named = (names: readonly string[]): string => {
  const rest = names.length - MAX_NAMED
  return `${names.slice(0, MAX_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

const NO_WORKER = 'Check that a process with the role worker runs (CMS_ROLES), and what its log says.'

export const judgeWebhooks = (failing: readonly { name: string }[]): Finding => {
  if (failing.length === 0) return { status: 'ok', message: 'All webhooks reach their target.', value: 0 }
  return {
    status: 'warning',
    message: `Failing webhooks: ${named(failing.map(({ name }) => name))}.`,
    action:
      'Open Webhooks to see what the target answered. Once it works, turn the webhook on and send failed deliveries again.',
    value: failing.length,
  }
}

export type SocialFacts = {
  /** Due long ago, with nobody working on them. */
  overdue: number
  /** Accounts that have to be connected again. */
  disconnected: number
  /** Posts that a network did not accept, of the last days. */
  failed: number
}

export const judgeSocial = ({ overdue, disconnected, failed }: SocialFacts): Finding => {
  if (overdue > 0)
    return {
      status: 'error',
      message: `${counted(overdue, 'social post', 'social posts')} should have been sent at least 15 minutes ago.`,
      action: NO_WORKER,
      value: overdue,
    }
  if (disconnected > 0)
    return {
      status: 'warning',
      message: `${counted(disconnected, 'social account has', 'social accounts have')} to be connected again.`,
      action: 'Open Social, Accounts, and connect again what is marked.',
      value: disconnected,
    }
  if (failed > 0)
    return {
      status: 'warning',
      message: `${counted(failed, 'social post', 'social posts')} failed in the last 7 days.`,
      action: 'Open Social, Posts, to see why, and send again what should still go out.',
      value: failed,
    }
  return { status: 'ok', message: 'Social posts are sent on time.', value: 0 }
}

export type PluginFacts = {
  /** Switched off because they died again and again. */
  died: string[]
  /** Whose last event or scheduled run failed. */
  failing: string[]
  /** Events that nobody has handled for long. */
  overdue: number
}

export const judgePlugins = ({ died, failing, overdue }: PluginFacts): Finding => {
  if (died.length > 0)
    return {
      status: 'error',
      message: `Turned off after repeated crashes: ${named(died)}.`,
      action: 'Open Plugins to see the last error. Update the plugin, then turn it on again.',
      value: died.length,
    }
  if (overdue > 0)
    return {
      status: 'error',
      message: `${counted(overdue, 'plugin event', 'plugin events')} should have been handled at least 15 minutes ago.`,
      action: NO_WORKER,
      value: overdue,
    }
  if (failing.length > 0)
    return {
      status: 'warning',
      message: `Failing events or schedules: ${named(failing)}.`,
      action: 'Open Plugins and look at the runs of each.',
      value: failing.length,
    }
  return { status: 'ok', message: 'All plugins work.', value: 0 }
}
