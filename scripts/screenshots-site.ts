// The pictures of the example site: what the demo looks like to visitors, and to those who edit it on its pages.
import { SESSION_COOKIE } from '@stoa/cms/credentials.ts'
import { type ExampleSite, startExampleSite } from '@stoa/tests/e2e/example-site.ts'
import type { Browser } from 'playwright-core'
import { heading, LOOKS, openPage, type Screen, shoot, shootScreens } from './pictures.ts'

const SCREENS: readonly Screen[] = [
  { name: 'site-home', path: '/', ready: heading(/Books, lamplight/) },
  { name: 'site-article', path: '/articles/a-morning-with-the-tide-charts', ready: heading(/tide charts/) },
]

export const shootSite = async (browser: Browser): Promise<string[]> => {
  const missing: string[] = []
  const site = await startExampleSite()
  for (const look of LOOKS) {
    const page = await openPage(browser, site.url, look)
    missing.push(...(await shootScreens(page, site.url, SCREENS, look.suffix)))
    await page.context().close()
  }
  missing.push(...(await shootEditor(browser, site)))
  await site.close()
  return missing
}

/** The page with its sections, and the design, while something is changed. */
const shootEditor = async (browser: Browser, { url, token }: ExampleSite): Promise<string[]> => {
  const [look] = LOOKS
  if (!look) return []
  const page = await openPage(browser, url, look)
  await page.context().addCookies([{ name: SESSION_COOKIE, value: token, url }])
  const canvas = page.frameLocator('iframe[title="Page"]:not([aria-hidden=true])')
  const shots = async () => {
    await page.goto(`${url}/admin/`)
    await page.getByRole('link', { name: 'Edit on the page' }).first().click()
    await canvas.locator('[data-cms-field=headline]').click()
    await shoot(page, 'editor-page')
    await page.goto(`${url}/admin/edit/site`)
    await page.getByRole('button', { name: 'Colors' }).click()
    await page.getByLabel('Accent', { exact: true }).fill('#0a5c5c')
    await canvas.locator('h1').waitFor()
    await shoot(page, 'editor-design')
  }
  const missing = await shots().then(
    () => [],
    (error: unknown) => [`editor: ${error}`],
  )
  await page.context().close()
  return missing
}
