import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { writeAnswer } from './answer.ts'
import { type Invitation, readInvitation } from './invitation.ts'

/** Half of a pair among them. */
const anySign = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code))

const calendar = (event: readonly string[], { method = 'REQUEST', zones = [] as readonly string[] } = {}): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...(method === '' ? [] : [`METHOD:${method}`]),
    ...zones,
    'BEGIN:VEVENT',
    'UID:event-1@calendar.test',
    ...event,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')

const read = (event: readonly string[], options?: Parameters<typeof calendar>[1]): Invitation =>
  readInvitation(calendar(event, options)) ?? assert.fail('no invitation')

/** As Outlook names and describes it. */
const OUTLOOK_ZONE = [
  'BEGIN:VTIMEZONE',
  'TZID:W. Europe Standard Time',
  'BEGIN:STANDARD',
  'DTSTART:16010101T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:16010101T020000',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
]

describe('an invitation', () => {
  test('has who invites whom to what, and where', () => {
    const invitation = read([
      'SEQUENCE:2',
      'SUMMARY:Harbour walk\\, with tea',
      'LOCATION:Pier 4\\nby the crane',
      'DTSTART:20260301T100000Z',
      'DTEND:20260301T113000Z',
      'ORGANIZER;CN="Ann, of the harbour":mailto:ann@outside.test',
      'ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;CN=Bob:MAILTO:Bob@ours.test',
      'ATTENDEE;ROLE=OPT-PARTICIPANT;PARTSTAT=ACCEPTED:mailto:cem@outside.test',
      'ATTENDEE;CUTYPE=ROOM:urn:uuid:4fbe8971',
      'STATUS:CONFIRMED',
      'RRULE:FREQ=WEEKLY;COUNT=3',
      'BEGIN:VALARM',
      'SUMMARY:of the alarm',
      'END:VALARM',
    ])
    assert.deepEqual(invitation, {
      method: 'request',
      uid: 'event-1@calendar.test',
      sequence: 2,
      summary: 'Harbour walk, with tea',
      location: 'Pier 4 by the crane',
      start: '2026-03-01T10:00:00.000Z',
      end: '2026-03-01T11:30:00.000Z',
      isAllDay: false,
      timeZone: null,
      repeats: 'weekly',
      status: 'confirmed',
      organizer: { name: 'Ann, of the harbour', email: 'ann@outside.test' },
      attendees: [
        { name: 'Bob', email: 'Bob@ours.test', status: 'needs_action', isOptional: false },
        { name: null, email: 'cem@outside.test', status: 'accepted', isOptional: true },
      ],
      comment: null,
      recurrence: null,
    })
  })

  test('goes on where a line is folded, also inside a character that takes several bytes', () => {
    assert.equal(read(['SUMMARY:Hafen', '  und Meer']).summary, 'Hafen und Meer')
    assert.equal(readInvitation(calendar(['SUMMARY:a']).replaceAll('\r\n', '\n'))?.summary, 'a')
  })

  const times: readonly [string, readonly string[], readonly [string | null, string | null]][] = [
    ['a day', ['DTSTART;VALUE=DATE:20260301'], ['2026-03-01', '2026-03-02']],
    ['some days', ['DTSTART;VALUE=DATE:20260301', 'DTEND;VALUE=DATE:20260304'], ['2026-03-01', '2026-03-04']],
    [
      'a length',
      ['DTSTART:20260301T100000Z', 'DURATION:PT1H30M'],
      ['2026-03-01T10:00:00.000Z', '2026-03-01T11:30:00.000Z'],
    ],
    ['a zone, in winter', ['DTSTART;TZID=Europe/Berlin:20260301T100000'], ['2026-03-01T09:00:00.000Z', null]],
    ['a zone, in summer', ['DTSTART;TZID=Europe/Berlin:20260701T100000'], ['2026-07-01T08:00:00.000Z', null]],
    [
      'a zone with a prefix',
      ['DTSTART;TZID=/mozilla.org/20050126_1/Asia/Tokyo:20260701T100000'],
      ['2026-07-01T01:00:00.000Z', null],
    ],
    ['no zone', ['DTSTART:20260301T100000'], ['2026-03-01T10:00:00', null]],
    ['a zone that nobody knows', ['DTSTART;TZID=Nowhere:20260301T100000'], ['2026-03-01T10:00:00', null]],
    ['no date', ['DTSTART:20261301T100000Z'], [null, null]],
    ['a day that is none', ['DTSTART;VALUE=DATE:20260230'], [null, null]],
  ]
  for (const [what, event, [start, end]] of times)
    test(`is when it says: ${what}`, () => {
      const invitation = read(event)
      assert.deepEqual([invitation.start, invitation.end], [start, end])
    })

  test('is in a zone as the file describes it where the name is not of the list', () => {
    const at = (text: string) => read([`DTSTART;TZID=W. Europe Standard Time:${text}`], { zones: OUTLOOK_ZONE }).start
    assert.equal(at('20260115T100000'), '2026-01-15T09:00:00.000Z')
    assert.equal(at('20260715T100000'), '2026-07-15T08:00:00.000Z')
    assert.equal(at('20260329T010000'), '2026-03-29T00:00:00.000Z')
    assert.equal(at('20260329T040000'), '2026-03-29T02:00:00.000Z')
    assert.equal(at('20261025T040000'), '2026-10-25T03:00:00.000Z')
  })

  test('of a series is the series, and of one day of it that day', () => {
    const series = calendar(['SUMMARY:all', 'RRULE:FREQ=DAILY']).replace(
      'BEGIN:VEVENT',
      'BEGIN:VEVENT\r\nUID:event-1@calendar.test\r\nRECURRENCE-ID:20260302T100000Z\r\nSUMMARY:one\r\nEND:VEVENT\r\nBEGIN:VEVENT',
    )
    assert.deepEqual([readInvitation(series)?.summary, readInvitation(series)?.recurrence], ['all', null])
    const day = read(['RECURRENCE-ID;TZID=Europe/Berlin:20260302T110000', 'SUMMARY:one'])
    assert.deepEqual(day.recurrence, { kind: 'moment', at: Date.UTC(2026, 2, 2, 10) })
  })

  test('that is cancelled, answered or only published says so', () => {
    assert.equal(read([], { method: 'CANCEL' }).method, 'cancel')
    assert.equal(read([], { method: 'reply' }).method, 'reply')
    assert.equal(read([], { method: 'COUNTER' }).method, 'other')
    assert.equal(read([], { method: '' }).method, 'publish')
    assert.equal(read(['STATUS:CANCELLED']).status, 'cancelled')
  })

  test('is not in a text without an event, or without what names the event', () => {
    for (const text of ['', 'hello', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR', calendar([]).replace(/UID:.*\r\n/, '')])
      assert.equal(readInvitation(text), null)
    assert.equal(readInvitation(calendar([`DESCRIPTION:${'a'.repeat(300_000)}`])), null)
  })

  test('turns no writing around and begins no line where it is shown', () => {
    const invitation = read([
      'SUMMARY:Pay\\nnow \u202egnihton',
      'ORGANIZER;CN="A\u2066nn^nBcc: x":mailto:ann@outside.test',
    ])
    assert.equal(invitation.summary, 'Pay now gnihton')
    assert.equal(invitation.organizer?.name, 'A nn Bcc: x')
  })

  const piece = fc.oneof(
    fc.constantFrom(
      'BEGIN:VCALENDAR',
      'END:VCALENDAR',
      'BEGIN:VEVENT',
      'END:VEVENT',
      'BEGIN:VTIMEZONE',
      'BEGIN:STANDARD',
      'METHOD:REQUEST',
      'UID:x',
      'DTSTART;TZID=Europe/Berlin:20260301T100000',
      'DTSTART;TZID=X:99991231T235959',
      'TZID:X',
      'TZOFFSETFROM:-9959',
      'TZOFFSETTO:+9959',
      'RRULE:FREQ=YEARLY;BYDAY=-5SU;BYMONTH=99;UNTIL=0000',
      'DURATION:P999999W999999DT999999H',
      'ATTENDEE;CN="a;b":mailto:a%@b',
      'ORGANIZER;;=:mailto:',
      ' folded',
      '\t',
      ':',
      ';',
    ),
    fc.string({ unit: anySign, maxLength: 40 }),
  )

  test('is read from any text without failing, and never grows', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.constantFrom('\r\n', '\n', '\r'), (lines, end) => {
        const invitation = readInvitation(lines.join(end))
        if (!invitation) return true
        const length = JSON.stringify(invitation).length
        return invitation.uid !== '' && length < 200_000 && !/[\r\n]/.test(invitation.uid)
      }),
      { seed: 61, numRuns: 3_000 },
    )
  })

  test('is read in a bounded time however it is made', () => {
    const hostile = [
      `BEGIN:VCALENDAR\n${'BEGIN:VEVENT\n'.repeat(15_000)}`,
      calendar([`ATTENDEE${';A='.repeat(5_000)}:mailto:a@b`]),
      calendar([`ATTENDEE;CN=${'"'.repeat(10_000)}`]),
      calendar([`X:${'\r\n '.repeat(60_000)}`]),
      calendar(Array.from({ length: 4_000 }, (_, index) => `ATTENDEE:mailto:a${index}@b.test`)),
    ]
    for (const text of hostile) {
      const start = process.cpuUsage()
      readInvitation(text)
      const { user } = process.cpuUsage(start)
      assert.ok(user < 500_000, `${user} µs`)
    }
  })
})

describe('an answer', () => {
  const now = new Date('2026-03-01T12:00:00Z')
  const answerTo = (invitation: Invitation, rest: Partial<Parameters<typeof writeAnswer>[0]> = {}) =>
    writeAnswer({
      invitation,
      organizer: invitation.organizer ?? assert.fail(),
      attendee: { name: 'Bob', email: 'bob@ours.test' },
      answer: 'accepted',
      comment: null,
      now,
      ...rest,
    })
  const EVENT = [
    'SEQUENCE:3',
    'SUMMARY:Tea; cake',
    'ORGANIZER;CN=Ann:mailto:ann@outside.test',
    'ATTENDEE:mailto:x@y.test',
  ]

  test('names the event, its organizer and nobody but who answers', () => {
    const text = answerTo(read(EVENT), { comment: 'Gladly,\nBob' })
    assert.equal(
      text,
      [
        'BEGIN:VCALENDAR',
        'PRODID:-//Stoa//Mail//EN',
        'VERSION:2.0',
        'METHOD:REPLY',
        'BEGIN:VEVENT',
        'UID:event-1@calendar.test',
        'SEQUENCE:3',
        'DTSTAMP:20260301T120000Z',
        'ORGANIZER;CN="Ann":mailto:ann@outside.test',
        'ATTENDEE;PARTSTAT=ACCEPTED;CN="Bob":mailto:bob@ours.test',
        'SUMMARY:Tea\\; cake',
        'COMMENT:Gladly\\,\\nBob',
        'END:VEVENT',
        'END:VCALENDAR',
        '',
      ].join('\r\n'),
    )
  })

  test('to one day of a series names that day', () => {
    const day = read([...EVENT, 'RECURRENCE-ID;TZID=Europe/Berlin:20260302T110000'])
    assert.match(answerTo(day), /\r\nRECURRENCE-ID:20260302T100000Z\r\n/)
    assert.match(
      answerTo(read([...EVENT, 'RECURRENCE-ID;VALUE=DATE:20260302'])),
      /\r\nRECURRENCE-ID;VALUE=DATE:20260302\r\n/,
    )
  })

  test('is read back as it was meant, whatever is in its words, in lines of at most 75 bytes', () => {
    const words = fc.string({ unit: 'grapheme', maxLength: 120 })
    fc.assert(
      fc.property(words, words, fc.constantFrom('accepted', 'tentative', 'declined'), (summary, name, answer) => {
        const written = answerTo(
          { ...read(EVENT), summary: summary.trim() || null },
          { answer, attendee: { name, email: 'b@c.test' } },
        )
        const back = readInvitation(written)
        const isShort = written.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)
        const isSame = back?.uid === 'event-1@calendar.test' && back.sequence === 3 && back.method === 'reply'
        return isShort && isSame && back.attendees.length === 1 && back.attendees[0]?.status === answer
      }),
      { seed: 62, numRuns: 500 },
    )
  })
})
