import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { Locator, Page } from 'playwright-core'
import { findChromium } from '../lib/chromium.ts'
import { serveGallery } from './gallery-server.ts'

type Gallery = {
  /** Opens one of the gallery's views, or one section of its components, and waits for it. */
  open: (page: Page, view: string | { part: string }) => Promise<void>
  /** An address on the gallery's server. */
  address: (path: string) => string
}

/** Serves the gallery while the tests of a file run. */
export const useGallery = (): Gallery => {
  let server: Awaited<ReturnType<typeof serveGallery>> | undefined
  before(async () => {
    if (findChromium()) server = await serveGallery()
  })
  after(() => server?.close())
  const address = (path: string): string => new URL(path, server?.url).href
  return {
    address,
    open: async (page, view) => {
      await page.goto(address(typeof view === 'string' ? `?view=${view}` : `?part=${view.part}`))
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
  }
}

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })

export const gone = (page: Page, role: 'dialog' | 'alertdialog' | 'menu'): Promise<void> =>
  page.getByRole(role).waitFor({ state: 'detached' })

const PATIENCE_MS = 2_000
const MOST_PRESSES = 10

/** Presses Escape until the dialog is gone: which layer is on top is settled a moment after the one above it has closed. */
export const escapeDialog = async (page: Page): Promise<void> => {
  for (let presses = 1; presses <= MOST_PRESSES; presses += 1) {
    await page.keyboard.press('Escape')
    const closed = page.getByRole('dialog').waitFor({ state: 'detached', timeout: PATIENCE_MS })
    if (
      await closed.then(
        () => true,
        () => false,
      )
    )
      return
  }
  assert.fail('Escape does not close the dialog')
}

const FOCUS_MS = 15_000

/** Fails unless the named element gets the focus; it moves after a layer's closing animation. */
export const isFocused = async (page: Page, name: string): Promise<void> => {
  const deadline = Date.now() + FOCUS_MS
  while ((await page.evaluate(focused)) !== name && Date.now() < deadline) await page.waitForTimeout(20)
  assert.equal(await page.evaluate(focused), name)
}

const focused = (): string => {
  const element = document.activeElement
  return (element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim().slice(0, 40)
}

/** An input has a light line and a faint fill; both are stronger under the pointer, and the focus has a line of its own. */
export const becomesStronger = async (page: Page, input: Locator): Promise<void> => {
  await page.mouse.move(0, 0)
  await input.blur()
  const rest = await until(async () => {
    const edge = await edgeOf(input)
    return edge.ring === 0 && edge
  }, 'the input at rest')
  assert.ok(rest.line > 0.07 && rest.fill > 0 && rest.fill < 0.05, JSON.stringify(rest))
  await input.hover()
  const hovered = await until(async () => {
    const edge = await edgeOf(input)
    return edge.line > rest.line && edge.fill > rest.fill && edge
  }, 'the input under the pointer')
  await input.focus()
  await until(async () => {
    const { ring, ringLine, fill } = await edgeOf(input)
    return ring === 2 && ringLine > hovered.line && fill === 1
  }, 'the input in focus')
}

/** How far its line and its outline are from the surface in lightness, and how much its fill covers of that. */
const edgeOf = (input: Locator): Promise<{ line: number; fill: number; ring: number; ringLine: number }> =>
  input.evaluate((element) => {
    const read = (color: string) => {
      const [lightness = 0, , , alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number)
      return { lightness, alpha }
    }
    const style = getComputedStyle(element)
    const page = element.closest('[data-page=surface]') ?? document.body
    const surface = read(getComputedStyle(page).backgroundColor).lightness
    const distance = (color: string) => Math.abs(read(color).lightness - surface)
    return {
      line: distance(style.borderTopColor),
      fill: read(style.backgroundColor).alpha,
      ring: style.outlineStyle === 'solid' ? Number.parseFloat(style.outlineWidth) : 0,
      ringLine: distance(style.outlineColor),
    }
  })
