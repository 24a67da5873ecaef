import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fault } from '../errors.ts'
import { strongEtag, isFresh } from './etag.ts'
import { baseHeaders } from './headers.ts'

export type WebUi = {
  /** Folder with the built `index.html` and its hashed assets. */
  folder: string
  /** Where the pages live, e.g. `/admin`; `/` for the root. */
  base: string
  publicUrl: string
  /** The page's Content-Security-Policy for one nonce. */
  policy(nonce: string): string
  /** First path segments that are never screens, for a UI at the root: an unknown `/api/…` stays a 404. */
  reserved?: readonly string[]
}

type Asset = { bytes: Buffer; type: string; etag: string; packed: Map<string, Buffer>; isHashed: boolean }

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
}
const COMPRESSIBLE = new Set(['.js', '.css', '.svg', '.json'])
const NONCE = '__CSP_NONCE__'
const BASE = '__APP_BASE__'

/**
 * Serves a built single-page app. All files are known at start and held in memory, so that no path is ever looked up
 * on disk; names with a content hash are immutable, the page itself is always fresh and carries a new nonce.
 */
export const serveUi = (app: FastifyInstance, ui: WebUi): void => {
  const assets = loadAssets(ui.folder)
  const page = assets.get('index.html')
  const base = ui.base === '/' ? '' : ui.base.replace(/\/$/, '')
  const headers = { ...baseHeaders(ui.publicUrl), 'referrer-policy': 'same-origin' }

  const sendPage = (response: FastifyReply, found: Asset) => {
    const nonce = randomBytes(16).toString('base64')
    const html = found.bytes.toString('utf8').replaceAll(NONCE, nonce).replaceAll(BASE, `${base}/`)
    return response
      .headers(headers)
      .headers({ 'content-security-policy': ui.policy(nonce), 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(html)
  }

  const serve = (request: FastifyRequest, response: FastifyReply) => {
    const path = decodePath(request.url.slice(base.length + 1))
    const asset = assets.get(path)
    if (asset && !path.endsWith('.html')) return sendAsset(request, response.headers(headers), asset)
    // A missing file is an error; any other path is a screen, which the app itself knows.
    const isReserved = ui.reserved?.includes(path.split('/')[0] ?? '')
    if (!page || isReserved || extname(path) !== '') throw fault('route_not_found', { path: request.url })
    return sendPage(response, page)
  }

  if (base !== '') app.get(base, (_request, response) => response.redirect(`${base}/`, 308))
  app.get(`${base}/`, serve)
  app.get(`${base}/*`, serve)
}

const loadAssets = (folder: string): ReadonlyMap<string, Asset> => {
  const assets = new Map<string, Asset>()
  if (!existsSync(folder)) return assets
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const name = relative(folder, file).split(sep).join('/')
    const bytes = readFileSync(file)
    assets.set(name, {
      bytes,
      type: TYPES[extname(name)] ?? 'application/octet-stream',
      etag: strongEtag(bytes),
      packed: new Map(),
      isHashed: /-[\w-]{8,}\.\w+$/.test(name),
    })
  }
  return assets
}

const sendAsset = (request: FastifyRequest, response: FastifyReply, asset: Asset) => {
  response.headers({
    etag: asset.etag,
    'cache-control': asset.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'Accept-Encoding',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  })
  if (isFresh(request.headers['if-none-match'], asset.etag)) return response.code(304).send()
  const encoding = encodingFor(request.headers['accept-encoding'] ?? '', asset)
  if (encoding) response.header('content-encoding', encoding)
  return response.type(asset.type).send(encoding ? packed(asset, encoding) : asset.bytes)
}

const encodingFor = (accepted: string, asset: Asset): 'br' | 'gzip' | null => {
  const extension = Object.keys(TYPES).find((candidate) => TYPES[candidate] === asset.type) ?? ''
  if (!COMPRESSIBLE.has(extension) || asset.bytes.length < 1024) return null
  if (/\bbr\b/.test(accepted)) return 'br'
  return /\bgzip\b/.test(accepted) ? 'gzip' : null
}

const packed = (asset: Asset, encoding: 'br' | 'gzip'): Buffer => {
  const known = asset.packed.get(encoding)
  if (known) return known
  const bytes =
    encoding === 'br'
      ? brotliCompressSync(asset.bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
      : gzipSync(asset.bytes)
  asset.packed.set(encoding, bytes)
  return bytes
}

const decodePath = (path: string): string => {
  const bare = path.split('?')[0] ?? ''
  try {
    return decodeURIComponent(bare)
  } catch {
    throw fault('route_not_found', { path: bare })
  }
}
