import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CmsAnswer } from '@stoa/tests/lib/cms.ts'
import { type DeliverySite, type Reader, startDelivery } from './testing/site.ts'

let site: DeliverySite
let reader: Reader
let narrow: Reader
before(async () => {
  site = await startDelivery()
  await site.addType('memo', [
    { key: 'open', type: 'text' },
    { key: 'hush', type: 'text', hidden: true, indexed: true },
  ])
  await site.addType('vault', [{ key: 'open', type: 'text' }])
  await site.addType('home', [{ key: 'open', type: 'text' }], { kind: 'single' })
  for (const [title, hush] of [
    ['One', 'b'],
    ['Two', 'a'],
    ['Three', 'c'],
  ])
    await site.live({ type: 'memo', title, data: { open: 'x', hush } })
  await site.live({ type: 'vault', title: 'Gold', data: {} })
  await site.live({ type: 'home', title: 'Home', data: { open: 'hi' } })
  await site.add(site.editor.client, { type: 'memo', title: 'Hidden draft', slug: 'hidden-draft', data: {} })
  reader = await site.reader()
  narrow = await site.reader(['memo'])
})
after(() => site.close())

/** Everything that a read must not change. */
const stateOf = async (): Promise<string> => {
  const [row] = await site.cms.database.db.query<{ state: string }>({
    text: `select (select md5(string_agg(e::text, '|' order by id)) from entry e) ||
      (select md5(string_agg(t::text, '|' order by name)) from content_type t) ||
      (select count(*) from activity) as state`,
  })
  return row?.state ?? ''
}
const same = (one: CmsAnswer, other: CmsAnswer) => assert.deepEqual([one.status, one.text], [other.status, other.text])

describe('what delivery does not reveal', () => {
  test('C1: no order, filter, selection or search by a hidden or private member', async () => {
    for (const key of [
      'hush',
      'data.hush',
      'authorId',
      'author.email',
      'password_hash',
      't1.password',
      'pending',
      'deletedAt',
      'data',
      'id;',
    ])
      for (const query of [
        `sort=${key}`,
        `sort=-${key}`,
        `filter[${key}][eq]=a`,
        `filter[${key}][starts]=a`,
        `fields=${key}`,
      ]) {
        if (query === 'fields=data') continue
        const answer = await reader.get(`/content/memo?${query}`)
        assert.deepEqual([answer.status, answer.body.code], [400, 'VALIDATION_FAILED'], query)
      }
    assert.equal((await reader.read('/content/memo?q=c')).meta.total, 0)
    assert.ok(!(await reader.get('/content/memo')).text.includes('hush'))
  })

  test('C1: a hidden key is answered as an unknown one', async () => {
    const swap = (answer: CmsAnswer, key: string) => answer.text.replaceAll(key, 'KEY')
    for (const query of ['sort=KEY', 'filter[KEY][eq]=1', 'fields=KEY'])
      assert.equal(
        swap(await reader.get(`/content/memo?${query.replace('KEY', 'hush')}`), 'hush'),
        swap(await reader.get(`/content/memo?${query.replace('KEY', 'nope')}`), 'nope'),
      )
  })

  test('C2: no text of a request becomes SQL, and nobody waits for it', async () => {
    const before = await stateOf()
    const attacks = [
      'title;select pg_sleep(25)--',
      'title,(select pg_sleep(25))',
      "' or 1=1--",
      "data->>'hush'",
      'title) desc nulls last, (select 1',
      "\\'; drop table entry;--",
      '$1',
      'title\u0000',
    ]
    for (const attack of attacks) {
      const text = encodeURIComponent(attack)
      const ask = async (path: string) => {
        const started = performance.now()
        const answer = await reader.get(path)
        // Nothing was put to sleep.
        assert.ok(performance.now() - started < 20_000, path)
        return answer
      }
      for (const query of [
        `sort=${text}`,
        `term=${text}`,
        `include=${text}`,
        `fields=${text}`,
        `filter[${text}][eq]=1`,
        `filter[title][${text}]=1`,
      ]) {
        const answer = await ask(`/content/memo?${query}`)
        assert.equal(answer.status, 400, query)
        assert.doesNotMatch(answer.text, /syntax error|pg_catalog|from entry|\bselect id\b/i)
      }
      for (const path of [
        `/content/memo?locale=${text}`,
        `/content/memo?q=${text}`,
        `/content/memo?filter[title][contains]=${text}`,
        `/content/${text}`,
        `/content/memo/${text}`,
        `/site/menus/${text}`,
        `/site/taxonomies/${text}`,
        `/content/memo?filter[open][contains]=${text}`,
        `/content/memo?filter[locale][eq]=${text}`,
      ]) {
        const answer = await ask(path)
        assert.ok(
          answer.status === 200
            ? answer.body.meta.total === 0 || path.includes('q=')
            : [400, 404].includes(answer.status),
          `${path} ${answer.status}`,
        )
      }
    }
    assert.equal(await stateOf(), before)
  })

  test('C6: nothing of an author but id, name and avatarUrl', async () => {
    const answer = await reader.get('/content/memo?include=author')
    assert.ok(!answer.text.includes('@example.test') && !answer.text.includes('role'))
    assert.deepEqual(Object.keys(answer.body.items[0].author), ['id', 'name', 'avatarUrl'])
  })

  test('C7: a draft is reachable by no other route, and is answered like a missing entry', async () => {
    const missing = await reader.get('/content/memo/nothing-here')
    assert.equal(missing.status, 404)
    same(await reader.get('/content/memo/hidden-draft'), missing)
    same(await reader.get('/content/memo/HIDDEN-DRAFT'), missing)
    same(await reader.get('/content/memo/hidden%2Ddraft'), missing)
    same(await reader.get('/content/memo/single'), missing)
    same(await reader.get('/content/home/Home'), missing)
    for (const query of ['status=draft', 'preview=1', 'static=1', 'draft=true', 'version=draft'])
      assert.equal((await reader.get(`/content/memo/hidden-draft?${query}`)).status, 400)
    assert.equal((await reader.get('/content/memo/%2e%2e/one')).status, 404)
    assert.equal((await reader.get('/content/memo/')).status, 404)
  })

  test('a single type is read at /single, as long as its entry is published', async () => {
    const home = await reader.read('/content/home/single')
    assert.equal(home.title, 'Home')
    await site.editor.client.post(`/api/entries/${home.id}/status`, { action: 'unpublish' })
    assert.equal((await reader.get('/content/home/single')).status, 404)
    await site.publish(site.editor.client, home.id)
    assert.equal((await reader.get('/content/home/single')).status, 200)
  })

  test('C9: a write to a read-only route is 405, and changes nothing', async () => {
    const before = await stateOf()
    for (const path of [
      '/content',
      '/content/memo',
      '/content/memo/one',
      '/content/home/single',
      '/site/settings',
      '/site/menus/main',
      '/site/taxonomies/main',
    ])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await site
          .client()
          .send(method, path, { body: { title: 'x' }, headers: { 'x-api-key': reader.key } })
        assert.deepEqual([answer.status, answer.body.code], [405, 'METHOD_NOT_ALLOWED'], `${method} ${path}`)
        assert.match(answer.headers.get('allow') ?? '', /GET, HEAD/)
      }
    const overridden = await reader.get('/content/memo/one', { 'x-http-method-override': 'DELETE' })
    assert.equal(overridden.status, 200)
    assert.equal(await stateOf(), before)
  })

  test('C21: a parameter is one value, an id in a path is one name', async () => {
    for (const query of [
      'page=1&page=1',
      'sort=title&sort=title',
      'page[]=1',
      'page[a]=1',
      'limit=25abc',
      'include[0]=terms',
    ])
      assert.equal((await reader.get(`/content/memo?${query}`)).status, 400, query)
    assert.equal((await reader.get('/content/memo/one%20')).status, 404)
    assert.equal((await reader.get('/content/memo/1abc')).status, 404)
  })

  test('C22: a type outside of the scopes is answered as one that does not exist', async () => {
    const swap = ({ status, text }: CmsAnswer, name: string) => [status, text.replaceAll(name, 'NAME')]
    for (const path of [
      '/content/NAME',
      '/content/NAME/gold',
      '/content/NAME/single',
      '/content/NAME?sort=nope',
      '/content/NAME?x=1',
      '/content/NAME/gold?x=1',
    ])
      assert.deepEqual(
        swap(await narrow.get(path.replace('NAME', 'vault')), 'vault'),
        swap(await narrow.get(path.replace('NAME', 'never')), 'never'),
        path,
      )
    const answer = await narrow.get('/content/vault')
    assert.deepEqual(
      [answer.status, answer.body.code, answer.body.error],
      [404, 'NOT_FOUND', "No content type 'vault' is readable with this key"],
    )
    assert.equal((await reader.get('/content/vault')).status, 200)
  })

  test('a key for a type that was deleted reads nothing more', async () => {
    await site.addType('brief', [])
    const own = await site.reader(['brief'])
    assert.equal((await own.read('/content/brief')).meta.total, 0)
    await site.admin.client.delete('/api/types/brief')
    assert.equal((await own.get('/content/brief')).status, 404)
    assert.deepEqual((await own.read('/content')).items, [])
  })
})
