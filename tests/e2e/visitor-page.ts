import { once } from 'node:events'
import { createServer } from 'node:http'

export type ForeignSite = { url: string; close(): Promise<void> }

/** What a page may do to everything in it, and tries on the bubble by its name. */
const HOSTILE = `* { color: red !important; font: 40px cursive !important; background: yellow !important; margin: 9px !important;
  box-sizing: content-box !important; transform: rotate(3deg) }
html { direction: rtl }
:root { --accent: pink !important; --surface: lime !important; --ink: pink !important }
stoa-visitor-assistant { display: none !important; opacity: .1 !important; width: 9px !important }
button, textarea { border: 9px dotted lime !important; letter-spacing: 9px }`

/** A website of another origin, with the strictest policy that the bubble needs: its script, twice, and its questions. */
export const startForeignSite = async (cms: string): Promise<ForeignSite> => {
  const script = `<script src="${cms}/ext/assistant/widget.js" defer></script>`
  const page = (styles: string) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Harbour</title>
<meta name="viewport" content="width=device-width, initial-scale=1">${styles}<link rel="icon" href="data:,"></head>
<body><h1>Harbour museum</h1><p>Ships, tides and a lighthouse.</p>${script}${script}</body></html>`
  const files: Record<string, readonly [type: string, body: string]> = {
    '/': ['text/html', page('')],
    '/hostile': ['text/html', page('<link rel="stylesheet" href="/hostile.css">')],
    '/hostile.css': ['text/css', HOSTILE],
  }
  const server = createServer((request, response) => {
    const [type, body] = files[request.url ?? ''] ?? ['text/html', '']
    response.writeHead(body === '' ? 404 : 200, {
      'content-type': type,
      'content-security-policy': `default-src 'none'; script-src ${cms}; connect-src ${cms}; style-src 'self'; img-src data:; require-trusted-types-for 'script'; trusted-types 'none'`,
    })
    response.end(body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
