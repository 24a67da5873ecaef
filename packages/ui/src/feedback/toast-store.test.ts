import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createToastStore } from './toast-store.ts'

describe('toasts', () => {
  test('a problem stays until it is closed, the rest goes by itself', () => {
    const store = createToastStore()
    const problem = store.show({ title: 'Not saved', tone: 'danger' })
    store.show({ title: 'Saved' })
    assert.deepEqual(
      store.list().map((toast) => toast.durationMs === null),
      [true, false],
    )
    store.close(problem)
    assert.deepEqual(
      store.list().map((toast) => toast.title),
      ['Saved'],
    )
  })

  test('an action such as Undo gives more time', () => {
    const store = createToastStore()
    store.show({ title: 'Deleted', action: { label: 'Undo', onAction: () => undefined } })
    store.show({ title: 'Saved' })
    const [withAction, without] = store.list()
    assert.ok((withAction?.durationMs ?? 0) > (without?.durationMs ?? 0))
  })

  test('one that counts down stays until its moment', () => {
    const store = createToastStore()
    const countdown = { from: 0, until: 20_000, words: (seconds: number) => `In ${seconds} s`, done: 'Done' }
    store.show({ title: 'Later', durationMs: 1, countdown })
    assert.equal(store.list()[0]?.durationMs, null)
  })

  test('the oldest gives way when there are too many', () => {
    const store = createToastStore()
    for (const title of ['a', 'b', 'c', 'd', 'e']) store.show({ title })
    assert.deepEqual(
      store.list().map((toast) => toast.title),
      ['b', 'c', 'd', 'e'],
    )
  })

  test('work that goes on changes what its toast says, and nothing once it is closed', () => {
    const store = createToastStore()
    const id = store.show({ title: 'Moving', durationMs: null, progress: { done: 0, total: 9, unit: 'messages' } })
    store.update(id, { progress: { done: 4, total: 9, unit: 'messages' } })
    assert.deepEqual(
      store.list().map((toast) => [toast.title, toast.progress?.done, toast.durationMs]),
      [['Moving', 4, null]],
    )
    store.close(id)
    store.update(id, { title: 'Late' })
    assert.deepEqual(store.list(), [])
  })

  test('a listener is called on changes until it unsubscribes', () => {
    const store = createToastStore()
    let calls = 0
    const leave = store.subscribe(() => {
      calls += 1
    })
    store.show({ title: 'a' })
    leave()
    store.show({ title: 'b' })
    assert.equal(calls, 1)
  })
})
