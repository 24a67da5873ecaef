import { linkUrl } from '@stoa/cms-model/html/urls.ts'
import { fillPreviewUrl } from '@stoa/cms-model/preview-url.ts'
import type { SearchResults } from '@stoa/cms-model/search.ts'

export type FoundEntry = SearchResults['entries'][number]

/** Where an entry is on the website: by the template of its type, or at the root by its slug. */
export const entryHref = ({ slug, id, locale, type }: FoundEntry, template: string | null): string =>
  fillPreviewUrl(template ?? '/{slug}', { slug, id, locale, type }, '')

/** What someone typed as the address of a link, completed; null when it cannot be one. */
export const completeHref = (typed: string): string | null => {
  const text = typed.trim()
  if (text === '') return null
  if (isAddress(text)) return linkUrl(text)
  if (/^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/.test(text)) return linkUrl(`mailto:${text}`)
  if (/^\+\d[\d ().-]{4,}$/.test(text)) return linkUrl(`tel:${text.replace(/[^\d+]/g, '')}`)
  return /^[\p{L}\d-]+(?:\.[\p{L}\d-]+)+(?:[:/?#]\S*)?$/u.test(text) ? linkUrl(`https://${text}`) : null
}

/** True for what is plainly an address and not words to search for. */
export const isAddress = (text: string): boolean => /^(?:https?:|mailto:|tel:|\/|#|\?|\.{1,2}\/)/i.test(text.trim())
