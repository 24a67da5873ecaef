import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type CmsAnswer, type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { judgePublicUrl, type PublicUrlFacts } from './checks.ts'
import { readPluginFacts, readSocialFacts } from './queries.ts'
import { judgePlugins, judgeSocial, judgeWebhooks } from './work-checks.ts'

let service: CmsService
let owner: Person
before(async () => {
  service = await startCms()
  owner = await service.claim()
})
after(() => service.close())

const PATH = '/api/health'
const checkOf = ({ body }: CmsAnswer, id: string) =>
  body.checks.find((check: { id: string }) => check.id === id) ?? assert.fail(`there is no check ${id}`)

describe('the health of the service', () => {
  test('is what the last look found, each with what to do; a new look is made once a minute', async () => {
    const first = await owner.client.get(PATH)
    assert.equal(first.status, 200, first.text)
    assert.deepEqual(Object.keys(first.body), ['status', 'checkedAt', 'checks'])
    assert.equal(first.body.checkedAt, service.clock.now().toISOString())
    assert.deepEqual(
      first.body.checks.map(({ id }: { id: string }) => id),
      ['ports', 'public_url', 'certificate', 'webhooks', 'social', 'plugins'].concat([
        'jobs',
        'database',
        'clock',
        'disk',
        'backups',
      ]),
    )
    for (const check of first.body.checks) {
      assert.deepEqual(Object.keys(check), ['id', 'status', 'message', 'action', 'value'])
      assert.equal(check.action === null, check.status === 'ok', JSON.stringify(check))
    }
    // Clusters of tests lose what a crash loses.
    assert.deepEqual([first.body.status, checkOf(first, 'database').status], ['error', 'error'])
    assert.deepEqual(
      ['webhooks', 'social', 'plugins'].map((id) => checkOf(first, id).status),
      ['ok', 'ok', 'ok'],
    )

    assert.match(checkOf(first, 'disk').message, /% of the disk/)

    const hook = { name: 'Build', url: 'https://hooks.example.com/build', events: ['*'] }
    const { body: made } = await owner.client.post('/api/webhooks', hook)
    await service.cms.database.tx((tx) =>
      tx.query({
        text: `update webhook_endpoint set status = 'disabled', disabled_reason = 'failing' where id = $1`,
        values: [made.id],
      }),
    )
    service.clock.advance(1_000)
    assert.deepEqual((await owner.client.get(PATH)).body, first.body)
    const second = await owner.client.post(`${PATH}/check`, {})
    assert.equal(second.status, 200, second.text)
    assert.equal(second.body.checkedAt, service.clock.now().toISOString())
    assert.match(checkOf(second, 'webhooks').message, /Build/)
    assert.deepEqual((await owner.client.get(PATH)).body, second.body)
    service.clock.advance(20_000)
    const early = await owner.client.post(`${PATH}/check`)
    assert.deepEqual([early.status, early.body.code, early.headers.get('retry-after')], [429, 'RATE_LIMITED', '40'])
  })

  test('is the owner’s to see, and nothing of it is secret', async () => {
    const admin = await service.person('admin')
    for (const answer of [await admin.client.get(PATH), await admin.client.post(`${PATH}/check`, {})])
      assert.deepEqual([answer.status, answer.body.code], [403, 'FORBIDDEN'])
    const { text } = await owner.client.get(PATH)
    assert.ok(!text.includes(service.databaseUrl) && !text.includes(service.cms.services.config.secret.reveal()))
  })
})

describe('what waits', () => {
  test('is overdue, and plugins fail, as the tables say', async () => {
    const now = service.clock.now()
    const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
    await service.cms.database.tx(async (tx) => {
      await tx.query({
        text: `insert into plugin (name, enabled, manifest, hash, deaths, updated_at)
          values ('good', true, '{}', '', '{}', $1), ('bad', true, '{}', '', '{}', $1),
            ('dead', false, '{}', '', array_fill($1::timestamptz, array[5]), $1), ('off', false, '{}', '', '{}', $1)`,
        values: [now],
      })
      await tx.query({
        text: `insert into plugin_event (id, plugin, record, event, payload, due_at, created_at)
          values ('1', 'good', 'a', 'entry.updated', '{}', $1, $1), ('2', 'good', 'b', 'entry.updated', '{}', $2, $2),
            ('3', 'off', 'a', 'entry.updated', '{}', $1, $1)`,
        values: [ago(20), ago(1)],
      })
      const runs = [
        ['good', 'event', 'failed'],
        ['good', 'event', 'done'],
        ['bad', 'schedule', 'failed'],
        ['bad', 'route', 'done'],
      ]
      for (const [plugin, kind, outcome] of runs)
        await tx.query({
          text: `insert into plugin_run (id, plugin, at, kind, name, ms, outcome) values ($1, $2, $3, $4, 'x', 1, $5)`,
          values: [newId(), plugin, now, kind, outcome],
        })
    })
    assert.deepEqual(await readPluginFacts(service.cms.database.db, now), {
      died: ['dead'],
      failing: ['bad'],
      overdue: 1,
    })
    assert.deepEqual(await readSocialFacts(service.cms.database.db, now), { overdue: 0, disconnected: 0, failed: 0 })
  })

  test('is judged by the worst of it, with names as far as they fit', () => {
    const social = { overdue: 0, disconnected: 0, failed: 0 }
    assert.deepEqual(
      [social, { ...social, failed: 2 }, { ...social, disconnected: 1, failed: 2 }, { ...social, overdue: 1 }].map(
        (facts) => judgeSocial(facts).status,
      ),
      ['ok', 'warning', 'warning', 'error'],
    )
    const plugins = { died: [], failing: [], overdue: 0 }
    assert.deepEqual(
      [plugins, { ...plugins, failing: ['a'] }, { ...plugins, overdue: 3 }, { ...plugins, died: ['a'] }].map(
        (facts) => judgePlugins(facts).status,
      ),
      ['ok', 'warning', 'error', 'error'],
    )
    const many = judgeWebhooks(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ({ name })))
    assert.deepEqual([many.value, many.message], [7, 'Failing webhooks: a, b, c, d, e and 2 more.'])
  })
})

test('the public URL is one that browsers find and trust', () => {
  const good: PublicUrlFacts = {
    publicUrl: 'https://cms.example.com',
    isProduction: true,
    isNamed: true,
    addresses: ['203.0.114.7'],
  }
  const judged = (change: Partial<PublicUrlFacts>) => judgePublicUrl({ ...good, ...change }).status
  assert.equal(judged({}), 'ok')
  assert.equal(judged({ publicUrl: 'http://cms.example.com' }), 'error')
  assert.equal(judged({ publicUrl: 'http://localhost:4300', isNamed: false, isProduction: false }), 'warning')
  assert.deepEqual([judged({ addresses: null }), judged({ addresses: ['10.0.0.1'] })], ['warning', 'error'])
})
