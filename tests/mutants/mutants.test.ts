import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ROOT } from '../structure/tree.ts'
import { applyMutant, type Mutant, outdated } from './mutant.ts'
import { mutants } from './mutants.ts'

describe('mutants', () => {
  test('each of them still fits the code, and names tests that are there', () => {
    const misfits = mutants.flatMap((mutant) => {
      const reason = outdated(ROOT, mutant)
      return reason === null ? [] : [`${mutant.rule}: ${reason}`]
    })
    assert.deepEqual(misfits, [])
  })

  test('no two are the same, and none needs a browser', () => {
    const places = mutants.map(({ file, find, replace }) => [file, find, replace].join('\n'))
    assert.equal(new Set(places).size, mutants.length)
    assert.equal(new Set(mutants.map(({ rule }) => rule)).size, mutants.length)
    assert.deepEqual(
      mutants.flatMap(({ tests }) => tests).filter((file) => /^tests\/(?:e2e|journeys|process|faults)\//.test(file)),
      [],
    )
  })

  test('one whose text is gone, occurs twice or changes nothing is out of date', () => {
    const fitting: Mutant = {
      rule: 'a test names the mutant that it is about',
      file: 'tests/mutants/mutant.ts',
      find: 'A rule of the program, ' + 'broken on purpose.',
      replace: 'nothing',
      tests: ['tests/mutants/mutants.test.ts'],
    }
    assert.equal(outdated(ROOT, fitting), null)
    assert.match(outdated(ROOT, { ...fitting, find: 'no such text' }) ?? '', /occurs 0 times/)
    assert.match(outdated(ROOT, { ...fitting, find: 'export const' }) ?? '', /occurs 2 times/)
    assert.match(outdated(ROOT, { ...fitting, replace: fitting.find }) ?? '', /changes nothing/)
    assert.match(outdated(ROOT, { ...fitting, tests: ['tests/none.test.ts'] }) ?? '', /there is no tests\/none/)
    assert.match(outdated(ROOT, { ...fitting, tests: [] }) ?? '', /names no test/)
    assert.equal(applyMutant('a b', { ...fitting, find: 'b', replace: '$& c' }), 'a $& c')
  })
})
