import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runs } from '@stoa/tests/lib/runs.ts'
import fc from 'fast-check'
import { MAX_DEPTH, normaliseName } from '../../store/folders/folder-paths.ts'
import { ROLE_FOLDERS } from '../../store/folders/folder-roles.ts'
import { keepFlags } from './copy-folder.ts'
import { planFolders, type SourceFolder } from './folders.ts'

const folder = (path: string, more: Partial<SourceFolder> = {}): SourceFolder => ({
  path,
  delimiter: '/',
  specialUse: null,
  isSaid: false,
  flags: new Set(),
  messages: 1,
  ...more,
})
const ALL = { folders: null, excluded: [] }
type Given = { prefix?: string; foreign?: string[]; folders?: string[]; excluded?: string[] }
const plan = (listed: SourceFolder[], { prefix = '', foreign = [], ...wishes }: Given = {}, paths = {}) =>
  planFolders(listed, { prefix, foreign }, { ...ALL, ...wishes }, { ...ROLE_FOLDERS, ...paths })
const targets = (...args: Parameters<typeof plan>) =>
  Object.fromEntries(plan(...args).planned.map(({ path, targetPath }) => [path, targetPath]))

describe('folders of a source', () => {
  test('go to the folders of their roles, wherever those are here, with what is below them', () => {
    const listed = [
      folder('Sent Items', { specialUse: '\\Sent' }),
      folder('Sent Items/2025'),
      folder('INBOX'),
      folder('INBOX/Bills'),
      folder('Bin', { specialUse: '\\Trash', isSaid: true }),
    ]
    assert.deepEqual(targets(listed, {}, { trash: 'Old/Bin' }), {
      INBOX: 'Inbox',
      'INBOX/Bills': 'Inbox/Bills',
      'Sent Items': 'Sent',
      'Sent Items/2025': 'Sent/2025',
      Bin: 'Old/Bin',
    })
    assert.equal(plan(listed).planned[0]?.path, 'INBOX')
  })

  test('have a role each: a second one of it keeps its name', () => {
    const listed = [folder('Sent', { specialUse: '\\Sent' }), folder('Gesendet', { specialUse: '\\Sent' })]
    assert.deepEqual(targets(listed), { Sent: 'Sent', Gesendet: 'Gesendet' })
  })

  test('lose the prefix of their namespace and names that only hold others', () => {
    const dotted = (path: string, more = {}) => folder(path, { delimiter: '.', ...more })
    const listed = [dotted('INBOX'), dotted('INBOX.Work.a/b'), dotted('INBOX.Sent', { specialUse: '\\Sent' })]
    assert.deepEqual(targets([...listed, dotted('INBOX.Sent.Old')], { prefix: 'INBOX.' }), {
      INBOX: 'Inbox',
      'INBOX.Work.a/b': 'Work/a_b',
      'INBOX.Sent': 'Sent',
      'INBOX.Sent.Old': 'Sent/Old',
    })
    assert.deepEqual(targets([folder('[Gmail]/Chats'), folder('[Gmail]', { flags: new Set(['\\NoSelect']) })]), {
      '[Gmail]/Chats': 'Chats',
    })
  })

  test("are left out when they cannot be opened, are others', or show again what is elsewhere", () => {
    const listed = [
      folder('a', { flags: new Set(['\\Noselect']) }),
      folder('b', { flags: new Set(['\\NonExistent']) }),
      folder('Starred', { specialUse: '\\Flagged', isSaid: true }),
      folder('Important', { flags: new Set(['\\Important']) }),
      folder('Users/eve/INBOX'),
      folder('Public'),
    ]
    assert.deepEqual(targets(listed, { foreign: ['Users/', ''] }), { Public: 'Public' })
    // A name alone says nothing: somebody may keep mail in it.
    assert.deepEqual(targets([folder('Starred', { specialUse: '\\Flagged' })]), { Starred: 'Starred' })
  })

  test('that show everything come last, for what is nowhere else', () => {
    const listed = [folder('All', { specialUse: '\\All', isSaid: true }), folder('INBOX'), folder('x')]
    const { planned } = plan(listed)
    assert.deepEqual(
      planned.map(({ path, isRest }) => [path, isRest]),
      [
        ['INBOX', false],
        ['x', false],
        ['All', true],
      ],
    )
    assert.deepEqual(targets([folder('All', { specialUse: '\\All' })]), { All: 'All' })
  })

  test('are chosen by their paths, however they are written, with what is below them', () => {
    const listed = ['INBOX', 'INBOX.Work', 'INBOX.Work.Deep', 'INBOX.Workshop'].map((path) =>
      folder(path, { delimiter: '.' }),
    )
    const chosen = (folders: string[], excluded: string[] = []) =>
      plan(listed, { prefix: 'INBOX.', folders, excluded }).planned.map(({ path }) => path)
    assert.deepEqual(chosen(['inbox']), ['INBOX'])
    assert.deepEqual(chosen(['Work']), ['INBOX.Work', 'INBOX.Work.Deep'])
    assert.deepEqual(chosen(['INBOX.Work'], ['Work/Deep']), ['INBOX.Work'])
    assert.deepEqual(plan(listed, { folders: ['Work', 'Wrok'] }).missing, ['Work', 'Wrok'])
  })

  test('have names that the store takes, whatever they are called', () => {
    const path = fc.array(fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), fc.constant('\u{1f4a9}'.repeat(200))), {
      minLength: 1,
      maxLength: 30,
    })
    const use = fc.constantFrom(null, '\\Sent', '\\All', '\\Flagged', '\\Inbox', '\\Odd')
    const entry = fc.record({
      names: path,
      delimiter: fc.constantFrom('/', '.', '\\', null),
      specialUse: use,
      isSaid: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), fc.constantFrom('', 'INBOX.', '/'), (entries, prefix) => {
        const listed = entries.map(({ names, delimiter, ...more }) =>
          folder(names.join(delimiter ?? ''), { delimiter, ...more }),
        )
        for (const { targetPath } of plan(listed, { prefix }).planned) {
          const names = targetPath.split('/')
          assert.ok(names.length < MAX_DEPTH)
          for (const name of names) assert.equal(normaliseName(name), name)
        }
      }),
      { seed: 7, numRuns: runs(15, 50) },
    )
  })
})

describe('flags of a source', () => {
  test('are kept as keywords where they can be', () => {
    assert.deepEqual(keepFlags(['\\Seen', '\\SEEN', '$Forwarded', '\\Recent', '\\Odd', 'a b', 'Label', '\\Deleted']), {
      keywords: ['$seen', '$forwarded', 'label'],
      isDeleted: true,
    })
    assert.equal(keepFlags(Array.from({ length: 500 }, (_, n) => `k${n}`)).keywords.length, 128)
  })
})
