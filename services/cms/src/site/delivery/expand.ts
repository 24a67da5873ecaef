import type { EntryStub, ReferencedEntry } from '@stoa/cms-model/delivery.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import type { Data } from '@stoa/cms-model/fields/values.ts'
import type { MediaObject } from '@stoa/cms-model/media.ts'
import type { CmsDb } from '../../context.ts'
import { failFields } from '../../errors.ts'
import type { Sources } from './changes.ts'
import { collectLinks, type LinkedIds, type LinkPlan, linkPlanOf, readVisible, substituteLinks } from './plan.ts'
import { listLeaves, listTargets, type StubRow, type TargetRow } from './queries-links.ts'
import type { View } from './view.ts'

/** Entries that one answer reads with their data, and records that it mentions at the ends of its branches. */
const MAX_TARGETS = 5_000
const MAX_LEAVES = 20_000
/** Characters of data in one answer, each entry counted as often as it is shown. */
const MAX_DATA_LENGTH = 32 * 1_048_576

/** Data read for visitors, ready to have records placed in it. */
export type Readable = { plan: LinkPlan; data: Data; length: number }

/** Reads stored data; with `keys`, of these fields only. */
export const readable = (fields: readonly Field[], stored: string): Readable => ({
  plan: linkPlanOf(fields),
  data: readVisible(fields, stored),
  length: stored.length,
})

/** Shows data with records in the place of ids. */
export type Show = (root: { id: string } & Readable) => Data

type Target = Omit<TargetRow, 'data'> & Readable

/**
 * Reads everything that the roots lead to: one statement per level of references, and one for what ends the branches.
 * Targets are of the types that the key may read and published, and of the type that their field is for. What is mentioned is
 * a source also where it is not found: it may be published one day.
 */
export const expand = async (
  db: CmsDb,
  view: View,
  { roots, depth, sources }: { roots: readonly Readable[]; depth: number; sources: Sources },
): Promise<Show> => {
  const targets = new Map<string, Target>()
  const media = new Set<string>()
  const linked = new Set<string>()
  let ends = mentionsOf(roots, { media, linked }, view)
  for (let level = 1; level <= depth && ends.size > 0; level += 1) {
    const wanted = [...ends].filter((id) => !targets.has(id))
    if (targets.size + wanted.length > MAX_TARGETS) refuseSize()
    addAll(sources, wanted)
    const rows = wanted.length === 0 ? [] : await listTargets(db, wanted, view.typeNames)
    const found = rows.map((row) => readTarget(row, view))
    for (const target of found) targets.set(target.id, target)
    ends = mentionsOf(found, { media, linked }, view)
  }
  const left = [...ends.union(linked)].filter((id) => !targets.has(id))
  if (left.length + media.size > MAX_LEAVES) refuseSize()
  addAll(sources, left)
  addAll(sources, media)
  const leaves = await listLeaves(db, { entries: left, types: view.typeNames, media: [...media] })
  const files = new Map(leaves.media.map((row) => [row.id, view.mediaObject(row)]))
  const stubs = new Map(leaves.stubs.map((row) => [row.id, row]))
  return showWith(view, { targets, stubs, files, depth })
}

const addAll = (sources: Sources, ids: Iterable<string>): void => {
  for (const id of ids) sources.add(id)
}

const mentionsOf = (
  sources: readonly Readable[],
  ends: Pick<LinkedIds, 'media' | 'linked'>,
  view: View,
): Set<string> => {
  const found: LinkedIds = { ...ends, entries: new Set() }
  for (const { plan, data } of sources) collectLinks(plan, data, found, view.reads)
  return found.entries
}

const readTarget = (row: TargetRow, view: View): Target => ({ ...row, ...readable(view.fieldsOf(row.type), row.data) })

type Found = {
  targets: ReadonlyMap<string, Target>
  stubs: ReadonlyMap<string, StubRow>
  files: ReadonlyMap<string, MediaObject>
  depth: number
}

const showWith = (view: View, { targets, stubs, files, depth }: Found): Show => {
  let length = 0
  const showFile = (id: string) => files.get(id) ?? null
  const made = new Map<string, EntryStub>()
  const stubOf = (id: string, to: string): EntryStub | null => {
    const row = targets.get(id) ?? stubs.get(id)
    if (!row || row.type !== to) return null
    const known = made.get(id)
    if (known) return known
    const stub = toStub(row, view)
    made.set(id, stub)
    return stub
  }
  const entryUrl = (id: string): string | null | undefined => {
    const row = targets.get(id) ?? stubs.get(id)
    return row && view.urlOf(row)
  }
  /** An entry never shows up inside of itself: there it is cut to a stub. */
  const show = (source: Readable, above: readonly string[]): Data => {
    length += source.length
    if (length > MAX_DATA_LENGTH) refuseSize()
    return substituteLinks(source.plan, source.data, {
      media: showFile,
      entryUrl,
      entry(id, to) {
        const target = above.length <= depth && !above.includes(id) ? targets.get(id) : undefined
        if (!target) return stubOf(id, to)
        return target.type === to ? toReferenced(target, view, show(target, [...above, id])) : null
      },
    })
  }
  return (root) => show(root, [root.id])
}

const toStub = ({ id, slug, type, title, locale }: StubRow, view: View): EntryStub => ({
  id,
  slug,
  type,
  title,
  url: view.urlOf({ id, slug, type, locale }),
})

const toReferenced = (row: Target, view: View, data: Data): ReferencedEntry => ({
  ...toStub(row, view),
  data,
  publishedAt: row.published_at?.toISOString() ?? null,
})

const refuseSize = (): never =>
  failFields([
    { key: 'depth', message: 'is too large for one response; use a smaller depth or limit, or fewer fields' },
  ])
