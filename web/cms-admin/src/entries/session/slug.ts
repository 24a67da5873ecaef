import type { EntryStatus } from '@stoa/cms-model/entries.ts'
import { isReservedSlug, MAX_SLUG_LENGTH, slugFromTitle } from '@stoa/cms-model/slugs.ts'

type Followed = {
  id: string
  title: string
  slug: string
  locale: string
  status: EntryStatus
  publishedAt: string | null
}

/** Whether the slug still is what the title made it, of an entry whose address nobody has seen. */
export const followsTitle = ({ id, title, slug, locale, status, publishedAt }: Followed): boolean => {
  if (status !== 'draft' || publishedAt !== null) return false
  if (slug === id) return true
  const made = slugFromTitle(title, locale)
  return made !== '' && (slug === made || numbered(slug, made))
}

const numbered = (slug: string, made: string): boolean =>
  slug.startsWith(`${made}-`) && /^[2-9]$|^[1-9]\d{1,3}$/.test(slug.slice(made.length + 1))

/** The slug that a title asks for, at the n-th try; empty when nothing can be made of the title. */
export const slugFor = (title: string, locale: string, attempt: number): string => {
  const made = slugFromTitle(title, locale)
  if (made === '') return ''
  const ending = attempt > 1 ? `-${attempt}` : isReservedSlug(made) ? '-2' : ''
  return made.slice(0, MAX_SLUG_LENGTH - ending.length).replace(/-$/, '') + ending
}
