import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { type FakeSite, startFakeSite } from './fake-site.ts'

let site: FakeSite
beforeEach(async () => {
  site = await startFakeSite()
})
afterEach(() => site.close())

const get = (path: string, init: RequestInit = {}) =>
  fetch(site.url + path, { headers: { accept: 'text/html' }, redirect: 'manual', ...init })

test('a page that nobody described names its address; others are as described', async () => {
  assert.match(await (await get('/a?b=1')).text(), /<title>\/a\?b=1</)
  site.pages['/gone'] = { status: 410, headers: { 'content-type': 'text/plain' }, body: 'gone' }
  const gone = await get('/gone?x')
  assert.deepEqual([gone.status, gone.headers.get('content-type'), await gone.text()], [410, 'text/plain', 'gone'])
  assert.deepEqual(
    site.requests.map(({ path }) => path),
    ['/a?b=1', '/gone?x'],
  )
  assert.deepEqual(site.problems, [])
})

test('a request that posts, sends a credential or wants something other than a page is refused and reported', async () => {
  const attempts: RequestInit[] = [
    { method: 'POST' },
    { headers: { accept: 'text/html', cookie: 'a=b' } },
    { headers: { accept: 'text/html', authorization: 'Bearer x' } },
    { headers: { accept: 'application/json' } },
  ]
  for (const init of attempts) assert.equal((await get('/', init)).status, 400)
  assert.equal(site.problems.length, attempts.length)
  assert.deepEqual(site.requests, [])
})

test('a cut page ends before its end', async () => {
  site.pages['/'] = { cut: true, headers: { 'content-length': '1000' } }
  await assert.rejects(async () => (await get('/')).text())
})
