import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CmsClient } from '@stoa/cms-client'
import type { Design } from '@stoa/cms-host'
import { type Asset, addressOf, assetOf, assets, STYLE_URL } from './assets.ts'
import { widgetPolicy, widgetUrl } from './assistant.ts'
import { type Content, previewedContent, publishedContent } from './content.ts'
import { DEFAULT_FOOTER_LINKS, DEFAULT_LINKS } from './definitions.ts'
import { arrange, type Mode } from './editing.ts'
import { renderFeed } from './feed.ts'
import { type PageParts, renderPage } from './layout.ts'
import { createPageCache, type Rendered } from './page-cache.ts'
import { endedPreviewPage, findPage, notFoundPage } from './pages.ts'
import { MAX_QUERY_LENGTH } from './search.ts'

export type Site = (request: IncomingMessage, response: ServerResponse) => Promise<void>

type SiteParts = {
  client: CmsClient
  contentVersion(): number
  /** The CSS of the design that people changed. */
  design(): Pick<Design, 'css'>
  /** Whether the CMS answers visitors' questions. */
  hasAssistant(): Promise<boolean>
  /** The address of the website while the settings have none. */
  url: string
  onError(error: unknown): void
}

/** Browsers ask every time whether a page still holds: an edit is seen at the next look. */
const REVALIDATE = { 'cache-control': 'public, max-age=0, must-revalidate' }
/** For addresses that end with the version of the file. */
const FOREVER = { 'cache-control': 'public, max-age=31536000, immutable' }
const PRIVATE = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' }
const POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' http: https: data:; " +
  "media-src 'self' http: https:; frame-src https://www.youtube-nocookie.com https://player.vimeo.com; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
const SAFE = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
}
/** There are more questions than pages: they must not push pages out of memory. */
const KEPT_SEARCHES = 50

/** Answers every request that is not the CMS's. */
export const createSite = (parts: SiteParts): Site => {
  const { client, contentVersion, onError } = parts
  const published = publishedContent(client)
  const pages = createPageCache(contentVersion)
  const searches = createPageCache(contentVersion, KEPT_SEARCHES)

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return send(request, response, textPage(405, 'Only GET and HEAD\n'), { allow: 'GET, HEAD' })
    // Put behind a host of its own: `//elsewhere` would be taken for one.
    const url = new URL(`http://site${request.url?.startsWith('/') ? request.url : '/-'}`)
    const asset = url.pathname === '/design.css' ? designAsset(parts.design()) : assets.get(url.pathname)
    if (asset) return sendAsset(request, response, asset, url.searchParams.get('v'))
    const where = visitedAt(url)
    const token = url.searchParams.get('preview')
    if (token !== null) return send(request, response, await previewOf(token, where), PRIVATE)
    const cache = where.query === '' ? pages : searches
    const hasWidget = await parts.hasAssistant()
    const page = await cache.get(`${where.key} ${hasWidget}`, () => publicPage(where, hasWidget))
    return send(request, response, page, { ...REVALIDATE, ...(hasWidget && withWidget) })
  }

  const withWidget = { 'content-security-policy': POLICY + widgetPolicy(parts.url) }

  const publicPage = async (where: Visited, hasWidget: boolean): Promise<Rendered> => {
    if (where.path !== '/feed.xml') return render(published, where, { mode: { editing: false }, hasWidget })
    const base = baseOf(await published.settings())
    return { status: 200, type: 'application/rss+xml; charset=utf-8', body: await renderFeed(published, base) }
  }

  /** Never from the cache, and never into it. Only here can a page be edited. */
  const previewOf = async (token: string, where: Visited): Promise<Rendered> => {
    const entry = await client.preview(token)
    if (!entry) return renderParts(published, where, { parts: endedPreviewPage, status: 404, mode: { editing: false } })
    const mode: Mode = where.isVisual ? { editing: true, entryId: entry.id } : { editing: false }
    return render(previewedContent(published, entry), where, { mode, isPreview: true })
  }

  const render = async (content: Content, where: Visited, how: How): Promise<Rendered> => {
    const { locale } = await content.settings()
    const found = where.parts === null ? null : await findPage(content, { ...where, parts: where.parts, locale })
    return renderParts(content, where, { parts: found ?? notFoundPage, status: found ? 200 : 404, ...how })
  }

  const renderParts = async (
    content: Content,
    { path }: Visited,
    page: How & { parts: PageParts; status: number },
  ): Promise<Rendered> => {
    const [settings, menu, footerMenu, footer] = await Promise.all([
      content.settings(),
      content.menu('main'),
      content.menu('footer'),
      content.single('footer'),
    ])
    const frame = {
      settings,
      menu: menu ?? DEFAULT_LINKS,
      footerMenu: footerMenu ?? DEFAULT_FOOTER_LINKS,
      footer,
      base: baseOf(settings),
      path,
      designUrl: designUrl(parts.design()),
      widgetUrl: page.hasWidget ? widgetUrl(parts.url) : null,
      isPreview: page.isPreview ?? false,
    }
    const body = arrange(renderPage(frame, page.parts), page.parts, page.mode)
    return { status: page.status, type: HTML, body }
  }

  const baseOf = ({ url }: { url: string | null }): string => (url ?? parts.url).replace(/\/+$/, '')

  return async (request, response) => {
    try {
      await answer(request, response)
    } catch (error) {
      onError(error)
      if (response.headersSent) response.destroy()
      else send(request, response, textPage(500, FAILED), { 'cache-control': 'no-store', 'retry-after': '10' })
    }
  }
}

type How = {
  mode: Mode
  isPreview?: boolean
  /** Shows the bubble of the visitor assistant. */
  hasWidget?: boolean
}

const HTML = 'text/html; charset=utf-8'

const textPage = (status: number, body: string): Rendered => ({ status, type: HTML, body })

const designAsset = ({ css }: Pick<Design, 'css'>): Asset => assetOf(Buffer.from(css), 'text/css; charset=utf-8')

const designUrl = (state: Pick<Design, 'css'>): string | null =>
  state.css === '' ? null : addressOf('/design.css', designAsset(state))

type Visited = {
  /** Identifies a page, whatever else an address carries. */
  key: string
  path: string
  /** Null: a path that no page has. */
  parts: string[] | null
  page: number
  query: string
  today: string
  /** The editor asks for it; it counts inside of a preview only. */
  isVisual: boolean
}

const visitedAt = ({ pathname, searchParams }: URL): Visited => {
  const asked = searchParams.get('page') ?? '1'
  const page = /^[1-9]\d{0,4}$/.test(asked) ? Number(asked) : 1
  const query = pathname === '/search' ? queryOf(searchParams.get('q') ?? '') : ''
  const today = new Date().toISOString().slice(0, 10)
  const isVisual = searchParams.get('visual') === '1'
  const key = `${today} ${page} ${pathname} ${query}`
  return { key, path: pathname, parts: partsOf(pathname), page, query, today, isVisual }
}

const queryOf = (text: string): string =>
  text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_QUERY_LENGTH)
    .toWellFormed()

const partsOf = (path: string): string[] | null => {
  if (path === '/') return []
  try {
    const parts = path.slice(1).split('/').map(decodeURIComponent)
    return parts.includes('') ? null : parts
  } catch {
    return null
  }
}

const send = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, type, body }: Rendered,
  headers: Record<string, string>,
): void => {
  const isKept = headers['cache-control'] !== 'no-store'
  const { etag } = assetOf(Buffer.from(body), type)
  const isFresh = status === 200 && isKept && request.headers['if-none-match'] === etag
  response.writeHead(isFresh ? 304 : status, {
    ...SAFE,
    'content-type': type,
    ...(isKept && { etag }),
    ...(!isFresh && { 'content-length': Buffer.byteLength(body) }),
    ...headers,
  })
  response.end(isFresh || request.method === 'HEAD' ? null : body)
}

const sendAsset = (
  request: IncomingMessage,
  response: ServerResponse,
  { body, type, etag, headers }: Asset,
  version: string | null,
): void => {
  const isFresh = request.headers['if-none-match'] === etag
  const caching = `"${version}"` === etag ? FOREVER : REVALIDATE
  response.writeHead(isFresh ? 304 : 200, { ...SAFE, ...caching, ...headers, etag, 'content-type': type })
  response.end(isFresh || request.method === 'HEAD' ? null : body)
}

const FAILED = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Something went wrong</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="${STYLE_URL}"></head>
<body><main id="content"><section class="message wrap"><h1>Something went wrong</h1>
<p class="standfirst">Please try again in a moment.</p></section></main></body></html>
`
