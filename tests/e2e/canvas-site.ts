import { createHash } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { editorPolicy } from '@stoa/cms/admin-ui.ts'
import { buildHarness } from '../../web/cms-admin/src/visual/canvas/testing/build.ts'

const PICTURE = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')
const STYLE = 'section { min-height: 700px } h1 { color: rgb(1, 2, 3) } #root, body { margin: 0 }'

export type CanvasSite = {
  /** The document of an editor, with a canvas in it. */
  editorUrl: string
  /** The website; it writes down what is asked for. */
  siteUrl: string
  asked: string[]
  close(): Promise<void>
}

/** An editor's document under the real policy, and a website of another origin. */
export const serveCanvas = async (): Promise<CanvasSite> => {
  const { script, controller } = await buildHarness()
  const hash = `sha256-${createHash('sha256').update(controller).digest('base64')}`
  const page =
    `<!doctype html><html lang="en"><head><title>Editor</title><meta name="controller-hash" content="${hash}">` +
    '<link rel="icon" href="data:,"><style>html,body,#root{margin:0;height:100%}</style></head>' +
    '<body><div id="root"></div><script src="/harness.js"></script></body></html>'
  const files: Record<string, readonly [type: string, body: string]> = {
    '/': ['text/html; charset=utf-8', page],
    '/harness.js': ['text/javascript', script],
    '/canvas-controller.js': ['text/javascript', controller],
  }
  const editor = await listen((req, res) => {
    const file = files[req.url ?? '']
    if (!file) return res.writeHead(404).end()
    res.writeHead(200, { 'content-type': file[0], 'content-security-policy': editorPolicy(hash) }).end(file[1])
  })
  const asked: string[] = []
  const site = await listen((req, res) => {
    asked.push(`${req.method} ${req.url}`)
    if (req.url?.endsWith('.css')) return res.writeHead(200, { 'content-type': 'text/css' }).end(STYLE)
    res.writeHead(200, { 'content-type': 'image/gif' }).end(PICTURE)
  })
  return {
    editorUrl: editor.url,
    siteUrl: site.url,
    asked,
    close: async () => {
      await Promise.all([editor.close(), site.close()])
    },
  }
}

const listen = async (answer: RequestListener): Promise<{ url: string; close: () => Promise<void> }> => {
  const server: Server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
