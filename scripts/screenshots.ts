// `npm run screenshots`: the pictures of the README, taken of the real services.
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startCms } from '@stoa/tests/lib/cms.ts'
import { launchChromium } from '@stoa/tests/lib/launch-chromium.ts'
import { startMail } from '@stoa/tests/lib/mail.ts'
import type { Browser, Page } from 'playwright-core'

const PICTURES = fileURLToPath(new URL('../docs/pictures/', import.meta.url))
const PERSON = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'seven lanterns in the harbour' }

const open = async (browser: Browser, url: string, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme, locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(url, { waitUntil: 'networkidle' })
  return page
}

const shoot = async (page: Page, name: string): Promise<void> => {
  await page.waitForLoadState('networkidle')
  await page.mouse.move(0, 0)
  await page.screenshot({ path: `${PICTURES}${name}.png` })
  process.stdout.write(`docs/pictures/${name}.png\n`)
}

const fillIn = async (page: Page, values: Partial<typeof PERSON>): Promise<void> => {
  if (values.name) await page.getByLabel('Your name').fill(values.name)
  if (values.email) await page.getByLabel('E-mail address').fill(values.email)
  if (values.password) await page.getByLabel('Password', { exact: true }).fill(values.password)
}

const submit = async (page: Page, heading: RegExp): Promise<void> => {
  await page.locator('button[type=submit]').click()
  await page.getByRole('heading', { name: heading }).waitFor()
}

mkdirSync(PICTURES, { recursive: true })
const browser = await launchChromium()
const cms = await startCms()
cms.clock.set(new Date())
const admin = await open(browser, cms.url)
await fillIn(admin, PERSON)
await shoot(admin, 'cms-claim')
await submit(admin, /Dashboard/)
await shoot(admin, 'cms-dashboard')

const mail = await startMail()
mail.clock.set(new Date())
const panel = await open(browser, mail.url, 'dark')
await fillIn(panel, { email: PERSON.email, password: PERSON.password })
await submit(panel, /Overview|Dashboard/)
await shoot(panel, 'mail-dashboard-dark')
const account = await open(browser, `${mail.url}/account`)
await fillIn(account, { email: PERSON.email, password: PERSON.password })
await submit(account, /Account/)
await shoot(account, 'mail-account')

await browser.close()
await cms.close()
await mail.close()
