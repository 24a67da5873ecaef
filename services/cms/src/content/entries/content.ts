import type { FieldProblem } from '@stoa/cms-model/errors.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { isAccepted } from '@stoa/cms-model/fields/media-types.ts'
import { keepUnseen } from '@stoa/cms-model/fields/unseen.ts'
import { checkData, checkSize, cleanData, type Data, linksOf, mergeData } from '@stoa/cms-model/fields/values.ts'
import { visualOf } from '@stoa/cms-model/visual.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import type { ContentType } from '../types/types.ts'
import { refuseUnknownSections } from './layout.ts'
import { keepMedia, listKnownEntries } from './queries-sides.ts'

export type CheckedData = { data: Data; problems: FieldProblem[] }

/**
 * Merges what was sent into the stored data, cleaned. Only the keys that were sent are checked: others may have been right
 * before the type changed.
 */
export const mergeSent = async (
  { host }: Pick<Ctx, 'host'>,
  tx: CmsTx,
  type: ContentType,
  { stored, sent }: { stored: Data; sent: Data },
): Promise<CheckedData> => {
  const definition = visualOf(host.visual, type.name)
  const patch = cleanData(type.fields, sent, { formatted: definition?.formatted ?? [] })
  const data = mergeData(stored, keepUnseen(type.fields, stored, patch))
  const keys = Object.keys(patch)
  // Hidden members of list items are kept without a check: only the data that was sent has to be valid.
  const sentData = mergeData(stored, patch)
  const problems = [...checkData(type.fields, sentData, { publishing: false, only: keys }), ...checkSize(data)]
  if (problems.length > 0) return { data, problems }
  if (definition) refuseUnknownSections(definition, patch)
  return { data, problems: await linkProblems(tx, type, data, keys) }
}

/** What is missing before the public may see it. */
export const publishProblems = (type: ContentType, { title, data }: { title: string; data: Data }): FieldProblem[] => [
  ...(title === '' ? [{ key: 'title', message: 'is required' }] : []),
  ...checkData(type.fields, data, { publishing: true, only: [] }),
]

/** Links in these fields to entries and files that are not there, or not of the right kind: two statements at most. */
export const linkProblems = async (
  tx: CmsTx,
  type: ContentType,
  data: Data,
  keys: readonly string[],
): Promise<FieldProblem[]> => {
  const wanted = linkedIn(
    type.fields.filter(({ key }) => keys.includes(key)),
    data,
    '',
  )
  const entryIds = wanted.flatMap(({ kind, id }) => (kind === 'entry' ? [id] : []))
  const mediaIds = wanted.flatMap(({ kind, id }) => (kind === 'entry' ? [] : [id]))
  const entries = entryIds.length === 0 ? [] : await listKnownEntries(tx, [...new Set(entryIds)])
  const media = mediaIds.length === 0 ? [] : await keepMedia(tx, [...new Set(mediaIds)])
  const typeOfEntry = new Map(entries.map((entry) => [entry.id, entry.type]))
  const typeOfFile = new Map(media.map((file) => [file.id, file.mimeType]))
  return wanted.flatMap((link) => {
    // A URL in a text may point to something deleted, or to another site.
    if (link.kind === 'address') return []
    const { key, id } = link
    if (link.kind === 'entry') {
      if (typeOfEntry.get(id) === link.to) return []
      const found = typeOfEntry.has(id) ? 'has another type' : "doesn't exist or is in the trash"
      return [{ key, message: `must be entries of type "${link.to}": ${id} ${found}` }]
    }
    const { accept } = link
    const mimeType = typeOfFile.get(id)
    if (mimeType === undefined) return [{ key, message: `must be a file in the media library; ${id} doesn't exist` }]
    if (accept !== null && !isAccepted(accept, mimeType))
      return [{ key, message: `must be ${accept.join(', ')}; this file is ${mimeType}` }]
    return []
  })
}

type Linked = { key: string; id: string } & (
  | { kind: 'entry'; to: string }
  | { kind: 'media'; accept: readonly string[] | null }
  | { kind: 'address' }
)

/** Every link with the path of its value: links inside a list are named by their item. */
const linkedIn = (fields: readonly Field[], data: Data, prefix: string): Linked[] =>
  fields.flatMap((field): Linked[] => {
    const key = prefix + field.key
    if ('fields' in field) {
      const items = Object.hasOwn(data, field.key) ? data[field.key] : []
      return (Array.isArray(items) ? items : []).flatMap((item, index) =>
        isData(item) ? linkedIn(field.fields, item, `${key}.${index}.`) : [],
      )
    }
    const links = linksOf([field], data)
    return [
      ...links.entries.map(({ id, to }): Linked => ({ kind: 'entry', key, id, to })),
      ...links.media.map((id): Linked => ({ kind: 'media', key, id, accept: 'accept' in field ? field.accept : null })),
      ...links.addressed.map((id): Linked => ({ kind: 'address', key, id })),
    ]
  })

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)
