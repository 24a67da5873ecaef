import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { createTestStoa, loadPlugin } from '../testing.ts'
import { runPluginCommand } from './command-line.ts'

/** An empty folder, and a terminal in it that records its output. */
const terminal = (t: TestContext) => {
  const cwd = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), 'stoa-plugin-'))
  t.after(() => fs.rmSync(cwd, { recursive: true, force: true }))
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  const run = async (...args: string[]) => {
    lines.length = 0
    const code = await runPluginCommand(args, { cwd, print, printError: print })
    return { code, text: lines.join('\n') }
  }
  const write = (path: string, text: string) => {
    fs.mkdirSync(join(cwd, path, '..'), { recursive: true })
    fs.writeFileSync(join(cwd, path), text)
  }
  const edit = (path: string, change: (text: string) => string) =>
    fs.writeFileSync(join(cwd, path), change(fs.readFileSync(join(cwd, path), 'utf8')))
  return { cwd, run, write, edit }
}

/** A plugin without a build, and nothing wrong. */
const plain = ({ write }: Pick<ReturnType<typeof terminal>, 'write'>, manifest: object = {}) => {
  const routes = [{ method: 'GET', path: '/a', auth: 'session', permission: 'content.read' }]
  write(
    'tidy/plugin.json',
    JSON.stringify({
      name: 'tidy',
      label: 'Tidy',
      version: '1.0.0',
      api: 1,
      server: 'server.js',
      routes,
      ...manifest,
    }),
  )
  write('tidy/server.js', `export const routes = { 'GET /a': () => 1 }`)
}

describe('cms:plugin', () => {
  test('a new plugin builds, passes its check, has sound types and works', async (t) => {
    const { cwd, run } = terminal(t)
    const folder = join(cwd, 'team-notes')
    for (const command of ['new', 'build', 'check']) {
      const { code, text } = await run(command, 'team-notes')
      assert.equal(code, 0, `${command}: ${text}`)
    }
    const { pathname } = new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url)
    const { status, stdout } = spawnSync(process.execPath, [pathname, '-p', folder], { encoding: 'utf8' })
    assert.equal(status, 0, stdout)
    const server = fs.readFileSync(join(folder, 'server.js'), 'utf8')
    assert.deepEqual(
      [...server.matchAll(/\bfrom "([^"]+)"/g)].map(([, id]) => id),
      ['stoa'],
    )
    assert.doesNotMatch(fs.readFileSync(join(folder, 'screens/notes.js'), 'utf8'), /^import /m)

    const stoa = createTestStoa({ collections: [{ name: 'notes', indexes: ['at'] }] })
    const plugin = await loadPlugin(folder, stoa)
    const actor = { id: 'p1', name: 'Ada', role: 'editor' }
    await plugin.call('POST /notes', { body: { text: ' Buy milk ' }, actor })
    await assert.rejects(plugin.call('POST /notes', { body: { text: '' }, actor }), { name: 'Problem', status: 400 })
    const { items } = await plugin.call<{ items: { id: string; text: string; author: string }[] }>('GET /notes', {
      actor,
    })
    assert.deepEqual(
      items.map(({ text, author }) => [text, author]),
      [['Buy milk', 'Ada']],
    )
    await plugin.call('DELETE /notes/:id', { params: { id: items[0]?.id ?? '' }, actor })
    assert.deepEqual(await plugin.call('GET /notes', { actor }), { items: [] })
  })

  test('new refuses a name that no plugin can have, a reserved one, and a folder that is not empty', async (t) => {
    const { cwd, run, write } = terminal(t)
    for (const [name, reason] of [
      ['Team', /can't be the name of a plugin/],
      ['assistant', /reserved/],
    ] as const) {
      const { code, text } = await run('new', name)
      assert.equal(code, 1)
      assert.match(text, reason)
      assert.ok(!fs.existsSync(join(cwd, name)))
    }
    write('taken/note.txt', 'mine')
    assert.equal((await run('new', 'taken')).code, 1)
    assert.deepEqual(fs.readdirSync(join(cwd, 'taken')), ['note.txt'])
  })

  test('build leaves the old file when the new code imports what a sandbox does not have', async (t) => {
    const { cwd, run, edit } = terminal(t)
    await run('new', 'team-notes')
    await run('build', 'team-notes')
    const before = fs.readFileSync(join(cwd, 'team-notes/server.js'), 'utf8')
    edit('team-notes/src/server.ts', (code) => `import { readFileSync } from 'node:fs'\nreadFileSync('x')\n${code}`)
    const { code, text } = await run('build', 'team-notes')
    assert.equal(code, 1)
    assert.match(text, /src\/server\.ts imports node:fs; the sandbox only has stoa/)
    assert.equal(fs.readFileSync(join(cwd, 'team-notes/server.js'), 'utf8'), before)
  })

  test('build says where code is wrong, and that a screen cannot import stoa', async (t) => {
    const { run, write, edit } = terminal(t)
    await run('new', 'team-notes')
    write('team-notes/src/server.ts', 'export const routes = {')
    edit('team-notes/src/screens/notes.ts', (code) => `import { store } from 'stoa'\nstore('notes')\n${code}`)
    const { code, text } = await run('build', 'team-notes')
    assert.equal(code, 1)
    assert.match(text, /src\/server\.ts can't be built/)
    assert.match(text, /src\/screens\/notes\.ts imports stoa, which is only available on the server/)
  })

  const wrong: readonly [rule: string, (ground: ReturnType<typeof terminal>) => void, RegExp][] = [
    ['a manifest that is no JSON', ({ write }) => write('tidy/plugin.json', '{'), /plugin\.json isn't valid JSON/],
    [
      'a permission that no plugin gets',
      (ground) => plain(ground, { permissions: ['users.manage'] }),
      /plugin\.json: permissions\.0/,
    ],
    [
      'another name than the folder',
      (ground) => plain(ground, { name: 'other' }),
      /name is other, but the folder is called tidy/,
    ],
    ['no server', ({ cwd }) => fs.rmSync(join(cwd, 'tidy/server.js')), /server\.js is missing/],
    [
      'code that cannot be read',
      ({ write }) => write('tidy/server.js', 'export const routes = {'),
      /server\.js can't be read/,
    ],
    ['an import', ({ edit }) => edit('tidy/server.js', (code) => `import 'lodash'\n${code}`), /imports lodash/],
    [
      'an import at run time',
      ({ edit }) => edit('tidy/server.js', (code) => `${code}\nimport('./x.js')`),
      /imports \.\/x\.js/,
    ],
    [
      'a missing handler of a route',
      ({ write }) => write('tidy/server.js', 'export const routes = {}'),
      /declares routes GET \/a, but/,
    ],
    ['no handlers at all', ({ write }) => write('tidy/server.js', 'export {}'), /declares routes GET \/a, but/],
    [
      'a missing handler of an event',
      (ground) => plain(ground, { events: ['entry.published'] }),
      /declares events entry\.published/,
    ],
    [
      'a missing handler of a schedule',
      (ground) => plain(ground, { schedules: [{ name: 'tidy', every: '1h' }] }),
      /declares schedules tidy/,
    ],
    ['a link', ({ cwd }) => fs.symlinkSync('server.js', join(cwd, 'tidy/other.js')), /other\.js is a symbolic link/],
    [
      'too many bytes',
      ({ write }) => write('tidy/big.bin', 'x'.repeat(5 * 1024 * 1024)),
      /5\.0 MiB; 5 MiB are allowed/,
    ],
    [
      'too many files',
      ({ write }) => {
        for (let n = 0; n < 200; n += 1) write(`tidy/many/${n}.txt`, '')
      },
      /has 202 files; 200 are allowed/,
    ],
  ]
  for (const [rule, spoil, message] of wrong)
    test(`check finds ${rule}`, async (t) => {
      const ground = terminal(t)
      plain(ground)
      assert.equal((await ground.run('check', 'tidy')).code, 0)
      spoil(ground)
      const { code, text } = await ground.run('check', 'tidy')
      assert.equal(code, 1)
      assert.match(text, message)
    })

  test('check finds what a browser would refuse in a screen', async (t) => {
    const ground = terminal(t)
    plain(ground, { screens: [{ id: 'a', label: 'A', file: 'screens/a.html', permission: 'content.read' }] })
    assert.match((await ground.run('check', 'tidy')).text, /screens\/a\.html is missing/)
    ground.write('tidy/screens/a.js', '')
    ground.write(
      'tidy/screens/a.html',
      '<link rel="stylesheet" href="/ext/ui.css"><script src="a.js"></script><!-- <script> -->',
    )
    assert.equal((await ground.run('check', 'tidy')).code, 0)
    for (const [html, message] of [
      ['<script>1</script>', /has an inline script/],
      ['<button onclick="go()">Go</button>', /has an attribute like onclick/],
      ['<script src="https://cdn.example/x.js"></script>', /loads https:\/\/cdn\.example\/x\.js/],
      ['<img src="../server.js">', /which isn't in screens\//],
      ['<script type="module" src="b.js"></script>', /screens\/b\.js is missing/],
    ] as const) {
      ground.write('tidy/screens/a.html', html)
      const { code, text } = await ground.run('check', 'tidy')
      assert.equal(code, 1)
      assert.match(text, message)
    }
  })

  test('check says that files of a public page are one folder further', async (t) => {
    const ground = terminal(t)
    plain(ground, { pages: [{ path: 'a', file: 'screens/a.html' }] })
    ground.write('tidy/screens/a.js', '')
    ground.write('tidy/screens/a.html', '<script src="a.js"></script>')
    assert.match((await ground.run('check', 'tidy')).text, /a\.js must be \.\.\/screens\/a\.js/)
    ground.write('tidy/screens/a.html', '<script src="../screens/a.js"></script>')
    assert.equal((await ground.run('check', 'tidy')).code, 0)
  })

  test('check hints at what the sandbox lacks and at handlers that never run, and passes', async (t) => {
    const ground = terminal(t)
    plain(ground)
    ground.write(
      'tidy/server.js',
      `export const routes = { 'GET /a': () => fetch('https://a.example'), 'GET /b': () => 1 }`,
    )
    const { code, text } = await ground.run('check', 'tidy')
    assert.equal(code, 0)
    assert.match(text, /uses fetch, which isn't available in the sandbox: use http\.fetch/)
    assert.match(text, /has routes GET \/b, which plugin\.json doesn't declare/)
  })

  test('check does not guess at handlers that only running would show', async (t) => {
    const ground = terminal(t)
    plain(ground)
    ground.write('tidy/server.js', `const path = '/a'\nexport const routes = { ['GET ' + path]: () => 1 }`)
    const { code, text } = await ground.run('check', 'tidy')
    assert.equal(code, 0)
    assert.match(text, /checked when the plugin is turned on/)
  })

  test('the bridge of the hello example is the one of today', async (t) => {
    const { code, text } = await terminal(t).run('bridge')
    assert.equal(code, 0)
    assert.equal(
      fs.readFileSync(new URL('../../../../examples/plugins/hello/screens/stoa.js', import.meta.url), 'utf8'),
      `${text}\n`,
    )
  })

  test('an unknown command, or none, shows how it is used', async (t) => {
    const { run } = terminal(t)
    for (const args of [[], ['explode', 'x'], ['new'], ['new', 'a', 'b']]) {
      const { code, text } = await run(...args)
      assert.equal(code, 2)
      assert.match(text, /Usage: npm run cms:plugin/)
    }
  })
})
