import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { VacationAction } from './action-types.ts'
import { messageOf } from './testing/message.ts'
import { decideVacation } from './vacation-rules.ts'

const action: VacationAction = {
  kind: 'vacation',
  reason: 'Away',
  seconds: 86_400,
  subject: null,
  from: null,
  addresses: ['alias@example.com'],
  mime: false,
  handle: 'h',
  fcc: null,
}
const owned = ['bob@example.com']
const decide = (head: string, from: string | null = 'ann@example.org', to = 'bob@example.com') =>
  decideVacation(action, messageOf(`${head}\n\nbody`), { from, to }, owned)
const refusal = (...args: Parameters<typeof decide>) => decide(...args).refusal

describe('a vacation reply', () => {
  test('goes to the envelope sender, answers the message and counts by its handle (RFC 5230 §5)', () => {
    assert.deepEqual(decide('To: Bob <BOB@example.com>\nSubject: Hi\nMessage-ID: <2@x>\nReferences: <1@x>'), {
      reply: {
        to: 'ann@example.org',
        subject: 'Auto: Hi',
        inReplyTo: '<2@x>',
        references: '<1@x> <2@x>',
        key: 'h',
        seconds: 86_400,
      },
      refusal: null,
    })
  })
  test('goes to nobody when there is no sender (RFC 3834 §2)', () => {
    for (const from of [null, '', '<>', 'nonsense']) assert.equal(refusal('To: bob@example.com', from), 'no_sender')
  })
  test('never goes to oneself', () => {
    for (const from of ['bob@example.com', 'Alias@Example.com'])
      assert.equal(refusal('To: bob@example.com', from), 'own_address')
  })
  test('never goes to system addresses (RFC 5230 §4.6)', () => {
    for (const local of [
      'MAILER-DAEMON',
      'owner-list',
      'list-request',
      'listserv',
      'no-reply',
      'bounces+1=2',
      'postmaster',
    ])
      assert.equal(refusal('To: bob@example.com', `${local}@example.org`), 'system_sender', local)
  })
  test('never answers automatic messages (RFC 3834 §2)', () => {
    assert.equal(refusal('To: bob@example.com\nAuto-Submitted: auto-replied'), 'automatic_message')
    assert.equal(refusal('To: bob@example.com\nX-Auto-Response-Suppress: DR, OOF'), 'automatic_message')
    assert.equal(refusal('To: bob@example.com\nAuto-Submitted: no'), null)
  })
  test('never answers lists (RFC 5230 §4.6)', () => {
    for (const field of ['List-Id: <a.b>', 'List-Unsubscribe: <mailto:a@b.example>', 'Precedence: bulk'])
      assert.equal(refusal(`To: bob@example.com\n${field}`), 'mailing_list', field)
  })
  test('only answers what is addressed to the owner (RFC 5230 §4.5)', () => {
    assert.equal(refusal('To: everybody@example.com'), 'not_addressed')
    assert.equal(refusal('Subject: x'), 'not_addressed')
    assert.equal(refusal('Cc: x@y.example, alias@example.com'), null)
    assert.equal(refusal('To: bob+tag@example.com', 'ann@example.org', 'bob+tag@example.com'), null)
  })
})
