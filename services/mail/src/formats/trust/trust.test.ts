import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { StoredResults } from '../authenticity/authenticity.ts'
import { isDeceptive, isOneSlipAway, skeletonOf } from './confusables.ts'
import { unsubscribeOf } from './unsubscribe.ts'
import { type Circle, linkWarnings, senderWarnings } from './warnings.ts'

/** Half of a pair among them. */
const anySign = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code))

const CIRCLE: Circle = {
  own: [
    { name: 'Olive Oyl', email: 'olive@harbour.com' },
    { name: 'Bert Brass', email: 'bert@harbour.com' },
  ],
  ownDomains: ['harbour.com'],
  contacts: [
    { name: 'Ann Smith', email: 'ann@modern.org' },
    { name: 'Cem', email: 'cem@paypal.com' },
  ],
}
const warn = (name: string | null, email: string, isVerifiedList = false) =>
  senderWarnings({ from: { name, email }, isVerifiedList }, CIRCLE)
const codes = (name: string | null, email: string) => warn(name, email).map(({ code }) => code)

describe('a sender', () => {
  test('whose name shows an address of somebody else is doubted, with both addresses', () => {
    assert.deepEqual(warn('support@bank.com', 'x@evil.net'), [
      { code: 'name_shows_address', shown: 'support@bank.com', actual: 'x@evil.net' },
    ])
    assert.deepEqual(codes('"Bank" <help@bank.com>', 'x@evil.net'), ['name_shows_address'])
    assert.deepEqual(codes('sales@shop.com', 'noreply@mail.shop.com'), [])
  })

  test('whose name shows another domain is doubted', () => {
    assert.deepEqual(warn('Bank.com Support', 'x@evil.net'), [
      { code: 'name_shows_domain', shown: 'Bank.com', actual: 'x@evil.net' },
    ])
    for (const [name, email] of [
      ['Bank.com', 'news@letters.bank.com'],
      ['Node.js Weekly', 'news@weekly.net'],
      ['Dr.Li', 'li@clinic.net'],
      ['Jane.Li', 'jane.li@corp.net'],
      ['Ann Smith', 'x@evil.net'],
      ['St. Mary', 'x@parish.net'],
    ] as const)
      assert.ok(!codes(name, email).includes('name_shows_domain'), name)
  })

  test('by the name of somebody who is known, from elsewhere, is doubted', () => {
    assert.deepEqual(warn('Ann Smith', 'ann.smith77@freemail.net'), [
      { code: 'known_name', shown: 'ann@modern.org', actual: 'ann.smith77@freemail.net' },
    ])
    assert.deepEqual(codes('SMITH, Ann', 'x@freemail.net'), ['known_name'])
    assert.deepEqual(codes('Olive Oyl', 'x@freemail.net'), ['known_name'])
    assert.deepEqual(codes('Bert Brаss', 'x@freemail.net'), ['known_name'], 'with a Cyrillic letter')
    assert.deepEqual(codes('Cem', 'cem@elsewhere.net'), [], 'a first name is that of many')
    assert.deepEqual(codes('Ann Smith', 'a.smith@modern.org'), [], 'of the same domain')
    assert.deepEqual(warn('Ann Smith', 'notifications@tracker.net', true), [], 'a service that vouches for its list')
  })

  test('from a domain that looks like a known one is doubted', () => {
    const lookalikes: readonly [string, string][] = [
      ['harb0ur.com', 'harbour.com'],
      ['harbuor.com', 'harbour.com'],
      ['harbours.com', 'harbour.com'],
      ['har-bour.com', 'harbour.com'],
      ['harbour.com.evil.net', 'harbour.com'],
      ['modem.org', 'modern.org'],
      ['paypa1.com', 'paypal.com'],
      ['xn--pypal-4ve.com', 'paypal.com'],
      ['pаypal.com', 'paypal.com'],
    ]
    for (const [domain, known] of lookalikes) {
      const [warning] = warn(null, `x@${domain}`)
      assert.deepEqual([warning?.code, warning?.shown], ['lookalike_domain', known], domain)
      assert.match(warning?.actual ?? '', /^[a-z0-9.-]+$/, 'it is named as DNS has it')
    }
    for (const domain of ['harbour.com', 'mail.harbour.com', 'harbour.org', 'paypals.com', 'modern.com', 'other.net'])
      assert.deepEqual(codes(null, `x@${domain}`), [], domain)
  })

  test('whose domain mixes alphabets, or imitates Latin letters throughout, is doubted', () => {
    assert.deepEqual(codes(null, 'x@gооgle.com'), ['deceptive_domain'])
    assert.deepEqual(codes(null, 'x@аррӏе.com'), ['deceptive_domain'])
    for (const domain of ['bücher.de', 'пример.рф', '例え.jp', 'ελλάδα.gr'])
      assert.deepEqual(codes(null, `x@${domain}`), [], domain)
  })

  test('who was written to before is trusted', () => {
    assert.deepEqual(codes('support@bank.com', 'cem@paypal.com'), [])
    assert.deepEqual(codes('Ann Smith', 'Olive@Harbour.com'), [])
  })

  test('is judged whatever it is called', () => {
    const text = fc.string({ unit: anySign, maxLength: 400 })
    fc.assert(
      fc.property(text, fc.oneof(text, fc.emailAddress()), (name, email) => {
        const warnings = warn(name, email)
        return warnings.length <= 3 && warnings.every(({ shown }) => shown.length <= 400)
      }),
      { seed: 63, numRuns: 2_000 },
    )
  })
})

describe('what looks alike', () => {
  test('has the same skeleton, and one slip is found whichever name has it', () => {
    assert.equal(skeletonOf('PayPаl'), skeletonOf('paypa1'))
    assert.notEqual(skeletonOf('paypal'), skeletonOf('paypals'))
    assert.equal(isDeceptive('xn--bcher-kva.de'), false)
    fc.assert(
      fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (one, other) => {
        assert.equal(isOneSlipAway(one, one), false)
        return isOneSlipAway(one, other) === isOneSlipAway(other, one)
      }),
      { seed: 64, numRuns: 2_000 },
    )
    for (const slip of ['arbour', 'harbourr', 'hxrbour', 'ahrbour', 'harbuor'])
      assert.ok(isOneSlipAway('harbour', slip), slip)
    for (const far of ['harbour', 'hrabuor', 'harb', 'arbourr']) assert.ok(!isOneSlipAway('harbour', far), far)
  })
})

describe('a link', () => {
  const link = (text: string, href: string) => linkWarnings(`<p><a href="${href}" target="_blank">${text}</a></p>`)

  test('whose text names another site is reported, with both', () => {
    assert.deepEqual(link('www.bank.com/login', 'https://evil.net/x'), [
      { code: 'misleading_link', shown: 'bank.com', actual: 'evil.net' },
    ])
    assert.equal(link('<b>https://</b>bank.com', 'https://evil.net/').length, 1)
  })

  test('that leads where it says, or says nothing, is fine', () => {
    for (const [text, href] of [
      ['bank.com', 'https://www.bank.com/login'],
      ['Sign in', 'https://evil.net/'],
      ['README.md', 'https://code.net/readme'],
      ['Node.js', 'https://nodejs.org'],
      ['bank.com', 'mailto:help@bank.com'],
    ] as const)
      assert.deepEqual(link(text, href), [], text)
    assert.equal(link('www.setup.sh', 'https://evil.net/').length, 1)
  })

  test('is found among many, and reported a few times at most', () => {
    const many = Array.from({ length: 500 }, (_, index) => `<a href="https://a${index}.net/">Read</a>`).join('')
    const bad = Array.from({ length: 50 }, (_, index) => `<a href="https://a${index}.net/">bank.com</a>`).join('')
    assert.equal(linkWarnings(many + bad).length, 3)
  })
})

describe('leaving a list', () => {
  const RESULTS: StoredResults = {
    by: 'mx.test',
    dmarc: { result: 'pass', domain: 'news.com' },
    signatures: [{ domain: 'news.com', selector: 's1', beginning: 'abcdefgh' }],
  }
  const signature = (fields: string, rest = 'b=abcd efgh123') => `v=1; d=news.com; s=s1; h=${fields}; bh=x; ${rest}`
  const COVERING = signature('From:List-Unsubscribe : List-Unsubscribe-Post')
  const header = (given: { list?: string[]; post?: string[]; dkim?: string[] } = {}) => [
    ...(given.list ?? ['<mailto:leave@news.com>, <https://news.com/leave?u=1>']).map((value) => ({
      name: 'list-unsubscribe',
      value,
    })),
    ...(given.post ?? ['List-Unsubscribe=One-Click']).map((value) => ({ name: 'list-unsubscribe-post', value })),
    ...(given.dkim ?? [COVERING]).map((value) => ({ name: 'dkim-signature', value })),
  ]
  const wayOf = (given?: Parameters<typeof header>[0], results: StoredResults | null = RESULTS) =>
    unsubscribeOf(header(given), { results, schemes: ['https:'] })?.kind ?? null

  test('takes one request where a signature that passed covers both fields', () => {
    assert.deepEqual(unsubscribeOf(header(), { results: RESULTS, schemes: ['https:'] }), {
      kind: 'one_click',
      url: 'https://news.com/leave?u=1',
    })
  })

  test('takes a mail otherwise', () => {
    const others: readonly (readonly [string, Parameters<typeof header>[0], (StoredResults | null)?])[] = [
      ['nothing was checked', {}, null],
      ['no signature passed', {}, { ...RESULTS, signatures: [] }],
      ['it does not cover the address', { dkim: [signature('From:List-Unsubscribe-Post')] }],
      ['it does not cover what is sent', { dkim: [signature('From:List-Unsubscribe')] }],
      [
        'another one covers it',
        { dkim: [signature('From'), signature('List-Unsubscribe:List-Unsubscribe-Post', 'b=zzzz')] },
      ],
      ['another one looks the same', { dkim: [COVERING, signature('From', 'b=abcdefghzzz')] }],
      ['there are two addresses', { list: ['<mailto:a@b.com>, <https://evil.net>', '<https://news.com/leave>'] }],
      ['two say what is sent', { post: ['List-Unsubscribe=One-Click', 'List-Unsubscribe=One-Click'] }],
      ['something else is sent', { post: ['delete=everything'] }],
      ['nothing is sent', { post: [] }],
      ['it is not encrypted', { list: ['<http://news.com/leave>, <mailto:leave@news.com>'] }],
    ]
    for (const [why, given, results = RESULTS] of others)
      assert.equal(wayOf(given, why === 'nothing was checked' ? null : results), 'mail', why)
  })

  test('takes a page where there is nothing else, and is not possible without any', () => {
    assert.equal(wayOf({ list: ['<https://news.com/leave>'], post: [] }), 'page')
    assert.equal(wayOf({ list: ['<ftp://news.com>, <javascript:alert(1)>, leave@news.com'] }), null)
    assert.equal(wayOf({ list: [] }), null)
  })
})
