import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { createBodyHash, type DkimKey } from './dkim.ts'
import { createSigner } from './signer.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ed = generateKeyPairSync('ed25519')
const pem = (key: typeof rsa.privateKey) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
const RSA: DkimKey = {
  domain: 'example.test',
  selector: 's1',
  algorithm: 'rsa-sha256',
  privateKeyPem: pem(rsa.privateKey),
}
const ED: DkimKey = {
  domain: 'example.test',
  selector: 'e1',
  algorithm: 'ed25519-sha256',
  privateKeyPem: pem(ed.privateKey),
}
const RECORDS: Record<string, string> = {
  's1._domainkey.example.test': `v=DKIM1; k=rsa; p=${rsa.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`,
  'e1._domainkey.example.test': `v=DKIM1; k=ed25519; p=${ed.publicKey.export({ type: 'spki', format: 'der' }).subarray(12).toString('base64')}`,
}
const NOW = new Date()

const signer = createSigner({ threads: 2 })
after(() => signer.close())

const sign = async (message: string, key = RSA): Promise<string> => {
  const end = message.indexOf('\r\n\r\n') + 4
  const bytes = Buffer.from(message)
  const field = await signer.sign({ key, header: bytes.subarray(0, end), body: bytes.subarray(end), at: NOW })
  return field + message
}
const verify = async (message: string) => {
  const resolver = async (name: string) => {
    const found = RECORDS[name]
    if (found === undefined) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' })
    return [[found]]
  }
  const { results } = await dkimVerify(Buffer.from(message), { resolver })
  return results[0]
}
const results = async (message: string): Promise<string | undefined> => (await verify(message))?.status.result

const PLAIN =
  'From: Ann <ann@example.test>\r\nTo: bob@example.org\r\nSubject: Hello\r\n  there \t again\r\n' +
  'Date: Sun, 15 Nov 2026 12:00:00 +0000\r\nMessage-ID: <1@example.test>\r\nMIME-Version: 1.0\r\n' +
  'Content-Type: text/plain\r\nReceived: from a\r\n\r\nHello  \t Bob \r\n\r\n.dot\r\n\r\n\r\n'

describe('DKIM signatures', () => {
  test('verify with RSA and Ed25519, also on odd bodies', async () => {
    const header = PLAIN.slice(0, PLAIN.indexOf('\r\n\r\n') + 4)
    for (const body of [
      '',
      '\r\n',
      '\r\n\r\n',
      'x',
      ' \r\n \r\n',
      '\t a\r\n',
      `${'é'.repeat(5000)}\r\n`,
      '\r\n\r\na\r\n\r\n',
    ])
      for (const key of [RSA, ED])
        assert.equal(await results(await sign(header + body, key)), 'pass', JSON.stringify(body.slice(0, 20)))
    assert.equal(await results(await sign(PLAIN)), 'pass')
  })

  test('fail when a signed field is changed, removed or added a second time', async () => {
    const signed = await sign(PLAIN)
    assert.notEqual(await results(signed.replace('Subject: Hello', 'Subject: Other')), 'pass')
    assert.notEqual(await results(signed.replace('.dot', '.dots')), 'pass')
    const additions = ['From: x@evil.test', 'To: x@evil.test', 'Subject: x', 'Date: x', 'Content-Type: text/html']
    for (const field of [
      ...additions,
      'MIME-Version: 1.0',
      'Content-Transfer-Encoding: base64',
      'Reply-To: x@evil.test',
    ])
      assert.notEqual(await results(signed.replace('Received:', `${field}\r\nReceived:`)), 'pass', field)
    assert.equal(await results(signed.replace('Received: from a', 'Received: from b')), 'pass')
  })

  test('hold for seven days, cover the whole body, and name From at least twice', async () => {
    const text = (await sign(PLAIN)).slice(0, 1000).replace(/\r\n\s+/g, '')
    const [, t] = /; ?t=(\d+);/.exec(text) ?? []
    const [, x] = /; ?x=(\d+);/.exec(text) ?? []
    assert.equal(Number(x) - Number(t), 7 * 86_400)
    assert.doesNotMatch(text, /[; ]l=/)
    assert.match(text, /h=From:From:To:To:Cc:Subject:Subject:Date:Date:/)
  })

  test('have no long lines', async () => {
    const [field] = (await sign(PLAIN)).split('\r\nFrom:')
    for (const line of field?.split('\r\n') ?? []) assert.ok(line.length <= 90, line)
  })

  test('sign a hash that was made in pieces like the body at once', async () => {
    const body = `${' lorem  ipsum \t\r\n'.repeat(500)}\r\n\r\nend\r\n\r\n`
    const whole = createBodyHash()
    whole.push(Buffer.from(body))
    const expected = whole.digest()
    for (const size of [1, 2, 7, 64, 1000]) {
      const pieces = createBodyHash()
      for (let at = 0; at < body.length; at += size) pieces.push(Buffer.from(body.slice(at, at + size)))
      assert.equal(pieces.digest(), expected, `pieces of ${size}`)
    }
    const relaxed = `${' lorem ipsum\r\n'.repeat(500)}\r\n\r\nend\r\n`
    assert.equal(expected, createHash('sha256').update(relaxed).digest('base64'))
  })

  test('a key that is none fails its own message only', async () => {
    await assert.rejects(sign(PLAIN, { ...RSA, privateKeyPem: 'nothing' }))
    assert.equal(await results(await sign(PLAIN)), 'pass')
  })
})

describe('an ARC set', () => {
  const input = { key: RSA, message: Buffer.from(PLAIN), authResults: 'mx.test; spf=pass', at: NOW }

  test('is added to a forwarded message as the first one', async () => {
    const set = await signer.seal({ ...input, chain: 'none' })
    assert.match(set, /^ARC-Seal: i=1;[\s\S]*cv=none/)
    assert.match(set, /\r\nARC-Message-Signature: i=1;/)
    assert.match(set, /\r\nARC-Authentication-Results: i=1; mx\.test; spf=pass\r\n$/)
  })

  test('follows one that was there, and none follows a broken one', async () => {
    const first = await signer.seal({ ...input, chain: 'none' })
    const message = Buffer.from(first + PLAIN)
    assert.match(await signer.seal({ ...input, message, chain: 'pass' }), /^ARC-Seal: i=2;[\s\S]*cv=pass/)
    const broken = Buffer.from((await signer.seal({ ...input, message, chain: 'fail' })) + message.toString())
    assert.equal(await signer.seal({ ...input, message: broken, chain: 'fail' }), '')
  })
})
