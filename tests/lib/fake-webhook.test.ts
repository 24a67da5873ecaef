import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { type FakeWebhook, startFakeWebhook } from './fake-webhook.ts'

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(24, 2).toString('base64')}`

let hook: FakeWebhook
beforeEach(async () => {
  hook = await startFakeWebhook({ secrets: [SECRET] })
})
afterEach(() => hook.close())

const signed = (id: string, body: string, secret = SECRET, at = new Date(), prefix = 'webhook') => ({
  'content-type': 'application/json',
  [`${prefix}-id`]: id,
  [`${prefix}-timestamp`]: String(Math.floor(at.getTime() / 1_000)),
  [`${prefix}-signature`]: new Webhook(secret).sign(id, at, body),
})
const send = (id: string, options: RequestInit = {}) =>
  fetch(`${hook.url}/in?x=1`, {
    method: 'POST',
    body: '{"a":1}',
    headers: signed(id, '{"a":1}'),
    redirect: 'manual',
    ...options,
  })

test('a signed event is received with its bytes, headers and path', async () => {
  assert.equal((await send('one')).status, 204)
  const [event] = await hook.waitFor(1)
  assert.deepEqual([event?.id, event?.path, event?.json], ['one', '/in?x=1', { a: 1 }])
  assert.equal(event?.body.toString(), '{"a":1}')
  assert.deepEqual(hook.problems, [])
})

test('what is not a signed JSON POST of now is turned away and reported', async () => {
  const old = new Date(Date.now() - 400_000)
  const attempts: RequestInit[] = [
    { headers: signed('a', '{"a":2}') },
    { headers: signed('a', '{"a":1}', OTHER) },
    { headers: signed('a', '{"a":1}', SECRET, old) },
    { headers: { 'content-type': 'application/json' } },
    { headers: { ...signed('a', '{"a":1}'), 'content-type': 'text/plain' } },
    { body: 'x', headers: signed('a', 'x') },
    { method: 'PUT' },
  ]
  for (const attempt of attempts) assert.equal((await send('a', attempt)).status, 401)
  assert.equal(hook.problems.length, attempts.length)
  assert.equal(hook.received.length, 0)
})

test('secrets can be changed, and several may be trusted', async () => {
  hook.trust(OTHER)
  assert.equal((await send('a')).status, 401)
  hook.trust(OTHER, SECRET)
  assert.equal((await send('a')).status, 204)
})

test('answers follow the script and then succeed', async () => {
  hook.script([
    { status: 500, body: 'broken' },
    { status: 307, headers: { location: 'http://elsewhere.test/' } },
    { delayMs: 20, status: 201 },
  ])
  assert.equal(await (await send('a')).text(), 'broken')
  assert.equal((await send('b')).headers.get('location'), 'http://elsewhere.test/')
  assert.deepEqual([(await send('c')).status, (await send('d')).status], [201, 204])
})

test('a cut before the effect loses the event, a cut after it does not', async () => {
  hook.script(({ id }) => ({ cut: id === 'a' ? 'before-effect' : 'after-effect' }))
  await assert.rejects(send('a'))
  await assert.rejects(send('b'))
  assert.deepEqual(
    hook.received.map(({ id }) => id),
    ['b'],
  )
})

test('a hanging request is held until the sender leaves', async () => {
  hook.script([{ hang: true }])
  const giveUp = new AbortController()
  const asked = send('a', { signal: giveUp.signal })
  await hook.waitFor(1)
  assert.equal(hook.pending(), 1)
  giveUp.abort()
  await assert.rejects(asked)
})

test('with another clock and header family, age is judged by that clock', async () => {
  await hook.close()
  const at = new Date('2030-01-01T00:00:00Z')
  hook = await startFakeWebhook({ secrets: [SECRET], now: () => at, headerPrefix: 'svix' })
  assert.equal((await send('a', { headers: signed('a', '{"a":1}', SECRET, at, 'svix') })).status, 204)
  const late = new Date(at.getTime() - 400_000)
  assert.equal((await send('a', { headers: signed('a', '{"a":1}', SECRET, late, 'svix') })).status, 401)
  assert.equal((await send('a', { headers: signed('a', '{"a":1}', OTHER, at, 'svix') })).status, 401)
})
