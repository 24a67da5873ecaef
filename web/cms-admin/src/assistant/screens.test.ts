import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assistantScreens } from '@stoa/cms-model/assistant.ts'
import { adminPath } from './markdown/admin-path.ts'
import { destinationOf, leavesDocument, shownAt } from './screens.ts'

describe('the screens that the assistant opens', () => {
  for (const screen of assistantScreens)
    test(`${screen} has an address in the admin`, () => {
      const { to, label } = destinationOf(screen, 'some-id') ?? assert.fail('it leads nowhere')
      assert.notEqual(adminPath(to), undefined, to)
      assert.notEqual(label, '')
    })

  test('that are not known lead nowhere', () => {
    for (const screen of ['', 'unknown', 'constructor', '__proto__', 'https://evil.test'])
      assert.equal(destinationOf(screen, 'x'), undefined, screen)
  })

  test('of one thing need to know which', () => {
    for (const screen of ['entry', 'type', 'visual', 'entries', 'entry_new'])
      assert.equal(destinationOf(screen), undefined, screen)
  })

  test('are in another document when one is the page editor, and the other is not', () => {
    assert.equal(leavesDocument('/media', '/edit/site'), true)
    assert.equal(leavesDocument('/edit/site', '/media'), true)
    assert.equal(leavesDocument('/edit/site', '/edit/1'), false)
    assert.equal(leavesDocument('/media', '/'), false)
  })

  test('take any id as one part of the address', () => {
    assert.equal(destinationOf('entry', '../../x?y')?.to, '/entries/..%2F..%2Fx%3Fy')
    assert.equal(destinationOf('entries', 'a/b')?.to, '/content/a%2Fb')
  })
})

describe('where a person is', () => {
  const id = '0198c5a0-1111-7222-8333-444455556666'

  test('follows from the address', () => {
    assert.deepEqual(shownAt('/'), { screen: 'dashboard' })
    assert.deepEqual(shownAt('/content/article'), { screen: 'entries', type: 'article' })
    assert.deepEqual(shownAt('/content/article/new'), { screen: 'entry_new', type: 'article' })
    assert.deepEqual(shownAt(`/content/article/${id}`), { screen: 'entry', type: 'article', entryId: id })
    assert.deepEqual(shownAt('/types/article'), { screen: 'type', type: 'article' })
    assert.deepEqual(shownAt('/settings/ai'), { screen: 'ai' })
    assert.deepEqual(shownAt('/social/posts/1'), { screen: 'social_posts' })
    assert.deepEqual(shownAt('/media'), { screen: 'media' })
    assert.deepEqual(shownAt(`/edit/${id}`), { screen: 'visual', entryId: id })
    assert.deepEqual(shownAt('/edit/site'), { screen: 'website' })
    assert.deepEqual(shownAt('/content/article/%'), { screen: 'entries', type: 'article' })
  })
})
