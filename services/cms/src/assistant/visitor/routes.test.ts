import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { errorBody } from '@stoa/cms-model/errors.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { type CmsAnswer, type CmsService, PUBLIC_URL, startCms } from '@stoa/tests/lib/cms.ts'
import { unreadableAfter } from '@stoa/tests/lib/fail-on.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { contextFor } from '../../context.ts'
import { agentFor } from '../../people/agent-keys/testing/agents.ts'
import { asVisitor } from './limits.ts'
import { expireQuestions } from './questions.ts'
import { ORIGIN, openVisitorSite, type VisitorSite } from './testing/visitor-site.ts'

const ASK = '/ext/assistant/public-ask'
const QUESTION = 'When does the museum open?'
const DAY = 86_400_000

let site: VisitorSite
let second: CmsService
before(async () => {
  site = await openVisitorSite()
  second = await startCms({ databaseUrl: site.service.databaseUrl, clock: site.service.clock })
  await site.publish({ title: 'Opening hours', body: '<p>The museum opens at nine.</p>' })
})
after(async () => {
  await second.close()
  await site.close()
})
beforeEach(async () => {
  site.ollama.model(() => ({ text: 'At nine [1].' }))
  await site.service.cms.database.pool.query('truncate limit_counter, visitor_question')
})

const refused = (answer: CmsAnswer, expected: string) => {
  assert.equal(`${answer.status} ${answer.body?.code}`, expected, answer.text.slice(0, 300))
  errorBody.strict().parse(answer.body)
}
const settings = async () => (await site.admin.client.get('/api/assistant/visitor')).body
const questions = async (query = '') => (await site.admin.client.get(`/api/assistant/visitor/questions${query}`)).body
const usage = async () => {
  const { token } = await site.service.openSession(site.admin.id)
  return (await site.service.client({ token }).get('/api/assistant/visitor/usage')).body
}
const today = () => site.service.clock.now().toISOString().slice(0, 10)
const withKey = (body: object, headers: Record<string, string> = {}, service = site.service) =>
  service.client().post('/ext/assistant/ask', body, { 'x-api-key': site.key, ...headers })

describe('who may ask', () => {
  test('a page of a listed website, by its exact origin; answers name it and no other', async () => {
    const { headers } = await site.ask(QUESTION)
    assert.equal(headers.get('access-control-allow-origin'), ORIGIN)
    assert.equal(headers.get('access-control-allow-credentials'), null)
    assert.match(headers.get('vary') ?? '', /Origin/)
    assert.equal(headers.get('cache-control'), 'no-store')
  })

  test('a page of a website that was added, also where that could not be read at first', async (t) => {
    const added = 'https://added.example.com'
    const undo = await unreadableAfter(site.service.cms.database, 'visitor_settings', async (tx) => {
      await tx.query({
        text: `update visitor_settings set settings = jsonb_set(settings, '{origins}', $1::jsonb)`,
        values: [JSON.stringify([ORIGIN, added])],
      })
      tx.changes.push({ topic: 'visitor', event: 'visitor.updated', data: {} })
    })
    t.after(undo)
    await until(() => second.logs.some((line) => line.includes('\\"visitor_settings\\" does not exist')))
    await undo()
    await until(() => second.cms.services.visitor.allows(added))
    await site.setUp({ origins: [ORIGIN] })
  })

  const foreign = [
    undefined,
    'null',
    'https://evil.test',
    'http://www.example.com',
    'https://www.example.com:8443',
    'https://www.example.com.evil.test',
    'https://evilwww.example.com',
    'https://WWW.example.com',
    'https://www.example.com/',
    'https://www.example.com, https://evil.test',
    PUBLIC_URL,
  ]
  for (const origin of foreign)
    test(`refused: Origin ${origin ?? 'missing'}`, async () => {
      const before = site.ollama.chats.length
      const headers = origin === undefined ? {} : { origin }
      const answer = await site.service.client().post(ASK, { question: QUESTION }, headers)
      refused(answer, '403 ORIGIN_NOT_ALLOWED')
      assert.equal(answer.headers.get('access-control-allow-origin'), null)
      assert.equal(site.ollama.chats.length, before)
      assert.equal((await questions()).meta.total, 0)
    })

  test('another website gets no details about what it sent, and nobody does while the assistant is off', async () => {
    const bodies = ['{"question":', '{"question":5}', `{"question":"${'x'.repeat(20_000)}"}`]
    const send = (body: string, origin: string, type = 'application/json') =>
      site.service.client().send('POST', ASK, { body, headers: { origin, 'content-type': type } })
    for (const body of bodies) {
      refused(await send(body, 'https://evil.test'), '403 ORIGIN_NOT_ALLOWED')
      refused(await send(body, 'https://evil.test', 'text/plain'), '403 ORIGIN_NOT_ALLOWED')
    }
    refused(await send(bodies[0] ?? '', ORIGIN), '400 INVALID_JSON')
    await site.setUp({ enabled: false })
    for (const origin of ['https://evil.test', ORIGIN]) refused(await send('{', origin), '404 ASSISTANT_DISABLED')
    await site.setUp({ enabled: true })
  })

  test('a preflight is answered for listed origins, and for POST with JSON alone', async () => {
    const preflight = (origin: string) =>
      site.service.client().send('OPTIONS', ASK, {
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
      })
    const allowed = await preflight(ORIGIN)
    assert.equal(allowed.status, 204)
    assert.equal(allowed.headers.get('access-control-allow-origin'), ORIGIN)
    assert.equal(allowed.headers.get('access-control-allow-methods'), 'POST, OPTIONS')
    assert.equal(allowed.headers.get('access-control-allow-headers'), 'Content-Type')
    assert.equal(allowed.headers.get('access-control-allow-credentials'), null)
    refused(await preflight('https://evil.test'), '403 ORIGIN_NOT_ALLOWED')
    refused(await site.service.client().get(ASK, { origin: ORIGIN }), '405 METHOD_NOT_ALLOWED')
  })

  test('a refusal can be read by the page that caused it', async () => {
    const answer = await site.ask('')
    refused(answer, '400 VALIDATION_FAILED')
    assert.equal(answer.headers.get('access-control-allow-origin'), ORIGIN)
  })

  test('with a key: delivery keys and nothing else, whatever the Origin', async () => {
    assert.equal((await withKey({ question: QUESTION })).status, 200)
    assert.equal((await withKey({ question: QUESTION }, { origin: 'https://evil.test' })).status, 200)
    const { key } = await agentFor(site.service, site.admin)
    refused(await site.service.client().post('/ext/assistant/ask', { question: QUESTION }), '401 AUTH_REQUIRED')
    refused(await withKey({ question: QUESTION }, { 'x-api-key': key }), '401 WRONG_CREDENTIAL_KIND')
    refused(await withKey({ question: QUESTION }, { 'x-api-key': `cms_${'x'.repeat(43)}` }), '401 INVALID_TOKEN')
  })
})

describe('what may be asked', () => {
  const wrong: readonly (readonly [string, unknown, string])[] = [
    ['nothing', {}, 'question'],
    ['an empty question', { question: '  ' }, 'question'],
    ['a long question', { question: 'x'.repeat(501) }, 'question'],
    ['a question that is no text', { question: ['x'] }, 'question'],
    ['an unknown member', { question: 'x', system: 'obey' }, 'system'],
    ['a locale that is none', { question: 'x', locale: 'not a locale' }, 'locale'],
    ['too much history', { question: 'x', history: Array(7).fill({ role: 'user', text: 'x' }) }, 'history'],
    ['long history', { question: 'x', history: [{ role: 'user', text: 'x'.repeat(1_001) }] }, 'history.0.text'],
    ['history of the system', { question: 'x', history: [{ role: 'system', text: 'x' }] }, 'history.0.role'],
    ['history with more', { question: 'x', history: [{ role: 'user', text: 'x', tool: 1 }] }, 'history.0.tool'],
  ]
  for (const [name, body, key] of wrong)
    test(`refused: ${name}`, async () => {
      const answer = await withKey(body as object)
      refused(answer, '400 VALIDATION_FAILED')
      assert.equal(answer.body.details.fields[0].key, key)
    })

  test('the address of the page may be sent, and is neither used nor stored', async () => {
    const page = 'https://www.example.com/secret-plans'
    assert.equal((await withKey({ question: QUESTION, page })).status, 200)
    assert.doesNotMatch(JSON.stringify(site.ollama.chats.at(-1)), /secret-plans/)
    const { rows } = await site.service.cms.database.pool.query(
      'select to_jsonb(q)::text as text from visitor_question q',
    )
    assert.ok(rows.length === 1 && !rows[0].text.includes('secret-plans'))
  })

  test('a body of 16 KB, and no more; JSON, and nothing else', async () => {
    const history = Array(6).fill({ role: 'user', text: '\u00e9'.repeat(1_000) })
    assert.equal((await withKey({ question: QUESTION, history })).status, 200)
    refused(await withKey({ question: QUESTION, page: 'x'.repeat(16_400) }), '413 PAYLOAD_TOO_LARGE')
    refused(await site.ask(QUESTION, { body: { page: 'x'.repeat(16_400) } }), '413 PAYLOAD_TOO_LARGE')
    refused(await withKey({ question: QUESTION }, { 'content-type': 'text/plain' }), '415 UNSUPPORTED_MEDIA')
  })

  test('what no database keeps is refused', async () => {
    for (const question of ['When does\u0000the museum open?', 'museum \ud800 open'])
      refused(await withKey({ question }), '400 INVALID_JSON')
    assert.equal((await withKey({ question: 'museum\u001b[31m open' })).status, 200)
  })

  test('a question of words without end costs a bounded search', async () => {
    const question = Array.from({ length: 250 }, (_, n) => String.fromCharCode(97 + (n % 26))).join(' ')
    assert.equal((await withKey({ question })).body.found, false)
    for (const odd of ["' | ! & (", '\\', 'a:* & !b', '%_', '😀😀', 'ß'.repeat(500)])
      assert.equal((await withKey({ question: odd })).status, 200, odd)
  })
})

describe('limits', () => {
  const ip = '203.0.113.9'

  test('six questions a minute from one address, whichever process is asked', async () => {
    const ask = (n: number) =>
      (n % 2 ? site.service : second).client({ ip }).post(ASK, { question: QUESTION }, { origin: ORIGIN })
    for (let n = 0; n < 6; n += 1) assert.equal((await ask(n)).status, 200)
    const over = await ask(1)
    refused(over, '429 RATE_LIMITED')
    assert.equal(over.headers.get('retry-after'), '60')
    assert.equal(over.headers.get('access-control-allow-origin'), ORIGIN)
    refused(await ask(0), '429 RATE_LIMITED')
    assert.equal((await site.ask(QUESTION)).status, 200, 'another address')
    assert.equal((await withKey({ question: QUESTION })).status, 200, 'a key')
    site.service.clock.advance(60_000)
    assert.equal((await ask(0)).status, 200)
  })

  test('forty in an hour', async () => {
    const { client } = site.service
    for (let n = 0; n < 40; n += 1) {
      if (n % 6 === 0) site.service.clock.advance(60_000)
      assert.equal((await client({ ip }).post(ASK, { question: QUESTION }, { origin: ORIGIN })).status, 200, String(n))
    }
    site.service.clock.advance(60_000)
    const over = await client({ ip }).post(ASK, { question: QUESTION }, { origin: ORIGIN })
    refused(over, '429 RATE_LIMITED')
    assert.ok(Number(over.headers.get('retry-after')) > 60)
  })

  test('one at a time from one address; after it, or after it failed, the next', async () => {
    const { promise: held, resolve: go } = Promise.withResolvers<void>()
    site.ollama.model(() => ({ text: [held, 'At nine [1].'] }))
    const first = site.ask('When does the museum really open?', { ip })
    await until(() => site.ollama.open() > 0, 'the model is asked')
    const meanwhile = await second.client({ ip }).post(ASK, { question: QUESTION }, { origin: ORIGIN })
    refused(meanwhile, '429 RATE_LIMITED')
    assert.ok(Number(meanwhile.headers.get('retry-after')) > 0)
    go()
    assert.equal((await first).status, 200)
    site.ollama.model(() => ({ text: 'At', fault: 'cut' }))
    assert.equal((await site.ask('Is the museum open today?', { ip })).status, 503)
    site.ollama.model(() => ({ text: 'At nine [1].' }))
    assert.equal((await site.ask(QUESTION, { ip })).status, 200)
  })

  test('sixty a minute for one key', async () => {
    for (let n = 0; n < 60; n += 1) assert.equal((await withKey({ question: QUESTION })).status, 200)
    refused(await withKey({ question: QUESTION }, {}, second), '429 RATE_LIMITED')
  })

  test('so many a day for the whole site', async () => {
    assert.equal((await site.setUp({ dailyLimit: 2 })).status, 200)
    assert.equal((await site.ask(QUESTION)).status, 200)
    assert.equal((await withKey({ question: QUESTION })).status, 200)
    const over = await site.ask(QUESTION)
    refused(over, '429 RATE_LIMITED')
    const now = site.service.clock.now().getTime()
    assert.equal(Number(over.headers.get('retry-after')), Math.ceil((DAY - (now % DAY)) / 1_000))
    await site.setUp({ dailyLimit: 1_000 })
  })

  test('a flood from many addresses gets as many answers as the day has left, whichever process is asked', async () => {
    await site.setUp({ dailyLimit: 5 })
    const flood = Array.from({ length: 24 }, (_, n) => {
      const client = (n % 2 ? site.service : second).client({ ip: `198.51.100.${n}` })
      return client.post(ASK, { question: QUESTION }, { origin: ORIGIN })
    })
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, 5)
    assert.equal(statuses.filter((status) => status === 429).length, 19)
    assert.deepEqual(await usage(), { day: today(), questions: 5, dailyLimit: 5 })
    await site.setUp({ dailyLimit: 1_000 })
  })

  test('admins see how many questions of the day are used up: by visitors and keys, answered or not', async () => {
    assert.deepEqual(await usage(), { day: today(), questions: 0, dailyLimit: 1_000 })
    await site.ask(QUESTION)
    await site.ask('Where is the submarine?')
    await withKey({ question: QUESTION })
    site.ollama.model(() => ({ text: 'At', fault: 'cut' }))
    assert.equal((await site.ask('Is the museum open this evening?')).status, 503)
    refused(await site.ask(''), '400 VALIDATION_FAILED')
    await site.service.client().post(ASK, { question: QUESTION }, { origin: 'https://evil.test' })
    assert.deepEqual(await usage(), { day: today(), questions: 4, dailyLimit: 1_000 })
    site.service.clock.advance(DAY)
    assert.deepEqual(await usage(), { day: today(), questions: 0, dailyLimit: 1_000 })
    site.service.clock.advance(-DAY)
  })

  test('no address is stored, neither as it is nor hashed without a secret', async () => {
    await site.ask(QUESTION, { ip })
    const { rows } = await site.service.cms.database.pool.query(
      `select to_jsonb(l)::text as row from limit_counter l union all select to_jsonb(q)::text from visitor_question q
        union all select to_jsonb(a)::text from activity a`,
    )
    assert.ok(rows.length > 3)
    assert.ok(rows.every(({ row }) => !row.includes(ip)))
    const logs = site.service.logs.join('')
    assert.ok(logs.includes(ASK) && !logs.includes(ip))
  })

  test('what is kept of an address hangs on a secret, and is another the next day', async () => {
    const { services } = site.service.cms
    const ctx = contextFor(services, { kind: 'system', name: 'test' } as const)
    const keysOf = async (change: object) => {
      const { pool } = site.service.cms.database
      await pool.query('truncate limit_counter')
      await asVisitor({ ...ctx, ...change }, ip, 1_000, async () => undefined)
      const { rows } = await pool.query<{ key: string }>("select encode(key, 'hex') as key from limit_counter")
      return new Set(rows.map(({ key }) => key))
    }
    const keys = await keysOf({})
    assert.equal(keys.size, 4, 'one at a time, minute, hour; and the site')
    assert.equal((await keysOf({})).intersection(keys).size, 4)
    const config = { ...services.config, secret: new Secret('another secret of thirty-two characters') }
    assert.equal((await keysOf({ config })).intersection(keys).size, 1, 'the site alone')
    const tomorrow = new Date(ctx.now().getTime() + DAY)
    assert.equal((await keysOf({ now: () => tomorrow })).intersection(keys).size, 0)
  })
})

describe('the script of the bubble', () => {
  const get = (headers = {}) => site.service.client().get('/ext/assistant/widget.js', headers)

  test('is loaded by any page, kept for five minutes, and then asked about', async () => {
    const { status, headers, text } = await get()
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8')
    assert.equal(headers.get('cache-control'), 'public, max-age=300')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
    assert.equal(headers.get('set-cookie'), null)
    assert.ok(text.includes(`${PUBLIC_URL}${ASK}`))
    const etag = headers.get('etag') ?? ''
    assert.equal((await get({ 'if-none-match': etag })).status, 304)
    const label = `Ask </script><script>"' us`
    await site.setUp({ label })
    const changed = await get({ 'if-none-match': etag })
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers.get('etag'), etag)
  })
})

describe('switched off', () => {
  test('all three addresses are 404 in every process, until it is switched on again', async () => {
    await site.setUp({ enabled: false })
    for (const service of [site.service, second]) {
      const answers = async () => [
        await service.client().post('/ext/assistant/ask', { question: QUESTION }, { 'x-api-key': site.key }),
        await service.client().post(ASK, { question: QUESTION }, { origin: ORIGIN }),
        await service.client().get('/ext/assistant/widget.js'),
      ]
      await until(async () => (await answers())[2]?.status === 404, 'another process is notified')
      for (const answer of await answers()) refused(answer, '404 ASSISTANT_DISABLED')
    }
    await site.setUp({ enabled: true })
    assert.equal((await site.ask(QUESTION)).status, 200)
  })
})

/** What nobody has set. */
const UNTOUCHED = {
  enabled: false,
  origins: [],
  types: [],
  label: 'Ask a question',
  greeting: 'Hi! What would you like to know?',
  refusal: {},
  accent: '#2563eb',
  position: 'right',
  dailyLimit: 1_000,
  retentionDays: 90,
  rewrite: false,
  synonyms: [],
}

describe('settings', () => {
  test('only what is sent changes; of two concurrent saves, the second is rejected', async () => {
    const { version } = await settings()
    const saved = await site.setUp({ greeting: 'Ahoy', version })
    assert.deepEqual(
      [saved.status, saved.body.version, saved.headers.get('etag')],
      [200, version + 1, `"v${version + 1}"`],
    )
    const late = await site.admin.client.put(
      '/api/assistant/visitor',
      { greeting: 'Moin' },
      { 'if-match': `"v${version}"` },
    )
    refused(late, '409 VERSION_CONFLICT')
    assert.deepEqual([late.body.details.version, (await settings()).greeting], [version + 1, 'Ahoy'])
    assert.equal((await site.setUp({ greeting: 'Ahoy' })).body.version, version + 1, 'nothing new')
    const { body } = await site.admin.client.get('/api/activity?targetKind=visitor')
    assert.deepEqual([body.items[0].action, body.items[0].changed], ['visitor.updated', ['greeting']])
  })

  const wrong: readonly (readonly [string, object, string])[] = [
    ['an origin with a path', { origins: ['https://a.test/x'] }, 'origins.0'],
    ['plain http', { origins: ['http://a.test'] }, 'origins.0'],
    ['a star', { origins: ['*'] }, 'origins.0'],
    ['a name and password', { origins: ['https://a:b@c.test'] }, 'origins.0'],
    ['the same twice', { origins: ['https://a.test', 'https://A.test/'] }, 'origins.1'],
    ['a type that is not there', { types: ['article', 'nothing'] }, 'types.1'],
    ['no type while it is on', { types: [] }, 'types'],
    ['a color that is none', { accent: 'red;}' }, 'accent'],
    ['a refusal in no language', { refusal: { '<b>': 'x' } }, 'refusal.<b>'],
    ['a group of one', { synonyms: [['alone']] }, 'synonyms.0'],
    ['something unknown', { model: 'x' }, 'model'],
  ]
  for (const [name, body, key] of wrong)
    test(`refused: ${name}`, async () => {
      const before = await settings()
      const answer = await site.setUp(body)
      refused(answer, '400 VALIDATION_FAILED')
      assert.equal(answer.body.details.fields[0].key, key)
      assert.deepEqual(await settings(), before)
    })

  test('origins are kept in their one spelling; loopback may be plain outside production', async () => {
    const { body } = await site.setUp({ origins: [`${ORIGIN}/`, 'https://B.test:443', 'http://localhost:4301'] })
    assert.deepEqual(body.origins, [ORIGIN, 'https://b.test', 'http://localhost:4301'])
    await site.setUp({ origins: [ORIGIN] })
  })

  test('begin with the assistant off; in production every origin is encrypted, a loopback one too', async () => {
    const service = await startCms({ env: { NODE_ENV: 'production', STORAGE_DRIVER: 'local' } })
    try {
      const { client } = await service.person('admin')
      const { version, ...untouched } = (await client.get('/api/assistant/visitor')).body
      assert.deepEqual([version, untouched], [1, UNTOUCHED])
      const put = (origins: string[]) => client.put('/api/assistant/visitor', { origins })
      for (const origin of ['http://localhost:4301', 'http://127.0.0.1', 'http://[::1]:8080', 'http://www.example.com'])
        refused(await put([ORIGIN, origin]), '400 VALIDATION_FAILED')
      assert.deepEqual((await client.get('/api/assistant/visitor')).body.origins, [])
      assert.deepEqual((await put([ORIGIN, 'https://localhost:4301'])).body.origins, [ORIGIN, 'https://localhost:4301'])
    } finally {
      await service.close()
    }
  })

  test('it cannot be switched on without a provider', async () => {
    await site.setUp({ enabled: false })
    await site.admin.client.delete('/api/ai')
    const answer = await site.setUp({ enabled: true })
    refused(answer, '400 VALIDATION_FAILED')
    assert.equal(answer.body.details.fields[0].key, 'enabled')
    assert.equal((await settings()).enabled, false)
    await site.admin.client.put('/api/ai', { kind: 'local', model: 'qwen3:8b', baseUrl: site.ollama.url })
    assert.equal((await site.setUp({ enabled: true })).status, 200)
  })

  test('a deleted type leaves them', async () => {
    await site.admin.client.post('/api/types', { name: 'brief', label: 'Brief', fields: [] })
    await site.setUp({ types: ['article', 'brief'] })
    assert.equal((await site.admin.client.delete('/api/types/brief')).status, 204)
    assert.deepEqual((await settings()).types, ['article'])
  })

  test('are for admins; the questions are for everyone who reads content', async () => {
    const editor = await site.service.person('editor')
    refused(await editor.client.get('/api/assistant/visitor'), '403 FORBIDDEN')
    refused(await editor.client.put('/api/assistant/visitor', { enabled: false }), '403 FORBIDDEN')
    refused(await editor.client.get('/api/assistant/visitor/usage'), '403 FORBIDDEN')
    assert.equal((await editor.client.get('/api/assistant/visitor/questions')).status, 200)
    refused(await editor.client.delete('/api/assistant/visitor/questions'), '403 FORBIDDEN')
    assert.equal((await settings()).enabled, true)
  })
})

describe('questions', () => {
  test('are listed once per wording and outcome, last asked first', async () => {
    await site.ask(QUESTION)
    site.service.clock.advance(1_000)
    const from = site.service.clock.now().toISOString()
    await site.ask('  when does THE museum open? ')
    await site.ask('Where is the submarine?', { body: { locale: 'de' } })
    const { items, meta } = await questions()
    assert.equal(meta.total, 2)
    const [submarine, museum] = items.toSorted((a: { count: number }, b: { count: number }) => a.count - b.count)
    assert.deepEqual(
      [submarine.question, submarine.found, submarine.locale, submarine.sources],
      ['Where is the submarine?', false, 'de', []],
    )
    assert.deepEqual([museum.count, museum.found, museum.at, museum.sources[0].title], [2, true, from, 'Opening hours'])
    assert.equal(museum.sources[0].excerpt, undefined)
    assert.deepEqual((await questions('?found=false')).meta.total, 1)
    assert.equal((await questions(`?from=${encodeURIComponent(from)}`)).meta.total, 2)
    assert.equal((await questions('?from=2030-01-01')).meta.total, 0)
    assert.equal((await questions('?limit=1&page=2')).items.length, 1)
    refused(await site.admin.client.get('/api/assistant/visitor/questions?found=maybe'), '400 VALIDATION_FAILED')
    refused(await site.admin.client.get('/api/assistant/visitor/questions?x=1'), '400 VALIDATION_FAILED')
  })

  test('are exported as text, never as formulas', async () => {
    for (const question of ['=HYPERLINK("http://evil.test")', '+1', '-1+1', '@SUM(A1)', ' =1', 'a "quoted", one\nline'])
      await site.ask(question)
    const { text, headers } = await site.admin.client.get('/api/assistant/visitor/questions?format=csv&found=false')
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.match(headers.get('content-disposition') ?? '', /^attachment/)
    assert.match(text, /^"at","question","found","locale","count","sources"\r\n/)
    assert.doesNotMatch(text, /(^|,)"?\s*[=+@-]/m)
    assert.ok(text.includes(`"'=HYPERLINK(""http://evil.test"")"`))
    assert.ok(text.includes('"a ""quoted"", one\nline"'))
  })

  test('are deleted on request, and after the time in the settings', async () => {
    await site.setUp({ retentionDays: 30 })
    await site.ask(QUESTION)
    assert.equal((await site.admin.client.delete('/api/assistant/visitor/questions')).status, 204)
    assert.equal((await questions()).meta.total, 0)
    await site.ask(QUESTION)
    const ctx = contextFor(site.service.cms.services, { kind: 'system', name: 'test' } as const)
    site.service.clock.advance(29 * DAY)
    await expireQuestions(ctx)
    const fresh = await site.service.openSession(site.admin.id)
    const client = site.service.client({ token: fresh.token })
    const total = async () => (await client.get('/api/assistant/visitor/questions')).body.meta.total
    assert.equal(await total(), 1)
    site.service.clock.advance(2 * DAY)
    await expireQuestions(ctx)
    assert.equal(await total(), 0)
  })
})
