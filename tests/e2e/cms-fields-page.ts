import assert from 'node:assert/strict'
import { picture } from '@stoa/cms/content/media/testing/fixtures.ts'
import { type Library, startLibrary } from '@stoa/cms/content/media/testing/library.ts'
import type { FieldInput } from '@stoa/cms-model/fields/field.ts'
import type { Locator, Page } from 'playwright-core'
import type { Person } from '../lib/cms.ts'

/** A field of every type, with nested lists. */
export const everyField: FieldInput[] = [
  { key: 'headline', type: 'text', required: true, maxLength: 20, help: 'As it stands on the page.' },
  { key: 'code', type: 'text', pattern: '[A-Z]{3}' },
  { key: 'intro', type: 'textarea' },
  { key: 'body', type: 'richtext' },
  { key: 'notes', type: 'markdown' },
  { key: 'price', type: 'number', min: 0, max: 100, step: 0.5 },
  { key: 'isNew', type: 'boolean', label: 'Is new' },
  { key: 'day', type: 'date', min: '2026-01-01' },
  { key: 'startsAt', type: 'datetime' },
  { key: 'mood', type: 'select', options: [{ value: 'calm', label: 'Calm' }, { value: 'wild' }] },
  { key: 'month', type: 'select', options: [...'123456789'].map((value) => ({ value, label: `Month ${value}` })) },
  { key: 'tags', type: 'multiselect', options: [{ value: 'sea' }, { value: 'land' }, { value: 'air' }], maxItems: 2 },
  { key: 'hero', type: 'media' },
  { key: 'shots', type: 'gallery' },
  { key: 'writer', type: 'reference', to: 'writer', multiple: false },
  { key: 'others', type: 'reference', to: 'writer', maxItems: 3 },
  { key: 'options', type: 'json' },
  { key: 'colour', type: 'color' },
  { key: 'site', type: 'url' },
  { key: 'contact', type: 'email' },
  { key: 'words', type: 'list', fields: [{ key: 'word', type: 'text' }] },
  {
    key: 'chapters',
    type: 'list',
    maxItems: 4,
    fields: [
      { key: 'name', type: 'text', required: true },
      { key: 'cover', type: 'media' },
      {
        key: 'scenes',
        type: 'list',
        fields: [
          { key: 'place', type: 'text' },
          {
            key: 'links',
            type: 'list',
            fields: [
              { key: 'label', type: 'text' },
              { key: 'url', type: 'url' },
            ],
          },
        ],
      },
    ],
  },
]

export type FieldGround = Library & {
  admin: Person
  /** A new draft, of the type with every field where no other is named. */
  draft: (data?: Record<string, unknown>, type?: 'everything' | 'lists') => Promise<string>
  /** What the service has of it. */
  dataOf: (id: string) => Promise<Record<string, unknown>>
  writers: { id: string; title: string }[]
  media: { id: string; filename: string }[]
}

/** A site with the type `everything`, its lists as a type that is drawn in no time, some writers to refer to, and some pictures. */
export const startFieldGround = async (): Promise<FieldGround> => {
  const ground = await startLibrary()
  const admin = await ground.person('admin')
  const made = async (path: string, body: unknown) => {
    const answer = await admin.client.post(path, body)
    assert.equal(answer.status, 201, answer.text)
    return answer.body
  }
  await made('/api/types', { name: 'writer', label: 'Writer', labelPlural: 'Writers', fields: [] })
  await made('/api/types', { name: 'everything', label: 'Everything', fields: everyField })
  const lists = everyField.filter(({ type }) => type === 'list')
  await made('/api/types', { name: 'lists', label: 'Lists', fields: lists })
  const writers = []
  for (const title of ['Ada Byron', 'Mary Shelley', 'Jane Austen'])
    writers.push(await made('/api/entries', { type: 'writer', title }))
  const red = await ground.add(await picture('png', 120, 80), { filename: 'red.png', fields: { alt: 'A red field' } })
  const blue = await ground.add(await picture('jpeg', 80, 80, { r: 34, g: 85, b: 204 }), { filename: 'blue.jpg' })
  return {
    ...ground,
    admin,
    writers,
    media: [red, blue],
    draft: async (data = {}, type = 'everything') =>
      (await made('/api/entries', { type, title: 'All of it', data })).id,
    dataOf: async (id) => (await admin.client.get(`/api/entries/${id}`)).body.data,
  }
}

/** The part of the page that edits one value. */
export const at = (page: Page, path: string): Locator => page.locator(`[data-path="${path}"]`).first()

/** Saves with the keyboard, and waits until nothing is left to save. */
export const save = async (page: Page): Promise<void> => {
  await page.keyboard.press('ControlOrMeta+s')
  await page.locator('[data-indicator=saved]').waitFor()
}
