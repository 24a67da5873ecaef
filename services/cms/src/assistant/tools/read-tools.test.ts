import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { designManifest } from '@stoa/cms-model/design.ts'
import { MAX_LIMIT, MAX_OFFSET } from '@stoa/cms-model/lists.ts'
import { visualDefinitions } from '@stoa/cms-model/visual.ts'
import { newId } from '@stoa/kit/ids.ts'
import { type Site, startSite } from '../../content/entries/testing/site.ts'
import { openPluginDir, type PluginDir } from '../../plugins/folder/testing/plugin-dir.ts'
import { addHook, PUBLIC_TARGET } from '../../site/webhooks/testing/ground.ts'
import { pageSizeFor } from './reading.ts'
import { type PersonReach, reachOf } from './testing/reach-of.ts'

const SECRET = 'whatever-is-secret-7777'

let dir: PluginDir
let site: Site
let reach: PersonReach
before(async () => {
  dir = await openPluginDir()
  await dir.write('plan', {
    settings: [
      { key: 'token', type: 'secret', label: 'Token' },
      { key: 'other', type: 'secret', label: 'Other' },
      { key: 'count', type: 'number', label: 'Count', default: 3 },
    ],
  })
  site = await startSite({
    env: { PLUGIN_DIR: dir.path },
    visual: visualDefinitions.parse({
      article: {
        sections: [
          { id: 'hero', label: 'Hero', selector: '.hero', fields: ['summary'], movable: false },
          { id: 'news', label: 'News', selector: '.news', collection: { type: 'article', label: 'News' } },
          { id: 'team', label: 'Team', selector: '.team' },
        ],
      },
    }),
    design: designManifest.parse({
      surfaces: [
        {
          id: 'brand',
          label: 'Brand',
          properties: [
            { key: 'accent', label: 'Accent', type: 'color', css: '--accent', default: '#000000' },
            { key: 'size', label: 'Size', type: 'number', css: '--size', default: 3, min: 1, max: 9 },
          ],
        },
      ],
    }),
  })
  reach = reachOf(site, site.admin)
})
after(async () => {
  await site.close()
  await dir.close()
})

const addEntries = async (count: number, type: string): Promise<void> => {
  await site.addType(type, [
    { key: 'n', type: 'number', label: 'N', indexed: true },
    { key: 'note', type: 'text', label: 'Note' },
  ])
  for (let n = 0; n < count; n += 1)
    await site.add(site.editor.client, { type, title: `Row ${n}`, data: { n, note: 'x' } })
}
const versionOf = (kind: string, id: string) => reach.versions.get(`${kind}/${id}`)
const keysOf = (value: object) => Object.keys(value).sort()

describe('lists with an offset', () => {
  test('have the right rows at every offset and limit', async () => {
    await addEntries(23, 'numbered')
    for (const limit of [1, 2, 5, 7, 10, 20, 50])
      for (const offset of [0, 1, 3, 7, 10, 13, 22, 23, 40]) {
        const asked = { type: 'numbered', sort: 'n', fields: ['n'], limit, offset }
        const { total, nextOffset, offset: returnedOffset, entries } = await reach.read('list_entries', asked)
        const wanted = Array.from({ length: 23 }, (_, n) => n).slice(offset, offset + limit)
        const where = `${offset}+${limit}`
        assert.deepEqual(
          entries.map(({ data }: { data: { n: number } }) => data.n),
          wanted,
          where,
        )
        assert.deepEqual([total, returnedOffset], [23, offset], where)
        const end = offset + wanted.length
        assert.equal(nextOffset, wanted.length > 0 && end < 23 ? end : null, where)
      }
  })

  test('are on one page of the route, whatever the offset', () => {
    for (let limit = 1; limit <= 50; limit += 1)
      for (let offset = 0; offset <= MAX_OFFSET; offset += offset < 1_000 ? 1 : 997) {
        const size = pageSizeFor(offset, limit)
        assert.ok(size <= MAX_LIMIT && (offset % size) + limit <= size, `${offset}+${limit}`)
      }
  })

  test('can be read to their end by what they say comes next', async () => {
    const seen: number[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const asked = { type: 'numbered', sort: '-n', fields: ['n'], limit: 7, offset }
      const page: { entries: { data: { n: number } }[]; nextOffset: number | null } = await reach.read(
        'list_entries',
        asked,
      )
      seen.push(...page.entries.map(({ data }) => data.n))
      offset = page.nextOffset
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 23 }, (_, n) => 22 - n),
    )
  })

  test('cost as many statements for many rows as for few', async () => {
    const cost = async (limit: number) => {
      const watch = site.cms.database.watchStatements()
      await reach.read('list_entries', { type: 'numbered', fields: ['n'], limit })
      watch.stop()
      return watch.texts.length
    }
    await cost(1)
    assert.equal(await cost(20), await cost(2))
  })

  test('of which not all rows fit go on where they were cut', async () => {
    await site.addType('long', [{ key: 'text', type: 'textarea', label: 'Text' }])
    for (let n = 0; n < 12; n += 1)
      await site.add(site.editor.client, { type: 'long', title: `Long ${n}`, data: { text: 'y'.repeat(3_900) } })
    const seen: string[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const answer = await reach.run('list_entries', {
        type: 'long',
        sort: 'createdAt,title',
        fields: ['text'],
        offset,
      })
      assert.ok(answer.content.length <= 24_000)
      const page: { entries: { title: string }[]; nextOffset: number | null } = JSON.parse(answer.content)
      seen.push(...page.entries.map(({ title }) => title))
      offset = page.nextOffset
    }
    assert.equal(new Set(seen).size, 12)
    assert.equal(seen.length, 12)
  })
})

describe('content', () => {
  test('types have their fields with what a value must be like', async () => {
    await site.addType('book', [
      { key: 'price', type: 'number', label: 'Price', required: true, min: 1, max: 9 },
      { key: 'kind', type: 'select', label: 'Kind', options: [{ value: 'a', label: 'A' }] },
      { key: 'about', type: 'reference', label: 'About', to: 'article', multiple: false },
      { key: 'rows', type: 'list', label: 'Rows', fields: [{ key: 'name', type: 'text', label: 'Name' }] },
    ])
    const { types, _untrusted } = await reach.read('list_content_types')
    assert.equal(_untrusted, true)
    const book = types.find(({ name }: { name: string }) => name === 'book')
    assert.deepEqual(book, {
      ...{ name: 'book', label: 'book', kind: 'collection', previewUrl: null, visual: false },
      fields: [
        { key: 'price', type: 'number', label: 'Price', required: true, min: 1, max: 9 },
        { key: 'kind', type: 'select', label: 'Kind', required: false, options: [{ value: 'a', label: 'A' }] },
        { key: 'about', type: 'reference', label: 'About', required: false, to: 'article', multiple: false },
        {
          ...{ key: 'rows', type: 'list', label: 'Rows', required: false },
          fields: [{ key: 'name', type: 'text', label: 'Name', required: false }],
        },
      ],
    })
    assert.equal(types.find(({ name }: { name: string }) => name === 'article').visual, true)
    assert.equal(versionOf('type', 'book'), 1)
  })

  test('entries are returned with the chosen keys of their data, and status apart from it', async () => {
    const data = { summary: 'Short', price: 7 }
    const { id } = await site.add(site.editor.client, { title: 'Told', data })
    const asked = { type: 'article', query: 'Told', status: 'draft', locale: 'en', fields: ['price', 'tags'] }
    const { entries } = await reach.read('list_entries', asked)
    assert.equal(entries.length, 1)
    assert.deepEqual(keysOf(entries[0]), ['data', 'id', 'locale', 'slug', 'status', 'title', 'updatedAt', 'version'])
    assert.deepEqual(entries[0].data, { price: 7, tags: [] })
    assert.equal((await reach.read('list_entries', { type: 'article', query: 'Told', status: 'published' })).total, 0)
    assert.deepEqual((await reach.read('list_entries', { type: 'article', query: 'Told' })).entries[0].data, {})
    assert.equal(versionOf('entry', id), undefined, 'a row of a list is not all of an entry')
    const nine = await reach.run('list_entries', { type: 'article', fields: Array.from({ length: 9 }, () => 'price') })
    assert.equal(JSON.parse(nine.content).code, 'VALIDATION_FAILED')
  })

  test('one entry is returned in full, without hidden values, and its version is remembered', async () => {
    await site.addTaxonomy('topic', ['news', 'old'])
    const body = '<p>Seen</p>'
    const summary = 'A\u200b b\u{e0041}\u202e'
    const members = { title: 'Whole', data: { body, summary }, terms: [{ taxonomy: 'topic', slug: 'news' }] }
    const { id } = await site.add(site.editor.client, members)
    const { entry } = await reach.read('get_entry', { id })
    assert.deepEqual(keysOf(entry), [
      ...['author', 'data', 'id', 'locale', 'publishAt', 'publishedAt', 'slug', 'status', 'terms', 'title', 'type'],
      ...['updatedAt', 'version'],
    ])
    assert.deepEqual(entry.terms, [{ taxonomy: 'topic', slug: 'news', name: 'news' }])
    assert.equal(entry.author.id, site.editor.id)
    assert.deepEqual([entry.data.body, entry.data.summary], [body, 'A b'])
    assert.equal(versionOf('entry', id), entry.version)
    const { taxonomies } = await reach.read('list_taxonomies')
    const [news] = taxonomies.find(({ name }: { name: string }) => name === 'topic').terms
    assert.deepEqual(news, { slug: 'news', name: 'news', parent: null, count: 0 })
  })

  test('terms name the term above them', async () => {
    const made = await site.admin.client.post('/api/taxonomies', { name: 'place', label: 'Place', hierarchical: true })
    assert.equal(made.status, 201, made.text)
    const above = await site.admin.client.post('/api/taxonomies/place/terms', { name: 'Europe' })
    await site.admin.client.post('/api/taxonomies/place/terms', { name: 'Rome', parentId: above.body.id })
    const { taxonomies } = await reach.read('list_taxonomies')
    const { terms } = taxonomies.find(({ name }: { name: string }) => name === 'place')
    assert.deepEqual(
      terms.map(({ slug, parent }: { slug: string; parent: string | null }) => [slug, parent]),
      [
        ['europe', null],
        ['rome', 'europe'],
      ],
    )
  })

  test('revisions come newest first with the keys that changed', async () => {
    const { id } = await site.add(site.editor.client, { title: 'First', data: { summary: 's' } })
    for (const title of ['Second', 'Third']) await site.editor.client.put(`/api/entries/${id}`, { title })
    const { total, nextOffset, revisions } = await reach.read('list_revisions', { entryId: id, limit: 2 })
    assert.deepEqual([total, nextOffset], [3, 2])
    assert.deepEqual(keysOf(revisions[0]), ['author', 'changedKeys', 'createdAt', 'id', 'title', 'version'])
    assert.deepEqual([revisions[0].title, revisions[0].changedKeys], ['Third', ['title']])
    const rest = await reach.read('list_revisions', { entryId: id, limit: 2, offset: 1 })
    assert.deepEqual(
      rest.revisions.map(({ title }: { title: string }) => title),
      ['Second', 'First'],
    )
  })

  test('the trash lists who deleted what', async () => {
    const { id } = await site.add(site.editor.client, { title: 'Deleted' })
    await site.editor.client.delete(`/api/entries/${id}`)
    const { total, nextOffset, entries } = await reach.read('list_trash', { type: 'article' })
    assert.deepEqual([total, nextOffset], [1, null])
    assert.deepEqual(keysOf(entries[0]), ['deletedAt', 'deletedBy', 'id', 'slug', 'title', 'type'])
    assert.equal(entries[0].deletedBy.id, site.editor.id)
    assert.equal((await reach.read('list_trash', { type: 'book' })).total, 0)
  })

  test('the search finds pages and files, of the kinds that are asked for', async () => {
    await site.add(site.editor.client, { title: 'Lighthouse' })
    const id = await site.addMedia()
    await site.editor.client.put(`/api/media/${id}`, { alt: 'A lighthouse', folder: 'coast' })
    const { entries, media } = await reach.read('search_site', { query: 'lighthouse' })
    assert.deepEqual(keysOf(entries[0]), ['id', 'slug', 'status', 'title', 'type'])
    assert.deepEqual(keysOf(media[0]), ['alt', 'caption', 'filename', 'folder', 'id', 'url'])
    const files = await reach.read('search_site', { query: 'lighthouse', kinds: ['media'] })
    assert.deepEqual([files.entries.length, files.media.length], [0, 1])
  })

  test('files are listed with their kind and how often they are used, and can be filtered', async () => {
    const id = await site.addMedia()
    await site.editor.client.put(`/api/media/${id}`, { alt: 'Pier', caption: 'At night', folder: 'harbour' })
    const { total, nextOffset, media } = await reach.read('list_media', { folder: 'harbour' })
    assert.deepEqual([total, nextOffset], [1, null])
    assert.deepEqual(media[0], {
      ...{ id, filename: 'a.png', alt: 'Pier', caption: 'At night', folder: 'harbour', mime: 'image/png' },
      ...{ width: null, height: null, bytes: 1, url: media[0].url, usedBy: 0 },
    })
    assert.equal(versionOf('media', id), 2)
    assert.equal((await reach.read('list_media', { folder: 'harbour', missingAlt: true })).total, 0)
    assert.equal((await reach.read('list_media', { query: 'pier', folder: '' })).total, 1)
  })

  test('the layout of a page has its sections in their order, and what is hidden', async () => {
    const layout = { order: ['team', 'news'], hidden: ['news'] }
    const { id } = await site.add(site.editor.client, { title: 'Page', data: { summary: 's', __layout: layout } })
    const { _untrusted, ...result } = await reach.read('get_page_layout', { entryId: id })
    assert.deepEqual(result, {
      sections: [
        { id: 'hero', label: 'Hero', movable: false, fields: ['summary'] },
        { id: 'team', label: 'Team', movable: true, fields: [] },
        { id: 'news', label: 'News', movable: true, fields: [], collection: { type: 'article', label: 'News' } },
      ],
      order: ['hero', 'team', 'news'],
      hidden: ['news'],
      version: 1,
    })
    assert.equal(versionOf('entry', id), 1)
    await site.editor.client.put(`/api/entries/${id}`, { title: 'Changed' })
    assert.equal((await reach.read('get_page_layout', { entryId: id })).version, 2)
    assert.equal(versionOf('entry', id), 1, 'the rest of the entry was not read again')
    const other = await site.add(site.editor.client, { type: 'book', title: 'Book' })
    const refused = await reach.run('get_page_layout', { entryId: other.id })
    assert.equal(JSON.parse(refused.content).code, 'INVALID_STATE')
  })
})

describe('the site', () => {
  test('settings have the addresses of their pictures', async () => {
    const logoId = await site.addMedia()
    await site.admin.client.put('/api/settings', { title: 'Harbour', tagline: 'T', description: 'D', logoId })
    const { _untrusted, ...result } = await reach.read('get_site_settings')
    assert.equal(result.logo.id, logoId)
    assert.match(result.logo.url, /\/media\//)
    assert.deepEqual(
      { ...result, logo: null },
      {
        ...{ title: 'Harbour', tagline: 'T', description: 'D', logo: null, socialImage: null, version: result.version },
      },
    )
    assert.equal(versionOf('settings', 'settings'), result.version)
  })

  test('the design lists what can be set, and what is', async () => {
    const saved = await site.admin.client.put('/api/design/brand', { set: { size: 5 } })
    assert.equal(saved.status, 200, saved.text)
    const { surfaces } = await reach.read('get_design')
    assert.deepEqual(surfaces, [
      {
        ...{ id: 'brand', label: 'Brand', version: saved.body.version },
        properties: [
          { key: 'accent', label: 'Accent', type: 'color', default: '#000000' },
          { key: 'size', label: 'Size', type: 'number', default: 3, min: 1, max: 9 },
        ],
        overrides: { size: 5 },
      },
    ])
    assert.equal(versionOf('surface', 'brand'), saved.body.version)
  })

  test('menus are trees', async () => {
    const { id } = await site.add(site.editor.client, { title: 'Target' })
    const items = [{ label: 'Home', url: '/', children: [{ label: 'Target', entryId: id }] }]
    await site.editor.client.post('/api/menus', { name: 'main', label: 'Main', items })
    const { menus } = await reach.read('list_menus')
    assert.deepEqual(menus, [
      {
        ...{ name: 'main', label: 'Main', version: 1 },
        items: [{ label: 'Home', url: '/', children: [{ label: 'Target', entryId: id, children: [] }] }],
      },
    ])
    assert.equal(versionOf('menu', 'main'), 1)
  })

  test('plugins are listed with their settings, and of secrets only whether they are set', async () => {
    const on = await site.admin.client.put('/api/plugins/plan/state', { enabled: true, approve: true })
    assert.equal(on.status, 200, on.text)
    const saved = await site.admin.client.put('/api/plugins/plan/settings', { settings: { token: SECRET } })
    assert.equal(saved.status, 200, saved.text)
    const { content } = await reach.run('list_plugins')
    assert.doesNotMatch(content, /7777|last4/)
    assert.deepEqual(JSON.parse(content).plugins, [
      {
        ...{ name: 'plan', label: 'The plan plugin', version: '1.0.0', installed: true, enabled: true },
        settings: [
          { key: 'token', type: 'secret', label: 'Token', value: '••••' },
          { key: 'other', type: 'secret', label: 'Other', value: null },
          { key: 'count', type: 'number', label: 'Count', value: 3 },
        ],
      },
    ])
    assert.equal(versionOf('plugin', 'plan'), saved.body.recordVersion)
  })

  test('people have their role, and when they were last seen', async () => {
    const { people } = await reach.read('list_people')
    const editor = people.find(({ id }: { id: string }) => id === site.editor.id)
    assert.deepEqual(editor, {
      ...{ id: site.editor.id, name: editor.name, email: site.editor.email, role: 'editor' },
      lastSeenAt: site.clock.now().toISOString(),
    })
    assert.equal(versionOf('user', site.editor.id), 1)
  })

  test('delivery keys are listed by a hint, active ones only', async () => {
    const mint = (name: string) => site.admin.client.post('/api/delivery-keys', { name, types: ['article'] })
    const [kept, revoked] = [await mint('Shop'), await mint('Old')]
    await site.admin.client.delete(`/api/delivery-keys/${revoked.body.id}`)
    const { content } = await reach.run('list_delivery_keys')
    assert.ok(!content.includes(kept.body.key))
    const { id, createdAt, last4 } = kept.body
    assert.deepEqual(JSON.parse(content).keys, [
      { id, name: 'Shop', types: ['article'], createdAt, lastUsedAt: null, hint: `cms_…${last4}` },
    ])
  })

  test('webhooks are listed with their last delivery, and no secret', async () => {
    const hook = await addHook(site.admin.client, { url: PUBLIC_TARGET, events: ['entry.published'] })
    const { content } = await reach.run('list_webhooks')
    assert.ok(!content.includes(hook.secret))
    const { id, version } = hook
    assert.deepEqual(JSON.parse(content).webhooks, [
      { id, url: PUBLIC_TARGET, events: ['entry.published'], enabled: true, version, last: null },
    ])
    assert.equal(versionOf('webhook', id), version)
  })

  test('many people cost as many statements as few, a page of a hundred each', async () => {
    const cost = async () => {
      const watch = site.cms.database.watchStatements()
      await reach.read('list_people')
      watch.stop()
      return watch.texts.length
    }
    const few = await cost()
    for (let n = 0; n < 30; n += 1) await site.person('viewer')
    assert.equal(await cost(), few)
  })
})

describe('social networks', () => {
  const setup = async () => (await reach.read('get_social_setup', { network: 'mastodon' })).networks[0]

  test('the setup returns the next step, from nothing to an account', async () => {
    const all = await reach.read('get_social_setup')
    assert.equal(all.networks.length, 9)
    assert.deepEqual(await setup(), {
      ...{ network: 'mastodon', label: 'Mastodon', appRegistered: false, credentialsFrom: 'none', enabled: false },
      accounts: [],
      nextStep: 'Create an app at Mastodon, then save its client id here',
    })
    const save = (body: object) => site.admin.client.put('/api/social/settings/mastodon', body)
    await save({ clientId: 'app', enabled: true, overrides: { apiBase: 'https://social.example' } })
    assert.match((await setup()).nextStep, /^Paste the client secret/)
    await save({ clientSecret: SECRET })
    assert.match((await setup()).nextStep, /^Press Connect/)
    await save({ enabled: false })
    assert.match((await setup()).nextStep, /^Switch the Mastodon app on/)
    const { body } = await save({ enabled: true })
    const id = await addAccount()
    const { accounts, nextStep } = await setup()
    assert.deepEqual(accounts, [{ id, name: 'Harbour', status: 'active' }])
    assert.equal(nextStep, 'Nothing: 1 account can be posted to')
    assert.equal(versionOf('app', 'mastodon'), body.version)
    await site.cms.database.pool.query(`update social_account set status = 'needs_reconnect'`)
    assert.match((await setup()).nextStep, /^Connect Harbour again/)
    await site.cms.database.pool.query(`update social_account set status = 'active'`)
    assert.doesNotMatch((await reach.run('get_social_setup')).content, /7777/)
  })

  test('the guide has the steps, and what to enter there', async () => {
    const { _untrusted, ...guide } = await reach.read('get_social_guide', { network: 'facebook' })
    assert.deepEqual(keysOf(guide), ['callbackUrl', 'consoleUrl', 'network', 'scopes', 'steps'])
    assert.equal(guide.consoleUrl, 'https://developers.facebook.com/apps')
    assert.equal(guide.callbackUrl, 'http://cms.test/social/oauth/callback')
    assert.ok(guide.scopes.includes('pages_manage_posts'))
    assert.deepEqual(keysOf(guide.steps[0]), ['body', 'title'])
  })

  test('posts have their targets, beside the accounts that can be posted to', async () => {
    const id = await addAccount()
    const made = await site.editor.client.post('/api/social/posts', { caption: 'Hello', accountIds: [id] })
    assert.equal(made.status, 201, made.text)
    const { total, nextOffset, posts, accounts } = await reach.read('list_social_posts', { status: 'draft' })
    assert.deepEqual([total, nextOffset], [1, null])
    const [target] = made.body.targets
    assert.deepEqual(posts, [
      {
        ...{ id: made.body.id, caption: 'Hello', status: 'draft', scheduledAt: null },
        targets: [{ id: target.id, network: 'mastodon', account: 'Harbour', status: 'draft', error: null, url: null }],
      },
    ])
    assert.ok(accounts.some((account: { id: string }) => account.id === id))
    assert.deepEqual(keysOf(accounts[0]), ['id', 'name', 'network', 'status'])
    assert.equal((await reach.read('list_social_posts', { status: 'posted' })).total, 0)
  })
})

const addAccount = async (): Promise<string> => {
  const id = newId()
  const base = 'https://social.example'
  const addresses = { authorizeUrl: base, tokenUrl: base, apiBase: base, uploadBase: base }
  await site.cms.database.pool.query(
    `insert into social_account (id, network, remote_id, name, kind, endpoints, client_id, tokens_at, scopes, status,
       status_since, connected_at, updated_at, capabilities_at)
     values ($1, 'mastodon', $1, 'Harbour', 'profile', $3, 'app', $2, '{}', 'active', $2, $2, $2, $2)`,
    [id, site.clock.now(), JSON.stringify({ ...addresses, apiVersion: '', scopes: [] })],
  )
  return id
}
