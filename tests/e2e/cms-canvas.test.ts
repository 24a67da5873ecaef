import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { Frame, FrameLocator, Page } from 'playwright-core'
import type { FromCanvas, FromEditor } from '../../web/cms-admin/src/visual/canvas/protocol.ts'
// Only the type of `window.canvas`
import type {} from '../../web/cms-admin/src/visual/canvas/testing/harness.tsx'
import { browserTest } from '../lib/browser.ts'
import { findChromium } from '../lib/chromium.ts'
import { type CanvasSite, serveCanvas } from './canvas-site.ts'
import { journey } from './journey.ts'

let site: CanvasSite
before(async () => {
  if (findChromium()) site = await serveCanvas()
})
after(() => site?.close())

const SECTIONS =
  '<section data-cms-section="hero"><h1 data-cms-field="title">Hello  world</h1>' +
  '<p data-cms-field="lead">One <em>two</em> three</p><p data-cms-field="mixed">Text <b>bold</b></p>' +
  '<p data-cms-field="story">First<br>Second</p><a href="/about?x=1">About</a>' +
  '<img data-cms-field="cover" src="/cover.gif" alt="A cover" width="80" height="40"></section><hr>' +
  '<section data-cms-section="facts" data-cms-fixed="">Facts</section>' +
  '<section data-cms-section="news">News <form action="/send"><input name="q" value="v"><button>Send</button></form></section>' +
  '<section data-cms-section="end" data-cms-hidden="">End</section>'
const pageOf = (body: string, head = '') =>
  `<!doctype html><html><head><link rel="stylesheet" href="/site.css">${head}</head><body>` +
  `<nav data-cms-part="menu"><a href="/menu">Menu</a></nav><main>${body}</main></body></html>`

const load = (page: Page, html: string) =>
  page.evaluate(([text, url]) => window.canvas.load({ html: text, url }), [html, `${site.siteUrl}home`] as const)
const send = (page: Page, message: FromEditor) => page.evaluate((one) => window.canvas.send(one), message)

type Message<T extends FromCanvas['t']> = FromCanvas & { t: T }

/** The next message of a kind, after those that were there. */
const messageAfter = async <T extends FromCanvas['t']>(page: Page, t: T, act: () => Promise<unknown>) => {
  const before = await count(page, t)
  await act()
  await page.waitForFunction(
    ([kind, known]) => window.canvas.received.filter((message) => message.t === kind).length > known,
    [t, before] as const,
  )
  return lastOf(page, t)
}
const lastOf = async <T extends FromCanvas['t']>(page: Page, t: T) => {
  const message = await page.evaluate((kind) => window.canvas.received.findLast((one) => one.t === kind), t)
  return message as Message<T>
}
const count = (page: Page, t: FromCanvas['t']) =>
  page.evaluate((kind) => window.canvas.received.filter((message) => message.t === kind).length, t)

const enter = async (page: Page, html: string): Promise<FrameLocator> => {
  if (page.url() !== site.editorUrl) await page.goto(site.editorUrl)
  await page.waitForFunction(() => 'canvas' in window)
  await messageAfter(page, 'ready', () => load(page, html))
  await page.waitForFunction(() => document.querySelectorAll('iframe').length === 1)
  // The page before was left somewhere else, and the next one is shown at the same place
  await frameOf(page).evaluate(() => scrollTo(0, 0))
  return page.frameLocator('iframe:not([inert])')
}
const frameOf = (page: Page): Frame => page.frames().at(-1) ?? assert.fail('there is no canvas')
const named = (target: { id: string; index: number } | null) => target && `${target.id} ${target.index}`

const HOSTILE =
  '<script>fetch("/ran-1")</script><script src="/ran-2.js"></script><img src="/seen.gif" onload="fetch(\'/ran-3\')">' +
  '<svg onload="fetch(\'/ran-4\')"><script>fetch("/ran-5")</script></svg><iframe src="/ran-6"></iframe>' +
  '<iframe srcdoc="<script>fetch(\'/ran-7\')</script>"></iframe><object data="/ran-8"></object><embed src="/ran-9">' +
  '<template shadowrootmode="open"><img src="/ran-10"></template><form action="/ran-11"><button autofocus>x</button></form>' +
  '<a id="bad" href="javascript:parent.postMessage(1,\'*\')">bad</a><noscript><img src="/ran-12"></noscript>' +
  '<details open ontoggle="fetch(\'/ran-13\')"><summary>s</summary></details><img src="data:image/png,no" onerror="fetch(\'/ran-14\')">'

describe('a canvas', () => {
  journey('is safe', {
    'runs nothing of the page, sends nothing, and shows it with its style': async ({ page }) => {
      site.asked.length = 0
      const head =
        '<meta http-equiv="refresh" content="0;url=/ran-20"><base href="https://evil.invalid/">' +
        '<link rel="preload" as="script" href="/ran-21"><link rel="prefetch" href="/ran-22"><link rel="manifest" href="/ran-23">'
      const canvas = await enter(page, pageOf(HOSTILE + SECTIONS, head))
      assert.equal(await canvas.locator('h1').evaluate((element) => getComputedStyle(element).color), 'rgb(1, 2, 3)')
      await canvas.locator('#bad').click()
      await canvas.locator('form button').first().click()
      await canvas.getByRole('button', { name: 'Send' }).click()
      await canvas.locator('input').focus()
      await page.keyboard.press('Enter')
      const link = await messageAfter(page, 'link', () => canvas.getByRole('link', { name: 'About' }).click())
      assert.equal(link.href, `${site.siteUrl}about?x=1`)
      await canvas.getByRole('link', { name: 'About' }).click({ button: 'middle' })
      assert.deepEqual([...new Set(site.asked)].sort(), ['GET /cover.gif', 'GET /seen.gif', 'GET /site.css'])
      assert.deepEqual(await page.evaluate(() => window.canvas.received.filter(({ t }) => t === 'error')), [])
      const inside = await frameOf(page).evaluate(() => {
        try {
          return String(parent.document.title)
        } catch {
          return location.href
        }
      })
      assert.equal(inside, 'about:srcdoc')
    },

    'is accepted only from its own window and with its word, and a flood leaves the editor usable': async ({
      page,
    }) => {
      const canvas = await enter(page, pageOf(SECTIONS))
      const channel = await page.evaluate(
        () => /data-channel="([^"]+)"/.exec(document.querySelector('iframe')?.srcdoc ?? '')?.[1] ?? '',
      )
      assert.notEqual(channel, '')
      const links = await count(page, 'link')
      const forged = { cms: 1, ch: channel, t: 'link', href: 'https://forged.invalid/' }
      await page.evaluate((message) => window.postMessage(message, '*'), forged)
      await frameOf(page).evaluate(() => parent.postMessage({ cms: 1, ch: 'guess', t: 'link', href: '/forged' }, '*'))
      await frameOf(page).evaluate((message) => {
        for (let index = 0; index < 20_000; index += 1)
          parent.postMessage({ cms: 1, ch: message.ch, t: 'scroll', y: index, height: 1 }, '*')
        for (let index = 0; index < 20_000; index += 1) parent.postMessage({ ...message, y: index }, '*')
      }, forged)
      const selected = await messageAfter(page, 'select', () => canvas.locator('h1').click())
      assert.equal(named(selected.target), 'title 0')
      assert.equal(await count(page, 'link'), links)
      assert.ok((await count(page, 'scroll')) < 10_000)
    },

    'runs nothing else even if cleaning had missed it': async ({ page, expectProblem }) => {
      await enter(page, pageOf(SECTIONS))
      site.asked.length = 0
      await page.evaluate(() => {
        const known = document.querySelector('iframe')
        const frame = document.createElement('iframe')
        frame.setAttribute('sandbox', 'allow-scripts')
        frame.srcdoc = (known?.srcdoc ?? '').replace(
          '<script data-channel',
          '<script>parent.ran = 1; fetch("/ran")</script><p id="p" onclick="fetch(\'/ran\')">p</p><iframe src="/ran"></iframe>$&',
        )
        document.body.append(frame)
      })
      await page.frameLocator('iframe >> nth=-1').locator('#p').click()
      assert.deepEqual(
        site.asked.filter((line) => line.includes('ran')),
        [],
      )
      expectProblem(/Content Security Policy|csp:/)
    },
  })

  journey('is edited', {
    'shows what is under the pointer and selects the nearest, then one level out': async ({ page, shot }) => {
      const canvas = await enter(page, pageOf(SECTIONS))
      const ready = await lastOf(page, 'ready')
      assert.deepEqual(
        ready.sections.map(({ id, hidden, fixed, group }) => [id, hidden, fixed, group]),
        [
          ['hero', false, false, 0],
          ['facts', false, true, 0],
          ['news', false, false, 0],
          ['end', true, false, 0],
        ],
      )
      assert.deepEqual([ready.fields, ready.parts], [['title', 'lead', 'mixed', 'story', 'cover'], ['menu']])

      const hovered = await messageAfter(page, 'hover', () => canvas.locator('h1').hover())
      assert.deepEqual([named(hovered.target), hovered.path.map(({ id }) => id)], ['title 0', ['hero', 'title']])
      await shot('canvas-hover')
      const select = async (options = {}) => {
        const { target } = await messageAfter(page, 'select', () => canvas.locator('h1').click(options))
        return named(target)
      }
      assert.deepEqual([await select(), await select(), await select()], ['title 0', 'hero 0', 'title 0'])
      assert.equal(await select({ modifiers: ['Alt'] }), 'hero 0')
      await shot('canvas-select')
      const cover = await messageAfter(page, 'select', () => canvas.locator('img').click())
      assert.deepEqual(cover.picture, { src: `${site.siteUrl}cover.gif`, alt: 'A cover' })
      const part = await messageAfter(page, 'select', () => canvas.getByRole('link', { name: 'Menu' }).click())
      assert.deepEqual(part.path, [{ kind: 'part', id: 'menu', index: 0 }])

      await canvas.locator('h1').focus()
      const byKey = await messageAfter(page, 'select', () => page.keyboard.press('Enter'))
      assert.deepEqual([named(byKey.target), byKey.open], ['title 0', true])
      const key = await messageAfter(page, 'key', () => page.keyboard.press('Control+z'))
      assert.equal(key.combo, 'mod+Z')

      const shown = await messageAfter(page, 'highlighted', () =>
        send(page, { t: 'highlight', target: { kind: 'section', id: 'facts', index: 0 }, scroll: true }),
      )
      assert.ok(shown.rect && shown.rect.y < 400 && shown.rect.y > -10, JSON.stringify(shown.rect))
      await shot('canvas-fixed')
    },

    'lets people type on the page itself, and give it up': async ({ page }) => {
      const canvas = await enter(page, pageOf(SECTIONS))
      const start = { t: 'startInline', key: 'title', index: 0, formatted: false, multiline: false } as const
      const title = canvas.locator('h1')
      await title.click()
      await send(page, { ...start, value: 'Hello world' })
      await canvas.locator('h1[contenteditable]').waitFor()
      await page.keyboard.press('End')
      const edit = await messageAfter(page, 'edit', () => page.keyboard.type(' and you '))
      assert.equal(edit.value, 'Hello world and you ')
      const cancelled = await messageAfter(page, 'cancel', () => page.keyboard.press('Escape'))
      assert.equal(cancelled.value, 'Hello world')
      assert.equal(await title.textContent(), 'Hello  world')

      await title.click()
      await send(page, start)
      await canvas.locator('h1[contenteditable]').waitFor()
      await page.keyboard.press('Control+a')
      await page.keyboard.type('New')
      const done = await messageAfter(page, 'commit', () => page.keyboard.press('Enter'))
      assert.deepEqual([done.value, await title.textContent()], ['New', 'New'])

      const refused = await messageAfter(page, 'refused', () => send(page, { ...start, key: 'mixed' }))
      assert.equal(refused.key, 'mixed')
      await messageAfter(page, 'refused', () => send(page, { ...start, value: 'Something else' }))
    },

    'keeps italics, line breaks and lines, and nothing else': async ({ page, shot }) => {
      const canvas = await enter(page, pageOf(SECTIONS))
      await page.evaluate(() => {
        const blob = (type: string, text: string) => ({ [type]: new Blob([text], { type }) })
        const both = { ...blob('text/html', '<h1>an <b>apple</b></h1>'), ...blob('text/plain', ' an\napple') }
        return navigator.clipboard.write([new ClipboardItem(both)])
      })
      const start = { t: 'startInline', key: 'lead', index: 0, formatted: true, multiline: false } as const
      await send(page, { ...start, html: 'One <i>two</i> three' })
      const lead = canvas.locator('p[contenteditable]')
      await lead.waitFor()
      await page.keyboard.press('End')
      await page.keyboard.press('Shift+Enter')
      await page.keyboard.type('four ')
      await page.keyboard.press('Control+i')
      await page.keyboard.type('five')
      await page.keyboard.press('Control+b')
      await shot('canvas-formatted')
      // The bar is in a closed tree, where only the pointer gets to
      const box = (await lead.boundingBox()) ?? assert.fail('it is on screen')
      await page.mouse.click(box.x + 90, box.y - 22)
      await page.keyboard.type('six')
      await page.keyboard.press('Control+v')
      const done = await messageAfter(page, 'commit', () => page.keyboard.press('Enter'))
      assert.equal(done.html, 'One <i>two</i> three<br>four <i>five<br>six an apple</i>')
      assert.equal(await canvas.locator('[data-cms-field=lead]').innerHTML(), done.html)

      await send(page, { ...start, key: 'story', formatted: false, multiline: true, value: 'First\nSecond' })
      await canvas.locator('[data-cms-field=story][contenteditable]').waitFor()
      await page.keyboard.press('Control+End')
      await page.keyboard.press('Enter')
      await page.keyboard.type('Third')
      const lines = await messageAfter(page, 'commit', () => page.keyboard.press('Control+Enter'))
      assert.equal(lines.value, 'First\nSecond\nThird')
      assert.equal(await canvas.locator('[data-cms-field=story]').innerHTML(), 'First<br>Second<br>Third')
    },

    'shows values, pictures, designs and moves at once': async ({ page, shot }) => {
      const canvas = await enter(page, pageOf(SECTIONS))
      await send(page, { t: 'setText', key: 'title', value: '<b>As text</b>' })
      await send(page, { t: 'setText', key: 'lead', html: 'x<script>1</script><i onclick=y>z</i>' })
      await send(page, { t: 'setText', key: 'mixed', value: 'not here' })
      await send(page, { t: 'setImage', key: 'cover', src: '/other.gif', alt: 'Another' })
      const colour = () => canvas.locator('h1').evaluate((heading) => getComputedStyle(heading).color)
      await send(page, { t: 'setStyle', css: '', originals: [{ selector: 'h1', property: 'color' }] })
      await until(async () => (await colour()) === 'rgb(0, 0, 0)', 'the colour that the sheet of the site sets over')
      await send(page, { t: 'setStyle', css: 'h1 { color: rgb(9, 9, 9) }', originals: [] })
      const moved = await messageAfter(page, 'layout', () =>
        send(page, { t: 'layout', order: ['news', 'end', 'hero'], hidden: ['hero'] }),
      )
      assert.deepEqual(
        moved.sections.map(({ id, hidden }) => [id, hidden]),
        [
          ['news', false],
          ['facts', false],
          ['end', false],
          ['hero', true],
        ],
      )
      assert.equal(
        await canvas.locator('main').evaluate((main) => [...main.childNodes].map(({ nodeName }) => nodeName).join(' ')),
        'SECTION HR SECTION SECTION SECTION',
      )
      assert.equal(await canvas.locator('h1').innerHTML(), '&lt;b&gt;As text&lt;/b&gt;')
      assert.equal(await canvas.locator('h1').evaluate((element) => getComputedStyle(element).color), 'rgb(9, 9, 9)')
      assert.equal(await canvas.locator('[data-cms-field=lead]').innerHTML(), 'x<i>z</i>')
      assert.equal(await canvas.locator('[data-cms-field=mixed]').innerHTML(), 'Text <b>bold</b>')
      assert.equal(await canvas.locator('img').getAttribute('src'), '/other.gif')
      assert.equal(
        await canvas.locator('[data-cms-section=hero]').evaluate((one) => getComputedStyle(one).opacity),
        '0.4',
      )
      const hero = { kind: 'section', id: 'hero', index: 0 } as const
      await messageAfter(page, 'highlighted', () => send(page, { t: 'highlight', target: hero, scroll: true }))
      await shot('canvas-moved')
    },
  })

  browserTest('changes to the next page without a flash, at the same place', {}, async ({ page, shot }) => {
    const canvas = await enter(page, pageOf(SECTIONS))
    await canvas.locator('h1').click()
    await messageAfter(page, 'scroll', () => send(page, { t: 'scrollTo', y: 900 }))
    await page.waitForFunction(() => window.canvas.received.some((one) => one.t === 'scroll' && one.y === 900))
    await messageAfter(page, 'ready', () => load(page, pageOf(SECTIONS.replace('Hello  world', 'Hello again'))))
    await canvas.getByText('Hello again').waitFor()
    await page.waitForFunction(() => document.querySelectorAll('iframe').length === 1)
    assert.equal(await frameOf(page).evaluate(() => scrollY), 900)
    // The same place again goes one level out: the selection is still there
    await send(page, { t: 'scrollTo', y: 0 })
    const first = await messageAfter(page, 'select', () => canvas.locator('h1').click({ modifiers: ['Alt'] }))
    assert.equal(named(first.target), 'hero 0')

    await page.evaluate(() => window.canvas.resize({ width: 1920, zoom: 'fit' }))
    await page.waitForFunction(() => document.querySelector('iframe')?.style.width === '1920px')
    assert.equal(await frameOf(page).evaluate(() => innerWidth), 1920)
    const box = await page.locator('iframe').boundingBox()
    assert.ok(box && Math.abs(box.width - 1280) < 1 && Math.abs(box.height - 800) < 1, JSON.stringify(box))
    await page.evaluate(() => window.canvas.resize({ width: 1920, zoom: 0.75 }))
    await page.waitForFunction(() => document.querySelector('iframe')?.parentElement?.scrollWidth === 1440)
    await page.evaluate(() => window.canvas.resize({ width: 390, zoom: 'fit' }))
    await page.waitForFunction(() => document.querySelector('iframe')?.style.width === '390px')
    await shot('canvas-phone')
  })
})
