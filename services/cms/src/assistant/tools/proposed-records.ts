import type { User } from '@stoa/cms-model/accounts.ts'
import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { DesignRecord, DesignSurfaceRecord } from '@stoa/cms-model/design.ts'
import type { Entry, Revision, RevisionItem } from '@stoa/cms-model/entries.ts'
import { LAYOUT_KEY } from '@stoa/cms-model/fields/layout.ts'
import type { MediaRecord } from '@stoa/cms-model/media.ts'
import type { Menu, MenuItem } from '@stoa/cms-model/menus.ts'
import type { Role } from '@stoa/cms-model/permissions.ts'
import type { Plugin } from '@stoa/cms-model/plugins.ts'
import { sectionStates } from '@stoa/cms-model/section-states.ts'
import type { Settings } from '@stoa/cms-model/settings.ts'
import type { SocialApp } from '@stoa/cms-model/social-apps.ts'
import { visualOf } from '@stoa/cms-model/visual.ts'
import type { Webhook } from '@stoa/cms-model/webhooks.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import type { Json, RouteCall } from '../../people/call-route/call-route.ts'
import type { SessionPrincipal } from '../../principal.ts'
import type { DraftRequest, RecordKind, RecordRef } from './draft.ts'

/** The part of a reach that reads. */
export type Reading = {
  readonly ctx: Ctx<SessionPrincipal>
  call(route: RouteCall): Promise<Json | undefined>
}

/** A record as it is now, by the paths of changes. */
export type PresentRecord = {
  readonly version: number
  readonly isTrashed: boolean
  /** For those who may change their own only. */
  readonly isOwn: boolean
  /** Set for a person: nobody changes an account above their own role. */
  readonly role: Role | null
  valueAt(path: string, body: DraftRequest['body']): unknown
}

const get = async <T>({ call }: Reading, path: string, params: RouteCall['params'] = {}): Promise<T> =>
  // Responses have the shape that the route declares.
  (await call({ method: 'GET', path, params })) as T

export const readEntry = (reading: Reading, id: string): Promise<Entry> => get(reading, '/api/entries/:id', { id })
export const readType = (reading: Reading, name: string): Promise<ContentType> =>
  get(reading, '/api/types/:name', { name })
export const readMedia = (reading: Reading, id: string): Promise<MediaRecord> => get(reading, '/api/media/:id', { id })
export const readSettings = (reading: Reading): Promise<Settings> => get(reading, '/api/settings')
export const readMenu = (reading: Reading, name: string): Promise<Menu> => get(reading, '/api/menus/:name', { name })
export const readPlugin = (reading: Reading, name: string): Promise<Plugin> =>
  get(reading, '/api/plugins/:name', { name })
export const readUser = (reading: Reading, id: string): Promise<User> => get(reading, '/api/users/:id', { id })
export const readWebhook = (reading: Reading, id: string): Promise<Webhook> => get(reading, '/api/webhooks/:id', { id })

export const readSurface = async (reading: Reading, id: string): Promise<DesignSurfaceRecord> => {
  const { surfaces } = await get<DesignRecord>(reading, '/api/design')
  return surfaces.find((surface) => surface.id === id) ?? fail('NOT_FOUND', { message: `There is no surface "${id}"` })
}

export const readApp = async (reading: Reading, network: string): Promise<SocialApp> => {
  const { items } = await get<{ items: SocialApp[] }>(reading, '/api/social/settings')
  return (
    items.find((app) => app.network === network) ?? fail('NOT_FOUND', { message: `There is no network "${network}"` })
  )
}

/** An entry's content at an earlier version, as far as its history goes back. */
export const contentAt = async (
  reading: Reading,
  entry: Entry,
  version: number,
): Promise<Pick<Entry, 'title' | 'slug' | 'data'>> => {
  if (version >= entry.version) return entry
  const history = '/api/entries/:id/revisions'
  const { items } = (await reading.call({
    method: 'GET',
    path: history,
    params: { id: entry.id },
    query: { limit: '100' },
  })) as { items: RevisionItem[] }
  const earlier = items.find((revision) => revision.version <= version)
  return earlier ? get<Revision>(reading, `${history}/:rid`, { id: entry.id, rid: earlier.id }) : entry
}

export const sectionsOf = ({ ctx }: Reading, type: string) => visualOf(ctx.host.visual, type)?.sections ?? []

/** In words, for the card. */
export const statusWord = ({ status, deletedAt, pending }: Pick<Entry, 'status' | 'deletedAt' | 'pending'>): string => {
  if (deletedAt !== null) return 'In trash'
  if (status === 'draft') return 'Draft'
  return pending ? 'Published, with unpublished changes' : 'Published'
}

/** What a plugin asks for, in one list. */
export const asksOf = ({ permissions, hosts, collections }: Pick<Plugin, 'permissions' | 'hosts' | 'collections'>) => [
  ...permissions,
  ...hosts,
  ...collections,
]

/** What somebody agreed to. */
export const agreedOf = ({ approved }: Plugin): string[] => (approved ? asksOf(approved) : [])

/** Menu items reduced to what people see of them. */
export const plainItems = (items: readonly MenuItem[]): Json[] =>
  items.map(({ label, url, entryId, target, children }) => ({
    label,
    ...(url !== undefined && { url }),
    ...(entryId !== undefined && { entryId }),
    ...(target !== undefined && { target }),
    children: plainItems(children),
  }))

const PLAIN = { isTrashed: false, isOwn: true, role: null } as const

const memberAt = (record: object, path: string): unknown =>
  Object.hasOwn(record, path) ? Reflect.get(record, path) : undefined

/** What stands below `prefix.` in a path. */
const below = (path: string, prefix: string): string | null =>
  path.startsWith(`${prefix}.`) ? path.slice(prefix.length + 1) : null

const readers: { readonly [K in RecordKind]: (reading: Reading, id: string) => Promise<PresentRecord> } = {
  entry: async (reading, id) => presentEntry(reading, await readEntry(reading, id)),
  type: async (reading, name) => {
    const type = await readType(reading, name)
    const valueAt = (path: string) => {
      const key = below(path, 'fields') ?? below(path, 'changeFields')
      return key === null ? memberAt(type, path) : type.fields.find((field) => field.key === key)
    }
    return { ...PLAIN, version: type.version, valueAt }
  },
  media: async (reading, id) => {
    const media = await readMedia(reading, id)
    const isOwn = media.createdBy?.id === reading.ctx.principal.account.id
    return { ...PLAIN, isOwn, version: media.version, valueAt: (path) => memberAt(media, path) }
  },
  settings: async (reading) => {
    const settings = await readSettings(reading)
    return { ...PLAIN, version: settings.version, valueAt: (path) => memberAt(settings, path) }
  },
  surface: async (reading, id) => {
    const surface = await readSurface(reading, id)
    const valueAt = (path: string) => {
      const key = below(path, 'set') ?? below(path, 'remove')
      return surface.properties.find((property) => property.key === key)?.value
    }
    return { ...PLAIN, version: surface.version, valueAt }
  },
  menu: async (reading, name) => {
    const menu = await readMenu(reading, name)
    const valueAt = (path: string) => (path === 'items' ? plainItems(menu.items) : memberAt(menu, path))
    return { ...PLAIN, version: menu.version, valueAt }
  },
  plugin: async (reading, name) => {
    const plugin = await readPlugin(reading, name)
    const valueAt = (path: string) => {
      if (path === 'approve') return agreedOf(plugin)
      const key = below(path, 'settings')
      return key === null ? memberAt(plugin, path) : memberAt(plugin.settings, key)
    }
    return { ...PLAIN, version: plugin.recordVersion ?? 0, valueAt }
  },
  user: async (reading, id) => {
    const user = await readUser(reading, id)
    return { ...PLAIN, version: user.version, role: user.role, valueAt: (path) => memberAt(user, path) }
  },
  webhook: async (reading, id) => {
    const webhook = await readWebhook(reading, id)
    return { ...PLAIN, version: webhook.version, valueAt: (path) => memberAt(webhook, path) }
  },
  app: async (reading, network) => {
    const app = await readApp(reading, network)
    return { ...PLAIN, version: app.version ?? 0, valueAt: (path) => memberAt(app, path) }
  },
}

/** The record as the person may read it now. Throws what its route throws. */
export const readRecord = (reading: Reading, { kind, id }: RecordRef): Promise<PresentRecord> =>
  readers[kind](reading, id)

const presentEntry = (reading: Reading, entry: Entry): PresentRecord => ({
  version: entry.version,
  isTrashed: entry.deletedAt !== null,
  isOwn: entry.authorId === reading.ctx.principal.account.id && entry.status === 'draft',
  role: null,
  valueAt(path, body) {
    const key = below(path, 'data')
    if (key === LAYOUT_KEY) return sectionStates(sectionsOf(reading, entry.type), entry.data[LAYOUT_KEY] ?? null)
    if (key !== null) return memberAt(entry.data, key)
    if (path === 'action' || path === 'status') return statusWord(entry)
    if (path === 'at') return body?.action === 'unpublish' ? entry.unpublishAt : entry.publishAt
    if (path === 'terms') return termsOf(entry, body?.taxonomy)
    return memberAt(entry, path)
  },
})

export const termsOf = ({ terms }: Pick<Entry, 'terms'>, taxonomy: unknown): string[] =>
  terms.filter((term) => term.taxonomy === taxonomy).map(({ slug }) => slug)
