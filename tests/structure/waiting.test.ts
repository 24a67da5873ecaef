import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { read, trackedFiles } from './tree.ts'

const testFiles = trackedFiles().filter(
  (file) => /\.test\.tsx?$/.test(file) && file !== 'tests/structure/waiting.test.ts',
)

/** A sleep of its own: Node's promise of a timer, or a promise that a timer resolves. */
const BARE_SLEEP =
  /\bsetTimeout\b[^\n]*\bfrom\s*'(?:node:)?timers\/promises'|\bsetTimeout\(\s*(?:\w*resolve\w*|reject|done)\s*[,)]|Atomics\.wait\(|promisify\(setTimeout\)/

describe('tests', () => {
  test('wait for a condition with `until`, and let time pass with `passTime` only, which says why', () => {
    assert.deepEqual(
      testFiles.filter((file) => BARE_SLEEP.test(read(file))),
      [],
    )
  })

  test('say in a sentence why time has to pass', () => {
    const calls = testFiles.flatMap((file) =>
      [...read(file).matchAll(/\bpassTime\([^\n]*/g)].map(([call]) => `${file}: ${call}`),
    )
    assert.ok(calls.length > 0)
    assert.deepEqual(
      calls.filter((call) => !/: passTime\([^'\n]+, '[^'\n]{15,}'/.test(call)),
      [],
    )
  })

  for (const source of [
    `import { setTimeout as sleep } from 'node:timers/${'promises'}'`,
    `await new Promise((resolve) => ${'setTimeout'}(resolve, 10))`,
    `new Promise((done) => ${'setTimeout'}(done, 5))`,
  ])
    test(`that hold ${source} are found`, () => assert.match(source, BARE_SLEEP))
})
