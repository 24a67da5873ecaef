import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Folder } from '@stoa/mail-model/folders.ts'
import { countOf, type FolderNode, folderTree, possibleParents, unreadBelow, unreadWords } from './folder-tree.ts'

const folder = (path: string, more: Partial<Folder> = {}): Folder => {
  const names = path.split('/')
  return {
    object: 'folder',
    id: path,
    name: names.at(-1) ?? '',
    path,
    parent_id: names.length > 1 ? names.slice(0, -1).join('/') : null,
    role: null,
    total: 0,
    unread: 0,
    threads: 0,
    unread_threads: 0,
    position: 100,
    ...more,
  }
}

const namesOf = (nodes: readonly FolderNode[]): unknown[] =>
  nodes.map(({ folder: { name }, children }) => (children.length === 0 ? name : [name, namesOf(children)]))

test('folders with a role come first, then one’s own by name, each below its parent', () => {
  const tree = folderTree([
    folder('Zoo'),
    folder('Trash', { role: 'trash' }),
    folder('Art/Greek'),
    folder('Art'),
    folder('INBOX', { role: 'inbox' }),
    folder('Sent', { role: 'sent' }),
  ])
  assert.deepEqual(namesOf(tree), ['INBOX', 'Sent', 'Trash', ['Art', ['Greek']], 'Zoo'])
})

test('a folder whose parent is not known is not lost', () => {
  assert.deepEqual(namesOf(folderTree([folder('Gone/Left')])), ['Left'])
})

test('the number of a folder is what waits in it, counted as its list shows it', () => {
  const [single, conversations] = [{ conversations: false }, { conversations: true }]
  const counted = (more: Partial<Folder>) => [single, conversations].map((by) => countOf(folder('a', more), by))
  assert.deepEqual(counted({ unread: 3, unread_threads: 1, total: 9, threads: 4 }), [3, 1])
  assert.deepEqual(counted({ role: 'drafts', total: 2, threads: 1 }), [2, 1])
  assert.deepEqual(counted({ role: 'trash', unread: 5, unread_threads: 5 }), [0, 0])
  const [node] = folderTree([folder('A'), folder('A/B', { unread: 2 }), folder('A/B/C', { unread: 1 })])
  assert.ok(node)
  assert.equal(unreadBelow(node, single), 3)
  const said = (unread: number, unread_threads: number) =>
    [single, conversations].map((by) => unreadWords(folder('a', { unread, unread_threads }), by))
  assert.deepEqual(said(3, 1), ['3 unread messages', '1 unread conversation'])
  assert.deepEqual(said(0, 0), ['', ''])
})

test('a folder goes neither into itself nor into one that is in it', () => {
  const art = folder('Art')
  const all = [art, folder('Art/Greek'), folder('Artful'), folder('Trash', { role: 'trash' })]
  assert.deepEqual(
    possibleParents(all, art).map(({ path }) => path),
    ['Artful'],
  )
})
