import type { Entry } from '@stoa/cms-client'
import { type Content, linkedOf, type Picture, pictureOf, picturesOf, textOf } from './content.ts'
import { type Html, html } from './html.ts'
import type { PageParts } from './layout.ts'
import { articleCards, articlePath, date, longText, picture, plainText } from './parts.ts'

const PER_PAGE = 10

export const articlesPage = async (content: Content, page: number, locale: string): Promise<PageParts | null> => {
  const { items, meta } = await content.list('article', { page, limit: PER_PAGE })
  if (items.length === 0 && page > 1) return null
  const link = (to: number, text: string, rel: string): Html | null =>
    to < 1 || to > meta.pages
      ? null
      : html`<a rel="${rel}" href="${to === 1 ? '/articles' : `/articles?page=${to}`}">${text}</a>`
  return {
    title: page === 1 ? 'Articles' : `Articles, page ${page}`,
    description: 'All articles, the newest first',
    body: html`<h1>Articles</h1>
${articleCards(items, locale, 'h2')}
<nav class="pages" aria-label="Pages">${link(page - 1, 'Newer articles', 'prev')}${link(page + 1, 'Older articles', 'next')}</nav>`,
  }
}

export const articlePage = async (content: Content, slug: string, locale: string): Promise<PageParts | null> => {
  const article = await content.entry('article', slug)
  if (!article) return null
  const summary = textOf(article, 'summary')
  return {
    title: article.title,
    description: summary,
    picture: pictureOf(article, 'cover')?.url ?? null,
    body: html`<article>
<header class="article-head">
<h1>${article.title}</h1>
<p class="meta">${date(article, locale)}${byline(article)}${readingTime(article)}</p>
${summary && html`<p class="summary">${summary}</p>`}
${picture(pictureOf(article, 'cover'))}
</header>
<div class="article-body prose">${await longText(content, article, 'body')}</div>
${gallery(picturesOf(article, 'gallery'))}
${aboutTheAuthor(article)}
${readNext(article)}
</article>`,
  }
}

/** Whom the article names, else whoever has the account. */
const byline = (article: Entry): Html | null => {
  const name = linkedOf(article, 'author')[0]?.title ?? article.author?.name
  return name === undefined ? null : html` · ${name}`
}

const readingTime = ({ data }: Entry): Html | null =>
  typeof data.minutes === 'number' ? html` · ${data.minutes} min` : null

const gallery = (pictures: readonly Picture[]): Html | null =>
  pictures.length === 0
    ? null
    : html`<ul class="gallery">${pictures.map((one) => html`<li>${picture(one, { lazy: true })}</li>`)}</ul>`

const aboutTheAuthor = (article: Entry): Html | null => {
  const [author] = linkedOf(article, 'author')
  if (!author) return null
  return html`<aside class="author" aria-label="About the author">
${picture(pictureOf(author, 'portrait'), { lazy: true, className: 'portrait' })}
<div><p><strong>${author.title}</strong><br><span class="meta">${textOf(author, 'role')}</span></p>${plainText(textOf(author, 'bio'))}</div>
</aside>`
}

const readNext = (article: Entry): Html | null => {
  const next = linkedOf(article, 'related')
  if (next.length === 0) return null
  return html`<section class="next" aria-labelledby="next"><h2 id="next">Read next</h2>
<ul>${next.map((one) => html`<li><a href="${articlePath(one)}">${one.title}</a></li>`)}</ul></section>`
}
