import type { Entry, RestoredEntry, RestoreEntryInput, TrashedEntry } from '@stoa/cms-model/entries.ts'
import { type List, toList } from '@stoa/cms-model/lists.ts'
import { togetherOrEach } from '@stoa/kit/db/batches.ts'
import { type CmsDb, type CmsTx, type Ctx, contextFor, type Services } from '../../context.ts'
import { fail } from '../../errors.ts'
import { recordActivity } from '../../events/events.ts'
import { requirePermission } from '../../people/access/access.ts'
import { accountOf } from '../../principal.ts'
import type { WantedVersion } from '../../version-conflict.ts'
import { parseSearch } from '../search/search.ts'
import { readSettings } from '../settings/settings.ts'
import { recordEntryChange } from './changes.ts'
import { refuseSecond, refuseTranslated } from './create.ts'
import { lockEntry } from './queries.ts'
import { listTrashRows } from './queries-list.ts'
import type { StoredEntry } from './record.ts'
import { editorOf, requireWrite } from './rights.ts'
import { type TrashQuery, trashedJson } from './schema.ts'
import { showEntry, withSurroundings } from './show.ts'
import { claimSlug } from './slugs.ts'
import { draftContent } from './status.ts'
import { type Opened, openAnyEntry, openEntry, storeEntry } from './write.ts'

/** The entries deleted per transaction when the trash is emptied. */
const BATCH = 200
const DAY_MS = 86_400_000

/** Into the trash: out of sight of the public, its slug free, and restorable. */
export const trashEntry = (ctx: Ctx, id: string, wanted: WantedVersion): Promise<StoredEntry> =>
  ctx.tx(async (tx) => {
    const opened = await openEntry(ctx, tx, id, { wanted, may: requireWrite })
    const { entry } = opened
    const after = await storeEntry(ctx, tx, opened, {
      // A schedule must not wake up with the entry, when it is restored.
      next: { deletedAt: ctx.now(), deletedBy: editorOf(ctx), publishAt: null, unpublishAt: null },
      revision: null,
    })
    await recordEntryChange(ctx, tx, opened, { before: entry, after, names: ['entry.deleted'] })
    return after
  })

/** Out of the trash, always as a draft: going live takes another right than restoring. */
export const restoreEntry = (
  ctx: Ctx,
  id: string,
  input: RestoreEntryInput,
  wanted: WantedVersion,
): Promise<RestoredEntry> =>
  ctx.tx(async (tx) => {
    const opened = await openAnyEntry(ctx, tx, id, { wanted, may: requireWrite })
    const { entry, type } = opened
    if (entry.deletedAt === null) fail('INVALID_STATE', { message: "This entry isn't in the trash" })
    if (type.kind === 'single') await refuseSecond(tx, type)
    await refuseTranslatedMeanwhile(tx, opened)
    const content = await draftContent(tx, entry)
    const slug = await claimSlug(tx, input.slug ?? content.slug, { type: type.name, id })
    const after = await storeEntry(ctx, tx, opened, {
      next: { ...content, slug, pending: null, status: 'draft', deletedAt: null, deletedBy: null },
      revision: { reason: 'restore', changed: slug === entry.slug ? [] : ['slug'] },
    })
    await recordEntryChange(ctx, tx, opened, { before: entry, after, names: ['entry.restored'] })
    const shown: Entry = await showEntry(ctx, tx, after)
    return { ...shown, previousStatus: entry.status }
  })

const refuseTranslatedMeanwhile = async (tx: CmsTx, { entry }: Opened): Promise<void> => {
  const origin = entry.translationOf ?? entry.id
  if (origin !== entry.id) await lockEntry(tx, origin)
  await refuseTranslated(tx, { origin, locale: entry.locale, id: entry.id })
}

/** What can be restored by the asking person. */
export const listTrash = async (ctx: Ctx, query: TrashQuery): Promise<List<TrashedEntry>> => {
  const isOwn = requirePermission(ctx.principal, 'content.write') === 'own'
  const { entries, total } = await listTrashRows(ctx.db, {
    ...query,
    asked: query.q ? await parseSearch(ctx.db, query.q) : null,
    ownerId: isOwn ? accountOf(ctx).id : null,
  })
  const shown = await withSurroundings(ctx.db, entries)
  return toList(
    shown.map((item) => trashedJson(ctx, item)),
    total,
    query,
  )
}

/** One entry of the trash is gone for good, with its history. */
export const purgeEntry = (ctx: Ctx, id: string): Promise<void> =>
  ctx.tx(async (tx) => {
    const entry = await lockEntry(tx, id)
    if (entry === null || entry.deletedAt === null) return fail('NOT_FOUND')
    await deleteEntries(tx, [id])
    await recordActivity(ctx, tx, {
      action: 'entry.purged',
      target: { kind: 'entry', id, label: entry.title || entry.slug },
    })
  })

/** All that is in the trash now is gone for good; what is deleted meanwhile stays. */
export const emptyTrash = (ctx: Ctx): Promise<number> => purgeUntil(ctx, ctx.now())

/** Removes what has been in the trash for longer than the settings say; nothing unless they do. */
export const purgeOldTrash = async (services: Services): Promise<number> => {
  const ctx = contextFor(services, { kind: 'system', name: 'trash' } as const)
  const { trashDays } = await readSettings(ctx.db)
  return trashDays === null ? 0 : purgeUntil(ctx, new Date(ctx.now().getTime() - trashDays * DAY_MS))
}

const purgeUntil = async (ctx: Ctx, until: Date): Promise<number> => {
  const purge = (wanted: readonly string[]): Promise<number> =>
    ctx.tx(async (tx) => {
      const ids = await lockTrash(tx, { ids: wanted, until })
      if (ids.length === 0) return 0
      await deleteEntries(tx, ids)
      const label = ids.length === 1 ? '1 entry' : `${ids.length} entries`
      await recordActivity(ctx, tx, { action: 'trash.emptied', target: { kind: 'trash', id: null, label } })
      return ids.length
    })
  let total = 0
  let after: string | null = null
  for (;;) {
    const ids: string[] = await listTrashIds(ctx.db, { until, after, limit: BATCH })
    total += await togetherOrEach(ids, purge, (err, entryId) =>
      ctx.log.error({ err, entryId }, 'an entry could not be removed from the trash'),
    )
    after = ids.at(-1) ?? null
    if (ids.length < BATCH) return total
  }
}

/** Entries that came into the trash until then, in the order of their ids. */
const listTrashIds = async (
  db: CmsDb,
  { until, after, limit }: { until: Date; after: string | null; limit: number },
): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    text: `select id from entry where deleted_at is not null and deleted_at <= $1 and ($2::uuid is null or id > $2)
      order by id limit $3`,
    values: [until, after, limit],
  })
  return rows.map(({ id }) => id)
}

/** Locks the given entries that are still in the trash, so that nobody restores them meanwhile. */
const lockTrash = async (tx: CmsTx, { ids, until }: { ids: readonly string[]; until: Date }): Promise<string[]> => {
  const rows = await tx.query<{ id: string }>({
    text: `select id from entry where id = any ($1::uuid[]) and deleted_at is not null and deleted_at <= $2
      order by id for update skip locked`,
    values: [ids, until],
  })
  return rows.map(({ id }) => id)
}

/** For good. Where an origin goes, its oldest translation takes its place. */
const deleteEntries = async (tx: CmsTx, ids: readonly string[]): Promise<void> => {
  const families = await tx.query<{ id: string }>({
    text: `with heir as (
        select distinct on (translation_of) translation_of, id from entry
        where translation_of = any($1::uuid[]) and not id = any($1::uuid[])
        order by translation_of, deleted_at is not null, created_at, id
      )
      update entry set translation_of = nullif(heir.id, entry.id) from heir
      where entry.translation_of = heir.translation_of and not entry.id = any($1::uuid[]) returning entry.id`,
    values: [ids],
  })
  // Published entries show the entry that they are translated from.
  if (families.length > 0) tx.changes.push({ topic: 'entry', event: 'entry.inherited', data: { isPublic: true } })
  await tx.query({
    text: 'update entry set translation_of = null where id = any($1::uuid[]) and translation_of is not null',
    values: [ids],
  })
  await tx.deleteFrom('entry').where('id', 'in', ids).execute()
}
