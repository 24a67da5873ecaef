import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { htmlLinks, textLinks } from '../../formats/links/links.ts'
import { mailBytes, SEED } from '../../formats/mime/testing/arbitrary.ts'
import { readMessage } from '../../store/messages/read.ts'
import { confidence, spamProbability } from './bayes.ts'
import { CONTENT_RULES } from './content-rules.ts'
import { PHRASES } from './phrases.ts'
import { SENDER_RULES } from './sender-rules.ts'
import { readSpamText } from './spam.ts'
import { hashWord, splitWords } from './words.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const HEADER: Record<string, string> = {
  From: 'Ann <ann@example.org>',
  To: 'bob@example.net',
  Subject: 'Hello there',
  Date: 'Sun, 1 Mar 2026 12:00:00 +0000',
  'Message-ID': '<one@example.org>',
}
const message = (header: Record<string, string | undefined>, body = 'Shall we meet on Thursday?') =>
  Buffer.from(
    `${Object.entries({ ...HEADER, ...header })
      .flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\r\n`]))
      .join('')}\r\n${body}\r\n`,
  )
const reasonsOf = (bytes: Buffer) => readSpamText(readMessage(bytes), bytes, NOW).reasons.map(({ name }) => name)
const html = (body: string) => message({ 'Content-Type': 'text/html' }, body)
const attached = (name: string) =>
  message(
    { 'Content-Type': 'multipart/mixed; boundary=b' },
    `--b\r\n\r\nSee here.\r\n--b\r\nContent-Type: application/octet-stream; name="${name}"\r\n` +
      `Content-Disposition: attachment; filename="${name}"\r\n\r\nx\r\n--b--`,
  )
const GTUBE = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X'
const long = 'This is a text of some length that people read from its beginning to its end. '.repeat(3)

describe('an ordinary message', () => {
  test('has no reason against it', () => {
    assert.deepEqual(reasonsOf(message({})), [])
    assert.deepEqual(reasonsOf(attached('report (final).pdf')), [])
    const linked = `<p>${long}</p><a href="https://shop.example.org/a?b=1&amp;c=2">www.example.org</a>`
    assert.deepEqual(reasonsOf(html(linked)), ['only_html'])
  })
})

describe('a rule applies', () => {
  const cases: Record<string, Buffer> = {
    gtube: message({}, `Is there a filter?\r\n${GTUBE}\r\n`),
    no_author: message({ From: undefined }),
    no_date: message({ Date: 'soon' }),
    no_message_id: message({ 'Message-ID': undefined }),
    no_recipient: message({ To: 'undisclosed-recipients:;' }),
    many_recipients: message({ To: Array.from({ length: 40 }, (_, index) => `a${index}@example.net`).join(', ') }),
    date_ahead: message({ Date: 'Sun, 8 Mar 2026 12:00:00 +0000' }),
    date_long_ago: message({ Date: 'Sun, 1 Mar 2020 12:00:00 +0000' }),
    empty_subject: message({ Subject: '' }),
    shouting_subject: message({ Subject: 'GREAT OFFER FOR YOU' }),
    loud_subject: message({ Subject: 'Great offer!!!' }),
    hidden_letters: message({ Subject: 'Pass\u200bword notice' }),
    mixed_alphabets: message({ Subject: 'P\u0430ypal notice' }),
    false_answer: message({ Subject: 'Re: our contract' }),
    name_of_other: message({ From: '"service@bank.example" <x@attack.example>' }),
    answers_elsewhere: message({ 'Reply-To': 'winner@gmail.com' }),
    link_says_other: html(`${long}<a href="http://evil.test/">https://www.bank.com/login</a>`),
    link_to_address: html(`${long}<a href='http://192.0.2.1/'>here</a>`),
    link_with_user: html(`${long}<A HREF=http://bank.com@evil.test/>here</A>`),
    link_shortened: message({}, 'See https://bit.ly/abc'),
    link_in_disguise: message({}, 'See https://xn--pypal-4ve.example/login'),
    only_html: html(`<p>${long}</p>`),
    only_pictures: html('<img src="cid:1"><a href="https://example.org">x</a>'),
    program_attached: attached('invoice.pdf.exe'),
    macros_attached: attached('invoice.docm'),
    page_attached: attached('login.html'),
  }
  for (const { name } of CONTENT_RULES)
    test(`${name}, to a message made for it`, () => {
      const bytes = cases[name]
      assert.ok(bytes, 'no message for this rule')
      assert.ok(reasonsOf(bytes).includes(name))
    })
})

describe('the test string for spam filters', () => {
  const encoded = (encoding: string, body: string, type = 'text/plain') =>
    message({ 'Content-Type': type, 'Content-Transfer-Encoding': encoding }, body)
  const cases: Record<string, Buffer> = {
    'in base64': encoded('base64', Buffer.from(`Hello\r\n${GTUBE}\r\n`).toString('base64')),
    'in quoted-printable': encoded('quoted-printable', GTUBE.replace('GTUBE', '=47TU=\r\nBE')),
    'in HTML': encoded('7bit', `<p>${GTUBE}</p>`, 'text/html; charset=utf-8'),
    'in the HTML beside another text': message(
      { 'Content-Type': 'multipart/alternative; boundary=b' },
      `--b\r\n\r\n${long}\r\n--b\r\nContent-Type: text/html\r\n\r\n<b>${GTUBE}</b>\r\n--b--`,
    ),
    'inside of other text': message({}, `${long.repeat(100)}${GTUBE}${long}`),
  }
  for (const [where, bytes] of Object.entries(cases))
    test(`is seen ${where}`, () => assert.ok(reasonsOf(bytes).includes('gtube')))
  for (const other of [GTUBE.toLowerCase(), GTUBE.replace('-', '- '), GTUBE.slice(1)])
    test(`is not ${other}`, () => assert.ok(!reasonsOf(message({}, other)).includes('gtube')))
})

test('phrases are found in any case, and add up to a limit that alone is no spam', () => {
  const text =
    'You have WON the lottery. Verify your account now. I recorded you, send bitcoin. Viagra, work from home.'
  const bytes = message({ Subject: 'Claim your prize' }, text)
  const reasons = readSpamText(readMessage(bytes), bytes, NOW).reasons
  const found = reasons.filter(({ name }) => PHRASES.some((phrase) => phrase.name === name))
  assert.ok(found.length >= 2)
  assert.ok(found.reduce((sum, { points }) => sum + points, 0) <= 4)
})

test('names of rules are used once', () => {
  const names = [...CONTENT_RULES, ...SENDER_RULES, ...PHRASES].map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
})

describe('words', () => {
  test('are the same in any case, width and number, and CJK text is taken by twos', () => {
    assert.deepEqual([...splitWords('Größe ＳＡＬＥ 2,500 v\u200biagra x')], ['größe', 'sale', '0', 'viagra'])
    assert.deepEqual([...splitWords('東京都')], ['東京', '京都'])
  })

  test('have hashes that a number holds exactly', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (word) => {
        const hash = hashWord(word)
        assert.ok(Number.isSafeInteger(hash) && hash >= 0 && hash === hashWord(word))
      }),
      { seed: SEED },
    )
    const many = new Set(Array.from({ length: 100_000 }, (_, index) => hashWord(`body:word${index}`)))
    assert.equal(many.size, 100_000)
  })
})

describe('what was learned', () => {
  const learned = { spam: 50, ham: 50 }
  test('gives no score while there is too little of one kind', () => {
    assert.equal(spamProbability([{ spam: 4, ham: 0 }], { spam: 100, ham: 4 }), null)
    assert.ok(confidence({ spam: 1_000, ham: 5 }) < 0.5)
    assert.equal(confidence(learned), 1)
  })

  test('is surest when words agree, and in the middle when they do not', () => {
    const spammy = Array.from({ length: 20 }, () => ({ spam: 20, ham: 0 }))
    const hammy = Array.from({ length: 20 }, () => ({ spam: 0, ham: 20 }))
    assert.ok((spamProbability(spammy, learned) ?? 0) > 0.99)
    assert.ok((spamProbability(hammy, learned) ?? 1) < 0.01)
    assert.ok(Math.abs((spamProbability([...spammy, ...hammy], learned) ?? 0) - 0.5) < 0.1)
    assert.equal(spamProbability([{ spam: 10, ham: 10 }], learned), 0.5)
    assert.equal(spamProbability([], learned), 0.5)
  })

  test('is a probability for any counts', () => {
    const count = fc.record({ spam: fc.nat(100_000), ham: fc.nat(100_000) })
    fc.assert(
      fc.property(fc.array(count, { maxLength: 400 }), count, (words, sums) => {
        const probability = spamProbability(words, sums)
        assert.ok(probability === null || (probability >= 0 && probability <= 1))
      }),
      { seed: SEED, numRuns: 500 },
    )
  })
})

test('any bytes are judged without an error and in a bounded way', () => {
  fc.assert(
    fc.property(mailBytes, (bytes) => {
      const text = readSpamText(readMessage(bytes), bytes, NOW)
      assert.ok(text.words.length <= 400 && text.words.every(Number.isSafeInteger))
    }),
    { seed: SEED, numRuns: 800 },
  )
  for (const filler of [
    '<a ',
    '<a href="',
    '<a href=x>',
    'https://',
    '<img',
    '&#',
    '<a href="http://x.example/">www.y',
  ])
    for (const read of [htmlLinks, textLinks]) assert.ok(read(filler.repeat(20_000)).length <= 100)
})
