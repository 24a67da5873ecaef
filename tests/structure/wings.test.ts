import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { circlesAmong, importsOf, specifiersIn } from './import-graph.ts'
import { trackedFiles } from './tree.ts'

const CMS = 'services/cms/src/'
const MAIL = 'services/mail/src/'
const WINGS = ['people', 'content', 'site', 'assistant', 'social', 'plugins']

/** Files that put the service together: they may enter any room by any door. */
const COMPOSITION = ['main.ts', 'app.ts', 'background.ts', 'start.ts', 'password.ts'].map((name) => CMS + name)

const isTest = (file: string) => /\.test\.ts$|\/test-process\.ts$|\/testing\//.test(file)
const sources = trackedFiles().filter((file) => /\.ts$/.test(file) && !isTest(file))
const cms = importsOf(sources.filter((file) => file.startsWith(CMS)))

const wingOf = (file: string): string | null => {
  const [wing = ''] = file.startsWith(CMS) ? file.slice(CMS.length).split('/') : []
  return WINGS.includes(wing) ? wing : null
}
/** A room is a folder of a wing; `events`, on which all wings stand, is one by itself. */
const roomOf = (file: string): string | null => {
  const [wing = '', room = '', ...rest] = file.startsWith(CMS) ? file.slice(CMS.length).split('/') : []
  if (WINGS.includes(wing)) return rest.length > 0 ? `${wing}/${room}` : null
  return room === '' ? null : wing
}
const placeOf = (file: string): string | null => roomOf(file) ?? (file.startsWith(CMS) ? file.slice(CMS.length) : null)

describe('the CMS in wings', () => {
  test('every folder is a room of a wing, or events', () => {
    const elsewhere = sources.filter((file) => file.startsWith(CMS) && wingOf(file) === null && roomOf(file) !== null)
    assert.deepEqual(
      elsewhere.filter((file) => roomOf(file) !== 'events'),
      [],
    )
    const beside = sources.filter((file) => wingOf(file) !== null && roomOf(file) === null)
    assert.deepEqual(beside, [], 'a file stands in a room, not in the corridor of a wing')
  })

  test('wings know each other in one direction only', () => {
    assert.deepEqual(circlesAmong(cms, wingOf), [])
  })

  test('rooms, and the files beside the wings, are free of circles', () => {
    assert.deepEqual(circlesAmong(cms, placeOf), [])
  })

  test('a room is entered through its main file only', () => {
    const refused = cms.filter(({ from, to }) => {
      const room = roomOf(to)
      if (room === null || room === roomOf(from) || COMPOSITION.includes(from)) return false
      return to !== `${CMS}${room}/${room.split('/').at(-1)}.ts`
    })
    assert.deepEqual(refused, [])
  })

  test('context.ts, and whatever else stands below the wings, imports no room', () => {
    const refused = cms.filter(
      ({ from, to }) => roomOf(from) === null && !COMPOSITION.includes(from) && roomOf(to) !== null,
    )
    assert.deepEqual(refused, [])
  })
})

/** As of 2026-11-16. Mail gets its own wings later; until then this list may shrink and must not grow. */
const CIRCLES_OF_MAIL = [
  [
    'access',
    'addresses',
    'billing',
    'context.ts',
    'dns-publish',
    'dns-records',
    'domains',
    'plans',
    'queue',
    'reports',
    'setup',
    'spam',
    'store',
    'suppressions',
    'system-mail',
    'tables',
    'tables.ts',
    'trace',
    'webhooks',
  ],
  ['accounts', 'recovery'],
  ['emails', 'tracking'],
  ['filters', 'identities', 'jmap', 'receive', 'submit', 'webmail'],
]

test('mail has no circle that it did not have on the dated list', () => {
  const mail = importsOf(sources.filter((file) => file.startsWith(MAIL)))
  const circles = circlesAmong(mail, (file) =>
    file.startsWith(MAIL) ? (file.slice(MAIL.length).split('/')[0] ?? null) : null,
  )
  assert.deepEqual(circles, CIRCLES_OF_MAIL)
})

describe('how imports are read', () => {
  test('over several lines, of types, re-exported, for effect, at run time and inside a type', () => {
    const text = [
      "import type {\n  A,\n  B,\n} from './a.ts'",
      "import './b.ts'",
      "export * from './c.ts'",
      "export type { D } from './d.ts'",
      "const e = await import('./e.ts')",
      "type F = import('./f.ts').F",
      "const text = `import { g } from './g.ts'`",
    ].join('\n')
    assert.deepEqual(
      specifiersIn('x.ts', text).sort(),
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `./${name}.ts`),
    )
  })

  test('a circle is found over any number of places, and a line is none', () => {
    const line = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'a', to: 'c' },
    ]
    const same = (file: string) => file
    assert.deepEqual(circlesAmong(line, same), [])
    assert.deepEqual(circlesAmong([...line, { from: 'c', to: 'd' }, { from: 'd', to: 'a' }], same), [
      ['a', 'b', 'c', 'd'],
    ])
  })
})
