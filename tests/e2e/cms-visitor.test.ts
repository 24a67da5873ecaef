import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe } from 'node:test'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { Page } from 'playwright-core'
import { browserTest, type Visit } from '../lib/browser.ts'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import { connectOllama, type FakeOllama, startFakeOllama } from '../lib/fake-ollama.ts'
import { enterAs, goTo } from './cms-page.ts'
import { chooseFor, dialogOf, fits, hasCopied, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'
import { type ForeignSite, startForeignSite } from './visitor-page.ts'

let service: CmsService
let ollama: FakeOllama
let website: ForeignSite
let admin: Person
let isBroken = false
/** The model says nothing before this is settled. */
let held: Promise<void> | undefined
before(async () => {
  service = await startCms({ atPublicUrl: true, aiTimeouts: { retryMs: [1, 1] } })
  await service.cms.startBackground({ workers: false })
  ollama = await startFakeOllama()
  ollama.model((messages) => {
    const { question } = JSON.parse(messages.at(-1)?.content ?? '{}')
    if (isBroken) return { text: 'At n', fault: 'cut' }
    const text = question.includes('museum') ? 'The museum opens at nine [1].' : 'UNKNOWN'
    return { text: held ? [held, text] : text }
  })
  website = await startForeignSite(service.url)
  await service.claim()
  admin = await service.person('admin', { name: 'Ada Admin' })
  const fields = [{ key: 'body', type: 'richtext' }]
  await admin.client.put('/api/settings', { url: website.url, locales: ['en', 'de'] })
  await admin.client.post('/api/types', { name: 'article', label: 'Article', previewUrl: '/articles/{slug}', fields })
  const data = { body: '<p>The museum opens at nine. On Sundays it stays closed.</p>' }
  const { body } = await admin.client.post('/api/entries', { type: 'article', title: 'Opening hours', data })
  await admin.client.post(`/api/entries/${body.id}/status`, { action: 'publish' })
})
after(async () => {
  await website.close()
  await service.close()
  await ollama.close()
  assert.deepEqual(ollama.problems, [])
})

const settings = async () => (await admin.client.get('/api/assistant/visitor')).body
const inputOf = (page: Page) => page.getByLabel('Your question')
const ask = async (page: Page, question: string) => {
  await page.keyboard.type(question)
  await page.keyboard.press('Enter')
}
/** What has the focus inside of the bubble. */
const focused = (page: Page) =>
  page.evaluate(() => document.querySelector('stoa-visitor-assistant')?.shadowRoot?.activeElement?.className)

describe('the visitor assistant', () => {
  browserTest(
    'from the switch to an answer on a website, and from an unanswered question to a draft',
    { alone: true },
    async (visit) => {
      await switchOn(visit)
      await askByKeyboard(visit)
      await seeEverywhere(visit)
      await writeAboutIt(visit)
      await takeAndForget(visit)
    },
  )
})

const switchOn = async (visit: Visit) => {
  const { page } = visit
  await enterAs(visit, service, admin, '/visitor-assistant/settings')
  await page.getByText('Connect an AI provider first').waitFor()
  assert.equal(await page.getByLabel('Show the visitor assistant').isDisabled(), true)
  await connectOllama(admin.client, ollama)
  await page.reload()
  await page.getByText('Choose at least one content type below').waitFor()
  await page.getByLabel('Article').check()
  await page.getByLabel('Show the visitor assistant').check()
  await page.getByLabel('Allowed websites').fill(`${website.url}/some/page`)
  await page.getByLabel('Label').fill('Ask the museum')
  await page.getByLabel('Greeting').fill('Ahoy! What about ships?')
  // The bubble itself, in its preview
  await page.getByRole('dialog', { name: 'Ask the museum' }).getByText('Ahoy! What about ships?').waitFor()
  const accent = page.getByPlaceholder('#2563eb')
  await accent.fill('#ffee00')
  const preview = page.getByRole('region', { name: 'Preview' }).getByRole('button', { name: 'Ask the museum' })
  const colour = () => preview.evaluate((node) => getComputedStyle(node).backgroundColor)
  await until(async () => (await colour()) === 'rgb(255, 238, 0)', 'the bubble has the color that was typed')
  await page.getByText('On a white page the bubble is hard to see').waitFor()
  await accent.fill('#2563eb')
  const refusals = page.getByRole('group', { name: "When there's no answer" })
  await refusals.getByLabel('German').fill('Das wissen wir leider nicht.')
  const kept = page.getByRole('region', { name: "What's stored" })
  await kept.getByText('The IP address is kept for counting only, as a hash that changes every day').waitFor()
  await look(visit, 'cms-visitor-settings')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Visitor assistant turned on').waitFor()
  const { enabled, origins, types, refusal } = await settings()
  const german = { de: 'Das wissen wir leider nicht.' }
  assert.deepEqual([enabled, origins, types, refusal], [true, [website.url], ['article'], german])
  const code = page.getByRole('figure').filter({ hasText: 'embed code' })
  const line = `<script src="${service.url}/ext/assistant/widget.js" defer></script>`
  assert.equal(await code.locator('code').innerText(), line)
  await code.getByRole('button', { name: 'Copy embed code' }).click()
  await hasCopied(page, line)
  await usedToday(page, '0 of 1,000 questions')
}

const usedToday = (page: Page, text: string) =>
  page
    .getByRole('meter', { name: 'Questions today' })
    .and(page.locator(`[aria-valuetext="${text}"]`))
    .waitFor()

const askByKeyboard = async (visit: Visit) => {
  const { page } = visit
  await page.goto(`${website.url}/hostile`)
  const bubble = page.locator('stoa-visitor-assistant')
  const button = bubble.getByRole('button', { name: 'Ask the museum' })
  await button.waitFor()
  assert.equal(await bubble.count(), 1, 'a script that is there twice shows one bubble')
  const box = await button.boundingBox()
  assert.deepEqual([box?.height, (box?.x ?? 0) + (box?.width ?? 0)], [48, 1264], 'where it belongs, not rotated')
  await visit.shot('cms-visitor-hostile-closed')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await inputOf(page).waitFor()
  await bubble.getByText('Ahoy! What about ships?').waitFor()
  assert.equal(await button.getAttribute('aria-expanded'), 'true')
  await page.keyboard.type('When does the museum')
  await page.keyboard.press('Shift+Enter')
  await waitCalmly(visit, () => ask(page, 'open?'))
  const source = bubble.getByRole('link', { name: 'Opening hours' })
  assert.equal(await source.getAttribute('href'), `${website.url}/articles/opening-hours`)
  assert.equal(await bubble.getByRole('log').evaluate((log) => getComputedStyle(log).direction), 'ltr')
  await ask(page, 'Do you sell submarines?')
  await bubble.getByText("I couldn't find an answer to that on this site.").waitFor()
  isBroken = true
  await ask(page, 'Is the museum closed on Sundays?')
  await bubble.getByRole('button', { name: 'Retry' }).waitFor()
  assert.equal(await inputOf(page).inputValue(), 'Is the museum closed on Sundays?', 'nothing typed is lost')
  visit.expectProblem(/503/)
  isBroken = false
  await visit.shot('cms-visitor-hostile')
  await bubble.getByRole('button', { name: 'Retry' }).click()
  await bubble.getByText('AI answer, may be wrong').nth(1).waitFor()
  const sent = JSON.parse(ollama.chats.at(-1)?.messages.at(-1)?.content ?? '{}')
  assert.deepEqual(
    sent.history.map(({ text }: { text: string }) => text.split('\n')[0]),
    [
      'When does the museum',
      'The museum opens at nine [1].',
      'Do you sell submarines?',
      "I couldn't find an answer to that on this site.",
    ],
  )
  assert.deepEqual([await inputOf(page).inputValue(), await focused(page)], ['', ''])
  await page.keyboard.press('Escape')
  await inputOf(page).waitFor({ state: 'hidden' })
  assert.equal(await focused(page), 'bubble')
}

/** While the answer is awaited the bubble says so, also to a screen reader, and takes no other question. */
const waitCalmly = async ({ page, shot }: Visit, send: () => Promise<void>) => {
  const log = page.getByRole('log')
  const dots = log.locator('.dots i')
  const moves = () => dots.first().evaluate((dot) => getComputedStyle(dot).animationName)
  const { promise, resolve: answer } = Promise.withResolvers<void>()
  held = promise
  await send()
  await log.getByText('Looking for an answer…').waitFor()
  assert.equal(await log.getAttribute('aria-live'), 'polite')
  assert.match(await log.ariaSnapshot(), /Looking for an answer…/)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  assert.equal(await moves(), 'breathe')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  assert.equal(await moves(), 'none')
  await ask(page, 'Hello?')
  assert.equal(await inputOf(page).inputValue(), 'Hello?', 'it waits for the answer to the first')
  assert.equal(await page.getByRole('button', { name: 'Send' }).getAttribute('aria-disabled'), 'true')
  await shot('cms-visitor-thinking')
  await inputOf(page).fill('')
  held = undefined
  answer()
  await log.getByText('AI answer, may be wrong').waitFor()
  assert.doesNotMatch(await log.ariaSnapshot(), /Looking for an answer…|Hello/)
  assert.equal(await dots.count(), 0)
  assert.equal(await page.getByRole('button', { name: 'Send' }).getAttribute('aria-disabled'), 'false')
}

/** A page in another language, and all that its script says; a phone in the dark has a panel on all of it, and nothing is printed. */
const seeEverywhere = async (visit: Visit) => {
  const { page } = visit
  await page.goto(`${website.url}/evening`)
  const button = page.getByRole('button', { name: 'Ask the museum' })
  await button.click()
  const panel = page.getByRole('dialog', { name: 'Ask the museum' })
  await ask(page, 'When does the museum open?')
  await panel.getByText('KI-Antwort').waitFor()
  await ask(page, 'Verkaufen Sie U-Boote?')
  await panel.getByText('Das wissen wir leider nicht.').waitFor()
  const box = await button.boundingBox()
  assert.deepEqual([box?.x, box?.height], [16, 48], 'on the left, and no larger where the page’s letters are')
  const style = await panel.evaluate((node) => {
    const { fontSize, fontFamily, backgroundColor } = getComputedStyle(node)
    return [fontSize, fontFamily.split(',')[0], backgroundColor]
  })
  assert.deepEqual(style, ['15px', 'system-ui', 'rgb(27, 29, 34)'], 'dark, as the page says that it is')
  const accent = await button.evaluate((node) => getComputedStyle(node).backgroundColor)
  assert.equal(accent, 'rgb(224, 176, 80)')
  await visit.shot('cms-visitor-evening')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  const fillsIt = async () => JSON.stringify(await panel.boundingBox()) === '{"x":0,"y":0,"width":390,"height":844}'
  await until(fillsIt, 'the panel fills the phone')
  await visit.axe('stoa-visitor-assistant')
  await visit.shot('cms-visitor-evening-dark-390')
  await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'active' })
  const still = await panel.evaluate((node) => {
    const send = node.querySelector('.send') ?? node
    return [getComputedStyle(node).animationName, getComputedStyle(send).borderTopColor === 'rgba(0, 0, 0, 0)']
  })
  assert.deepEqual(still, ['none', false], 'nothing moves, and buttons have an edge where colours are the system’s')
  await page.emulateMedia({ media: 'print' })
  await panel.waitFor({ state: 'hidden' })
  await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null, forcedColors: null })
  await page.setViewportSize({ width: 1280, height: 800 })
}

const writeAboutIt = async (visit: Visit) => {
  const { page } = visit
  await enterAs(visit, service, admin, '/visitor-assistant')
  await page.getByText('Do you sell submarines?').waitFor()
  assert.equal(await page.getByText('When does the museum').count(), 0, 'what is unanswered comes first')
  await look(visit, 'cms-visitor-questions')
  await onPhoneInTheDark(visit, () => fits(visit, 'cms-visitor-questions-dark-390'))
  await chooseFor(page, 'Do you sell submarines?', 'Write about this')
  await dialogOf(page).getByRole('button', { name: 'Create draft' }).click()
  await page.waitForURL(/\/content\/article\/[0-9a-f-]{36}$/)
  await page.getByText('Do you sell submarines?').first().waitFor()
  const { items } = (await admin.client.get('/api/entries?type=article&status=draft')).body
  assert.deepEqual(
    items.map(({ title }: { title: string }) => title),
    ['Do you sell submarines?'],
  )
}

const takeAndForget = async ({ page }: Visit) => {
  await goTo(page, '/visitor-assistant')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ])
  assert.equal(file.suggestedFilename(), 'visitor-questions.csv')
  assert.match(await readFile(await file.path(), 'utf8'), /"Do you sell submarines\?","no","en","1"/)
  await page.getByRole('button', { name: 'Delete all' }).click()
  await dialogOf(page).getByRole('button', { name: 'Delete all questions' }).click()
  await page.getByText('No unanswered questions').waitFor()
  assert.equal((await admin.client.get('/api/assistant/visitor/questions')).body.meta.total, 0)
  // What was asked stays counted
  await goTo(page, '/visitor-assistant/settings')
  await usedToday(page, '6 of 1,000 questions')
  await page.getByLabel('Questions per day').fill('6')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await usedToday(page, '6 of 6 questions')
}
