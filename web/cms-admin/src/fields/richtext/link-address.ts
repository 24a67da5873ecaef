import { linkUrl } from '@stoa/cms-model/html/urls.ts'
import { fillPreviewUrl } from '@stoa/cms-model/preview-url.ts'
import type { SearchResults } from '@stoa/cms-model/search.ts'

export type FoundEntry = SearchResults['entries'][number]

/** The website path of an entry: from the template of its type, or its slug at the root. */
export const entryHref = ({ slug, id, locale, type }: FoundEntry, template: string | null): string =>
  fillPreviewUrl(template ?? '/{slug}', { slug, id, locale, type }, '')

/** Completes a typed link address; null when it cannot be one. */
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
