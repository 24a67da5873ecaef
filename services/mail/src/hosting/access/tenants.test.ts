import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type MailAnswer, type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { apiRoutes } from '../../app.ts'
import { plantAddress } from '../addresses/testing/hosting.ts'
import { type Customer, plantCustomer } from './testing/customer.ts'

/** Every route with an id against the ids of another account: what is added to the table is tested without a line here. */

type Route = (typeof apiRoutes)[number]

let mail: MailService
let ada: Customer
let bob: Customer
before(async () => {
  // Nobody answers there: what queries the DNS continues without.
  mail = await startMail({ env: { DNS_RESOLVERS: '127.0.0.1:9' } })
  ada = await plantCustomer(mail, 'ada.test')
  bob = await plantCustomer(mail, 'bob.test')
})
after(() => mail.close())

const namesIn = ({ path }: Pick<Route, 'path'>): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
const withIds = (path: string, idOf: (name: string, nth: number) => string): string => {
  let nth = 0
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(idOf(name, nth++)))
}
const send = (client: MailClient, { method }: Route, path: string, body: unknown): Promise<MailAnswer> =>
  client.send(method, path, method === 'GET' ? {} : { body })

/** What belongs to the instance is 403 for everybody but its owner. */
const routes = apiRoutes.filter(
  ({ auth, path, access }) => auth !== 'public' && auth.includes('session') && access !== 'owner' && path.includes(':'),
)

/** What some route would do something with. */
const BODIES: readonly unknown[] = [
  {},
  '{bad',
  { name: 'taken over', enabled: false, password: 'a long pass phrase', local_part: 'x', recovery_email: null },
  {
    script: 'discard;',
    access: 'full',
    fallback_domain_id: null,
    scopes: ['imap'],
    token: 'x',
    provider: 'cloudflare',
  },
]

describe('the ids of another account', () => {
  for (const route of routes) {
    const names = namesIn(route)

    test(`${route.method} ${route.path} answers 404 for them and changes nothing`, async () => {
      const before = await readEverything()
      const theirs = (name: string): string => ada.ids[name] ?? newId()
      const own = (name: string): string => bob.ids[name] ?? newId()
      const paths = [
        withIds(route.path, theirs),
        withIds(route.path, (name) => theirs(name).toUpperCase()),
        withIds(route.path, () => newId()),
        withIds(route.path, () => 'x'),
        withIds(route.path, () => "' or 1=1 --"),
        // What is ours with something of theirs in it, and the other way round.
        ...(names.length < 2
          ? []
          : [
              withIds(route.path, (name, nth) => (nth === 0 ? own(name) : theirs(name))),
              withIds(route.path, (name, nth) => (nth === 0 ? theirs(name) : own(name))),
            ]),
      ]
      for (const path of paths)
        for (const body of route.method === 'GET' ? [undefined] : BODIES) {
          const answer = await send(bob.client, route, path, body)
          const shown = { statusCode: 404, name: 'not_found', message: answer.body?.message }
          assert.deepEqual([answer.status, answer.body], [404, shown], `${path} ${JSON.stringify(body)}`)
          assert.doesNotMatch(answer.text, /ada\.test/)
        }
      assert.deepEqual(await readEverything(), before)
    })

    if (route.method === 'GET')
      test(`GET ${route.path} is there for the account itself`, async () => {
        const { status, text } = await send(
          ada.client,
          route,
          withIds(route.path, (name) => ada.ids[name] ?? ''),
          {},
        )
        assert.notEqual(status, 404, text)
        assert.ok(status < 500 || status === 503, text)
      })
  }

  test('are planted for every name of an id', () => {
    const missing = routes.flatMap(namesIn).filter((name) => !(name in ada.ids))
    assert.deepEqual(missing, [])
  })

  test('in a body are 404 too and change nothing', async () => {
    const before = await readEverything()
    const { domain_id, address_id, filter_id } = bob.ids
    const theirs = ada.ids
    const cases: [string, string, object][] = [
      ['POST', `/api/addresses/${address_id}/shares`, { address_id: theirs.address_id, access: 'read' }],
      ['POST', '/api/filters', { name: 'x', script: 'keep;', address_id: theirs.address_id }],
      ['PATCH', `/api/filters/${filter_id}`, { name: 'changed', address_id: theirs.address_id }],
      ['PATCH', `/api/domains/${domain_id}`, { note: 'changed', catch_all_address_id: theirs.address_id }],
      ['POST', `/api/domains/${domain_id}/fallback`, { fallback_domain_id: theirs.domain_id }],
    ]
    for (const [method, path, body] of cases) {
      const answer = await bob.client.send(method, path, { body })
      assert.deepEqual([answer.status, answer.body.name], [404, 'not_found'], `${path} ${answer.text}`)
    }
    assert.deepEqual(await readEverything(), before)
  })

  test('are in no list of ours', async () => {
    const lists = apiRoutes.filter(
      ({ method, path, auth }) =>
        method === 'GET' && !path.includes(':') && auth !== 'public' && auth.includes('session'),
    )
    for (const route of lists) {
      if (route.path === '/api/events') continue
      const { text, status } = await send(bob.client, route, `${route.path}?per_page=100`, {})
      assert.ok(status < 500, `${route.path} ${text}`)
      for (const id of Object.values(ada.ids)) assert.equal(text.includes(id), false, route.path)
      assert.doesNotMatch(text, /ada\.test/, route.path)
    }
  })
})

describe('the order of checks', () => {
  const VERBS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
  const paths = [...new Set(apiRoutes.map(({ path }) => path))].filter((path) => path.startsWith('/api/'))

  for (const path of paths)
    test(`${path} refuses other verbs with 405 before it authenticates`, async () => {
      const known = apiRoutes.filter((route) => route.path === path).map(({ method }) => method)
      const filled = withIds(path, () => newId())
      for (const verb of VERBS) {
        if (known.includes(verb)) continue
        const answer = await mail.client().send(verb, filled, verb === 'GET' ? {} : { body: '{bad' })
        assert.deepEqual([answer.status, answer.body?.name], [405, 'method_not_allowed'], `${verb} ${answer.text}`)
        const allow = answer.headers.get('allow')?.split(', ') ?? []
        for (const method of known) assert.ok(allow.includes(method), `${verb}: ${allow}`)
      }
    })

  test('is 401, then 429, then 404, then 402, then the body, then 413, then 409', async (context) => {
    const limited = await startMail({ env: { RATE_LIMIT_PER_SECOND: '10', BILLING: 'on' } })
    context.after(() => limited.close())
    await limited.signUp()
    const { client, id: accountId } = await limited.signUp()
    const { domainId, id } = await plantAddress(limited.database, 'a@order.test', {
      accountId,
      now: limited.clock.now(),
    })
    const add = (body: unknown, to = domainId, as = client) => as.post(`/api/domains/${to}/addresses`, body)
    const names = async (answers: Promise<MailAnswer>[]) => (await Promise.all(answers)).map(({ body }) => body?.name)
    assert.deepEqual(await names([add('{bad', newId(), limited.client()), add('{bad', newId())]), [
      'unauthorized',
      'not_found',
    ])
    const domain = `/api/domains/${domainId}`
    const catchAll = await client.send('PATCH', domain, { body: { catch_all_address_id: id } })
    assert.equal(catchAll.body.name, 'plan_required')
    for (const local_part of ['b', 'c']) await add({ local_part, password: 'a long pass phrase' })
    limited.clock.advance(1_000)
    assert.equal((await add({ local_part: 'a..', password: 'a long pass phrase' })).body.name, 'validation_error')
    // Over the limit, and the name is taken as well.
    assert.equal((await add({ local_part: 'a', password: 'a long pass phrase' })).body.name, 'quota_exceeded')
    limited.clock.advance(1_000)
    const answers = []
    for (let n = 0; n < 11; n += 1) answers.push(await client.get(`/api/addresses/${newId()}`))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [...Array.from({ length: 10 }, () => 404), 429],
    )
    const { headers } = answers[10] ?? assert.fail()
    const shown = ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']
    assert.deepEqual(
      shown.map((name) => headers.get(name)),
      ['1', '10', '0', '1'],
    )
    for (const { headers } of answers) assert.equal(headers.get('ratelimit-limit'), '10')
  })
})

/** A digest of every row of every table. */
const readEverything = async (): Promise<unknown> => {
  const tables = await mail.database.db.query<{ name: string }>({
    text: `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  })
  return Promise.all(
    tables.map(({ name }) =>
      mail.database.db.query({
        text: `select '${name}' as name, md5(string_agg(t::text, '' order by t::text)) from ${name} t`,
      }),
    ),
  )
}
