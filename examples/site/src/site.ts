import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CmsClient } from '@stoa/cms-client'
import { type Content, previewedContent, publishedContent } from './content.ts'
import { DEFAULT_LINKS } from './definitions.ts'
import { type PageParts, renderPage } from './layout.ts'
import { createPageCache, type Rendered } from './page-cache.ts'
import { endedPreviewPage, findPage, notFoundPage } from './pages.ts'

export type Site = (request: IncomingMessage, response: ServerResponse) => Promise<void>

type SiteParts = { client: CmsClient; contentVersion(): number; onError(error: unknown): void }

const STYLE = readFileSync(new URL('../public/style.css', import.meta.url), 'utf8')
const STYLE_TAG = tagOf(STYLE)

/** Browsers ask every time whether a page still holds: an edit is seen at the next look. */
const REVALIDATE = { 'cache-control': 'public, max-age=0, must-revalidate' }
const PRIVATE = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' }
const SAFE = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self' http: https: data:; media-src 'self' http: https:; " +
    "frame-src https://www.youtube-nocookie.com https://player.vimeo.com; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
}

/** Answers every request that is not the CMS's. */
export const createSite = ({ client, contentVersion, onError }: SiteParts): Site => {
  const published = publishedContent(client)
  const cache = createPageCache(contentVersion)

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return send(request, response, { status: 405, html: 'Only GET and HEAD\n' }, { allow: 'GET, HEAD' })
    // Put behind a host of its own: `//elsewhere` would be taken for one.
    const url = new URL(`http://site${request.url?.startsWith('/') ? request.url : '/-'}`)
    if (url.pathname === '/style.css') return sendStyle(request, response)
    const where = placeOf(url)
    const token = url.searchParams.get('preview')
    if (token !== null) return send(request, response, await previewOf(token, where), PRIVATE)
    const page = await cache.get(where.key, () => render(published, where, false))
    return send(request, response, page, REVALIDATE)
  }

  /** Never from the cache, and never into it. */
  const previewOf = async (token: string, where: Place): Promise<Rendered> => {
    const entry = await client.preview(token)
    if (!entry) return renderParts(published, where, { parts: endedPreviewPage, status: 404, isPreview: false })
    return render(previewedContent(published, entry), where, true)
  }

  return async (request, response) => {
    try {
      await answer(request, response)
    } catch (error) {
      onError(error)
      if (response.headersSent) response.destroy()
      else send(request, response, { status: 500, html: FAILED }, { 'cache-control': 'no-store', 'retry-after': '10' })
    }
  }
}

type Place = {
  /** Tells pages apart, whatever else an address carries. */
  key: string
  path: string
  /** Null: a path that no page has. */
  parts: string[] | null
  page: number
}

const placeOf = ({ pathname, searchParams }: URL): Place => {
  const asked = searchParams.get('page') ?? '1'
  const page = /^[1-9]\d{0,4}$/.test(asked) ? Number(asked) : 1
  return { key: `${pathname} ${page}`, path: pathname, parts: partsOf(pathname), page }
}

const partsOf = (path: string): string[] | null => {
  if (path === '/') return []
  try {
    const parts = path.slice(1).split('/').map(decodeURIComponent)
    return parts.includes('') ? null : parts
  } catch {
    return null
  }
}

const render = async (content: Content, where: Place, isPreview: boolean): Promise<Rendered> => {
  const { locale } = await content.settings()
  const { parts: names, page } = where
  const parts = names === null ? null : await findPage(content, { parts: names, page, locale })
  return renderParts(content, where, { parts: parts ?? notFoundPage, status: parts ? 200 : 404, isPreview })
}

const renderParts = async (
  content: Content,
  { path }: Place,
  { parts, status, isPreview }: { parts: PageParts; status: number; isPreview: boolean },
): Promise<Rendered> => {
  const [settings, menu, footer] = await Promise.all([content.settings(), content.menu('main'), content.menu('footer')])
  const frame = { settings, menu: menu ?? DEFAULT_LINKS, footer: footer ?? [], path, isPreview }
  return { status, html: renderPage(frame, parts) }
}

const send = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, html }: Rendered,
  headers: Record<string, string>,
): void => {
  const isKept = headers['cache-control'] !== 'no-store'
  const etag = tagOf(html)
  const isFresh = status === 200 && isKept && request.headers['if-none-match'] === etag
  response.writeHead(isFresh ? 304 : status, {
    ...SAFE,
    'content-type': 'text/html; charset=utf-8',
    ...(isKept && { etag }),
    ...(!isFresh && { 'content-length': Buffer.byteLength(html) }),
    ...headers,
  })
  response.end(isFresh || request.method === 'HEAD' ? null : html)
}

const sendStyle = (request: IncomingMessage, response: ServerResponse): void => {
  const isFresh = request.headers['if-none-match'] === STYLE_TAG
  const headers = { ...SAFE, ...REVALIDATE, etag: STYLE_TAG, 'content-type': 'text/css; charset=utf-8' }
  response.writeHead(isFresh ? 304 : 200, headers).end(isFresh || request.method === 'HEAD' ? null : STYLE)
}

function tagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}

const FAILED = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Something went wrong</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/style.css"></head>
<body><main id="content"><section class="hero"><h1>Something went wrong</h1>
<p>The page could not be made. Please try again in a moment.</p></section></main></body></html>
`
