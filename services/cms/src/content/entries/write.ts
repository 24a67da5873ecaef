import { AUTOSAVE_WINDOW_MS, type RevisionReason } from '@stoa/cms-model/entries.ts'
import type { Settings } from '@stoa/cms-model/settings.ts'
import { isConflict } from '@stoa/kit/db/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { refuseOtherVersion, type WantedVersion } from '../../version-conflict.ts'
import { readSettings } from '../settings/settings.ts'
import { termsOfEntries } from '../taxonomies/taxonomies.ts'
import { type ContentType, lockTypeShared } from '../types/types.ts'
import { changedMembers } from './changes.ts'
import { syncDerived } from './derived.ts'
import { addToCount, keepOldSlug, lockEntry, updateEntry } from './queries.ts'
import {
  findOpenAutosave,
  insertRevision,
  type NewRevision,
  pruneRevisions,
  updateAutosave,
} from './queries-revisions.ts'
import { convertEntry, isLive, type StoredEntry, workingCopy } from './record.ts'
import { editorOf } from './rights.ts'
import { refuseTakenSlug } from './slugs.ts'

/** An entry that is being changed, with what its change is checked against. All of it stays as it is meanwhile. */
export type Opened = { entry: StoredEntry; type: ContentType; settings: Settings }

/** Opens an entry outside of the trash for a change, once `may` has let this principal through. */
export const openEntry = async (
  ctx: Ctx,
  tx: CmsTx,
  id: string,
  { wanted, may }: { wanted: WantedVersion; may: (ctx: Ctx, entry: StoredEntry) => void },
): Promise<Opened> => {
  const opened = await openAnyEntry(ctx, tx, id, { wanted, may })
  if (opened.entry.deletedAt !== null)
    fail('INVALID_STATE', { message: 'This entry is in the trash. Restore it first.' })
  return opened
}

/** `openEntry`, also for entries in the trash. */
export const openAnyEntry = async (
  ctx: Ctx,
  tx: CmsTx,
  id: string,
  { wanted, may }: { wanted: WantedVersion; may: (ctx: Ctx, entry: StoredEntry) => void },
): Promise<Opened> => {
  const entry = (await lockEntry(tx, id)) ?? fail('NOT_FOUND')
  may(ctx, entry)
  await refuseOtherVersion(wanted, entry, async () => entry.updatedBy)
  return openLocked(tx, entry)
}

/** Opens an entry whose row is already locked. */
export const openLocked = async (tx: CmsTx, entry: StoredEntry): Promise<Opened> => {
  const type = await lockTypeShared(tx, entry.type)
  return { entry: convertEntry(type, entry), type, settings: await readSettings(tx) }
}

export type Next = Partial<
  Omit<
    StoredEntry,
    'id' | 'type' | 'version' | 'liveVersion' | 'liveUpdatedAt' | 'createdAt' | 'updatedAt' | 'updatedBy'
  >
>

export type Save = {
  next: Next
  /** A new place in the history; none for what is no part of it, such as a schedule. */
  revision: { reason: RevisionReason; changed: string[]; isAutosave?: boolean } | null
  /** What the public sees changes besides the content: terms, language, author. */
  isPublicChange?: boolean
}

/** Every change of an entry is stored here, with all that depends on it: version, live version, counts, history. */
export const storeEntry = async (
  ctx: Ctx,
  tx: CmsTx,
  { entry: before, type, settings }: Opened,
  { next, revision, isPublicChange = false }: Save,
): Promise<StoredEntry> => {
  const at = ctx.now()
  const version = before.version + 1
  const changed = { ...before, ...next, version, updatedAt: at, updatedBy: editorOf(ctx) }
  const wasLive = isLive(before)
  const live = isLive(changed)
  const isShownAnew = live && (!wasLive || isPublicChange || changedMembers(before, changed).length > 0)
  const after: StoredEntry = {
    ...changed,
    liveVersion: isShownAnew ? version : live ? before.liveVersion : null,
    liveUpdatedAt: isShownAnew ? at : live ? before.liveUpdatedAt : null,
  }
  await updateEntry(tx, after).catch((raised: unknown) => refuseSlugConflict(raised, after.slug))
  if (wasLive && (!live || after.slug !== before.slug)) await keepOldSlug(tx, before, at)
  if (changesDerived(next)) await syncDerived(tx, type, after)
  if (revision !== null) await addRevision(ctx, tx, after, { ...revision, limit: settings.revisionLimit })
  await recount(tx, before, after)
  return after
}

/** A new place in the history of an entry, after everything else about it was written. */
export const addRevision = async (
  ctx: Ctx,
  tx: CmsTx,
  entry: StoredEntry,
  options: { reason: RevisionReason; changed: string[]; isAutosave?: boolean; limit: number },
): Promise<void> => {
  const authorId = editorOf(ctx)?.id ?? null
  const at = ctx.now()
  const revision: NewRevision = {
    id: newId(),
    entryId: entry.id,
    version: entry.version,
    ...workingCopy(entry),
    // Unpublished changes are not live, so their revision is a draft.
    status: entry.pending === null ? entry.status : 'draft',
    terms: (await termsOfEntries(tx, [entry.id])).get(entry.id) ?? [],
    authorId,
    reason: isFromAssistant(ctx) ? 'assistant' : options.reason,
    isAutosave: options.isAutosave ?? false,
    changed: options.changed,
    createdAt: at,
  }
  const since = new Date(at.getTime() - AUTOSAVE_WINDOW_MS)
  const open = revision.isAutosave ? await findOpenAutosave(tx, { entryId: entry.id, authorId, since }) : null
  if (open) {
    const joined = [...new Set([...open.changed, ...revision.changed])]
    return updateAutosave(tx, open.id, { ...revision, changed: joined })
  }
  await insertRevision(tx, revision)
  if (options.limit > 0) await pruneRevisions(tx, entry.id, options.limit)
}

/** The history shows that the change was proposed by the assistant. */
const isFromAssistant = ({ principal }: Ctx): boolean => principal.kind === 'session' && principal.via === 'assistant'

const changesDerived = (next: Next): boolean =>
  ['title', 'slug', 'data', 'pending', 'status', 'locale', 'deletedAt'].some((member) => Object.hasOwn(next, member))

export const refuseSlugConflict = (raised: unknown, slug: string): never => {
  if (isConflict(raised, 'entry_slug_key')) refuseTakenSlug(slug, raised)
  if (isConflict(raised, 'entry_translation_key')) fail('NAME_TAKEN', { message: TRANSLATED, cause: raised })
  throw raised
}

export const TRANSLATED = 'A translation into this language already exists'

/** Last of all: everybody who publishes entries of this type and language waits for this row. */
const recount = async (tx: CmsTx, before: StoredEntry, after: StoredEntry): Promise<void> => {
  const counts = new Map<string, number>()
  if (isLive(before)) counts.set(before.locale, -1)
  if (isLive(after)) counts.set(after.locale, (counts.get(after.locale) ?? 0) + 1)
  for (const [locale, by] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
    if (by !== 0) await addToCount(tx, after.type, locale, by)
}
