import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Authenticity } from '../../formats/authenticity/authenticate.ts'
import { readMessage } from '../../store/messages/read.ts'
import { type StoreGround, startStore } from '../../store/testing/ground.ts'
import type { Tables } from '../../tables.ts'
import { learn, readSpamText, type SpamText, scoreMessage, spamHeader, withReason } from './spam.ts'
import { letterBytes, makeLetter, seeded } from './testing/corpus.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const AUTHENTIC: Authenticity = {
  spf: { result: 'pass', domain: 'example.org' },
  dkim: [{ result: 'pass', domain: 'example.org', selector: 's1', signature: null, isAligned: true }],
  dmarc: { result: 'none', policy: null, disposition: 'none', domain: 'example.org' },
  arc: { result: 'none', sealers: [], authenticated: [] },
  author: { domain: 'example.org', isAuthentic: true },
  fromAddress: 'ann@example.org',
  ambiguousFrom: false,
  header: '',
}

let ground: StoreGround
let database: Database<Tables>
let addressId: string
before(async () => {
  ground = await startStore()
  database = ground.database
})
after(() => ground.close())
beforeEach(async () => {
  addressId = await addAddress()
})

const addAddress = async (): Promise<string> => (await ground.mailbox()).addressId

const textOf = (bytes: Buffer | string): SpamText => {
  const buffer = Buffer.from(bytes)
  return readSpamText(readMessage(buffer), buffer, NOW)
}
const judge = (text: SpamText, authenticity = AUTHENTIC, helo = 'mx.example.org') =>
  scoreMessage(database.db, { addressId, text, authenticity, ip: '192.0.2.1', helo })
const teach = (verdict: 'spam' | 'ham', blobKey: string, words: readonly number[]) =>
  database.tx((tx) => learn(tx, { addressId, blobKey, words, verdict }))
const state = async () => ({
  training: await database.db.query({
    text: 'select spam, ham from spam_training where address_id = $1',
    values: [addressId],
  }),
  words: await database.db.query({
    text: 'select word, spam, ham from spam_word where address_id = $1 order by word',
    values: [addressId],
  }),
  samples: await database.db.query({
    text: 'select blob_key, verdict from spam_lesson where address_id = $1 order by blob_key',
    values: [addressId],
  }),
})

const MESSAGE =
  'From: Ann <ann@example.org>\r\nTo: bob@example.net\r\nSubject: Hello there\r\nDate: Sun, 1 Mar 2026 12:00:00 +0000\r\n' +
  'Message-ID: <one@example.org>\r\n\r\nShall we meet on Thursday?\r\n'
const WORDS = textOf(MESSAGE).words

describe('a mailbox that was taught fifty messages of each kind', () => {
  test('classifies messages that it has never seen', async (t) => {
    const random = seeded(7)
    for (let index = 0; index < 50; index += 1)
      for (const sort of ['spam', 'ham'] as const)
        await teach(sort, `${sort}-${index}`, textOf(letterBytes(makeLetter(sort, random, 0.7), index)).words)
    const counts = { spam: { yes: 0, no: 0 }, ham: { yes: 0, no: 0 } }
    let untaught = 0
    for (let index = 0; index < 150; index += 1)
      for (const sort of ['spam', 'ham'] as const) {
        const text = textOf(letterBytes(makeLetter(sort, random), 1_000 + index))
        counts[sort][(await judge(text)).isSpam(5) ? 'yes' : 'no'] += 1
        if (sort === 'spam' && text.reasons.reduce((sum, { points }) => sum + points, 0) >= 5) untaught += 1
      }
    const precision = counts.spam.yes / (counts.spam.yes + counts.ham.yes)
    const recall = counts.spam.yes / 150
    t.diagnostic(`precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}; by rules alone ${untaught} of 150`)
    assert.ok(precision >= 0.98, `precision ${precision}`)
    assert.ok(recall >= 0.9, `recall ${recall}`)
  })

  test('knows nothing about other mailboxes', async () => {
    for (let index = 0; index < 10; index += 1) {
      await teach('spam', `s${index}`, WORDS)
      await teach('ham', `h${index}`, textOf(letterBytes(makeLetter('ham', seeded(index)), index)).words)
    }
    assert.ok(((await judge(textOf(MESSAGE))).probability ?? 0) > 0.9)
    addressId = await addAddress()
    assert.equal((await judge(textOf(MESSAGE))).probability, null)
  })
})

describe('a training sample', () => {
  test('is learned once, however often it is given', async () => {
    assert.equal(await teach('spam', 'one', WORDS), true)
    const once = await state()
    assert.deepEqual(once.training, [{ spam: 1, ham: 0 }])
    assert.equal(once.words.length, WORDS.length)
    assert.equal(await teach('spam', 'one', WORDS), false)
    assert.deepEqual(await state(), once)
  })

  test('that is given the other way replaces the first', async () => {
    await teach('spam', 'one', WORDS)
    assert.equal(await teach('ham', 'one', WORDS), true)
    const { training, words, samples } = await state()
    assert.deepEqual(training, [{ spam: 0, ham: 1 }])
    assert.ok(words.every((row) => row.spam === 0 && row.ham === 1))
    assert.deepEqual(samples, [{ blob_key: 'one', verdict: 'ham' }])
  })

  test('of a message without words teaches nothing', async () => {
    const empty = textOf('From: a@example.org\r\n\r\n')
    assert.deepEqual(empty.words, [])
    assert.equal(await teach('spam', 'empty', empty.words), false)
    assert.deepEqual(await state(), { training: [], words: [], samples: [] })
  })

  test('given twenty times at once is counted right', async () => {
    const given = Array.from({ length: 20 }, (_, index) => teach(index % 2 ? 'spam' : 'ham', `b${index % 10}`, WORDS))
    await Promise.all(given)
    const { training, samples } = await state()
    const [sums] = training
    assert.equal(samples.length, 10)
    assert.equal(Number(sums?.spam) + Number(sums?.ham), 10)
    assert.equal(Number(sums?.spam), samples.filter(({ verdict }) => verdict === 'spam').length)
  })
})

describe('the cost', () => {
  test('is one statement for a verdict, and none for a message without words', async () => {
    const watch = database.watchStatements()
    await judge(textOf(MESSAGE))
    assert.equal(watch.texts.length, 1)
    await judge(textOf('From: a@example.org\r\n\r\n'))
    assert.equal(watch.texts.length, 1)
    watch.stop()
  })

  test('of a huge message is that of its first pages', () => {
    const lines = Array.from({ length: 200_000 }, (_, index) => `word${index} other${index * 7}`).join('\r\n')
    assert.ok(textOf(`Subject: x\r\n\r\n${lines}`).words.length <= 400)
  })
})

describe('ham is learned by itself', () => {
  test('only where spam was taught, only when it is clean and authenticated', async () => {
    assert.equal((await judge(textOf(MESSAGE))).isTrainingSample, false)
    await teach('spam', 'one', textOf(letterBytes(makeLetter('spam', seeded(1)), 1)).words)
    assert.equal((await judge(textOf(MESSAGE))).isTrainingSample, true)
    const unknown: Authenticity = { ...AUTHENTIC, spf: { result: 'none', domain: null }, dkim: [] }
    assert.equal((await judge(textOf(MESSAGE), unknown)).isTrainingSample, false)
    assert.equal(
      (await judge(textOf(MESSAGE.replace('Hello there', 'CLAIM YOUR PRIZE NOW!!')))).isTrainingSample,
      false,
    )
    await teach('ham', 'two', WORDS)
    await teach('ham', 'three', WORDS)
    assert.equal((await judge(textOf(MESSAGE))).isTrainingSample, false)
  })
})

describe('a verdict', () => {
  test('names its reasons, and quarantine by the domain of the author is enough', async () => {
    const authenticity: Authenticity = {
      ...AUTHENTIC,
      spf: { result: 'fail', domain: 'example.org' },
      dkim: [],
      dmarc: { result: 'fail', policy: 'quarantine', disposition: 'quarantine', domain: 'example.org' },
    }
    const verdict = await judge(textOf(MESSAGE), authenticity, 'localhost')
    assert.deepEqual(
      verdict.reasons.map(({ name }) => name),
      ['dmarc_quarantine', 'spf_fail', 'not_authenticated', 'helo_no_name', 'helo_local'],
    )
    assert.equal(verdict.score, 14.5)
    assert.ok(verdict.isSpam(5) && verdict.isSpam(14.5) && !verdict.isSpam(14.6))
    assert.equal(
      spamHeader(verdict, 5),
      'X-Spam-Status: Yes, score=14.5 required=5\r\n tests=dmarc_quarantine=10,spf_fail=1.5,not_authenticated=1,\r\n' +
        ' helo_no_name=1,helo_local=1\r\n',
    )
  })

  test('takes the points of a judge outside', async () => {
    const clean = await judge(textOf(MESSAGE))
    assert.ok(!clean.isSpam(5))
    const verdict = withReason(clean, { name: 'rspamd', points: 9 })
    assert.ok(verdict.isSpam(5) && verdict.score === clean.score + 9)
  })
})
