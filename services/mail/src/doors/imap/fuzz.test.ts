import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runs } from '@stoa/tests/lib/runs.ts'
import fc from 'fast-check'
import { readArguments } from './parse/arguments.ts'
import { BadCommand } from './parse/bad-command.ts'
import { decodeMailboxName, encodeMailboxName, NO_NAME } from './parse/mailbox-name.ts'
import { formatNumbers, parseSequenceSet, setOfNumbers } from './parse/sequence-set.ts'
import { resolveSequences, resolveUids } from './resolve.ts'
import { type ImapGround, startImapGround } from './testing/ground.ts'
import { createUidList } from './uid-list.ts'

const SEED = 20260301

describe('parsers', () => {
  test('a folder name survives modified UTF-7, and what is decoded encodes to the same', () => {
    const name = fc.string({ unit: 'grapheme', maxLength: 30 })
    fc.assert(
      fc.property(name, (text) => {
        const encoded = encodeMailboxName(text, { isUtf8: false })
        assert.match(encoded, /^[\x20-\x7e]*$/)
        assert.equal(decodeMailboxName(encoded), text)
      }),
      { seed: SEED },
    )
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'&-,+aAZ0/ü'), maxLength: 12 }), (text) => {
        const decoded = decodeMailboxName(text)
        if (decoded !== NO_NAME) assert.equal(encodeMailboxName(decoded, { isUtf8: false }), text)
      }),
      { seed: SEED, numRuns: runs(500, 2_000) },
    )
  })

  test('any bytes are read as arguments or refused as a bad command, whatever is asked of them', () => {
    const pieces = fc.oneof(
      fc.string({ unit: fc.constantFrom(...' ()"\\{}%*$&-+~.,:<>[]0129aZ\t\0ÿ'), maxLength: 40 }),
      fc.uint8Array({ maxLength: 30 }).map((bytes) => ({
        size: bytes.length,
        isBinary: false,
        bytes: Buffer.from(bytes),
      })),
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 6 }), fc.array(fc.nat(15), { maxLength: 12 }), (segments, steps) => {
        const args = readArguments(segments, { isUtf8: false })
        const reads = [
          () => args.atom(),
          () => args.astring(),
          () => args.string(),
          () => args.nstring(),
          () => args.number(),
          () => args.number64(),
          () => args.list(() => args.astring()),
          () => args.sequenceSet(),
          () => args.date(),
          () => args.dateTime(),
          () => args.flagList(),
          () => args.mailbox(),
          () => args.listMailbox(),
          () => args.literal(),
          () => args.take(' '),
          () => args.end(),
        ]
        for (const step of steps) orBad(() => reads[step]?.())
      }),
      { seed: SEED, numRuns: runs(800, 3_000) },
    )
  })

  test('sets of numbers are written as they are read', () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(numbers, (unsorted) => {
        const sorted = unsorted.toSorted((one, other) => one - other)
        const text = formatNumbers(sorted)
        assert.deepEqual(parseSequenceSet(text), setOfNumbers(sorted))
      }),
      { seed: SEED },
    )
  })

  test('a set names what it says, in any order, with or without *', () => {
    const number = fc.oneof(fc.integer({ min: 1, max: 12 }).map(String), fc.constant('*'))
    const range = fc.oneof(
      number,
      fc.tuple(number, number).map(([one, other]) => `${one}:${other}`),
    )
    const uids = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 10 })
    fc.assert(
      fc.property(fc.array(range, { minLength: 1, maxLength: 5 }), uids, (ranges, unsorted) => {
        const sorted = unsorted.toSorted((one, other) => one - other)
        const list = createUidList(sorted)
        const { ranges: parsed } = parseSequenceSet(ranges.join(','))
        const value = (text: string, largest: number) => (text === '*' ? largest : Number(text))
        const named = (each: number, largest: number) =>
          ranges.some((text) => {
            const [one = '', other = one] = text.split(':')
            const ends = [value(one, largest), value(other, largest)]
            return each >= Math.min(...ends) && each <= Math.max(...ends)
          })
        assert.deepEqual(
          resolveUids(list, parsed),
          sorted.filter((uid) => named(uid, sorted.at(-1) ?? 0)),
        )
        assert.deepEqual(
          resolveSequences(list, parsed, { isLenient: true }),
          sorted.filter((_, index) => named(index + 1, sorted.length)),
        )
      }),
      { seed: SEED, numRuns: runs(500, 2_000) },
    )
  })

  test('a list of UIDs is what an array would be', () => {
    const step = fc.oneof(
      fc.record({ add: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ remove: fc.array(fc.nat(60), { maxLength: 5 }) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const list = createUidList([])
        let plain: number[] = []
        let last = 0
        for (const each of steps) {
          if ('add' in each) {
            last += each.add
            list.add(last)
            plain.push(last)
          } else {
            const gone = [...new Set(each.remove)].sort((one, other) => one - other)
            list.remove(gone)
            plain = plain.filter((uid) => !gone.includes(uid))
          }
          assert.deepEqual([...list.values()], plain)
          assert.equal(list.length, plain.length)
          assert.equal(list.last, plain.at(-1) ?? 0)
          for (let uid = 0; uid <= last + 1; uid += 1) assert.equal(list.sequenceOf(uid), plain.indexOf(uid) + 1)
          for (let n = 0; n <= plain.length + 1; n += 1) assert.equal(list.uidAt(n), plain[n - 1] ?? 0)
          for (let uid = 0; uid <= last + 1; uid += 1)
            assert.equal(list.countUpTo(uid), plain.filter((each) => each <= uid).length)
          assert.deepEqual(
            list.between(3, 20),
            plain.filter((uid) => uid >= 3 && uid <= 20),
          )
        }
      }),
      { seed: SEED, numRuns: runs(60, 200) },
    )
  })
})

describe('the server', () => {
  let ground: ImapGround
  before(async () => {
    ground = await startImapGround({ limits: { badCommands: 100_000, lineMs: 2_000 } })
  })
  after(() => ground.close())

  const WORDS = [
    ...[
      'select',
      'inbox',
      'fetch',
      '1:*',
      'flags',
      'uid',
      'body[]',
      'body[1.mime]<0.10>',
      'search',
      'all',
      'or',
      'not',
    ],
    ...[
      'store',
      '+flags',
      '(\\Seen)',
      'append',
      'copy',
      'move',
      'list',
      '""',
      '*',
      '%',
      'status',
      '(messages)',
      'noop',
    ],
    ...['idle', 'notify', 'set', 'none', '(', ')', 'sort', '(date)', 'utf-8', 'thread', 'references', '{3+}\r\nabc'],
    ...['~{3+}\r\na\0c', '"quoted"', '"', '\\', '$', '1', '0', '4294967296', 'enable', 'qresync', 'condstore', 'close'],
    ...[
      'expunge',
      'create',
      'a/b',
      'rename',
      'delete',
      'getmetadata',
      'getquota',
      'replace',
      'changedsince',
      'unselect',
    ],
  ]

  test('random commands are each answered, nothing breaks, and the store stays sound', async () => {
    const anna = await ground.address()
    for (let n = 0; n < 3; n += 1) await ground.add(anna)
    const lines = fc.array(
      fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 }).map((words) => words.join(' ')),
      { minLength: 10, maxLength: 40 },
    )
    await fc.assert(
      fc.asyncProperty(lines, async (commands) => {
        const client = await ground.signIn(anna)
        client.write('s select inbox\r\n')
        for (const command of commands) client.write(`x ${command}\r\nDONE\r\n`)
        client.write('end noop\r\n')
        for (let line = await client.response(); ; line = await client.response()) {
          assert.notEqual(line, null, commands.join('\n'))
          if (line?.startsWith('end ')) break
        }
        client.close()
      }),
      { seed: SEED, numRuns: runs(15, 40) },
    )
    await ground.check(anna)
    assert.deepEqual(
      ground.logs.filter((line) => line.includes('failed') || line.includes('broke off')),
      [],
    )
  })

  test('random bytes end in answers or in a closed connection', async () => {
    const anna = await ground.address()
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 400 })
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { maxLength: 10 }), async (chunks) => {
        const client = await ground.signIn(anna)
        for (const chunk of chunks) client.write(Buffer.from(chunk))
        client.write('\r\nlast logout\r\n')
        for (let line = await client.response(); line !== null; line = await client.response());
      }),
      { seed: SEED, numRuns: runs(15, 40) },
    )
    const client = await ground.signIn(anna)
    await client.ok('noop')
  })
})

/** Null when the bytes are no command; any other error is ours. */
const orBad = <T>(read: () => T): T | null => {
  try {
    return read()
  } catch (error) {
    assert.ok(error instanceof BadCommand, String(error))
    return null
  }
}
