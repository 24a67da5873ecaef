import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { designManifest } from '@stoa/cms-model/design.ts'
import { newId } from '@stoa/kit/ids.ts'
import { type Site, startSite } from '../../content/entries/testing/site.ts'
import { appErrorOf, type RouteCall } from '../../people/call-route/call-route.ts'
import { PUBLIC_TARGET } from '../../site/webhooks/testing/ground.ts'
import { type PersonReach, reachOf } from './testing/reach-of.ts'

let site: Site
let reach: PersonReach
const published: string[] = []
before(async () => {
  site = await startSite({
    design: designManifest.parse({
      surfaces: [
        {
          id: 'brand',
          label: 'Brand',
          properties: [{ key: 'size', label: 'Size', type: 'number', css: '--size', default: 3 }],
        },
      ],
    }),
  })
  reach = reachOf(site, site.admin)
  site.cms.database.onCommit({ after: (changes) => void published.push(...changes.map(({ event }) => event)) })
})
after(() => site.close())

const sql = async (text: string, values: unknown[] = []) => (await site.cms.database.pool.query(text, values)).rows

/** All that the database holds, of whichever slice: a fingerprint for each table. */
const contents = async (): Promise<Record<string, string>> => {
  const tables = await sql(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  assert.ok(tables.length > 40)
  const prints: Record<string, string> = {}
  for (const { name } of tables) {
    const [row] = await sql(
      `select md5(coalesce(string_agg(t::text, E'\\n' order by t::text), '')) as print from ${name} t`,
    )
    prints[name] = row.print
  }
  return prints
}

/** Nothing is written and no event is sent. */
const unchanged = async <T>(act: () => Promise<T>): Promise<T> => {
  const state = await contents()
  published.length = 0
  const result = await act()
  assert.deepEqual(await contents(), state)
  assert.deepEqual(published, [])
  return result
}

/** Without what is made anew each time: ids, and what is shown once. */
const comparable = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, member) =>
      ['key', 'secret', 'last4', 'secretLast4'].includes(name) ? '' : member,
    ).replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'id'),
  )

const put = (path: string, params: Record<string, string>, body: object): RouteCall => ({
  ...{ method: 'PUT', path, params },
  body: body as RouteCall['body'],
})
const post = (path: string, body: object, params: Record<string, string> = {}): RouteCall => ({
  ...{ method: 'POST', path, params },
  body: body as RouteCall['body'],
})

describe('a rehearsal', () => {
  const addEntry = async () => (await site.add(site.editor.client, { title: 'One', data: { summary: 's' } })).id

  const writes: readonly (readonly [what: string, call: () => Promise<RouteCall>])[] = [
    ['a new entry', async () => post('/api/entries', { type: 'article', title: 'New', data: { summary: 'x' } })],
    ['an entry', async () => put('/api/entries/:id', { id: await addEntry() }, { title: 'Two', data: { price: 4 } })],
    ['its publication', async () => post('/api/entries/:id/status', { action: 'publish' }, { id: await addEntry() })],
    [
      'a schedule',
      async () =>
        post('/api/entries/:id/status', { action: 'publish', at: '2027-01-01T00:00:00Z' }, { id: await addEntry() }),
    ],
    ['a deletion', async () => ({ method: 'DELETE', path: '/api/entries/:id', params: { id: await addEntry() } })],
    [
      'its return',
      async () => {
        const id = await addEntry()
        await site.editor.client.delete(`/api/entries/${id}`)
        return post('/api/entries/:id/restore', {}, { id })
      },
    ],
    [
      'terms',
      async () => {
        await site.addTaxonomy('topic', ['news'])
        return put('/api/entries/:id/terms', { id: await addEntry() }, { taxonomy: 'topic', terms: ['news'] })
      },
    ],
    [
      'an old revision',
      async () => {
        const id = await addEntry()
        await site.editor.client.put(`/api/entries/${id}`, { title: 'Later' })
        const { body } = await site.editor.client.get(`/api/entries/${id}/revisions`)
        return post('/api/entries/:id/revisions/:rid/restore', {}, { id, rid: body.items.at(-1).id })
      },
    ],
    [
      'a new type',
      async () => post('/api/types', { name: 'book', label: 'Book', fields: [{ key: 'a', type: 'text' }] }),
    ],
    ['a type', async () => put('/api/types/:name', { name: 'book' }, { label: 'Books' })],
    ['a file', async () => put('/api/media/:id', { id: await site.addMedia() }, { alt: 'Pier' })],
    ['a taxonomy', async () => post('/api/taxonomies', { name: 'place', label: 'Place' })],
    ['a term', async () => post('/api/taxonomies/:name/terms', { name: 'Rome' }, { name: 'place' })],
    ['settings', async () => put('/api/settings', {}, { title: 'Harbour' })],
    ['the design', async () => put('/api/design/:surface', { surface: 'brand' }, { set: { size: 5 } })],
    ['a new menu', async () => post('/api/menus', { name: 'main', items: [{ label: 'Home', url: '/' }] })],
    ['a menu', async () => put('/api/menus/:name', { name: 'main' }, { items: [] })],
    ['the end of a menu', async () => ({ method: 'DELETE', path: '/api/menus/:name', params: { name: 'main' } })],
    ['a role', async () => put('/api/users/:id', { id: site.viewer.id }, { role: 'author' })],
    ['a delivery key', async () => post('/api/delivery-keys', { name: 'Shop', types: ['*'] })],
    ['a webhook', async () => post('/api/webhooks', { url: PUBLIC_TARGET, events: ['*'] })],
    ['an app', async () => put('/api/social/settings/:network', { network: 'mastodon' }, { clientId: 'app' })],
  ]
  for (const [what, callOf] of writes)
    test(`of ${what} answers what the write answers, and leaves nothing`, async () => {
      const call = await callOf()
      const rehearsed = await unchanged(() => reach.rehearse(call))
      const before = await contents()
      const done = await reach.call(call)
      assert.deepEqual(comparable(rehearsed ?? null), comparable(done ?? null))
      assert.notDeepEqual(await contents(), before)
    })

  test('finds the next free slug, as the write does', async () => {
    await site.add(site.editor.client, { title: 'Taken' })
    const call = post('/api/entries', { type: 'article', title: 'Taken' })
    for (let time = 0; time < 2; time += 1) {
      const { slug } = (await unchanged(() => reach.rehearse(call))) as { slug: string }
      assert.equal(slug, 'taken-2')
    }
  })

  test('is refused where the write is, for the same reason', async () => {
    const id = await addEntry()
    const refusals: [string, RouteCall][] = [
      ['VALIDATION_FAILED', put('/api/entries/:id', { id }, { data: { nothing: 1 } })],
      ['VERSION_CONFLICT', { ...put('/api/entries/:id', { id }, { title: 'x' }), ifVersion: 9 }],
      ['NOT_FOUND', put('/api/entries/:id', { id: newId() }, { title: 'x' })],
      ['NAME_TAKEN', post('/api/taxonomies', { name: 'place', label: 'Again' })],
      ['WEBHOOK_TARGET_REFUSED', post('/api/webhooks', { url: 'https://127.0.0.1/x', events: ['*'] })],
    ]
    for (const [code, call] of refusals)
      for (const act of [reach.rehearse, reach.call])
        await unchanged(() => assert.rejects(act(call), (raised) => appErrorOf(raised).code === code, code))
  })

  test('is refused without the right to write', async () => {
    const id = await addEntry()
    const author = reachOf(site, site.author)
    await unchanged(() =>
      assert.rejects(author.rehearse(put('/api/entries/:id', { id }, { title: 'x' })), { code: 'FORBIDDEN' }),
    )
  })

  test('is repeated where the database asks for it, and takes back every attempt', async () => {
    const id = await addEntry()
    await sql('create sequence attempts')
    await sql(`create function fail_once() returns trigger language plpgsql as $$ begin
      if nextval('attempts') = 1 then raise exception 'try again' using errcode = '40001'; end if;
      return new; end $$`)
    await sql('create trigger fail_once before update on entry for each row execute function fail_once()')
    try {
      const call = put('/api/entries/:id', { id }, { title: 'Repeated' })
      const { title, version } = (await unchanged(() => reach.rehearse(call))) as { title: string; version: number }
      assert.deepEqual([title, version], ['Repeated', 2])
      const [{ last_value: attempts }] = await sql('select last_value from attempts')
      assert.ok(Number(attempts) >= 2)
    } finally {
      await sql('drop trigger fail_once on entry')
      await sql('drop function fail_once')
      await sql('drop sequence attempts')
    }
  })

  test('does not join a transaction that will be kept', async () => {
    const id = await addEntry()
    await unchanged(() =>
      assert.rejects(
        site.cms.database.tx(() => reach.rehearse(put('/api/entries/:id', { id }, { title: 'Nested' }))),
        /already open/,
      ),
    )
  })

  test('beside others, and before the write itself, keeps to its own', async () => {
    const id = await addEntry()
    const titles = ['A', 'B', 'C', 'D']
    const answers = await unchanged(() =>
      Promise.all(titles.map((title) => reach.rehearse(put('/api/entries/:id', { id }, { title })))),
    )
    assert.deepEqual(
      answers.map((answer) => (answer as { title: string }).title),
      titles,
    )
    assert.equal((await site.read(id)).title, 'One')
  })
})

test('which version was read is remembered by kind and id', () => {
  const fresh = reachOf(site, site.admin)
  assert.equal(fresh.versionRead('entry', 'a'), null)
  fresh.wasRead('entry', 'a', 3)
  fresh.wasRead('menu', 'a', 1)
  assert.deepEqual([fresh.versionRead('entry', 'a'), fresh.versionRead('menu', 'a')], [3, 1])
})
