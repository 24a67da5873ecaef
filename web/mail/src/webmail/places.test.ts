import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Folder } from '@stoa/mail-model/folders.ts'
import { folderName, folderPath, placeFilter, placeName, placeOfFolder, placePath, readPlace } from './places.ts'

const folder = (name: string, role: Folder['role'], id = `id-${name}`): Folder => ({
  object: 'folder',
  id,
  name,
  path: name,
  parent_id: null,
  role,
  total: 0,
  unread: 0,
  threads: 0,
  unread_threads: 0,
  position: 0,
})
const folders = [folder('INBOX', 'inbox'), folder('Projects', null)]

test('a folder is found by its role and by its id, and has one address', () => {
  const inbox = readPlace('inbox', folders)
  assert.deepEqual(inbox, readPlace('id-INBOX', folders))
  assert.ok(inbox?.kind === 'folder')
  assert.equal(placeOfFolder(inbox.folder), 'inbox')
  assert.equal(placeName(inbox), 'Inbox')
  assert.equal(readPlace('id-Projects', folders)?.kind, 'folder')
  assert.equal(readPlace('id-gone', folders), undefined)
})

test('labels, all mail and what is scheduled are places as well', () => {
  assert.deepEqual(readPlace('label-tax', folders), { kind: 'label', label: 'tax', name: 'tax' })
  assert.deepEqual(readPlace('search', folders), { kind: 'search' })
  assert.deepEqual(readPlace('scheduled', folders), { kind: 'scheduled' })
  assert.equal(folderName({ name: 'Inbox of Ann', role: 'inbox' }), 'Inbox of Ann')
})

test('a folder that is called by signs that nobody sees can be seen', () => {
  assert.equal(folderName({ name: '\u200b', role: null }), '(no name)')
  assert.equal(folderPath({ name: 'gnp', path: 'Art/\u202egnp', role: null }), 'Art/gnp')
})

test('a filter holds the place together with the words', () => {
  const [inbox] = folders
  assert.ok(inbox)
  assert.deepEqual(placeFilter({ kind: 'folder', folder: inbox }, ' from:ann '), {
    folder_id: 'id-INBOX',
    search: 'from:ann',
  })
  assert.deepEqual(placeFilter({ kind: 'label', label: 'tax', name: 'tax' }, 'a OR b'), { search: 'label:tax a OR b' })
  assert.deepEqual(placeFilter({ kind: 'search' }, ''), {})
})

test('a place that is no word is written so that it stays one part of the address', () => {
  assert.equal(placePath('label-a/b', 'm1'), '/webmail/label-a%2Fb/m1')
})
