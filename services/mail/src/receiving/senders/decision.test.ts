import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideSender, type ListedSender, sendersOf } from './decision.ts'

const senders = sendersOf({ author: 'Ann@Shop.example', returnPath: 'bounce@post.example', ip: '192.0.2.7' })
const entry = (level: ListedSender['level'], action: ListedSender['action'], pattern: string): ListedSender => ({
  level,
  action,
  pattern,
})
const decide = (entries: readonly ListedSender[], isAuthentic = true, isForged = false) =>
  decideSender(entries, senders, { isAuthentic, isForged })

test('a message is known by its author and the sender of its envelope, in one spelling, and by the domains of both', () => {
  const { networks, ...names } = senders
  assert.deepEqual(names, {
    author: ['ann@shop.example', '@shop.example'],
    envelope: ['bounce@post.example', '@post.example'],
  })
  assert.deepEqual(networks.slice(0, 2), ['192.0.2.7', '192.0.2.6/31'])
  assert.deepEqual(sendersOf({ author: 'eve@Bücher.example', returnPath: '', ip: null }), {
    author: ['eve@xn--bcher-kva.example', '@xn--bcher-kva.example'],
    envelope: [],
    networks: [],
  })
  assert.deepEqual(sendersOf({ author: null, returnPath: '', ip: null }), { author: [], envelope: [], networks: [] })
})

test('a server is known by its networks, the narrowest first and after all names', () => {
  const wide = entry('mailbox', 'block', '192.0.0.0/16')
  const narrow = entry('mailbox', 'allow', '192.0.2.0/24')
  assert.equal(decide([wide, narrow]), narrow)
  assert.equal(decide([wide, entry('mailbox', 'block', '@post.example')])?.pattern, '@post.example')
})

test('a server that is allowed need not prove the author, but an author who is forged is not let through', () => {
  const server = entry('mailbox', 'allow', '192.0.2.0/24')
  assert.equal(decide([server], false), server)
  assert.equal(decide([server], false, true), null)
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
