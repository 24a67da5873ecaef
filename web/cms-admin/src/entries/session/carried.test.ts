import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { createUndoStack } from '../../undo-stack.ts'
import { createCarried } from './carried.ts'
import { entryWith } from './testing/entries.ts'
import { refusal } from './testing/service.ts'
import { open, settle } from './testing/session.ts'

beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }))
afterEach(() => mock.timers.reset())

const openWindow = () => {
  const stack = createUndoStack()
  const notified: string[] = []
  const carried = createCarried({ stack, onUnsaved: (session) => notified.push(session.state().values.title) })
  return { stack, notified, carried }
}
const { id } = entryWith()

describe('work that a window carries', () => {
  test('what saves by itself is saved when its screen is left, and needs no carrying', async () => {
    const { stack, notified, carried } = openWindow()
    const { session, service } = open(entryWith(), { stack })
    session.change('title', 'New')
    await carried.leave(session)
    assert.equal(service.entry?.title, 'New')
    assert.deepEqual([carried.sessionOf(id), carried.unsaved(), notified], [undefined, [], []])
  })

  test('what does not is reported, and is there when the screen is opened again', async () => {
    const { stack, notified, carried } = openWindow()
    const { session, service } = open(entryWith({ publishAt: '2027-01-01T00:00:00.000Z' }), { stack })
    session.change('title', 'Half a sen')
    await carried.leave(session)
    assert.deepEqual([service.writes, carried.unsaved(), notified], [[], [id], ['Half a sen']])
    const again = carried.sessionOf(id)
    assert.equal(again, session)
    again?.start()
    stack.undo()
    assert.equal(session.state().values.title, 'Harbour')
    await carried.leave(session)
    assert.deepEqual([carried.sessionOf(id), carried.unsaved()], [undefined, []])
  })

  test('what was left without a connection is saved when it is back', async () => {
    const { stack, carried } = openWindow()
    const { session, service } = open(entryWith(), { stack })
    service.answers = [refusal(0, 'no_answer')]
    session.change('title', 'In a tunnel')
    await carried.leave(session)
    assert.deepEqual([service.entry?.title, carried.unsaved()], ['Harbour', [id]])
    carried.online()
    await settle()
    assert.deepEqual([service.entry?.title, carried.unsaved(), carried.sessionOf(id)], ['In a tunnel', [], undefined])
  })
})
