import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ProblemError, problemOf } from '../request/problem.ts'
import { differs, splitProblem } from './form-errors.ts'

const values = { email: '', items: [] }

describe('problems of a form', () => {
  test('a named field gets its message and the whole form stays quiet', () => {
    const split = splitProblem({ message: 'Refused', fields: [{ key: 'email', message: 'is taken' }] }, values)
    assert.deepEqual(split, { errors: { email: 'is taken' }, message: undefined })
  })

  test('a nested key belongs to the input that holds it', () => {
    const split = splitProblem(
      { message: 'Refused', fields: [{ key: 'items.2.url', message: 'is no address' }] },
      values,
    )
    assert.deepEqual(split.errors, { items: 'is no address' })
  })

  test('a field without an input is said in words, so that nothing is hidden', () => {
    const split = splitProblem({ message: 'Refused', fields: [{ key: 'plan', message: 'is unknown' }] }, values)
    assert.deepEqual(split, { errors: {}, message: 'Refused\nplan: is unknown' })
  })

  test('the first message of a field wins', () => {
    const fields = [
      { key: 'email', message: 'first' },
      { key: 'email', message: 'second' },
    ]
    assert.deepEqual(splitProblem({ message: '', fields }, values).errors, { email: 'first' })
  })

  test('a name from the prototype is not an input', () => {
    const split = splitProblem({ message: 'Refused', fields: [{ key: 'constructor', message: 'x' }] }, values)
    assert.deepEqual(split.errors, {})
  })

  test('the words of an unknown error are not shown', () => {
    assert.doesNotMatch(problemOf(new TypeError('x is undefined')).message, /undefined/)
    assert.equal(problemOf(new ProblemError('The address is taken.')).message, 'The address is taken.')
  })
})

describe('unsaved changes', () => {
  const cases: readonly [a: unknown, b: unknown, different: boolean][] = [
    [{ a: 1 }, { a: 1 }, false],
    [{ a: 1 }, { a: 2 }, true],
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ a: ['x', { y: 1 }] }, { a: ['x', { y: 1 }] }, false],
    [{ a: ['x'] }, { a: ['y'] }, true],
    [{ a: [] }, { a: {} }, true],
    [null, {}, true],
    [Number.NaN, Number.NaN, false],
  ]
  for (const [a, b, different] of cases) {
    test(`${JSON.stringify(a)} and ${JSON.stringify(b)} ${different ? 'differ' : 'are the same'}`, () => {
      assert.equal(differs(a, b), different)
      assert.equal(differs(b, a), different)
    })
  }
})
