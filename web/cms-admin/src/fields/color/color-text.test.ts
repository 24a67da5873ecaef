import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepTransparency, pickerColor, readColor } from './color-text.ts'

test('colours are read in the ways people write them', () => {
  assert.equal(readColor('FFAA00'), '#ffaa00')
  assert.equal(readColor('abc'), '#abc')
  assert.equal(readColor('rgb(255, 0, 16)'), '#ff0010')
  assert.equal(readColor(' '), null)
  assert.equal(readColor('rgb(256, 0, 0)'), 'rgb(256, 0, 0)')
  assert.equal(readColor('reddish'), 'reddish')
})

test('the picker gets six digits, and leaves the transparency alone', () => {
  assert.equal(pickerColor('#Abc'), '#aabbcc')
  assert.equal(pickerColor('#aabbcc80'), '#aabbcc')
  assert.equal(pickerColor('#abcd'), undefined)
  assert.equal(keepTransparency('#000000', '#aabbcc80'), '#00000080')
  assert.equal(keepTransparency('#000000', '#abc'), '#000000')
})
