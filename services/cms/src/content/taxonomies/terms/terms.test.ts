import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type Ground, keysOf, type NewTerm, startGround } from '../testing/ground.ts'
import { insertEntry, insertType, listAttachments } from '../testing/queries.ts'

let ground: Ground
before(async () => {
  ground = await startGround()
  await insertType(ground.service, 'page')
})
after(() => ground.close())

const pathOf = (taxonomy: string, slug = '') => `/api/taxonomies/${taxonomy}/terms${slug && `/${slug}`}`
const post = (taxonomy: string, body: unknown) => ground.client.post(pathOf(taxonomy), body)
const get = (taxonomy: string, slug: string) => ground.client.get(pathOf(taxonomy, slug))
const put = (taxonomy: string, slug: string, body: unknown, headers: Record<string, string> = {}) =>
  ground.client.put(pathOf(taxonomy, slug), body, headers)
const remove = (taxonomy: string, slug: string) => ground.client.delete(pathOf(taxonomy, slug))

/** A hierarchical taxonomy with one term per path, such as `a`, `a/b`; the last name is its slug. */
const grow = async (...paths: string[]): Promise<{ taxonomy: string; ids: Map<string, string> }> => {
  const taxonomy = await ground.newTaxonomy({ hierarchical: true })
  const ids = new Map<string, string>()
  for (const path of paths) {
    const [name = '', parent] = path.split('/').reverse()
    const parentId = parent === undefined ? null : ids.get(parent)
    ids.set(name, (await ground.newTerm(taxonomy, { name, parentId })).id)
  }
  return { taxonomy, ids }
}

describe('adding a term', () => {
  test('answers the bare record with its version; a term needs no more than a name', async () => {
    const taxonomy = await ground.newTaxonomy()
    const answer = await post(taxonomy, { name: ' Café & Bar ' })
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.get('etag'), '"v1"')
    assert.deepEqual(answer.body, {
      id: answer.body.id,
      slug: 'cafe-bar',
      name: 'Café & Bar',
      description: '',
      parentId: null,
      position: 0,
      count: 0,
      version: 1,
    })
    assert.deepEqual((await get(taxonomy, 'cafe-bar')).body, answer.body)
  })

  test('a slug that is made of the name is one that is free', async () => {
    const taxonomy = await ground.newTaxonomy()
    const slugs = []
    for (const name of ['News', 'NEWS', 'news!', 'Single', 'x'.repeat(200), 'X'.repeat(200)])
      slugs.push((await ground.newTerm(taxonomy, { name })).slug)
    assert.deepEqual(slugs, ['news', 'news-2', 'news-3', 'single', 'x'.repeat(200), `${'x'.repeat(198)}-2`])
  })

  test('a name without a letter for a slug has the id as slug', async () => {
    const taxonomy = await ground.newTaxonomy()
    const term = await ground.newTerm(taxonomy, { name: '日本' })
    assert.equal(term.slug, term.id)
    assert.equal((await get(taxonomy, term.slug)).body.id, term.id)
  })

  test('a given slug that is taken in this taxonomy is refused; in another it is free', async () => {
    const [taxonomy, other] = [await ground.newTaxonomy(), await ground.newTaxonomy()]
    await ground.newTerm(taxonomy, { name: 'News', slug: 'constructor' })
    await ground.refused('SLUG_TAKEN', () => post(taxonomy, { name: 'Other', slug: 'constructor' }))
    assert.equal((await post(other, { name: 'Other', slug: 'constructor' })).status, 201)
  })

  test('of ten racing ones with a given slug one wins; with a made one all do', async () => {
    const taxonomy = await ground.newTaxonomy()
    const ten = (body: unknown) => Promise.all(Array.from({ length: 10 }, () => post(taxonomy, body)))
    const given = await ten({ name: 'News', slug: 'given' })
    assert.deepEqual(given.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)])
    const made = await ten({ name: 'News' })
    assert.equal(new Set(made.map(({ body }) => body.slug)).size, 10)
    assert.equal(new Set(made.map(({ body }) => body.position)).size, 10)
  })

  for (const [key, body] of [
    ['name', {}],
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(201) }],
    ['name', { name: 'a\u2028b' }],
    ['slug', { name: 'x', slug: '' }],
    ['slug', { name: 'x', slug: 'Big' }],
    ['slug', { name: 'x', slug: '__proto__' }],
    ['slug', { name: 'x', slug: 'x'.repeat(201) }],
    ['description', { name: 'x', description: 'x'.repeat(2001) }],
    ['parentId', { name: 'x', parentId: 'x' }],
    ['position', { name: 'x', position: -1 }],
    ['position', { name: 'x', position: 0.5 }],
    ['position', { name: 'x', position: 1e9 }],
    ['parent', { name: 'x', parent: 'news' }],
    ['count', { name: 'x', count: 7 }],
    ['taxonomyId', { name: 'x', taxonomyId: newId() }],
  ] as [string, unknown][])
    test(`refuses ${JSON.stringify(body).slice(0, 50)}, naming ${key}`, async () => {
      const taxonomy = await ground.newTaxonomy({ hierarchical: true })
      assert.deepEqual(keysOf(await ground.refused('VALIDATION_FAILED', () => post(taxonomy, body))), [key])
    })

  test('in a taxonomy that does not exist is not found', async () => {
    await ground.refused('NOT_FOUND', () => post('missing', { name: 'x' }))
    await ground.refused('NOT_FOUND', () => ground.client.get(pathOf('missing')))
    const taxonomy = await ground.newTaxonomy()
    for (const slug of ['missing', '__proto__', '%00', '..%2f'])
      await ground.refused('NOT_FOUND', () => get(taxonomy, slug))
  })
})

describe('a parent', () => {
  const parentRefused = async (attempt: () => ReturnType<typeof put>) =>
    assert.deepEqual(keysOf(await ground.refused('VALIDATION_FAILED', attempt)), ['parentId'])

  test('is for hierarchical taxonomies only', async () => {
    const taxonomy = await ground.newTaxonomy()
    const { id } = await ground.newTerm(taxonomy, { name: 'a' })
    await ground.newTerm(taxonomy, { name: 'b', parentId: null })
    await parentRefused(() => post(taxonomy, { name: 'c', parentId: id }))
    await parentRefused(() => put(taxonomy, 'b', { parentId: id }))
  })

  test('is a term of the same taxonomy', async () => {
    const { taxonomy } = await grow('a')
    const foreign = await grow('b')
    for (const parentId of [foreign.ids.get('b'), newId()]) {
      await parentRefused(() => post(taxonomy, { name: 'c', parentId }))
      await parentRefused(() => put(taxonomy, 'a', { parentId }))
    }
  })

  test('is neither the term itself nor one below it', async () => {
    const { taxonomy, ids } = await grow('a', 'a/b', 'b/c')
    for (const name of ['a', 'b', 'c']) await parentRefused(() => put(taxonomy, 'a', { parentId: ids.get(name) }))
    assert.equal((await put(taxonomy, 'c', { parentId: ids.get('a') })).status, 200)
  })

  test('of two moves that would together make a circle one is refused', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { taxonomy, ids } = await grow('a', 'b')
      const answers = await Promise.all([
        put(taxonomy, 'a', { parentId: ids.get('b') }),
        put(taxonomy, 'b', { parentId: ids.get('a') }),
      ])
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
      assert.equal((await ground.tree(taxonomy)).length, 2)
    }
  })

  test('makes ten levels at most, with all that comes along', async () => {
    const levels = Array.from({ length: 9 }, (_, index) => (index === 0 ? 'l0' : `l${index - 1}/l${index}`))
    const { taxonomy, ids } = await grow(...levels, 'a', 'a/b')
    await parentRefused(() => put(taxonomy, 'a', { parentId: ids.get('l8') }))
    assert.equal((await put(taxonomy, 'a', { parentId: ids.get('l7') })).status, 200)
    await parentRefused(() => post(taxonomy, { name: 'c', parentId: ids.get('b') }))
    assert.ok((await ground.tree(taxonomy)).includes('l0/l1/l2/l3/l4/l5/l6/l7/a/b'))
  })
})

describe('places', () => {
  test('a parent is listed before its children, and siblings by position', async () => {
    const { taxonomy } = await grow('a', 'b', 'a/x', 'a/y', 'x/z', 'c')
    assert.deepEqual(await ground.tree(taxonomy), ['a', 'a/x', 'a/x/z', 'a/y', 'b', 'c'])
  })

  for (const [slug, position, expected] of [
    ['a', 2, ['b', 'c', 'a', 'd']],
    ['d', 0, ['d', 'a', 'b', 'c']],
    ['b', 3, ['a', 'c', 'd', 'b']],
    ['c', 1, ['a', 'c', 'b', 'd']],
    ['b', 1, ['a', 'b', 'c', 'd']],
    ['a', 100, ['b', 'c', 'd', 'a']],
  ] as [string, number, string[]][])
    test(`${slug} moves to position ${position}, and its siblings close up`, async () => {
      const { taxonomy } = await grow('a', 'b', 'c', 'd')
      assert.equal((await put(taxonomy, slug, { position })).body.position, position)
      assert.deepEqual(await ground.tree(taxonomy), expected)
    })

  test('moving a term is no edit of its siblings: their versions stay', async () => {
    const { taxonomy } = await grow('a', 'b', 'c')
    await put(taxonomy, 'a', { position: 2 })
    const { body } = await ground.client.get(pathOf(taxonomy))
    assert.deepEqual(
      body.items.map(({ slug, position, version }: NewTerm) => [slug, position, version]),
      [
        ['b', 0, 1],
        ['c', 1, 1],
        ['a', 2, 2],
      ],
    )
  })

  test('a newcomer takes the place it asks for, or the last one', async () => {
    const { taxonomy, ids } = await grow('a', 'b', 'b/x')
    await ground.newTerm(taxonomy, { name: 'first', position: 0 })
    await ground.newTerm(taxonomy, { name: 'last' })
    await ground.newTerm(taxonomy, { name: 'y', parentId: ids.get('b'), position: 0 })
    assert.deepEqual(await ground.tree(taxonomy), ['first', 'a', 'b', 'b/y', 'b/x', 'last'])
  })

  test('with a new parent a term moves to the end, or to the given position', async () => {
    const { taxonomy, ids } = await grow('a', 'a/x', 'a/y', 'b', 'c')
    await put(taxonomy, 'b', { parentId: ids.get('a') })
    assert.deepEqual(await ground.tree(taxonomy), ['a', 'a/x', 'a/y', 'a/b', 'c'])
    await put(taxonomy, 'c', { parentId: ids.get('a'), position: 1 })
    assert.deepEqual(await ground.tree(taxonomy), ['a', 'a/x', 'a/c', 'a/y', 'a/b'])
    await put(taxonomy, 'x', { parentId: null, position: 0 })
    assert.deepEqual(await ground.tree(taxonomy), ['x', 'a', 'a/c', 'a/y', 'a/b'])
  })
})

describe('changing a term', () => {
  test('changes only the members sent, the slug too', async () => {
    const { taxonomy, ids } = await grow('a', 'a/b')
    const before = (await get(taxonomy, 'b')).body
    const answer = await put(taxonomy, 'b', { name: 'Bee', description: ' Buzz ' })
    assert.deepEqual(answer.body, { ...before, name: 'Bee', description: 'Buzz', version: 2 })
    assert.equal(answer.headers.get('etag'), '"v2"')
    const renamed = await put(taxonomy, 'b', { slug: 'bee' })
    assert.deepEqual(renamed.body, { ...answer.body, slug: 'bee', version: 3 })
    assert.equal(renamed.body.parentId, ids.get('a'))
    await ground.refused('NOT_FOUND', () => put(taxonomy, 'b', { name: 'x' }))
    await ground.refused('SLUG_TAKEN', () => put(taxonomy, 'bee', { slug: 'a' }))
  })

  test('what is as it was makes no new version', async () => {
    const { taxonomy } = await grow('a')
    const before = (await get(taxonomy, 'a')).body
    const { name, slug, description, parentId, position } = before
    assert.deepEqual((await put(taxonomy, 'a', { name, slug, description, parentId, position })).body, before)
  })

  test('of two changes for the same version one is refused', async () => {
    const { taxonomy } = await grow('a')
    const answers = await Promise.all(['x', 'y'].map((name) => put(taxonomy, 'a', { name }, { 'if-match': '"v1"' })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    assert.equal(answers.find(({ status }) => status === 409)?.body.code, 'VERSION_CONFLICT')
    assert.deepEqual((await get(taxonomy, 'a')).body, answers.find(({ status }) => status === 200)?.body)
  })

  test('a body version counts, and If-Match beats it', async () => {
    const { taxonomy } = await grow('a')
    await ground.refused('VERSION_CONFLICT', () => put(taxonomy, 'a', { name: 'x', version: 2 }))
    await ground.refused('VERSION_CONFLICT', () =>
      put(taxonomy, 'a', { name: 'x', version: 1 }, { 'if-match': '"v2"' }),
    )
    assert.equal((await put(taxonomy, 'a', { name: 'x', version: 9 }, { 'if-match': '"v1"' })).status, 200)
  })
})

describe('removing a term', () => {
  test('the terms below it take its place, and entries lose only it', async () => {
    const { taxonomy, ids } = await grow('a', 'b', 'b/x', 'b/y', 'x/z', 'c')
    const entryId = await insertEntry(ground.service, { type: 'page' })
    const [b, x] = [(await get(taxonomy, 'b')).body, (await get(taxonomy, 'x')).body]
    await ground.attach(entryId, b, x)
    assert.equal((await remove(taxonomy, 'b')).status, 204)
    assert.deepEqual(await ground.tree(taxonomy), ['a', 'x', 'x/z', 'y', 'c'])
    assert.equal((await get(taxonomy, 'x')).body.version, 2)
    assert.deepEqual(
      (await listAttachments(ground.service)).filter(({ entry_id }) => entry_id === entryId),
      [{ entry_id: entryId, term_id: ids.get('x') }],
    )
    await remove(taxonomy, 'x')
    assert.deepEqual(await ground.tree(taxonomy), ['a', 'z', 'y', 'c'])
    await ground.refused('NOT_FOUND', () => remove(taxonomy, 'x'))
  })

  test('deeper down they go to its parent', async () => {
    const { taxonomy } = await grow('a', 'a/b', 'b/x', 'b/y', 'a/c')
    await remove(taxonomy, 'b')
    assert.deepEqual(await ground.tree(taxonomy), ['a', 'a/x', 'a/y', 'a/c'])
  })

  test('is refused for another version', async () => {
    const { taxonomy } = await grow('a')
    await ground.refused('VERSION_CONFLICT', () => ground.client.delete(pathOf(taxonomy, 'a'), { 'if-match': '"v2"' }))
  })
})

describe('the list of terms', () => {
  test('pages, searches as text, counts published entries, and costs the same for any number', async () => {
    const cost = async (taxonomy: string, query = '') => {
      const watch = ground.service.cms.database.watchStatements()
      const { body } = await ground.client.get(`${pathOf(taxonomy)}${query}`)
      watch.stop()
      return { statements: watch.texts.length, body }
    }
    const { taxonomy } = await grow('a')
    const few = await cost(taxonomy)
    for (const name of ['100% wool', 'wool', 'Cotton_x']) await ground.newTerm(taxonomy, { name })
    const entryId = await insertEntry(ground.service, { type: 'page', status: 'published' })
    await ground.attach(entryId, (await get(taxonomy, 'wool')).body)
    const more = await cost(taxonomy)
    assert.equal(more.statements, few.statements)
    assert.equal(more.statements, 5)
    assert.deepEqual(more.body.meta, { total: 4, page: 1, limit: 25, pages: 1 })
    assert.deepEqual(
      more.body.items.map((term: { count: number }) => term.count),
      [0, 0, 1, 0],
    )
    const names = async (query: string) =>
      (await cost(taxonomy, query)).body.items.map((term: { name: string }) => term.name)
    assert.deepEqual(await names('?q=WOOL'), ['100% wool', 'wool'])
    assert.deepEqual(await names('?q=%25'), ['100% wool'])
    assert.deepEqual(await names('?q=_'), ['Cotton_x'])
    assert.deepEqual(await names('?limit=2&page=2'), ['wool', 'Cotton_x'])
    assert.deepEqual((await cost(taxonomy, '?page=9')).body, {
      items: [],
      meta: { total: 4, page: 9, limit: 25, pages: 1 },
    })
    assert.deepEqual(keysOf(await ground.client.get(`${pathOf(taxonomy)}?sort=name`)), ['sort'])
  })
})
