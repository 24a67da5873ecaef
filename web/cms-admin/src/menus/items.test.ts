import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createMenuInput } from '@stoa/cms-model/menus.ts'
import { inNewTab, menuProblems, newEntryLink, newLink, problemsAt, toAddress, toEntry } from './items.ts'

const ENTRY = { id: '01890a5d-ac96-774b-bcce-b302099a8057', title: 'About us' }

describe('items of a menu', () => {
  test('an item leads to an address or to an entry, never to both', () => {
    const link = inNewTab({ ...newLink(), label: 'Shop', url: 'https://example.com' }, true)
    const entry = toEntry(link, ENTRY)
    assert.deepEqual(entry, { id: link.id, label: 'Shop', entryId: ENTRY.id, target: '_blank' })
    assert.deepEqual(toAddress(entry, '/shop'), { id: link.id, label: 'Shop', url: '/shop', target: '_blank' })
    assert.deepEqual(inNewTab(entry, false), { id: link.id, label: 'Shop', entryId: ENTRY.id })
    assert.equal(toEntry(newLink(), ENTRY).label, 'About us')
    const items = [entry, newEntryLink(ENTRY.id, 'About')].map((item) => ({ ...item, children: [] }))
    assert.ok(createMenuInput.safeParse({ name: 'main', items }).success)
  })

  test('mistakes are named at their item, once and in words', () => {
    const wrong = { ...newLink(), children: [] }
    const right = {
      id: 'b',
      label: 'B',
      url: '/b',
      children: [{ ...newLink(), label: 'X', url: 'nowhere', children: [] }],
    }
    const problems = menuProblems({ label: 'Main', items: [wrong, right] })
    assert.deepEqual(
      problems.map(({ key }) => key),
      ['items.0.label', 'items.0.url', 'items.1.children.0.url'],
    )
    assert.deepEqual(
      problemsAt(problems, 'items.0').map(({ message }) => message),
      ['Enter a label.', 'Enter a URL, or choose an entry.'],
    )
    assert.deepEqual(problemsAt(problems, 'items.1'), [])
    assert.match(problemsAt(problems, 'items.1.children.0')[0]?.message ?? '', /^Must be an http/)
    assert.deepEqual(menuProblems({ label: 'Main', items: [] }), [])
  })
})
