// `npm run screenshots`: the pictures of the README, taken of the real services in a throwaway database.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CmsClient, type CmsService, startCms } from '@stoa/tests/lib/cms.ts'
import { launchChromium } from '@stoa/tests/lib/launch-chromium.ts'
import type { Browser } from 'playwright-core'
import { fillIn, heading, LOOKS, openPage, PERSON, type Screen, shoot, shootScreens, submit, text } from './pictures.ts'
import { shootBilling } from './screenshots-billing.ts'
import { shootMail } from './screenshots-mail.ts'
import { shootSite } from './screenshots-site.ts'

/** The first visit, then the demo; returns the owner. */
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
    missing.push(...(await shootScreens(page, `${cms.url}/admin`, screens, look.suffix)))
    await page.context().close()
  }
  await cms.close()
  return missing
}

const only = process.argv.slice(2)
const browser = await launchChromium()
const missing = only.length === 0 || only.includes('cms') ? await shootCms(browser) : []
if (only.length === 0 || only.includes('mail')) missing.push(...(await shootMail(browser)))
if (only.length === 0 || only.includes('billing')) missing.push(...(await shootBilling(browser)))
if (only.length === 0 || only.includes('site')) missing.push(...(await shootSite(browser)))
await browser.close()
for (const problem of missing) process.stderr.write(`${problem}\n`)
process.exit(missing.length === 0 ? 0 : 1)
