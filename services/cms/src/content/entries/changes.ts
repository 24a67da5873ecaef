import { isDeepStrictEqual } from 'node:util'
import { fillPreviewUrl } from '@stoa/cms-model/preview-url.ts'
import type { Settings } from '@stoa/cms-model/settings.ts'
import type { EntryEvent } from '@stoa/cms-model/webhook-events.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import { recordChange } from '../../events/events.ts'
import type { ContentType } from '../types/types.ts'
import { type Content, isLive, type StoredEntry } from './record.ts'

/** The entry's type and locale: every event includes them. */
export type Surroundings = { type: ContentType; settings: Settings }

/** Where the website shows the entry; null when its type has no address template. */
export const addressOf = (
  { config }: Pick<Ctx, 'config'>,
  { type, settings }: Surroundings,
  { id, slug, locale }: { id: string; slug: string; locale: string },
): string | null =>
  type.previewUrl === null
    ? null
    : fillPreviewUrl(type.previewUrl, { id, slug, locale, type: type.name }, settings.url ?? config.publicUrl)

/** Which members of the content differ: `title`, `slug`, and fields as `data.key`. */
export const changedMembers = (before: Content, after: Content): string[] => [
  ...(before.title === after.title ? [] : ['title']),
  ...(before.slug === after.slug ? [] : ['slug']),
  ...[...new Set([...Object.keys(before.data), ...Object.keys(after.data)])]
    .filter((key) => !isDeepStrictEqual(before.data[key], after.data[key]))
    .map((key) => `data.${key}`),
]

/** Records a change of one entry, in the transaction that makes it. Activity gets the first of the names. */
export const recordEntryChange = (
  ctx: Ctx,
  tx: CmsTx,
  around: Surroundings,
  { before, after, names, changed = [] }: EntryChange,
): Promise<void> => {
  const describe = (entry: StoredEntry) => ({
    slug: entry.slug,
    status: entry.status,
    url: addressOf(ctx, around, entry),
  })
  const data = { id: after.id, type: after.type, title: after.title, locale: after.locale, ...describe(after) }
  return recordChange(ctx, tx, {
    action: names[0],
    target: { kind: 'entry', id: after.id, label: after.title || after.slug },
    changed,
    events: names.map((name) => ({
      name,
      data,
      previous: before && describe(before),
      isPublic: isPublic(name, before),
    })),
  })
}

export type EntryChange = {
  before: StoredEntry | null
  after: StoredEntry
  names: readonly [EntryEvent, ...EntryEvent[]]
  changed?: readonly string[]
}

/** Whether the change is publicly visible. */
const isPublic = (name: EntryEvent, before: StoredEntry | null): boolean => {
  if (name === 'entry.published' || name === 'entry.unpublished') return true
  return name === 'entry.deleted' && before !== null && isLive(before)
}
