import type { Entry, SaveMode, UpdateEntryInput } from '@stoa/cms-model/entries.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import { failFields } from '../../errors.ts'
import { requirePermission } from '../../people/access/access.ts'
import type { WantedVersion } from '../../version-conflict.ts'
import { readLockedSettings } from '../settings/settings.ts'
import { changedMembers, recordEntryChange } from './changes.ts'
import { mergeSent, publishProblems } from './content.ts'
import { authorFor, localeFor, refuseTranslated } from './create.ts'
import { lockEntry } from './queries.ts'
import { type Content, type StoredEntry, workingCopy } from './record.ts'
import { canPublish, requireEdit } from './rights.ts'
import { showEntry } from './show.ts'
import { claimSlug, deriveSlug } from './slugs.ts'
import { type Next, type Opened, openEntry, type Save, storeEntry } from './write.ts'

/** Changes the members sent. A published entry changes at once, or keeps them as unpublished changes. */
export const updateEntry = (ctx: Ctx, id: string, input: UpdateEntryInput, wanted: WantedVersion): Promise<Entry> =>
  ctx.tx(async (tx) => {
    const opened = await openEntry(ctx, tx, id, { wanted, may: requireEdit })
    const mode = modeOf(ctx, input)
    const working = workingCopy(opened.entry)
    const { data, problems } = await mergeSent(ctx, tx, opened.type, {
      stored: working.data,
      sent: input.data ?? {},
    })
    if (problems.length > 0) failFields(problems)
    const title = input.title ?? working.title
    const { next, changed } = await membersAtOnce(ctx, tx, opened, input)
    const slug = await slugFor(tx, opened, { title, given: input.slug, locale: next.locale ?? opened.entry.locale })
    const saved = await saveContent(ctx, tx, opened, {
      content: { title, slug, data },
      mode,
      atOnce: { next, changed },
      reason: 'save',
      isAutosave: input.autosave,
    })
    return showEntry(ctx, tx, saved)
  })

type ContentSave = {
  content: Content
  mode: SaveMode
  /** Members without a working copy, and what they are called in the history. */
  atOnce: { next: Next; changed: string[] }
  reason: NonNullable<Save['revision']>['reason']
  isAutosave: boolean
}

/**
 * Stores content as draft or live, depending on the mode, and records the change; does nothing when nothing is
 * different.
 */
export const saveContent = async (
  ctx: Ctx,
  tx: CmsTx,
  opened: Opened,
  { content, mode, atOnce, reason, isAutosave }: ContentSave,
): Promise<StoredEntry> => {
  const { entry, type } = opened
  const changed = [...changedMembers(workingCopy(entry), content), ...atOnce.changed]
  const isPublished = entry.status === 'published'
  const goesLive = isPublished && mode === 'live'
  if (changed.length === 0 && !(goesLive && entry.pending !== null)) return entry
  if (goesLive) {
    const problems = publishProblems(type, content)
    if (problems.length > 0) failFields(problems)
  }
  const shown = changedMembers(entry, content)
  const after = await storeEntry(ctx, tx, opened, {
    next: { ...atOnce.next, ...contentFor(entry, content, goesLive) },
    revision: { reason, changed, isAutosave },
    isPublicChange: isPublished && atOnce.changed.length > 0,
  })
  const isPublic = (goesLive && shown.length > 0) || (isPublished && atOnce.changed.length > 0)
  await recordEntryChange(ctx, tx, opened, {
    before: entry,
    after,
    names: isPublic ? ['entry.updated', 'entry.published'] : ['entry.updated'],
    changed,
  })
  return after
}

/** Where the content goes: into the entry itself, or beside what the public sees of it. */
const contentFor = (entry: StoredEntry, content: Content, goesLive: boolean): Next => {
  if (entry.status === 'draft') return content
  if (goesLive) return { ...content, pending: null }
  const isAsLive = changedMembers(entry, content).length === 0
  return { pending: isAsLive ? null : content }
}

/** Live is what is asked for by default, of those who may; nobody asked for an autosave. */
export const modeOf = (
  ctx: Ctx,
  { mode, autosave = false }: { mode?: SaveMode | undefined; autosave?: boolean },
): SaveMode => {
  if (mode === 'live') {
    requirePermission(ctx.principal, 'content.publish')
    if (autosave) failFields([{ key: 'mode', message: 'must be draft, because an autosave is never published' }])
  }
  return mode ?? (canPublish(ctx) && !autosave ? 'live' : 'draft')
}

const slugFor = async (
  tx: CmsTx,
  { entry, type }: Opened,
  { title, given, locale }: { title: string; given: string | undefined; locale: string },
): Promise<string> => {
  const working = workingCopy(entry)
  const place = { type: type.name, id: entry.id }
  // That of unpublished changes is nobody's: another entry may have taken it meanwhile.
  if (given !== undefined && given !== entry.slug) return claimSlug(tx, given, place)
  // A draft without a title has its ID as slug.
  const isWithoutOwn = given === undefined && entry.status === 'draft' && working.slug === entry.id && title !== ''
  return isWithoutOwn ? deriveSlug(tx, title, locale, place) : (given ?? working.slug)
}

/** Changes the members that have no working copy: language and author. */
const membersAtOnce = async (
  ctx: Ctx,
  tx: CmsTx,
  { entry }: Opened,
  input: UpdateEntryInput,
): Promise<{ next: Next; changed: string[] }> => {
  const next: Next = {}
  if (input.locale !== undefined && input.locale !== entry.locale) {
    const locale = localeFor(await readLockedSettings(tx), input.locale)
    const origin = entry.translationOf ?? entry.id
    if (origin !== entry.id) await lockEntry(tx, origin)
    await refuseTranslated(tx, { origin, locale, id: entry.id })
    next.locale = locale
  }
  if (input.authorId !== undefined && input.authorId !== entry.author?.id)
    next.author = await authorFor(ctx, tx, input.authorId)
  return { next, changed: Object.keys(next) }
}
