import { articlePage, articlesPage } from './articles.ts'
import { bookPage, booksPage } from './books.ts'
import { type Content, itemsOf, pictureOf, textOf } from './content.ts'
import { eventPage, eventsPage } from './events.ts'
import { homePage } from './home.ts'
import { html } from './html.ts'
import type { PageParts } from './layout.ts'
import { longText, picture, plainText } from './parts.ts'
import { searchPage } from './search.ts'

export type Asked = {
  parts: readonly string[]
  /** The number of a page of a list. */
  page: number
  /** The words to search for. */
  query: string
  locale: string
  /** The date, UTC: what is over is not coming up. */
  today: string
}

/** The page at a path; null when there is none. */
export const findPage = async (content: Content, asked: Asked): Promise<PageParts | null> => {
  const { parts, page, query, locale, today } = asked
  const [first, second, ...more] = parts
  if (more.length > 0) return null
  if (first === 'articles' && second === undefined) return articlesPage(content, page, locale)
  if (page !== 1) return null
  if (first === undefined) return homePage(content, today, locale)
  if (first === 'articles' && second !== undefined) return articlePage(content, second, locale)
  if (first === 'books') return second === undefined ? booksPage(content, locale) : bookPage(content, second, locale)
  if (first === 'events')
    return second === undefined ? eventsPage(content, today, locale) : eventPage(content, second, locale)
  if (second !== undefined) return null
  return first === 'search' ? searchPage(content, query) : plainPage(content, first)
}

const plainPage = async (content: Content, slug: string): Promise<PageParts | null> => {
  const page = await content.entry('page', slug)
  if (!page) return null
  const cover = pictureOf(page, 'cover')
  const summary = textOf(page, 'summary')
  const questions = itemsOf(page, 'questions')
  return {
    entry: page,
    title: page.title,
    description: summary,
    picture: cover?.url ?? null,
    body: html`<article class="page">
<header class="page-head wrap">
<h1 class="page-title">${page.title}</h1>
${summary && html`<p class="standfirst">${summary}</p>`}
${cover && html`<figure class="page-cover">${picture(cover, { first: true, sizes: '(min-width: 80rem) 76rem, 100vw' })}</figure>`}
</header>
<div class="page-body wrap prose">${await longText(content, page, 'body')}</div>
${
  questions.length > 0 &&
  html`<section class="page-questions wrap" aria-labelledby="questions"><h2 id="questions" class="minor-title">Questions and answers</h2>
${questions.map(
  (item) =>
    html`<details class="question"><summary>${textOf(item, 'question')}</summary>${plainText(textOf(item, 'answer'))}</details>`,
)}</section>`
}
</article>`,
  }
}

export const notFoundPage: PageParts = {
  title: 'Page not found',
  description: '',
  isHidden: true,
  body: html`<section class="message wrap"><p class="message-code" aria-hidden="true">404</p>
<h1>This page isn’t on our shelves</h1>
<p class="standfirst">It may have moved, or it never was here.</p>
<p><a class="button" href="/">Go to the home page</a> <a class="all" href="/search">Search the site</a></p></section>`,
}

export const endedPreviewPage: PageParts = {
  title: 'This preview has ended',
  description: '',
  isHidden: true,
  body: html`<section class="message wrap"><h1>This preview has ended</h1>
<p class="standfirst">Preview links work for an hour. Open a new one from the editor.</p></section>`,
}
