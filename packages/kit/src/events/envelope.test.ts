import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runs } from '@stoa/tests/lib/runs.ts'
import fc from 'fast-check'
import type { Change } from '../db/database.ts'
import { encodeChanges, openEnvelope } from './envelope.ts'

const FROM = '0199aaaa-0000-7000-8000-000000000000'
const unseal = (payloads: string[]): Change[] => payloads.flatMap((payload) => openEnvelope(payload)?.changes ?? [])
const change = (data: Record<string, unknown>): Change => ({ topic: 'note', event: 'changed', data })

describe('sealed changes', () => {
  test('come out as they went in, in notifications that PostgreSQL accepts', () => {
    // This one name is dropped on the way: it would set the prototype.
    const memberName = fc.string({ maxLength: 20 }).filter((name) => name !== '__proto__')
    const anyChange = fc.record({
      topic: fc.string({ maxLength: 100 }),
      event: fc.string({ maxLength: 100, unit: 'binary' }),
      data: fc.dictionary(memberName, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true }),
    })
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 60 }), (changes) => {
        const payloads = encodeChanges(FROM, changes)
        for (const payload of payloads) assert.ok(Buffer.byteLength(payload) < 8000)
        const opened = unseal(payloads)
        assert.equal(opened.length, changes.length)
        for (const [index, original] of changes.entries()) {
          const expected = JSON.parse(JSON.stringify(original))
          if (opened[index]?.data.oversize === true) assert.equal(opened[index]?.topic, original.topic)
          else assert.deepEqual(opened[index], expected)
        }
      }),
      { seed: 20260101, numRuns: runs(24, 300) },
    )
  })

  test('share one notification while they fit, and follow in order when they do not', () => {
    assert.equal(encodeChanges(FROM, [change({ id: 1 }), change({ id: 2 })]).length, 1)
    const many = Array.from({ length: 500 }, (_, id) => change({ id, text: 'ü'.repeat(100) }))
    const payloads = encodeChanges(FROM, many)
    assert.ok(payloads.length < 25, `${payloads.length} notifications`)
    assert.deepEqual(unseal(payloads), many)
  })

  test('that are too large keep their ids only, and say so', () => {
    const [payload = ''] = encodeChanges(FROM, [
      change({ id: 'a1', page: 7, isLive: true, parent: null, body: 'x'.repeat(9_000), list: [1] }),
    ])
    assert.deepEqual(unseal([payload]), [change({ id: 'a1', page: 7, isLive: true, parent: null, oversize: true })])
  })

  test('with more ids than fit keep none', () => {
    const ids = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`member${n}`, 'x'.repeat(60)]))
    assert.deepEqual(unseal(encodeChanges(FROM, [change(ids)])), [change({ oversize: true })])
  })

  test('whose topic is no name are refused', () => {
    assert.throws(() => encodeChanges(FROM, [{ topic: 'x'.repeat(9_000), event: 'e', data: {} }]), RangeError)
  })

  test('that are equal stay apart, because equal notifications of a transaction arrive once', () => {
    const large = change({ text: 'x'.repeat(5_000) })
    const payloads = encodeChanges(FROM, [large, large])
    assert.equal(new Set(payloads).size, 2)
  })

  test('an empty list needs no notification', () => {
    assert.deepEqual(encodeChanges(FROM, []), [])
  })

  test('a payload of someone else opens to nothing', () => {
    for (const payload of [
      '',
      'hello',
      '{}',
      '[]',
      'null',
      '{"from":1,"part":0,"changes":[]}',
      '{"from":"x","changes":[{}]}',
    ])
      assert.equal(openEnvelope(payload), undefined, payload)
  })
})
