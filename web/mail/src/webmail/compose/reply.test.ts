import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { forwardSubject, identityFor, replyRecipients, replySubject, threading } from './reply.ts'

const who = (email: string) => ({ name: null, email })
const own = [
  { id: '1', email: 'ada@own.test', is_default: true },
  { id: '2', email: 'shop@own.test', is_default: false },
]
const mail = (given: { from?: string; to?: string[]; cc?: string[]; replyTo?: string[] }) => ({
  from: given.from === undefined ? null : who(given.from),
  to: (given.to ?? []).map(who),
  cc: (given.cc ?? []).map(who),
  bcc: [],
  reply_to: (given.replyTo ?? []).map(who),
  headers: [],
})
const answer = (given: Parameters<typeof mail>[0], all = false) => {
  const { to, cc } = replyRecipients(mail(given), own, all)
  return [to.map(({ email }) => email), cc.map(({ email }) => email)]
}

describe('whom an answer goes to', () => {
  test('the sender, or where the sender wants it', () => {
    assert.deepEqual(answer({ from: 'ann@a.test', to: ['ada@own.test', 'x@a.test'] }), [['ann@a.test'], []])
    assert.deepEqual(answer({ from: 'ann@a.test', replyTo: ['list@l.test'], to: ['ada@own.test'] }), [
      ['list@l.test'],
      [],
    ])
  })

  test('all: everybody once, never oneself under any identity', () => {
    assert.deepEqual(
      answer(
        {
          from: 'ann@a.test',
          to: ['ADA@own.test', 'x@a.test', 'shop@own.test'],
          cc: ['X@a.test', 'y@a.test', 'ann@a.test'],
        },
        true,
      ),
      [['ann@a.test'], ['x@a.test', 'y@a.test']],
    )
    // Of a list they read it there
    assert.deepEqual(
      answer({ from: 'ann@a.test', replyTo: ['list@l.test'], to: ['list@l.test', 'ada@own.test'] }, true),
      [['list@l.test'], []],
    )
  })

  test('an answer to what one wrote goes to those it was for', () => {
    assert.deepEqual(answer({ from: 'ada@own.test', to: ['x@a.test'], cc: ['y@a.test'] }), [['x@a.test'], []])
    assert.deepEqual(answer({ from: 'ada@own.test', to: ['x@a.test', 'shop@own.test'], cc: ['y@a.test'] }, true), [
      ['x@a.test'],
      ['y@a.test'],
    ])
    assert.deepEqual(answer({ from: 'ada@own.test', to: ['ada@own.test'] }), [['ada@own.test'], []])
    assert.deepEqual(answer({}), [[], []])
  })

  test('it comes from the address that was written to', () => {
    assert.equal(identityFor(mail({ from: 'ann@a.test', to: ['x@a.test'], cc: ['Shop@own.test'] }), own), '2')
    assert.equal(identityFor(mail({ from: 'shop@own.test', to: ['ada@own.test'] }), own), '2')
    assert.equal(identityFor(mail({ from: 'ann@a.test', to: ['list@l.test'] }), own), '1')
    assert.equal(identityFor({ ...mail({}), headers: [{ name: 'Delivered-To', value: 'shop@own.test' }] }, own), '2')
    assert.equal(identityFor(mail({}), []), null)
    const names = [{ id: '3', email: 'shop@own.test', is_default: true }]
    assert.equal(identityFor(mail({ to: ['shop@own.test'] }), [...own.filter(({ id }) => id === '2'), ...names]), '3')
  })
})

test('subjects have one prefix, in whatever language it was', () => {
  assert.equal(replySubject('Hello'), 'Re: Hello')
  assert.equal(replySubject('RE: Re[2]: AW: Hello'), 'Re: Hello')
  assert.equal(replySubject(null), 'Re:')
  assert.equal(replySubject('Regarding: x'), 'Re: Regarding: x')
  assert.equal(forwardSubject('Fw: FWD: Hello'), 'Fwd: Hello')
  assert.equal(forwardSubject('Re: Hello'), 'Fwd: Re: Hello')
})

test('an answer names what it answers and everything before', () => {
  assert.deepEqual(threading({ message_id: '<c@x>', in_reply_to: 'b@x', references: ['a@x', 'b@x'] }), {
    inReplyTo: 'c@x',
    references: ['a@x', 'b@x', 'c@x'],
  })
  assert.deepEqual(threading({ message_id: 'c@x', in_reply_to: 'b@x', references: [] }).references, ['b@x', 'c@x'])
  assert.deepEqual(threading({ message_id: null, in_reply_to: 'b@x', references: ['a@x'] }), {
    inReplyTo: null,
    references: [],
  })
  const long = Array.from({ length: 300 }, (_, index) => `${index}@x`)
  const { references } = threading({ message_id: 'z@x', in_reply_to: null, references: long })
  assert.equal(references.length, 100)
  assert.deepEqual([references[0], references.at(-1)], ['0@x', 'z@x'])
  assert.deepEqual(threading({ message_id: 'a b@x', in_reply_to: null, references: [] }), {
    inReplyTo: null,
    references: [],
  })
})
