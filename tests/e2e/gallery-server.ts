import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { buildGallery } from '../../packages/ui/gallery/build.ts'
import { afterGroup } from '../lib/group.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

// The policy of both services' own pages
const policy = (nonce: string): string =>
  [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob: https:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

let built: Promise<string> | undefined

/** The files of a group share what was built. */
const builtGallery = (): Promise<string> => {
  built ??= mkdtemp(join(tmpdir(), 'stoa-gallery-')).then(async (folder) => {
    await buildGallery(folder)
    return folder
  })
  return built
}

afterGroup(async () => {
  if (built) await rm(await built, { recursive: true })
})

/** Builds the component gallery and serves it below a prefix with the real CSP, as a service would. */
export const serveGallery = async (): Promise<{ url: string; close: () => Promise<void> }> => {
  const folder = await builtGallery()
  const base = '/gallery'

  const answer = async (path: string, res: ServerResponse): Promise<void> => {
    const nonce = randomBytes(16).toString('base64url')
    const file = path === '/' ? '/index.html' : normalize(path)
    let body = await readFile(join(folder, file))
    if (file === '/index.html') {
      body = Buffer.from(body.toString().replaceAll('__APP_BASE__', `${base}/`).replaceAll('__CSP_NONCE__', nonce))
    }
    res.writeHead(200, {
      'content-type': types[extname(file)] ?? 'text/plain',
      'content-security-policy': policy(nonce),
      // As a service serves them; what the browser has compiled it need not compile again.
      'cache-control': file.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-store',
    })
    res.end(body)
  }

  const server = createServer((req, res) => {
    const { pathname } = new URL(req.url ?? '/', 'http://localhost')
    // A page that breaks the policy on purpose
    if (pathname === '/broken') {
      res.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy('none') })
      res.end('<!doctype html><title>Broken</title><style>p { color: red }</style><img src="/missing.png" alt="">')
      return
    }
    answer(pathname.slice(base.length) || '/', res).catch(() => res.writeHead(404).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${base}/`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
