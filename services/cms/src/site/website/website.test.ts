import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { visualDefinitions } from '@stoa/cms-model/visual.ts'
import { websiteManifest } from '@stoa/cms-model/website.ts'
import { type CmsAnswer, type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'

const website = websiteManifest.parse({
  previewUrl: '/',
  parts: [
    {
      id: 'nav',
      label: 'Navigation',
      selector: 'header nav',
      source: { kind: 'menu', name: 'main', label: 'Main menu', defaults: [{ label: 'Home', url: '/' }] },
    },
    {
      id: 'footer',
      label: 'Footer',
      selector: 'footer',
      source: { kind: 'entry', type: 'footer', fields: ['text', 'gone', '$title'] },
    },
    {
      id: 'brand',
      label: 'Name',
      selector: '.brand',
      source: { kind: 'settings', fields: ['title', 'logoId'] },
    },
  ],
})
const visual = visualDefinitions.parse({ page: { sections: [{ id: 'hero', label: 'Hero', selector: '.hero' }] } })

describe('the website of the host', () => {
  let service: CmsService
  let admin: Person
  let author: Person
  before(async () => {
    service = await startCms({ website, visual })
    admin = await service.person('admin')
    author = await service.person('author')
  })
  after(() => service.close())

  const parts = async (person: Person): Promise<Record<string, CmsAnswer['body']>> => {
    const answer = await person.client.get('/api/website')
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.previewUrl, '/')
    return Object.fromEntries(answer.body.parts.map((part: { id: string; state: unknown }) => [part.id, part.state]))
  }
  const single = async (): Promise<string> => {
    const type = { name: 'footer', label: 'Footer', kind: 'single', fields: [{ key: 'text', type: 'text' }] }
    assert.equal((await admin.client.post('/api/types', type)).status, 201)
    assert.equal((await parts(admin)).footer.missing, 'entry')
    const made = await admin.client.post('/api/entries', { type: 'footer', title: 'Foot', data: { text: 'Hello' } })
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }

  test('a missing menu starts with the declared links, and the saved one takes their place', async () => {
    const { nav } = await parts(admin)
    const item = { id: 'default-1', label: 'Home', url: '/', children: [] }
    const state = { name: 'main', label: 'Main menu', exists: false, version: null, items: [item], flat: true }
    assert.deepEqual(nav, { ...state, canEdit: true })
    const items = [{ label: 'News', url: '/news', children: [{ label: 'Old', url: '/old' }] }]
    assert.equal((await admin.client.post('/api/menus', { name: 'main', label: 'Top', items })).status, 201)
    const saved = (await parts(author)).nav
    assert.deepEqual(
      [saved.exists, saved.version, saved.label, saved.flat, saved.canEdit, saved.items[0].children[0].label],
      [true, 1, 'Top', false, false, 'Old'],
    )
  })

  test('an entry source shows the working copy of its single entry, and says what is missing', async () => {
    assert.deepEqual((await parts(admin)).footer, {
      type: 'footer',
      entryId: null,
      version: null,
      status: null,
      pending: false,
      values: {},
      missing: 'type',
      canEdit: false,
    })
    const id = await single()
    const drafted = (await parts(admin)).footer
    assert.deepEqual(
      [drafted.entryId, drafted.version, drafted.status, drafted.values, drafted.missing, drafted.canEdit],
      [id, 1, 'draft', { text: 'Hello', $title: 'Foot' }, null, true],
    )
    assert.equal((await parts(author)).footer.canEdit, false)
    assert.equal((await admin.client.post(`/api/entries/${id}/status`, { action: 'publish' })).status, 200)
    const changed = await admin.client.put(`/api/entries/${id}`, { data: { text: 'Soon' }, mode: 'draft' })
    assert.equal(changed.status, 200, changed.text)
    const pending = (await parts(admin)).footer
    assert.deepEqual([pending.status, pending.pending, pending.values.text], ['published', true, 'Soon'])
  })

  test('a settings source shows the named settings only', async () => {
    assert.equal((await admin.client.put('/api/settings', { title: 'Harbour' })).status, 200)
    const { brand } = await parts(admin)
    assert.deepEqual(brand.values, { title: 'Harbour', logoId: null })
    assert.deepEqual([brand.version, brand.canEdit], [2, true])
    assert.equal((await parts(author)).brand.canEdit, false)
  })

  test('a process without a host shows what the host of its database declared', async () => {
    const bare = await startCms({ databaseUrl: service.databaseUrl, clock: service.clock })
    const client = bare.client({ token: admin.token })
    for (const path of ['/api/website', '/api/visual'])
      assert.deepEqual((await client.get(path)).body, (await admin.client.get(path)).body)
    await bare.close()
  })

  test('where no host ever was there is nothing to show', async () => {
    const bare = await startCms()
    const { client } = await bare.person('admin')
    assert.deepEqual((await client.get('/api/website')).body, { previewUrl: null, parts: [] })
    assert.deepEqual((await client.get('/api/visual')).body, { types: {} })
    await bare.close()
  })
})
