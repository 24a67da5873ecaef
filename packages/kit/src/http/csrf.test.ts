import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { isForeignRead } from './csrf.ts'
import { Incoming } from './incoming.ts'
import { PUBLIC } from './route.ts'
import { call } from './testing/client.ts'
import { PUBLIC_URL, route, routes, type Service, startService } from './testing/service.ts'

const open = { auth: PUBLIC, access: 'all', summary: 'For a test', output: 'empty', run: () => undefined } as const
let writes = 0
const own = [
  route({
    method: 'POST',
    path: '/api/write',
    summary: 'Counts',
    auth: ['token', 'cookie'],
    access: 'write',
    output: 'empty',
    run: () => {
      writes += 1
      return undefined
    },
  }),
  route({ ...open, method: 'POST', path: '/api/open' }),
  route({ ...open, method: 'POST', path: '/api/foreign', crossOrigin: true }),
]

type Credential = 'cookie' | 'bearer' | 'public' | 'public for foreign pages'
const presented: Record<Credential, { path: string; headers: Record<string, string> }> = {
  cookie: { path: '/api/write', headers: { cookie: 'session=writer' } },
  bearer: { path: '/api/write', headers: { authorization: 'Bearer writer' } },
  public: { path: '/api/open', headers: {} },
  'public for foreign pages': { path: '/api/foreign', headers: {} },
}

const OTHER_ORIGINS = [
  'http://evil.example',
  'https://things.example',
  'http://things.example:8080',
  'http://things.example.evil.example',
  'http://evilthings.example',
  'http://a.things.example',
  'http://THINGS.example',
  'http://things.example/',
  'null',
  '',
  `${PUBLIC_URL} http://evil.example`,
  `${PUBLIC_URL}, ${PUBLIC_URL}`,
]
const FOREIGN_SITES = ['cross-site', 'same-site', 'Same-Origin', 'same-origin, same-origin', '', 'x']

for (const csrfProof of [false, true])
  describe(`writes from pages, ${csrfProof ? 'origin to be proven' : 'foreign origin refused'}`, () => {
    let service: Service
    before(async () => {
      service = await startService({ csrfProof, routes: [...routes, ...own] })
    })
    after(() => service.stop())
    const write = async (credential: Credential, shown: Record<string, string>) => {
      const { path, headers } = presented[credential]
      const answer = await call(service.port, { method: 'POST', path, headers: { ...headers, ...shown } })
      if (answer.status === 403) assert.equal(answer.json.code, 'csrf')
      return answer.status
    }

    test('a cookie works from our own pages', async () => {
      for (const site of ['same-origin', 'none']) {
        assert.equal(await write('cookie', { 'sec-fetch-site': site }), 204)
        assert.equal(await write('cookie', { 'sec-fetch-site': site, origin: PUBLIC_URL }), 204)
      }
      assert.equal(await write('cookie', { origin: PUBLIC_URL }), 204)
    })

    test('a cookie from a foreign page is refused, and nothing was written', async () => {
      const before = writes
      for (const origin of OTHER_ORIGINS) assert.equal(await write('cookie', { origin }), 403, origin)
      for (const site of FOREIGN_SITES) {
        assert.equal(await write('cookie', { 'sec-fetch-site': site }), 403, site)
        // The browser's word about the site goes before the origin.
        assert.equal(await write('cookie', { 'sec-fetch-site': site, origin: PUBLIC_URL }), 403, site)
      }
      assert.equal(writes, before)
    })

    test('a cookie without any sign of where it comes from', async () => {
      assert.equal(await write('cookie', {}), csrfProof ? 403 : 204)
      assert.equal(
        await write('cookie', { referer: `${PUBLIC_URL}/page`, host: 'things.example' }),
        csrfProof ? 403 : 204,
      )
    })

    test('a bearer token is not sent by a browser on its own, so any origin may use it', async () => {
      for (const origin of ['http://evil.example', 'null', PUBLIC_URL])
        assert.equal(await write('bearer', { origin }), 204)
      for (const site of ['cross-site', 'same-origin'])
        assert.equal(await write('bearer', { 'sec-fetch-site': site }), 204)
      assert.equal(await write('bearer', {}), 204)
      assert.equal(await write('bearer', { cookie: 'session=writer', 'sec-fetch-site': 'cross-site' }), 204)
    })

    test('a public write may be automated, but not by a foreign page, which could sign its visitor in', async () => {
      assert.equal(await write('public', {}), 204)
      assert.equal(await write('public', { origin: PUBLIC_URL }), 204)
      assert.equal(await write('public', { 'sec-fetch-site': 'same-origin' }), 204)
      for (const origin of OTHER_ORIGINS) assert.equal(await write('public', { origin }), 403, origin)
      for (const site of FOREIGN_SITES) assert.equal(await write('public', { 'sec-fetch-site': site }), 403, site)
    })

    test('a public write that is meant for foreign pages takes them', async () => {
      for (const origin of OTHER_ORIGINS) assert.equal(await write('public for foreign pages', { origin }), 204, origin)
      assert.equal(await write('public for foreign pages', { 'sec-fetch-site': 'cross-site' }), 204)
    })

    test('reads are not writes', async () => {
      const headers = { cookie: 'session=reader', 'sec-fetch-site': 'cross-site', origin: 'http://evil.example' }
      for (const method of ['GET', 'HEAD'])
        assert.equal((await call(service.port, { method, path: '/api/things', headers })).status, 200)
    })

    test('every verb that writes is covered', async () => {
      const headers = { cookie: 'session=writer', origin: 'http://evil.example', 'content-type': 'application/json' }
      for (const method of ['PUT', 'DELETE'])
        assert.equal((await call(service.port, { method, path: '/api/things/1', headers })).status, 403, method)
    })

    test('the origin is checked before the permission and before the body', async () => {
      const headers = { cookie: 'session=reader', origin: 'http://evil.example', 'content-type': 'text/plain' }
      const answer = await call(service.port, { method: 'POST', path: '/api/things', headers, body: 'x=1' })
      assert.deepEqual([answer.status, answer.json.code], [403, 'csrf'])
    })
  })

test('a read by a foreign page is recognised for services that give cookies no say there', () => {
  const asks = (site?: string) => {
    const raw = new IncomingMessage(new Socket())
    if (site !== undefined) raw.headers['sec-fetch-site'] = site
    return isForeignRead(new Incoming('1', raw, { clientOf: () => '' }))
  }
  assert.deepEqual(
    [asks('cross-site'), asks('same-site'), asks('same-origin'), asks('none'), asks()],
    [true, true, false, false, false],
  )
})
