import assert from 'node:assert/strict'
import { test } from 'node:test'
import { identityInput } from './identities.ts'

test('whom answers go to is written as in a message: one or several, with or without a name', () => {
  const replyTo = (given: unknown) =>
    identityInput.safeParse({ email: 'a@example.org', reply_to: given }).data?.reply_to
  const [plain, named] = [
    { name: null, email: 'b@example.org' },
    { name: 'B', email: 'b@example.org' },
  ]
  assert.deepEqual(replyTo('B@example.org'), [plain])
  assert.deepEqual(replyTo(named), [named])
  assert.deepEqual(replyTo(['b@example.org', named, { email: 'b@example.org' }]), [plain, named, plain])
  assert.equal(replyTo(null), null)
  for (const wrong of ['b', ['b'], [{ name: 'a\r\nBcc: c', email: 'b@example.org' }], 5, Array(11).fill(plain)])
    assert.equal(identityInput.safeParse({ email: 'a@example.org', reply_to: wrong }).success, false)
})
