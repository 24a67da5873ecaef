import type { Entry } from '@stoa/cms-client'
import { type Content, type Linked, type Picture, pictureOf, textOf } from './content.ts'
import { cleanedHtml, type Html, html } from './html.ts'

/** Rich text comes cleaned from the CMS; everything else is text, with an empty line between paragraphs. */
export const longText = async (content: Content, entry: Entry, key: string): Promise<Html> => {
  const text = textOf(entry, key)
  if ((await content.fieldType(entry.type, key)) === 'richtext') return cleanedHtml(text)
  return plainText(text)
}

export const plainText = (text: string): Html => {
  const paragraphs = text.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== '')
  return html`${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}`
}

export const picture = (found: Picture | null, { lazy = false, className = 'cover' } = {}): Html | null => {
  if (!found) return null
  const size = found.width && found.height ? html` width="${found.width}" height="${found.height}"` : null
  return html`<img class="${className}" src="${found.url}" alt="${found.alt}"${size}${lazy && html` loading="lazy"`}>`
}

/** The day that the editors chose, else the one of publication. */
export const date = (entry: Entry | Linked, locale: string): Html | null => {
  const chosen = textOf(entry, 'date') || ('publishedAt' in entry ? entry.publishedAt : null)
  if (!chosen || Number.isNaN(Date.parse(chosen))) return 'publishedAt' in entry ? html`Not published` : null
  const text = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(chosen))
  return html`<time datetime="${chosen}">${text}</time>`
}

/** `heading` fits below the one of the page or section around. */
export const articleCards = (articles: readonly Entry[], locale: string, heading: 'h2' | 'h3'): Html =>
  articles.length === 0
    ? html`<p class="empty">No articles have been published yet.</p>`
    : html`<ul class="cards">${articles.map((article) => articleCard(article, locale, cleanedHtml(heading)))}</ul>`

const articleCard = (article: Entry, locale: string, heading: Html): Html => html`<li class="card">
${picture(pictureOf(article, 'cover'), { lazy: true })}
<${heading} class="card-title"><a href="${articlePath(article)}">${article.title}</a></${heading}>
<p class="meta">${date(article, locale)}</p>
<p>${textOf(article, 'summary')}</p>
</li>`

export const articlePath = ({ slug }: { slug: string }): string => `/articles/${encodeURIComponent(slug)}`
