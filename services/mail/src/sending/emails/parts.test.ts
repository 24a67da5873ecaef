import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseNamedAddress } from '@stoa/mail-model/named-address.ts'
import fc from 'fast-check'
import { buildMail } from '../../formats/compose/compose.ts'
import { parseMessage } from '../../formats/mime/parse.ts'
import { readMessage } from '../../store/messages/read.ts'
import { plainTextOf } from './plain-text.ts'
import { readSchedule } from './schedule.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')

describe('a time to send at', () => {
  const at = (text: string): string | null => {
    const answer = readSchedule(text, NOW)
    return 'problem' in answer ? answer.problem : (answer.at?.toISOString() ?? null)
  }

  const times: [string, string | null][] = [
    ['in 1 min', '2026-03-01T12:01:00.000Z'],
    ['in 1 hour', '2026-03-01T13:00:00.000Z'],
    ['  in 2 days ', '2026-03-03T12:00:00.000Z'],
    ['tomorrow at 9am', '2026-03-02T09:00:00.000Z'],
    ['Friday at 3pm ET', '2026-03-06T20:00:00.000Z'],
    ['in 30 days', '2026-03-31T12:00:00.000Z'],
    ['2026-03-01T13:00:00.000Z', '2026-03-01T13:00:00.000Z'],
    ['2026-03-01T13:00:00+01:00', null],
    ['2026-03-01T16:00:00+0100', '2026-03-01T15:00:00.000Z'],
    ['2026-03-01 13:00:00.858123+00', '2026-03-01T13:00:00.858Z'],
    ['2026-03-02', '2026-03-02T00:00:00.000Z'],
    ['now', null],
    ['2026-03-01T11:59:00.000Z', null],
  ]
  for (const [text, expected] of times) test(`${text} is ${expected ?? 'now'}`, () => assert.equal(at(text), expected))

  test('must be within 30 days, and not in the past but for a minute', () => {
    assert.equal(at('in 31 days'), 'must be within 30 days')
    assert.equal(at('2026-03-31T12:00:00.001Z'), 'must be within 30 days')
    assert.equal(at('2026-03-01T11:58:59.999Z'), 'must not be in the past')
    assert.equal(at('5 minutes ago'), 'must not be in the past')
  })

  test('is the whole text, or it is refused', () => {
    const problem = 'must be an ISO 8601 time or text like "in 1 hour"'
    const texts = [
      '',
      'soon',
      'in 1 hour or so',
      'send in 1 hour',
      'from 1pm to 2pm',
      '2026-02-30',
      '2026-03-01T25:00Z',
    ]
    for (const text of [...texts, '1', 'in 1 hour '.repeat(9)]) assert.equal(at(text), problem, text)
  })

  test('is read or refused whatever the text, in no time', () => {
    const word = fc.constantFrom('in', '1', 'hour', 'at', 'tomorrow', 'next', 'Friday', '9am', '-', '2026', ',', 'ago')
    const texts = fc.oneof(
      fc.string({ maxLength: 120 }),
      fc.array(word, { maxLength: 30 }).map((words) => words.join(' ')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const answer = readSchedule(text, NOW)
        if ('problem' in answer || answer.at === null) return
        const wait = answer.at.getTime() - NOW.getTime()
        assert.ok(wait > 0 && wait <= 30 * 86_400_000)
      }),
      { numRuns: 500, seed: 40 },
    )
  })
})

describe('an address of a mail', () => {
  test('is one address, alone or with a name', () => {
    const read = (text: string) => {
      const found = parseNamedAddress(text)
      return found && [found.name, found.email]
    }
    assert.deepEqual(read('ada@example.org'), [null, 'ada@example.org'])
    assert.deepEqual(read(' Ada.L@EXAMPLE.org '), [null, 'Ada.L@example.org'])
    assert.deepEqual(read('Ada <ada@example.org>'), ['Ada', 'ada@example.org'])
    assert.deepEqual(read('"Lovelace, Ada" <ada@example.org>'), ['Lovelace, Ada', 'ada@example.org'])
    assert.deepEqual(read('<ada@example.org>'), [null, 'ada@example.org'])
    assert.deepEqual(read('Ada <ada@bücher.example>'), ['Ada', 'ada@xn--bcher-kva.example'])
  })

  const refused = [
    'a@b.test, c@d.test',
    'a@b.test c@d.test',
    'a@b.test;c@d.test',
    'Friends: a@b.test, c@d.test;',
    'a@b.test <c@d.test> e@f.test',
    '<a@b.test> <c@d.test>',
    'A <a@b.test',
    '"a@b.test"@c.test',
    '"a b"@c.test',
    'a@b@c.test',
    '@relay.test:a@b.test',
    'a@[127.0.0.1]',
    'a@localhost',
    'a@127.0.0.1',
    'ａ@b.test',
    'a..b@c.test',
    'A\r\nBcc: x@y.test <a@b.test>',
    'A\u2028B <a@b.test>',
    'a\u0000@b.test',
    'A "B" C" <a@b.test>',
    '',
    `${'a'.repeat(65)}@b.test`,
    `a@${'b'.repeat(250)}.test`,
  ]
  for (const text of refused)
    test(`is not ${JSON.stringify(text.slice(0, 40))}`, () => assert.equal(parseNamedAddress(text), null))

  test('goes where it says, whichever parser reads the header', async () => {
    const part = fc.string({
      unit: fc.constantFrom('a', 'B', '.', '@', '<', '>', '"', '\\', ',', ';', ':', '(', ')', ' ', 'é', '\n'),
      maxLength: 24,
    })
    await fc.assert(
      fc.asyncProperty(part, async (text) => {
        const found = parseNamedAddress(`${text}x <ok@example.org>`) ?? parseNamedAddress(text)
        if (!found) return
        const message = { from: found, to: [found], subject: '', text: '', messageId: 'a@b', date: NOW }
        const { envelope } = readMessage(await buildMail(message))
        assert.deepEqual([envelope.to.map(({ email }) => email), envelope.from.length], [[found.email], 1])
      }),
      { numRuns: 300, seed: 17 },
    )
  })
})

describe('the text of HTML', () => {
  test('has its paragraphs, lists, links and pictures, and nothing that nobody sees', () => {
    const html =
      '<html><head><title>no</title><style>p{}</style></head><body><h1>Hello  you</h1><p>First <b>bold</b>\n line<br>' +
      'second</p><ul><li>one</li><li>two <a href="https://a.test/x">here</a></li></ul><table><tr><td>a</td><td>b</td>' +
      '</tr><tr><td>c</td></tr></table><p><a href="https://b.test">https://b.test</a> &amp; &lt;x&gt; ' +
      '<img alt="Logo" src=x></p><script>alert("</p>")</script><svg><text>no</text></svg><pre> a\n  b</pre>' +
      '<a href="mailto:x@y.test">x@y.test</a> <a href="javascript:alert(1)">z</a><template>no</template></body></html>'
    assert.equal(
      plainTextOf(html),
      'Hello you\n\nFirst bold line\nsecond\n\n* one\n* two here [https://a.test/x]\n\na b\nc\n\n' +
        'https://b.test & <x> Logo\n\n a\n  b\n\nx@y.test z',
    )
  })

  test('is made in time that grows with its length, whatever it is', () => {
    const hostile = [
      '<a href=https://x.test>'.repeat(40_000),
      '</a>'.repeat(100_000),
      '<'.repeat(500_000),
      '<svg>'.repeat(100_000),
      '<pre>\n</pre>'.repeat(40_000),
      `<p ${Array.from({ length: 50_000 }, (_, at) => `a${at}`).join(' ')}>`,
      '&'.repeat(500_000),
    ]
    const began = performance.now()
    for (const html of hostile) plainTextOf(html)
    assert.ok(performance.now() - began < 15_000)
    assert.equal(plainTextOf('x'.repeat(2_097_153)), null)
  })

  test('is text whatever the HTML', () => {
    const piece = fc.constantFrom(
      '<p>',
      '</p>',
      '<a href="https://x.test/',
      '">',
      '</a>',
      '<script>',
      '</script',
      '<!--',
      'a ',
      '\n',
      '&lt;',
      '<li>',
      '<pre>',
      '\u00a0',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = plainTextOf(pieces.join(''))
        assert.ok(text !== null && text === text.trim() && !/\n{3}/.test(text))
      }),
      { numRuns: 500, seed: 41 },
    )
  })
})

describe('what is built', () => {
  test('has one field of each name that is set', async () => {
    const bytes = await buildMail({
      from: { name: 'A', email: 'a@b.test' },
      to: [{ name: null, email: 'c@d.test' }],
      subject: 'x',
      text: 'y',
      messageId: 'm@b.test',
      date: NOW,
      headers: [
        { name: 'List-Unsubscribe', value: '<https://b.test/u?a=b>' },
        { name: 'References', value: '<z@b.test>' },
      ],
    })
    const names = parseMessage(bytes).root.fields.map(({ name }) => name)
    assert.equal(new Set(names).size, names.length)
    assert.ok(names.includes('list-unsubscribe'))
  })
})
