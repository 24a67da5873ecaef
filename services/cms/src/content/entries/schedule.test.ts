import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startCms } from '@stoa/tests/lib/cms.ts'
import { failOn } from '@stoa/tests/lib/fail-on.ts'
import { runSchedule } from './publish-due.ts'
import { fieldsOf, refused, type Site, startSite } from './testing/site.ts'

let site: Site
before(async () => {
  site = await startSite()
})
after(() => site.close())

const MINUTE = 60_000
const inMinutes = (minutes: number) => new Date(site.clock.now().getTime() + minutes * MINUTE).toISOString()
const act = (id: string, body: object, client = site.editor.client) => client.post(`/api/entries/${id}/status`, body)
const draft = (client = site.editor.client, title = 'Planned') => site.add(client, { title, data: { summary: 's' } })
const run = () => runSchedule(site.cms.services)
const names = () => site.takeChanges().map(({ event }) => event)
const activityOf = (id: string) =>
  site.cms.database.db
    .selectFrom('activity')
    .select(['action', 'actor_kind', 'actor_name', 'via'])
    .where('target_id', '=', id)
    .orderBy('id', 'desc')
    .execute()

describe('a scheduled entry that can be neither published nor given up', () => {
  test('stays due, and the others are published', async (t) => {
    const planned: string[] = []
    for (let n = 0; n < 8; n += 1) planned.push((await draft()).id)
    for (const id of planned) await act(id, { action: 'publish', at: inMinutes(1) })
    const [bad = ''] = planned
    const emptied = `update entry set data = data - 'summary' where id = $1`
    await site.cms.database.pool.query(emptied, [bad])
    const isGivenUp = `new.target_id = '${bad}' and new.action = 'entry.publish.failed'`
    const undo = await failOn(site.cms.database, 'insert', 'activity', isGivenUp)
    t.after(undo)
    site.clock.advance(2 * MINUTE)
    assert.deepEqual(await run(), { published: 7, unpublished: 0, failed: 0 })
    assert.notEqual((await site.read(bad)).publishAt, null)
    await undo()
    assert.deepEqual(await run(), { published: 0, unpublished: 0, failed: 1 })
    site.takeChanges()
  })
})

describe('scheduling', () => {
  test('stores the time, notifies sessions, and can be canceled', async () => {
    const { id } = await draft()
    site.takeChanges()
    const at = inMinutes(5)
    const { body } = await act(id, { action: 'publish', at })
    assert.deepEqual([body.status, body.publishAt], ['draft', at])
    assert.deepEqual(names(), ['entry.scheduled'])
    const list = await site.editor.client.get('/api/entries?status=scheduled')
    assert.equal(list.body.meta.total, 1)
    assert.equal((await act(id, { action: 'publish', at: null })).body.publishAt, null)
    assert.deepEqual(names(), ['entry.updated'])
    site.clock.advance(10 * MINUTE)
    assert.deepEqual(await run(), { published: 0, unpublished: 0, failed: 0 })
  })

  test('is refused for the past, without the right, and while required fields are empty', async () => {
    const { id } = await draft(site.author.client)
    const past = await refused(site, id, 'SCHEDULE_IN_PAST', () => act(id, { action: 'publish', at: inMinutes(0) }))
    assert.deepEqual([past.status, fieldsOf(past)], [400, ['at']])
    await refused(site, id, 'FORBIDDEN', () => act(id, { action: 'publish', at: inMinutes(1) }, site.author.client))
    await refused(site, id, 'VALIDATION_FAILED', () => act(id, { action: 'publish', at: 'tomorrow' }))
    await refused(site, id, 'VALIDATION_FAILED', () => act(id, { action: 'draft', at: inMinutes(1) }))
    const incomplete = await site.add(site.editor.client, { title: 'No summary' })
    const answer = await refused(site, incomplete.id, 'VALIDATION_FAILED', () =>
      act(incomplete.id, { action: 'publish', at: inMinutes(1) }),
    )
    assert.deepEqual(fieldsOf(answer), ['summary'])
  })

  test('an end needs a beginning', async () => {
    const { id } = await draft()
    await refused(site, id, 'INVALID_STATE', () => act(id, { action: 'unpublish', at: inMinutes(2) }))
    await act(id, { action: 'publish', at: inMinutes(1) })
    assert.equal((await act(id, { action: 'unpublish', at: inMinutes(2) })).status, 200)
    const cleared = await act(id, { action: 'draft' })
    assert.deepEqual([cleared.body.publishAt, cleared.body.unpublishAt], [null, null])
  })
})

describe('the scheduler', () => {
  test('publishes and unpublishes at the time, with the events of doing it by hand', async () => {
    const { id } = await draft()
    await act(id, { action: 'publish', at: inMinutes(1) })
    await act(id, { action: 'unpublish', at: inMinutes(2) })
    site.takeChanges()
    assert.deepEqual(await run(), { published: 0, unpublished: 0, failed: 0 })
    site.clock.advance(MINUTE)
    assert.deepEqual(await run(), { published: 1, unpublished: 0, failed: 0 })
    const published = await site.read(id)
    assert.deepEqual(
      [published.status, published.publishAt, published.publishedAt],
      ['published', null, site.clock.now().toISOString()],
    )
    assert.deepEqual(names(), ['entry.published'])
    const [activity] = await activityOf(id)
    assert.deepEqual(activity, {
      action: 'entry.published',
      actor_kind: 'system',
      actor_name: 'scheduler',
      via: 'system',
    })
    site.clock.advance(MINUTE)
    assert.deepEqual(await run(), { published: 0, unpublished: 1, failed: 0 })
    assert.equal((await site.read(id)).status, 'draft')
    assert.deepEqual(names(), ['entry.unpublished'])
    const { body } = await site.editor.client.get(`/api/entries/${id}/revisions`)
    assert.equal(body.items[0].reason, 'schedule')
  })

  test('does both, in their order, when both are late', async () => {
    const { id } = await draft()
    await act(id, { action: 'publish', at: inMinutes(1) })
    await act(id, { action: 'unpublish', at: inMinutes(2) })
    site.takeChanges()
    site.clock.advance(5 * MINUTE)
    assert.deepEqual(await run(), { published: 1, unpublished: 1, failed: 0 })
    assert.deepEqual(names(), ['entry.published', 'entry.unpublished'])
  })

  test('promotes unpublished changes, and says nothing where there are none', async () => {
    const { id } = await draft()
    await site.publish(site.editor.client, id)
    await site.editor.client.put(`/api/entries/${id}`, { title: 'Later', mode: 'draft' })
    await act(id, { action: 'publish', at: inMinutes(1) })
    site.clock.advance(MINUTE)
    await run()
    assert.equal((await site.read(id)).live.title, 'Later')
    await act(id, { action: 'publish', at: inMinutes(1) })
    site.clock.advance(MINUTE)
    site.takeChanges()
    await run()
    assert.deepEqual(names(), [])
    assert.equal((await site.read(id)).publishAt, null)
  })

  test('clears the time where required fields are empty by then; Activity says so, no event is sent', async () => {
    const { id } = await draft()
    await act(id, { action: 'publish', at: inMinutes(1) })
    await site.editor.client.put(`/api/entries/${id}`, { data: { summary: '' } })
    site.clock.advance(MINUTE)
    site.takeChanges()
    assert.deepEqual(await run(), { published: 0, unpublished: 0, failed: 1 })
    const entry = await site.read(id)
    assert.deepEqual([entry.status, entry.publishAt], ['draft', null])
    assert.deepEqual(names(), [])
    assert.equal((await activityOf(id))[0]?.action, 'entry.publish.failed')
    assert.deepEqual(await run(), { published: 0, unpublished: 0, failed: 0 })
  })

  test('leaves the trash alone', async () => {
    const { id } = await draft()
    await act(id, { action: 'publish', at: inMinutes(1) })
    await site.editor.client.delete(`/api/entries/${id}`)
    site.clock.advance(MINUTE)
    assert.deepEqual(await run(), { published: 0, unpublished: 0, failed: 0 })
  })

  test('publishes each of many exactly once, in two processes at the same time', async () => {
    const second = await startCms({ databaseUrl: site.databaseUrl, clock: site.clock })
    try {
      const count = await site.count('article')
      // More than are looked up at once.
      await site.cms.database.tx((tx) =>
        tx.query({
          text: `insert into entry (id, type, slug, title, data, status, locale, publish_at, created_at, updated_at)
            select gen_random_uuid(), 'article', 'due-' || n, 'Due ' || n, '{"summary": "s"}', 'draft', 'en', $1, $2, $2
            from generate_series(1, 120) as n`,
          values: [inMinutes(1), site.clock.now()],
        }),
      )
      site.clock.advance(MINUTE)
      const runs = await Promise.all([run(), runSchedule(second.cms.services), run()])
      assert.equal(
        runs.reduce((total, { published }) => total + published, 0),
        120,
      )
      const events = await site.cms.database.db
        .selectFrom('activity')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('action', '=', 'entry.published')
        .where('target_label', 'like', 'Due %')
        .executeTakeFirstOrThrow()
      assert.equal(events.count, 120)
      assert.equal(await site.count('article'), count + 120)
    } finally {
      await second.close()
    }
  })
})
