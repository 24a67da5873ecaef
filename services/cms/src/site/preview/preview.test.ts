import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsAnswer, CmsClient } from '@stoa/tests/lib/cms.ts'
import { fieldsOf, type Site, startSite } from '../../content/entries/testing/site.ts'
import { deliveryKeyFor } from '../../people/delivery-keys/testing/keys.ts'

let site: Site
let key: string
let narrow: string
before(async () => {
  site = await startSite({ env: { DELIVERY_ORIGINS: 'https://site.test' } })
  await site.addType('note', [{ key: 'text', type: 'text' }])
  await site.addType('review', [
    { key: 'text', type: 'text' },
    { key: 'about', type: 'reference', to: 'article', multiple: false },
    { key: 'inner', type: 'text', hidden: true },
  ])
  key = (await deliveryKeyFor(site.admin)).key
  narrow = (await deliveryKeyFor(site.admin, ['note'])).key
})
after(() => site.close())

const preview = async (client: CmsClient, id: string, body?: object): Promise<CmsAnswer['body']> => {
  const answer = await client.post(`/api/entries/${id}/preview`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const open = (token: string, apiKey = key, query = ''): Promise<CmsAnswer> =>
  site.client().get(`/preview/${token}${query}`, { 'x-api-key': apiKey })
const shown = async (token: string): Promise<CmsAnswer['body']> => {
  const answer = await open(token)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const ended = async (token: string, apiKey = key): Promise<void> => {
  const [one, unknown] = [await open(token, apiKey), await open('x'.repeat(43))]
  assert.deepEqual([one.status, one.body], [404, unknown.body])
  assert.equal(one.body.code, 'PREVIEW_NOT_FOUND')
  assert.equal(one.headers.get('cache-control'), 'no-store')
}

describe('a preview of what is saved', () => {
  test('has a token, its end after an hour, and the addresses of the template', async () => {
    const entry = await site.add(site.author.client, { title: 'Über uns' })
    site.takeChanges()
    const link = await preview(site.author.client, entry.id)
    assert.deepEqual(Object.keys(link), ['token', 'expiresAt', 'url', 'siteUrl'])
    assert.equal(Date.parse(link.expiresAt) - site.clock.now().getTime(), 3_600_000)
    assert.equal(link.siteUrl, `http://cms.test/blog/${entry.slug}`)
    assert.equal(link.url, `${link.siteUrl}?preview=${link.token}`)
    assert.match(link.token, /^[\w-]{43}$/)
    assert.deepEqual(site.takeChanges(), [])
    const note = await site.add(site.editor.client, { type: 'note', title: 'No address' })
    const { url, siteUrl } = await preview(site.editor.client, note.id)
    assert.deepEqual([url, siteUrl], [null, null])
  })

  test('shows the working copy as it is when it is opened', async () => {
    const { client } = site.editor
    const entry = await site.add(client, { title: 'First', data: { summary: 's' } })
    const { token } = await preview(client, entry.id)
    const draft = await shown(token)
    assert.deepEqual([draft.title, draft.status, draft.data.summary], ['First', 'draft', 's'])
    await site.publish(client, entry.id)
    await client.put(`/api/entries/${entry.id}`, { title: 'Second', mode: 'draft' })
    const pending = await shown(token)
    assert.deepEqual([pending.title, pending.status], ['Second', 'published'])
    const live = await site.client().get(`/content/article/${entry.slug}`, { 'x-api-key': key })
    assert.equal(live.body.title, 'First')
  })

  test('is rendered like delivery: fields in place, hidden ones left out, references only if published', async () => {
    const { client } = site.editor
    const target = await site.add(client, { title: 'Target', data: { summary: 's' } })
    const data = { text: 't', about: target.id, inner: 'secret' }
    const review = await site.add(client, { type: 'review', title: 'Review', data })
    const { token } = await preview(client, review.id)
    assert.deepEqual((await shown(token)).data, { text: 't', about: null })
    await site.publish(client, target.id)
    const whole = await shown(token)
    assert.deepEqual([whole.data.about.title, whole.data.about.type], ['Target', 'article'])
    assert.equal((await open(token, key, '?include=author')).body.author.id, site.editor.id)
    assert.equal((await open(token, key, '?include=secrets')).status, 400)
  })

  test('is never kept by a cache, also not for a browser of an allowed origin', async () => {
    const entry = await site.add(site.editor.client, { title: 'Fresh' })
    const { token } = await preview(site.editor.client, entry.id)
    const answer = await site.client().get(`/preview/${token}`, { 'x-api-key': key, origin: 'https://site.test' })
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal(answer.headers.get('access-control-allow-origin'), 'https://site.test')
    assert.equal(answer.headers.get('etag'), null)
  })
})

describe('a preview of unsaved changes', () => {
  test('shows them merged over the working copy, cleaned, and saves nothing', async () => {
    const { client } = site.editor
    const entry = await site.add(client, { title: 'Saved', data: { summary: 's', price: 1 } })
    const before = await site.read(entry.id)
    site.takeChanges()
    const sent = {
      title: 'Unsaved',
      slug: 'unsaved',
      data: { price: 2, body: '<p onclick=x>hi<script>1</script></p>' },
    }
    const link = await preview(client, entry.id, sent)
    assert.equal(link.siteUrl, 'http://cms.test/blog/unsaved')
    const { title, slug, data, url } = await shown(link.token)
    assert.deepEqual([title, slug, url], ['Unsaved', 'unsaved', link.siteUrl])
    assert.deepEqual([data.price, data.summary, data.body], [2, 's', '<p>hi</p>'])
    assert.deepEqual(await site.read(entry.id), before)
    assert.deepEqual(site.takeChanges(), [])
    await client.put(`/api/entries/${entry.id}`, { data: { price: 3 } })
    assert.equal((await shown(link.token)).data.price, 2)
  })

  test('is checked like a save, without what is required only for the public', async () => {
    const { client } = site.editor
    const other = await site.add(client, { title: 'Other' })
    const entry = await site.add(client, { title: 'Checked', data: { summary: 's' } })
    const refuse = async (body: unknown, code: string, keys: string[]) => {
      const answer = await client.post(`/api/entries/${entry.id}/preview`, body)
      assert.deepEqual([answer.body.code, fieldsOf(answer)], [code, keys])
    }
    await refuse({ data: { price: 'much' } }, 'VALIDATION_FAILED', ['price'])
    await refuse({ data: { nothing: 1 } }, 'VALIDATION_FAILED', ['nothing'])
    await refuse({ slug: 'Not A Slug' }, 'VALIDATION_FAILED', ['slug'])
    await refuse({ slug: 'single' }, 'RESERVED_SLUG', ['slug'])
    await refuse({ slug: other.slug }, 'SLUG_TAKEN', ['slug'])
    await refuse({ replaces: 1 }, 'VALIDATION_FAILED', ['replaces'])
    for (const member of ['status', 'locale', 'version', 'mode'])
      await refuse({ [member]: 'x' }, 'VALIDATION_FAILED', [member])
    await preview(client, entry.id, { data: { summary: null } })
  })

  test('of more than 1,048,576 bytes is refused, and one byte less is not', async () => {
    const { client } = site.editor
    const entry = await site.add(client, { title: 'Large', type: 'note' })
    await site.addType('page', [
      { key: 'text', type: 'textarea' },
      { key: 'more', type: 'textarea' },
    ])
    const page = await site.add(client, { type: 'page', title: 'P', slug: 'p' })
    const empty = JSON.stringify({ title: 'P', slug: 'p', data: { text: '', more: '' } })
    const room = 1_048_576 - Buffer.byteLength(empty)
    // Two bytes each in UTF-8.
    const fits = { data: { text: 'é'.repeat(200_000), more: 'x'.repeat(room - 400_000) } }
    await preview(client, page.id, fits)
    const answer = await client.post(`/api/entries/${page.id}/preview`, {
      data: { ...fits.data, more: `${fits.data.more}x` },
    })
    assert.deepEqual([answer.status, answer.body.code], [413, 'PAYLOAD_TOO_LARGE'])
    await client.delete(`/api/entries/${page.id}`)
    await client.delete(`/api/entries/${entry.id}`)
  })
})

describe('who may', () => {
  test('C16: everyone who may edit an entry may preview it, and nothing is left of a refused preview', async () => {
    const entry = await site.add(site.editor.client, { title: 'Not yours' })
    const count = async () =>
      (await site.cms.database.db.query({ text: 'select 1 from preview where entry_id = $1', values: [entry.id] }))
        .length
    for (const person of [site.author, site.viewer])
      for (const body of [undefined, { title: 'Mine now' }]) {
        const answer = await person.client.post(`/api/entries/${entry.id}/preview`, body)
        assert.deepEqual([answer.status, answer.body.code], [403, 'FORBIDDEN'])
      }
    assert.equal((await site.admin.client.post(`/api/entries/${newId()}/preview`)).status, 404)
    assert.equal((await site.admin.client.post('/api/entries/nothing/preview')).status, 404)
    assert.equal(await count(), 0)
  })

  test('open a link is a key that reads the type; everyone else gets the same 404', async () => {
    const entry = await site.add(site.editor.client, { title: 'Scoped' })
    const { token } = await preview(site.editor.client, entry.id)
    await ended(token, narrow)
    await shown(token)
    assert.equal((await site.client().get(`/preview/${token}`)).status, 401)
    assert.equal((await site.editor.client.get(`/preview/${token}`)).body.code, 'WRONG_CREDENTIAL_KIND')
  })
})

describe('a link ends', () => {
  test('after an hour', async () => {
    const entry = await site.add(site.editor.client, { title: 'Hour' })
    const { token } = await preview(site.editor.client, entry.id, { title: 'x' })
    site.clock.advance(3_599_999)
    await shown(token)
    site.clock.advance(1)
    await ended(token)
  })

  test('with its entry, also when that comes back from the trash', async () => {
    const entry = await site.add(site.editor.client, { title: 'Trashed' })
    const tokens = [
      (await preview(site.editor.client, entry.id)).token,
      (await preview(site.editor.client, entry.id, { title: 'y' })).token,
    ]
    await site.editor.client.delete(`/api/entries/${entry.id}`)
    for (const token of tokens) await ended(token)
    await site.editor.client.post(`/api/entries/${entry.id}/restore`)
    for (const token of tokens) await ended(token)
    await site.editor.client.delete(`/api/entries/${entry.id}`)
    const answer = await site.editor.client.post(`/api/entries/${entry.id}/preview`)
    assert.equal(answer.body.code, 'INVALID_STATE')
  })

  test('when another one of the entry takes its place, and not for another entry', async () => {
    const [one, two] = [
      await site.add(site.editor.client, { title: 'One' }),
      await site.add(site.editor.client, { title: 'Two' }),
    ]
    const first = await preview(site.editor.client, one.id, { title: '1' })
    await preview(site.editor.client, two.id, { title: '2', replaces: first.token })
    await shown(first.token)
    const second = await preview(site.editor.client, one.id, { title: '3', replaces: first.token })
    await ended(first.token)
    assert.equal((await shown(second.token)).title, '3')
  })

  test('with the account of the person who made it', async () => {
    const leaver = await site.person('editor')
    const entry = await site.add(leaver.client, { title: 'Left behind' })
    const { token } = await preview(leaver.client, entry.id)
    await shown(token)
    const owner = await site.person('owner')
    assert.equal((await owner.client.delete(`/api/users/${leaver.id}`)).status, 204)
    await ended(token)
  })
})
