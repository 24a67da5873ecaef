import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { fieldsOf, refused, type Site, startSite } from './testing/site.ts'

let site: Site
before(async () => {
  site = await startSite()
  await site.addType('page', [
    { key: 'hero', type: 'media' },
    { key: 'related', type: 'reference', to: 'article' },
  ])
  await site.addType('home', [], { kind: 'single' })
  await site.cms.database.tx((tx) =>
    tx
      .insertInto('site_settings')
      .values({ settings: JSON.stringify({ locales: ['en', 'de'] }), updated_at: site.clock.now(), updated_by: null })
      .execute(),
  )
})
after(() => site.close())

const entryCount = async () => (await site.admin.client.get('/api/entries?limit=1')).body.meta.total

describe('creating an entry', () => {
  test('makes a draft of the asking person, with every field at its empty value', async () => {
    const answer = await site.author.client.post('/api/entries', { type: 'article', title: 'Grüße aus Köln' })
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.get('etag'), '"v1"')
    const { id, data, ...entry } = answer.body
    assert.deepEqual(data, { body: '', summary: '', price: null, tags: [] })
    assert.equal(entry.slug, 'grusse-aus-koln')
    assert.equal(entry.status, 'draft')
    assert.equal(entry.locale, 'en')
    assert.equal(entry.authorId, site.author.id)
    assert.equal(entry.url, 'http://cms.test/blog/grusse-aus-koln')
    assert.equal(entry.version, 1)
    assert.equal(entry.pending, false)
    assert.equal(entry.live, null)
    assert.equal(entry.publishedAt, null)
    assert.deepEqual(await site.read(id), answer.body)
  })

  test('is published as entry.created, and not to the public', async () => {
    site.takeChanges()
    const { id, slug } = await site.add(site.editor.client, { title: 'Told' })
    const [event, ...others] = site.takeChanges()
    assert.deepEqual(others, [])
    assert.equal(event?.event, 'entry.created')
    assert.equal(event?.data.id, id)
    assert.equal(event?.data.slug, slug)
    assert.equal(event?.data.isPublic, false)
  })

  test('is refused to a viewer, and for members that are not for writing', async () => {
    const total = await entryCount()
    const answer = await site.viewer.client.post('/api/entries', { type: 'article', title: 'x' })
    assert.equal(answer.status, 403)
    assert.equal(answer.body.details.permission, 'content.write')
    for (const member of ['id', 'status', 'publishedAt', 'createdAt', 'pending', 'liveVersion']) {
      const refusal = await site.editor.client.post('/api/entries', {
        type: 'article',
        title: 'x',
        [member]: 'published',
      })
      assert.deepEqual([refusal.status, fieldsOf(refusal)], [400, [member]])
    }
    const unknown = await site.editor.client.post('/api/entries', { type: 'nothing', title: 'x' })
    assert.deepEqual([unknown.status, fieldsOf(unknown)], [400, ['type']])
    assert.equal(await entryCount(), total)
  })

  test('names the field of an unknown key and of a wrong value', async () => {
    const answer = await site.editor.client.post('/api/entries', {
      type: 'article',
      data: { price: 'much', nothing: 1, summary: 'right' },
    })
    assert.equal(answer.body.code, 'VALIDATION_FAILED')
    assert.deepEqual(fieldsOf(answer).sort(), ['nothing', 'price'])
  })

  test('takes another author from those only who may write anything', async () => {
    const made = await site.add(site.editor.client, { title: 'Ghost', authorId: site.author.id })
    assert.equal(made.authorId, site.author.id)
    const answer = await site.author.client.post('/api/entries', { type: 'article', authorId: site.editor.id })
    assert.equal(answer.status, 403)
    const unknown = await site.editor.client.post('/api/entries', { type: 'article', authorId: newId() })
    assert.deepEqual(fieldsOf(unknown), ['authorId'])
  })

  test('attaches terms, and refuses unknown ones', async () => {
    await site.addTaxonomy('topics', ['news', 'art'])
    const made = await site.add(site.author.client, { title: 'Filed', terms: [{ taxonomy: 'topics', slug: 'art' }] })
    assert.deepEqual(
      made.terms.map(({ slug }: { slug: string }) => slug),
      ['art'],
    )
    const answer = await site.author.client.post('/api/entries', {
      type: 'article',
      terms: [{ taxonomy: 'topics', slug: 'nope' }],
    })
    assert.deepEqual(fieldsOf(answer), ['terms.0.slug'])
  })
})

describe('slugs', () => {
  test('twenty entries of one title made at once have twenty slugs', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, () => site.editor.client.post('/api/entries', { type: 'article', title: 'Race' })),
    )
    assert.deepEqual(new Set(made.map(({ status }) => status)), new Set([201]))
    const slugs = made.map(({ body }) => body.slug)
    assert.equal(new Set(slugs).size, 20)
    assert.ok(slugs.includes('race') && slugs.includes('race-2') && slugs.includes('race-20'))
  })

  test('a given one that is taken is 409, also for one of two at once', async () => {
    const both = await Promise.all(
      [1, 2].map(() => site.editor.client.post('/api/entries', { type: 'article', title: 'T', slug: 'given' })),
    )
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409])
    assert.equal(both.find(({ status }) => status === 409)?.body.code, 'SLUG_TAKEN')
    const other = await site.add(site.editor.client, { title: 'Other' })
    await refused(site, other.id, 'SLUG_TAKEN', () =>
      site.editor.client.put(`/api/entries/${other.id}`, { slug: 'given' }),
    )
  })

  test('"single" is reserved, and a malformed one names the member', async () => {
    const reserved = await site.editor.client.post('/api/entries', { type: 'article', slug: 'single' })
    assert.deepEqual([reserved.status, reserved.body.code], [400, 'RESERVED_SLUG'])
    const titled = await site.add(site.editor.client, { title: 'Single' })
    assert.equal(titled.slug, 'single-2')
    for (const slug of ['A', 'a--b', '-a', '', 'ä', 'a'.repeat(201)]) {
      const answer = await site.editor.client.post('/api/entries', { type: 'article', slug })
      assert.deepEqual([answer.body.code, fieldsOf(answer)], ['VALIDATION_FAILED', ['slug']])
    }
  })

  test('is the id while a draft has no title, and made of the title once it has one', async () => {
    const untitled = await site.add(site.author.client, {})
    assert.equal(untitled.slug, untitled.id)
    const titled = await site.author.client.put(`/api/entries/${untitled.id}`, { title: 'At last' })
    assert.equal(titled.body.slug, 'at-last')
    const renamed = await site.author.client.put(`/api/entries/${untitled.id}`, { title: 'Renamed' })
    assert.equal(renamed.body.slug, 'at-last')
  })

  test('the thirty-first entry of a title has a slug of its own, too', async () => {
    for (let index = 0; index < 31; index += 1) await site.add(site.editor.client, { title: 'Many' })
    const last = await site.add(site.editor.client, { title: 'Many' })
    assert.equal(last.slug, 'many-32')
  })
})

describe('the single kind', () => {
  test('has one entry, with the name of its type as slug; of two made at once one is refused', async () => {
    const both = await Promise.all(
      [1, 2].map(() => site.editor.client.post('/api/entries', { type: 'home', title: 'Welcome' })),
    )
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409])
    assert.equal(both.find(({ status }) => status === 409)?.body.code, 'SINGLE_EXISTS')
    assert.equal(both.find(({ status }) => status === 201)?.body.slug, 'home')
  })
})

describe('translations', () => {
  test('there is one per origin and language', async () => {
    const origin = await site.add(site.editor.client, { title: 'Hello' })
    const german = { type: 'article', title: 'Hallo', locale: 'de', translationOf: origin.id }
    const both = await Promise.all([1, 2].map(() => site.editor.client.post('/api/entries', german)))
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409])
    assert.equal(both.find(({ status }) => status === 409)?.body.code, 'NAME_TAKEN')
    const made = both.find(({ status }) => status === 201)?.body
    assert.equal(made.translationOf, origin.id)
    await refused(site, made.id, 'NAME_TAKEN', () =>
      site.editor.client.put(`/api/entries/${made.id}`, { locale: 'en' }),
    )
    await refused(site, origin.id, 'NAME_TAKEN', () =>
      site.editor.client.put(`/api/entries/${origin.id}`, { locale: 'de' }),
    )
  })

  test('a language that the site does not have is refused', async () => {
    const answer = await site.editor.client.post('/api/entries', { type: 'article', locale: 'fr' })
    assert.deepEqual(fieldsOf(answer), ['locale'])
  })

  test('an origin must be an entry of the same type', async () => {
    const page = await site.add(site.editor.client, { type: 'page', title: 'A page' })
    for (const translationOf of [page.id, newId()]) {
      const answer = await site.editor.client.post('/api/entries', { type: 'article', locale: 'de', translationOf })
      assert.deepEqual(fieldsOf(answer), ['translationOf'])
    }
  })
})

describe('references and files', () => {
  test('must be there and of the right kind', async () => {
    const article = await site.add(site.editor.client, { title: 'Target' })
    const picture = await site.addMedia()
    const made = await site.add(site.editor.client, {
      type: 'page',
      title: 'Linked',
      data: { hero: picture, related: [article.id] },
    })
    assert.deepEqual(made.data, { hero: picture, related: [article.id] })
    const put = (data: object) => site.editor.client.put(`/api/entries/${made.id}`, { data })
    for (const id of [newId(), made.id])
      assert.deepEqual(fieldsOf(await refused(site, made.id, 'VALIDATION_FAILED', () => put({ related: [id] }))), [
        'related',
      ])
    const video = await site.addMedia('video/mp4')
    for (const hero of [newId(), video])
      assert.deepEqual(fieldsOf(await refused(site, made.id, 'VALIDATION_FAILED', () => put({ hero }))), ['hero'])
  })

  test('inside a list are named by their item, all in two statements', async () => {
    const link = { key: 'link', type: 'reference', to: 'article', multiple: false }
    const fields = [link, { key: 'picture', type: 'media' }]
    await site.addType('links', [
      { key: 'items', type: 'list', fields: [...fields, { key: 'more', type: 'list', fields }] },
    ])
    const article = await site.add(site.editor.client, { title: 'Nested' })
    const items = [
      { link: article.id, picture: null, more: [{ link: article.id, picture: newId() }] },
      { link: newId(), picture: null, more: [] },
    ]
    const watch = site.cms.database.watchStatements()
    const answer = await site.editor.client.post('/api/entries', { type: 'links', data: { items } })
    watch.stop()
    assert.deepEqual(fieldsOf(answer).sort(), ['items.0.more.0.picture', 'items.1.link'])
    const looked = watch.texts.filter((text) => /from (media|entry) where id = any/.test(text))
    assert.equal(looked.length, 2)
  })

  test('are indexed for used-in', async () => {
    const article = await site.add(site.editor.client, { title: 'Used' })
    const picture = await site.addMedia()
    const made = await site.add(site.editor.client, { type: 'page', data: { hero: picture, related: [article.id] } })
    const links = () =>
      site.cms.database.db
        .selectFrom('entry_link')
        .select(['is_live', 'kind', 'target_id'])
        .where('entry_id', '=', made.id)
        .orderBy('kind')
        .execute()
    assert.deepEqual(await links(), [
      { is_live: false, kind: 'entry', target_id: article.id },
      { is_live: false, kind: 'media', target_id: picture },
    ])
    await site.editor.client.put(`/api/entries/${made.id}`, { data: { hero: null } })
    assert.deepEqual(await links(), [{ is_live: false, kind: 'entry', target_id: article.id }])
  })
})
