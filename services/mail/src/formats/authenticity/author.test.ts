import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runs } from '@stoa/tests/lib/runs.ts'
import fc from 'fast-check'
import { parseAddresses } from '../mime/addresses.ts'
import { lastForm } from '../mime/header-forms.ts'
import { parseMessage } from '../mime/parse.ts'
import { headerValue, mailBytes, SEED } from '../mime/testing/arbitrary.ts'
import { authenticate } from './authenticate.ts'
import { readAuthor } from './author.ts'
import { endOfHeader } from './header-block.ts'
import { newKey, signed, txt, type Zone, zoneLookup } from './testing/zone.ts'

const key = newKey()
/** Everything that the attacker's own domain can have to pass; the other domain asks for rejection. */
const ZONE: Zone = {
  'TXT legitimate.example': txt('v=spf1 ip4:192.0.2.0/24 -all'),
  'TXT _dmarc.legitimate.example': txt('v=DMARC1; p=reject'),
  'TXT attack.example': txt('v=spf1 ip4:203.0.113.9 -all'),
  'TXT any.attack.example': txt('v=spf1 ip4:203.0.113.9 -all'),
  'TXT 33.attack.example': txt('v=spf1 ip4:203.0.113.9 -all'),
  'TXT _dmarc.attack.example': txt('v=DMARC1; p=none'),
  'TXT s1._domainkey.attack.example': txt(key.record),
}
const REST = 'To: <victim@example.net>\r\nSubject: x\r\nMessage-ID: <x@attack.example>\r\n\r\nHi.\r\n'

const judge = async (bytes: Buffer | string, mailFrom = 'any@attack.example', zone: Zone = {}) => {
  const { lookup } = zoneLookup({ ...ZONE, ...zone })
  return authenticate({
    bytes: Buffer.from(bytes),
    ip: '203.0.113.9',
    helo: 'attack.example',
    mailFrom,
    resolver: lookup,
    hostname: 'mail.example.test',
    now: new Date('2026-03-01T12:00:00Z'),
  })
}

describe('a forged sender of the envelope', () => {
  const cases = {
    'a1: below a domain, where nothing is': 'any@mailfrom.notexist.legitimate.example',
    'a2: that some read as empty': '(any@legitimate.example',
    'a5: with a parenthesis in its domain': 'any@legitimate.example(a.attack.example',
    'a6: with two at signs and a quote': "any@legitimate.example'@any.attack.example",
    'a7: with a route': "@legitimate.example,@any.example:'any@attack.example",
  }
  for (const [name, mailFrom] of Object.entries(cases))
    test(`${name}: fails`, async () => {
      const result = await judge(`From: <admin@legitimate.example>\r\n${REST}`, mailFrom)
      assert.deepEqual([result.ambiguousFrom, result.dmarc.result, result.dmarc.disposition], [false, 'fail', 'reject'])
      assert.doesNotMatch(result.header, /['"]|\(any|legitimate\.example\(/)
      assert.doesNotMatch(result.header, /(?:spf|dkim|dmarc)=pass[^;]*legitimate/)
    })
})

describe('a forged signature', () => {
  const from = `From: <admin@legitimate.example>\r\n${REST}`
  const tamper = async (search: string, replacement: string) =>
    (await signed(from, { domain: 'attack.example', key })).toString('latin1').replace(search, replacement)

  test('a3: whose selector hides a NUL: fails', async () => {
    const text = (await tamper('d=attack.example', 'd=legitimate.example')).replace(
      's=s1',
      's=s1._domainkey.attack.example.\0.any',
    )
    const zone = { 'TXT s1._domainkey.attack.example.\0.any._domainkey.legitimate.example': txt(key.record) }
    const result = await judge(Buffer.from(text, 'latin1'), 'any@33.attack.example', zone)
    assert.deepEqual([result.dkim[0]?.isAligned ?? false, result.dmarc.disposition], [false, 'reject'])
    assert.doesNotMatch(result.header, /\0/)
  })

  test('a4: whose domain hides a quote: fails, and the quote stands in no result', async () => {
    const text = await tamper('d=attack.example', "d=legitimate.example'a.attack.example")
    const zone = { "TXT s1._domainkey.legitimate.example'a.attack.example": txt(key.record) }
    const result = await judge(Buffer.from(text, 'latin1'), 'any@attack.example', zone)
    assert.equal(result.dmarc.disposition, 'reject')
    assert.doesNotMatch(result.header, /'|dkim=pass/)
  })
})

describe('a forged author', () => {
  const encoded = `=?utf-8?B?${Buffer.from('<admin@legitimate.example>').toString('base64')}?=`
  const cases = {
    'a8: in a second field': 'From: <first@attack.example>\r\nFrom: <admin@legitimate.example>\r\n',
    'a9: in a field behind a space': ' From: <first@attack.example>\r\nFrom: <admin@legitimate.example>\r\n',
    'a10: in a field with a space before the colon':
      'From: <first@attack.example>\r\nFrom : <admin@legitimate.example>\r\n',
    'a11: in a field with its colon on the next line':
      'From\r\n : <first@attack.example>\r\nFrom: <admin@legitimate.example>\r\n',
    'a12: beside a broken field, as Sender':
      'From\r\n : <first@attack.example>\r\nSender: <admin@legitimate.example>\r\n',
    'a13: beside a broken field, as Resent-From':
      'From\r\n : <first@attack.example>\r\nResent-From: <admin@legitimate.example>\r\n',
    'a14: in a list': 'From: <first@attack.example>, <admin@legitimate.example>\r\n',
    'a15: in an encoded word': `From:${encoded},<second@attack.example>\r\n`,
    'a16: behind a route': 'From: <@attack.example,@any.example:admin@legitimate.example>\r\n',
    'a17: before a quoted pair': 'From: <admin@legitimate.example>\\,<second@attack.example>\r\n',
    'a18: before a comma': 'From: admin@legitimate.example,<second@attack.example>\r\n',
    'a19: behind the brackets': 'From: <any@attack.example>admin@legitimate.example\r\n',
    'behind a NUL': '\0From: <admin@legitimate.example>\r\nFrom: <first@attack.example>\r\n',
    'with a NUL inside': 'From: <admin@legitimate.example\0@attack.example>\r\n',
    'in a domain that is an encoded word': 'From: <admin@=?utf-8?Q?legitimate.example?=>\r\n',
    'in an encoded word alone': `From: ${encoded}\r\n`,
    'in a group and outside': 'From: Team: first@attack.example;, admin@legitimate.example\r\n',
    'after a line that is no field': 'Junk\r\n From: <admin@legitimate.example>\r\nFrom: <first@attack.example>\r\n',
  }
  for (const [name, from] of Object.entries(cases))
    test(`${name}: is refused as ambiguous`, async () => {
      const result = await judge(from + REST)
      assert.deepEqual([result.ambiguousFrom, result.dmarc.disposition, result.header], [true, 'reject', ''])
    })

  test('that is only a Sender or Resent-From is not the one that is evaluated or shown', async () => {
    for (const name of ['Sender', 'Resent-From', 'Reply-To']) {
      const result = await judge(`From: <first@attack.example>\r\n${name}: <admin@legitimate.example>\r\n${REST}`)
      assert.deepEqual(
        [result.ambiguousFrom, result.fromAddress, result.dmarc.result],
        [false, 'first@attack.example', 'pass'],
      )
    }
  })
})

describe('an honest author', () => {
  const cases: Record<string, [from: string, address: string | null]> = {
    'with a name': ['From: Ann Example <ann@example.org>', 'ann@example.org'],
    'with a comma in the name': ['From: Example, Ann <ann@example.org>', 'ann@example.org'],
    'with another address as name': ['From: "bob@example.net" <ann@example.org>', 'ann@example.org'],
    'with an encoded name': ['From: =?utf-8?Q?J=C3=B6rg?= <joerg@example.org>', 'joerg@example.org'],
    'with a comment': ['From: ann@example.org (Ann)', 'ann@example.org'],
    'with a folded value': ['From: Ann\r\n <ann@example.org>', 'ann@example.org'],
    'outside of ASCII': ['From: <jörg@bücher.example>', 'jörg@bücher.example'],
    'beside another of the same domain': ['From: ann@example.org, bob@Example.org', 'ann@example.org'],
    'without an address': ['From: MAILER-DAEMON', null],
    'that is only an encoded name': ['From: =?utf-8?Q?J=C3=B6rg?=', null],
    'that is missing': ['X-Other: a@b', null],
    'at a host without a name': ['From: <ann@[192.0.2.1]>', 'ann@[192.0.2.1]'],
    'after an mbox line': ['From ann Sun Mar  1 12:00:00 2026\r\nFrom: ann@example.org', 'ann@example.org'],
    'behind a list of signed fields': [
      'DKIM-Signature: v=1; h=To:\r\n\tFrom:Date:\r\n From; b=x\r\nFrom: ann@example.org',
      'ann@example.org',
    ],
    'beside a subject about it': ['Subject: Re: what\r\n From: Bob wrote\r\nFrom: ann@example.org', 'ann@example.org'],
  }
  for (const [name, [from, address]] of Object.entries(cases))
    test(`${name} is accepted`, () => {
      const author = readAuthor(Buffer.from(`${from}\r\nTo: x@example.net\r\n\r\n`))
      assert.deepEqual([author.isAmbiguous, author.address], [false, address])
    })
})

test('the address that is evaluated is the one that every view shows', () => {
  const check = (header: Buffer): void => {
    const author = readAuthor(header.subarray(0, endOfHeader(header)))
    if (author.isAmbiguous) return
    const { root } = parseMessage(header)
    const shown = lastForm(root, header, 'from', 'addresses') ?? []
    if (author.address !== null) assert.equal(shown[0]?.email, author.address)
    else assert.ok(shown.every(({ email }) => !email.includes('@')))
  }
  fc.assert(fc.property(mailBytes, check), { seed: SEED, numRuns: runs(500, 2_000) })
  fc.assert(
    fc.property(headerValue, (value) => check(Buffer.from(`From: ${value.replace(/[\r\n]+/g, ' ')}\r\n\r\n`))),
    { seed: SEED, numRuns: runs(800, 3_000) },
  )
  assert.deepEqual(parseAddresses('a@b')[0]?.email, 'a@b')
})

test('reading the author takes no time that grows faster than the header', () => {
  for (const filler of ['X:\r\n From:\r\n', ' From:\r\n', 'From\r\n', 'from x from\r\n'])
    readAuthor(Buffer.from(`X: y\r\n${filler.repeat(70_000)}\r\n`))
})
