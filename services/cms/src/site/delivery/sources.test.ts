import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CmsAnswer } from '@stoa/tests/lib/cms.ts'
import { announce, type DeliverySite, type Reader, startDelivery, statementsOf } from './testing/site.ts'

let site: DeliverySite
let reader: Reader
const ids = new Map<string, string>()
const idOf = (slug: string): string => ids.get(slug) ?? ''

before(async () => {
  site = await startDelivery()
  // Changes of fields hand work to others.
  await site.cms.startBackground({ workers: false })
  await site.admin.client.put('/api/settings', { locales: ['en', 'de'] })
  await site.addType('topic', [{ key: 'name', type: 'text' }], { previewUrl: '/t/{slug}' })
  await site.addType(
    'post',
    [
      { key: 'price', type: 'number', indexed: true },
      { key: 'body', type: 'richtext' },
      { key: 'topics', type: 'reference', to: 'topic' },
      { key: 'next', type: 'reference', to: 'post' },
      { key: 'picture', type: 'media' },
      { key: 'extra', type: 'json' },
      {
        key: 'rows',
        type: 'list',
        fields: [
          { key: 'words', type: 'richtext' },
          { key: 'picture', type: 'media' },
        ],
      },
    ],
    { previewUrl: '/p/{slug}' },
  )
  await site.addType('home', [{ key: 'best', type: 'reference', to: 'post' }], { kind: 'single' })
  await site.addTaxonomy('tag', ['red', 'blue'])
  const live = async (slug: string, members: object) => {
    site.clock.advance(1000)
    ids.set(slug, (await site.live({ title: slug, slug, ...members })).id)
  }
  for (const slug of ['sun', 'moon']) await live(slug, { type: 'topic', data: { name: slug } })
  for (const name of ['pic', 'other-pic']) ids.set(name, await site.addMedia())
  const tagged = { terms: [{ taxonomy: 'tag', slug: 'red' }] }
  const link = `<p><a data-entry-id="${idOf('moon')}" href="/t/moon">moon</a></p>`
  const rows = [{ words: link, picture: idOf('pic') }, { words: '<p>"plain"</p>' }]
  const extra = { zebra: [1.5, { long: 'é\u0001', b: null }], ox: -0, ü: '\u2028' }
  const pictured = { price: 1, topics: [idOf('sun')], picture: idOf('pic') }
  await live('one', { type: 'post', data: { ...pictured, extra, rows }, ...tagged })
  await live('two', { type: 'post', data: { price: 2, next: [idOf('one')], body: link } })
  await live('three', { type: 'post', data: { next: [idOf('two')] } })
  await live('home', { type: 'home', data: { best: [idOf('two')] } })
  const { id } = await site.add(site.editor.client, {
    type: 'post',
    title: 'eins',
    slug: 'eins',
    locale: 'de',
    translationOf: idOf('one'),
  })
  ids.set('eins', id)
  const items = [
    { label: 'Sun', entryId: idOf('sun') },
    { label: 'Three', entryId: idOf('three') },
  ]
  assert.equal((await site.admin.client.post('/api/menus', { name: 'top', items })).status, 201)
  reader = await site.reader()
})
after(() => site.close())

const put = async (path: string, body: object) => {
  const answer = await site.admin.client.put(path, body)
  assert.equal(answer.status, 200, answer.text)
}
const setFields = async (change: (fields: { key: string; hidden: boolean }[]) => object[]) => {
  const { fields } = (await site.admin.client.get('/api/types/post')).body
  await put('/api/types/post', { fields: change(fields) })
}
const statusOf = (slug: string, action: string) =>
  site.editor.client.post(`/api/entries/${idOf(slug)}/status`, { action })

const ADDRESSES = [
  '/content',
  '/content/topic',
  '/content/topic/sun',
  '/content/topic/moon?include=author',
  '/content/post',
  '/content/post?sort=-price&limit=2',
  '/content/post?sort=-price&limit=2&page=2',
  '/content/post?depth=0&fields=title',
  '/content/post?term=red',
  '/content/post?term=tag:blue&include=terms',
  '/content/post?filter[price][gte]=2',
  '/content/post?filter[topics.name][eq]=sun',
  '/content/post?filter[topics][exists]=true',
  '/content/post?filter[picture][exists]=true',
  '/content/post?q=three',
  '/content/post/one',
  '/content/post/one?depth=0&include=terms,author',
  '/content/post/one?include=translations&depth=0',
  '/content/post/two',
  '/content/post/two?depth=0',
  '/content/post/three?depth=0',
  '/content/post/three?depth=2',
  '/content/post/three?fields=title',
  '/content/post/eins',
  '/content/post/uno',
  '/content/home/single?depth=2',
  '/site/settings',
  '/site/menus/top',
  '/site/taxonomies/tag',
]

/** The same question in a spelling that nobody has used: no answer to it is in memory. */
let asked = 0
const anew = (address: string): string => {
  asked += 1
  return `${address}${address.includes('?') ? '' : '?'}${'&'.repeat(asked)}`
}

/** Answers as they are made while no entry has a template: of its data. */
const readPlainly = async (): Promise<CmsAnswer[]> => {
  const set = (state: string) => site.cms.database.tx((tx) => tx.query({ text: `update entry_template set ${state}` }))
  await set(`state = 'away ' || state`)
  const answers: CmsAnswer[] = []
  for (const address of ADDRESSES) answers.push(await reader.get(anew(address)))
  await set(`state = substr(state, 6)`)
  return answers
}

/** Lists whose ids are in memory once they were asked for twice. */
const NARROWED = ADDRESSES.filter((address) => /filter|term=/.test(address))

const readAll = async (addresses: readonly string[]): Promise<CmsAnswer[]> => {
  const answers: CmsAnswer[] = []
  for (const address of addresses) answers.push(await reader.get(address))
  return answers
}

const refuseStale = async (change: string): Promise<void> => {
  const shown = ({ status, text }: CmsAnswer) => [status, status === 200 ? text : '']
  const kept = await readAll(ADDRESSES)
  const known = await readAll(NARROWED.map(anew))
  await announce(site, 'type.updated')
  for (const [index, fresh] of (await readPlainly()).entries()) {
    const address = ADDRESSES[index] ?? ''
    const at = NARROWED.indexOf(address)
    for (const answer of [kept[index], known[at]])
      if (answer) assert.deepEqual(shown(answer), shown(fresh), `${address} after ${change}`)
  }
  await readAll([...ADDRESSES, ...NARROWED.map(anew)])
}

/** Statements for each address: those of none are answered from memory. */
const forgotten = async (): Promise<string[]> => {
  const found: string[] = []
  for (const address of ADDRESSES)
    if ((await statementsOf(site, () => reader.get(address))).length > 0) found.push(address)
  return found
}

describe('what a change drops', () => {
  const changes: [string, () => Promise<unknown>][] = [
    ['a title', () => put(`/api/entries/${idOf('one')}`, { title: 'Uno' })],
    ['a slug', () => put(`/api/entries/${idOf('one')}`, { slug: 'uno' })],
    ['the slug back', () => put(`/api/entries/${idOf('one')}`, { slug: 'one' })],
    ['a draft that takes an old slug', () => site.add(site.editor.client, { type: 'post', title: 'x', slug: 'uno' })],
    ['a price', () => put(`/api/entries/${idOf('three')}`, { data: { price: 9 } })],
    ['a reference', () => put(`/api/entries/${idOf('three')}`, { data: { topics: [idOf('moon')] } })],
    ['a target of references', () => put(`/api/entries/${idOf('sun')}`, { data: { name: 'Sol' }, slug: 'sol' })],
    ['the end of a branch', () => put(`/api/entries/${idOf('moon')}`, { title: 'Luna', slug: 'luna' })],
    ['a target that is unpublished', () => statusOf('moon', 'unpublish')],
    ['a target that is published again', () => statusOf('moon', 'publish')],
    ['a translation', () => statusOf('eins', 'publish')],
    ['a translation that is renamed', () => put(`/api/entries/${idOf('eins')}`, { slug: 'erstes' })],
    ['a term', () => put('/api/taxonomies/tag/terms/red', { name: 'Crimson', slug: 'crimson' })],
    ['the terms of an entry', () => put(`/api/entries/${idOf('two')}/terms`, { taxonomy: 'tag', terms: ['blue'] })],
    ['a file', () => put(`/api/media/${idOf('pic')}`, { alt: 'Described' })],
    ['a file that is deleted', () => site.admin.client.delete(`/api/media/${idOf('pic')}?force=true`)],
    ['the name of an author', () => put(`/api/users/${site.editor.id}`, { name: 'Edith' })],
    ['a menu', () => put('/api/menus/top', { items: [{ label: 'Two', entryId: idOf('two') }] })],
    ['the entry of a menu', () => statusOf('two', 'unpublish')],
    ['and back', () => statusOf('two', 'publish')],
    ['the settings', () => put('/api/settings', { title: 'New', url: 'https://new.test' })],
    ['a type', () => put('/api/types/topic', { previewUrl: '/topics/{slug}' })],
    ['the order of fields', () => setFields((fields) => fields.toReversed())],
    [
      'a hidden field',
      () => setFields((fields) => fields.map((f) => (f.key === 'extra' ? { ...f, hidden: true } : f))),
    ],
    ['and shown again', () => setFields((fields) => fields.map((f) => ({ ...f, hidden: false })))],
    ['an entry in the trash', () => site.editor.client.delete(`/api/entries/${idOf('one')}`)],
    ['the end of an origin', () => site.admin.client.delete(`/api/trash/${idOf('one')}`)],
    ['a new entry', () => site.live({ type: 'post', title: 'four', data: { price: 4, topics: [idOf('sun')] } })],
  ]
  test('is everything that shows it: no answer from memory is another than one that is made now', async () => {
    await refuseStale('nothing')
    for (const [name, change] of changes) {
      await change()
      await refuseStale(name)
    }
  })

  test('entries that are saved or published have their template, and those that are not shown have none', async () => {
    const states = (slug: string) =>
      site.cms.database.db.query<{ isCurrent: boolean }>({
        text: `select t.version = e.live_version as "isCurrent" from entry_template t join entry e on e.id = t.entry_id
          where e.id = $1`,
        values: [idOf(slug)],
      })
    assert.deepEqual(await states('two'), [{ isCurrent: true }])
    await statusOf('two', 'unpublish')
    assert.deepEqual(await states('two'), [])
    await statusOf('two', 'publish')
    assert.deepEqual(await states('two'), [{ isCurrent: true }])
  })

  test('is nothing else', async () => {
    await forgotten()
    assert.deepEqual(await forgotten(), [...(await missing())])
    await put(`/api/entries/${idOf('three')}`, { title: 'Drei' })
    const dropped = await forgotten()
    for (const address of ['/content/post', '/content/post/three?depth=0', '/content/post?term=tag:blue&include=terms'])
      assert.ok(dropped.includes(address), address)
    for (const address of ['/content', '/content/topic', '/content/post/two', '/site/settings', '/site/menus/top'])
      assert.ok(!dropped.includes(address), address)
    await put('/api/menus/top', { items: [{ label: 'Sun', entryId: idOf('sun') }] })
    assert.deepEqual(await forgotten(), ['/site/menus/top', ...(await missing())].toSorted(byPlace))
    // A slug that was left is free for any entry, drafts included.
    await site.add(site.editor.client, { type: 'post', title: 'Only a draft' })
    assert.deepEqual(await forgotten(), ['/content/post/eins', ...(await missing())].toSorted(byPlace))
  })

  test('a filtered total that nothing has changed is not counted again', async () => {
    const counts = async () =>
      (await statementsOf(site, () => reader.get(anew('/content/post?filter[price][gte]=2')))).filter((text) =>
        text.includes('count(*)'),
      ).length
    await counts()
    await put(`/api/entries/${idOf('sun')}`, { title: 'Star' })
    assert.equal(await counts(), 0)
    await put(`/api/entries/${idOf('three')}`, { title: 'Trois' })
    assert.deepEqual([await counts(), await counts()], [1, 0])
  })
})

/** Addresses that are answered with an error, which is never kept. */
const missing = async (): Promise<string[]> => {
  const found: string[] = []
  for (const address of ADDRESSES) if ((await reader.get(address)).status !== 200) found.push(address)
  return found
}

const byPlace = (one: string, other: string): number => ADDRESSES.indexOf(one) - ADDRESSES.indexOf(other)
