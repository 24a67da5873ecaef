import type { Page } from 'playwright-core'
import type { Visit } from '../lib/browser.ts'
import { pushRow } from './small-screen.ts'

export const row = (page: Page, subject: string) =>
  page.locator('[data-row]').filter({ has: page.getByText(subject, { exact: true }) })
export const firstRow = (page: Page) => page.locator('[data-row]').first()
export const folder = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: new RegExp(`^${name}`) })
export const isAt = (page: Page, subject: string) =>
  page.waitForFunction(
    (text) => document.activeElement?.closest('[data-row]')?.textContent?.includes(text) === true,
    subject,
  )
export const elements = (page: Page): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length)
export const scrollTo = (page: Page, share: number) =>
  page.locator('[data-message-list]').evaluate((list, at) => list.scrollTo(0, list.scrollHeight * at), share)

export const view = async (page: Page, role: 'menuitemradio' | 'menuitemcheckbox', name: string) => {
  await page.getByRole('button', { name: 'View' }).click()
  await page.getByRole(role, { name }).click()
  if (role === 'menuitemcheckbox') await page.keyboard.press('Escape')
  await page.getByRole(role, { name }).waitFor({ state: 'detached' })
}

/** A finger pushes rows aside: to the right they are archived, to the left thrown away; less is a slip. */
export const pushAside = async (visit: Visit): Promise<void> => {
  const { page } = visit
  const long = page.locator('[data-row]').filter({ hasText: 'goes on and on' })
  await pushRow(visit, long, 60)
  for (const [by, words] of [[180, 'Message archived'] as const, [-180, 'Message moved to Trash'] as const]) {
    await pushRow(visit, long, by)
    const toast = page.locator('[data-toaster] > div').filter({ hasText: words })
    // Not by the finger: a browser takes a tap so soon for the end of the push
    await toast.getByRole('button', { name: 'Undo' }).click()
    await long.waitFor()
  }
  await page.waitForURL(/webmail\/inbox$/)
}
