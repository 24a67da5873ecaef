import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { missingBrowser } from './chromium.ts'
import { afterGroup } from './group.ts'
import { keepPort } from './kept-port.ts'
import { launchChromium } from './launch-chromium.ts'

/** The tools of a browser test: a page in a fresh context, and ways to inspect it. */
export type Visit = {
  page: Page
  context: BrowserContext
  /** A picture in tests/screenshots, to be looked at; only with PICTURES=1, because a hundred of them take half a minute. */
  shot: (name: string, options?: { fullPage?: boolean }) => Promise<void>
  /** Fails when axe finds anything serious or critical, on the page or in the part that a selector names. */
  axe: (part?: string) => Promise<void>
  /** Problems so far; a test that provokes one takes it out with `expectProblem`. */
  expectProblem: (pattern: RegExp) => void
}

export type VisitOptions = {
  theme?: 'light' | 'dark'
  /** 390 px wide with touch, as a phone. */
  phone?: boolean
  /** The base of relative addresses. */
  baseUrl?: string
  /** Layers and notices move; without it the page is drawn for people who asked for less of that, which is quicker. */
  motion?: boolean
  /** Changes the page for good, for example with a script for every load: it is not used again. */
  alone?: boolean
}

/**
 * A test in real Chromium, one browser for all test files of a process. It fails when the page logs an error, breaks its CSP,
 * throws, or asks for something that does not answer well.
 */
export const browserTest = (name: string, options: VisitOptions, run: (visit: Visit) => Promise<void>): void => {
  test(name, { skip: missingBrowser() }, async () => {
    const room = await enterRoom(options)
    try {
      await run(visitOf(room))
      assert.deepEqual(room.problems, [], 'the page had problems')
      if (!options.alone) await leaveRoom(room, options)
    } catch (error) {
      await pictureOfFailure(room.page, name)
      throw new Error(`${error}\n${await sceneOf(room)}`, { cause: error })
    } finally {
      if (!isFree(room, options)) await room.context.close()
    }
  })
}

// A busy machine is slow, but not slower than this
const WAIT_MS = 120_000
const SCREENSHOTS = join(import.meta.dirname, '..', 'screenshots')
const PHONE = { width: 390, height: 844 }
const DESK = { width: 1280, height: 800 }

keepPort()

let browser: Promise<Browser> | undefined

const sharedBrowser = async (): Promise<Browser> => {
  if (browser && !(await browser).isConnected()) {
    browser = undefined
    freeRooms.clear()
  }
  browser ??= launchChromium()
  return browser
}

afterGroup(async () => {
  await (await browser)?.close()
})

/**
 * A page in a context of its own. A new one costs more than many a test: those that want the same kind use it one after
 * the other, emptied in between.
 */
type Room = { context: BrowserContext; page: Page; problems: string[]; expected: Set<string>; again: string[] }

const freeRooms = new Map<string, Room>()
const kindOf = (options: VisitOptions): string => JSON.stringify(contextOptions(options))
const isFree = (room: Room, options: VisitOptions): boolean => freeRooms.get(kindOf(options)) === room

const enterRoom = async (options: VisitOptions): Promise<Room> => {
  await sharedBrowser()
  const kind = kindOf(options)
  const free = options.alone ? undefined : freeRooms.get(kind)
  if (!free) return openRoom(options)
  freeRooms.delete(kind)
  return free
}

const openRoom = async (options: VisitOptions): Promise<Room> => {
  const context = await (await sharedBrowser()).newContext(contextOptions(options))
  const room: Room = { context, page: await context.newPage(), problems: [], expected: new Set(), again: [] }
  room.page.setDefaultTimeout(WAIT_MS)
  watch(room)
  await reportPolicyViolations(room)
  return room
}

/** Empties it for the next test: whatever this one stored, typed or began is gone. */
const leaveRoom = async (room: Room, options: VisitOptions): Promise<void> => {
  const { context, page } = room
  page.removeAllListeners('dialog').on('dialog', (dialog) => void dialog.accept())
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await page.goto('about:blank')
  page.removeAllListeners('dialog')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  await context.clearCookies()
  room.problems = []
  room.again = []
  room.expected.clear()
  freeRooms.set(kindOf(options), room)
}

const contextOptions = ({ theme, phone, baseUrl, motion }: VisitOptions): BrowserContextOptions => ({
  viewport: phone ? PHONE : DESK,
  hasTouch: phone ?? false,
  isMobile: phone ?? false,
  colorScheme: theme ?? 'light',
  reducedMotion: motion ? 'no-preference' : 'reduce',
  permissions: ['clipboard-read', 'clipboard-write'],
  locale: 'en-GB',
  timezoneId: 'Europe/Athens',
  ...(baseUrl ? { baseURL: baseUrl } : {}),
})

const watch = (room: Room): void => {
  const { page } = room
  const note = (problem: string): void => {
    const list = isExpected(room, problem) ? room.again : room.problems
    list.push(problem)
  }
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') note(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => note(`error: ${error.message}`))
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'failed'
    // A page that is left, or a request that the app itself gave up
    if (reason !== 'net::ERR_ABORTED') note(`request: ${request.url()} ${reason}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) note(`response: ${response.status()} ${response.url()}`)
  })
}

/**
 * What was expected once may come again: the screen fetches the same address again after an event, and the browser logs
 * a response some time after it came.
 */
const isExpected = ({ expected }: Room, problem: string): boolean => {
  if (expected.has(problem)) return true
  const status = /^console: Failed to load resource: .* status of (\d+)/.exec(problem)?.[1]
  return status !== undefined && [...expected].some((one) => one.startsWith(`response: ${status} `))
}

const reportPolicyViolations = async (room: Room): Promise<void> => {
  const { context } = room
  await context.exposeFunction('reportPolicyViolation', (text: string) => room.problems.push(`csp: ${text}`))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const report: unknown = Reflect.get(window, 'reportPolicyViolation')
      if (typeof report === 'function') report(`${event.effectiveDirective} ${event.blockedURI}`)
    })
  })
}

const visitOf = ({ page, context, problems, expected, again }: Room): Visit => ({
  page,
  context,
  shot: async (name, options = {}) => {
    if (!process.env.PICTURES) return
    mkdirSync(SCREENSHOTS, { recursive: true })
    await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: options.fullPage ?? false })
  },
  axe: (part = 'html') => checkWithAxe(page, part),
  expectProblem: (pattern) => {
    const found = [...problems, ...again].filter((problem) => pattern.test(problem))
    assert.ok(found.length > 0, `expected a problem like ${pattern}, got ${JSON.stringify(problems)}`)
    for (const problem of found) expected.add(problem)
    for (const list of [problems, again])
      list.splice(0, list.length, ...list.filter((problem) => !pattern.test(problem)))
  },
})

/** Saves a screenshot of the failed page; an error here must not hide why the test failed. */
const pictureOfFailure = async (page: Page, name: string): Promise<void> => {
  mkdirSync(SCREENSHOTS, { recursive: true })
  const path = join(SCREENSHOTS, `failed-${name.replace(/[^a-z0-9]+/gi, '-').slice(0, 80)}.png`)
  await page.screenshot({ path }).catch(() => undefined)
}

/** The longest part of a page's text in an error. */
const MAX_TEXT = 600
const TEXT_MS = 2_000

/** What was to be seen, for those who have the error but not the picture. */
const sceneOf = async ({ page, problems }: Room): Promise<string> => {
  const frames = page.frames().map(async (frame) => {
    const text = await frame.locator('body').innerText({ timeout: TEXT_MS }).catch(String)
    return `${frame.url()}: ${text.replace(/\s+/g, ' ').slice(0, MAX_TEXT)}`
  })
  return [
    'The page at that time:',
    ...(await Promise.all(frames)),
    `Its problems: ${problems.join('; ') || 'none'}`,
  ].join('\n')
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** These rules find at most moderate problems, which the tests do not check. */
const MINOR_RULES = `Object.fromEntries(axe._audit.rules
  .filter(({ impact }) => impact === 'minor' || impact === 'moderate')
  .map(({ id }) => [id, { enabled: false }]))`

// Evaluated through the debugger, which the page's CSP does not reach. Frames are other pages, in sandboxes that answer nobody.
const checkWithAxe = async (page: Page, part: string): Promise<void> => {
  // Colors in the middle of a fade would be measured as they are
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map((one) => one.finished))
  })
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  const violations = await page.evaluate<AxeResults['violations']>(
    `axe.run(${JSON.stringify(part)}, { resultTypes: ['violations'], rules: ${MINOR_RULES}, iframes: false })
      .then(({ violations }) => violations)`,
  )
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  assert.deepEqual(
    serious.map(
      ({ id, help, nodes }) =>
        `${id}: ${help}: ${nodes.map((node) => `${node.html} ${node.any[0]?.message ?? ''}`).join(' | ')}`,
    ),
    [],
  )
}
