import type { Entry } from '@stoa/cms-client'
import { type Content, pictureOf, textOf } from './content.ts'
import { cleanedHtml, type Html, html } from './html.ts'
import type { PageParts } from './layout.ts'

const PER_PAGE = 10
const ON_HOME = 5

/** What a path shows; null when there is nothing. `page` is the number of a page of a list. */
export const findPage = async (
  content: Content,
  { parts, page, locale }: { parts: readonly string[]; page: number; locale: string },
): Promise<PageParts | null> => {
  const [first, second, ...more] = parts
  if (more.length > 0) return null
  if (first === undefined) return page === 1 ? homePage(content, locale) : null
  if (first === 'articles' && second === undefined) return articlesPage(content, page, locale)
  if (page !== 1) return null
  if (first === 'articles' && second !== undefined) return articlePage(content, second, locale)
  return second === undefined ? plainPage(content, first) : null
}

const homePage = async (content: Content, locale: string): Promise<PageParts> => {
  const [settings, home, articles] = await Promise.all([
    content.settings(),
    content.single('home'),
    content.list('article', { page: 1, limit: ON_HOME }),
  ])
  if (!home && articles.items.length === 0 && settings.title === '') return welcomePage()
  const intro = home && (await longText(content, home, 'intro'))
  return {
    title: '',
    description: settings.description || settings.tagline,
    body: html`<section class="hero">
<h1>${(home && textOf(home, 'headline')) || settings.title || 'Welcome'}</h1>
<div class="prose">${intro ?? html`<p>${settings.tagline}</p>`}</div>
</section>
<section class="latest" aria-labelledby="latest">
<h2 id="latest">Latest articles</h2>
${articleCards(articles.items, locale, 'h3')}
${articles.meta.total > ON_HOME && html`<p><a class="more" href="/articles">All articles</a></p>`}
</section>`,
  }
}

/** A site that nobody has filled yet says how to begin. */
const welcomePage = (): PageParts => ({
  title: '',
  description: 'A new website',
  body: html`<section class="hero">
<h1>Your website is running</h1>
<div class="prose"><p>It is empty so far. A few steps fill it:</p>
<ol class="steps">
<li><a href="/admin/">Open the admin</a>. The first visitor claims the site; do it now.</li>
<li>Give the site a title in its settings, and <code>this address</code> as the address of the website.</li>
<li>Make a content type <code>article</code> with a text field <code>summary</code>, a rich text field <code>body</code> and
a media field <code>cover</code>. Its preview address is <code>/articles/{slug}</code>.</li>
<li>Write an article and publish it. It appears here at once.</li>
</ol>
<p>Optional: a type <code>page</code> with a field <code>body</code> and the preview address <code>/{slug}</code>; a single
type <code>home</code> with the fields <code>headline</code> and <code>intro</code>; a menu <code>main</code>.</p></div>
</section>`,
})

const articlesPage = async (content: Content, page: number, locale: string): Promise<PageParts | null> => {
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

/** `heading` fits below the one of the page or section around. */
const articleCards = (articles: readonly Entry[], locale: string, heading: 'h2' | 'h3'): Html =>
  articles.length === 0
    ? html`<p class="empty">No articles have been published yet.</p>`
    : html`<ul class="cards">${articles.map((article) => articleCard(article, locale, cleanedHtml(heading)))}</ul>`

const articleCard = (article: Entry, locale: string, heading: Html): Html => html`<li class="card">
${picture(article, { lazy: true })}
<${heading} class="card-title"><a href="/articles/${encodeURIComponent(article.slug)}">${article.title}</a></${heading}>
<p class="meta">${date(article, locale)}</p>
<p>${textOf(article, 'summary')}</p>
</li>`

const articlePage = async (content: Content, slug: string, locale: string): Promise<PageParts | null> => {
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
<p class="meta">${date(article, locale)}${article.author && html` · ${article.author.name}`}</p>
${summary && html`<p class="summary">${summary}</p>`}
${picture(article, { lazy: false })}
</header>
<div class="article-body prose">${await longText(content, article, 'body')}</div>
</article>`,
  }
}

const plainPage = async (content: Content, slug: string): Promise<PageParts | null> => {
  const page = await content.entry('page', slug)
  if (!page) return null
  return {
    title: page.title,
    description: textOf(page, 'summary'),
    body: html`<article><h1>${page.title}</h1><div class="prose">${await longText(content, page, 'body')}</div></article>`,
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

/** Rich text comes cleaned from the CMS; everything else is text, with an empty line between paragraphs. */
const longText = async (content: Content, entry: Entry, key: string): Promise<Html> => {
  const text = textOf(entry, key)
  if ((await content.fieldType(entry.type, key)) === 'richtext') return cleanedHtml(text)
  const paragraphs = text.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '')
  return html`${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}`
}

const picture = (entry: Entry, { lazy }: { lazy: boolean }): Html | null => {
  const found = pictureOf(entry, 'cover')
  if (!found) return null
  const size = found.width && found.height ? html` width="${found.width}" height="${found.height}"` : null
  return html`<img class="cover" src="${found.url}" alt="${found.alt}"${size}${lazy && html` loading="lazy"`}>`
}

const date = ({ publishedAt }: Entry, locale: string): Html => {
  if (publishedAt === null) return html`Not published`
  const text = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(publishedAt))
  return html`<time datetime="${publishedAt}">${text}</time>`
}
