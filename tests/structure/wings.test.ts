import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { circlesAmong, importsOf, specifiersIn } from './import-graph.ts'
import { read, trackedFiles } from './tree.ts'

/** How a service is laid out. */
type Plan = {
  readonly source: string
  /** From the lowest layer up. */
  readonly wings: readonly string[]
  /** Wings that are one room to the outside, whatever folders they have inside. */
  readonly undivided: readonly string[]
  /** Rooms that all wings stand on. */
  readonly ground: readonly string[]
  /** Folders of files that stand below the wings, each by itself. */
  readonly loose: readonly string[]
  /** Files that put the service together: they may import any file of any room. */
  readonly composition: readonly string[]
  /** The page whose table has a row for each wing: its name, its purpose, and the folders in it. */
  readonly page?: string
}

const SERVICES: Readonly<Record<string, Plan>> = {
  cms: {
    source: 'services/cms/src/',
    wings: ['people', 'content', 'site', 'assistant', 'social', 'plugins', 'instance'],
    undivided: [],
    ground: ['events'],
    loose: [],
    composition: ['main.ts', 'serve.ts', 'app.ts', 'background.ts', 'start.ts', 'password.ts'],
  },
  mail: {
    source: 'services/mail/src/',
    wings: ['formats', 'wire', 'store', 'hosting', 'sending', 'receiving', 'doors', 'panel'],
    undivided: ['store'],
    ground: ['pagination'],
    loose: ['config', 'tables'],
    composition: ['main.ts', 'serve.ts', 'app.ts', 'engine.ts', 'open-doors.ts', 'upkeep.ts'],
    page: 'docs/mail.md',
  },
}

const isTest = (file: string) => /\.test\.ts$|\/test-process\.ts$|\/testing\//.test(file)
const sources = trackedFiles().filter((file) => /\.ts$/.test(file) && !isTest(file))

/** What stands in backticks. */
const namesIn = (text: string): string[] => [...text.matchAll(/`([\w-]+)\/?`/g)].map(([, name = '']) => name)

for (const [name, { source, wings, undivided, ground, loose, composition, page }] of Object.entries(SERVICES)) {
  const files = sources.filter((file) => file.startsWith(source))
  const imports = importsOf(files)
  const stepsTo = (file: string): string[] => (file.startsWith(source) ? file.slice(source.length).split('/') : [])
  const isComposition = (file: string): boolean => composition.includes(file.slice(source.length))

  const wingOf = (file: string): string | null => {
    const [wing = ''] = stepsTo(file)
    return wings.includes(wing) ? wing : null
  }
  const roomOf = (file: string): string | null => {
    const [folder = '', ...rest] = stepsTo(file)
    if (rest.length === 0 || loose.includes(folder)) return null
    if (!wings.includes(folder) || undivided.includes(folder)) return folder
    return rest.length > 1 ? `${folder}/${rest[0]}` : null
  }
  const placeOf = (file: string): string | null =>
    roomOf(file) ?? (file.startsWith(source) ? stepsTo(file).join('/') : null)
  const mainFileOf = (room: string): string => `${source}${room}/${room.split('/').at(-1)}.ts`

  describe(`${name} in wings`, () => {
    test('every folder is a room of a wing, or one that all wings stand on', () => {
      const elsewhere = files.filter((file) => {
        const room = roomOf(file)
        return room !== null && wingOf(file) === null && !ground.includes(room)
      })
      assert.deepEqual(elsewhere, [])
      const beside = files.filter((file) => wingOf(file) !== null && roomOf(file) === null)
      assert.deepEqual(beside, [], 'a file stands in a room, not in the corridor of a wing')
    })

    test('a wing knows only those below it', () => {
      const heightOf = (file: string): number => wings.indexOf(wingOf(file) ?? '')
      const refused = imports.filter(
        ({ from, to }) => wingOf(from) !== null && wingOf(to) !== null && heightOf(to) > heightOf(from),
      )
      assert.deepEqual(refused, [])
    })

    test('rooms, and the files beside the wings, are free of circles', () => {
      assert.deepEqual(circlesAmong(imports, placeOf), [])
    })

    test('a room is entered through its main file only', () => {
      const refused = imports.filter(({ from, to }) => {
        const room = roomOf(to)
        if (room === null || room === roomOf(from) || isComposition(from)) return false
        return to !== mainFileOf(room)
      })
      assert.deepEqual(refused, [])
    })

    test('context.ts, and whatever else stands below the wings, imports no room', () => {
      const refused = imports.filter(
        ({ from, to }) => roomOf(from) === null && !isComposition(from) && roomOf(to) !== null,
      )
      assert.deepEqual(refused, [])
    })

    test('no room knows what puts the service together', () => {
      const refused = imports.filter(({ from, to }) => !isComposition(from) && isComposition(to))
      assert.deepEqual(refused, [])
    })

    if (page === undefined) return
    test(`${page} lists the folders of every wing, and no others`, () => {
      const rows = [...read(page).matchAll(/^\| `(\w+)\/` \|[^|]*\|([^|]*)\|$/gm)]
      assert.deepEqual(
        rows.map(([, wing]) => wing),
        wings,
      )
      for (const [, wing = '', listed = ''] of rows) {
        const folders = files
          .map(stepsTo)
          .filter(([folder, , file]) => folder === wing && file !== undefined)
          .map(([, room = '']) => room)
        assert.deepEqual(namesIn(listed).sort(), [...new Set(folders)].sort(), wing)
      }
    })
  })
}

test('CONTRIBUTING.md names the wings of both services, from the lowest up', () => {
  const [, sentence = ''] = /The wings of the CMS are([^(]+)\(/.exec(read('CONTRIBUTING.md')) ?? []
  assert.deepEqual(
    namesIn(sentence),
    Object.values(SERVICES).flatMap(({ wings }) => wings),
  )
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
