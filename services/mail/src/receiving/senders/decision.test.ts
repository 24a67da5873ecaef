import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideSender, type ListedSender, sendersOf } from './decision.ts'

const senders = sendersOf({ author: 'Ann@Shop.example', returnPath: 'bounce@post.example' })
const entry = (level: ListedSender['level'], action: ListedSender['action'], pattern: string): ListedSender => ({
  level,
  action,
  pattern,
})
const decide = (entries: readonly ListedSender[], isAuthentic = true) => decideSender(entries, senders, isAuthentic)

test('a message is known by its author and the sender of its envelope, in one spelling, and by the domains of both', () => {
  assert.deepEqual(senders, {
    author: ['ann@shop.example', '@shop.example'],
    envelope: ['bounce@post.example', '@post.example'],
  })
  assert.deepEqual(sendersOf({ author: 'eve@Bücher.example', returnPath: '' }), {
    author: ['eve@xn--bcher-kva.example', '@xn--bcher-kva.example'],
    envelope: [],
  })
  assert.deepEqual(sendersOf({ author: null, returnPath: '' }), { author: [], envelope: [] })
})

test('the list of the mailbox decides before that of the domain, and that before that of the instance', () => {
  const own = entry('mailbox', 'allow', '@shop.example')
  const domain = entry('domain', 'block', 'ann@shop.example')
  const instance = entry('instance', 'allow', 'ann@shop.example')
  assert.equal(decide([instance, domain, own]), own)
  assert.equal(decide([instance, domain]), domain)
  assert.equal(decide([instance]), instance)
  assert.equal(decide([]), null)
})

test('an address decides before its domain, and the author before the sender of the envelope', () => {
  const address = entry('mailbox', 'allow', 'ann@shop.example')
  const all = [entry('mailbox', 'block', '@shop.example'), entry('mailbox', 'block', 'bounce@post.example'), address]
  assert.equal(decide(all), address)
})

test('an entry that allows is passed over for an author who is not proved, and for the sender of the envelope', () => {
  const block = entry('instance', 'block', '@post.example')
  assert.equal(decide([entry('mailbox', 'allow', 'ann@shop.example'), block], false), block)
  assert.equal(decide([entry('mailbox', 'allow', 'bounce@post.example')]), null)
  assert.equal(decide([entry('mailbox', 'block', 'bounce@post.example')], false)?.action, 'block')
})
