import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LABEL_NAME } from '@stoa/mail-model/labels.ts'
import { findLabel, labelsOf, newLabelName } from './labels.ts'

const label = (name: string, display_name = name) => ({ name, display_name })

test('labels are the words of the owner, not the marks of mail programs', () => {
  assert.deepEqual(labelsOf(['$seen', 'tax', '\\recent', 'NonJunk', 'junk', '$mdnsent', 'a b']), ['tax'])
})

test('a new label gets a name that every mail program can carry', () => {
  assert.equal(newLabelName(' Tax 2026! ', []), 'tax-2026')
  assert.equal(newLabelName('Übung & Spaß', []), 'ubung-spa')
  assert.equal(newLabelName(' ', []), '')
  for (const typed of ['日本', '!!', 'مهم', 'seen', 'x'.repeat(100)])
    assert.match(newLabelName(typed, []), LABEL_NAME, typed)
})

test('a name that another label has is not taken twice, and the same words give the same name', () => {
  assert.equal(newLabelName('Übung', [label('ubung', 'Ubung')]), 'ubung-2')
  assert.equal(newLabelName('seen', []), 'seen-2')
  assert.equal(newLabelName('日本', []), newLabelName('日本', []))
  assert.notEqual(newLabelName('日本', []), newLabelName('中国', []))
})

test('a label is found by what it is called, whatever the case, or by its name', () => {
  const known = [label('buro', 'Büro'), label('tax')]
  assert.equal(findLabel(' BÜRO ', known)?.name, 'buro')
  assert.equal(findLabel('Büro'.normalize('NFD'), known)?.name, 'buro')
  assert.equal(findLabel('tax', known)?.name, 'tax')
  assert.equal(findLabel('nobody', known), undefined)
})
