import type { Dashboard, EntryCard } from '@stoa/cms-model/dashboard.ts'
import { pictureField } from '@stoa/cms-model/fields/picture-field.ts'
import type { MediaObject } from '@stoa/cms-model/media.ts'
import { canPublish } from '../../content/entries/entries.ts'
import { readMediaObjects } from '../../content/media/media.ts'
import { type ContentType, listAllTypes } from '../../content/types/types.ts'
import type { Ctx } from '../../context.ts'
import { personOf, scopeFor } from '../../principal.ts'
import { listFailingWebhooks } from '../webhooks/webhooks.ts'
import {
  type CardRow,
  countEntries,
  draftCards,
  entriesOfSingles,
  failedCards,
  type PictureKeys,
  pendingCards,
  recentCards,
  scheduledCards,
} from './queries.ts'

const RECENT = 8
/** One more than is shown of a list, so that it can say that there are more. */
const LISTED = 6
/** A month of a busy site. */
const SCHEDULED = 100
/** Older failures are no longer listed: nobody will act on them. */
const FAILED_DAYS = 30
const DAY_MS = 86_400_000

/** What this person should know at the first glance: a constant number of statements. */
export const readDashboard = async (ctx: Ctx): Promise<Dashboard> => {
  const types = await listAllTypes(ctx.db)
  const lists = await readLists(ctx, pictureKeys(types))
  const covers = await readMediaObjects(ctx.db, ctx.config, Object.values(lists).flat().flatMap(pictureOf))
  const shown = (rows: readonly CardRow[]) => rows.map((row) => cardOf(row, covers))
  return {
    types: await countTypes(ctx, types),
    recent: shown(lists.recent),
    drafts: shown(lists.drafts),
    scheduled: shown(lists.scheduled),
    pending: shown(lists.pending),
    failed: shown(lists.failed),
    webhooks: scopeFor(ctx.principal, 'webhooks.manage') === null ? [] : await listFailingWebhooks(ctx),
  }
}

/** Those who may publish look after all that is scheduled or changed; the others after their own. */
const readLists = async (ctx: Ctx, keys: PictureKeys) => {
  const { db } = ctx
  const me = personOf(ctx)?.id ?? null
  const writes = scopeFor(ctx.principal, 'content.write') !== null && me !== null
  const publishes = canPublish(ctx)
  const since = new Date(ctx.now().getTime() - FAILED_DAYS * DAY_MS)
  return {
    recent: await recentCards(db, keys, RECENT),
    drafts: writes ? await draftCards(db, keys, me, LISTED) : [],
    scheduled: writes || publishes ? await scheduledCards(db, keys, publishes ? null : me, SCHEDULED) : [],
    pending: publishes ? await pendingCards(db, keys, LISTED) : [],
    failed: publishes ? await failedCards(db, keys, since, LISTED) : [],
  }
}

const countTypes = async (ctx: Ctx, types: readonly ContentType[]): Promise<Dashboard['types']> => {
  const withPages = types
    .filter(({ name, kind, previewUrl }) => {
      return kind === 'single' && previewUrl !== null && Object.hasOwn(ctx.host.visual, name)
    })
    .map(({ name }) => name)
  const pages = new Map((await entriesOfSingles(ctx.db, withPages)).map(({ type, id }) => [type, id]))
  const counts = await countEntries(ctx.db)
  return counts.map((count) => ({ ...count, pageId: pages.get(count.type) ?? null }))
}

const pictureKeys = (types: readonly ContentType[]): PictureKeys =>
  new Map(
    types.flatMap(({ name, fields }) => {
      const field = pictureField(fields)
      return field ? [[name, field.key] as const] : []
    }),
  )

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The first file, or none: a value of an earlier type of the field is no file. */
const pictureOf = ({ picture }: CardRow): string[] =>
  [Array.isArray(picture) ? picture[0] : picture].filter((id) => typeof id === 'string' && UUID.test(id))

const cardOf = (row: CardRow, covers: ReadonlyMap<string, MediaObject>): EntryCard => ({
  id: row.id,
  type: row.type,
  title: row.title,
  status: row.status,
  pending: row.isPending,
  publishAt: row.publishAt?.toISOString() ?? null,
  unpublishAt: row.unpublishAt?.toISOString() ?? null,
  updatedAt: row.updatedAt.toISOString(),
  updatedBy: row.updatedById === null ? null : { id: row.updatedById, name: row.updatedByName ?? '' },
  cover: covers.get(pictureOf(row)[0] ?? '') ?? null,
})
