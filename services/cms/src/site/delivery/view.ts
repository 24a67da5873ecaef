import type { Known } from '@stoa/cms-model/delivery/operands.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { ALL_TYPES } from '@stoa/cms-model/keys.ts'
import type { MediaObject } from '@stoa/cms-model/media.ts'
import { compilePreviewUrl } from '@stoa/cms-model/preview-url.ts'
import { type Avatar, avatarUrl } from '../../avatar.ts'
import { LIVE_COPY, type Scope } from '../../content/filters/filters.ts'
import { type Described, objectJson } from '../../content/media/media.ts'
import type { Ctx } from '../../context.ts'
import { readsType } from '../../people/delivery-keys/delivery-keys.ts'
import type { DeliveryPrincipal } from '../../principal.ts'
import type { DeliveredType, Site } from './site.ts'

/** The site as one key sees it. */
export type View = {
  readonly site: Site
  /** Names of the types that there are and that the key may read. */
  readonly typeNames: readonly string[]
  /** The states in which templates of these types may be read. */
  readonly templateStates: readonly string[]
  reads(type: string): boolean
  /** The type; null when there is none, or when the key may not read it: the two are indistinguishable. */
  typeOf(name: string): DeliveredType | null
  fieldsOf(type: string): readonly Field[]
  /** Where the website shows an entry; null when its type has no address template. */
  urlOf(entry: { id: string; slug: string; locale: string; type: string }): string | null
  mediaObject(row: Described): MediaObject
  /** Where the picture of a person is. */
  avatarUrl(avatar: Avatar | null): string | null
}

const NO_FIELDS: readonly Field[] = []

type Scoped = Pick<DeliveryPrincipal, 'types'>

/** The site as it is now, as this key sees it. */
export const currentView = async (ctx: Pick<Ctx, 'config' | 'delivery'>, { types }: Scoped): Promise<View> => {
  const site = await ctx.delivery.site.read()
  const known = views.get(site) ?? new WeakMap<readonly string[], View>()
  views.set(site, known)
  const view = known.get(types) ?? viewOf(ctx, site, types)
  known.set(types, view)
  return view
}

const views = new WeakMap<Site, WeakMap<readonly string[], View>>()

const scopeKeys = new WeakMap<readonly string[], string>()

/** The cache key of an answer. */
export const responseKey = (scoped: Scoped, url: string): string => `${scopeKey(scoped)} ${url}`

/** Keys of the same types see the same site. */
const scopeKey = ({ types }: Scoped): string => {
  const known = scopeKeys.get(types)
  if (known !== undefined) return known
  const made = types.toSorted().join(',')
  scopeKeys.set(types, made)
  return made
}

const viewOf = ({ config }: Pick<Ctx, 'config'>, site: Site, types: readonly string[]): View => {
  const readable = types.includes(ALL_TYPES)
    ? site.types
    : new Map([...site.types].filter(([name]) => readsType({ types }, name)))
  const base = site.settings.url ?? config.publicUrl
  return {
    site,
    typeNames: [...readable.keys()],
    templateStates: [...readable.values()].flatMap(({ templateState }) => templateState ?? []),
    reads: (type) => readable.has(type),
    typeOf: (name) => readable.get(name) ?? null,
    fieldsOf: (type) => readable.get(type)?.fields ?? NO_FIELDS,
    urlOf: addresses(site, base),
    mediaObject: (row) => objectJson(config, row),
    avatarUrl: (avatar) => avatarUrl(config, avatar),
  }
}

/** What the query of a list of this type can name. */
export const knownTo = (view: View, { fields }: Pick<DeliveredType, 'fields'>): Known => ({
  fields,
  fieldsOf: (type) => view.typeOf(type)?.fields ?? null,
  seen: 'visible',
})

/** The SQL scope for conditions on entries of this type. */
export const scopeFor = (view: View, { misfits }: Pick<DeliveredType, 'misfits'>): Scope => ({
  copy: LIVE_COPY,
  misfits,
  misfitsOf: (type) => view.typeOf(type)?.misfits,
  isRoot: true,
  item: null,
})

type Entry = Parameters<View['urlOf']>[0]

/** Templates are read once for as long as the view is held. */
const addresses = (site: Site, base: string): View['urlOf'] => {
  const known = new Map<string, ((entry: Entry) => string) | null>()
  return (entry) => {
    let fill = known.get(entry.type)
    if (fill === undefined) {
      const template = site.types.get(entry.type)?.previewUrl ?? null
      fill = template === null ? null : compilePreviewUrl(template, base)
      known.set(entry.type, fill)
    }
    return fill === null ? null : fill(entry)
  }
}
