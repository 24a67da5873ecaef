import type { Entry } from '@stoa/cms-client'
import { type Content, type Linked, linkedOf, pictureOf, textOf } from './content.ts'
import { cleanedHtml, type Html, html } from './html.ts'
import type { PageParts } from './layout.ts'
import { contents, longText, money, person, picture, sectionHead } from './parts.ts'

const PER_PAGE = 48
const MORE = 4

export const listBooks = async (content: Content, limit = PER_PAGE): Promise<readonly Entry[]> =>
  (await content.list('book', { page: 1, limit })).items

export const bookPath = ({ slug }: { slug: string }): string => `/books/${encodeURIComponent(slug)}`

export const booksPage = async (content: Content, locale: string): Promise<PageParts> => {
  const books = await listBooks(content)
  return {
    title: 'Books',
    description: 'The books in the window, and why we like them',
    body: html`<div class="wrap list-page">
<h1 class="list-title">Books</h1>
${books.length === 0 ? html`<p class="empty">No books have been published yet.</p>` : bookShelf(books, locale, 'h2')}
</div>`,
  }
}

export const bookShelf = (books: readonly Entry[], locale: string, level: 'h2' | 'h3'): Html => {
  const heading = cleanedHtml(level)
  return html`<ul class="shelf">${books.map(
    (book) => html`<li class="book">
<a href="${bookPath(book)}">${cover(book)}
<${heading} class="book-title">${book.title}</${heading}></a>
<p class="book-writer">${textOf(book, 'writer')}</p>
<p class="meta">${priceOf(book, locale)}</p>
</li>`,
  )}</ul>`
}

const PATTERNS = ['waves', 'scales', 'stars', 'leaves', 'stripes', 'dots']
const PAPERS = ['sea', 'ochre', 'brick', 'sage', 'plum', 'night']

/** The picture of a cover, or patterned paper with a label. The title stands beside it, so screen readers don't read it twice. */
export const cover = (book: Entry | Linked): Html => {
  const found = pictureOf(book, 'cover')
  if (found) return html`<div class="cover">${picture({ ...found, alt: '' }, { sizes: '18rem' })}</div>`
  const known = (names: readonly string[], key: string): string =>
    names.find((name) => name === textOf(book, key)) ?? names[0] ?? ''
  return html`<div class="cover cover-paper pattern-${known(PATTERNS, 'pattern')} paper-${known(PAPERS, 'paper')}" aria-hidden="true">
<div class="label"><span class="label-title">${book.title}</span><span class="label-writer">${textOf(book, 'writer')}</span></div>
</div>`
}

const priceOf = ({ data }: Pick<Entry, 'data'>, locale: string): string | null =>
  typeof data.price === 'number' ? money(data.price, locale) : null

export const bookPage = async (content: Content, slug: string, locale: string): Promise<PageParts | null> => {
  const [book, books] = await Promise.all([content.entry('book', slug), listBooks(content, MORE + 1)])
  if (!book) return null
  const summary = textOf(book, 'summary')
  const others = books.filter(({ id }) => id !== book.id).slice(0, MORE)
  return {
    entry: book,
    title: book.title,
    description: summary,
    picture: pictureOf(book, 'cover')?.url ?? null,
    body: html`<article class="book-page">
<header class="book-head wrap">
<div class="book-cover">${cover(book)}</div>
<div class="book-lead">
<p class="eyebrow book-writer-name">${textOf(book, 'writer')}</p>
<h1 class="book-name">${book.title}</h1>
${summary && html`<p class="standfirst">${summary}</p>`}
${contents(facts(book, locale))}
<p><a class="button" href="/orders">Order it</a></p>
</div>
</header>
<div class="book-text wrap prose">${await longText(content, book, 'body')}</div>
${person(linkedOf(book, 'pickedBy')[0], 'Recommended by', 'book-person wrap')}
${
  others.length > 0 &&
  html`<section class="book-more wrap" aria-labelledby="more">
${sectionHead('More books', { id: 'more', className: 'section-title', all: { url: '/books', label: 'All books' } })}
${bookShelf(others, locale, 'h3')}
</section>`
}
</article>`,
  }
}

const facts = (book: Entry, locale: string): [string, string][] => {
  const { binding, pages } = book.data
  const price = priceOf(book, locale)
  return [
    ...(typeof binding === 'string' && binding !== '' ? [['Binding', binding] satisfies [string, string]] : []),
    ...(typeof pages === 'number' ? [['Pages', String(pages)] satisfies [string, string]] : []),
    ...(price === null ? [] : [['Price', price] satisfies [string, string]]),
  ]
}
