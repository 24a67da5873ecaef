import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Dashboard } from '@stoa/cms-model/dashboard.ts'
import { visualDefinitions } from '@stoa/cms-model/visual.ts'
import type { Person } from '@stoa/tests/lib/cms.ts'
import { runSchedule } from '../../content/entries/publish-due.ts'
import { type Site, startSite } from '../../content/entries/testing/site.ts'

const HOUR_MS = 3_600_000
const visual = visualDefinitions.parse({ home: { sections: [{ id: 'hero', label: 'Hero', selector: '.hero' }] } })

describe('the dashboard', () => {
  let site: Site
  before(async () => {
    site = await startSite({ visual })
  })
  after(() => site.close())

  const read = async (person: Person): Promise<Dashboard> => {
    const { status, body, text } = await person.client.get('/api/dashboard')
    assert.equal(status, 200, text)
    return body
  }
  const later = (hours: number) => new Date(site.clock.now().getTime() + hours * HOUR_MS).toISOString()
  const add = async (person: Person, title: string, data: object = { summary: 's' }): Promise<string> => {
    site.clock.advance(1_000)
    return (await site.add(person.client, { title, data })).id
  }
  const schedule = async (id: string, action: string, at: string) => {
    const { status, text } = await site.editor.client.post(`/api/entries/${id}/status`, { action, at })
    assert.equal(status, 200, text)
  }
  const titles = (cards: Dashboard['recent']) => cards.map(({ title }) => title)

  test('counts the entries of each type, those in the trash left out, and knows the page of a single one', async () => {
    await site.addType('home', [], { kind: 'single', previewUrl: '/' })
    await site.addType('empty', [])
    const home = await site.add(site.editor.client, { type: 'home', title: 'Home' })
    const live = await add(site.editor, 'Live')
    await site.publish(site.editor.client, live)
    const gone = await add(site.editor, 'Gone')
    assert.equal((await site.editor.client.delete(`/api/entries/${gone}`)).status, 204)
    await add(site.editor, 'Draft')
    const { types } = await read(site.viewer)
    assert.deepEqual(types, [
      { type: 'article', total: 2, published: 1, pageId: null },
      { type: 'empty', total: 0, published: 0, pageId: null },
      { type: 'home', total: 1, published: 0, pageId: home.id },
    ])
  })

  test('shows people who write their drafts, and only those who publish what waits for everybody', async () => {
    await add(site.author, 'Mine')
    const soon = await add(site.author, 'Soon')
    await schedule(soon, 'publish', later(5))
    const ending = await add(site.editor, 'Ending')
    await site.publish(site.editor.client, ending)
    await schedule(ending, 'unpublish', later(2))
    const changed = await add(site.editor, 'Before')
    await site.publish(site.editor.client, changed)
    assert.equal(
      (await site.editor.client.put(`/api/entries/${changed}`, { title: 'After', mode: 'draft' })).status,
      200,
    )
    const mine = await read(site.author)
    assert.deepEqual([titles(mine.drafts), titles(mine.scheduled)], [['Mine'], ['Soon']])
    assert.deepEqual([mine.pending, mine.failed, mine.webhooks], [[], [], []])
    const all = await read(site.editor)
    assert.deepEqual(titles(all.scheduled), ['Ending', 'Soon'])
    assert.deepEqual(
      all.pending.map(({ title, pending, updatedBy }) => [title, pending, updatedBy?.id]),
      [['After', true, site.editor.id]],
    )
    const nothing = await read(site.viewer)
    assert.deepEqual([nothing.drafts, nothing.scheduled, nothing.pending], [[], [], []])
    assert.equal(nothing.recent[0]?.title, 'After')
  })

  test('says which entries were not published on time, until somebody touches them', async () => {
    const early = await add(site.editor, 'Too early')
    await schedule(early, 'publish', later(1))
    assert.equal((await site.editor.client.put(`/api/entries/${early}`, { data: { summary: '' } })).status, 200)
    site.clock.advance(HOUR_MS * 1.5)
    assert.equal((await runSchedule(site.cms.services)).failed, 1)
    assert.deepEqual(titles((await read(site.editor)).failed), ['Too early'])
    site.clock.advance(1_000)
    assert.equal((await site.editor.client.put(`/api/entries/${early}`, { title: 'Looked at' })).status, 200)
    assert.deepEqual((await read(site.editor)).failed, [])
  })

  test('an entry comes with its picture, and with none where the field holds something else', async () => {
    await site.addType('boat', [{ key: 'photo', label: 'Photo', type: 'media' }])
    const photo = await site.addMedia('image/webp')
    site.clock.advance(1_000)
    await site.add(site.editor.client, { type: 'boat', title: 'Bare' })
    site.clock.advance(1_000)
    const shown = await site.add(site.editor.client, { type: 'boat', title: 'Shown', data: { photo } })
    const [first, second] = (await read(site.viewer)).recent
    assert.deepEqual([first?.id, first?.cover?.id, first?.cover?.mimeType], [shown.id, photo, 'image/webp'])
    assert.deepEqual([second?.title, second?.cover], ['Bare', null])
    await site.cms.database.tx((tx) =>
      tx.query({ text: `update entry set data = '{"photo": "a text"}' where id = $1`, values: [shown.id] }),
    )
    assert.equal((await read(site.viewer)).recent[0]?.cover, null)
  })

  test('names the webhooks that fail, to those who manage them', async () => {
    const hook = await site.admin.client.post('/api/webhooks', {
      name: 'Build',
      url: 'https://hooks.example.com/build',
      events: ['*'],
    })
    assert.equal(hook.status, 201, hook.text)
    assert.deepEqual((await read(site.admin)).webhooks, [])
    await site.cms.database.tx((tx) =>
      tx.query({
        text: `update webhook_endpoint set status = 'disabled', disabled_reason = 'failing' where id = $1`,
        values: [hook.body.id],
      }),
    )
    assert.deepEqual((await read(site.admin)).webhooks, [{ id: hook.body.id, name: 'Build', enabled: false }])
    assert.deepEqual((await read(site.editor)).webhooks, [])
    assert.equal((await site.client().get('/api/dashboard')).status, 401)
  })
})
