import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { buildPackage, packages } from '../../scripts/packages.ts'
import { freshDatabase } from '../lib/cluster.ts'
import { specifiersIn } from '../structure/import-graph.ts'
import { startProgram, temporaryFolder } from './processes.ts'

const root = join(import.meta.dirname, '../..')

type Manifest = { name: string; dependencies: Record<string, string>; exports: Record<string, Record<string, string>> }
const readJson = (file: string): Manifest => JSON.parse(fs.readFileSync(file, 'utf8'))

// The registry is not asked: what it would install is what this repository has installed, in the very same versions.
describe('the published packages', () => {
  let folder = ''
  let home = ''
  const cleanups: (() => void)[] = []

  before(async () => {
    folder = temporaryFolder({ after: (fn: () => void) => cleanups.push(fn) })
    home = join(folder, 'website')
    fs.mkdirSync(join(home, 'node_modules'), { recursive: true })
    fs.writeFileSync(join(home, 'package.json'), '{ "type": "module" }\n')
    for (const item of packages) {
      const built = join(folder, item.name)
      await buildPackage(item, built)
      const target = join(home, 'node_modules/@stoa', item.name)
      unpack(pack(built), target)
      for (const name of Object.keys(readJson(join(target, 'package.json')).dependencies)) link(name)
    }
    for (const name of ['@types/node', 'undici-types', 'typescript']) link(name)
  })
  after(() => {
    for (const cleanup of cleanups) cleanup()
  })

  const pack = (built: string): string => {
    const options = ['pack', '--offline', '--silent', '--pack-destination', folder]
    const name = execFileSync('npm', options, { cwd: built, encoding: 'utf8' }).trim().split('\n').at(-1) ?? ''
    return join(folder, name)
  }
  const unpack = (tarball: string, target: string): void => {
    fs.mkdirSync(target, { recursive: true })
    execFileSync('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'])
  }
  const link = (name: string): void => {
    const place = join(home, 'node_modules', name)
    fs.mkdirSync(dirname(place), { recursive: true })
    if (!fs.existsSync(place)) fs.symlinkSync(join(root, 'node_modules', name), place)
  }
  const installed = (name: string, ...path: string[]): string => join(home, 'node_modules/@stoa', name, ...path)
  const filesOf = (name: string): string[] =>
    fs.readdirSync(installed(name), { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'))

  for (const { name } of packages) {
    test(`${name} imports nothing but what it declares, in the versions that are installed`, () => {
      const { dependencies } = readJson(installed(name, 'package.json'))
      for (const [dependency, version] of Object.entries(dependencies)) {
        const { version: present } = JSON.parse(
          fs.readFileSync(join(root, 'node_modules', dependency, 'package.json'), 'utf8'),
        )
        assert.equal(version, present, dependency)
      }
      const code = filesOf(name).filter((file) => /\.(js|d\.ts)$/.test(file) && file.startsWith('lib/'))
      for (const file of code)
        for (const specifier of specifiersIn(file, fs.readFileSync(installed(name, file), 'utf8'))) {
          if (specifier.startsWith('./'))
            assert.ok(fs.existsSync(installed(name, 'lib', specifier)) || file.endsWith('.d.ts'))
          else if (!isBuiltIn(specifier) && packageOf(specifier) !== `@stoa/${name}`)
            assert.ok(packageOf(specifier) in dependencies, `${specifier} in ${file}`)
        }
    })

    test(`${name} holds plain JavaScript with its types, and no sources or tests`, () => {
      const files = filesOf(name)
      for (const file of ['package.json', 'README.md', 'LICENSE', `lib/${name}.js`, `lib/${name}.d.ts`])
        assert.ok(files.includes(file), file)
      assert.deepEqual(
        files.filter((file) => /(?<!\.d)\.tsx?$|\.test\.|node_modules/.test(file)),
        [],
      )
    })
  }

  test('the client has no dependency, and runs in a browser: it knows nothing of Node', () => {
    assert.deepEqual(readJson(installed('cms-client', 'package.json')).dependencies, {})
    const code = fs.readFileSync(installed('cms-client', 'lib/cms-client.js'), 'utf8')
    assert.deepEqual(specifiersIn('cms-client.js', code), [])
    assert.doesNotMatch(code, /\bprocess\.|\bBuffer\b|\brequire\(/)
  })

  test('files beside the code of the host are where it looks for them', () => {
    const code = fs.readFileSync(installed('cms-host', 'lib/cms-host.js'), 'utf8')
    const near = [...code.matchAll(/new URL\("(\.\.?\/(?!\.\.)[^"]+)", import\.meta\.url\)/g)].map(
      ([, path]) => path ?? '',
    )
    assert.ok(near.includes('../migrations/'))
    // The admin UI is there if it was built.
    const wanted = near.filter((path) => path !== '../admin/' || fs.existsSync(join(root, 'web/cms-admin/dist')))
    for (const path of wanted) assert.ok(fs.existsSync(installed('cms-host', 'lib', path)), path)
    assert.deepEqual(
      fs.readdirSync(installed('cms-host', 'migrations')).sort(),
      fs.readdirSync(join(root, 'services/cms/migrations')).sort(),
    )
  })

  test('the visual functions load the parser and the selectors, and nothing of the service', async () => {
    const reached = new Set<string>()
    const follow = (file: string): string[] => {
      if (reached.has(file)) return []
      reached.add(file)
      return specifiersIn(file, fs.readFileSync(installed('cms-host', 'lib', file), 'utf8')).flatMap((specifier) =>
        specifier.startsWith('./') ? follow(specifier.slice(2)) : [specifier],
      )
    }
    assert.deepEqual([...new Set(follow('visual.js'))].sort(), ['css-select', 'parse5'])
    assert.ok(!reached.has('cms-host.js'))
    const code = `
      import { renderParts, renderVisual } from '@stoa/cms-host/visual'
      const sections = ['a', 'b'].map((id) => ({ id, label: id, selector: '.' + id }))
      console.log(renderVisual('<i class=a>1</i>-<i class=b>2</i>', { sections }, { order: ['b', 'a'], hidden: [] }))
      console.log(renderParts('<nav></nav>', { previewUrl: '/', parts: [{ id: 'n', label: 'N', selector: 'nav' }] }))`
    const options = ['--no-experimental-strip-types', '--input-type=module', '--eval', code]
    const program = startProgram(process.execPath, options, { cwd: home, env: { PATH: process.env.PATH } })
    assert.equal(await program.ends(), 0, program.output())
    assert.equal(program.output(), '<i class=b>2</i>-<i class=a>1</i>\n<nav data-cms-part="n"></nav>\n')
  })

  test('importing them does nothing: no output, no need of settings, nothing that keeps the process', async () => {
    const code = "await import('@stoa/cms-host'); await import('@stoa/cms-client'); await import('@stoa/cms-plugin')"
    const options = ['--input-type=module', '--eval', code]
    const program = startProgram(process.execPath, options, { cwd: home, env: { PATH: process.env.PATH } })
    assert.equal(await program.ends(), 0)
    assert.equal(program.output(), '')
  })

  test('the thread of plugins stands beside the code of the host, and runs one with plain Node', async () => {
    const code = fs.readFileSync(installed('cms-host', 'lib/cms-host.js'), 'utf8')
    assert.match(code, /["'`](?:\.\/)?sandbox-thread\.js["'`]/)
    fs.writeFileSync(join(home, 'thread.js'), PLUGIN)
    const options = ['--no-experimental-strip-types', 'thread.js', installed('cms-host', 'lib/sandbox-thread.js')]
    const program = startProgram(process.execPath, options, { cwd: home, env: { PATH: process.env.PATH } })
    assert.equal(await program.ends(), 0, program.output())
    assert.equal(program.output(), '{"kind":"value","text":"\\"https://example.com/y é\\""}\n')
  })

  test('a website in an empty folder starts the CMS with plain Node, reads with the client and stops', async (t) => {
    const database = await freshDatabase()
    t.after(database.drop)
    fs.writeFileSync(join(home, 'site.js'), WEBSITE)
    const key = `cms_${'p'.repeat(43)}`
    const { PATH } = process.env
    const env = {
      PATH,
      CMS_DATABASE_URL: database.url,
      SECRET: 'a secret of the tests, long enough for anyone',
      BOOTSTRAP_DELIVERY_KEY: key,
      DATA_DIR: folder,
      LOG_LEVEL: 'warn',
    }
    const options = ['--no-experimental-strip-types', '--disable-warning=ExperimentalWarning', 'site.js']
    const program = startProgram(process.execPath, options, { cwd: home, env })
    assert.equal(await program.ends(), 0, program.output())
    const [line = ''] = program
      .output()
      .split('\n')
      .filter((text) => text.startsWith('{'))
    assert.deepEqual(JSON.parse(line), {
      status: 200,
      locale: 'en',
      admin: fs.existsSync(join(root, 'web/cms-admin/dist')) ? 200 : 404,
      version: 'number',
      refused: 'CmsOptionsError',
    })
  })

  test('a plugin is created, built and checked with the installed package, and its types are sound', () => {
    const program = installed('cms-plugin', 'lib/main.js')
    for (const command of ['new', 'build', 'check']) {
      const options = ['--no-experimental-strip-types', program, command, 'team-notes']
      const { status, stdout, stderr } = spawnSync(process.execPath, options, { cwd: home, encoding: 'utf8' })
      assert.equal(status, 0, `${command}: ${stdout}${stderr}`)
    }
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', join(home, 'team-notes')], { encoding: 'utf8' })
    assert.equal(status, 0, stdout)
  })

  test('their types are enough to write a website with', () => {
    fs.writeFileSync(join(home, 'consumer.ts'), CONSUMER)
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--types', 'node']
    const target = ['--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024,dom']
    const { status, stdout } = spawnSync(process.execPath, [tsc, ...options, ...target, 'consumer.ts'], {
      cwd: home,
      encoding: 'utf8',
    })
    assert.equal(status, 0, stdout)
  })
})

const isBuiltIn = (id: string): boolean => id.startsWith('node:') || builtinModules.includes(id)

const packageOf = (id: string): string =>
  id
    .split('/')
    .slice(0, id.startsWith('@') ? 2 : 1)
    .join('/')

const PLUGIN = `
import { Worker } from 'node:worker_threads'

const handler = { kind: 'route', name: 'GET /' }
const code = "import { clock } from 'stoa'; export const routes = { 'GET /': (name) => clock.now() && new URL('/y', name) + ' é' }"
const workerData = { name: 'x', code, handlers: [handler], cpuMs: 1000, beat: new Int32Array(new SharedArrayBuffer(4)) }
const worker = new Worker(process.argv[2], { workerData, env: {}, execArgv: ['--no-experimental-strip-types'] })
worker.on('message', ({ type, outcome, reason }) => {
  if (type === 'ready') return worker.postMessage({ type: 'run', id: 1, handler, input: '"https://example.com/x"', now: 0 })
  console.log(JSON.stringify(outcome ?? reason))
  worker.terminate()
})
`

const WEBSITE = `
import { createClient } from '@stoa/cms-client'
import { createCms } from '@stoa/cms-host'

const refused = await createCms({ adminBase: 'admin' }).catch((error) => error.name)
const cms = await createCms({ workers: false })
const client = createClient({ url: 'http://localhost', apiKey: process.env.BOOTSTRAP_DELIVERY_KEY, fetch: cms.fetch })
const { status } = await cms.fetch(new Request('http://localhost/readyz'))
const { locale } = await client.settings()
const admin = (await cms.fetch(new Request('http://localhost/admin/'))).status
console.log(JSON.stringify({ status, locale, admin, version: typeof cms.contentVersion(), refused }))
await cms.close()
`

const CONSUMER = `
import { createServer } from 'node:http'
import { CmsError, createClient, type Entry } from '@stoa/cms-client'
import { type CmsInstance, createCms, renderParts } from '@stoa/cms-host'
import { renderVisual, type VisualDefinition } from '@stoa/cms-host/visual'

type Site = { article: { kind: 'collection'; data: { price: number | null } }; home: { kind: 'single'; data: { headline: string } } }

const cms: CmsInstance = await createCms({
  adminBase: '/studio',
  visual: { article: { sections: [{ id: 'a', label: 'A', selector: '.a' }], fields: { $title: 'h1' } } },
  website: { previewUrl: '/', parts: [{ id: 'n', label: 'N', selector: 'nav', source: { kind: 'menu', name: 'main', label: 'Main' } }] },
  workers: false,
})
createServer((request, response) => cms.handler(request, response, () => response.end()))
  .on('upgrade', (request, socket, head) => { if (!cms.upgrade(request, socket, head)) socket.destroy() })
const client = createClient<Site>({ url: 'http://localhost', apiKey: 'cms_x', fetch: cms.fetch })
const list = await client.list('article', { filter: { price: { gte: 1 } } })
const price: number | null | undefined = list.items[0]?.data.price
const headline: string | undefined = (await client.single('home'))?.data.headline
const some = await client.entry('article', 'a', { fields: ['title'] })
const title: string | undefined = some?.title
const entry: Entry | null = await createClient({ url: '', apiKey: '' }).entry('anything', 'a')
// @ts-expect-error a type that the site does not have
await client.list('articles')
// @ts-expect-error a collection has no single entry
await client.single('article')
// @ts-expect-error a field that the type does not have
list.items[0]?.data.prize
// @ts-expect-error no such source
await createCms({ website: { previewUrl: '/', parts: [{ id: 'n', label: 'N', selector: 'nav', source: { kind: 'page' } }] } })
client.live({ topics: ['site'], onEvent: ({ data }) => console.log(data.slug), onError: (error) => error instanceof CmsError })
const page: VisualDefinition = { sections: [{ id: 'a', label: 'A', selector: '.a' }] }
const html: string = renderParts(renderVisual('<p>', page, { order: ['a'] }, true), null)
// @ts-expect-error a layout is no list
renderVisual(html, page, ['a'])
console.log(price, headline, title, entry, cms.contentVersion() + 1)
`
