import type { Entry } from '@stoa/cms-client'
import { type Content, linkedOf, type Picture, pictureOf, picturesOf, textOf } from './content.ts'
import { type Html, html } from './html.ts'
import type { PageParts } from './layout.ts'
import { articleCard, articleCards, date, longText, person, picture } from './parts.ts'

const PER_PAGE = 12

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
    body: html`<div class="wrap list-page">
<h1 class="list-title">Articles</h1>
${articleCards(items, locale, 'h2')}
${meta.pages > 1 && html`<nav class="pages" aria-label="Pages">${link(page - 1, 'Newer articles', 'prev')}${link(page + 1, 'Older articles', 'next')}</nav>`}
</div>`,
  }
}

export const articlePage = async (content: Content, slug: string, locale: string): Promise<PageParts | null> => {
  const article = await content.entry('article', slug)
  if (!article) return null
  const summary = textOf(article, 'summary')
  const cover = pictureOf(article, 'cover')
  return {
    entry: article,
    title: article.title,
    description: summary,
    picture: cover?.url ?? null,
    body: html`<article class="article">
<header class="article-head wrap">
<p class="meta">${date(article, locale)}${byline(article)}${readingTime(article)}</p>
<h1 class="article-title">${article.title}</h1>
${summary && html`<p class="standfirst">${summary}</p>`}
${cover && html`<figure class="article-cover">${picture(cover, { first: true, sizes: '(min-width: 80rem) 76rem, 100vw' })}${cover.caption && html`<figcaption>${cover.caption}</figcaption>`}</figure>`}
</header>
<div class="article-body wrap prose">${await longText(content, article, 'body')}</div>
${gallery(picturesOf(article, 'gallery'))}
${person(linkedOf(article, 'author')[0], 'Written by', 'article-person wrap')}
${readNext(article, locale)}
</article>`,
  }
}

/** The author that the article names, else the owner of the account. */
const byline = (article: Entry): Html | null => {
  const name = linkedOf(article, 'author')[0]?.title ?? article.author?.name
  return name === undefined ? null : html`<span>${name}</span>`
}

const readingTime = ({ data }: Entry): Html | null =>
  typeof data.minutes === 'number' ? html`<span>${data.minutes} min</span>` : null

const gallery = (pictures: readonly Picture[]): Html | null =>
  pictures.length === 0
    ? null
    : html`<section class="article-gallery wrap" aria-label="Pictures"><ul class="gallery">${pictures.map(
        (one) => html`<li><figure>${picture(one, { sizes: '(min-width: 60rem) 24rem, 100vw' })}
${one.caption && html`<figcaption>${one.caption}</figcaption>`}</figure></li>`,
      )}</ul></section>`

const readNext = (article: Entry, locale: string): Html | null => {
  const next = linkedOf(article, 'related')
  if (next.length === 0) return null
  return html`<section class="article-next wrap" aria-labelledby="next">
<header class="section-head"><h2 id="next" class="section-title">Read next</h2></header>
<ul class="cards">${next.map((one) => html`<li>${articleCard(one, locale, 'h3')}</li>`)}</ul>
</section>`
}
