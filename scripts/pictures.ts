// Shared by the scripts that make the README's pictures.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

const PICTURES = fileURLToPath(new URL('../docs/pictures/', import.meta.url))
export const PERSON = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'seven lanterns in the harbour' }
/** A README is read on the way, too. */
const MAX_BYTES = 200_000
const QUALITIES = [88, 75, 60]
/** Missing screens are reported, and don't prevent the others. */
const WAIT_MS = 15_000

export type Look = { suffix: string; options: BrowserContextOptions }

const DESK = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.5 }
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
export const LOOKS: readonly Look[] = [
  { suffix: '', options: { ...DESK, colorScheme: 'light' } },
  { suffix: '-dark', options: { ...DESK, colorScheme: 'dark' } },
  { suffix: '-phone', options: { ...PHONE, colorScheme: 'light' } },
  { suffix: '-phone-dark', options: { ...PHONE, colorScheme: 'dark' } },
]

export const openPage = async (browser: Browser, url: string, { options }: Look): Promise<Page> => {
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

export const shoot = async (page: Page, name: string): Promise<void> => {
  mkdirSync(PICTURES, { recursive: true })
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

export const fillIn = async (page: Page, values: Partial<typeof PERSON>): Promise<void> => {
  if (values.name) await page.getByLabel('Your name').fill(values.name)
  if (values.email) await page.getByLabel(/^Email/).fill(values.email)
  if (values.password) await page.getByLabel('Password', { exact: true }).fill(values.password)
}

export const submit = async (page: Page, heading: RegExp): Promise<void> => {
  await page.locator('button[type=submit]').click()
  await page.getByRole('heading', { name: heading }).first().waitFor()
}

export type Screen = { name: string; path: string; ready: (page: Page) => Promise<void> }

export const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).first().waitFor()
export const text = (name: string) => (page: Page) => page.getByText(name).first().waitFor()

/** Goes through screens and takes their pictures; gives those that did not come. */
export const shootScreens = async (page: Page, base: string, screens: readonly Screen[], suffix: string) => {
  const missing: string[] = []
  for (const { name, path, ready } of screens) {
    await page.goto(`${base}${path}`)
    await ready(page)
      .then(() => shoot(page, `${name}${suffix}`))
      .catch((error: unknown) => void missing.push(`${name}${suffix}: ${error}`))
  }
  return missing
}
