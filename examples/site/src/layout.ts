import type { Entry, MenuItem, SiteSettings } from '@stoa/cms-client'
import { FONT_URLS, STYLE_URL } from './assets.ts'
import { textOf } from './content.ts'
import { type Html, html, plainOf } from './html.ts'

/** A link with those below it. */
export type Link = Pick<MenuItem, 'label' | 'url'> & { children?: readonly Link[] }

export type Frame = {
  settings: SiteSettings
  menu: readonly Link[]
  footerMenu: readonly Link[]
  /** The single entry of the type `footer`. */
  footer: Entry | null
  /** The address of the website. */
  base: string
  /** The path of the page that is shown. */
  path: string
  /** Address of the styles that people chose in the admin; null while all is as it was made. */
  designUrl: string | null
  /** The script of the visitor assistant; null while it is off. */
  widgetUrl: string | null
  isPreview: boolean
}

export type PageParts = {
  title: string
  description: string
  body: Html
  picture?: string | null
  /** The entry that the page shows, if it is one. */
  entry?: Entry
  /** Not for search engines. */
  isHidden?: boolean
}

export const siteName = ({ title }: SiteSettings): string => title || 'A new website'

/** A whole page: what all of them share, and its own part. */
export const renderPage = (frame: Frame, page: PageParts): string => {
  const { settings, menu, path, isPreview, widgetUrl } = frame
  const { text } = html`<!doctype html>
<html lang="${settings.locale || 'en'}">
${head(frame, page)}
<body>
<a class="skip" href="#content">Skip to content</a>
${isPreview && html`<p class="preview-note" role="status">This is a preview. Visitors can't see it.</p>`}
<header class="site-head"><div class="wrap">
<a class="site-name" href="/">${settings.logo && html`<img src="${settings.logo}" alt="" width="40" height="40">`}<span>${siteName(settings)}</span></a>
<nav class="site-nav" aria-label="Main"><ul>${menu.map((item) => menuLink(item, path))}</ul></nav>
<a class="site-search" href="/search"${path === '/search' && html` aria-current="page"`}>Search</a>
</div></header>
<main id="content">
${page.body}
</main>
${siteFooter(frame)}
${widgetUrl && html`<script src="${widgetUrl}" defer></script>`}
</body>
</html>
`
  return text
}

const head = ({ settings, base, path, designUrl }: Frame, page: PageParts): Html => {
  const name = siteName(settings)
  const title = plainOf(page.title)
  const picture = page.picture ?? settings.socialImage
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === '' ? name : `${title} – ${name}`}</title>
<meta name="description" content="${page.description}">
${page.isHidden ? html`<meta name="robots" content="noindex">` : html`<link rel="canonical" href="${base}${path}">`}
<meta property="og:site_name" content="${name}">
<meta property="og:type" content="${page.entry?.type === 'article' ? 'article' : 'website'}">
<meta property="og:title" content="${title || name}">
<meta property="og:description" content="${page.description}">
<meta property="og:url" content="${base}${path}">
${picture && html`<meta property="og:image" content="${picture}"><meta name="twitter:card" content="summary_large_image">`}
<meta name="color-scheme" content="light dark">
${FONT_URLS.map((url) => html`<link rel="preload" href="${url}" as="font" type="font/woff2" crossorigin>`)}
<link rel="stylesheet" href="${STYLE_URL}">
${designUrl && html`<link rel="stylesheet" href="${designUrl}">`}
<link rel="icon" href="${settings.logo ?? 'data:,'}">
<link rel="alternate" type="application/rss+xml" title="${name}" href="/feed.xml">
</head>`
}

const siteFooter = ({ settings, footerMenu, footer, path }: Frame): Html => {
  const lines = footer ? textOf(footer, 'address').split('\n') : []
  return html`<footer class="site-footer"><div class="wrap">
<div class="footer-brand"><p class="footer-name">${siteName(settings)}</p>
${settings.tagline && html`<p class="footer-tagline">${settings.tagline}</p>`}</div>
<div class="footer-text">${lines.length > 0 && html`<p class="footer-address">${lines.map((line, index) => html`${index > 0 && html`<br>`}${line}`)}</p>`}
${footer && textOf(footer, 'note') && html`<p class="footer-note">${textOf(footer, 'note')}</p>`}</div>
<nav class="footer-nav" aria-label="Footer"><ul>${footerMenu.map((item) => menuLink(item, path))}</ul></nav>
<p class="footer-feed"><a href="/feed.xml">RSS feed</a></p>
</div></footer>`
}

const menuLink = ({ label, url, children = [] }: Link, path: string): Html | null => {
  if (url === null) return null
  const isHere = URL.canParse(url, 'http://here') && new URL(url, 'http://here').pathname === path
  const below = children.length > 0 && html`<ul>${children.map((child) => menuLink(child, path))}</ul>`
  return html`<li><a href="${url}"${isHere && html` aria-current="page"`}>${label}</a>${below}</li>`
}
