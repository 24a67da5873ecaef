import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { type CmsAnswer, type CmsClient, type CmsService, type Person, startCms } from '../lib/cms.ts'

/** A site with articles in every state, and a person of each role. */
export type ListSite = { service: CmsService; admin: Person; editor: Person; author: Person; viewer: Person }

const ARTICLE = {
  name: 'article',
  label: 'Article',
  labelPlural: 'Articles',
  description: 'What the harbour writes about.',
  previewUrl: '/blog/{slug}',
  fields: [
    { key: 'summary', type: 'text', required: true },
    { key: 'body', type: 'richtext' },
    {
      key: 'mood',
      type: 'select',
      options: [
        { value: 'calm', label: 'Calm sea' },
        { value: 'rough', label: 'Rough sea' },
      ],
    },
    { key: 'read', label: 'Minutes', type: 'number' },
    { key: 'accent', type: 'color' },
    { key: 'isNew', label: 'New', type: 'boolean' },
    { key: 'related', type: 'reference', to: 'article', multiple: true },
  ],
}

/** The body of a good answer; the test fails on any other. */
export const ok = async (answer: Promise<CmsAnswer>): Promise<CmsAnswer['body']> => {
  const { status, text, body } = await answer
  assert.ok(status < 300, text)
  return body
}

export const addArticle = (client: CmsClient, members: object) =>
  ok(client.post('/api/entries', { type: 'article', ...members }))

export const changeStatus = (client: CmsClient, id: string, body: object) =>
  ok(client.post(`/api/entries/${id}/status`, body))

/** The titles of a list, as the service gives it. */
export const titlesOf = async (person: Person, query = ''): Promise<string[]> => {
  const { items } = await ok(person.client.get(`/api/entries?type=article&sort=title${query}`))
  return items.map(({ title }: { title: string }) => title)
}

/** Waits until the list has so many rows. */
export const showsRows = (page: Page, count: number) =>
  page.waitForFunction((wanted) => document.querySelectorAll('tbody tr').length === wanted, count)

/** Answers a question whose work shows a dialog of its own. */
export const confirmOnly = (page: Page, button: string): Promise<void> =>
  page.getByRole('alertdialog').getByRole('button', { name: button }).click()

export const startListSite = async (): Promise<ListSite> => {
  const service = await startCms()
  await service.claim()
  const admin = await service.person('admin', { name: 'Ada Admin' })
  const editor = await service.person('editor', { name: 'Edda Editor' })
  const author = await service.person('author', { name: 'Aron Author' })
  const viewer = await service.person('viewer', { name: 'Vera Viewer' })
  await ok(admin.client.post('/api/types', ARTICLE))
  await ok(admin.client.post('/api/types', { name: 'about', label: 'About us', kind: 'single' }))
  await ok(admin.client.post('/api/taxonomies', { name: 'topics', label: 'Topics', hierarchical: true }))
  for (const name of ['Sea', 'Boats']) await ok(admin.client.post('/api/taxonomies/topics/terms', { name }))
  const data = { summary: 'About it', mood: 'calm', read: 4.25, accent: '#2244aa', isNew: true }
  const lighthouse = await addArticle(editor.client, {
    title: 'The lighthouse',
    data,
    terms: [{ taxonomy: 'topics', slug: 'sea' }],
  })
  await changeStatus(editor.client, lighthouse.id, { action: 'publish' })
  await ok(editor.client.put(`/api/entries/${lighthouse.id}`, { title: 'The lighthouse at night', mode: 'draft' }))
  const tide = await addArticle(editor.client, { title: 'High tide', data: { ...data, related: [lighthouse.id] } })
  await changeStatus(editor.client, tide.id, { action: 'publish', at: '2026-03-03T12:00:00.000Z' })
  const fish = await addArticle(editor.client, { title: 'Fish market', data })
  await changeStatus(editor.client, fish.id, { action: 'publish' })
  await addArticle(editor.client, { title: 'Without a summary' })
  await addArticle(author.client, { title: 'My first voyage', data })
  return { service, admin, editor, author, viewer }
}
