import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CmsClient } from '@stoa/tests/lib/cms.ts'
import { fieldsOf, refused, type Site, startSite } from './testing/site.ts'

let site: Site
before(async () => {
  site = await startSite()
})
after(() => site.close())

const act = (client: CmsClient, id: string, body: object, headers: Record<string, string> = {}) =>
  client.post(`/api/entries/${id}/status`, body, headers)
const put = (client: CmsClient, id: string, body: object) => client.put(`/api/entries/${id}`, body)
const draft = (client = site.editor.client, title = 'Story') => site.add(client, { title, data: { summary: 's' } })
const names = () => site.takeChanges().map(({ event, data }) => [event, data.isPublic])

describe('publishing', () => {
  test('makes a draft live, notifies the public, and counts it', async () => {
    const made = await draft()
    const count = await site.count('article')
    site.takeChanges()
    site.clock.advance(1000)
    const { status, body } = await act(site.editor.client, made.id, { action: 'publish' })
    assert.equal(status, 200)
    assert.equal(body.status, 'published')
    assert.equal(body.publishedAt, site.clock.now().toISOString())
    assert.deepEqual(body.live, {
      title: 'Story',
      slug: made.slug,
      data: made.data,
      version: body.version,
      updatedAt: body.publishedAt,
    })
    assert.deepEqual(names(), [['entry.published', true]])
    assert.equal(await site.count('article'), count + 1)
  })

  test('needs content.publish: an author cannot, not even an own draft', async () => {
    const { id } = await draft(site.author.client)
    const answer = await refused(site, id, 'FORBIDDEN', () => act(site.author.client, id, { action: 'publish' }))
    assert.equal(answer.body.details.permission, 'content.publish')
    await refused(site, id, 'FORBIDDEN', () => act(site.viewer.client, id, { action: 'publish' }))
  })

  test('asks for every required field and for a title', async () => {
    const { id } = await site.add(site.editor.client, {})
    const answer = await refused(site, id, 'VALIDATION_FAILED', () =>
      act(site.editor.client, id, { action: 'publish' }),
    )
    assert.deepEqual(fieldsOf(answer).sort(), ['summary', 'title'])
  })

  test('an unchanged live entry is 200 and sends no event', async () => {
    const { id } = await draft()
    const published = await site.publish(site.editor.client, id)
    site.takeChanges()
    const again = await act(site.editor.client, id, { action: 'publish' })
    assert.deepEqual([again.status, again.body], [200, published])
    assert.deepEqual(names(), [])
  })

  test('promotes unpublished changes; publishedAt stays', async () => {
    const { id } = await draft()
    const published = await site.publish(site.editor.client, id)
    await put(site.editor.client, id, { title: 'Better', slug: 'better-slug', data: { price: 4 }, mode: 'draft' })
    site.takeChanges()
    site.clock.advance(1000)
    const { body } = await act(site.editor.client, id, { action: 'publish' })
    assert.deepEqual(
      [body.pending, body.live.title, body.live.slug, body.live.data.price],
      [false, 'Better', 'better-slug', 4],
    )
    assert.equal(body.publishedAt, published.publishedAt)
    assert.deepEqual(names(), [['entry.published', true]])
  })

  test('checks the slug of unpublished changes again', async () => {
    const { id } = await draft()
    await site.publish(site.editor.client, id)
    await put(site.editor.client, id, { slug: 'contested', mode: 'draft' })
    await site.add(site.editor.client, { slug: 'contested' })
    await refused(site, id, 'SLUG_TAKEN', () => act(site.editor.client, id, { action: 'publish' }))
  })

  test('of twenty entries at once counts each; of one entry ten times counts once', async () => {
    const count = await site.count('article')
    const made = await Promise.all(Array.from({ length: 20 }, (_, index) => draft(site.editor.client, `Many ${index}`)))
    await Promise.all(made.map(({ id }) => site.publish(site.editor.client, id)))
    assert.equal(await site.count('article'), count + 20)
    const one = await draft(site.editor.client, 'Once')
    site.takeChanges()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => act(site.editor.client, one.id, { action: 'publish' })),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.deepEqual(names(), [['entry.published', true]])
    assert.equal(await site.count('article'), count + 21)
  })

  test('for another version is 409', async () => {
    const { id } = await draft()
    await refused(site, id, 'VERSION_CONFLICT', () => act(site.editor.client, id, { action: 'publish', version: 7 }))
    await refused(site, id, 'VERSION_CONFLICT', () =>
      act(site.editor.client, id, { action: 'publish' }, { 'if-match': '"v9"' }),
    )
  })
})

describe('the events', () => {
  test('is written down with who did it, and carries what a website needs to refresh', async () => {
    const { id } = await draft()
    await site.publish(site.editor.client, id)
    site.takeChanges()
    await put(site.editor.client, id, { slug: 'moved-here' })
    const [updated, published] = site.takeChanges()
    assert.deepEqual([updated?.event, published?.event], ['entry.updated', 'entry.published'])
    assert.equal(published?.data.url, 'http://cms.test/blog/moved-here')
    assert.equal('data' in (published?.data ?? {}), false)
    const rows = await site.cms.database.db
      .selectFrom('activity')
      .select(['action', 'actor_id', 'changed'])
      .where('target_id', '=', id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      rows.map(({ action, changed }) => [action, changed]),
      [
        ['entry.created', ['title', 'slug', 'data.summary']],
        ['entry.published', ['status']],
        ['entry.updated', ['slug']],
      ],
    )
    assert.deepEqual(new Set(rows.map(({ actor_id }) => actor_id)), new Set([site.editor.id]))
  })
})

describe('unpublishing', () => {
  test('makes it a draft that keeps its unpublished changes', async () => {
    const { id } = await draft()
    await site.publish(site.editor.client, id)
    await put(site.editor.client, id, { title: 'Kept', mode: 'draft' })
    const count = await site.count('article')
    site.takeChanges()
    const { body } = await act(site.editor.client, id, { action: 'unpublish' })
    assert.deepEqual([body.status, body.title, body.pending, body.live], ['draft', 'Kept', false, null])
    assert.deepEqual(names(), [['entry.unpublished', true]])
    assert.equal(await site.count('article'), count - 1)
  })

  test('a draft is 409', async () => {
    const { id } = await draft()
    await refused(site, id, 'INVALID_STATE', () => act(site.editor.client, id, { action: 'unpublish' }))
  })

  test('needs content.publish', async () => {
    const { id } = await draft(site.author.client)
    await site.publish(site.editor.client, id)
    await refused(site, id, 'FORBIDDEN', () => act(site.author.client, id, { action: 'unpublish' }))
  })
})

describe('returning to draft', () => {
  test('takes a live entry off the website', async () => {
    const { id } = await draft()
    await site.publish(site.editor.client, id)
    site.takeChanges()
    const { body } = await act(site.editor.client, id, { action: 'draft' })
    assert.equal(body.status, 'draft')
    assert.deepEqual(names(), [['entry.unpublished', true]])
  })

  test('of a draft changes nothing; an author cannot return an own live entry', async () => {
    const made = await draft(site.author.client)
    const same = await act(site.author.client, made.id, { action: 'draft' })
    assert.deepEqual([same.status, same.body], [200, made])
    await site.publish(site.editor.client, made.id)
    await refused(site, made.id, 'FORBIDDEN', () => act(site.author.client, made.id, { action: 'draft' }))
  })
})

describe('discarding unpublished changes', () => {
  test('leaves what is live as the working copy', async () => {
    const { id } = await draft()
    const published = await site.publish(site.editor.client, id)
    await put(site.editor.client, id, { title: 'Oops', mode: 'draft' })
    site.takeChanges()
    const answer = await site.editor.client.delete(`/api/entries/${id}/pending`)
    assert.equal(answer.status, 200)
    assert.deepEqual([answer.body.pending, answer.body.title], [false, 'Story'])
    assert.deepEqual(answer.body.live, published.live)
    assert.deepEqual(names(), [['entry.updated', false]])
    await refused(site, id, 'INVALID_STATE', () => site.editor.client.delete(`/api/entries/${id}/pending`))
  })

  test('is refused to an author and for another version', async () => {
    const { id } = await draft(site.author.client)
    await site.publish(site.editor.client, id)
    await put(site.editor.client, id, { title: 'Pending', mode: 'draft' })
    await refused(site, id, 'FORBIDDEN', () => site.author.client.delete(`/api/entries/${id}/pending`))
    await refused(site, id, 'VERSION_CONFLICT', () =>
      site.editor.client.delete(`/api/entries/${id}/pending`, { 'if-match': '"v1"' }),
    )
  })
})
