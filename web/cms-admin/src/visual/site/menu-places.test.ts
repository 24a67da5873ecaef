import assert from 'node:assert/strict'
import { test } from 'node:test'
import { typedPlace } from './menu-places.ts'

const home = { id: 'a1', label: 'Home', url: '/', children: [] }
const hours = { id: 'b2', label: 'Hours', url: '/hours', children: [] }

test('typing in a link has a place of its own', () => {
  assert.equal(typedPlace([home, hours], [home, { ...hours, label: 'Opening hours' }]), 'b2.label')
  assert.equal(typedPlace([home, hours], [{ ...home, url: '/home' }, hours]), 'a1.url')
})

test('links that come, go, move or lead to an entry are no typing', () => {
  assert.equal(typedPlace([home], [home, hours]), null)
  assert.equal(typedPlace([home, hours], [home]), null)
  assert.equal(typedPlace([home, hours], [hours, home]), null)
  assert.equal(typedPlace([home], [{ id: 'a1', label: 'Start', url: '/start', children: [] }]), null)
  assert.equal(typedPlace([home], [{ ...home, target: '_blank' as const }]), null)
})
