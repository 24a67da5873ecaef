import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanStyle } from './styles.ts'

test('no margin is negative, however that is written', () => {
  for (const value of [
    '-1px',
    '0 -1px',
    'calc(-1px)',
    'calc(50px*-1)',
    'calc(50px/-2)',
    'max(0px,-9px)',
    'calc(1px + -9px)',
  ])
    assert.equal(cleanStyle(`margin-top: ${value}; color: red`), 'color: red', value)
  assert.equal(cleanStyle('margin: calc(2*10px) 0'), 'margin: calc(2*10px) 0')
})
