import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { designManifest } from '@stoa/cms-model/design.ts'
import { newId } from '@stoa/kit/ids.ts'
import { type CmsAnswer, type CmsService, startCms } from '@stoa/tests/lib/cms.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { storeDefinitions } from '../../content/host-definitions/host-definitions.ts'
import { contextFor } from '../../context.ts'
import { agentFor } from '../../people/agent-keys/testing/agents.ts'
import { type DeliverySite, type Reader, readerOf, startDelivery, statementsOf } from '../delivery/testing/site.ts'
import { connect, deliveryTicket, ticketFor } from '../realtime/testing/sockets.ts'

const PROPERTIES = [
  { key: 'main', label: 'Main colour', type: 'color', css: '--main', default: '#123456' },
  { key: 'scale', label: 'Scale', type: 'number', css: '--scale', default: 1, min: 0.5, max: 2 },
  { key: 'gap', label: 'Gap', type: 'length', css: '--gap', default: '1rem', units: ['rem', 'px'], min: 0, max: 40 },
  {
    key: 'font',
    label: 'Font',
    type: 'font',
    css: '--font',
    default: 'serif',
    options: [
      { value: 'serif', label: 'Serif' },
      { value: '"Inter", sans-serif', label: 'Inter' },
    ],
  },
  { key: 'hero', label: 'Hero picture', type: 'media', css: '--hero', default: null },
]
const declared = (properties: object[] = PROPERTIES) =>
  designManifest.parse({
    surfaces: [
      { id: 'brand', label: 'Brand', properties },
      {
        id: 'footer',
        label: 'Footer',
        selector: 'footer',
        properties: [{ key: 'main', label: 'Main', type: 'color', css: '--main', default: '#000' }],
      },
    ],
  })

let site: DeliverySite
let reader: Reader
before(async () => {
  site = await startDelivery({ design: declared() })
  reader = await site.reader()
})
after(() => site.close())
beforeEach(async () => {
  for (const { id, properties } of (await read()).surfaces) {
    const remove = properties.map(({ key }: { key: string }) => key)
    assert.equal((await put({ remove }, id)).status, 200)
  }
})

const read = async (): Promise<CmsAnswer['body']> => {
  const answer = await site.viewer.client.get('/api/design')
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const put = (body: object, surface = 'brand', headers = {}, client = site.admin.client): Promise<CmsAnswer> =>
  client.put(`/api/design/${surface}`, body, headers)
const saved = async (body: object, surface = 'brand'): Promise<CmsAnswer['body']> => {
  const answer = await put(body, surface)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const valuesOf = ({ properties }: CmsAnswer['body']) =>
  Object.fromEntries(
    properties.map((each: { key: string; value: unknown; overridden: boolean }) => [
      each.key,
      each.overridden ? each.value : '-',
    ]),
  )
const NONE = { main: '-', scale: '-', gap: '-', font: '-', hero: '-' }
const rows = () => site.cms.database.db.query({ text: 'select * from design_override order by surface_id, key' })
const stored = async () => [
  await rows(),
  await site.cms.database.db.query({ text: 'select id, version from design_surface order by 1' }),
]
const current = (service: Pick<CmsService, 'cms'> = site) => service.cms.services.design.current()
const declare = (design: ReturnType<typeof declared>) =>
  storeDefinitions(contextFor(site.cms.services, { kind: 'system', name: 'start' }), { design })

describe('what can be changed', () => {
  test('is shown with the declaration and the value that holds, to everybody who reads content', async () => {
    const { surfaces } = await read()
    assert.deepEqual(
      surfaces.map(({ id, label, selector }: Record<string, unknown>) => [id, label, selector]),
      [
        ['brand', 'Brand', ':root'],
        ['footer', 'Footer', 'footer'],
      ],
    )
    assert.deepEqual(surfaces[0].properties[2], {
      key: 'gap',
      label: 'Gap',
      type: 'length',
      css: '--gap',
      options: null,
      min: 0,
      max: 40,
      units: ['rem', 'px'],
      default: '1rem',
      value: '1rem',
      overridden: false,
    })
    assert.deepEqual(surfaces[0].properties[3].options, PROPERTIES[3]?.options)
  })

  test('is nothing where no host declared anything', async () => {
    const bare = await startCms()
    const admin = await bare.person('admin')
    assert.deepEqual((await admin.client.get('/api/design')).body, { surfaces: [] })
    assert.equal((await admin.client.put('/api/design/brand', { set: {} })).body.code, 'NOT_FOUND')
    assert.deepEqual(current(bare), { surfaces: [], css: '' })
    await bare.close()
  })
})

describe('setting a value', () => {
  test('answers the surface with a new version, and null or remove brings the original back', async () => {
    const { version } = (await read()).surfaces[0]
    const answer = await put({ set: { main: '#ff0000', scale: 1.5, gap: '8px', font: '"Inter", sans-serif' } })
    assert.deepEqual(valuesOf(answer.body), {
      main: '#ff0000',
      scale: 1.5,
      gap: '8px',
      font: '"Inter", sans-serif',
      hero: '-',
    })
    assert.equal(answer.body.version, version + 1)
    assert.equal(answer.headers.get('etag'), `"v${version + 1}"`)
    assert.deepEqual((await read()).surfaces[0], answer.body)
    const fewer = await saved({ set: { main: null }, remove: ['gap', 'font'] })
    assert.deepEqual([valuesOf(fewer), fewer.version], [{ ...NONE, scale: 1.5 }, version + 2])
    assert.equal(fewer.properties[0].value, '#123456')
  })

  test('that is set already, or removing what is not set, changes nothing and sends no event', async () => {
    await saved({ set: { main: '#ff0000' } })
    const [before, version] = [await stored(), site.cms.services.delivery.versions.content()]
    await saved({ set: { main: '#ff0000', gap: null }, remove: ['font'] })
    await saved({})
    assert.deepEqual([await stored(), site.cms.services.delivery.versions.content()], [before, version])
  })

  test('is for the version that was read', async () => {
    const { version } = await saved({ set: { main: '#ff0000' } })
    const before = await stored()
    for (const [headers, members] of [
      [{ 'if-match': `"v${version - 1}"` }, {}],
      [{}, { version: version + 1 }],
      [{ 'if-match': `"v${version - 1}"` }, { version }],
    ] as const) {
      const answer = await put({ set: { main: '#00ff00' }, ...members }, 'brand', headers)
      assert.equal(`${answer.status} ${answer.body.code}`, '409 VERSION_CONFLICT')
      assert.equal(answer.body.details.version, version)
      assert.equal(answer.body.details.updatedBy.id, site.admin.id)
    }
    assert.deepEqual(await stored(), before)
    assert.equal((await put({ set: { main: '#00ff00' } }, 'brand', { 'if-match': `"v${version}"` })).status, 200)
  })

  test('of two at once for the same version succeeds once', async () => {
    const { version } = await saved({ set: { main: '#ff0000' } })
    const answers = await Promise.all(
      ['#111', '#222', '#333'].map((main) => put({ set: { main } }, 'brand', { 'if-match': `"v${version}"` })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
    assert.equal((await read()).surfaces[0].version, version + 1)
  })

  const wrong: [string, object, string[]][] = [
    ['an unknown key', { set: { colour: '#fff', constructor2: 1 } }, ['set.colour', 'set.constructor2']],
    ['an unknown key to take back', { remove: ['main', 'nope'] }, ['remove.1']],
    ['a key that is set and taken back', { set: { main: '#fff' }, remove: ['main'] }, ['remove.0']],
    ['colours that are none', { set: { main: 'red; } body { display: none' } }, ['set.main']],
    ['a colour with something in it', { set: { main: 'rgb(1 2 3 / url(x))' } }, ['set.main']],
    ['a number out of its range', { set: { scale: 2.1 } }, ['set.scale']],
    ['a number as text', { set: { scale: '1' } }, ['set.scale']],
    ['a length of another unit', { set: { gap: '1em' } }, ['set.gap']],
    ['a length out of its range', { set: { gap: '41px' } }, ['set.gap']],
    ['a font that is not offered', { set: { font: 'Comic Sans' } }, ['set.font']],
    ['a picture that is not there', { set: { hero: newId() } }, ['set.hero']],
    ['a picture by its address', { set: { hero: 'https://example.com/a.png' } }, ['set.hero']],
    [
      'values of other kinds',
      { set: { main: {}, scale: true, gap: [], hero: 1 } },
      ['set.main', 'set.scale', 'set.gap', 'set.hero'],
    ],
    ['an unknown member', { values: {} }, ['values']],
  ]
  for (const [name, body, keys] of wrong)
    test(`refuses ${name}, and all that came with it`, async () => {
      const before = await stored()
      const answer = await put(body)
      assert.equal(`${answer.status} ${answer.body.code}`, '400 VALIDATION_FAILED', answer.text)
      assert.deepEqual(
        answer.body.details.fields.map(({ key }: { key: string }) => key),
        keys,
      )
      assert.deepEqual(await stored(), before)
    })

  test('refuses a file that is no picture of pixels', async () => {
    for (const type of ['image/svg+xml', 'video/mp4']) {
      const answer = await put({ set: { hero: await site.addMedia(type) } })
      assert.equal(answer.body.details?.fields[0].key, 'set.hero', type)
    }
    assert.deepEqual(await rows(), [])
  })

  test('of a surface that is not declared is 404, whatever was sent', async () => {
    for (const body of [{ set: { main: '#fff' } }, { nonsense: 1 }])
      assert.equal((await put(body, 'header')).body.code, 'NOT_FOUND')
  })

  test('is for those who manage settings, and for keys with that grant', async () => {
    const body = { set: { main: '#ff0000' } }
    for (const { client } of [site.editor, site.author, site.viewer])
      assert.equal((await put(body, 'brand', {}, client)).body.details.permission, 'settings.manage')
    assert.deepEqual(await rows(), [])
    const { key } = await agentFor(site, site.admin, { grants: ['content.read', 'settings.manage'] })
    assert.equal((await put(body, 'brand', {}, site.client({ token: key }))).status, 200)
  })
})

describe('what the host declares', () => {
  test('decides what still counts; what was set comes back with its declaration', async () => {
    const hero = await site.addMedia()
    await saved({ set: { main: '#ff0000', scale: 2, gap: '20px', font: '"Inter", sans-serif', hero } })
    const { version } = (await read()).surfaces[0]
    const [main, , gap, font] = PROPERTIES
    await declare(
      declared([
        { ...main, type: 'number', default: 5 },
        { ...gap, max: 10 },
        { ...font, options: [{ value: 'serif', label: 'Serif' }] },
      ]),
    )
    const narrow = (await read()).surfaces[0]
    assert.deepEqual([valuesOf(narrow), narrow.version], [{ main: '-', gap: '-', font: '-' }, version])
    assert.equal(narrow.properties[0].value, 5)
    assert.deepEqual([(await reader.read('/site/design')).css, current().css], ['', ''])
    await declare(declared())
    assert.deepEqual(valuesOf((await read()).surfaces[0]), {
      main: '#ff0000',
      scale: 2,
      gap: '20px',
      font: '"Inter", sans-serif',
      hero,
    })
    await until(() => current().css.includes('--main: #ff0000;'))
  })
})

describe('what websites read', () => {
  test('is every value, pictures as addresses, and a style sheet of what was set', async () => {
    const hero = await site.addMedia()
    await saved({ set: { main: '#ff0000', scale: 1.5, hero } })
    await saved({ set: { main: 'rgb(0 0 0 / 50%)' } }, 'footer')
    const url = `http://cms.test/media/${hero}/hash/a.png`
    const expected = {
      surfaces: [
        { id: 'brand', values: { main: '#ff0000', scale: 1.5, gap: '1rem', font: 'serif', hero: url } },
        { id: 'footer', values: { main: 'rgb(0 0 0 / 50%)' } },
      ],
      css: `:root {\n  --main: #ff0000;\n  --scale: 1.5;\n  --hero: url("${url}");\n}\nfooter {\n  --main: rgb(0 0 0 / 50%);\n}\n`,
    }
    assert.deepEqual(await reader.read('/site/design'), expected)
    assert.deepEqual(current(), expected)
  })

  test('is answered from memory with a validator until it changes', async () => {
    const first = await reader.get('/site/design')
    assert.equal(first.headers.get('cache-control'), 'private, no-cache')
    const etag = first.headers.get('etag') ?? ''
    assert.deepEqual(await statementsOf(site, () => reader.get('/site/design')), [])
    assert.equal((await reader.get('/site/design', { 'if-none-match': etag })).status, 304)
    await saved({ set: { main: '#ff0000' } })
    const second = await reader.get('/site/design', { 'if-none-match': etag })
    assert.equal(second.status, 200)
    assert.equal(second.body.surfaces[0].values.main, '#ff0000')
    assert.equal((await reader.get('/site/design?x=1')).body.code, 'VALIDATION_FAILED')
    assert.equal((await site.client().get('/site/design')).status, 401)
  })

  test('follows a picture that gets another name', async () => {
    const hero = await site.addMedia()
    await saved({ set: { hero } })
    const version = site.cms.services.delivery.versions.content()
    assert.equal((await site.admin.client.put(`/api/media/${hero}`, { filename: 'b "c".png' })).status, 200)
    const { css, surfaces } = await reader.read('/site/design')
    assert.match(surfaces[0].values.hero, /\/b[^/]*\.png$/)
    await until(() => current().css === css)
    assert.notEqual(site.cms.services.delivery.versions.content(), version)
  })
})

describe('a picture of the design', () => {
  test('is in use: named, counted, not listed as unused, and deleted only by force', async () => {
    const hero = await site.addMedia()
    const unused = async () =>
      (await site.admin.client.get('/api/media?unused=true&limit=100')).body.items.some(
        ({ id }: { id: string }) => id === hero,
      )
    assert.equal(await unused(), true)
    await saved({ set: { hero } })
    assert.equal(await unused(), false)
    const { body } = await site.viewer.client.get(`/api/media/${hero}/usage`)
    assert.deepEqual(body.items, [
      { kind: 'design', surface: 'brand', key: 'hero', surfaceLabel: 'Brand', label: 'Hero picture' },
    ])
    assert.deepEqual((await site.admin.client.get(`/api/media/${hero}`)).body.usage, { count: 1 })
    const refused = await site.admin.client.delete(`/api/media/${hero}`)
    assert.equal(`${refused.status} ${refused.body.code}`, '409 MEDIA_IN_USE')
    assert.equal(valuesOf((await read()).surfaces[0]).hero, hero)
  })

  test('that is deleted all the same leaves the original, with a new version that is published', async () => {
    const hero = await site.addMedia()
    const { version } = await saved({ set: { hero, main: '#ff0000' } })
    assert.equal((await site.admin.client.delete(`/api/media/${hero}?force=1`)).status, 204)
    const brand = (await read()).surfaces[0]
    assert.deepEqual([valuesOf(brand), brand.version], [{ ...NONE, main: '#ff0000' }, version + 1])
    await until(() => !current().css.includes('--hero'))
    const { body } = await site.admin.client.get('/api/activity?limit=2')
    assert.deepEqual(body.items.map(({ action, changed }: Record<string, unknown>) => [action, changed]).sort(), [
      ['design.updated', ['hero']],
      ['media.deleted', []],
    ])
  })

  test('that is set and deleted at once is either refused or taken back', async () => {
    for (let round = 0; round < 8; round += 1) {
      const hero = await site.addMedia()
      const [set, deleted] = await Promise.all([
        put({ set: { hero } }),
        site.admin.client.delete(`/api/media/${hero}?force=1`),
      ])
      assert.equal(deleted.status, 204, deleted.text)
      assert.ok(set.status === 200 || set.status === 400, set.text)
      assert.deepEqual(await rows(), [])
    }
  })
})

describe('a change', () => {
  test('is published to people on the socket, and not to websites; it is in Activity and both versions', async () => {
    const person = await connect(site, await ticketFor(site.viewer.client))
    const website = await connect(site, await deliveryTicket(site, reader.key))
    for (const socket of [person, website]) await socket.listen('site')
    const { versions } = site.cms.services.delivery
    const before = [versions.content(), versions.public()]
    await saved({ set: { main: '#ff0000', gap: '2rem' } })
    assert.ok([versions.content(), versions.public()].every((version, index) => version > (before[index] ?? 0)))
    const frame = await person.next()
    assert.deepEqual(frame, { topic: 'site', event: 'design.updated', data: { id: 'brand', slug: null, type: null } })
    website.send({ action: 'ping' })
    assert.equal((await website.next()).event, 'pong')
    const { body } = await site.viewer.client.get('/api/activity?limit=1')
    const [{ action, target, changed, via }] = body.items
    assert.deepEqual(
      [action, target, changed, via],
      ['design.updated', { kind: 'design', id: 'brand', label: 'Brand' }, ['main', 'gap'], 'session'],
    )
  })

  test('is sent to webhooks', async () => {
    const hook = await site.admin.client.post('/api/webhooks', {
      url: 'https://www.example.com/hook',
      events: ['design.updated'],
    })
    assert.equal(hook.status, 201, hook.text)
    await saved({ set: { main: '#ff0000' } })
    const { body } = await site.admin.client.get(`/api/webhooks/${hook.body.id}/deliveries`)
    const delivery = await site.admin.client.get(`/api/webhooks/${hook.body.id}/deliveries/${body.items[0].id}`)
    const { event, data, changed } = delivery.body.payload
    assert.deepEqual([event, data, changed], ['design.updated', { id: 'brand', title: 'Brand' }, ['main']])
    await site.admin.client.delete(`/api/webhooks/${hook.body.id}`)
  })

  test('holds in every process: in its own at once, in others as soon as they are notified', async () => {
    const other = await startCms({ databaseUrl: site.databaseUrl, clock: site.clock })
    await other.cms.services.bus.ready()
    const far = readerOf(other, reader.id, reader.key)
    assert.deepEqual(current(other), current())
    const version = other.cms.services.delivery.versions.content()
    for (const main of ['#111111', '#222222', '#333333']) {
      await saved({ set: { main } })
      assert.ok(current().css.includes(main))
      await until(() => current(other).css.includes(main))
      await until(async () => (await far.read('/site/design')).css.includes(main))
    }
    assert.notEqual(other.cms.services.delivery.versions.content(), version)
    await other.close()
  })

  test('changes contentVersion once more when the process knows it: nobody keeps a page of before', async () => {
    const other = await startCms({ databaseUrl: site.databaseUrl, clock: site.clock })
    await other.cms.services.bus.ready()
    await saved({ set: { main: '#444444' } })
    const seen: [number, boolean][] = []
    await until(() => {
      seen.push([other.cms.services.delivery.versions.content(), current(other).css.includes('#444444')])
      return seen.at(-1)?.[1] === true
    })
    const last = seen.at(-1)?.[0] ?? 0
    assert.ok(
      seen.every(([version, isNew]) => isNew || version < last),
      JSON.stringify(seen),
    )
    await other.close()
  })
})
