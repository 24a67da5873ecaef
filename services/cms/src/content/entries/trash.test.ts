import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { failOn } from '@stoa/tests/lib/fail-on.ts'
import { fieldsOf, refused, type Site, startSite } from './testing/site.ts'
import { purgeOldTrash } from './trash.ts'

let site: Site
before(async () => {
  site = await startSite()
  await site.addType('home', [], { kind: 'single' })
  await site.addType('product', [{ key: 'sku', type: 'text', unique: true }])
  await site.addTaxonomy('topics', ['news', 'art'])
  await site.cms.database.tx((tx) =>
    tx
      .insertInto('site_settings')
      .values({
        settings: JSON.stringify({ locales: ['en', 'de', 'fr'], trashDays: 30 }),
        updated_at: new Date(),
        updated_by: null,
      })
      .execute(),
  )
})
after(() => site.close())

const draft = (client = site.editor.client, title = 'Leaf') => site.add(client, { title, data: { summary: 's' } })
const trash = async (id: string) => {
  const answer = await site.editor.client.delete(`/api/entries/${id}`)
  assert.equal(answer.status, 204, answer.text)
}
const restore = (id: string, body?: object, client = site.editor.client) =>
  client.post(`/api/entries/${id}/restore`, body)
const names = () => site.takeChanges().map(({ event, data }) => [event, data.isPublic])

describe('the trash', () => {
  test('takes an entry out of lists and frees its slug; a live one leaves the count', async () => {
    const made = await draft()
    await site.publish(site.editor.client, made.id)
    const count = await site.count('article')
    site.takeChanges()
    await trash(made.id)
    assert.deepEqual(names(), [['entry.deleted', true]])
    assert.equal(await site.count('article'), count - 1)
    assert.ok((await site.read(made.id)).deletedAt)
    const list = await site.editor.client.get('/api/entries?q=leaf')
    assert.equal(list.body.meta.total, 0)
    assert.equal((await draft()).slug, made.slug)
  })

  test('of a draft sends no public event', async () => {
    const { id } = await draft()
    site.takeChanges()
    await trash(id)
    assert.deepEqual(names(), [['entry.deleted', false]])
  })

  test('holds what cannot be changed until it is restored', async () => {
    const { id } = await draft()
    await trash(id)
    const c = site.editor.client
    await refused(site, id, 'INVALID_STATE', () => c.put(`/api/entries/${id}`, { title: 'x' }))
    await refused(site, id, 'INVALID_STATE', () => c.post(`/api/entries/${id}/status`, { action: 'publish' }))
    await refused(site, id, 'INVALID_STATE', () => c.delete(`/api/entries/${id}`))
    await refused(site, id, 'INVALID_STATE', () => c.post(`/api/entries/${id}/duplicate`))
    await refused(site, id, 'INVALID_STATE', () => c.put(`/api/entries/${id}/terms`, { taxonomy: 'topics', terms: [] }))
  })

  test('an author reaches own drafts only, in it and out of it', async () => {
    const mine = await draft(site.author.client)
    const foreign = await draft()
    const wasLive = await draft(site.author.client)
    await site.publish(site.editor.client, wasLive.id)
    for (const { id } of [foreign, wasLive])
      await refused(site, id, 'FORBIDDEN', () => site.author.client.delete(`/api/entries/${id}`))
    for (const { id } of [mine, foreign, wasLive]) await trash(id)
    const { body } = await site.author.client.get('/api/trash')
    assert.deepEqual(
      body.items.map(({ id }: { id: string }) => id),
      [mine.id],
    )
    assert.equal(body.meta.total, 1)
    assert.equal(body.items[0].deletedBy.id, site.editor.id)
    for (const { id } of [foreign, wasLive]) {
      await refused(site, id, 'FORBIDDEN', () => restore(id, {}, site.author.client))
      assert.equal((await site.author.client.get(`/api/entries/${id}`)).status, 403)
      assert.equal((await site.author.client.get(`/api/entries/${id}/revisions`)).status, 403)
    }
    assert.equal((await restore(mine.id, {}, site.author.client)).status, 200)
    assert.equal((await site.viewer.client.get('/api/trash')).status, 403)
  })

  test('is searched as the list of entries is, within what the asking person can restore', async () => {
    const editors = await site.add(site.editor.client, { title: 'Crème lantern', data: { summary: 'harbour lights' } })
    const authors = await site.add(site.author.client, { title: 'Own lantern' })
    const kept = await draft(site.editor.client, 'Kept lantern')
    await trash(authors.id)
    site.clock.advance(1000)
    await trash(editors.id)
    const found = async (query: string, client = site.editor.client) => {
      const { status, body, text } = await client.get(`/api/trash?${query}`)
      assert.equal(status, 200, text)
      const titles: string[] = body.items.map(({ title }: { title: string }) => title)
      assert.equal(body.meta.total, titles.length)
      return titles
    }
    assert.deepEqual(await found('q=lantern'), ['Crème lantern', 'Own lantern'])
    assert.deepEqual(await found('q=creme+harb'), ['Crème lantern'])
    assert.deepEqual(await found('q=lantern&type=product'), [])
    assert.deepEqual(await found('q=lantern', site.author.client), ['Own lantern'])
    assert.deepEqual(await found('q=%25'), [])
    assert.equal((await site.read(kept.id)).deletedAt, null)
    const watch = site.cms.database.watchStatements()
    await found('q=lantern')
    const few = watch.texts.length
    for (let index = 0; index < 5; index += 1) await trash((await draft(site.editor.client, `Lantern ${index}`)).id)
    const before = watch.texts.length
    await found('q=lantern')
    watch.stop()
    assert.equal(watch.texts.length - before, few)
  })
})

describe('restoring', () => {
  test('makes a draft, whatever it was, with its unpublished changes and without its schedule', async () => {
    const { id } = await draft()
    await site.publish(site.editor.client, id)
    await site.editor.client.put(`/api/entries/${id}`, { title: 'Changed', mode: 'draft' })
    const at = new Date(site.clock.now().getTime() + 1000).toISOString()
    await site.editor.client.post(`/api/entries/${id}/status`, { action: 'unpublish', at })
    await trash(id)
    site.takeChanges()
    const { status, body } = await restore(id)
    assert.equal(status, 200)
    assert.deepEqual(
      [body.status, body.previousStatus, body.title, body.pending, body.deletedAt, body.unpublishAt, body.live],
      ['draft', 'published', 'Changed', false, null, null, null],
    )
    assert.deepEqual(names(), [['entry.restored', false]])
  })

  test('is 409 when the slug was taken meanwhile, unless another one is given', async () => {
    const made = await draft(site.editor.client, 'Twin')
    await trash(made.id)
    await draft(site.editor.client, 'Twin')
    await refused(site, made.id, 'SLUG_TAKEN', () => restore(made.id))
    const { body } = await restore(made.id, { slug: 'twin-again' })
    assert.equal(body.slug, 'twin-again')
  })

  test('is 409 when the single entry, the translation or the unique value is there again', async () => {
    const home = await site.add(site.editor.client, { type: 'home', title: 'Home' })
    await trash(home.id)
    await site.add(site.editor.client, { type: 'home', title: 'Home' })
    await refused(site, home.id, 'SINGLE_EXISTS', () => restore(home.id, { slug: 'other' }))
    const origin = await draft(site.editor.client, 'English')
    const german = { title: 'Deutsch', locale: 'de', translationOf: origin.id }
    const first = await site.add(site.editor.client, german)
    await trash(first.id)
    await site.add(site.editor.client, { ...german, slug: 'anders' })
    await refused(site, first.id, 'NAME_TAKEN', () => restore(first.id))
    const product = await site.add(site.editor.client, { type: 'product', title: 'P', data: { sku: '1' } })
    await trash(product.id)
    await site.add(site.editor.client, { type: 'product', title: 'Q', data: { sku: '1' } })
    const answer = await refused(site, product.id, 'VALIDATION_FAILED', () => restore(product.id))
    assert.deepEqual(fieldsOf(answer), ['sku'])
  })

  test('of what is not in the trash is 409', async () => {
    const { id } = await draft()
    await refused(site, id, 'INVALID_STATE', () => restore(id))
  })
})

describe('removing for good', () => {
  test('needs types.manage and an entry in the trash', async () => {
    const { id } = await draft()
    assert.equal((await site.admin.client.delete(`/api/trash/${id}`)).status, 404)
    await trash(id)
    for (const path of ['/api/trash', `/api/trash/${id}`])
      await refused(site, id, 'FORBIDDEN', () => site.editor.client.delete(path))
    assert.equal((await site.admin.client.delete(`/api/trash/${id}`)).status, 204)
    assert.equal((await site.admin.client.get(`/api/entries/${id}`)).status, 404)
    assert.equal((await site.admin.client.delete(`/api/trash/${newId()}`)).status, 404)
  })

  test('empties the trash; what is not in it stays, and a translation outlives its origin', async () => {
    const origin = await draft(site.editor.client, 'Origin')
    const translate = (locale: string) =>
      site.add(site.editor.client, { title: locale, locale, translationOf: origin.id })
    const german = await translate('de')
    const french = await translate('fr')
    await trash(origin.id)
    assert.equal((await site.admin.client.delete('/api/trash')).status, 204)
    assert.equal((await site.admin.client.get('/api/trash')).body.meta.total, 0)
    assert.equal((await site.read(german.id)).translationOf, null)
    assert.equal((await site.read(french.id)).translationOf, german.id)
  })

  test('of one that cannot be removed leaves it there, and removes the others', async (t) => {
    const ids: string[] = []
    for (const title of ['One', 'Two', 'Three']) ids.push((await draft(site.editor.client, title)).id)
    for (const id of ids) await trash(id)
    const undo = await failOn(site.cms.database, 'delete', 'entry', `old.id = '${ids[1]}'`)
    t.after(undo)
    assert.equal((await site.admin.client.delete('/api/trash')).status, 204)
    const left = await site.admin.client.get('/api/trash')
    assert.deepEqual(
      left.body.items.map((item: { id: string }) => item.id),
      [ids[1]],
    )
    await undo()
    await site.admin.client.delete('/api/trash')
    assert.equal((await site.admin.client.get('/api/trash')).body.meta.total, 0)
  })

  test('happens by itself after the days of the settings, and never when they have none', async () => {
    const keepFor = (days: number | null) =>
      site.cms.database.tx((tx) =>
        tx.query({ text: `update site_settings set settings = settings || $1`, values: [{ trashDays: days }] }),
      )
    const { id } = await draft()
    await trash(id)
    site.clock.advance(29 * 86_400_000)
    assert.equal(await purgeOldTrash(site.cms.services), 0)
    site.clock.advance(86_400_000)
    await keepFor(null)
    assert.equal(await purgeOldTrash(site.cms.services), 0)
    await keepFor(30)
    assert.equal(await purgeOldTrash(site.cms.services), 1)
    const row = await site.cms.database.db.selectFrom('entry').select('id').where('id', '=', id).executeTakeFirst()
    assert.equal(row, undefined)
    site.clock.advance(-30 * 86_400_000)
  })
})

describe('duplicating', () => {
  test('makes an own draft of the working copy with its terms, without unique values', async () => {
    const made = await site.add(site.editor.client, {
      title: 'Source',
      data: { summary: 's', price: 3 },
      terms: [{ taxonomy: 'topics', slug: 'art' }],
    })
    await site.publish(site.editor.client, made.id)
    await site.editor.client.put(`/api/entries/${made.id}`, { data: { price: 4 }, mode: 'draft' })
    const { status, body } = await site.admin.client.post(`/api/entries/${made.id}/duplicate`)
    assert.equal(status, 201)
    assert.deepEqual(
      [body.title, body.slug, body.status, body.data.price],
      ['Source (copy)', 'source-copy', 'draft', 4],
    )
    assert.equal(body.authorId, site.admin.id)
    assert.equal(body.terms[0].slug, 'art')
    const product = await site.add(site.editor.client, { type: 'product', title: 'P', data: { sku: 'x' } })
    const copy = await site.editor.client.post(`/api/entries/${product.id}/duplicate`)
    assert.equal(copy.body.data.sku, '')
  })

  test('is for an author possible with own drafts only; a single kind stays single', async () => {
    const foreign = await draft()
    await refused(site, foreign.id, 'FORBIDDEN', () => site.author.client.post(`/api/entries/${foreign.id}/duplicate`))
    const mine = await draft(site.author.client)
    assert.equal((await site.author.client.post(`/api/entries/${mine.id}/duplicate`)).status, 201)
    const { body } = await site.editor.client.get('/api/entries?type=home')
    await refused(site, body.items[0].id, 'SINGLE_EXISTS', () =>
      site.editor.client.post(`/api/entries/${body.items[0].id}/duplicate`),
    )
  })
})

describe('terms', () => {
  test('of one taxonomy are replaced; a live entry shows them at once', async () => {
    await site.addTaxonomy('moods', ['calm'])
    const { id } = await draft()
    const put = (body: object, client = site.editor.client) => client.put(`/api/entries/${id}/terms`, body)
    await put({ taxonomy: 'moods', terms: ['calm'] })
    site.takeChanges()
    const { body } = await put({ taxonomy: 'topics', terms: ['news', 'art'] })
    const slugs = body.terms.map(({ slug }: { slug: string }) => slug).sort()
    assert.deepEqual(slugs, ['art', 'calm', 'news'])
    assert.deepEqual(names(), [['entry.updated', false]])
    const same = await put({ taxonomy: 'topics', terms: ['art', 'news'] })
    assert.equal(same.body.version, body.version)
    assert.deepEqual(names(), [])
    await site.publish(site.editor.client, id)
    site.takeChanges()
    const shown = await put({ taxonomy: 'topics', terms: [] })
    assert.equal(shown.body.live.version, shown.body.version)
    assert.deepEqual(names(), [
      ['entry.updated', false],
      ['entry.published', true],
    ])
  })

  test('that are unknown, of a foreign entry, or for another version are refused', async () => {
    const { id } = await draft()
    const put = (body: object, client = site.editor.client) => client.put(`/api/entries/${id}/terms`, body)
    const unknown = await refused(site, id, 'VALIDATION_FAILED', () => put({ taxonomy: 'topics', terms: ['nope'] }))
    assert.deepEqual(fieldsOf(unknown), ['terms.0'])
    await refused(site, id, 'VALIDATION_FAILED', () => put({ taxonomy: 'nope', terms: [] }))
    await refused(site, id, 'FORBIDDEN', () => put({ taxonomy: 'topics', terms: ['art'] }, site.author.client))
    await refused(site, id, 'VERSION_CONFLICT', () => put({ taxonomy: 'topics', terms: ['art'], version: 9 }))
  })
})
