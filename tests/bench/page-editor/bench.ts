import { SESSION_COOKIE } from '@stoa/cms/credentials.ts'
import type { Frame, Page } from 'playwright-core'
import { startExampleSite } from '../../e2e/example-site.ts'
import { launchChromium } from '../../lib/launch-chromium.ts'
import { createGoals, type Goals } from '../goals.ts'
import { median } from '../harness.ts'

const MAX_MS = { keystroke: 50, move: 100, refresh: 1000 }
/** Not the next page, which is prepared out of sight. */
const CANVAS = 'iframe[title="Page"]:not([aria-hidden=true])'
const KEYSTROKES = 40
const MOVES = 10
const REFRESHES = 10
/** Longer than the pause after which the page is rendered again, so that rounds do not meet. */
const QUIET_MS = 1500

/** How soon the page shows what is done beside it: the example site with its demo, in Chromium. */
export const run = async (): Promise<void> => {
  const site = await startExampleSite()
  const browser = await launchChromium()
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
    await context.addCookies([{ name: SESSION_COOKIE, value: site.token, url: site.url }])
    const page = await context.newPage()
    await page.goto(`${site.url}/admin/`)
    await page.getByRole('link', { name: 'Edit on the page' }).first().click()
    await page.frameLocator(CANVAS).locator('[data-cms-field=booksTitle]').click()
    await watchEvents(page)
    const goals = createGoals()
    report(goals, 'keystroke in a field to the page', await keystrokes(page), MAX_MS.keystroke)
    report(goals, 'move of a section', await moves(page), MAX_MS.move)
    report(goals, 'page rendered again with what is not saved', await refreshes(page), MAX_MS.refresh)
    goals.finish()
  } finally {
    await browser.close()
    await site.close()
  }
}

const report = (goals: Goals, what: string, times: readonly number[], maxMs: number): void => {
  const sorted = times.toSorted((a, b) => a - b)
  const slow = sorted[Math.floor(sorted.length * 0.9)] ?? Number.NaN
  goals.check(
    `${what}: median ${median(times).toFixed(1)} ms, nine of ten within ${slow.toFixed(1)} ms (${times.length} times)`,
    median(times),
    maxMs,
  )
}

/** Notes when a person last pressed something, by the clock that all frames share. */
const watchEvents = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const type of ['keydown', 'click'])
      document.addEventListener(
        type,
        () => Reflect.set(window, 'pressedAt', performance.timeOrigin + performance.now()),
        {
          capture: true,
        },
      )
  })

const pressedAt = (page: Page): Promise<number> => page.evaluate(() => Number(Reflect.get(window, 'pressedAt')))

/** The moment at which a change of the page has been drawn. */
const drawn = (frame: Frame): Promise<number> =>
  frame.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observer = new MutationObserver(() => {
          observer.disconnect()
          requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()))
        })
        observer.observe(document.querySelector('main') ?? document.body, {
          subtree: true,
          childList: true,
          characterData: true,
        })
      }),
  )

const canvasOf = async (page: Page): Promise<Frame> => {
  const frame = await (await page.locator(CANVAS).elementHandle())?.contentFrame()
  if (!frame) throw new Error('there is no page to edit')
  return frame
}

/** From a press beside the page until the page has drawn what it means. */
const timeOf = async (page: Page, press: () => Promise<void>): Promise<number> => {
  const change = drawn(await canvasOf(page))
  await press()
  return (await change) - (await pressedAt(page))
}

const keystrokes = async (page: Page): Promise<number[]> => {
  const input = page.getByRole('complementary', { name: 'Selection' }).getByRole('textbox').first()
  await input.focus()
  const times: number[] = []
  for (let at = 0; at < KEYSTROKES; at += 1) times.push(await timeOf(page, () => page.keyboard.press('x')))
  await page.waitForTimeout(QUIET_MS)
  return times
}

const moves = async (page: Page): Promise<number[]> => {
  const times: number[] = []
  for (let at = 0; at < MOVES; at += 1) {
    const button = page.getByRole('button', { name: `Move Books ${at % 2 === 0 ? 'down' : 'up'}` })
    await page.locator('[data-section-row=books]').hover()
    times.push(await timeOf(page, () => button.click()))
    await page.waitForTimeout(QUIET_MS)
  }
  return times
}

/** From the press until the next page has taken the place of the one before. */
const refreshes = async (page: Page): Promise<number[]> => {
  const times: number[] = []
  for (let at = 0; at < REFRESHES; at += 1) {
    const swapped = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const old = [...document.querySelectorAll('iframe')].find((frame) => frame.ariaHidden !== 'true')
          const observer = new MutationObserver(() => {
            if (old?.isConnected) return
            observer.disconnect()
            resolve(performance.timeOrigin + performance.now())
          })
          observer.observe(document.body, { subtree: true, childList: true })
        }),
    )
    await page.getByRole('button', { name: 'Reload preview' }).click()
    times.push((await swapped) - (await pressedAt(page)))
    await page.waitForTimeout(QUIET_MS / 3)
  }
  return times
}
