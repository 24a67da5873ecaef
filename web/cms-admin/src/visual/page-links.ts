import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { EntryItem } from '@stoa/cms-model/entries.ts'
import { type PreviewValues, readPreviewUrl } from '@stoa/cms-model/preview-url.ts'
import { listEntries } from '../entries/queries.ts'

type PageType = Pick<ContentType, 'name' | 'previewUrl'>
export type Candidate = { type: string; values: Partial<PreviewValues> }

/** Types of the same address template; more of them say nothing about where a link leads. */
const MAX_CANDIDATES = 3
/** Translations may have the same slug. */
const MAX_FOUND = 20

/** The types that an address may belong to: those whose template says most of it. `base` is where the website is. */
export const candidatesFor = (types: readonly PageType[], base: string, address: string): Candidate[] => {
  const fits = types.flatMap(({ name, previewUrl }) => {
    const read = previewUrl === null ? null : readPreviewUrl(previewUrl, base, address)
    const isOther = read?.values.type !== undefined && read.values.type !== name
    return read && !isOther ? [{ type: name, ...read }] : []
  })
  const closest = Math.max(...fits.map(({ fixed }) => fixed))
  return fits
    .filter(({ fixed }) => fixed === closest)
    .slice(0, MAX_CANDIDATES)
    .map(({ type, values }) => ({ type, values }))
}

/** The entry whose page an address is; undefined when it is none of these. */
export const entryAt = async (
  candidates: readonly Candidate[],
  address: string,
  signal: AbortSignal,
): Promise<EntryItem | undefined> => {
  const found = await Promise.all(
    candidates.map(({ type, values }) => listEntries({ type, own: conditions(values), limit: MAX_FOUND }, signal)),
  )
  return found.flatMap(({ items }) => items).find(({ url }) => url !== null && isSamePage(url, address))
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const conditions = ({ slug, id }: Partial<PreviewValues>): Record<string, string> => ({
  ...(slug === undefined ? {} : { 'filter[slug][eq]': slug }),
  ...(id === undefined || !UUID.test(id) ? {} : { 'filter[id][eq]': id }),
})

/** Whether both lead to the same page, whatever place of it. */
export const isSamePage = (one: string, other: string): boolean => {
  const [a, b] = [URL.parse(one), URL.parse(other)]
  if (!a || !b) return false
  const pathOf = ({ pathname }: URL) => pathname.replace(/\/+$/, '')
  return a.origin === b.origin && pathOf(a) === pathOf(b) && (a.search === '' || a.search === b.search)
}
