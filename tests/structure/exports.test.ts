import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { read, trackedFiles } from './tree.ts'
import { unusedExports } from './unused-exports.ts'

/** What the published packages export by a name of their own is for those who install them. */
const entryPoints = trackedFiles()
  .filter((file) => /^packages\/[\w-]+\/package\.json$/.test(file))
  .flatMap((file) => {
    const { exports = {} }: { exports?: Record<string, string> } = JSON.parse(read(file))
    return Object.values(exports)
      .filter((path) => !path.includes('*'))
      .map((path) => file.replace('package.json', path.slice('./'.length)))
  })

/** The test library is a toolbox, examples are read by people, and checks of types by the compiler. */
const IS_FREE = /^(tests|examples)\/|\/testing\/|\.d\.ts$|^packages\/cms-plugin\/src\/records-check\.ts$/
const IS_TEST = /^tests\/|\/testing\/|\.test\.tsx?$|\/test-process\.ts$/

/** What only tests take, and why it stands in the code nevertheless. */
const SEAMS: Readonly<Record<string, string>> = {
  'packages/kit/src/clock.ts: createTestClock': 'the other implementation of Clock',
  'packages/kit/src/config.ts: describeConfig': 'docs/config.md is compared with it',
  'packages/kit/src/crypto/password.ts: setPasswordWork': 'real hashes would take most of the time of the tests',
  'packages/kit/src/crypto/password.ts: passwordLoad': 'shows that a refused guess costs as much as a right one',
  'packages/kit/src/postgres/server.ts: startThrowawayPostgres': 'needs what the launcher keeps to itself',
  'packages/ui/gallery/build.ts: buildGallery': 'the gallery is a page for browser tests',
  'scripts/services.ts: programOf': 'tests of processes run what `npm start` runs',
  'services/mail/src/store/mailbox/check.ts: checkMailbox': 'the invariants of a mailbox, where nobody else writes',
  'web/cms-admin/src/side-panel.tsx: useSidePanel': 'for side panels, of which only the registry of the tests has one',
}

describe('exports', () => {
  test('whatever a file exports, another one takes; tests count for what is listed with a reason', () => {
    const sources = trackedFiles().filter((file) => /\.(tsx?|mjs)$/.test(file))
    const isFree = (file: string) => IS_FREE.test(file) || entryPoints.includes(file)
    const isTest = (file: string) => IS_TEST.test(file)
    const unused = unusedExports(new Map(sources.map((file) => [file, read(file)])), { isFree, isTest })
    assert.deepEqual(unused.sort(), Object.keys(SEAMS).sort())
  })

  test('nobody takes it: it is found, also when its own file uses it or it is only passed on', () => {
    const sources = new Map([
      ['a.ts', 'export const used = 1\nexport const own = used\nexport const dead = own'],
      ['b.ts', "export { used, own as passed } from './a.ts'"],
      ['c.ts', "import { used } from './b.ts'\nconsole.log(used)"],
    ])
    assert.deepEqual(unusedExports(sources), ['a.ts: dead', 'b.ts: passed'])
  })

  test('only tests take it: it is found unless its own file uses it, and what stands in tests is theirs', () => {
    const sources = new Map([
      [
        'a.ts',
        'export const inner = (n: number): number => n\nexport const outer = () => inner(1)\nexport type Shape = { outer: 1 }',
      ],
      ['b.ts', 'const box = { dead: 1 }\nexport const dead = box.dead\nexport const again = (): void => again()'],
      ['c.ts', "export { outer } from './a.ts'\nexport const whole = 1"],
      ['main.ts', "import { outer } from './a.ts'\nouter()"],
      ['ground.test.ts', 'export const plant = 1'],
      [
        'a.test.ts',
        "import { inner, type Shape } from './a.ts'\nimport { again, dead } from './b.ts'\nimport { plant } from './ground.test.ts'",
      ],
      ['c.test.ts', "import { outer } from './c.ts'\nconst { whole } = await import('./c.ts')"],
    ])
    const isTest = (file: string) => file.endsWith('.test.ts')
    assert.deepEqual(unusedExports(sources), [])
    assert.deepEqual(unusedExports(sources, { isTest }), [
      'a.ts: Shape',
      'b.ts: dead',
      'b.ts: again',
      'c.ts: outer',
      'c.ts: whole',
    ])
  })

  test('a type may stand beside what is declared with it, not beside what only works with it', () => {
    const sources = new Map([
      [
        'a.ts',
        'export type A = 1\nexport type B = { a: A }\nexport type C = 1\nexport const f = (b: B): void => { const c: C = 1 }',
      ],
      ['b.ts', "import { f } from './a.ts'\nf({ a: 1 })"],
    ])
    assert.deepEqual(unusedExports(sources), ['a.ts: C'])
  })

  test('a whole module, an import at run time or inside a type, and an interface that is added to take what they name', () => {
    const sources = new Map([
      ['a.ts', 'export const one = 1'],
      ['b.ts', 'export const two = 2'],
      ['c.ts', 'export type T = 3\nexport type U = 4'],
      ['d.ts', 'export interface Ports {}'],
      [
        'e.ts',
        "import * as a from './a.ts'\nconst b = await import('./b.ts')\ntype F = import('./c.ts').T\ndeclare module './d.ts' { interface Ports { a: typeof a; b: typeof b; f: F } }",
      ],
    ])
    assert.deepEqual(unusedExports(sources), ['c.ts: U'])
  })
})
