import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fullName, nameOf, shownPerson, subjectOf } from './people.ts'

const email = 'ann@outside.test'

describe('what strangers call themselves', () => {
  test('a name of signs that nobody sees is none, and no sign turns the text around it', () => {
    for (const name of ['\u200b\u200b', '\u202e', ' \u0000\u001b ', '', null])
      assert.equal(nameOf({ name, email }), email)
    assert.equal(nameOf({ name: 'Bank\u202egnp.exe', email }), 'Bank gnp.exe')
    assert.equal(subjectOf({ subject: 'a\u001b[31m\r\nb' }), 'a [31m b')
    assert.equal(subjectOf({ subject: '\u2066' }), 'No subject')
  })

  test('a name that is the address of somebody else does not stand for the sender', () => {
    assert.equal(nameOf({ name: 'info@bank.test', email }), email)
    assert.equal(nameOf({ name: 'Ann (ann@outside.test)', email }), 'Ann (ann@outside.test)')
    assert.equal(fullName({ name: 'info@bank.test', email }), 'info@bank.test <ann@outside.test>')
  })

  test('names of recipients are shown without invisible characters', () => {
    assert.deepEqual(shownPerson({ name: '\u202eAnn\u200b', email }), { name: 'Ann', email })
    assert.deepEqual(shownPerson({ name: '\u200b', email }), { name: null, email })
  })
})
