import { linksOf, searchTextOf } from '@stoa/cms-model/fields/values.ts'
import type { CmsTx } from '../context.ts'
import { failFields } from '../errors.ts'
import type { ContentType } from '../types/types.ts'
import { claimUniqueValues } from '../types/unique.ts'
import { type Link, replaceLinks, replaceSearch } from './queries-sides.ts'
import { type Content, isLive, type StoredEntry, workingCopy } from './record.ts'

/** Brings what is derived of an entry up to its stored row: unique values, used-in, and what it is found by. */
export const syncSides = async (tx: CmsTx, type: ContentType, entry: StoredEntry): Promise<void> => {
  const taken = await claimUniqueValues(tx, type, [entry.id])
  if (taken.length > 0)
    failFields(
      [...new Set(taken.map(({ key }) => key))].map((key) => ({ key, message: 'is the value of another entry' })),
    )
  const working = workingCopy(entry)
  const live = isLive(entry) ? entry : null
  await replaceLinks(tx, entry.id, [
    ...linksFrom(type, working, false),
    ...(live === null ? [] : linksFrom(type, live, true)),
  ])
  await replaceSearch(tx, entry.id, {
    words: `${working.title} ${working.slug}`,
    full: { title: working.title, text: searchTextOf(type.fields, working.data, 'all') },
    visible: live && { title: live.title, text: searchTextOf(type.fields, live.data, 'visible') },
  })
}

const linksFrom = (type: ContentType, { data }: Content, live: boolean): Link[] => {
  const { media, entries } = linksOf(type.fields, data)
  return [
    ...media.map((targetId) => ({ isLive: live, kind: 'media' as const, targetId })),
    ...[...new Set(entries.map(({ id }) => id))].map((targetId) => ({
      isLive: live,
      kind: 'entry' as const,
      targetId,
    })),
  ]
}
