// The pictures of the example site: what the demo looks like to visitors.
import { startExampleSite } from '@stoa/tests/e2e/example-site.ts'
import type { Browser } from 'playwright-core'
import { heading, LOOKS, openPage, type Screen, shootScreens } from './pictures.ts'

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
  await site.close()
  return missing
}
