import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summaryOf, worstFirst } from './words.ts'

const check = (id: string, status: 'ok' | 'warning' | 'error') => ({
  id,
  status,
  message: '',
  action: null,
})

test('what is wrong comes first and is counted', () => {
  const checks = [check('a', 'ok'), check('b', 'warning'), check('c', 'error'), check('d', 'warning')]
  assert.equal(
    worstFirst(checks)
      .map(({ id }) => id)
      .join(''),
    'cbda',
  )
  assert.equal(summaryOf(checks), '1 error and 2 warnings')
  assert.equal(summaryOf([check('a', 'ok')]), 'All checks passed')
})
