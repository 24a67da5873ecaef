import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import type { WebhookEvent } from '@stoa/cms-model/webhook-events.ts'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { failOn } from '@stoa/tests/lib/fail-on.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { contextFor } from '../../context.ts'
import { recordChange } from '../../events/events.ts'
import type { Principal } from '../../principal.ts'
import { notifyUpdated } from '../../social/posts/posts.ts'
import { PluginProblem, SandboxFailure } from '../sandbox/sandbox.ts'
import { type Handler, inProcessPlugins } from '../store/testing/in-process.ts'
import { installPlugin } from '../store/testing/installed.ts'
import { MAX_WAITING, tidy } from './event-worker.ts'
import { createPluginWork, type PluginWork, setSchedules } from './events.ts'
import { LONGEST_CHAIN } from './notify.ts'
import { deleteEvent } from './queries.ts'

const plugins = inProcessPlugins()
let service: CmsService
let admin: Person
let work: PluginWork
before(async () => {
  service = await startCms({ plugins })
  admin = await service.person('admin')
})
after(() => service.close())
beforeEach(() => {
  work = createPluginWork(service.cms.services)
})
afterEach(async () => {
  for (const { name } of plugins.enabled()) plugins.off(name)
  await work.stop(0)
  await service.cms.database.tx((tx) => tx.query({ text: 'delete from plugin' }))
})

const db = () => service.cms.database.db
const waiting = (plugin: string) =>
  db().selectFrom('plugin_event').selectAll().where('plugin', '=', plugin).orderBy('id').execute()
const notes = (plugin: string) => db().selectFrom('plugin_run').selectAll().where('plugin', '=', plugin).execute()
const enable = async (name: string, events: string[], handler: Handler = () => undefined) => {
  const plugin = await installPlugin(service.cms.services, { name, events })
  plugins.set(plugin, handler)
  return plugin
}
const SYSTEM: Principal = { kind: 'system', name: 'test' }
/** A change of a record as a slice makes it. */
const change = (
  id: string,
  event: WebhookEvent = 'entry.updated',
  principal: Principal = SYSTEM,
  { from = service, slug = `slug-${id}` }: { from?: CmsService; slug?: string } = {},
) => {
  const ctx = contextFor(from.cms.services, principal)
  return from.cms.database.tx((tx) =>
    recordChange(ctx, tx, {
      action: event,
      target: { kind: 'entry', id, label: 'A title that nobody gets' },
      events: [{ name: event, data: { id, type: 'article', slug }, isPublic: false }],
    }),
  )
}
const statementsOf = async (act: () => Promise<unknown>): Promise<number> => {
  const watch = service.cms.database.watchStatements()
  await act()
  watch.stop()
  return watch.texts.length
}

describe('events for plugins', () => {
  test('ids with the commit, never content, and to those only who declare the event', async () => {
    const received: unknown[] = []
    await enable('listens', ['entry.updated'], ({ kind, name, input, caller }) => {
      received.push([kind, name, input, caller])
      return undefined
    })
    await enable('deaf', ['menu.updated'], () => assert.fail('it did not ask for this'))
    await change('a')
    await change('b', 'entry.scheduled')
    await work.runDue()
    const at = service.clock.now().toISOString()
    const payload = { event: 'entry.updated', id: 'a', type: 'article', slug: 'slug-a', at }
    assert.deepEqual(received, [['event', 'entry.updated', payload, { kind: 'plugin', chain: 0 }]])
    assert.deepEqual(await waiting('listens'), [])
  })

  test('costs one statement, and none where nobody wants it', async () => {
    const without = await statementsOf(() => change('a'))
    await enable('deaf', ['menu.updated'])
    assert.equal(await statementsOf(() => change('a')), without)
    await enable('one', ['entry.updated'])
    await enable('two', ['entry.updated'])
    assert.equal(await statementsOf(() => change('a')), without + 1)
    assert.equal((await waiting('one')).length + (await waiting('two')).length, 2)
  })

  test('nothing when the transaction fails', async () => {
    await enable('listens', ['entry.updated'])
    const ctx = contextFor(service.cms.services, SYSTEM)
    await assert.rejects(
      service.cms.database.tx(async (tx) => {
        await recordChange(ctx, tx, {
          action: 'entry.updated',
          target: { kind: 'entry', id: 'a', label: '' },
          events: [{ name: 'entry.updated', data: { id: 'a' }, isPublic: false }],
        })
        throw new Error('no')
      }),
    )
    assert.deepEqual(await waiting('listens'), [])
  })

  test('changes of real routes, and of social posts, which are no webhooks, once for each transaction', async () => {
    await enable('listens', ['settings.updated', 'social.updated'])
    assert.equal((await admin.client.put('/api/settings', { title: 'Other' })).status, 200)
    await service.cms.database.tx(async (tx) => {
      notifyUpdated(tx, 'post')
      notifyUpdated(tx, 'post')
    })
    const rows = await waiting('listens')
    assert.deepEqual(
      rows.map(({ event }) => event),
      ['settings.updated', 'social.updated'],
    )
    assert.equal(rows[1]?.record, 'listens/social/post')
  })

  test('a plugin gets no events of its own changes, and those of changes it made for a person', async () => {
    await enable('self', ['entry.updated'])
    await enable('other', ['entry.updated'])
    const account = await db().selectFrom('account').selectAll().where('id', '=', admin.id).executeTakeFirstOrThrow()
    await change('a', 'entry.updated', { kind: 'plugin', name: 'self', grants: [], account: null, chain: 0 })
    assert.deepEqual([(await waiting('self')).length, (await waiting('other')).length], [0, 1])
    const person = {
      id: admin.id,
      email: account.email,
      name: account.name,
      role: 'admin' as const,
      avatar: null,
      hasTotp: false,
      version: 1,
      createdAt: account.created_at,
      updatedAt: account.updated_at,
    }
    await change('a', 'entry.updated', { kind: 'plugin', name: 'self', grants: [], account: person, chain: 0 })
    assert.deepEqual([(await waiting('self')).length, (await waiting('other')).length], [1, 2])
  })

  test('two that answer each other come to an end', async () => {
    const acts: string[] = []
    const answering =
      (name: string): Handler =>
      async ({ caller }) => {
        assert.equal(caller.kind, 'plugin')
        acts.push(name)
        const chain = caller.kind === 'plugin' ? caller.chain : 0
        await change('a', 'entry.updated', { kind: 'plugin', name, grants: [], account: null, chain })
        return undefined
      }
    await enable('ping', ['entry.updated'], answering('ping'))
    await enable('pong', ['entry.updated'], answering('pong'))
    await change('a')
    for (let times = 0; times < 20; times += 1) await work.runDue()
    assert.equal(acts.length, 2 * (LONGEST_CHAIN + 1))
    assert.deepEqual([await waiting('ping'), await waiting('pong')], [[], []])
    // The next change begins anew
    await change('a')
    assert.equal((await waiting('ping')).length, 1)
  })

  test('one that was disabled or uninstalled elsewhere gets no event, and the change is still made', async () => {
    await enable('off', ['entry.updated'])
    await enable('gone', ['entry.updated'])
    await service.cms.database.tx(async (tx) => {
      await tx.query({ text: `update plugin set enabled = false where name = 'off'` })
      await tx.query({ text: `delete from plugin where name = 'gone'` })
    })
    await change('a')
    assert.deepEqual([await waiting('off'), await waiting('gone')], [[], []])
  })
})

describe('order and retries', () => {
  test('events of a record come one after the other; what is tried again holds up its record only', async () => {
    const received: string[] = []
    let fails = true
    await enable('listens', ['entry.updated', 'entry.published', 'entry.scheduled'], ({ name, input }) => {
      const { id } = input as { id: string }
      received.push(`${id} ${name}`)
      if (fails && id === 'a' && name === 'entry.published') throw new SandboxFailure('failed', 'no')
      return undefined
    })
    for (const id of ['a', 'b'])
      for (const event of ['entry.updated', 'entry.published', 'entry.scheduled'] as const) await change(id, event)
    await work.runDue()
    assert.deepEqual(
      received.filter((line) => line.startsWith('b')),
      ['b entry.updated', 'b entry.published', 'b entry.scheduled'],
    )
    assert.deepEqual(
      received.filter((line) => line.startsWith('a')),
      ['a entry.updated', 'a entry.published'],
    )
    fails = false
    service.clock.advance(13_000)
    await work.runDue()
    assert.deepEqual(received.slice(-2), ['a entry.published', 'a entry.scheduled'])
    assert.deepEqual(await waiting('listens'), [])
  })

  test('is tried again after the waits of webhooks, then given up with a note', async () => {
    let attempts = 0
    await enable('fails', ['entry.updated'], () => {
      attempts += 1
      throw attempts % 2 ? new SandboxFailure('timeout', 'slow') : new PluginProblem(400, 'no')
    })
    await change('a')
    const waits: number[] = []
    for (;;) {
      await work.runDue()
      const [row] = await waiting('fails')
      if (!row?.due_at) break
      const wait = row.due_at.getTime() - service.clock.now().getTime()
      waits.push(wait / 1_000)
      service.clock.advance(wait)
    }
    assert.equal(attempts, 7)
    const bases = [10, 60, 300, 1_800, 7_200, 21_600]
    assert.equal(waits.length, bases.length)
    for (const [index, base] of bases.entries()) assert.ok(waits[index]! >= base && waits[index]! <= base * 1.2)
    assert.match((await notes('fails'))[0]?.message ?? '', /Gave up after 7 attempts/)
  })

  test('a sandbox that cannot be asked now is no attempt', async () => {
    let asked = 0
    await enable('busy', ['entry.updated'], () => {
      asked += 1
      if (asked <= 8) throw new SandboxFailure(asked % 2 ? 'busy' : 'stopped', 'later')
      return undefined
    })
    await change('a')
    for (let n = 0; n < 9; n += 1) {
      await work.runDue()
      service.clock.advance(5_000)
    }
    assert.deepEqual([asked, await waiting('busy'), await notes('busy')], [9, [], []])
  })

  test('a plugin that hangs takes its own slots and nobody else’s', async () => {
    const hanging = Promise.withResolvers<undefined>()
    let begun = 0
    await enable('hangs', ['entry.updated'], () => {
      begun += 1
      return hanging.promise
    })
    const received: string[] = []
    await enable('quick', ['entry.updated'], ({ input }) => {
      received.push((input as { id: string }).id)
      return undefined
    })
    for (let n = 0; n < 30; n += 1) await change(`r${n}`)
    work.start()
    await until(() => received.length === 30, 'the quick one has received all')
    assert.equal(begun, 2)
    assert.equal((await waiting('hangs')).length, 30)
    hanging.resolve(undefined)
    await until(async () => (await waiting('hangs')).length === 0, 'the other one, too')
  })

  test('a process that stops gives back what hangs, for another one', async () => {
    let asked = 0
    await enable('hangs', ['entry.updated'], () => {
      asked += 1
      return asked === 1 ? new Promise(() => undefined) : undefined
    })
    await change('a')
    work.start()
    await until(() => asked === 1, 'it hangs')
    await work.stop(0)
    work = createPluginWork(service.cms.services)
    await work.runDue()
    assert.deepEqual([asked, await waiting('hangs')], [2, []])
  })

  test('two processes share the work: each event once, and each record in order', async () => {
    const received: { id: string; slug: string }[] = []
    const elsewhere = inProcessPlugins()
    const other = await startCms({ databaseUrl: service.databaseUrl, clock: service.clock, plugins: elsewhere })
    try {
      const plugin = await enable('listens', ['entry.updated'])
      for (const list of [plugins, elsewhere])
        list.set(plugin, async ({ input }) => {
          await passTime(Math.random() * 3, 'handlers of both processes overlap')
          received.push(input as { id: string; slug: string })
          return undefined
        })
      const beside = createPluginWork(other.cms.services)
      for (let n = 0; n < 60; n += 1)
        await change(`r${n % 6}`, 'entry.updated', SYSTEM, { from: n % 2 ? service : other, slug: String(n) })
      work.start()
      beside.start()
      await until(async () => (await waiting('listens')).length === 0, 'all were delivered')
      await beside.stop(0)
      assert.equal(received.length, 60)
      for (let n = 0; n < 6; n += 1)
        assert.deepEqual(
          received.filter(({ id }) => id === `r${n}`).map(({ slug }) => Number(slug)),
          Array.from({ length: 10 }, (_, turn) => turn * 6 + n),
        )
    } finally {
      await other.close()
    }
  })
})

describe('what waits is bounded', () => {
  const fill = (plugin: string, count: number, at = service.clock.now()) =>
    service.cms.database.tx((tx) =>
      tx.query({
        text: `insert into plugin_event (id, plugin, record, event, payload, due_at, created_at)
          select lpad(n::text, 10, '0') || $1, $1, $1 || '/entry/' || n, 'entry.updated', '{}', $3, $3
          from generate_series(1, $2::integer) n`,
        values: [plugin, count, at],
      }),
    )

  test('one that was claimed again stays when the first who had it is done', async () => {
    await enable('late', ['entry.updated'])
    await change('a')
    const [event] = await waiting('late')
    assert.ok(event)
    const { tx } = service.cms.database
    await tx((opened) => opened.query({ text: 'update plugin_event set claims = 2 where id = $1', values: [event.id] }))
    await tx((opened) => deleteEvent(opened, { id: event.id, fence: 1 }))
    assert.equal((await waiting('late')).length, 1)
    await tx((opened) => deleteEvent(opened, { id: event.id, fence: 2 }))
    assert.equal((await waiting('late')).length, 0)
  })

  test('of too many the oldest are dropped, with a note, and others keep theirs', async () => {
    await enable('flooded', ['entry.updated'])
    await enable('calm', ['entry.updated'])
    await fill('flooded', MAX_WAITING + 25)
    await fill('calm', 10)
    await tidy(service.cms.services)
    const rows = await waiting('flooded')
    assert.equal(rows.length, MAX_WAITING)
    assert.equal(rows[0]?.id, '0000000026flooded')
    assert.equal((await waiting('calm')).length, 10)
    assert.match((await notes('flooded'))[0]?.message ?? '', /^The 25 oldest events were dropped/)
    assert.deepEqual(await notes('calm'), [])
  })

  test('of one plugin beside another whose events cannot be removed, and not all at once', async () => {
    const { database } = service.cms
    await enable('bad', ['entry.updated'])
    await enable('flooded', ['entry.updated'])
    await enable('off', ['entry.updated'])
    await fill('bad', MAX_WAITING + 1)
    await fill('flooded', MAX_WAITING + 1_500)
    await fill('off', 1_500, new Date(service.clock.now().getTime() - 2 * 86_400_000))
    await database.pool.query(`update plugin set enabled = false where name = 'off'`)
    const undo = await failOn(database, 'delete', 'plugin_event', `old.plugin = 'bad'`)
    await database.pool.query(`
      create function too_many() returns trigger language plpgsql as $$
        begin if (select count(*) from gone) > 1000 then raise exception 'too many'; end if; return null; end $$;
      create trigger too_many after delete on plugin_event referencing old table as gone
        for each statement execute function too_many()`)
    try {
      await tidy(service.cms.services)
    } finally {
      await undo()
      await database.pool.query('drop function too_many cascade')
    }
    const counts = [await waiting('bad'), await waiting('flooded'), await waiting('off')].map(({ length }) => length)
    assert.deepEqual(counts, [MAX_WAITING + 1, MAX_WAITING, 0])
    const messages = (await notes('flooded')).map(({ message }) => message)
    assert.equal(messages.length, 1)
    assert.match(messages[0] ?? '', /^The 1500 oldest events were dropped/)
  })

  test('a disabled plugin gets the events of the last day later', async () => {
    const received: unknown[] = []
    const plugin = await enable('off', ['entry.updated'], ({ input }) => void received.push(input))
    await change('old')
    service.clock.advance(2 * 86_400_000)
    await change('new')
    plugins.off('off')
    await service.cms.database.tx((tx) => tx.query({ text: `update plugin set enabled = false where name = 'off'` }))
    plugins.set(plugin, () => assert.fail('it is off in the database'))
    await work.runDue()
    await tidy(service.cms.services)
    assert.equal((await waiting('off')).length, 1)
    await service.cms.database.tx((tx) => tx.query({ text: `update plugin set enabled = true where name = 'off'` }))
    plugins.set(plugin, ({ input }) => void received.push((input as { id: string }).id))
    await work.runDue()
    assert.deepEqual(received, ['new'])
  })

  test('uninstalled, or no longer declared, nothing waits', async () => {
    await enable('gone', ['entry.updated'])
    await change('a')
    await service.cms.database.tx((tx) => tx.query({ text: `delete from plugin where name = 'gone'` }))
    assert.deepEqual(await waiting('gone'), [])
    const before = await enable('less', ['entry.updated'])
    await change('a')
    plugins.set({ ...before, manifest: { ...before.manifest, events: [] } }, () => assert.fail('not declared'))
    await work.runDue()
    assert.deepEqual(await waiting('less'), [])
  })
})

describe('schedules', () => {
  const rows = (plugin: string) =>
    db().selectFrom('plugin_schedule').selectAll().where('plugin', '=', plugin).orderBy('id').execute()
  const schedule = (plugin: string, schedules: { name: string; every: string }[]) =>
    service.cms.database.tx((tx) => setSchedules(tx, plugin, schedules, service.clock.now()))
  const scheduled = async (name: string, handler: Handler, schedules = [{ name: 'tidy', every: '1h' }]) => {
    const plugin = await installPlugin(service.cms.services, { name, schedules })
    plugins.set(plugin, handler)
    await schedule(name, schedules)
    return plugin
  }
  const HOUR = 3_600_000

  test('run when they are due, as the plugin itself, and on their beat', async () => {
    const runs: unknown[] = []
    await scheduled('ticks', ({ kind, name, caller }) => void runs.push([kind, name, caller]))
    await work.runDue()
    assert.equal(runs.length, 0)
    service.clock.advance(HOUR + 90_000)
    await work.runDue()
    assert.deepEqual(runs, [['schedule', 'tidy', { kind: 'plugin', chain: 0 }]])
    service.clock.advance(HOUR - 90_000 - 1)
    await work.runDue()
    assert.equal(runs.length, 1)
    service.clock.advance(1)
    await work.runDue()
    assert.equal(runs.length, 2)
  })

  test('what was missed is not made up for, and a failure waits for the next time', async () => {
    let runs = 0
    await scheduled('ticks', () => {
      runs += 1
      throw new SandboxFailure('failed', 'no')
    })
    service.clock.advance(50 * HOUR + 1_000)
    await work.runDue()
    await work.runDue()
    assert.equal(runs, 1)
    assert.equal((await rows('ticks'))[0]?.due_at?.getTime(), service.clock.now().getTime() + HOUR - 1_000)
  })

  test('two processes run one once', async () => {
    const elsewhere = inProcessPlugins()
    const other = await startCms({ databaseUrl: service.databaseUrl, clock: service.clock, plugins: elsewhere })
    try {
      let runs = 0
      const handler = async () => {
        runs += 1
        await passTime(20, 'the other process looks meanwhile')
        return undefined
      }
      elsewhere.set(await scheduled('ticks', handler), handler)
      const beside = createPluginWork(other.cms.services)
      for (let n = 1; n <= 5; n += 1) {
        service.clock.advance(HOUR)
        await Promise.all([work.runDue(), beside.runDue()])
        assert.equal(runs, n)
      }
    } finally {
      await other.close()
    }
  })

  test('follow the manifest: kept, changed, dropped, and begun anew after a pause', async () => {
    await scheduled('ticks', () => undefined, [
      { name: 'kept', every: '1h' },
      { name: 'changed', every: '1h' },
      { name: 'dropped', every: '1h' },
    ])
    const due = (name: string) => async () => (await rows('ticks')).find((row) => row.name === name)?.due_at?.getTime()
    const first = await due('kept')()
    service.clock.advance(60_000)
    await schedule('ticks', [
      { name: 'kept', every: '1h' },
      { name: 'changed', every: '2h' },
      { name: 'added', every: '1m' },
    ])
    const now = service.clock.now().getTime()
    assert.equal(await due('kept')(), first)
    assert.equal(await due('changed')(), now + 2 * HOUR)
    assert.equal(await due('added')(), now + 60_000)
    assert.equal((await rows('ticks')).length, 3)
    service.clock.advance(10 * HOUR)
    await schedule('ticks', [{ name: 'kept', every: '1h' }])
    assert.equal(await due('kept')(), service.clock.now().getTime() + HOUR)
    await schedule('ticks', [])
    assert.deepEqual(await rows('ticks'), [])
  })

  test('do not run while the plugin is off, and do not wait for years after the clock was set back', async () => {
    let runs = 0
    await scheduled('ticks', () => {
      runs += 1
      return undefined
    })
    await service.cms.database.tx((tx) => tx.query({ text: 'update plugin set enabled = false' }))
    service.clock.advance(HOUR)
    await work.runDue()
    assert.equal(runs, 0)
    await service.cms.database.tx(async (tx) => {
      await tx.query({ text: 'update plugin set enabled = true' })
      await tx.query({ text: `update plugin_schedule set due_at = due_at + interval '5 years', last_at = due_at` })
    })
    work.start()
    const { services } = service.cms
    await until(async () => {
      const [row] = await rows('ticks')
      return row?.due_at?.getTime() === services.clock.now().getTime() + HOUR
    }, 'it is due within the hour')
  })
})
