import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { groupsOf, inGroups, type NavigationItem } from './navigation.ts'

const item = (members: Pick<NavigationItem, 'id' | 'group'> & Partial<NavigationItem>): NavigationItem => ({
  to: `/${members.id}`,
  label: members.id,
  icon: null,
  order: 0,
  ...members,
})

const items = [
  item({ id: 'settings', group: 'site' }),
  item({ id: 'media', group: 'content', badge: 3 }),
  item({ id: 'dashboard', group: 'start', to: '/' }),
  item({ id: 'posts', group: 'content' }),
]

describe('the navigation', () => {
  test('goes from group to group, and leaves out those without items', () => {
    assert.deepEqual(
      groupsOf(items).map((group) => [group.label, group.items.map(({ to }) => to)]),
      [
        [undefined, ['/']],
        ['Content', ['/media', '/posts']],
        ['Site', ['/settings']],
      ],
    )
  })

  test('shows how many wait', () => {
    const counts = groupsOf(items).flatMap((group) => group.items.map(({ to, count }) => [to, count]))
    assert.deepEqual(Object.fromEntries(counts)['/media'], 3)
    assert.deepEqual(Object.fromEntries(counts)['/posts'], undefined)
  })

  test('has the same order in the command menu', () => {
    assert.deepEqual(
      inGroups(items).map(({ id }) => id),
      ['dashboard', 'media', 'posts', 'settings'],
    )
  })
})
