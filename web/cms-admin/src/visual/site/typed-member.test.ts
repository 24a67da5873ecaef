import assert from 'node:assert/strict'
import { test } from 'node:test'
import { typedMember } from './typed-member.ts'

const home = { id: 'a1', label: 'Home', url: '/', children: [] }
const hours = { id: 'b2', label: 'Hours', url: '/hours', children: [] }

test('typing in a link names the member that changed', () => {
  assert.equal(typedMember([home, hours], [home, { ...hours, label: 'Opening hours' }]), 'b2.label')
  assert.equal(typedMember([home, hours], [{ ...home, url: '/home' }, hours]), 'a1.url')
})

test('links that come, go, move or lead to an entry are no typing', () => {
  assert.equal(typedMember([home], [home, hours]), null)
  assert.equal(typedMember([home, hours], [home]), null)
  assert.equal(typedMember([home, hours], [hours, home]), null)
  assert.equal(typedMember([home], [{ id: 'a1', label: 'Start', url: '/start', children: [] }]), null)
  assert.equal(typedMember([home], [{ ...home, target: '_blank' as const }]), null)
})
