import type { MenuItem, SiteSettings } from '@stoa/cms-client'
import { type Html, html } from './html.ts'

/** A link with those below it. */
export type Link = Pick<MenuItem, 'label' | 'url'> & { children?: readonly Link[] }

export type Frame = {
  settings: SiteSettings
  menu: readonly Link[]
  footer: readonly Link[]
  /** Of the page that is shown. */
  path: string
  isPreview: boolean
}

export type PageParts = { title: string; description: string; body: Html; picture?: string | null }

export const siteName = ({ title }: SiteSettings): string => title || 'A new website'

/** A whole page: what all of them share, and its own part. */
export const renderPage = ({ settings, menu, footer, path, isPreview }: Frame, page: PageParts): string => {
  const name = siteName(settings)
  const { text } = html`<!doctype html>
<html lang="${settings.locale || 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title === '' ? name : `${page.title} – ${name}`}</title>
<meta name="description" content="${page.description}">
<meta property="og:title" content="${page.title || name}">
${socialPicture(page.picture ?? settings.socialImage)}
<link rel="stylesheet" href="/style.css">
<link rel="icon" href="data:,">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
${isPreview && html`<p class="preview-note" role="status">This is a preview. Visitors do not see it.</p>`}
<header class="site-head">
<a class="site-name" href="/">${settings.logo && html`<img src="${settings.logo}" alt="" height="32">`}${name}</a>
<nav class="site-nav" aria-label="Main"><ul>${menu.map((item) => menuLink(item, path))}</ul></nav>
</header>
<main id="content">
${page.body}
</main>
<footer class="site-footer"><div>
<p>${name}${settings.tagline && html` · ${settings.tagline}`}</p>
${footer.length > 0 && html`<nav class="footer-nav" aria-label="Footer"><ul>${footer.map((item) => menuLink(item, path))}</ul></nav>`}
</div></footer>
</body>
</html>
`
  return text
}

const socialPicture = (url: string | null): Html | null =>
  url === null ? null : html`<meta property="og:image" content="${url}">`

const menuLink = ({ label, url, children = [] }: Link, path: string): Html | null => {
  if (url === null) return null
  const isHere = URL.canParse(url, 'http://here') && new URL(url, 'http://here').pathname === path
  const below = children.length > 0 && html`<ul>${children.map((child) => menuLink(child, path))}</ul>`
  return html`<li><a href="${url}"${isHere && html` aria-current="page"`}>${label}</a>${below}</li>`
}
