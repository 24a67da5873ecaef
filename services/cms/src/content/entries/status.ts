import type { Entry, EntryStatusInput } from '@stoa/cms-model/entries.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import { fail, failFields } from '../../errors.ts'
import { requirePermission } from '../../people/access/access.ts'
import type { WantedVersion } from '../../version-conflict.ts'
import { changedMembers, recordEntryChange } from './changes.ts'
import { publishProblems } from './content.ts'
import { type StoredEntry, workingCopy } from './record.ts'
import { requireWrite } from './rights.ts'
import { scheduleEntry } from './schedule.ts'
import { showEntry } from './show.ts'
import { claimSlug, isSlugTaken } from './slugs.ts'
import { type Opened, openEntry, type Save, storeEntry } from './write.ts'

/** Publishes, unpublishes or returns to draft; with a time, then. The only way to another status. */
export const changeStatus = (ctx: Ctx, id: string, input: EntryStatusInput, wanted: WantedVersion): Promise<Entry> =>
  ctx.tx(async (tx) => {
    const opened = await openEntry(ctx, tx, id, { wanted, may: rightFor(input.action) })
    return showEntry(ctx, tx, await applyStatus(ctx, tx, opened, input))
  })

/** Going live and coming back takes the right to publish; a draft is for everybody who may write it. */
export const rightFor =
  (action: EntryStatusInput['action']) =>
  (ctx: Ctx, entry: StoredEntry): void => {
    if (action === 'draft') requireWrite(ctx, entry)
    else requirePermission(ctx.principal, 'content.publish')
  }

/** `changeStatus` for an entry that is already open. */
export const applyStatus = (
  ctx: Ctx,
  tx: CmsTx,
  opened: Opened,
  { action, at }: EntryStatusInput,
): Promise<StoredEntry> => {
  if (action === 'draft') {
    if (at !== undefined) failFields([{ key: 'at', message: 'can only be used with publish and unpublish' }])
    return returnToDraft(ctx, tx, opened)
  }
  if (at !== undefined) return scheduleEntry(ctx, tx, opened, { action, at })
  return action === 'publish' ? publishEntry(ctx, tx, opened, 'publish') : unpublishEntry(ctx, tx, opened, 'publish')
}

type Reason = NonNullable<Save['revision']>['reason']

/** The working copy goes live, if it is complete; an unchanged live entry stays as it is. */
export const publishEntry = async (ctx: Ctx, tx: CmsTx, opened: Opened, reason: Reason): Promise<StoredEntry> => {
  const { entry, type } = opened
  const isNew = entry.status === 'draft'
  if (!isNew && entry.pending === null) return entry
  const content = workingCopy(entry)
  const problems = publishProblems(type, content)
  if (problems.length > 0) failFields(problems)
  if (content.slug !== entry.slug) await claimSlug(tx, content.slug, { type: type.name, id: entry.id })
  const changed = [...(isNew ? ['status'] : []), ...changedMembers(entry, content)]
  const after = await storeEntry(ctx, tx, opened, {
    next: {
      ...content,
      pending: null,
      status: 'published',
      publishAt: null,
      ...(isNew ? { publishedAt: ctx.now() } : {}),
    },
    revision: { reason, changed },
  })
  await recordEntryChange(ctx, tx, opened, { before: entry, after, names: ['entry.published'], changed })
  return after
}

/** Off the website, and a draft again. */
export const unpublishEntry = async (ctx: Ctx, tx: CmsTx, opened: Opened, reason: Reason): Promise<StoredEntry> => {
  if (opened.entry.status === 'draft') fail('INVALID_STATE', { message: "This entry isn't published" })
  return withdraw(ctx, tx, opened, reason)
}

/** A draft from wherever it is; what was scheduled is off. */
const returnToDraft = async (ctx: Ctx, tx: CmsTx, opened: Opened): Promise<StoredEntry> => {
  const { entry } = opened
  if (entry.status === 'published') return withdraw(ctx, tx, opened, 'save', { publishAt: null })
  if (entry.publishAt === null && entry.unpublishAt === null) return entry
  const next = { publishAt: null, unpublishAt: null }
  const after = await storeEntry(ctx, tx, opened, { next, revision: null })
  const changed = ['publishAt', 'unpublishAt'].filter(
    (_, index) => [entry.publishAt, entry.unpublishAt][index] !== null,
  )
  await recordEntryChange(ctx, tx, opened, { before: entry, after, names: ['entry.updated'], changed })
  return after
}

const withdraw = async (
  ctx: Ctx,
  tx: CmsTx,
  opened: Opened,
  reason: Reason,
  more: { publishAt?: null } = {},
): Promise<StoredEntry> => {
  const { entry } = opened
  const after = await storeEntry(ctx, tx, opened, {
    next: { ...(await draftContent(tx, entry)), pending: null, status: 'draft', unpublishAt: null, ...more },
    revision: { reason, changed: ['status'] },
  })
  await recordEntryChange(ctx, tx, opened, { before: entry, after, names: ['entry.unpublished'], changed: ['status'] })
  return after
}

/** Unpublished changes are kept; only a slug that another entry took meanwhile gives way to the entry's own. */
export const draftContent = async (tx: CmsTx, entry: StoredEntry) => {
  const content = workingCopy(entry)
  const isTaken = content.slug !== entry.slug && (await isSlugTaken(tx, content.slug, entry))
  return isTaken ? { ...content, slug: entry.slug } : content
}
