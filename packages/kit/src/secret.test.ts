import assert from 'node:assert/strict'
import { test } from 'node:test'
import { format, inspect } from 'node:util'
import { Secret } from './secret.ts'

const planted = 'correct horse battery staple'

test('a secret gives its value only when asked', () => {
  assert.equal(new Secret(planted).reveal(), planted)
  assert.deepEqual(new Secret({ a: 1 }).reveal(), { a: 1 })
})

test('a secret cannot be printed by any usual road', () => {
  const secret = new Secret(planted)
  const printed = [
    String(secret),
    `${secret}`,
    JSON.stringify(secret),
    JSON.stringify({ deep: { list: [secret] } }),
    inspect(secret),
    inspect({ secret }, { showHidden: true, depth: 9, getters: true }),
    format('%s %o %j', secret, secret, secret),
    new Error(`failed with ${secret}`).message,
    JSON.stringify(Object.entries(secret)),
    JSON.stringify({ ...secret }),
    JSON.stringify(Object.getOwnPropertyNames(secret)),
  ]
  for (const text of printed) assert.ok(!text.includes('horse'), text)
  assert.equal(`${secret}`, '[secret]')
  assert.equal(JSON.stringify({ secret }), '{"secret":"[secret]"}')
  assert.equal(inspect(secret), '[secret]')
})

test('a secret holding an object does not leak through its members', () => {
  assert.ok(!inspect(new Secret({ password: planted }), { depth: 9, showHidden: true }).includes('horse'))
})
