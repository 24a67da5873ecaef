import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { loadScreensOf } from '../../web/cms-admin/src/fields/testing/load-screens.ts'
import { temporaryFolder } from './processes.ts'

const root = join(import.meta.dirname, '../..')
const MODEL = 'packages/cms-model/src/fields/types/index.ts'
const ADMIN = 'web/cms-admin/src/fields/index.ts'
/** Workspaces that see the fields of the model, and so have to see those of the copy. */
const COPIED = ['packages/cms-model', 'packages/visual', 'packages/cms-plugin', 'web/cms-admin']

/** The files that CONTRIBUTING.md shows, by their paths. */
const shownFiles = (): Map<string, string> => {
  const [, section = ''] = fs.readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split('## Add a field type\n')
  const blocks = (section.split('\n## ')[0] ?? '').matchAll(/```tsx?\n\/\/ (\S+)\n([\s\S]*?)```/g)
  return new Map([...blocks].map(([, path = '', code = '']) => [path, code]))
}

/** The repository as far as fields go, with links to everything else. */
const copyTree = (t: TestContext): string => {
  const copy = temporaryFolder(t)
  for (const name of COPIED)
    for (const part of ['package.json', 'src'])
      fs.cpSync(join(root, name, part), join(copy, name, part), { recursive: true })
  fs.mkdirSync(join(copy, 'node_modules/@stoa'), { recursive: true })
  for (const name of fs.readdirSync(join(root, 'node_modules')).filter((found) => found !== '@stoa'))
    fs.symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
  for (const name of fs.readdirSync(join(root, 'node_modules/@stoa'))) {
    const own = join(copy, 'packages', name)
    const target = fs.existsSync(own) ? own : fs.realpathSync(join(root, 'node_modules/@stoa', name))
    fs.symlinkSync(target, join(copy, 'node_modules/@stoa', name))
  }
  return copy
}

/** Adds a type at the end of a registry: its import, and its line. */
const register = (text: string, from: string): string => {
  const [head = '', ...rest] = text.split('\n}')
  assert.ok(rest.length > 0 && head.includes(' = {\n'), 'the registry is the first object of its file')
  return [`import { rating } from '${from}'\n${head}\n  rating,`, ...rest].join('\n}')
}

const compile = (copy: string, files: readonly string[]): string[] => {
  fs.writeFileSync(join(copy, 'styles.d.ts'), "declare module '*.css'\n")
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { incremental: false, tsBuildInfoFile: null },
    files,
    include: ['styles.d.ts', 'web/cms-admin/src/**/*.d.ts'],
  }
  fs.writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', copy, '--pretty', 'false'], {
    cwd: copy,
    encoding: 'utf8',
  })
  assert.equal(stderr, '')
  return stdout.split('\n').filter((line) => /^\S.*error TS/.test(line))
}

test('a field type is added as CONTRIBUTING.md says: two files, a line in each registry, and nothing else', async (t) => {
  const copy = copyTree(t)
  const shown = shownFiles()
  assert.deepEqual([...shown.keys()], [join(dirname(MODEL), 'rating.ts'), join(dirname(ADMIN), 'rating/rating.tsx')])
  for (const [path, code] of shown) {
    fs.mkdirSync(dirname(join(copy, path)), { recursive: true })
    fs.writeFileSync(join(copy, path), code)
  }
  const change = (path: string, from: string, to = path) =>
    fs.writeFileSync(join(copy, to), register(fs.readFileSync(join(copy, path), 'utf8'), from))
  change(MODEL, './rating.ts')
  const registered = join(dirname(ADMIN), 'registered.ts')
  change(ADMIN, './rating/rating.tsx', registered)

  await t.test('the model knows it everywhere', async () => {
    const load = (path: string) => import(pathToFileURL(join(copy, 'packages/cms-model/src', path)).href)
    const { contentFields, scalarOf } = await load('fields/field.ts')
    const { checkData } = await load('fields/values.ts')
    const { diffFields } = await load('fields/changes.ts')
    const { operandOf, opsOf } = await load('delivery/operands.ts')
    const { schemaTypes } = await load('schema-types.ts')
    const fields = contentFields.parse([{ key: 'taste', type: 'rating', indexed: true }])
    assert.equal(fields[0].stars, 5)
    assert.equal(contentFields.safeParse([{ key: 'taste', type: 'rating', stars: 99 }]).success, false)
    assert.equal(scalarOf(fields[0]), 'number')
    assert.deepEqual(checkData(fields, { taste: 5 }, { publishing: true }), [])
    assert.deepEqual(checkData(fields, { taste: 6 }, { publishing: false }), [
      { key: 'taste', message: 'must be a whole number from 1 to 5' },
    ])
    const fewer = contentFields.parse([{ key: 'taste', type: 'rating', stars: 3, indexed: true }])
    assert.deepEqual(diffFields(fields, fewer), [{ change: 'narrowed', key: 'taste', options: ['stars'] }])
    assert.ok(opsOf(operandOf('taste', { fields, fieldsOf: () => null, seen: 'all' })).includes('gte'))
    const written = schemaTypes([{ name: 'dish', label: 'Dish', kind: 'collection', fields }])
    assert.match(written, /taste: number \| null\n/)
  })

  await t.test('the compiler misses it in the registry of the screens, and nowhere else', () => {
    const errors = compile(copy, [ADMIN, registered])
    assert.equal(errors.length, 2, errors.join('\n'))
    for (const error of errors) assert.ok(error.startsWith(ADMIN), error)
    assert.match(errors.join('\n'), /Property 'rating' is missing/)
  })

  await t.test('the type editor has it, with its options as they are stored', async () => {
    fs.renameSync(join(copy, registered), join(copy, ADMIN))
    const { emptyType, newFields, readDraft } = await loadScreensOf(join(copy, 'web/cms-admin/src'))
    const [field] = newFields(JSON.parse('[{ "key": "taste", "type": "rating", "stars": 3 }]'))
    assert.ok(field)
    const fields = [field, { ...field, key: 'other', options: {} }]
    const read = readDraft({ ...emptyType, name: 'dish', label: 'Dish', fields })
    assert.ok('input' in read)
    assert.deepEqual(
      read.input.fields.map((made) => Reflect.get(made, 'stars')),
      [3, 5],
    )
  })
})
