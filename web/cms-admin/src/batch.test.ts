import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBatch } from './batch.ts'

const id = (index: number) => `0199a000-0000-7000-8000-${String(index).padStart(12, '0')}`
const [a, b, c, d] = [id(1), id(2), id(3), id(4)]

const reader = ({ unlisted = [], refused = [] }: { unlisted?: string[]; refused?: string[] } = {}) => {
  const requests: (string | number)[] = []
  const load = createBatch({
    many: async (ids) => {
      requests.push(ids.length)
      return ids.filter((wanted) => !unlisted.includes(wanted)).map((found) => ({ id: found, by: 'list' }))
    },
    one: async (wanted) => {
      requests.push(wanted)
      if (refused.includes(wanted)) throw new Error('refused')
      return { id: wanted, by: 'name' }
    },
  })
  return { load, requests }
}

test('what is asked for in the same moment is one request, and the same thing is asked for once', async () => {
  const { load, requests } = reader()
  const found = await Promise.all([a, b, a, c].map(load))
  assert.deepEqual(
    found.map((record) => record.id),
    [a, b, a, c],
  )
  assert.deepEqual(requests, [3])
  await Promise.all([a, d].map(load))
  assert.deepEqual(requests, [3, 2])
})

test('one alone is read by its name', async () => {
  const { load, requests } = reader()
  assert.deepEqual([await load(a), requests], [{ id: a, by: 'name' }, [a]])
})

test('more than a list holds are several requests', async () => {
  const { load, requests } = reader()
  await Promise.all(Array.from({ length: 201 }, (_, index) => load(id(index))))
  assert.deepEqual(requests, [100, 100, id(200)])
})

test('what the list leaves out is asked for by name, and only it is refused', async () => {
  const { load, requests } = reader({ unlisted: [b, c], refused: [c] })
  const results = await Promise.allSettled([a, b, c].map(load))
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value.by : String(result.reason))),
    ['list', 'name', 'Error: refused'],
  )
  assert.deepEqual(requests, [3, b, c])
})

test('what is no id spoils no request of others', async () => {
  const { load, requests } = reader({ refused: ['nonsense'] })
  const results = await Promise.allSettled([a, 'nonsense', b].map(load))
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(requests, ['nonsense', 2])
})

test('a list that fails fails for all who asked, and the next ones are read', async () => {
  let fails = true
  const load = createBatch({
    many: async (ids) => {
      if (fails) throw new Error('offline')
      return ids.map((wanted) => ({ id: wanted }))
    },
    one: async (wanted) => ({ id: wanted }),
  })
  for (const result of await Promise.allSettled([a, b].map(load))) assert.equal(result.status, 'rejected')
  fails = false
  assert.equal((await Promise.all([a, b].map(load))).length, 2)
})
