import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBatch } from './batch.ts'

const reader = (refused: ReadonlySet<string> = new Set()) => {
  const requests: string[] = []
  const load = createBatch({
    many: async (ids) => {
      requests.push(`${ids.length}`)
      return ids.filter((id) => !id.startsWith('gone')).map((id) => ({ id, by: 'list' }))
    },
    one: async (id) => {
      requests.push(id)
      if (refused.has(id)) throw new Error(`no ${id}`)
      return { id, by: 'name' }
    },
  })
  return { load, requests }
}

test('what is asked for in the same moment is one request, and the same thing is asked for once', async () => {
  const { load, requests } = reader()
  const found = await Promise.all(['a', 'b', 'a', 'c'].map(load))
  assert.deepEqual(
    found.map(({ id }) => id),
    ['a', 'b', 'a', 'c'],
  )
  assert.deepEqual(requests, ['3'])
  await Promise.all(['a', 'd'].map(load))
  assert.deepEqual(requests, ['3', '2'])
})

test('one alone is read by its name', async () => {
  const { load, requests } = reader()
  assert.deepEqual([await load('a'), requests], [{ id: 'a', by: 'name' }, ['a']])
})

test('more than a list holds are several requests', async () => {
  const { load, requests } = reader()
  await Promise.all(Array.from({ length: 201 }, (_, index) => load(`x${index}`)))
  assert.deepEqual(requests, ['100', '100', 'x200'])
})

test('what the list leaves out is asked for by name, and only it is refused', async () => {
  const { load, requests } = reader(new Set(['gone-for-good']))
  const results = await Promise.allSettled(['a', 'gone-elsewhere', 'gone-for-good'].map(load))
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value.by : String(result.reason))),
    ['list', 'name', 'Error: no gone-for-good'],
  )
  assert.deepEqual(requests, ['3', 'gone-elsewhere', 'gone-for-good'])
})

test('a list that fails fails for all who asked, and the next ones are read', async () => {
  let fails = true
  const load = createBatch({
    many: async (ids) => {
      if (fails) throw new Error('offline')
      return ids.map((id) => ({ id }))
    },
    one: async (id) => ({ id }),
  })
  for (const result of await Promise.allSettled(['a', 'b'].map(load))) assert.equal(result.status, 'rejected')
  fails = false
  assert.equal((await Promise.all(['a', 'b'].map(load))).length, 2)
})
