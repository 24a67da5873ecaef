import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { Secret } from '../secret.ts'
import { newSigningSecret, signatureHeaders, signMessage } from './sign.ts'

const now = () => Math.floor(Date.now() / 1_000)

test('signs like the example of the Standard Webhooks specification', () => {
  const secret = new Secret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestampSeconds: 1614265330, body: '{"test": 2432232314}' }
  assert.equal(signMessage(secret, message), 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('any body verifies with the reference library under every header family', () => {
  fc.assert(
    fc.property(fc.integer({ min: 24, max: 64 }), fc.uuid(), fc.json({ noUnicodeString: false }), (bytes, id, body) => {
      const secret = newSigningSecret(bytes)
      const headers = signatureHeaders(secret, { id, timestampSeconds: now(), body }, ['webhook', 'svix'])
      assert.equal(headers['svix-signature'], headers['webhook-signature'])
      assert.equal(headers['svix-id'], id)
      assert.deepEqual(new Webhook(secret.reveal()).verify(body, headers), JSON.parse(body))
    }),
    { seed: 30, numRuns: 60 },
  )
})

test('a changed body, id, time or secret does not verify', () => {
  const secret = newSigningSecret(32)
  const headers = signatureHeaders(secret, { id: 'a', timestampSeconds: now(), body: '{"a":1}' }, ['webhook'])
  const verify = (body: string, changed: Record<string, string>, key = secret) =>
    new Webhook(key.reveal()).verify(body, { ...headers, ...changed })
  assert.deepEqual(verify('{"a":1}', {}), { a: 1 })
  assert.throws(() => verify('{"a":2}', {}), /No matching signature/)
  assert.throws(() => verify('{"a":1}', { 'webhook-id': 'b' }), /No matching signature/)
  assert.throws(() => verify('{"a":1}', { 'webhook-timestamp': String(now() + 1) }), /No matching signature/)
  assert.throws(() => verify('{"a":1}', { 'webhook-timestamp': String(now() - 301) }), /too old/)
  assert.throws(() => verify('{"a":1}', {}, newSigningSecret(32)), /No matching signature/)
})

test('a secret has the asked length, differs each time and is not printable', () => {
  const secret = newSigningSecret(24)
  assert.match(secret.reveal(), /^whsec_[A-Za-z0-9+/]{32}$/)
  assert.notEqual(secret.reveal(), newSigningSecret(24).reveal())
  assert.equal(inspect({ secret }).includes('whsec_'), false)
  assert.throws(() => newSigningSecret(16), RangeError)
  assert.throws(() => signMessage(new Secret('plain'), { id: 'a', timestampSeconds: 1, body: '' }), TypeError)
})
