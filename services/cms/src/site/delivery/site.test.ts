import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type DeliverySite, type Reader, startDelivery } from './testing/site.ts'

let site: DeliverySite
let reader: Reader
let page: { id: string }
let draft: { id: string }
let plain: { id: string }
before(async () => {
  site = await startDelivery()
  await site.addType('page', [], { previewUrl: '/{locale}/{slug}' })
  await site.addType('plain', [])
  page = await site.live({ type: 'page', title: 'About us', data: {} })
  plain = await site.live({ type: 'plain', title: 'No address', data: {} })
  draft = await site.add(site.editor.client, { type: 'page', title: 'Later' })
  reader = await site.reader()
})
after(() => site.close())

const items = [
  { id: 'home', label: 'Home', url: '/', target: '_blank' },
  {
    id: 'more',
    label: 'More',
    url: 'https://example.test/x',
    children: [{ id: 'about', label: 'About', entryId: 'PAGE' }],
  },
  { id: 'later', label: 'Later', entryId: 'DRAFT', children: [{ id: 'below', label: 'Below', url: '/below' }] },
  { id: 'plain', label: 'Plain', entryId: 'PLAIN' },
]
const withIds = (text: string) =>
  JSON.parse(text.replaceAll('PAGE', page.id).replaceAll('DRAFT', draft.id).replaceAll('PLAIN', plain.id))

describe('/site/menus/:name', () => {
  before(async () => {
    const made = await site.editor.client.post('/api/menus', {
      name: 'main',
      label: 'Main',
      items: withIds(JSON.stringify(items)),
    })
    assert.equal(made.status, 201, made.text)
  })

  test('resolves entries to addresses, keeps address links, and drops drafts with all below them', async () => {
    assert.deepEqual(await reader.read('/site/menus/main'), {
      name: 'main',
      label: 'Main',
      items: [
        { id: 'home', label: 'Home', url: '/', target: '_blank', children: [] },
        {
          id: 'more',
          label: 'More',
          url: 'https://example.test/x',
          children: [
            { id: 'about', label: 'About', url: 'http://cms.test/en/about-us', entryId: page.id, children: [] },
          ],
        },
        { id: 'plain', label: 'Plain', url: null, entryId: plain.id, children: [] },
      ],
    })
  })

  test('C8: drops what is outside of the scopes of the key', async () => {
    const narrow = await site.reader(['article'])
    const { items: shown } = await narrow.read('/site/menus/main')
    assert.deepEqual(
      shown.map(({ id, children }: { id: string; children: unknown[] }) => [id, children.length]),
      [
        ['home', 0],
        ['more', 0],
      ],
    )
  })

  test('follows publishing, a new slug, a new template and a deleted entry at once', async () => {
    await site.publish(site.editor.client, draft.id)
    const urlOf = async (id: string) =>
      JSON.stringify((await reader.read('/site/menus/main')).items).match(
        new RegExp(`"id":"${id}"[^}]*?"url":"([^"]*)"`),
      )?.[1]
    assert.equal(await urlOf('later'), 'http://cms.test/en/later')
    await site.editor.client.put(`/api/entries/${draft.id}`, { slug: 'soon' })
    assert.equal(await urlOf('later'), 'http://cms.test/en/soon')
    await site.admin.client.put('/api/types/page', { previewUrl: 'https://other.test/:slug' })
    assert.equal(await urlOf('later'), 'https://other.test/soon')
    await site.admin.client.put('/api/types/page', { previewUrl: '/{locale}/{slug}' })
    await site.editor.client.delete(`/api/entries/${draft.id}`)
    assert.equal(await urlOf('later'), undefined)
    assert.equal(await urlOf('below'), undefined)
  })

  test('is 404 for a menu that is not there, and after it was deleted', async () => {
    assert.equal((await reader.get('/site/menus/nope')).body.code, 'NOT_FOUND')
    await site.editor.client.post('/api/menus', { name: 'gone', items: [] })
    assert.equal((await reader.get('/site/menus/gone')).status, 200)
    await site.editor.client.delete('/api/menus/gone')
    assert.equal((await reader.get('/site/menus/gone')).status, 404)
  })
})

describe('/site/settings', () => {
  test('is flat, with files as absolute addresses, and nothing that visitors need not know', async () => {
    const logo = await site.addMedia()
    await site.admin.client.put('/api/settings', { title: 'Stoa', url: 'https://example.test', logoId: logo })
    assert.deepEqual(await reader.read('/site/settings'), {
      title: 'Stoa',
      tagline: '',
      description: '',
      url: 'https://example.test',
      locale: 'en',
      logo: `http://cms.test/media/${logo}/hash/a.png`,
      socialImage: null,
      logoId: logo,
      socialImageId: null,
    })
    await site.admin.client.put('/api/settings', { title: 'Porch', logoId: null, url: null })
    const after = await reader.read('/site/settings')
    assert.deepEqual([after.title, after.logo, after.url], ['Porch', null, null])
  })
})

describe('every answer of delivery', () => {
  test('is privately cacheable, has a strong ETag, and 304 for who has it', async () => {
    for (const path of ['/content', '/content/page', '/content/page/about-us', '/site/settings', '/site/menus/main']) {
      const first = await reader.get(path)
      assert.equal(first.headers.get('cache-control'), 'private, no-cache')
      assert.equal(first.headers.get('vary'), 'X-Api-Key, Origin, Accept-Encoding')
      assert.equal(first.headers.get('x-cms-version'), '1.0')
      assert.equal(first.headers.get('x-content-type-options'), 'nosniff')
      const etag = first.headers.get('etag') ?? ''
      assert.match(etag, /^"[\w-]{20,}"$/)
      const again = await reader.get(path, { 'if-none-match': etag })
      assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag])
      assert.equal((await reader.get(path, { 'if-none-match': '"other"' })).status, 200)
      const bare = await site.client().get(path, { 'if-none-match': etag })
      assert.equal(bare.status, 401, 'authorised before anything else')
    }
  })

  test('has no body for HEAD, and the same headers', async () => {
    const got = await reader.get('/content/page')
    const head = await site.client().send('HEAD', '/content/page', { headers: { 'x-api-key': reader.key } })
    assert.deepEqual([head.status, head.text], [200, ''])
    for (const name of ['etag', 'content-type', 'content-length', 'vary'])
      assert.equal(head.headers.get(name), got.headers.get(name))
  })

  test('is not kept when it is an error', async () => {
    assert.equal((await reader.get('/content/none')).headers.get('cache-control'), 'no-store')
  })
})
