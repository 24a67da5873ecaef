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

/** Widths that the CMS makes of a picture: some of the setting `imageSizes`. */
const WIDTHS = [320, 640, 960, 1280, 1920]
const RENDERED = /\.(?:jpe?g|png|webp|avif)$/i

type PictureOptions = {
  className?: string
  /** How wide it is shown, as in the attribute `sizes`. */
  sizes?: string
  /** Seen at once: it is loaded before everything else. */
  first?: boolean
}

/** A picture in the sizes that screens need; browsers choose. */
export const picture = (
  found: Picture | null,
  { className = 'picture', sizes = '100vw', first = false }: PictureOptions = {},
): Html | null => {
  if (!found) return null
  const { url, alt, width, height } = found
  const size = width && height ? html` width="${width}" height="${height}"` : null
  const loading = first ? html` fetchpriority="high"` : html` loading="lazy" decoding="async"`
  const sources = sourcesOf(found)
  const srcset = sources && html` srcset="${sources}" sizes="${sizes}"`
  return html`<img class="${className}" src="${url}" alt="${alt}"${size}${srcset}${loading}>`
}

const sourcesOf = ({ url, width }: Picture): string | null => {
  if (width === null || !RENDERED.test(url)) return null
  const smaller = WIDTHS.filter((one) => one < width).map((one) => `${url}?w=${one} ${one}w`)
  return [...smaller, `${url} ${width}w`].join(', ')
}

/** The day that the editors chose, else the one of publication. */
export const date = (entry: Entry | Linked, locale: string): Html | null => {
  const chosen = textOf(entry, 'date') || ('publishedAt' in entry ? entry.publishedAt : null)
  if (!chosen || Number.isNaN(Date.parse(chosen))) return 'publishedAt' in entry ? html`Not published` : null
  const text = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(chosen))
  return html`<time datetime="${chosen}">${text}</time>`
}

export const money = (amount: number, locale: string): string =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'EUR',
    trailingZeroDisplay: 'stripIfInteger',
  }).format(amount)

/** A heading of a section, with a link to all there is. */
export const sectionHead = (
  title: string,
  { id, className, all }: { id: string; className: string; all?: { url: string; label: string } },
): Html => html`<header class="section-head">
<h2 id="${id}" class="${className}">${title}</h2>
${all && html`<a class="all" href="${all.url}">${all.label}</a>`}
</header>`

/** Names and values, joined by a row of dots as in a table of contents. */
export const contents = (lines: readonly (readonly [name: string, value: string | Html])[]): Html | null =>
  lines.length === 0
    ? null
    : html`<dl class="contents">${lines.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

type Level = 'h2' | 'h3'

/** `level` fits below the heading around. */
export const articleCards = (articles: readonly Entry[], locale: string, level: Level): Html =>
  articles.length === 0
    ? html`<p class="empty">No articles have been published yet.</p>`
    : html`<ul class="cards">${articles.map((article) => html`<li>${articleCard(article, locale, level)}</li>`)}</ul>`

export const articleCard = (article: Entry | Linked, locale: string, level: Level): Html => {
  const heading = cleanedHtml(level)
  return html`<article class="card">
${picture(pictureOf(article, 'cover'), { sizes: '(min-width: 60rem) 24rem, 100vw' })}
<p class="meta">${date(article, locale)}</p>
<${heading} class="card-title"><a href="${articlePath(article)}">${article.title}</a></${heading}>
<p class="card-text">${textOf(article, 'summary')}</p>
</article>`
}

/** A person with a picture: who wrote, or who recommends. */
export const person = (found: Linked | undefined, lead: string, className: string): Html | null => {
  if (!found) return null
  return html`<aside class="person ${className}" aria-label="${lead}">
${picture(pictureOf(found, 'portrait'), { className: 'portrait', sizes: '6rem' })}
<div>
<p class="person-lead">${lead}</p>
<p class="person-name">${found.title}${textOf(found, 'role') && html`<span>${textOf(found, 'role')}</span>`}</p>
${plainText(textOf(found, 'bio'))}
</div>
</aside>`
}

export const articlePath = ({ slug }: { slug: string }): string => `/articles/${encodeURIComponent(slug)}`
