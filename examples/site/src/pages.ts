import { articlePage, articlesPage } from './articles.ts'
import { type Content, itemsOf, pictureOf, textOf } from './content.ts'
import { eventPage, eventsPage } from './events.ts'
import { homePage } from './home.ts'
import { html } from './html.ts'
import type { PageParts } from './layout.ts'
import { longText, picture, plainText } from './parts.ts'

/** What a path shows; null when there is nothing. `page` is the number of a page of a list. */
export const findPage = async (
  content: Content,
  { parts, page, locale }: { parts: readonly string[]; page: number; locale: string },
): Promise<PageParts | null> => {
  const [first, second, ...more] = parts
  if (more.length > 0) return null
  if (first === 'articles' && second === undefined) return articlesPage(content, page, locale)
  if (page !== 1) return null
  if (first === undefined) return homePage(content, locale)
  if (first === 'articles' && second !== undefined) return articlePage(content, second, locale)
  if (first === 'events') return second === undefined ? eventsPage(content, locale) : eventPage(content, second, locale)
  return second === undefined ? plainPage(content, first) : null
}

const plainPage = async (content: Content, slug: string): Promise<PageParts | null> => {
  const page = await content.entry('page', slug)
  if (!page) return null
  const cover = pictureOf(page, 'cover')
  return {
    title: page.title,
    description: textOf(page, 'summary'),
    picture: cover?.url ?? null,
    body: html`<article><header class="article-head"><h1>${page.title}</h1>${picture(cover)}</header>
<div class="prose">${await longText(content, page, 'body')}</div>
${itemsOf(page, 'questions').map(
  (item) =>
    html`<details class="question"><summary>${textOf(item, 'question')}</summary>${plainText(textOf(item, 'answer'))}</details>`,
)}</article>`,
  }
}

export const notFoundPage: PageParts = {
  title: 'Not found',
  description: '',
  body: html`<section class="hero"><h1>There is nothing here</h1>
<p>The page may have moved. <a href="/">Go to the start</a>, or look at <a href="/articles">all articles</a>.</p></section>`,
}

export const endedPreviewPage: PageParts = {
  title: 'The preview has ended',
  description: '',
  body: html`<section class="hero"><h1>This preview has ended</h1>
<p>Preview links work for an hour. Open a new one from the editor.</p></section>`,
}
