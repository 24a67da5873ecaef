import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sealMessage } from 'mailauth/lib/arc/index.js'
import { parseMessage } from '../mime/parse.ts'
import { mailBytes, SEED } from '../mime/testing/arbitrary.ts'
import { type AuthenticateInput, authenticate } from './authenticate.ts'
import { startLookups } from './lookups.ts'
import { foreignResults } from './results.ts'
import { newKey, signed, txt, type Zone, zoneLookup } from './testing/zone.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const key = newKey()
const ZONE: Zone = {
  'TXT s1._domainkey.example.org': txt(key.record),
  'TXT s1._domainkey.attack.example': txt(key.record),
  'TXT s1._domainkey.news.example.org': txt(key.record),
  'TXT example.org': txt('v=spf1 ip4:192.0.2.0/24 -all'),
  'TXT attack.example': txt('v=spf1 ip4:198.51.100.0/24 -all'),
  'TXT _dmarc.example.org': txt('v=DMARC1; p=reject; sp=quarantine'),
}
const MESSAGE =
  'From: Ann <ann@example.org>\r\nTo: bob@example.net\r\nSubject: Hello\r\nDate: Sun, 1 Mar 2026 12:00:00 +0000\r\n' +
  'Message-ID: <one@example.org>\r\n\r\nThe body.\r\n'

const check = (bytes: Buffer | string, members: Partial<AuthenticateInput> = {}, zone: Zone = {}) => {
  const { lookup, asked } = zoneLookup({ ...ZONE, ...zone })
  const input: AuthenticateInput = {
    bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
    ip: '203.0.113.9',
    helo: 'mx.example.org',
    mailFrom: 'ann@example.org',
    resolver: lookup,
    hostname: 'mail.example.test',
    now: NOW,
    ...members,
  }
  return authenticate(input).then((result) => ({ ...result, asked }))
}
const sign = (message = MESSAGE, options: Partial<Parameters<typeof signed>[1]> = {}) =>
  signed(message, { domain: 'example.org', key, ...options })

describe('a message', () => {
  test('that is signed by the domain of its author passes, wherever it comes from', async () => {
    const result = await check(await sign(), { mailFrom: 'list@lists.example.com' })
    const [{ signature = null, ...dkim } = {}, ...others] = result.dkim
    assert.deepEqual([dkim, others], [{ result: 'pass', domain: 'example.org', selector: 's1', isAligned: true }, []])
    assert.match(signature ?? '', /^[0-9a-f]{64}$/)
    assert.deepEqual(result.dmarc, { result: 'pass', policy: 'reject', disposition: 'none', domain: 'example.org' })
    assert.equal(result.spf.result, 'none')
    assert.equal(result.arc.result, 'none')
    assert.equal(result.fromAddress, 'ann@example.org')
  })

  test('from an address that SPF names passes without a signature', async () => {
    const result = await check(MESSAGE, { ip: '192.0.2.7' })
    assert.deepEqual([result.spf.result, result.spf.domain, result.dmarc.result], ['pass', 'example.org', 'pass'])
    assert.deepEqual(result.dkim, [])
  })

  test('from anywhere else fails, and the domain says what to do with it', async () => {
    const own = await check(MESSAGE)
    assert.deepEqual(own.dmarc, { result: 'fail', policy: 'reject', disposition: 'reject', domain: 'example.org' })
    const below = await check(MESSAGE.replace('ann@example.org', 'ann@sub.example.org'))
    assert.deepEqual(below.dmarc, {
      result: 'fail',
      policy: 'quarantine',
      disposition: 'quarantine',
      domain: 'example.org',
    })
    const free = await check(MESSAGE.replace('ann@example.org', 'ann@example.com'))
    assert.deepEqual([free.dmarc.result, free.dmarc.disposition], ['none', 'none'])
  })

  test('from a host that SPF neither allows nor forbids fails all the same', async () => {
    for (const all of ['~all', '?all']) {
      const zone = { 'TXT example.org': txt(`v=spf1 ip4:192.0.2.0/24 ${all}`) }
      const { dmarc, author } = await check(MESSAGE, {}, zone)
      assert.deepEqual([dmarc.result, dmarc.disposition, author.isAuthentic], ['fail', 'reject', false], all)
    }
  })

  test('with two DMARC records has none', async () => {
    const two = [['v=DMARC1; p=reject'], ['v=DMARC1; p=none']]
    const result = await check(MESSAGE, {}, { 'TXT _dmarc.example.org': two })
    assert.deepEqual([result.dmarc.result, result.dmarc.disposition], ['none', 'none'])
  })

  test('whose policy cannot be asked for is a temperror, and nothing is done with it', async () => {
    const away = Object.assign(new Error('away'), { code: 'ESERVFAIL' })
    const result = await check(MESSAGE, {}, { 'TXT _dmarc.example.org': away })
    assert.deepEqual([result.dmarc.result, result.dmarc.disposition], ['temperror', 'none'])
  })

  test('is the same from a stream, in whatever pieces', async () => {
    const bytes = await sign()
    const whole = await check(bytes)
    for (const size of [1, 7, 100_000]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      )
      const result = await check(Buffer.alloc(0), { bytes: Readable.from(pieces) })
      assert.deepEqual(result, whole)
    }
  })

  test('is the same with bare line feeds', async () => {
    const lines = (await sign()).toString('latin1').replaceAll('\r\n', '\n')
    assert.equal((await check(lines)).dmarc.result, 'pass')
    const pieces = [...lines].map((letter) => Buffer.from(letter))
    assert.equal((await check('', { bytes: Readable.from(pieces) })).dmarc.result, 'pass')
  })

  test('is not looked at twice: without a signature and a seal no key is asked for', async () => {
    const { asked } = await check(MESSAGE, { ip: '192.0.2.7' })
    assert.deepEqual(asked.sort(), ['TXT _dmarc.example.org', 'TXT _dmarc.org', 'TXT example.org'])
  })
})

describe('the results', () => {
  test('stand in one folded header under our name', async () => {
    const { header } = await check(await sign())
    assert.match(header, /^Authentication-Results: mail\.example\.test;\r\n dkim=pass header\.d=example\.org/)
    assert.match(header, /;\r\n spf=fail smtp\.mailfrom=example\.org;\r\n dmarc=pass/)
    assert.match(header, /\r\nReceived-SPF: fail /)
    assert.ok(header.endsWith('\r\n') && !header.endsWith('\r\n\r\n'))
    for (const line of header.split('\r\n')) assert.ok(line.length <= 78, line)
    assert.deepEqual(
      parseMessage(Buffer.from(header)).root.fields.map(({ name }) => name),
      ['authentication-results', 'received-spf'],
    )
  })

  test('hold nothing that a sender or its DNS chose to look like a result', async () => {
    const hostile = 'x"\r\nX-Evil: 1; dkim=pass header.d=example.org ('
    const { header } = await check(
      MESSAGE,
      { mailFrom: `${hostile}@attack.example`, helo: hostile },
      {
        'TXT attack.example': txt('v=spf1 include:"\r\nX-Evil:1 -all'),
      },
    )
    assert.deepEqual(
      parseMessage(Buffer.from(header)).root.fields.map(({ name }) => name),
      ['authentication-results', 'received-spf'],
    )
    assert.doesNotMatch(header, /^X-Evil|(?:;\s*)dkim=pass/m)
  })

  test('in the message that claim to be ours are left out when it is shown', () => {
    const fields = [
      'Authentication-Results: MAIL.example.test; dkim=pass\r\n',
      'Authentication-Results: (a (b) c) "mail.example.test" 1;\r\n spf=pass\r\n',
      'authentication-results : mail.example.test.; none\r\n',
      'Authentication-Results: other.example.test; dkim=fail\r\n',
      'X-Other: mail.example.test\r\n',
    ]
    const bytes = Buffer.from(`${fields.join('')}\r\nbody`)
    const ranges = foreignResults(parseMessage(bytes), bytes, 'mail.example.test')
    assert.deepEqual(
      ranges.map(({ start, end }) => bytes.toString('latin1', start, end)),
      fields.slice(0, 3),
    )
  })
})

describe('a signature', () => {
  const failing = async (bytes: Buffer | Promise<Buffer>, zone: Zone = {}) => {
    const result = await check(await bytes, {}, zone)
    assert.equal(result.dmarc.result, 'fail')
    assert.ok(result.dkim.every(({ isAligned }) => !isAligned))
    return result.dkim[0]?.result
  }

  test('over part of the body does not cover what was appended to it', async () => {
    const bytes = await sign(MESSAGE, { maxBodyLength: 11 })
    assert.equal((await check(bytes)).dmarc.result, 'pass')
    assert.equal(await failing(Buffer.concat([bytes, Buffer.from('More.\r\n')])), 'pass')
  })

  test('does not cover a second Subject before the signed one', async () => {
    const bytes = await sign()
    assert.equal(await failing(Buffer.concat([Buffer.from('Subject: Buy\r\n'), bytes])), 'pass')
  })

  test('that does not cover From is no signature', async () => {
    const text = (await sign()).toString('latin1').replace(/ h=[^;]*;/, (list) => list.replace(/From/, 'Cc'))
    assert.notEqual(await failing(Buffer.from(text, 'latin1')), 'pass')
  })

  test('by rsa-sha1 or a key of 512 bits is refused by policy', async () => {
    assert.equal(await failing(sign(MESSAGE, { algorithm: 'rsa-sha1' })), 'policy')
    const small = newKey(512)
    const zone = { 'TXT s1._domainkey.example.org': txt(small.record) }
    assert.equal(await failing(sign(MESSAGE, { key: small }), zone), 'policy')
  })

  test('of a domain that is only testing does not count', async () => {
    const zone = { 'TXT s1._domainkey.example.org': txt(key.record.replace('k=rsa', 't=y; k=rsa')) }
    await failing(sign(), zone)
  })

  test('that has expired or comes from the future does not count', async () => {
    assert.notEqual(await failing(sign(MESSAGE, { expires: new Date('2026-03-01T11:59:30Z') })), 'pass')
    await failing(sign(MESSAGE, { signTime: new Date('2026-03-02T12:00:00Z') }))
  })

  test('of another domain is one, but not of the author', async () => {
    assert.equal(await failing(sign(MESSAGE, { domain: 'attack.example' })), 'pass')
    const below = await check(await sign(MESSAGE, { domain: 'news.example.org' }))
    assert.equal(below.dkim[0]?.isAligned, true)
  })

  test('for somebody else in i= is no signature', async () => {
    const text = (await sign()).toString('latin1').replace(' d=example.org;', ' d=example.org; i=@example.com;')
    assert.notEqual(await failing(Buffer.from(text, 'latin1')), 'pass')
  })

  test('is verified with the key that the domain has now', async () => {
    const bytes = await sign()
    assert.equal((await check(bytes)).dkim[0]?.result, 'pass')
    assert.equal(await failing(bytes, { 'TXT s1._domainkey.example.org': txt(newKey().record) }), 'fail')
    assert.equal(await failing(bytes, { 'TXT s1._domainkey.example.org': txt('v=DKIM1; k=rsa; p=') }), 'neutral')
    assert.equal((await check(bytes)).dkim[0]?.result, 'pass')
  })

  test('is one of at most eight that are looked at', async () => {
    const one = (await sign()).toString('latin1').slice(0, -MESSAGE.length)
    const many = Array.from({ length: 60 }, (_, index) => one.replace('s=s1', `s=s${index + 2}`)).join('')
    const result = await check(Buffer.from(many + MESSAGE, 'latin1'))
    assert.equal(result.dkim.length, 8)
    assert.ok(result.asked.filter((name) => name.includes('_domainkey')).length <= 16)
  })
})

describe('a seal', () => {
  const zone = { 'TXT seal._domainkey.list.example': txt(key.record) }
  const sealed = async () => {
    const settings = { signingDomain: 'list.example', selector: 'seal', privateKey: key.privatePem }
    const authResults = 'list.example; dkim=pass header.d=example.org'
    return Buffer.concat([
      await sealMessage(Buffer.from(MESSAGE), { ...settings, cv: 'none', authResults }),
      Buffer.from(MESSAGE),
    ])
  }

  test('of somebody who passed the message on is verified, and does not stand for the author', async () => {
    const result = await check(await sealed(), {}, zone)
    assert.deepEqual([result.arc.result, result.dmarc.disposition], ['pass', 'reject'])
    assert.match(result.header, /;\r\n arc=pass;/)
  })

  test('that is broken fails, and one of more than ten sets is not looked at', async () => {
    const text = (await sealed()).toString('latin1')
    const broken = await check(Buffer.from(text.replace('dkim=pass', 'dkim=none'), 'latin1'), {}, zone)
    assert.equal(broken.arc.result, 'fail')
    const seals = text.slice(0, -MESSAGE.length).repeat(20)
    const many = await check(Buffer.from(seals + MESSAGE, 'latin1'), {}, zone)
    assert.equal(many.arc.result, 'none')
    assert.ok(many.asked.length < 10)
  })
})

describe('the work for one message', () => {
  test('lets others work while a big body is hashed', async () => {
    const big = await sign(MESSAGE + 'A line of a big message.\r\n'.repeat(400_000))
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 1)
    const result = await check(big)
    clearInterval(timer)
    assert.equal(result.dmarc.result, 'pass')
    assert.ok(turns > 5, `${turns} turns`)
  })

  test('ends with a permerror after ten SPF terms, in a loop too', async () => {
    const zone: Zone = { 'TXT loop.example': txt('v=spf1 include:loop.example -all') }
    for (let index = 0; index < 20; index += 1)
      zone[`TXT s${index}.example`] = txt(`v=spf1 include:s${index + 1}.example ?all`)
    for (const sender of ['a@loop.example', 'a@s0.example']) {
      const { spf, asked } = await check(MESSAGE, { mailFrom: sender }, zone)
      assert.equal(spf.result, 'permerror')
      assert.ok(asked.length <= 20)
    }
  })

  test('ends with a permerror after two names that do not exist', async () => {
    const zone = {
      'TXT void.example': txt('v=spf1 a:a.void.example a:b.void.example a:c.void.example ip4:203.0.113.9'),
    }
    const { spf } = await check(MESSAGE, { mailFrom: 'a@void.example' }, zone)
    assert.equal(spf.result, 'permerror')
  })

  test('stays small for long macros and records', async () => {
    const zone: Zone = {
      'TXT macro.example': txt(`v=spf1 exists:${'%{l}.'.repeat(20_000)}macro.example -all`),
      'TXT ptr.example': txt('v=spf1 ptr -all'),
      'PTR 9.113.0.203.in-addr.arpa': Array.from({ length: 500 }, (_, index) => `h${index}.ptr.example`),
    }
    for (const sender of [`${'x'.repeat(200)}@macro.example`, 'a@ptr.example']) {
      const { asked } = await check(MESSAGE, { mailFrom: sender }, zone)
      assert.ok(asked.length <= 60, String(asked.length))
    }
  })

  test('is given up when the servers of the sender do not answer', async () => {
    const lookups = startLookups(() => new Promise<never>(() => undefined), 30)
    const keepAlive = setTimeout(() => undefined, 5_000)
    const result = await check(await sign(), { resolver: lookups.limit(100) })
    clearTimeout(keepAlive)
    assert.deepEqual(
      [result.spf.result, result.dkim[0]?.result, result.dmarc.result],
      ['temperror', 'temperror', 'temperror'],
    )
  })

  test('is bounded for headers made to cost time', async () => {
    const bytes = await sign()
    for (const filler of ['X: y\r\n z\r\n', 'X:\r\n From:\r\n'])
      assert.notEqual((await check(Buffer.concat([Buffer.from(filler.repeat(60_000)), bytes]))).dmarc.result, 'pass')
  })
})

test('any bytes get a verdict', async () => {
  await fc.assert(
    fc.asyncProperty(mailBytes, fc.string({ unit: 'binary', maxLength: 40 }), async (bytes, text) => {
      const result = await check(bytes, { mailFrom: text, helo: text })
      assert.ok(result.ambiguousFrom || result.header.startsWith('Authentication-Results: mail.example.test;'))
      const fields = parseMessage(Buffer.from(result.header)).root.fields
      assert.ok(fields.every(({ name }) => name === 'authentication-results' || name === 'received-spf'))
    }),
    { seed: SEED, numRuns: 500 },
  )
})
