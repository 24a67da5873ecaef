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

test('only functions that colour and measure stay', () => {
  for (const value of [
    'var(--x)',
    'attr(title)',
    'env(x)',
    'element(#x)',
    'paint(x)',
    'rgb(1,2,3) var(--x)',
    'x(1)',
    '(1)',
  ])
    assert.equal(cleanStyle(`width: ${value}; color: red`), 'color: red', value)
  assert.equal(cleanStyle('color: rgb(1,2,3); width: calc(1px + 2px)'), 'color: rgb(1,2,3); width: calc(1px + 2px)')
})
