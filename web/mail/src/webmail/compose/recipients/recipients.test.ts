import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseMailto } from './mailto.ts'
import { addRecipients, formatRecipient, isSendable, parseRecipients, problemOf } from './recipients.ts'

const SEED = 20261115
const of = (text: string) =>
  parseRecipients(text).map(({ name, email }) => (name === null ? email : `${name} | ${email}`))

describe('typed and pasted recipients', () => {
  test('lists of every kind come apart where a person sees it', () => {
    assert.deepEqual(of('A <a@b.test>, c@d.test; e@f.test\ng@h.test'), [
      'A | a@b.test',
      'c@d.test',
      'e@f.test',
      'g@h.test',
    ])
    assert.deepEqual(of('"Doe, Jo" <jo@a.test>, "A \\"B\\" C" <x@y.test>'), [
      'Doe, Jo | jo@a.test',
      'A "B" C | x@y.test',
    ])
    assert.deepEqual(of('a@b.test c@d.test'), ['a@b.test', 'c@d.test'])
    assert.deepEqual(of('Ann <a@b.test> Bob <c@d.test>'), ['Ann | a@b.test', 'Bob | c@d.test'])
    assert.deepEqual(of('mailto:a@b.test, <c@d.test>, a@b.test <a@b.test>'), ['a@b.test', 'c@d.test', 'a@b.test'])
    assert.deepEqual(of(" 'Ann' <a@b.test> ,, ; \r\n "), ['Ann | a@b.test'])
    assert.deepEqual(of(''), [])
  })

  test('what is no address stays to be seen, and is explained', () => {
    assert.deepEqual(of('nobody, Ann <half'), ['nobody', 'Ann | half'])
    assert.deepEqual(of('two words'), ['two words'])
    for (const [email, reason] of [
      ['nobody', /missing an @/],
      ['@b.test', /before the @/],
      ['a@', /after the @/],
      ['a b@c.test', /space/],
      ['a@localhost', /domain/],
      ['a..b@c.test', /isn't a valid email address/],
    ] as const)
      assert.match(problemOf(email) ?? '', reason)
    for (const email of ['a+b@c.test', 'jürgen@c.test', '用户@例え.test', "o'neil@C.TEST"])
      assert.equal(problemOf(email), null)
  })

  test('the same address is there once, and learns its name', () => {
    const list = addRecipients(
      [{ name: null, email: 'a@b.test' }],
      parseRecipients('Ann <A@B.test>, c@d.test, C@d.test'),
    )
    assert.deepEqual(list, [
      { name: 'Ann', email: 'a@b.test' },
      { name: null, email: 'c@d.test' },
    ])
    const turned = [
      { name: '\u202emoc.knab@ofni', email: 'e@f.test' },
      { name: '\u200b', email: 'g@h.test' },
    ]
    assert.deepEqual(
      addRecipients([], turned).map(({ name }) => name),
      ['moc.knab@ofni', null],
    )
  })

  const word = fc.string({
    unit: fc.constantFrom('a', 'Z', 'é', '中', ' ', ',', ';', '"', '\\', "'", '.', '-', '(', '@'),
    maxLength: 12,
  })
  const address = fc
    .tuple(fc.stringMatching(/^[a-z0-9+_-]{1,10}$/), fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/))
    .map(([local, host]) => `${local}@${host}.test`)

  test('what is written down is read again as it was', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(address, { minLength: 1, maxLength: 5 }),
        fc.array(word, { minLength: 5, maxLength: 5 }),
        (emails, names) => {
          const list = emails.map((email, index) => {
            const name = (names[index] ?? '').replace(/\s+/g, ' ').trim()
            return { name: name === '' || /^'.*'$/.test(name) ? null : name, email }
          })
          assert.deepEqual(parseRecipients(list.map(formatRecipient).join(', ')), list)
        },
      ),
      { seed: SEED },
    )
  })

  test('any text is read, without a line break or a bracket in what comes out', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const { name, email } of parseRecipients(text)) {
          assert.doesNotMatch(`${name ?? ''}${email}`, /[\r\n\u2028\u2029\0]/)
          assert.doesNotMatch(email, /[<>]/)
          assert.notEqual(email, '')
          assert.ok(email.isWellFormed() && (name ?? '').isWellFormed())
          if (isSendable(email)) assert.equal(problemOf(email), null)
        }
      }),
      { seed: SEED },
    )
  })
})

test('a link to an address says whom, what about and what', () => {
  assert.deepEqual(
    parseMailto(
      'mailto:a@b.test,%22Doe%2C%20Jo%22%20%3Cjo@b.test%3E?cc=c%2Bd@e.test&Subject=A%20B%0D%0AX&body=One%0D%0Atwo&to=z@b.test&x=1',
    ),
    {
      to: [
        { name: null, email: 'a@b.test' },
        { name: 'Doe, Jo', email: 'jo@b.test' },
        { name: null, email: 'z@b.test' },
      ],
      cc: [{ name: null, email: 'c+d@e.test' }],
      bcc: [],
      subject: 'A B X',
      text: 'One\ntwo',
    },
  )
  assert.equal(parseMailto('https://a.test'), null)
  assert.equal(parseMailto('mailto:?subject=50%')?.subject, '50%')
})
