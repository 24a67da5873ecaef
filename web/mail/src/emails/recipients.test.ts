import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EmailEvent, EmailEventType } from '@stoa/mail-model/emails.ts'
import { historyOf, readAddress, singleLine, subjectOf } from './recipients.ts'

let seconds = 0
const event = (type: EmailEventType, recipient: string | null = null, detail: string | null = null): EmailEvent => ({
  type,
  recipient,
  detail,
  created_at: new Date(Date.UTC(2026, 2, 1, 12, 0, ++seconds)).toISOString(),
})

describe('the timeline of a mail', () => {
  test('is listed for each recipient, separate from that of the whole mail', () => {
    const events = [
      event('queued'),
      event('sent'),
      event('delivered', 'ada@example.org', '250 OK'),
      event('delivery_delayed', 'Bob@Example.org', '451 later'),
      event('bounced', 'bob@example.org', '550 no'),
      event('opened'),
    ]
    const { whole, recipients } = historyOf({
      to: ['Ada <ada@example.org>', 'bob@example.org'],
      cc: ['ada@example.org', '"Eve, too" <eve@example.org>'],
      bcc: null,
      events,
    })
    assert.deepEqual(
      whole.map(({ type }) => type),
      ['queued', 'sent', 'opened'],
    )
    assert.deepEqual(
      recipients.map(({ address, name, field, state, steps }) => [address, name, field, state, steps.length]),
      [
        ['ada@example.org', 'Ada', 'to', 'delivered', 1],
        ['bob@example.org', '', 'to', 'bounced', 2],
        ['eve@example.org', 'Eve, too', 'cc', null, 0],
      ],
    )
  })

  test('loses nothing that is about somebody who is on no list', () => {
    const { whole } = historyOf({ to: ['a@b.test'], cc: null, bcc: null, events: [event('delivered', 'x@y.test')] })
    assert.equal(whole.length, 1)
  })

  test('counts readings instead of repeating them, each link by itself', () => {
    const events = [
      event('delivered', 'a@b.test'),
      event('opened'),
      event('clicked', null, 'https://a.test/1'),
      event('opened'),
      event('clicked', null, 'https://a.test/2'),
      event('opened'),
    ]
    const steps = singleLine(events)
    assert.deepEqual(
      steps.map(({ type, times }) => [type, times]),
      [
        ['delivered', 1],
        ['opened', 3],
        ['clicked', 1],
        ['clicked', 1],
      ],
    )
    assert.deepEqual([steps[1]?.first_at, steps[1]?.created_at], [events[1]?.created_at, events[5]?.created_at])
    assert.equal(events[1]?.created_at === events[5]?.created_at, false)
  })
})

test('an address is read with and without a name', () => {
  assert.deepEqual(readAddress('Ada L. <ada@example.org>'), { address: 'ada@example.org', name: 'Ada L.' })
  assert.deepEqual(readAddress(' ada@example.org '), { address: 'ada@example.org', name: '' })
})

test('a subject that turns or hides its letters is shown without that', () => {
  assert.equal(subjectOf({ subject: 'Invoice \u202egnp.exe' }), 'Invoice gnp.exe')
  assert.equal(subjectOf({ subject: '\u200b' }), '(no subject)')
})
