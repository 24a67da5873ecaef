import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { announce, type DeliverySite, type Reader, startDelivery } from './testing/site.ts'

let site: DeliverySite
let reader: Reader
let picture: string
const ids: Record<string, string> = {}
before(async () => {
  site = await startDelivery()
  await site.addType('team', [{ key: 'motto', type: 'text' }])
  await site.addType(
    'person',
    [
      { key: 'bio', type: 'text' },
      { key: 'pin', type: 'text', hidden: true },
      { key: 'face', type: 'media' },
      { key: 'best', type: 'reference', to: 'person', multiple: false },
      { key: 'friends', type: 'reference', to: 'person' },
      { key: 'team', type: 'reference', to: 'team', multiple: false },
      { key: 'album', type: 'gallery' },
      {
        key: 'years',
        type: 'list',
        fields: [
          { key: 'label', type: 'text' },
          { key: 'hush', type: 'text', hidden: true },
          { key: 'with', type: 'reference', to: 'person' },
          {
            key: 'shots',
            type: 'list',
            fields: [
              { key: 'shot', type: 'media' },
              { key: 'by', type: 'reference', to: 'person', multiple: false },
            ],
          },
        ],
      },
    ],
    { previewUrl: '/people/{slug}' },
  )
  picture = await site.addMedia()
  const person = async (title: string, data: object, isLive = true) => {
    const made = await site.add(site.editor.client, { type: 'person', title, data })
    if (isLive) await site.publish(site.editor.client, made.id)
    ids[title] = made.id
  }
  const team = await site.live({ type: 'team', title: 'Team', data: { motto: 'on' } })
  ids.Team = team.id
  await person('Draft', { bio: 'secret draft' }, false)
  await person('Zoe', { bio: 'zoe', pin: '4711', face: picture, team: ids.Team })
  await person('Yan', { bio: 'yan', best: ids.Zoe })
  await person('Xia', { bio: 'xia', best: ids.Yan, friends: [ids.Zoe, ids.Draft, ids.Yan] })
  await person('Wim', {
    best: ids.Draft,
    album: [picture, picture],
    years: [
      {
        label: '2025',
        hush: 'quiet',
        with: [ids.Draft, ids.Zoe],
        shots: [{ shot: picture, by: ids.Xia }, { by: ids.Draft }],
      },
    ],
  })
  reader = await site.reader()
})
after(() => site.close())

const MEDIA = ['id', 'url', 'filename', 'mimeType', 'size', 'width', 'height', 'alt', 'caption', 'focalX', 'focalY']
const STUB = ['id', 'slug', 'type', 'title', 'url']
const keys = (value: object) => Object.keys(value)

describe('references and files on delivery', () => {
  test('are full objects one level deep, stubs below', async () => {
    const { data } = await reader.read('/content/person/xia')
    assert.deepEqual(keys(data.best), [...STUB, 'data', 'publishedAt'])
    assert.equal(data.best.url, 'http://cms.test/people/yan')
    assert.deepEqual(keys(data.best.data.best), STUB)
    assert.deepEqual(keys(data.friends[0].data.face), MEDIA)
    assert.equal(data.friends[0].data.pin, undefined)
  })

  test('depth 0 has stubs only, depth 2 goes one level further', async () => {
    assert.deepEqual(keys((await reader.read('/content/person/xia?depth=0')).data.best), STUB)
    const deep = await reader.read('/content/person/xia?depth=2')
    assert.equal(deep.data.best.data.best.data.bio, 'zoe')
    assert.deepEqual(keys(deep.data.best.data.best.data.team), STUB)
    const deepest = await reader.read('/content/person/xia?depth=3')
    assert.equal(deepest.data.best.data.best.data.team.data.motto, 'on')
  })

  test('C3: what is not published is null, or left out of several, also inside of lists', async () => {
    const { data } = await reader.read('/content/person/wim')
    assert.equal(data.best, null)
    assert.deepEqual(
      data.years[0].with.map(({ id }: { id: string }) => id),
      [ids.Zoe],
    )
    assert.equal(data.years[0].shots[1].by, null)
    assert.equal(data.years[0].hush, undefined)
    const list = await reader.get('/content/person?depth=3')
    assert.ok(
      !list.text.includes(ids.Draft ?? '-') && !list.text.includes('secret draft') && !list.text.includes('4711'),
    )
    assert.deepEqual(
      (await reader.read('/content/person/xia')).data.friends.map(({ id }: { id: string }) => id),
      [ids.Zoe, ids.Yan],
    )
  })

  test('galleries and lists in lists are expanded in their order', async () => {
    const { data } = await reader.read('/content/person/wim')
    assert.deepEqual(data.album.map(keys), [MEDIA, MEDIA])
    assert.equal(data.album[0].url, `http://cms.test/media/${picture}/hash/a.png`)
    assert.deepEqual(keys(data.years[0].shots[0].shot), MEDIA)
    assert.equal(data.years[0].shots[0].by.data.bio, 'xia')
  })

  test('C3: what is outside of the scopes of the key is not shown, and is as if it were not there', async () => {
    const narrow = await site.reader(['person'])
    const { data } = await narrow.read('/content/person/zoe')
    assert.equal(data.team, null)
    const { items } = await narrow.read('/content')
    assert.deepEqual(
      items.map(({ name }: { name: string }) => name),
      ['person'],
    )
    const shape = items[0].fields.find(({ key }: { key: string }) => key === 'team')
    assert.equal(shape.to, null)
    assert.ok(!JSON.stringify(items).includes('"team",') || !JSON.stringify(items).includes('"to":"team"'))
    assert.ok(!JSON.stringify(items).includes('pin') && !JSON.stringify(items).includes('hush'))
    assert.equal((await narrow.read(`/content/person?filter[team][eq]=${ids.Team}`)).meta.total, 0)
    assert.equal((await reader.read(`/content/person?filter[team][eq]=${ids.Team}`)).meta.total, 1)
  })

  test('C1: a target that cannot be shown cannot be asked for', async () => {
    assert.equal((await reader.read(`/content/person?filter[friends][eq]=${ids.Draft}`)).meta.total, 0)
    assert.equal((await reader.read(`/content/person?filter[friends][in]=${ids.Draft},${ids.Zoe}`)).meta.total, 1)
  })

  test('cycles are cut: an entry inside of itself is a stub', async () => {
    const a = await site.live({ type: 'person', title: 'Cycle A', data: {} })
    const b = await site.live({ type: 'person', title: 'Cycle B', data: { best: a.id, friends: [a.id] } })
    await site.editor.client.put(`/api/entries/${a.id}`, { data: { best: b.id, friends: [a.id] } })
    const { data } = await reader.read('/content/person/cycle-a?depth=3')
    assert.equal(data.best.id, b.id)
    assert.deepEqual(keys(data.best.data.best), STUB)
    assert.deepEqual(keys(data.friends[0]), STUB)
  })

  test('unpublishing, trashing and deleting a target hide it at once', async () => {
    const target = await site.live({ type: 'person', title: 'Goes', data: { bio: 'goes' } })
    await site.live({ type: 'person', title: 'Stays', data: { best: target.id } })
    const best = async () => (await reader.read('/content/person/stays')).data.best
    assert.equal((await best()).data.bio, 'goes')
    await site.editor.client.post(`/api/entries/${target.id}/status`, { action: 'unpublish' })
    assert.equal(await best(), null)
    await site.publish(site.editor.client, target.id)
    assert.notEqual(await best(), null)
    await site.editor.client.delete(`/api/entries/${target.id}`)
    assert.equal(await best(), null)
  })

  test('a pending version of a target stays unseen until it is published', async () => {
    const target = await site.live({ type: 'person', title: 'Pend', data: { bio: 'live' } })
    await site.live({ type: 'person', title: 'Looks', data: { best: target.id } })
    await site.editor.client.put(`/api/entries/${target.id}`, { title: 'New', data: { bio: 'later' }, mode: 'draft' })
    const { best } = (await reader.read('/content/person/looks')).data
    assert.deepEqual([best.title, best.data.bio], ['Pend', 'live'])
    const own = await reader.read('/content/person/pend')
    assert.deepEqual([own.title, own.data.bio, own.version], ['Pend', 'live', 2])
    assert.equal((await reader.read('/content/person?q=later')).meta.total, 0)
  })

  test('what does not fit its field any more reads as the empty value, a target of another type as none', async () => {
    const one = await site.live({ type: 'person', title: 'Retyped', data: { bio: 'text', best: ids.Zoe } })
    await site.cms.database.tx((tx) =>
      tx.query({
        text: `with gone as (delete from entry_template where entry_id = $1) update entry set data = data || $2 where id = $1`,
        values: [one.id, JSON.stringify({ bio: { of: 5 }, best: ids.Team, gone: 'old' })],
      }),
    )
    await announce(site, 'entry.updated')
    const { data } = await (await site.reader(['person'])).read('/content/person/retyped?depth=0')
    assert.deepEqual([data.bio, data.best, data.gone], ['', null, undefined])
  })
})
