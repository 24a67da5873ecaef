import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fault } from '../errors.ts'
import { acceptedEncoding, compress, type Encoding, encodedEtag, MIN_COMPRESSED_BYTES } from './compression.ts'
import { isFresh, strongEtag } from './etag.ts'
import { baseHeaders } from './headers.ts'

export type WebUi = {
  /** Folder with the built `index.html` and its hashed assets. */
  folder: string
  /** Where the pages live, e.g. `/admin`; `/` for the root. */
  base: string
  publicUrl: string
  /** The page's Content-Security-Policy for one nonce. */
  policy(nonce: string): string
  /** Further documents of the folder, such as `edit.html`, each under a policy of its own. */
  documents?: Readonly<Record<string, WebDocument>>
  /** First path segments that are never screens, for a UI at the root: an unknown `/api/…` stays a 404. */
  reserved?: readonly string[]
}

export type WebDocument = {
  policy(nonce: string): string
  /** The first path segment of its screens: `edit` for `/admin/edit/…`. Without it, only its own name leads to it. */
  segment?: string
}

type Asset = { name: string; bytes: Buffer; etag: string; packed: Map<Encoding, Promise<Buffer>> }
type PageRequest = FastifyRequest<{ Params: { '*'?: string } }>

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.map': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
}
const COMPRESSIBLE = new Set(['.js', '.css', '.svg', '.json', '.map'])
const NONCE = '__CSP_NONCE__'
const BASE = '__APP_BASE__'

/**
 * Serves a built single-page app. All files are known at start and held in memory, so that no path is ever looked up
 * on disk; names with a content hash are immutable, the page itself is always fresh and carries a new nonce.
 */
export const serveUi = (app: FastifyInstance, ui: WebUi): void => {
  const assets = loadAssets(ui.folder)
  const index = assets.get('index.html')
  const page = index && { asset: index, policy: ui.policy }
  const screens = screensOf(ui.documents ?? {}, assets)
  const base = ui.base === '/' ? '' : ui.base.replace(/\/$/, '')
  const headers = { ...baseHeaders(ui.publicUrl), 'referrer-policy': 'same-origin' }

  const sendPage = (response: FastifyReply, found: Asset, policy: WebUi['policy']) => {
    const nonce = randomBytes(16).toString('base64')
    const html = found.bytes.toString('utf8').replaceAll(NONCE, nonce).replaceAll(BASE, `${base}/`)
    return response
      .headers(headers)
      .headers({ 'content-security-policy': policy(nonce), 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(html)
  }

  const serve = (request: PageRequest, response: FastifyReply) => {
    const path = request.params['*'] ?? ''
    const asset = assets.get(path)
    const document = ui.documents && Object.hasOwn(ui.documents, path) ? ui.documents[path] : undefined
    if (asset && document) return sendPage(response, asset, document.policy)
    if (asset && !path.endsWith('.html')) return sendAsset(request, response.headers(headers), asset)
    const segment = path.split('/')[0] ?? ''
    const screen = screens.get(segment) ?? page
    if (!screen || ui.reserved?.includes(segment) || !isScreen(path))
      throw fault('route_not_found', { path: request.url })
    return sendPage(response, screen.asset, screen.policy)
  }

  if (base !== '')
    app.get(base, (request, response) => {
      const query = request.url.indexOf('?')
      return response.headers(headers).redirect(`${base}/${query < 0 ? '' : request.url.slice(query)}`, 308)
    })
  app.get(`${base}/`, serve)
  app.get(`${base}/*`, serve)
}

/** Documents that have screens of their own, by the first path segment of these. */
const screensOf = (documents: NonNullable<WebUi['documents']>, assets: ReadonlyMap<string, Asset>) =>
  new Map(
    Object.entries(documents).flatMap(([name, { policy, segment }]) => {
      const asset = assets.get(name)
      return asset && segment !== undefined ? [[segment, { asset, policy }] as const] : []
    }),
  )

/** A missing file is an error; any other path is a screen, which the app itself knows, also `/domains/example.com`. */
const isScreen = (path: string): boolean =>
  !(extname(path).toLowerCase() in TYPES) && !path.split('/').some((part) => part === '..' || UNPRINTABLE.test(part))

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this looks for
const UNPRINTABLE = /[\u0000-\u001f\u007f\\]/

const loadAssets = (folder: string): ReadonlyMap<string, Asset> => {
  const assets = new Map<string, Asset>()
  if (!existsSync(folder)) return assets
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const name = relative(folder, file).split(sep).join('/')
    const bytes = readFileSync(file)
    assets.set(name, { name, bytes, etag: strongEtag(bytes), packed: new Map() })
  }
  return assets
}

/** The bundler puts a hash of the content only into the names of this folder. */
const isHashed = (name: string): boolean => /^assets\/.+-[\w-]{8}\.\w+$/.test(name)

const sendAsset = async (request: FastifyRequest, response: FastifyReply, asset: Asset) => {
  const isCompressed = COMPRESSIBLE.has(extname(asset.name)) && asset.bytes.length >= MIN_COMPRESSED_BYTES
  const encoding = isCompressed ? acceptedEncoding(request.headers['accept-encoding'] ?? '') : null
  const etag = encoding ? encodedEtag(asset.etag, encoding) : asset.etag
  response.headers({
    etag,
    'cache-control': isHashed(asset.name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'Accept-Encoding',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  })
  if (isFresh(request.headers['if-none-match'], etag)) return response.code(304).send()
  if (encoding) response.header('content-encoding', encoding)
  return response
    .type(TYPES[extname(asset.name)] ?? 'application/octet-stream')
    .send(encoding ? await packed(asset, encoding) : asset.bytes)
}

const packed = (asset: Asset, encoding: Encoding): Promise<Buffer> => {
  const known = asset.packed.get(encoding)
  if (known) return known
  const bytes = compress(asset.bytes, encoding)
  asset.packed.set(encoding, bytes)
  return bytes
}
