import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { arrange } from './arrange.ts'

const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id)

describe('what is registered', () => {
  test('comes in the order that it asks for, equal ones as they were listed', () => {
    const items = [
      { id: 'late', order: 30 },
      { id: 'first', order: 10 },
      { id: 'second', order: 10 },
    ]
    assert.deepEqual(idsOf(arrange(items, [])), ['first', 'second', 'late'])
    assert.deepEqual(idsOf(items), ['late', 'first', 'second'])
  })

  test('is for those who may use it', () => {
    const items = [
      { id: 'all', order: 1 },
      { id: 'readers', order: 2, needs: 'content.read' as const },
      { id: 'admins', order: 3, needs: 'settings.manage' as const },
    ]
    assert.deepEqual(idsOf(arrange(items, ['content.read'])), ['all', 'readers'])
    assert.deepEqual(idsOf(arrange(items, [])), ['all'])
  })

  test('cannot be replaced by something with the same id that comes later', () => {
    const items = [
      { id: 'media', order: 2, from: 'admin' },
      { id: 'media', order: 1, from: 'plugin' },
    ]
    assert.deepEqual(arrange(items, []), [{ id: 'media', order: 2, from: 'admin' }])
  })

  test('leaves its id free where a person may not use it', () => {
    const items = [
      { id: 'start', order: 1, needs: 'settings.manage' as const, to: '/settings' },
      { id: 'start', order: 1, to: '/media' },
    ]
    assert.deepEqual(
      arrange(items, []).map(({ to }) => to),
      ['/media'],
    )
  })
})
