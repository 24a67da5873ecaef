import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { defaultSettings } from '@stoa/cms-model/settings.ts'
import { newId } from '@stoa/kit/ids.ts'
import { type CmsAnswer, type CmsService, type Person, startCms, untilWaiting } from '@stoa/tests/lib/cms.ts'
import {
  insertEntry,
  insertEntryIn,
  insertMedia,
  insertType,
  listActivity,
  listenToChanges,
} from '../taxonomies/testing/queries.ts'
import { readLockedSettings, readSettings } from './settings.ts'

let service: CmsService
let admin: Person
before(async () => {
  service = await startCms()
  admin = await service.person('admin')
  await insertType(service, 'page')
})
after(() => service.close())

const get = () => admin.client.get('/api/settings')
const put = (body: unknown, headers: Record<string, string> = {}) => admin.client.put('/api/settings', body, headers)
const rows = () => service.cms.database.db.selectFrom('site_settings').selectAll().execute()

/** Runs an attempt that must be refused with this code and leave settings and Activity as they were. */
const refused = async (code: string, attempt: () => Promise<CmsAnswer>): Promise<CmsAnswer> => {
  const before = { rows: await rows(), activity: await listActivity(service) }
  const answer = await attempt()
  assert.equal(answer.body?.code, code)
  assert.deepEqual({ rows: await rows(), activity: await listActivity(service) }, before)
  return answer
}
const keysOf = ({ body }: CmsAnswer): string[] => [
  ...new Set<string>(body.details.fields.map((field: { key: string }) => field.key)),
]

describe('before anybody has saved', () => {
  test('the defaults are answered, with a version', async () => {
    const answer = await get()
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('etag'), '"v1"')
    assert.deepEqual(answer.body, defaultSettings)
    assert.deepEqual(await rows(), [])
  })

  test('a save for another version than the first is refused', async () => {
    const answer = await refused('VERSION_CONFLICT', () => put({ title: 'X' }, { 'if-match': '"v7"' }))
    assert.deepEqual(answer.body.details, { version: 1, updatedAt: '1970-01-01T00:00:00.000Z', updatedBy: null })
  })

  test('of two first saves for the same version one is refused', async () => {
    const answers = await Promise.all(['one', 'two'].map((title) => put({ title }, { 'if-match': '"v1"' })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    const saved = answers.find(({ status }) => status === 200)
    assert.equal(saved?.body.version, 2)
    assert.deepEqual((await get()).body, saved?.body)
    assert.equal((await rows()).length, 1)
  })
})

describe('saving settings', () => {
  test('changes only the members sent, records who did it, and what listeners must reload', async () => {
    const before = (await get()).body
    const changes = listenToChanges(service)
    const answer = await put({ tagline: ' Fresh daily ', trashDays: 30 })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, { ...before, tagline: 'Fresh daily', trashDays: 30, version: before.version + 1 })
    assert.equal(answer.headers.get('etag'), `"v${before.version + 1}"`)
    assert.deepEqual(await readSettings(service.cms.database.db), answer.body)
    const last = (await listActivity(service)).at(-1)
    assert.equal(last?.action, 'settings.updated')
    assert.equal(last?.actor_id, admin.id)
    assert.deepEqual(last?.changed, ['tagline', 'trashDays'])
    assert.deepEqual(
      changes.map(({ event, data }) => ({ event, ...data })),
      [{ event: 'settings.updated', id: 'settings', title: before.title, isPublic: true }],
    )
  })

  test('null clears what may be null', async () => {
    const answer = await put({ trashDays: null, url: null, logoId: null, deliveryRatePerMinute: null })
    assert.equal(answer.body.trashDays, null)
  })

  test('what is as it was makes no new version and no Activity', async () => {
    const before = { settings: (await get()).body, activity: await listActivity(service) }
    const { version: _version, ...members } = before.settings
    assert.deepEqual((await put(members)).body, before.settings)
    assert.deepEqual((await put({})).body, before.settings)
    assert.deepEqual(await listActivity(service), before.activity)
  })

  test('a body version counts, and If-Match beats it', async () => {
    const { version } = (await get()).body
    await refused('VERSION_CONFLICT', () => put({ title: 'X', version: version - 1 }))
    const conflict = await refused('VERSION_CONFLICT', () => put({ title: 'X', version }, { 'if-match': '"v1"' }))
    assert.equal(conflict.body.details.version, version)
    assert.equal(conflict.body.details.updatedBy.id, admin.id)
    assert.equal((await put({ title: 'Harbour', version: 1 }, { 'if-match': `"v${version}"` })).status, 200)
  })

  test('an address is kept without a slash at its end', async () => {
    for (const [sent, kept] of [
      ['https://example.com', 'https://example.com'],
      ['https://EXAMPLE.com/', 'https://example.com'],
      ['http://localhost:4301/blog/', 'http://localhost:4301/blog'],
      ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ])
      assert.equal((await put({ url: sent })).body.url, kept)
  })

  test('languages are kept in their canonical spelling, sizes from small to large', async () => {
    const answer = await put({ locales: ['EN', 'pt-br', 'zh-hant-tw'], locale: 'en', imageSizes: [640, 320] })
    assert.deepEqual(answer.body.locales, ['en', 'pt-BR', 'zh-Hant-TW'])
    assert.equal(answer.body.locale, 'en')
    assert.deepEqual(answer.body.imageSizes, [320, 640])
  })

  test('the default language is one of the languages', async () => {
    assert.deepEqual(keysOf(await refused('VALIDATION_FAILED', () => put({ locale: 'fr' }))), ['locale'])
    assert.deepEqual(keysOf(await refused('VALIDATION_FAILED', () => put({ locales: ['fr'] }))), ['locales'])
    assert.equal((await put({ locale: 'pt-BR' })).body.locale, 'pt-BR')
    assert.equal((await put({ locale: 'en', locales: ['en'] })).body.locale, 'en')
  })

  test('logo and social image are files of the media library', async () => {
    const id = await insertMedia(service)
    const unknown = newId()
    const answer = await refused('VALIDATION_FAILED', () => put({ logoId: unknown, socialImageId: id }))
    assert.deepEqual(keysOf(answer), ['logoId'])
    assert.deepEqual(keysOf(await refused('VALIDATION_FAILED', () => put({ socialImageId: unknown }))), [
      'socialImageId',
    ])
    const saved = await put({ logoId: id, socialImageId: id })
    assert.equal(saved.body.logoId, id)
    assert.equal((await put({ logoId: null })).body.logoId, null)
  })

  for (const [key, value] of [
    ['title', 'x'.repeat(201)],
    ['title', 'two\nlines'],
    ['title', null],
    ['tagline', 7],
    ['description', 'x'.repeat(2001)],
    ['url', ''],
    ['url', 'example.com'],
    ['url', 'ftp://example.com'],
    ['url', 'javascript:alert(1)'],
    ['url', '//example.com'],
    ['url', 'https://'],
    ['url', 'https:example.com'],
    ['url', 'https:\\\\example.com'],
    ['url', 'https://a:b@example.com'],
    ['url', 'https://example.com/?a=b'],
    ['url', 'https://example.com/#a'],
    ['url', 'https://exa mple.com'],
    ['url', `https://example.com/${'x'.repeat(2048)}`],
    ['locale', 'not a language'],
    ['locale', 'en_US'],
    ['locale', ''],
    ['locales', []],
    ['locales', 'en'],
    ['locales.1', ['en', 'e']],
    ['locales.1', ['en', 'EN']],
    ['locales.1', ['en', `en-${'a'.repeat(40)}`]],
    ['logoId', 'x'],
    ['logoId', ''],
    ['revisionLimit', -1],
    ['revisionLimit', 1.5],
    ['revisionLimit', 10_001],
    ['revisionLimit', '5'],
    ['revisionLimit', null],
    ['trashDays', 0],
    ['trashDays', 3651],
    ['imageSizes', []],
    ['imageSizes.0', [15]],
    ['imageSizes.0', [4097]],
    ['imageSizes.1', [320, 320]],
    ['imageSizes', Array.from({ length: 21 }, (_, index) => 100 + index)],
    ['deliveryRatePerMinute', 0],
    ['deliveryRatePerMinute', 1e9],
    ['version', 0],
    ['id', 'settings'],
    ['constructor', 'x'],
    ['updatedAt', '2026-01-01T00:00:00.000Z'],
  ] as [string, unknown][])
    test(`refuses ${key}: ${JSON.stringify(value)?.slice(0, 40)}`, async () => {
      const answer = await refused('VALIDATION_FAILED', () => put({ [key.split('.')[0] ?? '']: value }))
      assert.deepEqual(keysOf(answer), [key])
    })

  test('C63: a member named __proto__ is refused', async () => {
    await refused('INVALID_JSON', () =>
      admin.client.send('PUT', '/api/settings', {
        body: '{"__proto__":{"title":"X"}}',
        headers: { 'content-type': 'application/json' },
      }),
    )
  })
})

describe('languages that entries are in', () => {
  before(async () => {
    await put({ locales: ['en', 'de', 'fr', 'it'] })
    await insertEntry(service, { type: 'page', locale: 'de' })
    await insertEntry(service, { type: 'page', locale: 'de', status: 'published' })
    await insertEntry(service, { type: 'page', locale: 'fr', isTrashed: true })
  })

  test('cannot be removed, and the answer says which and why', async () => {
    const answer = await refused('INVALID_STATE', () => put({ locales: ['en'] }))
    assert.equal(answer.status, 409)
    assert.match(answer.body.error, /de \(2 entries\), fr \(1 entry\)/)
    assert.deepEqual(answer.body.details.locales, [
      { locale: 'de', entries: 2 },
      { locale: 'fr', entries: 1 },
    ])
  })

  test('others can', async () => {
    assert.deepEqual((await put({ locales: ['fr', 'en', 'de'] })).body.locales, ['fr', 'en', 'de'])
  })

  test('a language that someone is just about to use is not removed before it is used', async () => {
    await put({ locales: ['en', 'de', 'fr', 'sv'] })
    let removal: Promise<CmsAnswer> | undefined
    await service.cms.database.tx(async (tx) => {
      assert.ok((await readLockedSettings(tx)).locales.includes('sv'))
      removal = put({ locales: ['en', 'de', 'fr'] })
      await untilWaiting(tx, 1)
      await insertEntryIn(tx, { type: 'page', locale: 'sv' }, service.clock.now())
    })
    assert.equal((await removal)?.body.code, 'INVALID_STATE')
    assert.ok((await get()).body.locales.includes('sv'))
  })
})

describe('who may', () => {
  test('everybody reads; below admin nobody saves', async () => {
    for (const role of ['viewer', 'author', 'editor'] as const) {
      const person = await service.person(role)
      assert.equal((await person.client.get('/api/settings')).status, 200)
      const answer = await refused('FORBIDDEN', () => person.client.put('/api/settings', { title: 'Mine' }))
      assert.equal(answer.body.details.permission, 'settings.manage')
    }
  })
})

test('stored settings of an earlier release are completed by defaults', async () => {
  const present = (await get()).body
  await service.cms.database.tx((tx) =>
    tx.query({ text: `update site_settings set settings = settings - 'imageSizes' || '{"gone": 1}'` }),
  )
  assert.deepEqual((await get()).body, { ...present, imageSizes: defaultSettings.imageSizes })
})
