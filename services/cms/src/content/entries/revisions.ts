import type { Entry, EntryDiff, RestoreRevisionInput, Revision, RevisionItem } from '@stoa/cms-model/entries.ts'
import { diffContent } from '@stoa/cms-model/entry-diff.ts'
import { LAYOUT_KEY } from '@stoa/cms-model/fields/layout.ts'
import { checkSize } from '@stoa/cms-model/fields/values.ts'
import { type List, type Page, toList } from '@stoa/cms-model/lists.ts'
import { visualOf } from '@stoa/cms-model/visual.ts'
import type { CmsDb, Ctx } from '../../context.ts'
import { fail, failFields } from '../../errors.ts'
import type { WantedVersion } from '../../version-conflict.ts'
import { type ContentType, requireType, underPresentKeys } from '../types/types.ts'
import { linkProblems } from './content.ts'
import { asDeclared, refuseUnknownSections } from './layout.ts'
import { findEntry } from './queries.ts'
import { findRevision, listRevisionRows, type StoredRevision } from './queries-revisions.ts'
import { type Content, type StoredEntry, workingCopy } from './record.ts'
import { requireEdit, requireWrite } from './rights.ts'
import { revisionItemJson, revisionJson } from './schema.ts'
import { showEntry } from './show.ts'
import { claimSlug } from './slugs.ts'
import { modeOf, saveContent } from './update.ts'
import { openEntry } from './write.ts'

/** The history of an entry, the newest first. */
export const listRevisions = async (ctx: Ctx, entryId: string, page: Page): Promise<List<RevisionItem>> => {
  await readable(ctx, entryId)
  const { revisions, total } = await listRevisionRows(ctx.db, entryId, page)
  return toList(revisions.map(revisionItemJson), total, page)
}

export const getRevision = async (ctx: Ctx, entryId: string, id: string): Promise<Revision> => {
  const entry = await readable(ctx, entryId)
  const type = await requireType(ctx.db, entry.type)
  return revisionJson(await requireRevision(ctx.db, type, { entryId, id }), type)
}

/** What changed from a revision to another one, or to what is edited now. */
export const diffRevision = async (
  ctx: Ctx,
  entryId: string,
  { id, against }: { id: string; against: string },
): Promise<EntryDiff> => {
  const entry = await readable(ctx, entryId)
  const type = await requireType(ctx.db, entry.type)
  const before = await requireRevision(ctx.db, type, { entryId, id })
  const after =
    against === 'current' ? workingCopy(entry) : await requireRevision(ctx.db, type, { entryId, id: against })
  const sections = visualOf(ctx.host.visual, type.name)?.sections
  return { changes: diffContent(type.fields, before, after, sections) }
}

/** Saves what a revision holds, or the named members of it, like any other change. Terms stay as they are. */
export const restoreRevision = (
  ctx: Ctx,
  entryId: string,
  { id, keys, mode, wanted }: RestoreRevisionInput & { id: string; wanted: WantedVersion },
): Promise<Entry> =>
  ctx.tx(async (tx) => {
    const opened = await openEntry(ctx, tx, entryId, { wanted, may: requireEdit })
    const { entry, type } = opened
    const revision = await requireRevision(tx, type, { entryId, id })
    const fieldKeys = [...type.fields.map(({ key }) => key), LAYOUT_KEY]
    const chosen = keys === undefined ? ['title', 'slug', ...fieldKeys.map(asPath)] : chosenMembers(keys, fieldKeys)
    if (keys !== undefined && chosen.includes(asPath(LAYOUT_KEY))) {
      const definition = visualOf(ctx.host.visual, type.name)
      if (definition) refuseUnknownSections(definition, revision.data)
    }
    const earlier = { ...revision, data: asDeclared(ctx, type, revision.data) }
    const content = restored(workingCopy(entry), earlier, chosen)
    const changedKeys = fieldKeys.filter((key) => chosen.includes(asPath(key)))
    const problems = [...checkSize(content.data), ...(await linkProblems(tx, type, content.data, changedKeys))]
    if (problems.length > 0) failFields(problems)
    if (content.slug !== workingCopy(entry).slug) await claimSlug(tx, content.slug, { type: type.name, id: entryId })
    const saved = await saveContent(ctx, tx, opened, {
      content,
      mode: modeOf(ctx, { mode }),
      atOnce: { next: {}, changed: [] },
      reason: 'restore',
      isAutosave: false,
    })
    return showEntry(ctx, tx, saved)
  })

const asPath = (key: string): string => `data.${key}`

/** What is in the trash is shown to those who may restore it. */
const readable = async (ctx: Ctx, id: string): Promise<StoredEntry> => {
  const entry = (await findEntry(ctx.db, id)) ?? fail('NOT_FOUND')
  if (entry.deletedAt !== null) requireWrite(ctx, entry)
  return entry
}

/** The revision, with its values under the keys that fields have now. */
const requireRevision = async (
  db: CmsDb,
  type: ContentType,
  { entryId, id }: { entryId: string; id: string },
): Promise<StoredRevision> => {
  const revision = (await findRevision(db, entryId, id)) ?? fail('NOT_FOUND')
  return { ...revision, data: underPresentKeys(type, revision.data, revision.createdAt) }
}

/** `title` and `slug` are the entry's own; a field of that name is named by its path. */
const chosenMembers = (keys: readonly string[], fieldKeys: readonly string[]): string[] => {
  const paths = new Set(['title', 'slug', ...fieldKeys.map(asPath)])
  const members = keys.map((key) => (paths.has(key) ? key : asPath(key)))
  const problems = members.flatMap((member, index) =>
    paths.has(member) ? [] : [{ key: `keys.${index}`, message: "isn't a property or field of this entry" }],
  )
  if (problems.length > 0) failFields(problems)
  return members
}

/** The working copy with the chosen members of the revision. Values of fields that the type no longer has stay. */
const restored = (working: Content, revision: Content, chosen: readonly string[]): Content => {
  const isChosen = (key: string) => chosen.includes(asPath(key))
  return {
    title: chosen.includes('title') ? revision.title : working.title,
    slug: chosen.includes('slug') ? revision.slug : working.slug,
    data: Object.fromEntries([
      ...Object.entries(working.data).filter(([key]) => !isChosen(key)),
      ...Object.entries(revision.data).filter(([key]) => isChosen(key)),
    ]),
  }
}
