import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { CmsAnswer, Person } from '../lib/cms.ts'

export const readType = async ({ client }: Person, name: string): Promise<CmsAnswer['body']> =>
  (await client.get(`/api/types/${name}`)).body

/** A content type, labeled like its name. */
export const makeType = async ({ client }: Person, name: string, fields: unknown[], members: object = {}) => {
  const label = name.charAt(0).toUpperCase() + name.slice(1)
  const { status, text } = await client.post('/api/types', { name, label, fields, ...members })
  assert.equal(status, 201, text)
}

export const makeEntry = async (
  { client }: Person,
  type: string,
  title: string,
  data: object = {},
): Promise<CmsAnswer['body']> => {
  const { status, body, text } = await client.post('/api/entries', { type, title, data })
  assert.equal(status, 201, text)
  return body
}

/** Opens a field of the builder beside the list. */
export const openField = async (page: Page, label: string): Promise<Locator> => {
  await page.getByRole('button', { name: new RegExp(`^${label} `) }).click()
  const panel = page.getByRole('region', { name: `Field ${label}` })
  await panel.waitFor()
  return panel
}
