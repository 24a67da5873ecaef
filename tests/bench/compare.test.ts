import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { changesSince, type Figure, type Run } from './compare.ts'
import { isMissed } from './goals.ts'

const figure = (name: string, value: number, goal = 10): Figure => ({ name, value, goal })
const runOf = (benches: Run['benches'], rest: Partial<Run> = {}): Run => ({
  at: '2026-11-18T06:00:00.000Z',
  machine: 'two cores',
  pace: 100,
  benches,
  ...rest,
})

describe('a run of all benches beside an earlier one', () => {
  test('each figure is shown with its change; only what is more than noise is called worse or better', () => {
    const before = runOf({ delivery: [figure('slug', 2), figure('list', 4), figure('far', 10), figure('same', 5)] })
    const after = runOf({ delivery: [figure('slug', 2.5), figure('list', 3), figure('far', 10.9), figure('same', 5)] })
    assert.deepEqual(changesSince(before, after).slice(2), [
      'delivery: slug: 2, now 2.5 (+25 %, WORSE)',
      'delivery: list: 4, now 3 (-25 %, better)',
      'delivery: far: 10, now 10.9 (+9 %)',
      'delivery: same: 5, now 5 (+0 %)',
    ])
  })

  test('what only one of them has measured is named', () => {
    const before = runOf({ imap: [figure('a', 1)], jmap: [figure('b', 1), figure('gone', 1)] })
    const after = runOf({ jmap: [figure('b', 1), figure('new', 0.12345)], start: [figure('c', 1)] })
    assert.deepEqual(changesSince(before, after).slice(2), [
      'imap: not measured this time',
      'jmap: b: 1, now 1 (+0 %)',
      'jmap: new: 0.123, not measured then',
      'jmap: gone: not measured this time',
      'start: not measured then',
    ])
  })

  test('nothing before is no share of anything', () => {
    const [, , line] = changesSince(runOf({ a: [figure('x', 0)] }), runOf({ a: [figure('x', 3)] }))
    assert.equal(line, 'a: x: 0, now 3')
  })

  test('another machine is called another machine, and the pace of the same one is shown', () => {
    const before = runOf({})
    assert.match(changesSince(before, runOf({}, { pace: 200 }))[1] ?? '', /^the same machine, at 0\.50 times its pace/)
    assert.match(
      changesSince(before, runOf({}, { machine: 'eight cores' }))[1] ?? '',
      /^ANOTHER MACHINE.*then two cores, now eight cores$/,
    )
  })
})

test('a goal is met up to its value, and missed above it or without a figure', () => {
  assert.deepEqual(
    [1.42, 1.43, 1.44, Number.NaN].map((value) => isMissed({ value, goal: 1.43 })),
    [false, false, true, true],
  )
})
