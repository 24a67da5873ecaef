import { SESSION_COOKIE } from '@stoa/cms/credentials.ts'
import type { Page } from 'playwright-core'
import type { Visit } from '../lib/browser.ts'
import type { CmsService, Person } from '../lib/cms.ts'

/** Goes to a screen of the admin as this person, without the way through the sign-in. */
export const enterAs = async (visit: Visit, service: CmsService, person: Person, path: string): Promise<void> => {
  await visit.context.addCookies([{ name: SESSION_COOKIE, value: person.token, url: service.url }])
  await visit.page.goto(`${service.url}/admin${path}`)
}

/** Goes to another screen of the admin that is open, without loading it again: as its own links do. */
export const goTo = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => history.pushState(null, '', `/admin${to}`), path)

/** The labels of the navigation. */
export const navigationOf = async (page: Page): Promise<string[]> => {
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await links.first().waitFor()
  return links.allInnerTexts()
}

/** What unsaved work this browser keeps. */
export const keptCopies = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open('stoa-cms')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const kept = opening.result.transaction('unsaved').objectStore('unsaved').getAll()
          kept.onsuccess = () => {
            opening.result.close()
            resolve(JSON.stringify(kept.result))
          }
        }
      }),
  )
