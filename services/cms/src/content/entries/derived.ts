import { writeTemplate } from '@stoa/cms-model/delivery/template.ts'
import { linksOf, misfitsIn, readData, searchTextOf } from '@stoa/cms-model/fields/values.ts'
import type { CmsTx } from '../../context.ts'
import { failFields } from '../../errors.ts'
import { writeChunks } from '../chunks/chunks.ts'
import type { ContentType } from '../types/types.ts'
import { claimUniqueValues, templateState } from '../types/types.ts'
import {
  type Link,
  replaceLinks,
  replaceSearch,
  replaceTemplates,
  type SearchTexts,
  type StoredTemplate,
} from './queries-sides.ts'
import { isLive, type StoredEntry, workingCopy } from './record.ts'

/** Brings what is derived of an entry up to its stored row: unique values, used-in, what it is found by, and what visitors see. */
export const syncDerived = async (tx: CmsTx, type: ContentType, entry: StoredEntry): Promise<void> => {
  const taken = await claimUniqueValues(tx, type, [entry.id])
  if (taken.length > 0)
    failFields(
      [...new Set(taken.map(({ key }) => key))].map((key) => ({ key, message: 'is already used by another entry' })),
    )
  await writeSearchAndLinks(tx, type, [entry])
}

/** Updates the search data, links and templates of a type's entries. Rows and type must be locked. */
export const writeSearchAndLinks = async (
  tx: CmsTx,
  type: ContentType,
  entries: readonly StoredEntry[],
): Promise<void> => {
  await replaceLinks(
    tx,
    entries.map(({ id }) => id),
    entries.flatMap((entry) => linksFrom(type, entry)),
  )
  await replaceSearch(
    tx,
    type.searchVersion,
    entries.map((entry) => textsFrom(type, entry)),
  )
  await replaceTemplates(tx, templateState(type), {
    written: entries.flatMap((entry) => templateFrom(type, entry)),
    gone: entries.filter((entry) => !isLive(entry)).map(({ id }) => id),
  })
  await writeChunks(
    tx,
    type.fields,
    entries.map((entry) => ({ ...entry, isLive: isLive(entry) })),
  )
}

const textsFrom = ({ fields }: ContentType, entry: StoredEntry): SearchTexts => {
  const { title, slug, data } = workingCopy(entry)
  return {
    entryId: entry.id,
    words: `${title} ${slug}`,
    full: { title, text: searchTextOf(fields, data, 'all') },
    misfits: {
      stored: misfitsIn(fields, entry.data),
      pending: entry.pending === null ? [] : misfitsIn(fields, entry.pending.data),
    },
    visible: isLive(entry) ? { title: entry.title, text: searchTextOf(fields, entry.data, 'visible') } : null,
  }
}

const templateFrom = ({ fields }: ContentType, entry: StoredEntry): StoredTemplate[] => {
  const { id, data, liveVersion } = entry
  if (!isLive(entry) || liveVersion === null) return []
  return [{ entryId: id, version: liveVersion, template: writeTemplate(fields, readData(fields, data, 'visible')) }]
}

const linksFrom = ({ fields }: ContentType, entry: StoredEntry): Link[] => {
  const copies = [
    { isLive: false, content: workingCopy(entry) },
    ...(isLive(entry) ? [{ isLive: true, content: entry }] : []),
  ]
  return copies.flatMap(({ isLive, content }) => {
    const { media, addressed, entries, linked } = linksOf(fields, content.data)
    const files = new Set([...media, ...addressed])
    const targets = new Set([...entries.map(({ id }) => id), ...linked])
    return [
      ...[...files].map((targetId): Link => ({ entryId: entry.id, isLive, kind: 'media', targetId })),
      ...[...targets].map((targetId): Link => ({ entryId: entry.id, isLive, kind: 'entry', targetId })),
    ]
  })
}
