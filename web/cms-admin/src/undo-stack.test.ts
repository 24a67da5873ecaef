import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Step } from './undo-history.ts'
import { createUndoStack, type Holder, type Turned } from './undo-stack.ts'
import { wordsFor } from './undo-words.ts'

const stepOf = (source: string, to: string): Step => ({
  source,
  before: { text: `before ${to}` },
  after: { text: to },
  at: 0,
  place: null,
  label: source,
})
/** A window with screens of which one is open at a time. */
const openWindow = () => {
  const done: string[] = []
  const turns: Turned[] = []
  const opened: string[] = []
  const stack = createUndoStack({ open: (source) => opened.push(source), onTurned: (turned) => turns.push(turned) })
  const holderOf = (source: string, take: Holder['take'] = (step) => Object.keys(step.before)): Holder => ({
    holds: (other) => other === source,
    take: (step, turn) => {
      const members = take(step, turn)
      if (members !== 'busy' && members.length > 0) done.push(`${turn} ${step.after.text}`)
      return members
    },
  })
  return { stack, done, turns, opened, holderOf }
}

describe('the stack of a window', () => {
  test('goes back over everything in reverse order, and opens the screen that a step was made on', () => {
    const { stack, done, turns, opened, holderOf } = openWindow()
    for (const [source, to] of [
      ['page', 'headline'],
      ['site', 'link'],
      ['site', 'colour'],
    ] as const)
      stack.record(stepOf(source, to))
    const leaveSite = stack.offer(holderOf('site'))
    for (let press = 0; press < 3; press += 1) stack.undo()
    assert.deepEqual([done, opened], [['undo colour', 'undo link'], ['page']])
    leaveSite()
    const leavePage = stack.offer(holderOf('page'))
    assert.deepEqual(done.at(-1), 'undo headline')
    assert.deepEqual(
      turns.map(({ isMoved }) => isMoved),
      [false, false, true],
    )
    stack.undo()
    assert.deepEqual(stack.history().past, [])

    stack.redo()
    stack.redo()
    leavePage()
    stack.offer(holderOf('site'))
    assert.deepEqual(
      [done.slice(3), opened],
      [
        ['redo headline', 'redo link'],
        ['page', 'site'],
      ],
    )
  })

  test('drops a step of something that was changed elsewhere since, and says so', () => {
    const { stack, turns, holderOf } = openWindow()
    stack.record(stepOf('page', 'headline'))
    stack.offer(holderOf('page', () => []))
    stack.undo()
    assert.deepEqual(stack.history(), { past: [], future: [] })
    assert.ok(turns[0])
    assert.equal(wordsFor(turns[0])?.title, "Couldn't undo the change in page")
  })

  test('keeps the step while something has to be decided first', () => {
    const { stack, holderOf } = openWindow()
    stack.record(stepOf('page', 'headline'))
    stack.offer(holderOf('page', () => 'busy'))
    stack.undo()
    assert.equal(stack.history().past.length, 1)
  })

  test('what was asked for is not done later, when its screen could not be opened', () => {
    const { stack, done, holderOf } = openWindow()
    stack.record(stepOf('page', 'headline'))
    stack.undo()
    stack.stop()
    stack.offer(holderOf('page'))
    assert.deepEqual([done, stack.history().past.length], [[], 1])
    stack.forget('page')
    assert.equal(stack.history().past.length, 0)
  })

  test('says where something was undone, when that is another screen', () => {
    const step = { ...stepOf('page:1', 'x'), label: 'Home page' }
    const turned: Turned = { turn: 'undo', step, isPartial: false, isMoved: true }
    assert.equal(wordsFor(turned)?.title, 'Undone on Home page')
    const menu = { ...stepOf('menu:footer', 'x'), label: 'Footer menu' }
    assert.equal(wordsFor({ ...turned, turn: 'redo', step: menu })?.title, 'Redone in Footer menu')
    assert.equal(wordsFor({ ...turned, isMoved: false }), null)
    assert.equal(wordsFor({ ...turned, isPartial: true })?.title, 'Undone in part on Home page')
  })
})
