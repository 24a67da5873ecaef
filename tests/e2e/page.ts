import assert from 'node:assert/strict'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { Locator, Page } from 'playwright-core'
import type { Visit } from '../lib/browser.ts'

/** Opens the menu of a row and chooses. */
export const chooseFor = async (page: Page, row: string, item: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions for ${row}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Answers the question that is open, and waits until what it asked about is done: the page behind is hidden until then. */
export const confirm = async (page: Page, button: string): Promise<void> => {
  await dialogOf(page).getByRole('button', { name: button }).click()
  await dialogOf(page).waitFor({ state: 'detached' })
}

export const dialogOf = (page: Page): Locator => page.getByRole('dialog').or(page.getByRole('alertdialog')).last()

/** What the page put into the clipboard. */
export const hasCopied = (page: Page, text: string): Promise<boolean> =>
  until(async () => (await page.evaluate(() => navigator.clipboard.readText())) === text, `${text} in the clipboard`)

/** Ticks that the secret is stored, closes the dialog, and gives the secret. */
export const takeSecret = async (page: Page): Promise<string> => {
  const dialog = dialogOf(page)
  const secret = await dialog.locator('pre').first().innerText()
  await dialog.getByLabel(/stored/).check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  return secret.trim()
}

const LAYERS = '[role=dialog], [role=alertdialog]'
/** What is around it is the same on every screen: the tests of the shells look at that. */
const SCREEN = `main, [role=menu], [role=listbox], ${LAYERS}`

/** Axe, the width and a picture of a screen that is ready, or of the dialog on it. */
export const look = async (visit: Visit, name: string, part?: 'dialog'): Promise<void> => {
  await visit.axe(part === undefined ? SCREEN : LAYERS)
  await fits(visit, name, part)
}

/**
 * Nothing of the screen is cut off, and a picture of it. Axe has seen the same screen on a desk in the light; colours of
 * the dark are tokens, and cards in place of rows a component, which the gallery checks.
 */
export const fits = async ({ page, shot }: Visit, name: string, part?: 'dialog'): Promise<void> => {
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} is too wide`)
  await shot(name, { fullPage: part === undefined })
}

/** Nothing is smaller than a finger needs: 24 px, or room around it (WCAG 2.5.8). Axe is there after a look. */
export const isLargeEnough = async (page: Page, part = 'main'): Promise<void> => {
  const small = await page.evaluate<string[]>(`axe.run(${JSON.stringify(part)}, { runOnly: ['target-size'] })
    .then(({ violations }) => violations.flatMap(({ nodes }) => nodes.map(({ html }) => html)))`)
  assert.deepEqual(small, [])
}
