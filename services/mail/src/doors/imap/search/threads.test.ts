import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { ThreadedRow } from '../../../store/search/uid-search.ts'
import { formatThreads, threadByReferences, threadBySubject } from './threads.ts'

type Mail = { id?: string; references?: string[]; inReplyTo?: string; subject?: string; at?: number }

const rowsOf = (mails: readonly Mail[]): ThreadedRow[] =>
  mails.map(({ id, references = [], inReplyTo, subject, at }, index) => ({
    uid: index + 1,
    subject: subject ?? null,
    sentAt: new Date(1_000_000 + (at ?? index) * 1_000),
    messageId: id ?? null,
    references,
    inReplyTo: inReplyTo ?? null,
  }))

const references = (...mails: Mail[]): string => formatThreads(threadByReferences(rowsOf(mails)), (uid) => uid)
const subjects = (...mails: Mail[]): string => formatThreads(threadBySubject(rowsOf(mails)), (uid) => uid)

describe('threads by references', () => {
  test('an answer is below what it answers', () => {
    assert.equal(references({ id: 'a' }, { id: 'b', inReplyTo: 'a' }, { id: 'c', references: ['a', 'b'] }), '(1 2 3)')
  })

  test('several answers have brackets of their own', () => {
    assert.equal(
      references(
        { id: 'a' },
        { id: 'b', references: ['a'] },
        { id: 'c', references: ['a', 'b'] },
        { id: 'd', references: ['a'] },
      ),
      '(1 (2 3)(4))',
    )
  })

  test('a ring is not closed', () => {
    assert.equal(
      references({ id: 'a', at: 2 }, { id: 'b', references: ['c', 'a'], at: 0 }, { id: 'c', references: ['b'], at: 1 }),
      '(3 1 2)',
    )
    assert.equal(references({ id: 'a', references: ['a'] }), '(1)')
  })

  test('answers to what is not there stand beside each other below nothing', () => {
    assert.equal(references({ id: 'b', references: ['a'] }, { id: 'c', references: ['a'] }), '((1)(2))')
    assert.equal(references({ id: 'b', references: ['a'] }), '(1)')
    assert.equal(references({ id: 'c', references: ['a', 'b'] }, { id: 'd', references: ['a', 'x', 'y'] }), '((1)(2))')
  })

  test('what is not there in the middle is left out', () => {
    assert.equal(
      references({ id: 'a' }, { id: 'c', references: ['a', 'b'] }, { id: 'd', references: ['a', 'b'] }),
      '(1 (2)(3))',
    )
  })

  test('of two messages with one id the first has it', () => {
    assert.equal(
      references(
        { id: 'a' },
        { id: 'b', references: ['a'] },
        { id: 'c', references: ['a', 'b'] },
        { id: 'b', references: ['a'] },
      ),
      '(1 (2 3)(4))',
    )
    assert.equal(
      references({ id: 'a' }, { id: 'c', references: ['a', 'b'] }, { id: 'b', references: ['a'] }),
      '(1 3 2)',
    )
  })

  test('a message says itself what it answers, whatever others said', () => {
    assert.equal(
      references({ id: 'x' }, { id: 'c', references: ['x', 'b'] }, { id: 'b', references: ['a'] }, { id: 'a' }),
      '(1)(4 3 2)',
    )
  })

  test('the same subject joins threads: an answer below what it answers, others below nothing', () => {
    assert.equal(references({ id: 'a', subject: 'Roof' }, { id: 'b', subject: 'Re: roof' }), '(1 2)')
    assert.equal(references({ id: 'a', subject: 'Re: Roof' }, { id: 'b', subject: 'roof' }), '(2 1)')
    assert.equal(references({ id: 'a', subject: 'Roof' }, { id: 'b', subject: 'ROOF' }), '((1)(2))')
    assert.equal(references({ id: 'a', subject: 'Re: Roof' }, { id: 'b', subject: 'Fwd: ROOF' }), '((1)(2))')
    assert.equal(references({ id: 'a' }, { id: 'b' }), '(1)(2)')
    assert.equal(
      references(
        { id: 'a', subject: 'x' },
        { id: 'b', subject: 'x' },
        { id: 'c', subject: 'Re: x' },
        { id: 'd', subject: 'x' },
      ),
      '((1)(2)(3)(4))',
    )
  })

  test('threads and answers are in the order of their dates', () => {
    assert.equal(
      references(
        { id: 'z', at: 9 },
        { id: 'a', at: 1 },
        { id: 'c', references: ['a'], at: 5 },
        { id: 'b', references: ['a'], at: 3 },
      ),
      '(2 (4)(3))(1)',
    )
  })

  test('every message is there once, whatever refers to what', () => {
    const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
    const mail = fc.record({
      id: ids,
      references: fc.array(ids, { maxLength: 4 }),
      subject: fc.constantFrom('', 'x', 'Re: x', 'y', '[Fwd: y]'),
      at: fc.nat(5),
    })
    fc.assert(
      fc.property(fc.array(mail, { maxLength: 12 }), (mails) => {
        for (const text of [references(...mails), subjects(...mails)]) {
          const numbers = (text.match(/\d+/g) ?? []).map(Number).sort((one, other) => one - other)
          assert.deepEqual(
            numbers,
            [...mails.keys()].map((index) => index + 1),
          )
          assert.equal(text.replace(/\(\)/g, ''), text)
        }
      }),
      { seed: 6, numRuns: 2_000 },
    )
  })

  test('a thread as deep as the folder is large is returned', () => {
    const mails = Array.from({ length: 50_000 }, (_, index) => ({ id: `m${index}`, inReplyTo: `m${index - 1}` }))
    assert.equal(references(...mails), `(${[...mails.keys()].map((index) => index + 1).join(' ')})`)
    assert.match(references(...mails.toReversed()), /^\(50000 49999 /)
  })
})

describe('threads by subject', () => {
  test('the oldest begins, the others follow it', () => {
    assert.equal(
      subjects(
        { subject: 'b', at: 5 },
        { subject: 'Re: a', at: 4 },
        { subject: 'a', at: 1 },
        { subject: 'A (fwd)', at: 3 },
        { subject: '[list] Re: b', at: 6 },
        { subject: 'c', at: 2 },
      ),
      '(3 (4)(2))(6)(1 5)',
    )
  })
})
