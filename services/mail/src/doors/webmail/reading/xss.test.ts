import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { missingBrowser } from '@stoa/tests/lib/chromium.ts'
import { launchChromium } from '@stoa/tests/lib/launch-chromium.ts'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { passTime } from '@stoa/tests/lib/waiting.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { readingFrame } from '../../../formats/html/frame.ts'
import { sanitizeHtml } from '../../../formats/html/sanitize.ts'
import { LOADING, RUNNING } from '../../../formats/html/testing/hostile.ts'
import { plantReader } from '../testing/ground.ts'

/** Nobody answers there; what is asked of it is noted, and goes nowhere. */
const ELSEWHERE = 'elsewhere.invalid'
const NO_IMAGES = { cid: () => null, remote: () => null }
const skip = missingBrowser()

const hostile = [
  ...RUNNING.map((html, index) => html.replaceAll('RUN', `top.ran(${index})`).replaceAll('parent.top', 'top')),
  ...LOADING.map((html, index) =>
    html
      .replaceAll('URLREST', `//${ELSEWHERE}/${index}`)
      .replaceAll('URL', `https://${ELSEWHERE}/${index}/`)
      .replaceAll('HOST', ELSEWHERE),
  ),
]

let browser: Browser
let mail: MailService
before(async () => {
  if (skip) return
  browser = await launchChromium()
  mail = await startMail()
})
after(async () => {
  await browser?.close()
  await mail?.close()
})

type Watched = { page: Page; context: BrowserContext; ran: Set<number>; asked: string[]; dialogs: string[] }

/** A page that records which scripts ran, and what it requested from other servers. */
const openWatched = async (): Promise<Watched> => {
  const context = await browser.newContext()
  const watched: Omit<Watched, 'page'> = { context, ran: new Set(), asked: [], dialogs: [] }
  await context.exposeFunction('ran', (index: number) => void watched.ran.add(index))
  await context.route(
    (url) => url.hostname === ELSEWHERE,
    (route) => {
      watched.asked.push(route.request().url())
      return route.abort()
    },
  )
  const page = await context.newPage()
  page.on('dialog', (dialog) => {
    watched.dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  return { ...watched, page }
}

/** A server that shows each document in a frame of one page. */
const serveFrames = async (
  documents: readonly string[],
  headers: Record<string, string> = {},
): Promise<{ url: string; server: Server }> => {
  const server = createServer((request, response) => {
    const index = Number(request.url?.slice(1) || 'NaN')
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (request.url === '/') response.end(documents.map((_, each) => `<iframe src="/${each}"></iframe>`).join(''))
    else for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    if (request.url !== '/') response.end(documents[index] ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { server, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/` }
}

/** Shows all documents and does with each element what a reader might. */
const showAll = async (documents: readonly string[], headers: Record<string, string> = {}): Promise<Watched> => {
  const { server, url } = await serveFrames(documents, headers)
  const watched = await openWatched()
  try {
    await watched.page.goto(url, { waitUntil: 'load' })
    await watched.page.evaluate(touchEverything)
    await passTime(200, 'whatever the mail has begun in the page has had its turn')
    return watched
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

/** Runs in the browser. */
const touchEverything = (): void => {
  for (const frame of document.querySelectorAll('iframe')) {
    let inner: Document | null = null
    try {
      inner = frame.contentDocument
    } catch {
      continue
    }
    for (const element of inner?.querySelectorAll('*') ?? []) {
      for (const type of ['mouseover', 'focus', 'pointerenter', 'toggle', 'submit', 'click']) {
        const leaves = type === 'click' && /^https?:/i.test(element.getAttribute('href') ?? '')
        if (!leaves) element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }))
      }
    }
  }
}

/** A part of them, where each needs a frame of its own: frames take long. */
const sample = hostile.filter((_, index) => index % 7 === 0)

describe('hostile HTML in a real browser', { skip }, () => {
  test('runs and loads as it is: the detector works', async () => {
    const { ran, asked, context } = await showAll(sample)
    const running = sample.filter((html) => html.includes('top.ran')).length
    assert.ok(ran.size > running * 0.5, `only ${ran.size} of ${running} ran`)
    assert.ok(new Set(asked).size > (sample.length - running) * 0.5, `only ${new Set(asked).size} asked`)
    await context.close()
  })

  test('does nothing once it is cleaned, without any policy around it', async () => {
    // Behind each stands a mark: nothing reaches past its own end.
    const cleaned = hostile.map((html) => `${sanitizeHtml(html, NO_IMAGES).html}<hr class="mark">`)
    const documents = Array.from({ length: 10 }, (_, each) =>
      cleaned.filter((_, index) => index % 10 === each).join(''),
    )
    const { ran, asked, dialogs, page, context } = await showAll(documents.map((each) => `<!doctype html>${each}`))
    assert.deepEqual(
      [...ran].map((index) => RUNNING[index]),
      [],
    )
    assert.deepEqual([asked, dialogs], [[], []])
    assert.equal(page.frames().length, documents.length + 1)
    const marks = await Promise.all(page.frames().map((frame) => frame.locator('body > hr.mark').count()))
    assert.equal(
      marks.reduce((sum, each) => sum + each, 0),
      hostile.length,
    )
    await context.close()
  })

  test('does nothing in the reading frame even if it were not cleaned', async () => {
    const { headers = {} } = readingFrame('').options
    const documents = sample.map((html) => readingFrame(html).html)
    const { ran, dialogs, context } = await showAll(documents, headers)
    assert.deepEqual(
      [...ran].map((index) => RUNNING[index]),
      [],
    )
    assert.deepEqual(dialogs, [])
    await context.close()
  })

  test('in a mail is read without a script and without a word to anybody, then with pictures through us', async () => {
    const reader = await plantReader(mail, 'bob@xss.test')
    const watched = await openWatched()
    const { page, context, ran, asked } = watched
    await context.addCookies([{ name: 'mail_webmail', value: reader.client.webmailCookie ?? '', url: mail.url }])
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url().replace(mail.url, '')))
    const id = await reader.add({
      html: `${hostile.join('\n').replace(/<(?:plaintext|!--|!\[CDATA)/g, '')}<p>The end</p>`,
    })
    await page.goto(`${mail.url}/api/mail/messages/${id}/view`, { waitUntil: 'load' })
    assert.deepEqual(requests, [`/api/mail/messages/${id}/view`])
    const shown = await reader.add({
      html: `<p>Hello</p><img src="https://${ELSEWHERE}/a.png"><script>top.ran(1)</script>`,
    })
    await page.goto(`${mail.url}/api/mail/messages/${shown}/view?images=1`, { waitUntil: 'load' })
    assert.match(requests[2] ?? '', /^\/api\/mail\/proxy\/[\w-]{43}\?url=https%3A%2F%2Felsewhere\.invalid%2Fa\.png$/)
    assert.equal(requests.length, 3)
    assert.equal(await page.textContent('p'), 'Hello')
    assert.deepEqual([[...ran], asked], [[], []])
    await context.close()
  })

  test("a message's own pictures are shown under the frame's policy", async () => {
    const reader = await plantReader(mail, 'bob@pictures.test')
    const { page, context } = await openWatched()
    await context.addCookies([{ name: 'mail_webmail', value: reader.client.webmailCookie ?? '', url: mail.url }])
    const id = await reader.add({ raw: WITH_PICTURE })
    await page.goto(`${mail.url}/api/mail/messages/${id}/view`, { waitUntil: 'load' })
    const width = await page.evaluate(() => document.querySelector('img')?.naturalWidth)
    assert.equal(width, 1)
    await context.close()
  })

  test('styles stay inside the message', async () => {
    const { page, context } = await openWatched()
    const html =
      '<style>p{color:rgb(1, 2, 3)} body{background:rgb(4, 5, 6)} .x{color:rgb(7, 8, 9)}</style><p>in<b class=x>x</b>'
    await page.setContent(`<!doctype html><p class="x" id="out">out</p>${sanitizeHtml(html, NO_IMAGES).html}`)
    const styleOf = (selector: string, name: string) =>
      page.evaluate(
        ([at = '', key = '']) => {
          const found = document.querySelector(at)
          return found ? getComputedStyle(found).getPropertyValue(key) : ''
        },
        [selector, name],
      )
    assert.equal(await styleOf('#out', 'color'), 'rgb(0, 0, 0)')
    assert.equal(await styleOf('body', 'background-color'), 'rgba(0, 0, 0, 0)')
    assert.equal(await styleOf('.m_mail p', 'color'), 'rgb(1, 2, 3)')
    assert.equal(await styleOf('.m_mail b', 'color'), 'rgb(7, 8, 9)')
    assert.equal(await styleOf('.m_mail', 'background-color'), 'rgb(4, 5, 6)')
    await context.close()
  })
})

const WITH_PICTURE = `MIME-Version: 1.0
Content-Type: multipart/related; boundary=r

--r
Content-Type: text/html

<p>Look: <img src="cid:dot"></p>
--r
Content-Type: image/gif
Content-ID: <dot>
Content-Transfer-Encoding: base64

R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7
--r--
`.replaceAll('\n', '\r\n')
