import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { designManifest } from '@stoa/cms-model/design.ts'
import { loseAndReconnect } from '@stoa/tests/lib/lose-notifications.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { deliveryKeyFor } from './people/delivery-keys/testing/keys.ts'
import { inProcessPlugins } from './plugins/store/testing/in-process.ts'
import { installPlugin } from './plugins/store/testing/installed.ts'
import { type Ground, startGround } from './social/worker/testing/ground.ts'

const ORIGIN = 'https://shop.example'
const design = designManifest.parse({
  surfaces: [
    {
      id: 'brand',
      label: 'Brand',
      properties: [{ key: 'main', label: 'Main colour', type: 'color', css: '--main', default: '#123456' }],
    },
  ],
})

const plugins = inProcessPlugins()
const called: string[] = []
let ground: Ground
let draft: string
let key: string
before(async () => {
  // Queues do not look by themselves in time: what is done was woken.
  ground = await startGround({ background: true, pollMs: 3_600_000, plugins, design })
  await ground.cms.services.bus.ready()
  const plugin = await installPlugin(ground.cms.services, {
    name: 'listens',
    events: ['entry.updated'],
    schedules: [{ name: 'tick', every: '1h' }],
  })
  plugins.set(plugin, ({ kind, name }) => void called.push(`${kind} ${name}`))
  key = (await deliveryKeyFor(await ground.person('admin'))).key
  draft = (await ground.post([await ground.account()])).id
})
after(() => ground.close())

const reconnect = () => loseAndReconnect(ground.cms.services.bus, ground.cms.database, 'stoa-cms-events')
/** Plain SQL: no commit hook announces it. */
const sql = (text: string, values: unknown[] = []) => ground.cms.database.pool.query(text, values)

type Missed = { rule: string; change(): Promise<unknown>; isNoticed(): boolean | Promise<boolean> }

const missed: readonly Missed[] = [
  {
    rule: 'the design is what was set',
    change: () =>
      sql(`with surface as (insert into design_surface (id, updated_at) values ('brand', now()))
        insert into design_override (surface_id, key, value) values ('brand', 'main', '"#abcdef"')`),
    isNoticed: () => ground.cms.services.design.current().css.includes('#abcdef'),
  },
  {
    rule: 'visitors may ask from an origin that was added',
    change: () =>
      sql('insert into visitor_settings (settings, version, updated_at) values ($1, 2, now())', [
        { enabled: true, origins: [ORIGIN] },
      ]),
    isNoticed: () => ground.cms.services.visitor.allows(ORIGIN),
  },
  {
    rule: 'a delivery key that was revoked is not answered from memory',
    async change() {
      const { deliveryKeys } = ground.cms.services
      await deliveryKeys.find(key, () => undefined)
      assert.ok(deliveryKeys.held(key))
      await sql('update delivery_key set revoked_at = now()')
    },
    isNoticed: () => ground.cms.services.deliveryKeys.held(key) === undefined,
  },
  {
    rule: 'a plugin gets its event',
    change: () =>
      sql(
        `insert into plugin_event (id, plugin, record, event, payload, due_at, created_at)
         values ('1', 'listens', 'listens/entry/a', 'entry.updated', '{}', $1, $1)`,
        [ground.clock.now()],
      ),
    isNoticed: () => called.includes('event entry.updated'),
  },
  {
    rule: 'a schedule of a plugin is run',
    change: () =>
      sql(
        `insert into plugin_schedule (id, plugin, name, every_ms, due_at)
         values ('1', 'listens', 'tick', 3600000, $1)`,
        [ground.clock.now()],
      ),
    isNoticed: () => called.includes('schedule tick'),
  },
  {
    rule: 'a social post goes out',
    change: () =>
      sql(
        `update social_target set status = 'scheduled', due_at = $1, next_attempt_at = $1, step = 'prepare'
         where post_id = $2`,
        [ground.clock.now(), draft],
      ),
    isNoticed: async () => (await ground.read(draft)).status === 'posted',
  },
]

describe('after notifications were lost, as soon as they are back', () => {
  before(async () => {
    await passTime(100, 'what the queues did at the start is over')
    for (const { rule, change, isNoticed } of missed) {
      await change()
      assert.equal(await isNoticed(), false, rule)
    }
    await reconnect()
  })

  for (const { rule, isNoticed } of missed)
    test(rule, async () => {
      await until(isNoticed, rule)
    })

  // After the others: the design is read again with them.
  test('the definitions of the host are those of its last start', async () => {
    const { host } = ground.cms.services
    await sql(`insert into host_definition (kind, definition, stored_at) values ('website', $1, now())`, [
      { previewUrl: '/', parts: [] },
    ])
    assert.equal(host.website, null)
    await reconnect()
    await until(() => host.website, 'the definitions')
  })
})
