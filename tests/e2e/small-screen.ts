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
