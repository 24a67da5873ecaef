import {
  addMentions,
  fillTemplate,
  type Mentions,
  type Records,
  readTemplate,
  type Template,
  writeTemplate,
} from '@stoa/cms-model/delivery/template.ts'
import type { EntryStub, ReferencedEntry } from '@stoa/cms-model/delivery.ts'
import type { CmsDb } from '../../context.ts'
import { failFields } from '../../errors.ts'
import type { Sources } from './changes.ts'
import { listLeaves, listTargets, type StubRow, type TargetRow } from './queries-links.ts'
import type { View } from './view.ts'
import { readVisible } from './visible.ts'

/** Entries that one answer reads with their data, and records that it mentions at the ends of its branches. */
const MAX_TARGETS = 5_000
const MAX_LEAVES = 20_000
/** Characters of data in one answer, each entry counted as often as it is shown. */
const MAX_DATA_LENGTH = 32 * 1_048_576

/** Shows data as JSON, with records in the place of ids. */
export type Show = (root: { id: string; template: Template }) => string

type Target = StubRow & { publishedAt: Date | null; template: Template }

/**
 * Reads everything that the roots lead to: one statement per level of references, and one for what ends the branches.
 * Targets are of the types that the key may read and published, and of the type that their field is for. What is mentioned is
 * a source also where it is not found: it may be published one day.
 */
export const expand = async (
  db: CmsDb,
  view: View,
  { roots, depth, sources }: { roots: readonly Template[]; depth: number; sources: Sources },
): Promise<Show> => {
  const targets = new Map<string, Target>()
  const media = new Set<string>()
  const linked = new Set<string>()
  let ends = mentionsOf(roots, { media, linked }, view)
  for (let level = 1; level <= depth && ends.size > 0; level += 1) {
    const wanted = [...ends].filter((id) => !targets.has(id))
    if (targets.size + wanted.length > MAX_TARGETS) refuseSize()
    addAll(sources, wanted)
    const rows = wanted.length === 0 ? [] : await listTargets(db, wanted, view)
    const found = rows.map((row) => readTarget(row, view))
    for (const target of found) targets.set(target.id, target)
    ends = mentionsOf(
      found.map(({ template }) => template),
      { media, linked },
      view,
    )
  }
  const left = [...ends.union(linked)].filter((id) => !targets.has(id))
  if (left.length + media.size > MAX_LEAVES) refuseSize()
  addAll(sources, left)
  addAll(sources, media)
  const leaves = await listLeaves(db, { entries: left, types: view.typeNames, media: [...media] })
  const stubs = new Map([...targets, ...leaves.stubs.map((row): [string, StubRow] => [row.id, row])])
  return showWith(view, { targets, stubs, files: filesOf(leaves.media, view), depth })
}

const addAll = (sources: Sources, ids: Iterable<string>): void => {
  for (const id of ids) sources.add(id)
}

const mentionsOf = (
  templates: readonly Template[],
  ends: Pick<Mentions, 'media' | 'linked'>,
  view: View,
): Set<string> => {
  const found: Mentions = { ...ends, entries: new Set() }
  for (const template of templates) addMentions(template, found, view.reads)
  return found.entries
}

const readTarget = ({ id, slug, type, title, locale, published_at, template, data }: TargetRow, view: View): Target => {
  const fields = view.fieldsOf(type)
  const text = template ?? writeTemplate(fields, readVisible(fields, data))
  return { id, slug, type, title, locale, publishedAt: published_at, template: readTemplate(text) }
}

type File = { url: string; json: string }

const filesOf = (rows: Awaited<ReturnType<typeof listLeaves>>['media'], view: View): Map<string, File> =>
  new Map(
    rows.map((row) => {
      const file = view.mediaObject(row)
      return [row.id, { url: file.url, json: JSON.stringify(file) }]
    }),
  )

type Found = {
  targets: ReadonlyMap<string, Target>
  /** Targets as well. */
  stubs: ReadonlyMap<string, StubRow>
  files: ReadonlyMap<string, File>
  depth: number
}

const showWith = (view: View, { targets, stubs, files, depth }: Found): Show => {
  let length = 0
  const made = new Map<string, string>()
  const stubOf = (row: StubRow): string => {
    const known = made.get(row.id)
    if (known !== undefined) return known
    const stub = JSON.stringify(toStub(row, view))
    made.set(row.id, stub)
    return stub
  }
  const shared: Omit<Records, 'entry'> = {
    media: (id) => files.get(id)?.json ?? null,
    mediaUrl: (id) => files.get(id)?.url ?? null,
    entryUrl: (id) => {
      const row = stubs.get(id)
      return row && view.urlOf(row)
    },
  }
  const asStub: Records['entry'] = (id, to) => {
    const row = stubs.get(id)
    return row?.type === to ? stubOf(row) : null
  }
  /** An entry never shows up inside of itself: there it is cut to a stub. */
  const show = (template: Template, above: readonly string[]): string => {
    length += template.length
    if (length > MAX_DATA_LENGTH) refuseSize()
    const entry: Records['entry'] = (id, to) => {
      const target = above.includes(id) ? undefined : targets.get(id)
      if (target?.type !== to) return asStub(id, to)
      return toReferenced(target, stubOf(target), show(target.template, [...above, id]))
    }
    return fillTemplate(template, { ...shared, entry: above.length <= depth ? entry : asStub })
  }
  return (root) => show(root.template, [root.id])
}

const toStub = ({ id, slug, type, title, locale }: StubRow, view: View): EntryStub => ({
  id,
  slug,
  type,
  title,
  url: view.urlOf({ id, slug, type, locale }),
})

/** What a reference shows besides its stub, whose JSON it goes on. */
const toReferenced = ({ publishedAt }: Target, stub: string, data: string): string => {
  const rest: Pick<ReferencedEntry, 'publishedAt'> = { publishedAt: publishedAt?.toISOString() ?? null }
  return `${stub.slice(0, -1)},"data":${data},${JSON.stringify(rest).slice(1)}`
}

const refuseSize = (): never =>
  failFields([
    { key: 'depth', message: 'is too large for one response; use a smaller depth or limit, or fewer fields' },
  ])
