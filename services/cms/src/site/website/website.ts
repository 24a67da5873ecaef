import type { EntryItem } from '@stoa/cms-model/entries.ts'
import type { MenuItem } from '@stoa/cms-model/menus.ts'
import type { Settings } from '@stoa/cms-model/settings.ts'
import { TITLE_KEY } from '@stoa/cms-model/visual.ts'
import type { PartSource, PartState, WebsitePart, WebsiteState } from '@stoa/cms-model/website.ts'
import { canPublish, entriesQuery, listEntries } from '../../content/entries/entries.ts'
import { type Menu, readMenu } from '../../content/menus/menus.ts'
import { readSettings } from '../../content/settings/settings.ts'
import { type ContentType, listAllTypes } from '../../content/types/types.ts'
import type { Ctx } from '../../context.ts'
import { accountOf, scopeFor } from '../../principal.ts'

type SourceOf<K extends PartSource['kind']> = Extract<PartSource, { kind: K }>

/** The shared parts of the host's pages, each with what its source holds now; none without a host. */
export const readWebsite = async (ctx: Ctx): Promise<WebsiteState> => {
  const { website } = ctx.host
  if (website === null) return { previewUrl: null, parts: [] }
  const sources = await readSources(ctx, website.parts)
  return { previewUrl: website.previewUrl, parts: website.parts.map((part) => stateOf(ctx, part, sources)) }
}

/** What the parts refer to, read once however many parts share it. */
type Sources = {
  menus: ReadonlyMap<string, Menu | null>
  types: ReadonlyMap<string, ContentType>
  entries: ReadonlyMap<string, EntryItem | null>
  settings: Settings
}

const readSources = async (ctx: Ctx, parts: readonly WebsitePart[]): Promise<Sources> => {
  const namesOf = (pick: (source: PartSource) => string | null): string[] => [
    ...new Set(parts.map(({ source }) => pick(source)).filter((name) => name !== null)),
  ]
  const menus = namesOf((source) => (source.kind === 'menu' ? source.name : null))
  const wanted = namesOf((source) => (source.kind === 'entry' ? source.type : null))
  const types = new Map((await listAllTypes(ctx.db)).map((type) => [type.name, type]))
  const singles = wanted.filter((name) => types.get(name)?.kind === 'single')
  return {
    menus: new Map(await Promise.all(menus.map(async (name) => [name, await readMenu(ctx.db, name)] as const))),
    types,
    entries: new Map(await Promise.all(singles.map(async (name) => [name, await readSingle(ctx, name)] as const))),
    settings: await readSettings(ctx.db),
  }
}

const readSingle = async (ctx: Ctx, type: string): Promise<EntryItem | null> => {
  const { items } = await listEntries(ctx, entriesQuery.parse({ type, limit: '1' }))
  return items[0] ?? null
}

const stateOf = (ctx: Ctx, { source, ...part }: WebsitePart, sources: Sources): PartState => {
  switch (source.kind) {
    case 'menu':
      return { ...part, source, state: menuState(ctx, source, sources.menus.get(source.name) ?? null) }
    case 'entry':
      return { ...part, source, state: entryState(ctx, source, sources) }
    case 'settings':
      return { ...part, source, state: settingsState(ctx, source, sources.settings) }
  }
}

const menuState = (ctx: Ctx, { name, label, defaults }: SourceOf<'menu'>, menu: Menu | null) => {
  const canEdit = scopeFor(ctx.principal, 'menus.manage') !== null
  const fallback = (): MenuItem[] =>
    defaults.map((link, index) => ({ id: `default-${index + 1}`, label: link.label, url: link.url, children: [] }))
  const items = menu?.items ?? fallback()
  return {
    name,
    label: menu?.label ?? label,
    exists: menu !== null,
    version: menu?.version ?? null,
    items,
    flat: items.every(({ children }) => children.length === 0),
    canEdit,
  }
}

const entryState = (ctx: Ctx, { type: name, fields }: SourceOf<'entry'>, { types, entries }: Sources) => {
  const type = types.get(name)
  const entry = entries.get(name) ?? null
  const isSingle = type?.kind === 'single'
  return {
    type: name,
    entryId: entry?.id ?? null,
    version: entry?.version ?? null,
    status: entry?.status ?? null,
    pending: entry?.pending ?? false,
    values: entry === null ? {} : valuesOf(fields, (key) => (key === TITLE_KEY ? entry.title : entry.data[key])),
    missing: entry !== null ? null : isSingle ? ('entry' as const) : ('type' as const),
    canEdit: entry !== null && canEdit(ctx, entry),
  }
}

const settingsState = (ctx: Ctx, { fields }: SourceOf<'settings'>, settings: Settings) => ({
  values: valuesOf(fields, (key) => settings[key]),
  version: settings.version,
  canEdit: scopeFor(ctx.principal, 'settings.manage') !== null,
})

/** A field that the type does not have is left out: there is nothing to edit. */
const valuesOf = <K extends string>(keys: readonly K[], read: (key: K) => unknown): Record<string, unknown> =>
  Object.fromEntries(keys.map((key) => [key, read(key)]).filter(([, value]) => value !== undefined))

/** The error that saving the part would return, checked beforehand. */
const canEdit = (ctx: Ctx, entry: EntryItem): boolean => {
  const scope = scopeFor(ctx.principal, 'content.write')
  if (scope === null || (entry.publishAt !== null && !canPublish(ctx))) return false
  return scope === 'any' || (entry.authorId === accountOf(ctx).id && entry.status === 'draft')
}
