import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsClient } from '@stoa/tests/lib/cms.ts'
import { fieldsOf, refused, type Site, startSite } from './testing/site.ts'

let site: Site
before(async () => {
  site = await startSite()
  await site.addType('page', [{ key: 'related', type: 'reference', to: 'article' }])
})
after(() => site.close())

const put = (id: string, body: object, client: CmsClient = site.editor.client) => client.put(`/api/entries/${id}`, body)
const draft = (client = site.editor.client) => site.add(client, { title: 'First', data: { summary: 's', price: 1 } })
const history = async (id: string, query = '') => {
  const answer = await site.viewer.client.get(`/api/entries/${id}/revisions${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.items
}
const setLimit = (revisionLimit: number) =>
  site.cms.database.tx((tx) => {
    const row = { settings: JSON.stringify({ revisionLimit }), updated_at: new Date(), updated_by: null }
    return tx
      .insertInto('site_settings')
      .values(row)
      .onConflict((conflict) => conflict.column('is_only').doUpdateSet(row))
      .execute()
  })

describe('the history', () => {
  test('has one revision per save, the newest first, with who, why and what', async () => {
    const { id } = await draft()
    await put(id, { title: 'Second', data: { price: 2 } })
    await site.publish(site.admin.client, id)
    const items = await history(id)
    assert.deepEqual(
      items.map(({ version, title, status, reason, changed }: Record<string, unknown>) => [
        version,
        title,
        status,
        reason,
        changed,
      ]),
      [
        [3, 'Second', 'published', 'publish', ['status']],
        [2, 'Second', 'draft', 'save', ['title', 'data.price']],
        [1, 'First', 'draft', 'save', ['title', 'slug', 'data.summary', 'data.price']],
      ],
    )
    assert.equal(items[0].author.id, site.admin.id)
    assert.equal('data' in items[0], false)
    const one = await site.viewer.client.get(`/api/entries/${id}/revisions/${items[2].id}`)
    assert.equal(one.body.data.price, 1)
    const paged = await site.viewer.client.get(`/api/entries/${id}/revisions?limit=2&page=2`)
    assert.deepEqual([paged.body.items.length, paged.body.meta.total], [1, 3])
  })

  test('of another entry is not found under this one', async () => {
    const [a, b] = [await draft(), await draft()]
    const [revision] = await history(a.id)
    for (const path of [`${b.id}/revisions/${revision.id}`, `${a.id}/revisions/${newId()}`, `${newId()}/revisions`])
      assert.equal((await site.viewer.client.get(`/api/entries/${path}`)).status, 404)
    await refused(site, b.id, 'NOT_FOUND', () =>
      site.editor.client.post(`/api/entries/${b.id}/revisions/${revision.id}/restore`),
    )
  })

  test('joins autosaves of one person within ten minutes, and no others', async () => {
    const { id } = await draft()
    const autosave = (price: number, client = site.editor.client) =>
      put(id, { data: { price }, autosave: true }, client)
    await autosave(2)
    site.clock.advance(60_000)
    await put(id, { title: 'With a title', autosave: true })
    const joined = await history(id)
    assert.deepEqual([joined.length, joined[0].version, joined[0].autosave], [2, 3, true])
    assert.deepEqual(joined[0].changed, ['data.price', 'title'])
    await autosave(3, site.admin.client)
    assert.equal((await history(id)).length, 3)
    await autosave(4)
    assert.equal((await history(id)).length, 4)
    site.clock.advance(10 * 60_000)
    await autosave(5)
    assert.equal((await history(id)).length, 5)
    await put(id, { data: { price: 6 } })
    await autosave(7)
    assert.deepEqual(
      (await history(id)).slice(0, 2).map((item: { autosave: boolean }) => item.autosave),
      [true, false],
    )
  })

  test('is limited by the settings, and what is live stays however old it is', async () => {
    const { id } = await draft()
    await site.publish(site.editor.client, id)
    await setLimit(3)
    for (let price = 10; price < 16; price += 1) await put(id, { data: { price }, mode: 'draft' })
    const items = await history(id)
    assert.deepEqual(
      items.map(({ version, status }: Record<string, unknown>) => [version, status]),
      [
        [8, 'draft'],
        [7, 'draft'],
        [6, 'draft'],
        [2, 'published'],
      ],
    )
    await setLimit(0)
    for (let price = 20; price < 24; price += 1) await put(id, { data: { price }, mode: 'draft' })
    assert.equal((await history(id)).length, 8)
    await setLimit(100)
  })
})

describe('the difference', () => {
  test('between two revisions, or with the current draft, is returned field by field', async () => {
    const { id } = await draft()
    await put(id, { title: 'Second', data: { price: null, body: '<p>new</p>' } })
    await put(id, { title: 'Third', slug: 'third-one', data: { __layout: { order: ['a'], hidden: [] } } })
    const [third, second, first] = await history(id)
    const diff = async (rid: string, query = '') =>
      (await site.viewer.client.get(`/api/entries/${id}/revisions/${rid}/diff${query}`)).body.changes
    assert.deepEqual(await diff(first.id, `?against=${second.id}`), [
      { path: 'title', label: 'Title', fieldType: 'text', before: 'First', after: 'Second', op: 'change' },
      { path: 'data.body', label: 'Body', fieldType: 'richtext', before: '', after: '<p>new</p>', op: 'add' },
      { path: 'data.price', label: 'Price', fieldType: 'number', before: 1, after: null, op: 'remove' },
    ])
    const present = await diff(second.id)
    assert.deepEqual(
      present.map(({ path, op }: Record<string, string>) => [path, op]),
      [
        ['title', 'change'],
        ['slug', 'change'],
        ['data.__layout', 'add'],
      ],
    )
    assert.deepEqual(await diff(third.id), [])
    const answer = await site.viewer.client.get(`/api/entries/${id}/revisions/${first.id}/diff?against=nope`)
    assert.deepEqual(fieldsOf(answer), ['against'])
  })
})

describe('restoring a revision', () => {
  test('brings back the whole content as a new revision', async () => {
    const made = await draft()
    await put(made.id, { title: 'Second', slug: 'second-one', data: { price: 2, body: '<p>b</p>' } })
    const [, first] = await history(made.id)
    site.takeChanges()
    const { status, body } = await site.editor.client.post(`/api/entries/${made.id}/revisions/${first.id}/restore`)
    assert.equal(status, 200)
    assert.deepEqual([body.title, body.slug, body.data], ['First', made.slug, made.data])
    const [newest] = await history(made.id)
    assert.deepEqual([newest.reason, newest.version], ['restore', 3])
    assert.deepEqual(
      site.takeChanges().map(({ event }) => event),
      ['entry.updated'],
    )
  })

  test('brings back chosen members only, and refuses unknown ones', async () => {
    const { id } = await draft()
    await put(id, { title: 'Second', data: { price: 2, summary: 't' } })
    const [, first] = await history(id)
    const restore = (body: object) => site.editor.client.post(`/api/entries/${id}/revisions/${first.id}/restore`, body)
    const { body } = await restore({ keys: ['data.price'] })
    assert.deepEqual([body.title, body.data.price, body.data.summary], ['Second', 1, 't'])
    assert.equal((await restore({ keys: ['summary', 'title'] })).body.title, 'First')
    const answer = await refused(site, id, 'VALIDATION_FAILED', () => restore({ keys: ['title', 'nothing'] }))
    assert.deepEqual(fieldsOf(answer), ['keys.1'])
  })

  test('of a published entry goes live, or waits with mode draft', async () => {
    const { id } = await draft()
    await put(id, { data: { price: 2 } })
    const published = await site.publish(site.editor.client, id)
    const first = (await history(id)).at(-1)
    const restore = (body: object) => site.editor.client.post(`/api/entries/${id}/revisions/${first.id}/restore`, body)
    const waiting = await restore({ mode: 'draft', keys: ['price'] })
    assert.deepEqual([waiting.body.pending, waiting.body.data.price], [true, 1])
    assert.deepEqual(waiting.body.live, published.live)
    const live = await restore({})
    assert.deepEqual([live.body.pending, live.body.live.data.price], [false, 1])
  })

  test('is refused to those who could not save it, for another version, and with links that are gone', async () => {
    const { id } = await draft()
    await put(id, { title: 'Second' })
    const [, first] = await history(id)
    const path = `/api/entries/${id}/revisions/${first.id}/restore`
    await refused(site, id, 'FORBIDDEN', () => site.author.client.post(path))
    await refused(site, id, 'FORBIDDEN', () => site.viewer.client.post(path))
    await refused(site, id, 'VERSION_CONFLICT', () => site.editor.client.post(path, { version: 1 }))
    const page = await site.add(site.editor.client, { type: 'page', title: 'Page', data: { related: [id] } })
    await put(page.id, { data: { related: [] } })
    await site.editor.client.delete(`/api/entries/${id}`)
    const [, withLink] = await history(page.id)
    const answer = await refused(site, page.id, 'VALIDATION_FAILED', () =>
      site.editor.client.post(`/api/entries/${page.id}/revisions/${withLink.id}/restore`),
    )
    assert.deepEqual(fieldsOf(answer), ['related'])
  })
})

describe('a field that was retyped', () => {
  test('reads as empty, is not checked until it is written, and keeps its stored value', async () => {
    await site.addType('thing', [{ key: 'size', type: 'text' }])
    const made = await site.add(site.editor.client, { type: 'thing', title: 'T', data: { size: 'large' } })
    const retype = (fields: object[]) =>
      site.cms.database.tx((tx) =>
        tx
          .updateTable('content_type')
          .set({ fields: JSON.stringify(fields) })
          .where('name', '=', 'thing')
          .execute(),
      )
    await retype([{ key: 'size', type: 'number' }])
    const renamed = await put(made.id, { title: 'Renamed' })
    assert.deepEqual([renamed.status, renamed.body.data], [200, { size: null }])
    await refused(site, made.id, 'VALIDATION_FAILED', () => put(made.id, { data: { size: 'large' } }))
    await retype([])
    await put(made.id, { title: 'Without' })
    await retype([{ key: 'size', type: 'text' }])
    assert.deepEqual((await site.read(made.id)).data, { size: 'large' })
  })
})
