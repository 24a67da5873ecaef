import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runs } from '@stoa/tests/lib/runs.ts'
import fc from 'fast-check'
import { type SieveGround, startGround } from './testing/ground.ts'

let ground: SieveGround
before(async () => {
  ground = await startGround({ isPlain: true, limits: { earlyIdleMs: 10_000, idleMs: 300, commandMs: 300, errors: 3 } })
  await ground.address('fuzz@sieve.test')
})
after(() => ground.close())

const words = fc.constantFrom(
  ...[
    'PUTSCRIPT',
    'GETSCRIPT',
    'LISTSCRIPTS',
    'SETACTIVE',
    'CHECKSCRIPT',
    'HAVESPACE',
    'NOOP',
    'AUTHENTICATE',
    'putscript',
  ],
  ...[
    '"a"',
    '""',
    '"\\""',
    '"\\x"',
    '"',
    '{5+}\r\nkeep;',
    '{3}\r\nabc',
    '{0+}\r\n',
    '{2+}\r\n\r\n',
    '{9+}\r\nab',
    '{x+}',
  ],
  ...['10', '99999999999999', '-1', '(', ')', '\\', ' ', '  ', '\r', '\n', '\0', 'ü', '\xff'],
)
const line = fc.array(words, { maxLength: 6 }).map((parts) => parts.join(' '))
const bytes = fc.oneof(
  fc.array(line, { maxLength: 5 }).map((lines) => Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1')),
  fc.uint8Array({ maxLength: 200 }).map((raw) => Buffer.from(raw)),
)

test('whatever comes, the answers are well formed, nothing is an error of ours, and the next one is served', async () => {
  await fc.assert(
    fc.asyncProperty(bytes, async (sent) => {
      const client = await ground.signedIn('fuzz@sieve.test')
      client.raw(Buffer.concat([sent, Buffer.from('\r\nLOGOUT\r\n')]))
      // The client throws for what RFC 5804 does not allow; the end of the connection is fine.
      for (;;) {
        const answer = await client.reply().catch((error: Error) => error)
        if (!(answer instanceof Error)) continue
        assert.match(answer.message, /^the server closed after ("[^{]*"|"")$/)
        break
      }
      client.close()
    }),
    { numRuns: runs(20, 60), seed: 5804 },
  )
  assert.deepEqual(ground.logs, [])
  const client = await ground.signedIn('fuzz@sieve.test')
  assert.equal((await client.say('NOOP')).status, 'OK')
})
