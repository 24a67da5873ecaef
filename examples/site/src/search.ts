import type { Entry } from '@stoa/cms-client'
import { bookPath } from './books.ts'
import { type Content, textOf } from './content.ts'
import { eventPath } from './events.ts'
import { type Html, html } from './html.ts'
import type { PageParts } from './layout.ts'
import { articlePath } from './parts.ts'

/** More words than anybody looks for. */
export const MAX_QUERY_LENGTH = 100
const PER_KIND = 10

const KINDS = [
  { type: 'book', label: 'Books', path: bookPath },
  { type: 'article', label: 'Articles', path: articlePath },
  { type: 'event', label: 'Events', path: eventPath },
  { type: 'page', label: 'Pages', path: ({ slug }: Entry) => `/${encodeURIComponent(slug)}` },
]

export const searchPage = async (content: Content, query: string): Promise<PageParts> => {
  const found = query === '' ? [] : await Promise.all(KINDS.map((kind) => find(content, kind, query)))
  const total = found.reduce((sum, { items }) => sum + items.length, 0)
  return {
    title: query === '' ? 'Search' : `Search: ${query}`,
    description: 'Search books, articles, events and pages',
    isHidden: true,
    body: html`<div class="wrap list-page">
<h1 class="list-title">Search</h1>
<form class="search-form" action="/search" role="search">
<label for="q">Search books, articles, events and pages</label>
<div><input id="q" name="q" type="search" value="${query}" maxlength="${MAX_QUERY_LENGTH}" autocomplete="off" required>
<button class="button">Search</button></div>
</form>
${query !== '' && html`<p class="search-count" role="status">${countText(total, query)}</p>`}
${found.map(results)}
</div>`,
  }
}

type Found = (typeof KINDS)[number] & { items: readonly Entry[] }

const find = async (content: Content, kind: (typeof KINDS)[number], q: string): Promise<Found> => {
  const { items } = await content.list(kind.type, { page: 1, limit: PER_KIND, q })
  return { ...kind, items }
}

const countText = (total: number, query: string): string => {
  if (total === 0) return `Nothing found for “${query}”. Try fewer or other words.`
  return `${total === 1 ? '1 result' : `${total} results`} for “${query}”`
}

const results = ({ type, label, path, items }: Found): Html | null =>
  items.length === 0
    ? null
    : html`<section class="results" aria-labelledby="found-${type}"><h2 id="found-${type}">${label}</h2>
<ul>${items.map((entry) => html`<li><a href="${path(entry)}">${entry.title}</a><p>${textOf(entry, 'summary')}</p></li>`)}</ul></section>`
