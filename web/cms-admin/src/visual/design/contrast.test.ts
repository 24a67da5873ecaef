import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contrastOf, textPairs } from './contrast.ts'

const rounded = (text: string, background: string): string | undefined => contrastOf(text, background)?.toFixed(2)

test('the ratio of two colours is that of WCAG, whichever is lighter', () => {
  assert.equal(rounded('#000', '#ffffff'), '21.00')
  assert.equal(rounded('#ffffff', '#000000'), '21.00')
  assert.equal(rounded('#777777', '#ffffff'), '4.48')
  assert.equal(rounded('#767676', '#fff'), '4.54')
  assert.equal(rounded('#1a56db', '#1a56db'), '1.00')
})

test('colours are read in every way that they are usually written', () => {
  for (const red of ['rgb(255, 0, 0)', 'rgb(255 0 0)', 'rgb(100% 0% 0%)', 'hsl(0 100% 50%)', 'hsl(1turn, 100%, 50%)'])
    assert.equal(rounded(red, '#fff'), rounded('#ff0000', '#fff'), red)
  assert.equal(rounded('hsl(240 100% 50%)', '#fff'), rounded('#00f', '#fff'))
  assert.equal(rounded('hsl(120deg 100% 50%)', '#fff'), rounded('#00ff00', '#fff'))
})

test('a see-through text is judged as it is seen, and nothing is said of a background that shows what is below', () => {
  assert.equal(rounded('#00000080', '#ffffff'), rounded('#7f7f7f', '#ffffff'))
  assert.equal(rounded('rgb(0 0 0 / 40%)', '#ffffff'), rounded('#999999', '#ffffff'))
  assert.equal(contrastOf('#000', '#ffffff80'), null)
})

test('nothing is said of colours that are not read', () => {
  for (const color of ['oklch(0.7 0.1 200)', 'hwb(0 0% 0%)', 'rgb(none 0 0)', '#12', '', 'red'])
    assert.equal(contrastOf(color, '#fff'), null, color)
})

const color = (key: string, label = key) => ({ key, label, type: 'color' })
const pairsOf = (...properties: { key: string; label: string; type: string }[]) =>
  textPairs(properties).map(({ text, background }) => `${text.key} on ${background.key}`)

test('a text stands on the background that is named like it', () => {
  assert.deepEqual(
    pairsOf(color('background'), color('text'), color('buttonBackground'), color('buttonText'), color('accent')),
    ['text on background', 'buttonText on buttonBackground'],
  )
})

test('a text without a background of its own stands on the general one, or on the only one', () => {
  assert.deepEqual(pairsOf(color('mutedText'), color('background'), color('cardBackground')), [
    'mutedText on background',
  ])
  assert.deepEqual(pairsOf(color('ink'), color('paper', 'Page background')), ['ink on paper'])
  assert.deepEqual(pairsOf(color('ink'), color('cardBackground'), color('heroBackground')), [])
})

test('only colours are pairs', () => {
  assert.deepEqual(pairsOf({ ...color('textSize'), type: 'length' }, color('background')), [])
  assert.deepEqual(pairsOf(color('text'), { ...color('backgroundImage'), type: 'media' }), [])
})
