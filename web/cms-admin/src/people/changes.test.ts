import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { User } from '@stoa/cms-model/accounts.ts'
import { rolesFor } from '../accounts/roles.ts'
import { changesOf, endsSessions } from './changes.ts'

const person: User = {
  id: '018f0000-0000-7000-8000-000000000000',
  email: 'ada@example.test',
  name: 'Ada',
  role: 'author',
  avatarUrl: null,
  totp: false,
  version: 3,
  createdAt: '2026-03-01T12:00:00.000Z',
  updatedAt: '2026-03-01T12:00:00.000Z',
}
const values = { name: 'Ada', email: 'ada@example.test', role: 'author', password: '' } as const

describe('changes of a person', () => {
  test('hold only what differs; an empty password is no password', () => {
    assert.deepEqual(changesOf(person, values), {})
    assert.deepEqual(changesOf(person, { ...values, name: 'Ada L.' }), { name: 'Ada L.' })
    assert.deepEqual(changesOf(person, { ...values, role: 'editor', password: 'x' }), { role: 'editor', password: 'x' })
  })

  test('a new name keeps the sessions, everything else ends them', () => {
    assert.equal(endsSessions({ name: 'Ada L.' }), false)
    for (const change of [{ email: 'a@b.test' }, { role: 'viewer' as const }, { password: 'x' }])
      assert.equal(endsSessions(change), true)
  })
})

describe('roles that can be given', () => {
  test('are never above the own', () => {
    assert.deepEqual(rolesFor('admin'), ['viewer', 'author', 'editor', 'admin'])
    assert.deepEqual(rolesFor('owner').at(-1), 'owner')
    assert.deepEqual(rolesFor('viewer'), ['viewer'])
  })
})
