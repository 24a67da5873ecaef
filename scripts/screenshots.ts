// `npm run screenshots`: the pictures of the README, taken of the real services in a throwaway database.
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CmsClient, type CmsService, startCms } from '@stoa/tests/lib/cms.ts'
import { launchChromium } from '@stoa/tests/lib/launch-chromium.ts'
import { startMail } from '@stoa/tests/lib/mail.ts'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

const PICTURES = fileURLToPath(new URL('../docs/pictures/', import.meta.url))
const PERSON = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'seven lanterns in the harbour' }
/** A README is read on the way, too. */
const MAX_BYTES = 200_000
const QUALITIES = [88, 75, 60]
/** Screens that are missing are told, and do not keep the others away. */
const WAIT_MS = 15_000

type Look = { suffix: string; options: BrowserContextOptions }

const DESK = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.5 }
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
const LOOKS: readonly Look[] = [
  { suffix: '', options: { ...DESK, colorScheme: 'light' } },
  { suffix: '-dark', options: { ...DESK, colorScheme: 'dark' } },
  { suffix: '-phone', options: { ...PHONE, colorScheme: 'light' } },
  { suffix: '-phone-dark', options: { ...PHONE, colorScheme: 'dark' } },
]

const openPage = async (browser: Browser, url: string, { options }: Look): Promise<Page> => {
  const context = await browser.newContext({ ...options, locale: 'en-GB', reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  await page.goto(url, { waitUntil: 'networkidle' })
  return page
}

/** Everything has come: no request is open, no picture is missing, nothing says that it is busy. */
const settle = async (page: Page): Promise<void> => {
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(() => {
    const isBusy = document.querySelector('[aria-busy="true"], [role="progressbar"]') !== null
    const inView = [...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight)
    return !isBusy && inView.every((image) => image.complete)
  })
}

const shoot = async (page: Page, name: string): Promise<void> => {
  await settle(page)
  await page.mouse.move(0, 0)
  const session = await page.context().newCDPSession(page)
  for (const quality of QUALITIES) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality })
    const bytes = Buffer.from(data, 'base64')
    if (bytes.length > MAX_BYTES) continue
    writeFileSync(`${PICTURES}${name}.webp`, bytes)
    process.stdout.write(`docs/pictures/${name}.webp ${Math.round(bytes.length / 1000)} kB\n`)
    return
  }
  throw new Error(`${name} does not fit into ${MAX_BYTES} bytes`)
}

const fillIn = async (page: Page, values: Partial<typeof PERSON>): Promise<void> => {
  if (values.name) await page.getByLabel('Your name').fill(values.name)
  if (values.email) await page.getByLabel('E-mail address').fill(values.email)
  if (values.password) await page.getByLabel('Password', { exact: true }).fill(values.password)
}

const submit = async (page: Page, heading: RegExp): Promise<void> => {
  await page.locator('button[type=submit]').click()
  await page.getByRole('heading', { name: heading }).first().waitFor()
}

/** The first visit, then the demo; gives the one who may ask for everything. */
const claimWithDemo = async (browser: Browser, cms: CmsService): Promise<CmsClient> => {
  for (const look of LOOKS.slice(0, 2)) {
    const page = await openPage(browser, cms.url, look)
    await fillIn(page, PERSON)
    await shoot(page, `cms-claim${look.suffix}`)
    await page.context().close()
  }
  const { body } = await cms.client().post('/api/auth/setup', PERSON)
  const client = cms.client({ token: String(body.token) })
  for (const person of [
    { name: 'Grace Hopper', email: 'grace@example.com', role: 'editor', password: PERSON.password },
    { name: 'Alan Turing', email: 'alan@example.com', role: 'author', password: PERSON.password },
  ])
    await client.post('/api/users', person)
  for (const look of LOOKS.slice(0, 1)) {
    const page = await openPage(browser, `${cms.url}/admin/welcome`, look)
    await fillIn(page, { email: PERSON.email, password: PERSON.password })
    await submit(page, /How would you like to start/)
    await shoot(page, `cms-welcome${look.suffix}`)
    await page.context().close()
  }
  const made = await client.post('/api/demo')
  if (made.status !== 201) throw new Error(`the demo answered ${made.status}: ${made.text}`)
  return client
}

type Screen = { name: string; path: string; ready: (page: Page) => Promise<void> }

const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).first().waitFor()
const text = (name: string) => (page: Page) => page.getByText(name).first().waitFor()

const cmsScreens = async (client: CmsClient): Promise<Screen[]> => {
  const { body } = await client.get('/api/entries?type=article&q=tide')
  const entryId = String(body.items[0].id)
  return [
    { name: 'cms-dashboard', path: '/', ready: heading('Dashboard') },
    { name: 'cms-articles', path: '/content/article', ready: text('How to dry a wet book') },
    { name: 'cms-entry', path: `/content/article/${entryId}`, ready: text('What a chart remembers') },
    { name: 'cms-media', path: '/media', ready: (page) => page.locator('main img').first().waitFor() },
    { name: 'cms-type', path: '/types/article', ready: text('Read next') },
  ]
}

const shootCms = async (browser: Browser): Promise<string[]> => {
  const missing: string[] = []
  const cms = await startCms({
    env: { STORAGE_LOCAL_DIR: join(tmpdir(), 'stoa-screenshots'), SITE_URL: 'http://localhost:4301' },
  })
  cms.clock.set(new Date())
  const client = await claimWithDemo(browser, cms)
  const screens = await cmsScreens(client)
  for (const look of LOOKS) {
    const page = await openPage(browser, `${cms.url}/admin/sign-in`, look)
    await fillIn(page, { email: PERSON.email, password: PERSON.password })
    await submit(page, /Dashboard/)
    for (const { name, path, ready } of screens) {
      await page.goto(`${cms.url}/admin${path}`)
      await ready(page)
        .then(() => shoot(page, `${name}${look.suffix}`))
        .catch((error: unknown) => void missing.push(`${name}${look.suffix}: ${error}`))
    }
    await page.context().close()
  }
  await cms.close()
  return missing
}

const shootMail = async (browser: Browser): Promise<void> => {
  const mail = await startMail()
  mail.clock.set(new Date())
  const [light, dark] = LOOKS
  if (!light || !dark) throw new Error('There are no looks')
  const panel = await openPage(browser, mail.url, dark)
  await fillIn(panel, { email: PERSON.email, password: PERSON.password })
  await submit(panel, /Overview|Dashboard/)
  await shoot(panel, 'mail-dashboard-dark')
  const account = await openPage(browser, `${mail.url}/account`, light)
  await fillIn(account, { email: PERSON.email, password: PERSON.password })
  await submit(account, /Account/)
  await shoot(account, 'mail-account')
  await mail.close()
}

mkdirSync(PICTURES, { recursive: true })
const only = process.argv.slice(2)
const browser = await launchChromium()
const missing = only.length === 0 || only.includes('cms') ? await shootCms(browser) : []
if (only.length === 0 || only.includes('mail')) await shootMail(browser)
await browser.close()
for (const problem of missing) process.stderr.write(`${problem}\n`)
process.exit(missing.length === 0 ? 0 : 1)
