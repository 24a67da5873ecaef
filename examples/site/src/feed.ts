import type { Entry, SiteSettings } from '@stoa/cms-client'
import { type Content, textOf } from './content.ts'
import { html } from './html.ts'
import { articlePath } from './parts.ts'

const ITEMS = 20

/** The newest articles as RSS 2.0. `base` is the address of the website. */
export const renderFeed = async (content: Content, base: string): Promise<string> => {
  const [settings, { items }] = await Promise.all([
    content.settings(),
    content.list('article', { page: 1, limit: ITEMS }),
  ])
  return channel(settings, items, base)
}

const channel = (settings: SiteSettings, articles: readonly Entry[], base: string): string => {
  const { text } = html`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>${settings.title}</title>
<link>${base}/</link>
<description>${settings.description || settings.tagline}</description>
<language>${settings.locale || 'en'}</language>
<atom:link href="${base}/feed.xml" rel="self" type="application/rss+xml"/>
${articles.map(
  (article) => html`<item><title>${article.title}</title><link>${base}${articlePath(article)}</link>
<guid isPermaLink="false">${article.id}</guid>${article.publishedAt && html`<pubDate>${new Date(article.publishedAt).toUTCString()}</pubDate>`}
<description>${textOf(article, 'summary')}</description></item>
`,
)}</channel></rss>
`
  return `<?xml version="1.0" encoding="utf-8"?>\n${text}`
}
