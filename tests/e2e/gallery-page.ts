import assert from 'node:assert/strict'
import { after, before } from 'node:test'
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
