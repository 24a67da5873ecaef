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

/** Nothing like the other: dark, in large serifs, with a bar of its own at the bottom, where bubbles are. */
const EVENING = `:root { font: 24px/1.7 Georgia, serif; background: #14110d; color: #eadfc8; color-scheme: dark }
body { max-width: 34rem; margin: 3rem auto; padding: 0 1rem 6rem }
a { color: #e0b050 }
footer { position: fixed; inset: auto 0 0; z-index: 9999; padding: .6rem 1rem; background: #3a2d1a }`

/** A website of another origin, with the strictest policy that the bubble needs: its script, twice, and its questions. */
export const startForeignSite = async (cms: string): Promise<ForeignSite> => {
  const script = `<script src="${cms}/ext/assistant/widget.js" defer></script>`
  const page = (language: string, styles: string, body: string) =>
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>Harbour</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="${styles}">
<link rel="icon" href="data:,"></head><body>${body}</body></html>`
  const hostile = `<h1>Harbour museum</h1><p>Ships, tides and a lighthouse.</p>${script}${script}`
  const evening = `<h1>Abende im Museum</h1><p>Jeden Donnerstag, bei Laternenlicht: <a href="/">das Programm</a>.</p>
<footer>Heute um acht: Lieder vom Meer</footer>${script.replace(' defer', ' defer data-position="left" data-accent="#e0b050"')}`
  const files: Record<string, readonly [type: string, body: string]> = {
    '/hostile': ['text/html', page('en', '/hostile.css', hostile)],
    '/hostile.css': ['text/css', HOSTILE],
    '/evening': ['text/html', page('de', '/evening.css', evening)],
    '/evening.css': ['text/css', EVENING],
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
