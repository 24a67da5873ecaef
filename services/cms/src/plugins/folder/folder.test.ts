import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { createLogger } from '@stoa/kit/log.ts'
import { type FoundPlugin, openPluginFolder, type PluginFolder } from './folder.ts'
import { manifestOf, openPluginDir, type PluginDir } from './testing/plugin-dir.ts'

const log = createLogger({ name: 'cms', level: 'silent' })

let dir: PluginDir
let folder: PluginFolder
before(async () => {
  dir = await openPluginDir()
  folder = openPluginFolder({ dir: dir.path, log })
})
after(() => dir.close())
afterEach(async () => {
  for (const { name } of await folder.list()) await dir.remove(name)
})

const at = (...parts: string[]) => join(dir.path, ...parts)
const names = (found: readonly FoundPlugin[]) => found.map(({ name }) => name)
const errorOf = async (name: string): Promise<string | null> => {
  const found = await folder.find(name)
  assert.ok(found, `${name} is not found`)
  const read = await folder.read(name)
  assert.ok(read)
  assert.equal('found' in read ? null : read.error, found.error, 'find and read agree')
  return found.error
}

describe('PLUGIN_DIR', () => {
  test('that is not set, is missing or is a file has no plugins', async () => {
    await writeFile(at('plain'), 'text')
    for (const path of [null, at('nowhere'), at('plain')])
      assert.deepEqual(await openPluginFolder({ dir: path, log }).list(), [])
    await rm(at('plain'))
  })

  test('lists its folders by name, with manifest, defaults and hash', async () => {
    await dir.write('second', { permissions: ['content.read'] })
    await dir.write('first', {}, { 'screens/a.html': '<p>a</p>', '.git/HEAD': 'ref' })
    await writeFile(at('README.md'), 'not a plugin')
    const list = await folder.list()
    assert.deepEqual(names(list), ['first', 'second'])
    const [first, second] = list
    assert.deepEqual(second?.manifest?.permissions, ['content.read'])
    assert.deepEqual(first?.manifest?.routes, [])
    assert.match(first?.hash ?? '', /^[0-9a-f]{64}$/)
    const read = await folder.read('first')
    assert.ok(read && 'files' in read)
    assert.deepEqual([...read.files.keys()], ['plugin.json', 'screens/a.html', 'server.js'])
    assert.equal(read.found.hash, first?.hash)
    await rm(at('README.md'))
  })

  test('shows each change of a file, and the same hash when it is undone', async () => {
    const hashOf = async () => (await folder.find('first'))?.hash
    await dir.write('first', {}, { 'a.txt': 'one' })
    const before = await hashOf()
    await writeFile(at('first', 'a.txt'), 'two')
    assert.notEqual(await hashOf(), before)
    await writeFile(at('first', 'a.txt'), 'one')
    assert.equal(await hashOf(), before)
    await rename(at('first', 'a.txt'), at('first', 'b.txt'))
    assert.notEqual(await hashOf(), before)
  })

  test('shows one that is broken beside the others', async () => {
    await dir.write('sound')
    await dir.write('broken', '{')
    await mkdir(at('empty'))
    await mkdir(at('Ill_named'))
    await mkdir(at('ui'))
    const list = await folder.list()
    assert.deepEqual(names(list), ['Ill_named', 'broken', 'empty', 'sound', 'ui'])
    assert.deepEqual(
      list.map(({ error }) => error === null),
      [false, false, false, true, false],
    )
    assert.equal(await errorOf('ui'), 'The name ui is reserved')
    assert.match((await errorOf('Ill_named')) ?? '', /^The folder name must be/)
    assert.equal(await errorOf('empty'), 'plugin.json: is missing')
  })

  test('with a thousand folders is looked at as far as its limit, sound names first', async () => {
    for (let index = 0; index < 1_000; index += 1) await mkdir(at(`Ill ${index}`))
    await dir.write('zebra')
    const list = await folder.list()
    assert.equal(list.length, 100)
    assert.ok(names(list).includes('zebra'))
    for (let index = 0; index < 1_000; index += 1) await rm(at(`Ill ${index}`), { recursive: true })
  })

  test('is never left by a name', async () => {
    await dir.write('sound')
    const inner = openPluginFolder({ dir: at('sound'), log })
    for (const name of [
      '..',
      '../sound',
      '.',
      '',
      '../../etc',
      '/etc',
      'a/../../sound',
      'a\0b',
      '..\\sound',
      'x'.repeat(300),
    ]) {
      assert.equal(await inner.find(name), null, name)
      assert.equal(await inner.read(name), null, name)
    }
  })
})

describe('a plugin folder is refused that', () => {
  test('is a symbolic link, or has one anywhere', async () => {
    await dir.write('real', {}, { 'screens/a.html': 'a' })
    await rename(at('real'), at('..', 'stoa-outside'))
    await symlink(at('..', 'stoa-outside'), at('linked'))
    assert.equal(await errorOf('linked'), 'The folder is a symbolic link')
    assert.ok(names(await folder.list()).includes('linked'))
    await rm(at('linked'))

    await dir.write('inside')
    await symlink('/etc/passwd', at('inside', 'passwd.txt'))
    assert.equal(await errorOf('inside'), 'passwd.txt: is a symbolic link')
    await dir.write('parent')
    await symlink(at('..', 'stoa-outside', 'screens'), at('parent', 'screens'))
    assert.equal(await errorOf('parent'), 'screens: is a symbolic link')
    await dir.write('hidden')
    await symlink('server.js', at('hidden', '.link'))
    assert.equal(await errorOf('hidden'), '.link: is a symbolic link')
    await rm(at('..', 'stoa-outside'), { recursive: true })
  })

  test('has a pipe, which nobody waits for', async () => {
    await dir.write('piped')
    execFileSync('mkfifo', [at('piped', 'server.pipe')])
    assert.equal(await errorOf('piped'), "server.pipe: isn't a file or a folder")
    await dir.write('pipe-manifest')
    await rm(at('pipe-manifest', 'plugin.json'))
    execFileSync('mkfifo', [at('pipe-manifest', 'plugin.json')])
    assert.equal(await errorOf('pipe-manifest'), "plugin.json: isn't a file or a folder")
  })

  test('is too large, has too many files, is too deep or has names that are too long', async () => {
    await dir.write('large', {}, { 'a.bin': Buffer.alloc(5 * 2 ** 20) })
    assert.equal(await errorOf('large'), 'The folder is larger than 5 MiB')
    const many = Object.fromEntries(Array.from({ length: 199 }, (_, index) => [`f${index}.txt`, 'x']))
    await dir.write('many', {}, many)
    assert.equal(await errorOf('many'), 'The folder has more than 200 files')
    await rm(at('many', 'f0.txt'))
    assert.equal(await errorOf('many'), null)
    await dir.write('deep', {}, { 'a/b/c/d/e/f/g/h/i.txt': 'x' })
    assert.equal(await errorOf('deep'), 'The folder has folders nested deeper than 8')
    await dir.write('long', {}, { [`${'n'.repeat(101)}.txt`]: 'x' })
    assert.match((await errorOf('long')) ?? '', /name that is too long/)
    await dir.write('crowd')
    for (let index = 0; index < 1_000; index += 1) await writeFile(at('crowd', `.${index}`), '')
    assert.equal(await errorOf('crowd'), 'The folder has more than 1000 entries')
  })

  test('names files that it does not have', async () => {
    await dir.write('missing', {
      screens: [{ id: 'a', label: 'A', file: 'screens/a.html', permission: 'content.read' }],
      panels: [{ place: 'entry', types: ['*'], label: 'P', file: 'screens/p.html' }],
      pages: [{ path: 'open', file: 'screens/o.html' }],
    })
    assert.equal(
      await errorOf('missing'),
      "screens.0.file: screens/a.html isn't in the folder; panels.0.file: screens/p.html isn't in the folder; " +
        "pages.0.file: screens/o.html isn't in the folder",
    )
    await dir.write('codeless', { server: 'dist/server.js' })
    assert.equal(await errorOf('codeless'), "server: dist/server.js isn't in the folder")
    await dir.write('binary', {}, { 'server.js': Buffer.from([0xff, 0xfe]) })
    assert.equal(await errorOf('binary'), "server: isn't UTF-8 text")
  })

  const withManifest = (members: object) => JSON.stringify(manifestOf('odd', members))
  const manifests: [rule: string, json: string | Buffer, error: RegExp][] = [
    ['is no JSON', '{"name":', /^plugin\.json: The file isn't valid JSON$/],
    ['is empty', '', /^name: is required; label: is required/],
    ['is a list', '[]', /^plugin\.json: must be an object, not a list$/],
    ['is not UTF-8', Buffer.from([0x7b, 0xff]), /^plugin\.json: isn't UTF-8 text$/],
    ['is huge', ' '.repeat(65_537), /^plugin\.json: is larger than 64 KiB$/],
    ['is nested without end', '['.repeat(1_000), /^plugin\.json: The file is nested too deeply$/],
    ['has a prototype', withManifest({}).replace('"api"', '"__proto__":{"x":1},"api"'), /can't be named "__proto__"/],
    ['says a thing twice', withManifest({}).replace('"api"', '"name":"other","api"'), /"name" is sent twice/],
    ['has another name', withManifest({ name: 'other' }), /^name: must be the same as the folder name, odd$/],
    ['has members that are unknown', withManifest({ scripts: {} }), /^plugin\.json: must not have "scripts"$/],
    ['is of another API', withManifest({ api: 2 }), /^api: must be 1$/],
    [
      'asks for what no plugin gets',
      withManifest({ permissions: ['users.manage'] }),
      /^permissions\.0: users\.manage can't be granted to a plugin$/,
    ],
    [
      'asks for what is unknown',
      withManifest({ permissions: ['all'] }),
      /^permissions\.0: must be one of content\.read/,
    ],
    ['leaves its folder', withManifest({ server: '../x.js' }), /^server: must be the path of a file/],
    ['names an absolute file', withManifest({ server: '/etc/x.js' }), /^server: must be the path of a file/],
    [
      'has a setting named constructor',
      withManifest({ settings: [{ key: 'constructor', type: 'text', label: 'X' }] }),
      /^settings\.0\.key: /,
    ],
    [
      'has a collection named toString',
      withManifest({ collections: [{ name: 'toString' }] }),
      /^collections\.0\.name: /,
    ],
    ['names an address as host', withManifest({ hosts: ['127.0.0.1'] }), /^hosts\.0: must be a host name/],
    [
      'has a route twice',
      withManifest({
        routes: [
          { method: 'GET', path: '/a/:id', auth: 'public' },
          { method: 'GET', path: '/a/:other', auth: 'public' },
        ],
      }),
      /^routes\.1: the route GET \/a\/: is declared twice$/,
    ],
  ]
  for (const [rule, json, error] of manifests)
    test(`has a manifest that ${rule}`, async () => {
      await dir.write('odd', {}, { 'plugin.json': json })
      assert.match((await errorOf('odd')) ?? 'no error', error)
      assert.deepEqual(names(await folder.list()), ['odd'])
    })
})
