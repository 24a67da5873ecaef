import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readRepeats, sumUp } from './test-repeats.ts'

describe('repeats of test files', () => {
  test('are chosen by parts of paths and a count; five times by default', () => {
    assert.deepEqual(readRepeats(['tests/e2e/cms']), { filters: ['tests/e2e/cms'], times: 5 })
    assert.deepEqual(readRepeats(['imap', 'pop3', '12']), { filters: ['imap', 'pop3'], times: 12 })
    assert.throws(() => readRepeats([]), /Which files/)
    assert.throws(() => readRepeats(['3']), /Which files/)
  })

  test('sum up to every file that failed, how often, in which order, and each of its races', () => {
    const repeats = [
      { seed: 1, failed: new Map([['a.test.ts', 'one: late']]) },
      { seed: 2, failed: new Map() },
      {
        seed: 3,
        failed: new Map([
          ['b.test.ts', 'two: gone'],
          ['a.test.ts', 'one: late'],
        ]),
      },
    ]
    assert.deepEqual(Object.fromEntries(sumUp(repeats)), {
      'a.test.ts': 'failed 2 of 3 times: --seed=1 --seed=3\none: late',
      'b.test.ts': 'failed 1 of 3 times: --seed=3\ntwo: gone',
    })
    assert.equal(sumUp([{ seed: 1, failed: new Map() }]).size, 0)
  })
})
