import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import type { Visit } from '../lib/browser.ts'

const PHONE = { width: 390, height: 844 }

/**
 * Makes the open page a phone in the dark while this runs, and then what it was. Another page for that would have to be
 * loaded and brought to the same place again, which costs more than everything that is done there.
 */
export const onPhoneInTheDark = async ({ page, context }: Visit, run: () => Promise<void>): Promise<void> => {
  const desk = page.viewportSize()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(PHONE)
  // Layouts that a script chooses are there after the next frame
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  try {
    await run()
  } finally {
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: false })
    await session.detach()
    await page.emulateMedia({ colorScheme: null })
    if (desk) await page.setViewportSize(desk)
  }
}

/** A finger takes a row and pushes it sideways. */
export const pushRow = async ({ page, context }: Visit, row: Locator, by: number): Promise<void> => {
  const box = (await row.boundingBox()) ?? assert.fail('there is no such row')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const session = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  await touch('touchStart', [{ x, y }])
  for (const part of [0.25, 0.5, 0.75, 1]) await touch('touchMove', [{ x: x + by * part, y }])
  await touch('touchEnd', [])
  await session.detach()
}
