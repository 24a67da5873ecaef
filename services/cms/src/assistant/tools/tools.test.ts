import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Role, roles } from '@stoa/cms-model/permissions.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Person } from '@stoa/tests/lib/cms.ts'
import { type Site, startSite } from '../../content/entries/testing/site.ts'
import type { Json } from '../../people/call-route/call-route.ts'
import { type PersonReach, reachOf } from './testing/reach-of.ts'
import { labelOf, runTool, tools, toolsFor } from './tools.ts'

let site: Site
const people = new Map<Role, Person>()
before(async () => {
  site = await startSite()
  for (const role of roles) people.set(role, await site.person(role))
})
after(() => site.close())

const reachAs = (role: Role): PersonReach => {
  const person = people.get(role)
  assert.ok(person)
  return reachOf(site, person)
}
const ownTools = () => tools.filter(({ kind }) => kind !== 'propose')

/** The lowest role that each tool is for. */
const LOWEST: Readonly<Record<string, Role>> = {
  list_content_types: 'viewer',
  list_entries: 'viewer',
  search_site: 'viewer',
  get_entry: 'viewer',
  list_revisions: 'viewer',
  list_trash: 'author',
  list_media: 'viewer',
  list_taxonomies: 'viewer',
  get_site_settings: 'viewer',
  get_design: 'admin',
  list_menus: 'viewer',
  list_plugins: 'admin',
  list_people: 'admin',
  list_delivery_keys: 'admin',
  list_webhooks: 'admin',
  get_social_setup: 'admin',
  get_social_guide: 'admin',
  list_social_posts: 'author',
  open_screen: 'viewer',
}

/** Arguments with which a tool gets past its schema. */
const args: Readonly<Record<string, Json>> = {
  list_entries: { type: 'article' },
  search_site: { query: 'x' },
  get_entry: { id: newId() },
  list_revisions: { entryId: newId() },
  get_page_layout: { entryId: newId() },
  get_social_guide: { network: 'mastodon' },
  open_screen: { screen: 'media' },
}

describe('which tools there are for whom', () => {
  for (const role of roles)
    test(`a role of ${role}: those of its permissions are offered, all others are unknown`, async () => {
      const reach = reachAs(role)
      const may = (name: string) => roles.indexOf(role) >= roles.indexOf(LOWEST[name] ?? 'owner') && name in LOWEST
      const offered = (await toolsFor(reach)).filter(({ kind }) => kind !== 'propose').map(({ name }) => name)
      assert.deepEqual(
        offered,
        ownTools()
          .map(({ name }) => name)
          .filter(may),
      )
      for (const { name } of ownTools()) {
        const { state, content } = await reach.run(name, args[name])
        if (may(name)) assert.doesNotMatch(content, /unknown_tool|FORBIDDEN/, name)
        else assert.deepEqual([state, JSON.parse(content).code], ['error', 'unknown_tool'], name)
      }
    })

  test('the layout of pages is known only where a website connects them', async () => {
    const { content } = await reachAs('owner').run('get_page_layout', args.get_page_layout)
    assert.equal(JSON.parse(content).code, 'unknown_tool')
  })

  test('losing a role removes its tools with the next call', async () => {
    const reach = reachAs('admin')
    const { principal } = reach.ctx
    const demoted = {
      ...reach,
      ctx: { ...reach.ctx, principal: { ...principal, account: { ...principal.account, role: 'viewer' as const } } },
    }
    const { content } = await runTool(demoted, { name: 'list_people', args: {} })
    assert.equal(JSON.parse(content).code, 'unknown_tool')
  })
})

describe('what a model can do wrong', () => {
  const refused = async (name: string, given: Json, reach = reachAs('owner')) => {
    const answer = await reach.run(name, given)
    assert.equal(answer.state, 'error')
    assert.equal(answer.outcome, null)
    const result = JSON.parse(answer.content)
    assert.equal(result._untrusted, true)
    assert.equal(answer.summary, result.error)
    return result
  }
  const keys = (result: { details: { fields: { key: string }[] } }) => result.details.fields.map(({ key }) => key)

  test('a tool that there is not', async () => {
    for (const name of ['', 'write_entry', 'constructor', '__proto__', 'LIST_MENUS', 'x'.repeat(10_000)])
      assert.equal((await refused(name, {})).code, 'unknown_tool')
  })

  test('arguments that the tool does not take, each named', async () => {
    const result = await refused('list_entries', { limit: 51, offset: -1, status: 'live', wish: 1 })
    assert.equal(result.code, 'VALIDATION_FAILED')
    assert.deepEqual(keys(result).sort(), ['limit', 'offset', 'status', 'type', 'wish'])
    for (const other of ['no json', 5, ['x'], true])
      assert.equal((await refused('get_entry', other)).code, 'VALIDATION_FAILED')
  })

  test('arguments that only the route refuses, under the names that the tool has for them', async () => {
    assert.deepEqual(keys(await refused('list_entries', { type: 'nothing' })), ['type'])
    assert.deepEqual(keys(await refused('list_entries', { type: 'article', query: 'x'.repeat(201) })), ['query'])
    assert.deepEqual(keys(await refused('list_entries', { type: 'article', offset: 9_000_000 })), ['offset'])
    assert.deepEqual(keys(await refused('list_entries', { type: 'article', sort: 'nothing' })), ['sort'])
    assert.deepEqual(keys(await refused('list_entries', { type: 'article', fields: ['body', 'nothing'] })), [
      'fields.1',
    ])
    assert.deepEqual(keys(await refused('list_social_posts', { status: 'lost' })), ['status'])
  })

  test('records that there are not', async () => {
    for (const id of [newId(), 'x', '', '../users', '\u0000'])
      assert.equal((await refused('get_entry', { id })).code, 'NOT_FOUND', JSON.stringify(id))
    const result = await refused('get_social_guide', { network: 'friendster' })
    assert.equal(result.code, 'NOT_FOUND')
    assert.match(result.error, /mastodon/)
  })

  test('an address in place of a screen', async () => {
    for (const screen of ['https://evil.example', '/admin', 'javascript:alert(1)'])
      assert.deepEqual(keys(await refused('open_screen', { screen })), ['screen'])
    for (const id of ['https://evil.example', '../x', 'a/b', '//evil', '?x', '#x', 'x'.repeat(101)])
      assert.deepEqual(keys(await refused('open_screen', { screen: 'entry', id })), ['id'])
    assert.deepEqual(keys(await refused('open_screen', { screen: 'entry' })), ['id'])
  })

  test('an internal error is logged, and reported without its message', async () => {
    const reach = reachAs('owner')
    const broken = {
      ...reach,
      call: async () => {
        throw new Error('the password of the database')
      },
    }
    const { state, content, summary } = await runTool(broken, { name: 'list_menus', args: {} })
    assert.equal(state, 'error')
    assert.deepEqual(JSON.parse(content), { error: summary, code: 'INTERNAL', _untrusted: true })
    assert.doesNotMatch(content, /password/)
    assert.ok(site.logs.some((line) => line.includes('a tool failed') && line.includes('list_menus')))
  })
})

describe('people who may read some only', () => {
  test('an author sees the own drafts in the trash, an editor all', async () => {
    const author = people.get('author')
    const editor = people.get('editor')
    assert.ok(author && editor)
    const own = await site.add(author.client, { title: 'Own' })
    const foreign = await site.add(editor.client, { title: 'Foreign' })
    for (const { id } of [own, foreign]) assert.equal((await editor.client.delete(`/api/entries/${id}`)).status, 204)
    const titles = async (role: Role) =>
      (await reachAs(role).read('list_trash')).entries.map(({ title }: { title: string }) => title).sort()
    assert.deepEqual(await titles('author'), ['Own'])
    assert.deepEqual(await titles('editor'), ['Foreign', 'Own'])
    const refused = await reachAs('author').run('get_entry', { id: foreign.id })
    assert.equal(JSON.parse(refused.content).code, 'FORBIDDEN')
    assert.equal(reachAs('author').versions.size, 0)
  })
})

test('people read what is done in words, before and after', async () => {
  assert.equal(labelOf({ name: 'list_entries', args: { type: 'article' } }), 'Reading entries of article')
  assert.equal(labelOf({ name: 'list_entries', args: {} }), 'List entries')
  assert.equal(labelOf({ name: 'nothing_like_it', args: {} }), 'Nothing like it')
  assert.equal(labelOf({ name: 'search_site', args: { query: '\u202eevil' } }), 'Searching for “evil”')
  const moved = await reachAs('viewer').run('open_screen', { screen: 'social_posts' })
  assert.deepEqual([moved.label, moved.summary], ['Opening social posts', 'Opened social posts'])
  assert.deepEqual(moved.outcome, { kind: 'navigate', screen: 'social_posts' })
  assert.deepEqual(JSON.parse(moved.content), { opened: true, screen: 'social_posts', _untrusted: true })
})
