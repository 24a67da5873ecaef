import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runs } from '@stoa/tests/lib/runs.ts'
import fc from 'fast-check'
import { readProxyHeader } from '../listen/proxy.ts'
import { decodeXtext, parseDomain, parseMailbox, parsePathCommand } from './paths.ts'
import { replyText } from './replies.ts'
import { startTestServer, type TestServer } from './testing/door.ts'

const RUNS = { seed: 11, numRuns: runs(320, 3_000) }
const words = fc.string({
  unit: fc.constantFrom(
    '<',
    '>',
    '@',
    '"',
    '\\',
    ':',
    ',',
    ' ',
    '=',
    '+',
    '.',
    '[',
    ']',
    'a',
    'B',
    '0',
    'ü',
    'SIZE',
    'IPv6:',
  ),
  maxLength: 24,
})

describe('paths', () => {
  test('of any text are one address without brackets and control characters, or none', () => {
    fc.assert(
      fc.property(words, (text) => {
        for (const line of [text, `FROM:<${text}>`, `FROM:<${text}> ${text}`]) {
          const path = parsePathCommand('FROM', line)?.path
          if (path?.kind !== 'mailbox') continue
          assert.match(path.address, /^[^\p{Cc}]+@[a-z0-9._:[\]-]+$/iu)
          assert.equal(path.address, `${path.local}@${path.domain}`)
          // What was read is read again as the same.
          assert.deepEqual(parseMailbox(path.address), path)
        }
      }),
      RUNS,
    )
  })

  test('have their domain in lower case and ASCII', () => {
    assert.equal(parseMailbox('Bob@EXAMPLE.org')?.address, 'Bob@example.org')
    assert.equal(parseMailbox('bob@bücher.example')?.domain, 'xn--bcher-kva.example')
    assert.equal(parseMailbox('"bob"@example.org')?.address, 'bob@example.org')
    assert.equal(parseMailbox('"a b"@example.org')?.address, '"a b"@example.org')
    assert.equal(parseMailbox('bob@[IPv6:::1]')?.domain, '[IPv6:::1]')
    for (const wrong of ['a@b@c.org', 'a@', '@b.org', 'a@-b.org', 'a@b..org', 'a@b.org.', `${'a'.repeat(300)}@b.org`])
      assert.equal(parseMailbox(wrong), null, wrong)
    assert.equal(parseDomain(`${'a'.repeat(64)}.org`), null)
  })

  test('of xtext have no control characters', () => {
    assert.equal(decodeXtext('a+2Bb'), 'a+b')
    for (const wrong of ['a+0D+0Ab', 'a+', 'a+2', 'a+zz', '+00']) assert.equal(decodeXtext(wrong), null)
  })
})

describe('replies', () => {
  test('stay one reply whatever their text is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const lines = replyText({ code: 550, status: '5.7.1', text }).split('\r\n')
        assert.equal(lines.pop(), '')
        assert.match(lines.at(-1) ?? '', /^550 5\.7\.1 [\x20-\x7e]*$/)
        for (const line of lines.slice(0, -1)) assert.match(line, /^550-5\.7\.1 [\x20-\x7e]*$/)
      }),
      RUNS,
    )
  })
})

describe('headers of proxies', () => {
  test('of any bytes are read, waited for or refused, and never longer than what came', () => {
    const start = fc.constantFrom(
      'PROXY TCP4 ',
      'PROXY ',
      '\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c',
      '\r\n\r\n\0\r\nQUIT\n',
      '',
    )
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 60 }), (head, tail) => {
        const bytes = Buffer.concat([Buffer.from(head, 'latin1'), tail])
        const header = readProxyHeader(bytes)
        if (header.kind === 'header') assert.ok(header.length <= bytes.length)
      }),
      RUNS,
    )
  })
})

describe('any bytes on a connection', () => {
  let ground: TestServer
  before(async () => {
    ground = await startTestServer({ limits: { hardErrors: 1_000, softErrors: 1_000, handshakeMs: 150 } })
  })
  after(() => ground.server.stop())

  test('leave a server that works', async () => {
    const piece = fc.constantFrom(
      ...['EHLO x\r\n', 'MAIL FROM:<a@b.test>\r\n', 'RCPT TO:<bob@ours.test>\r\n', 'DATA\r\n', '.\r\n', 'RSET\r\n'],
      ...[
        'STARTTLS\r\n',
        'AUTH PLAIN\r\n',
        '\r\n',
        '\n',
        '\r',
        '\0',
        'x'.repeat(3_000),
        'QUIT\r\n',
        '\x16\x03\x01\x02',
      ],
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const client = await ground.connect()
        client.socket.on('error', () => undefined)
        for (const text of pieces) client.raw(Buffer.from(text, 'latin1'))
        client.socket.end()
        await client.rest()
      }),
      { seed: 13, numRuns: runs(20, 60) },
    )
    const client = await ground.connect()
    await client.say('EHLO client.test')
    assert.equal((await client.mail({ from: 'a@b.test', to: ['bob@ours.test'] }, 'still here')).code, 250)
    client.close()
  })
})
