import type { ActivityRecord } from '@stoa/cms-model/activity.ts'
import type { Permission } from '@stoa/cms-model/permissions.ts'
import { formatNumber } from '@stoa/ui/text/format.ts'

/** One, and several. */
const kinds: Record<string, readonly [string, string]> = {
  entry: ['entry', 'entries'],
  trash: ['trash', 'trash'],
  media: ['file', 'files'],
  type: ['content type', 'content types'],
  taxonomy: ['taxonomy', 'taxonomies'],
  term: ['term', 'terms'],
  menu: ['menu', 'menus'],
  settings: ['settings', 'settings'],
  design: ['design', 'design'],
  user: ['person', 'people'],
  invitation: ['invitation for', 'invitations'],
  session: ['session', 'sessions'],
  deliveryKey: ['delivery key', 'delivery keys'],
  agentKey: ['agent key', 'agent keys'],
  webhook: ['webhook', 'webhooks'],
  social: ['social post', 'social posts'],
  'social-app': ['social app', 'social apps'],
  'social-account': ['social account', 'social accounts'],
  plugin: ['plugin', 'plugins'],
  ai: ['AI provider', 'AI providers'],
  visitor: ['visitor assistant', 'visitor assistants'],
}

const verbs: Record<string, string> = {
  'entry.updated': 'edited',
  'entry.publish.failed': "couldn't publish",
  'entry.unpublish.failed': "couldn't unpublish",
  'media.created': 'uploaded',
  'media.updated': 'edited',
  'user.created': 'added',
  'invitation.created': 'created',
  'user.totp.enabled': 'turned on two-factor authentication for',
  'user.totp.disabled': 'turned off two-factor authentication for',
  'user.password.changed': 'changed the password of',
  'webhook.disabled': 'turned off',
  'webhook.rotated': 'replaced the secret of',
  'webhook.redelivered': 'resent a delivery of',
  'entry.purged': 'permanently deleted',
  'trash.emptied': 'emptied',
  'social.post.failed': "couldn't post",
  'social.post.partial': 'partly posted',
  'social.post.cancelled': 'canceled',
  'plugin.enabled': 'turned on',
  'plugin.disabled': 'turned off',
  'plugin.settings_updated': 'changed the settings of',
  'ai.updated': 'changed the settings of',
  'plugin.failed': 'automatically turned off',
  'visitor.questionsDeleted': 'deleted all questions of',
}

/** `entry.published` is "published": what was done, before what it was done to. */
export const verbOf = (action: string): string =>
  verbs[action] ?? (action.split('.').at(-1) ?? action).replace(/-/g, ' ')

/** The service's own parts are named like people: "Scheduler". */
export const actorName = ({ actor: { name }, via }: Pick<ActivityRecord, 'actor' | 'via'>): string =>
  via === 'system' ? name.charAt(0).toUpperCase() + name.slice(1) : name

/** "the entry", "the trash", "the settings"; a kind that is new is named as it is. */
export const kindOf = (kind: string): string => `the ${kinds[kind]?.[0] ?? kind}`

/** "4 entries"; of a kind that is new, "4 × its name". */
export const kindsOf = (kind: string, count: number): string => {
  const several = kinds[kind]?.[1]
  return several === undefined ? `${formatNumber(count)} × ${kind}` : `${formatNumber(count)} ${several}`
}

/** The kinds to filter by. `people` are those of users.manage. */
export const kindChoices = (people: boolean): readonly { value: string; label: string }[] =>
  Object.entries(kinds)
    .filter(
      ([kind]) =>
        people || !['user', 'invitation', 'session', 'deliveryKey', 'agentKey', 'webhook', 'plugin'].includes(kind),
    )
    .map(([value, [label]]) => ({ value, label: label.charAt(0).toUpperCase() + label.slice(1) }))

/** The actions to filter by; one that is in the address but not here is added. */
export const actionChoices = (chosen: string): readonly { value: string; label: string }[] => {
  const known = ['created', 'updated', 'published', 'unpublished', 'scheduled', 'deleted', 'restored']
  const names = known.map((name) => `entry.${name}`)
  const all = chosen === '' || names.includes(chosen) ? names : [...names, chosen]
  return all.map((value) => ({ value, label: sentenceCase(value) }))
}

const MEMBERS: Readonly<Record<string, string>> = { publishAt: 'publish date', unpublishAt: 'unpublish date' }

/** What was changed, as people call it: "data.readingTime" is "reading time", "logoId" is "logo". */
export const memberWords = (member: string): string => {
  const name = member.replace(/^data\./, '')
  return MEMBERS[name] ?? spaced(name.replace(/Ids?$/, '')).toLowerCase()
}

const spaced = (name: string): string => name.replace(/[._-]+/g, ' ').replace(/([a-z\d])([A-Z])/g, '$1 $2')

const sentenceCase = (name: string): string => name.charAt(0).toUpperCase() + spaced(name).slice(1)

type Target = Pick<ActivityRecord['target'], 'kind' | 'id'>
type TargetScreen = { to: string; permission: Permission }

/** The screen of a thing; undefined when it has none, or is gone by the action. */
export const targetScreen = ({ kind, id }: Target, action: string): TargetScreen | undefined => {
  if (action === 'entry.deleted') return { to: '/trash', permission: 'content.write' }
  if (/\.(deleted|purged|deactivated|revoked|withdrawn|accepted)$/.test(action)) return undefined
  return screens[kind] ?? (id === null ? undefined : screensById[kind]?.(encodeURIComponent(id)))
}

/** Things without a screen of their own, by kind. */
const screens: Readonly<Record<string, TargetScreen>> = {
  settings: { to: '/settings', permission: 'settings.manage' },
  ai: { to: '/settings/ai', permission: 'settings.manage' },
  trash: { to: '/trash', permission: 'content.write' },
  visitor: { to: '/visitor-assistant/settings', permission: 'settings.manage' },
  'social-account': { to: '/social/accounts', permission: 'social.manage' },
  taxonomy: { to: '/taxonomies', permission: 'taxonomy.manage' },
  term: { to: '/taxonomies', permission: 'taxonomy.manage' },
  deliveryKey: { to: '/keys', permission: 'keys.manage' },
  agentKey: { to: '/people?tab=agent-keys', permission: 'users.manage' },
}

const screensById: Readonly<Record<string, (id: string) => TargetScreen>> = {
  // Activity does not say of which type an entry is: this address knows
  entry: (id) => ({ to: `/entries/${id}`, permission: 'content.read' }),
  media: (id) => ({ to: `/media?id=${id}`, permission: 'content.read' }),
  menu: (id) => ({ to: `/menus?menu=${id}`, permission: 'menus.manage' }),
  type: (id) => ({ to: `/types/${id}`, permission: 'types.manage' }),
  user: (id) => ({ to: `/people?edit=${id}`, permission: 'users.manage' }),
  social: (id) => ({ to: `/social/posts/${id}`, permission: 'social.write' }),
  'social-app': (id) => ({ to: `/social/settings/${id}`, permission: 'social.manage' }),
  webhook: (id) => ({ to: `/webhooks/${id}`, permission: 'webhooks.manage' }),
}
