import { SESSION_COOKIE } from '@stoa/cms/credentials.ts'
import type { Page } from 'playwright-core'
import type { Visit } from '../lib/browser.ts'
import type { CmsService, Person } from '../lib/cms.ts'

/** Goes to a screen of the admin as this person, without the way through the sign-in. */
export const enterAs = async (visit: Visit, service: CmsService, person: Person, path: string): Promise<void> => {
  await visit.context.addCookies([{ name: SESSION_COOKIE, value: person.token, url: service.url }])
  await visit.page.goto(`${service.url}/admin${path}`)
}

/** The labels of the navigation. */
export const navigationOf = async (page: Page): Promise<string[]> => {
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await links.first().waitFor()
  return links.allInnerTexts()
}
