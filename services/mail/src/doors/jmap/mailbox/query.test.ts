import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Answer } from '../testing/client.ts'
import { type GroundMailbox, type JmapGround, startJmap } from '../testing/ground.ts'

let ground: JmapGround
before(async () => {
  ground = await startJmap()
})
after(() => ground.close())

let people = 0
/** A mailbox of its own for each test. */
const someone = (): Promise<GroundMailbox> => ground.mailbox(`person-${++people}@example.test`)

const make = async ({ client, accountId }: GroundMailbox, objects: Record<string, unknown>): Promise<Answer> => {
  const answer = await client.one('Mailbox/set', { accountId, create: objects })
  assert.equal(answer.notCreated, null)
  return answer.created
}
describe('Mailbox/query', () => {
  const query = async ({ client, accountId }: GroundMailbox, args: Record<string, unknown>): Promise<Answer> =>
    client.one('Mailbox/query', { accountId, ...args })
  /** A small forest: A, A/Z, A/Y, B, B/X. */
  const plant = async (ann: GroundMailbox) =>
    make(ann, {
      a: { name: 'a', sortOrder: 9 },
      z: { name: 'z', parentId: '#a', sortOrder: 1 },
      y: { name: 'Y', parentId: '#a', sortOrder: 2, isSubscribed: false },
      b: { name: 'B', sortOrder: 8 },
      x: { name: 'x', parentId: '#b', sortOrder: 0 },
    })

  test('filters by parent, name, role and subscription, with operators', async () => {
    const ann = await someone()
    const { a, b, x, y, z } = await plant(ann)
    const idsOf = async (filter: unknown) => new Set((await query(ann, { filter })).ids)
    assert.deepEqual(await idsOf({ parentId: a.id }), new Set([z.id, y.id]))
    assert.equal((await idsOf({ parentId: null })).size, 9)
    assert.deepEqual(await idsOf({ name: 'y' }), new Set([y.id]))
    assert.deepEqual(await idsOf({ role: 'inbox' }), new Set([ann.folders.inbox]))
    assert.deepEqual(await idsOf({ hasAnyRole: false }), new Set([a.id, b.id, x.id, y.id, z.id]))
    assert.deepEqual(await idsOf({ isSubscribed: false }), new Set([y.id]))
    const both = {
      operator: 'AND',
      conditions: [{ hasAnyRole: false }, { operator: 'NOT', conditions: [{ name: 'a' }, { name: 'b' }] }],
    }
    assert.deepEqual(await idsOf(both), new Set([x.id, y.id, z.id]))
    assert.equal((await idsOf(null)).size, 12)
    assert.equal((await idsOf({})).size, 12)
  })

  test('sorts by name and order, as a list and as a tree', async () => {
    const ann = await someone()
    const { a, b, x, y, z } = await plant(ann)
    const filter = { hasAnyRole: false }
    const byName = [{ property: 'name' }]
    assert.deepEqual((await query(ann, { filter, sort: byName })).ids, [a.id, b.id, x.id, y.id, z.id])
    const tree = await query(ann, { filter, sort: byName, sortAsTree: true })
    assert.deepEqual(tree.ids, [a.id, y.id, z.id, b.id, x.id])
    const down = await query(ann, { filter, sort: [{ property: 'sortOrder', isAscending: false }], sortAsTree: true })
    assert.deepEqual(down.ids, [a.id, y.id, z.id, b.id, x.id])
    const octets = await query(ann, { filter, sort: [{ property: 'name', collation: 'i;octet' }] })
    assert.deepEqual(octets.ids, [b.id, y.id, a.id, x.id, z.id])
  })

  test('as a tree, leaves out what is below a mailbox that does not fit', async () => {
    const ann = await someone()
    const { a, b, x } = await plant(ann)
    const filter = { operator: 'NOT', conditions: [{ hasAnyRole: true }, { name: 'y' }, { name: 'z' }] }
    assert.deepEqual(new Set((await query(ann, { filter, filterAsTree: true })).ids), new Set([a.id, b.id, x.id]))
    const only = await query(ann, { filter: { name: 'y' }, filterAsTree: true })
    assert.deepEqual(only.ids, [])
  })

  test('gives a window by position, anchor and limit', async () => {
    const ann = await someone()
    const { b, x, y, z } = await plant(ann)
    const base = { filter: { hasAnyRole: false }, sort: [{ property: 'name' }], calculateTotal: true }
    const window = async (more: object) => {
      const answer = await query(ann, { ...base, ...more })
      return [answer.position, answer.ids, answer.total]
    }
    assert.deepEqual(await window({ position: 1, limit: 2 }), [1, [b.id, x.id], 5])
    assert.deepEqual(await window({ position: -2 }), [3, [y.id, z.id], 5])
    assert.deepEqual(await window({ position: 10 }), [10, [], 5])
    assert.deepEqual(await window({ anchor: x.id, anchorOffset: -1, limit: 2 }), [1, [b.id, x.id], 5])
    assert.deepEqual(await window({ anchor: z.id, anchorOffset: -10, limit: 0 }), [0, [], 5])
    const { accountId, client } = ann
    assert.equal(await client.error('Mailbox/query', { accountId, anchor: 'none' }), 'anchorNotFound')
    assert.equal(await client.error('Mailbox/query', { accountId, limit: -1 }), 'invalidArguments')
    assert.equal(await client.error('Mailbox/query', { accountId, filter: { colour: 1 } }), 'unsupportedFilter')
    assert.equal(await client.error('Mailbox/query', { accountId, sort: [{ property: 'role' }] }), 'unsupportedSort')
    assert.equal(
      await client.error('Mailbox/query', { accountId, filter: { operator: 'XOR', conditions: [] } }),
      'invalidArguments',
    )
  })

  test('queryChanges turns the old results into the new ones', async () => {
    const ann = await someone()
    const { accountId, client } = ann
    const { a, z, x } = await plant(ann)
    for (const more of [{}, { sortAsTree: true }, { sortAsTree: true, filterAsTree: true }]) {
      const args = { accountId, filter: { hasAnyRole: false }, sort: [{ property: 'name' }], ...more }
      const before = await client.one('Mailbox/query', args)
      const same = await client.one('Mailbox/queryChanges', { ...args, sinceQueryState: before.queryState })
      assert.deepEqual([same.removed, same.added], [[], []])
      const key = Object.keys(more).length
      await client.one('Mailbox/set', {
        accountId,
        create: { n: { name: `m${key}`, parentId: a.id } },
        update: { [a.id]: { name: key % 2 === 0 ? 'w' : 'a' }, [z.id]: { parentId: null } },
        ...(key === 2 && { destroy: [x.id] }),
      })
      const changes = await client.one('Mailbox/queryChanges', {
        ...args,
        sinceQueryState: before.queryState,
        calculateTotal: true,
      })
      const after = await client.one('Mailbox/query', args)
      const ids: string[] = before.ids.filter((id: string) => !changes.removed.includes(id))
      for (const { id, index } of changes.added) ids.splice(index, 0, id)
      assert.deepEqual(ids, after.ids)
      assert.equal(changes.total, after.ids.length)
      const tight = { ...args, sinceQueryState: before.queryState, maxChanges: 1 }
      assert.equal(await client.error('Mailbox/queryChanges', tight), 'tooManyChanges')
    }
  })
})
