import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsClient } from '@stoa/tests/lib/cms.ts'
import { fieldsOf, refused, type Site, startSite } from './testing/site.ts'

let site: Site
before(async () => {
  site = await startSite()
  await site.addType('product', [
    { key: 'sku', type: 'text', unique: true },
    { key: 'secret', type: 'text', hidden: true },
    { key: 'note', type: 'text' },
  ])
})
after(() => site.close())

const put = (client: CmsClient, id: string, body: object, headers: Record<string, string> = {}) =>
  client.put(`/api/entries/${id}`, body, headers)

const live = async (client = site.editor.client) => {
  const made = await site.add(client, { title: 'Live', data: { summary: 'first', price: 1 } })
  return site.publish(site.editor.client, made.id)
}

describe('updating a draft', () => {
  test('merges data by key; null clears one', async () => {
    const made = await site.add(site.author.client, { title: 'A', data: { summary: 's', price: 2, tags: ['a'] } })
    site.takeChanges()
    const answer = await put(site.author.client, made.id, { data: { price: null, tags: ['b'] } })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('etag'), '"v2"')
    assert.deepEqual(answer.body.data, { body: '', summary: 's', price: null, tags: ['b'] })
    assert.deepEqual(await site.read(made.id), answer.body)
    assert.deepEqual(
      site.takeChanges().map(({ event, data }) => [event, data.isPublic]),
      [['entry.updated', false]],
    )
  })

  test('that changes nothing keeps the version and sends no event', async () => {
    const made = await site.add(site.author.client, { title: 'Same', data: { summary: 's' } })
    site.takeChanges()
    const answer = await put(site.author.client, made.id, { title: 'Same', data: { summary: 's' } })
    assert.deepEqual(answer.body, made)
    assert.deepEqual(site.takeChanges(), [])
  })

  test('refuses unknown members, unknown fields and wrong values, naming each', async () => {
    const { id } = await site.add(site.editor.client, { title: 'Strict' })
    for (const member of ['id', 'status', 'publishedAt', 'type', 'translationOf', 'deletedAt', 'publishAt', 'terms'])
      assert.deepEqual(
        fieldsOf(await refused(site, id, 'VALIDATION_FAILED', () => put(site.editor.client, id, { [member]: 'x' }))),
        [member],
      )
    const data = { nothing: 1, price: {}, __layout: { order: 'no' } }
    const answer = await refused(site, id, 'VALIDATION_FAILED', () => put(site.editor.client, id, { data }))
    assert.deepEqual(fieldsOf(answer).sort(), ['__layout.order', 'nothing', 'price'])
  })

  test('for another version than the present one is 409, says who was faster, and changes nothing', async () => {
    const { id } = await site.add(site.editor.client, { title: 'Versions' })
    await put(site.editor.client, id, { title: 'Second' })
    for (const act of [
      () => put(site.admin.client, id, { title: 'x', version: 1 }),
      () => put(site.admin.client, id, { title: 'x' }, { 'if-match': '"v1"' }),
      () => put(site.admin.client, id, { title: 'x', version: 2 }, { 'if-match': '"v1"' }),
    ]) {
      const answer = await refused(site, id, 'VERSION_CONFLICT', act)
      assert.equal(answer.status, 409)
      assert.equal(answer.body.details.version, 2)
      assert.equal(answer.body.details.updatedBy.id, site.editor.id)
    }
    assert.equal((await put(site.admin.client, id, { title: 'x' }, { 'if-match': '"v2"' })).status, 200)
  })

  test('of ten writes made for one version, one is saved', async () => {
    const { id } = await site.add(site.editor.client, { title: 'Contended' })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => put(site.editor.client, id, { title: `Try ${index}`, version: 1 })),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal(answers.filter(({ status }) => status === 409).length, 9)
    assert.equal((await site.read(id)).version, 2)
  })

  test('of an entry that is not there is 404, also with a malformed id', async () => {
    assert.equal((await put(site.editor.client, newId(), { title: 'x' })).status, 404)
    assert.equal((await put(site.editor.client, 'nope', { title: 'x' })).status, 404)
  })

  test('refuses data that is too large, and a body that is', async () => {
    const { id } = await site.add(site.editor.client, { title: 'Large' })
    const body = `<p>${'x'.repeat(900_000)}</p>`
    await site.addType(
      'long',
      ['a', 'b', 'c'].map((key) => ({ key, type: 'richtext' })),
    )
    const answer = await site.editor.client.post('/api/entries', { type: 'long', data: { a: body, b: body, c: body } })
    assert.deepEqual(fieldsOf(answer), ['data'])
    const huge = await refused(site, id, 'PAYLOAD_TOO_LARGE', () =>
      put(site.editor.client, id, { title: 'x'.repeat(4_300_000) }),
    )
    assert.equal(huge.status, 413)
  })

  test('keeps the layout of the page, and forgets it with null', async () => {
    const { id } = await site.add(site.editor.client, { title: 'Layout' })
    const layout = { order: ['hero', 'news'], hidden: ['news'] }
    assert.deepEqual((await put(site.editor.client, id, { data: { __layout: layout } })).body.data.__layout, layout)
    assert.equal((await put(site.editor.client, id, { data: { __layout: null } })).body.data.__layout, undefined)
  })
})

describe('an author', () => {
  test('changes own drafts only: others are 403 and stay as they are', async () => {
    const foreign = await site.add(site.editor.client, { title: 'Foreign' })
    const mine = await live(site.author.client)
    for (const { id } of [foreign, mine]) {
      const answer = await refused(site, id, 'FORBIDDEN', () => put(site.author.client, id, { title: 'x' }))
      assert.deepEqual([answer.status, answer.body.details.permission], [403, 'content.write'])
    }
  })

  test('cannot give a draft away, nor ask for live', async () => {
    const { id } = await site.add(site.author.client, { title: 'Mine' })
    await refused(site, id, 'FORBIDDEN', () => put(site.author.client, id, { authorId: site.editor.id }))
    const answer = await refused(site, id, 'FORBIDDEN', () => put(site.author.client, id, { mode: 'live' }))
    assert.equal(answer.body.details.permission, 'content.publish')
  })

  test('cannot change what is scheduled to go live', async () => {
    const { id } = await site.add(site.author.client, { title: 'Soon', data: { summary: 's' } })
    const at = new Date(site.clock.now().getTime() + 60_000).toISOString()
    await site.editor.client.post(`/api/entries/${id}/status`, { action: 'publish', at })
    const answer = await refused(site, id, 'FORBIDDEN', () => put(site.author.client, id, { title: 'x' }))
    assert.equal(answer.body.details.permission, 'content.publish')
  })

  test('a viewer writes nothing', async () => {
    const { id } = await site.add(site.editor.client, { title: 'Read only' })
    await refused(site, id, 'FORBIDDEN', () => put(site.viewer.client, id, { title: 'x' }))
    assert.equal((await site.viewer.client.get(`/api/entries/${id}`)).status, 200)
  })
})

describe('saving a published entry', () => {
  test('is live at once: entry.updated, then entry.published; publishedAt stays', async () => {
    const published = await live()
    site.clock.advance(1000)
    site.takeChanges()
    const answer = await put(site.editor.client, published.id, { data: { price: 5 } })
    assert.equal(answer.body.live.data.price, 5)
    assert.equal(answer.body.live.version, answer.body.version)
    assert.equal(answer.body.live.updatedAt, site.clock.now().toISOString())
    assert.equal(answer.body.publishedAt, published.publishedAt)
    assert.equal(answer.body.pending, false)
    assert.deepEqual(
      site.takeChanges().map(({ event, data }) => [event, data.isPublic]),
      [
        ['entry.updated', false],
        ['entry.published', true],
      ],
    )
  })

  test('with mode draft keeps what is live, and shows the working copy', async () => {
    const published = await live()
    site.takeChanges()
    site.clock.advance(1000)
    const answer = await put(site.editor.client, published.id, {
      title: 'Next',
      slug: 'next-one',
      data: { price: 9 },
      mode: 'draft',
    })
    assert.equal(answer.body.pending, true)
    assert.equal(answer.body.title, 'Next')
    assert.equal(answer.body.data.price, 9)
    assert.deepEqual(answer.body.live, published.live)
    assert.deepEqual(
      site.takeChanges().map(({ event, data }) => [event, data.isPublic]),
      [['entry.updated', false]],
    )
    const again = await put(site.editor.client, published.id, { data: { summary: 'second' }, mode: 'draft' })
    assert.deepEqual([again.body.data.price, again.body.data.summary], [9, 'second'])
    assert.deepEqual((await site.read(published.id)).live, published.live)
  })

  test('an autosave never goes live', async () => {
    const published = await live()
    const answer = await put(site.editor.client, published.id, { data: { price: 7 }, autosave: true })
    assert.equal(answer.body.pending, true)
    assert.deepEqual(answer.body.live, published.live)
    const asked = { data: { price: 8 }, autosave: true, mode: 'live' }
    await refused(site, published.id, 'VALIDATION_FAILED', () => put(site.editor.client, published.id, asked))
  })

  test('live asks for required fields; unpublished changes may be incomplete', async () => {
    const { id } = await live()
    const answer = await refused(site, id, 'VALIDATION_FAILED', () =>
      put(site.editor.client, id, { data: { summary: '' } }),
    )
    assert.deepEqual(fieldsOf(answer), ['summary'])
    await refused(site, id, 'VALIDATION_FAILED', () => put(site.editor.client, id, { title: '' }))
    assert.equal((await put(site.editor.client, id, { data: { summary: '' }, mode: 'draft' })).status, 200)
  })

  test('the same as live again is no unpublished change', async () => {
    const { id } = await live()
    await put(site.editor.client, id, { data: { price: 3 }, mode: 'draft' })
    assert.equal((await put(site.editor.client, id, { data: { price: 1 }, mode: 'draft' })).body.pending, false)
  })

  test('a slug of unpublished changes is checked when it is saved', async () => {
    const { id } = await live()
    await site.add(site.editor.client, { slug: 'already-there' })
    await refused(site, id, 'SLUG_TAKEN', () => put(site.editor.client, id, { slug: 'already-there', mode: 'draft' }))
    await put(site.editor.client, id, { slug: 'not-there-yet', mode: 'draft' })
    await site.add(site.editor.client, { slug: 'not-there-yet' })
    const again = { title: 'Other', slug: 'not-there-yet', mode: 'draft' }
    await refused(site, id, 'SLUG_TAKEN', () => put(site.editor.client, id, again))
    assert.equal((await put(site.editor.client, id, { title: 'Other', mode: 'draft' })).body.slug, 'not-there-yet')
  })
})

describe('unique fields', () => {
  test('a value of another entry is refused by its key, also of unpublished changes and for one of two at once', async () => {
    const first = await site.add(site.editor.client, { type: 'product', title: 'P1', data: { sku: 'one' } })
    const taken = await site.editor.client.post('/api/entries', { type: 'product', data: { sku: 'one' } })
    assert.deepEqual([taken.status, taken.body.code, fieldsOf(taken)], [400, 'VALIDATION_FAILED', ['sku']])
    await site.publish(site.editor.client, first.id)
    await put(site.editor.client, first.id, { data: { sku: 'two' }, mode: 'draft' })
    const second = await site.add(site.editor.client, { type: 'product', title: 'P2' })
    for (const sku of ['one', 'two'])
      await refused(site, second.id, 'VALIDATION_FAILED', () => put(site.editor.client, second.id, { data: { sku } }))
    const both = await Promise.all(
      [1, 2].map(() => site.editor.client.post('/api/entries', { type: 'product', data: { sku: 'race' } })),
    )
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 400])
  })
})

describe('what an entry is found by', () => {
  test('visitors find what is live and visible, people the working copy', async () => {
    const { id } = await site.add(site.editor.client, {
      type: 'product',
      title: 'Lámpara',
      data: { secret: 'hush', note: 'open' },
    })
    await site.publish(site.editor.client, id)
    await put(site.editor.client, id, { data: { note: 'changed' }, mode: 'draft' })
    const finds = async (column: 'public_document' | 'full_document', word: string) => {
      const [row] = await site.cms.database.db.query<{ found: boolean }>({
        text: `select ${column} @@ plainto_tsquery('simple', unaccent($2)) as found from entry_search where entry_id = $1`,
        values: [id, word],
      })
      return row?.found
    }
    assert.deepEqual(
      [
        await finds('public_document', 'lampara'),
        await finds('public_document', 'open'),
        await finds('public_document', 'hush'),
      ],
      [true, true, false],
    )
    assert.equal(await finds('public_document', 'changed'), false)
    assert.deepEqual([await finds('full_document', 'changed'), await finds('full_document', 'hush')], [true, true])
  })
})
