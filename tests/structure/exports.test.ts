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

describe('exports', () => {
  test('whatever a file exports, another one takes', () => {
    const sources = trackedFiles().filter((file) => /\.(tsx?|mjs)$/.test(file))
    const isFree = (file: string) => IS_FREE.test(file) || entryPoints.includes(file)
    assert.deepEqual(unusedExports(new Map(sources.map((file) => [file, read(file)])), isFree), [])
  })

  test('nobody takes it: it is found, also when its own file uses it or it is only passed on', () => {
    const sources = new Map([
      ['a.ts', 'export const used = 1\nexport const own = used\nexport const dead = own'],
      ['b.ts', "export { used, own as passed } from './a.ts'"],
      ['c.ts', "import { used } from './b.ts'\nconsole.log(used)"],
    ])
    assert.deepEqual(unusedExports(sources), ['a.ts: dead', 'b.ts: passed'])
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
