import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { failOn } from '@stoa/tests/lib/fail-on.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { type Site, startSite } from '../../content/entries/testing/site.ts'
import { connect, type TestSocket, ticketFor } from './testing/sockets.ts'

let site: Site
let other: CmsService
let ana: Person
let ben: Person
let entry: { id: string; slug: string }
let topic: string
before(async () => {
  site = await startSite({ realtime: { secondMs: 50 } })
  other = await startCms({ databaseUrl: site.databaseUrl, clock: site.clock, realtime: { secondMs: 50 } })
  await Promise.all([site.cms.services.bus.ready(), other.cms.services.bus.ready()])
  ana = await site.person('editor', { name: 'Ana' })
  ben = await site.person('viewer', { name: 'Ben' })
})
beforeEach(async () => {
  entry = await site.add(site.editor.client, { title: 'Looked at' })
  topic = `entry:${entry.id}`
})
after(async () => {
  await other.close()
  await site.close()
})

const open = async (person: Person, at: CmsService = site): Promise<TestSocket> =>
  connect(at, await ticketFor(site.client({ token: person.token })))
const frameOf = (event: string, person: Person, name: string, since = site.clock.now()) => ({
  topic,
  event,
  data: {
    id: entry.id,
    slug: entry.slug,
    type: 'article',
    users: [{ id: person.id, name, avatarUrl: null, since: since.toISOString(), field: null }],
  },
})
const seats = async (): Promise<number> =>
  (await site.cms.database.db.query({ text: 'select 1 from presence where entry_id = $1', values: [entry.id] })).length

describe('who looks at an entry', () => {
  test('is sent at subscribing, with everyone who is there, in any process', async () => {
    const since = site.clock.now()
    const first = await open(ana)
    assert.deepEqual((await first.listen(topic)).data.users, [
      { id: ana.id, name: 'Ana', avatarUrl: null, since: since.toISOString(), field: null },
    ])
    site.clock.advance(1_000)
    const second = await open(ben, other)
    const { data } = await second.listen(topic)
    assert.deepEqual(
      data.users.map(({ name }: { name: string }) => name),
      ['Ana', 'Ben'],
    )
    assert.deepEqual(await first.next(), frameOf('presence.joined', ben, 'Ben'))
    await second.silent()
    await first.close()
    assert.deepEqual(await second.next(), frameOf('presence.left', ana, 'Ana', since))
    await second.close()
    await until(async () => (await seats()) === 0, 'all to have left')
  })

  test('counts once with several tabs, and has left with the last of them', async () => {
    const watcher = await open(ben)
    await watcher.listen(topic)
    const tabs = [await open(ana), await open(ana, other), await open(ana, other)]
    for (const tab of tabs) assert.equal((await tab.listen(topic)).data.users.length, 2)
    assert.deepEqual(await watcher.next(), frameOf('presence.joined', ana, 'Ana'))
    await tabs[0]?.close()
    assert.equal((await tabs[1]?.ask({ action: 'unsubscribe', topic }))?.event, 'unsubscribed')
    await until(async () => (await seats()) === 2, 'two tabs to have left')
    await watcher.silent()
    await tabs[2]?.close()
    assert.deepEqual(await watcher.next(), frameOf('presence.left', ana, 'Ana'))
    await tabs[1]?.close()
    await watcher.close()
  })

  test('has left once when the last two tabs close at the same moment at two processes', async () => {
    const watcher = await open(ben)
    await watcher.listen(topic)
    for (let round = 0; round < 5; round += 1) {
      const tabs = [await open(ana), await open(ana, other)]
      for (const tab of tabs) await tab.listen(topic)
      assert.equal((await watcher.next()).event, 'presence.joined')
      await Promise.all(tabs.map((tab) => tab.close()))
      assert.equal((await watcher.next()).event, 'presence.left')
      await until(async () => (await seats()) === 1, 'both tabs to have left')
    }
    await watcher.silent()
    await watcher.close()
  })

  test('is nobody’s business on the topics of others', async () => {
    const elsewhere = await open(ben)
    await elsewhere.listen('site')
    await elsewhere.listen('content:article')
    const socket = await open(ana)
    await socket.listen(topic)
    await elsewhere.silent()
    await socket.close()
    await elsewhere.close()
  })

  test('is there for 60 seconds after the last sign of life, when their process is gone', async () => {
    const watcher = await open(ben)
    await watcher.listen(topic)
    await site.cms.database.tx(async (tx) => {
      const at = site.clock.now()
      const expires_at = new Date(at.getTime() + 60_000)
      const seat = { entry_id: entry.id, connection_id: newId(), account_id: ana.id, since: at, expires_at }
      await tx.insertInto('presence').values(seat).execute()
    })
    const since = site.clock.now()
    site.clock.advance(59_999)
    await passTime(300, 'presence is looked at many times')
    await watcher.silent()
    site.clock.advance(1)
    assert.deepEqual(await watcher.next(), frameOf('presence.left', ana, 'Ana', since))
    await watcher.close()
  })

  test('leaves an entry beside one whose seats cannot be taken away, and used tickets go as well', async (t) => {
    const other = await site.add(site.editor.client, { title: 'Stuck' })
    const watcher = await open(ben)
    await watcher.listen(topic)
    const at = site.clock.now()
    t.after(await failOn(site.cms.database, 'delete', 'presence', `old.entry_id = '${other.id}'`))
    t.after(() => site.cms.database.pool.query('delete from presence where entry_id = $1', [other.id]))
    await site.cms.database.tx(async (tx) => {
      for (const { id } of [other, entry]) {
        const seat = { entry_id: id, connection_id: newId(), account_id: ana.id, since: at, expires_at: at }
        await tx.insertInto('presence').values(seat).execute()
      }
    })
    await ticketFor(ana.client)
    site.clock.advance(31_000)
    assert.deepEqual(await watcher.next(), frameOf('presence.left', ana, 'Ana', at))
    const tickets = () => site.cms.database.db.selectFrom('realtime_ticket').select('expires_at').execute()
    await until(async () => (await tickets()).length === 0, 'the tickets to be gone')
    await watcher.close()
  })

  test('stays while the socket lives', async () => {
    const socket = await open(ana)
    await socket.listen(topic)
    const expiry = async () => {
      const [row] = await site.cms.database.db.query<{ expires_at: Date }>({
        text: 'select expires_at from presence where entry_id = $1',
        values: [entry.id],
      })
      return row?.expires_at.getTime() ?? 0
    }
    const first = await expiry()
    site.clock.advance(30_000)
    await until(async () => (await expiry()) > first, 'the seat to be kept')
    await socket.close()
  })

  test('is given up by a process that stops', async () => {
    const third = await startCms({ databaseUrl: site.databaseUrl, clock: site.clock })
    const watcher = await open(ben)
    await watcher.listen(topic)
    const socket = await open(ana, third)
    await socket.listen(topic)
    assert.equal((await watcher.next()).event, 'presence.joined')
    await third.close()
    assert.equal((await watcher.next()).event, 'presence.left')
    assert.equal((await socket.closed()).code, 1001)
    await watcher.close()
  })

  test('is sent again after notifications were lost', async () => {
    const watcher = await open(ben)
    await watcher.listen(topic)
    await site.cms.database.db.query({
      text: `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = $1`,
      values: [`stoa-cms-events ${site.cms.services.bootId}`],
    })
    await until(() => watcher.frames.some(({ event }) => event === 'presence.state'), 'the state')
    const state = watcher.frames.find(({ event }) => event === 'presence.state')
    assert.deepEqual(state, frameOf('presence.state', ben, 'Ben'))
    await watcher.close()
  })
})
