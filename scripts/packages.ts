// Builds the packages for publishing: `node scripts/packages.ts [folder]`. Each gets plain JavaScript with its types,
// what it needs at run time, and a package.json of its own: Node strips no types below node_modules.
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { bundledThreads } from './bundle.ts'
import { root } from './environment.ts'
import { print, printError } from './terminal.ts'

type Package = {
  /** The folder below `packages/`. */
  name: string
  /** Files of its `src` that can be imported as `@stoa/<name>/<entry>`, besides the one with its name. */
  entries?: readonly string[]
  description: string
  platform: 'node' | 'neutral'
  /** A file of its `src` that `npx @stoa/<name>` runs. */
  program?: string
  /** Copied files that can be imported, by the name they are imported as. */
  exports?: Readonly<Record<string, string | Record<string, string>>>
  engines?: Record<string, string>
  /** Copied as they are: from a path of the repository to one of the package. What is not built is left out. */
  files: readonly (readonly [from: string, to: string])[]
}

export const packages: readonly Package[] = [
  {
    name: 'cms-host',
    entries: ['visual'],
    description: 'The Stoa CMS inside your own Node process',
    platform: 'node',
    engines: { node: '>=24.7' },
    files: [
      ['services/cms/migrations', 'migrations'],
      ['web/cms-admin/dist', 'admin'],
      ['packages/cms-host/README.md', 'README.md'],
      ['LICENSE', 'LICENSE'],
    ],
  },
  {
    name: 'cms-client',
    description: 'Typed client for the delivery API and the socket of the Stoa CMS',
    platform: 'neutral',
    files: [
      ['packages/cms-client/README.md', 'README.md'],
      ['LICENSE', 'LICENSE'],
    ],
  },
  {
    name: 'cms-plugin',
    entries: ['bridge', 'testing'],
    program: 'main',
    description: 'Types, bridge, commands and test ground for plugins of the Stoa CMS',
    platform: 'node',
    engines: { node: '>=24.7' },
    exports: { './stoa': { types: './lib/stoa.d.ts' }, './manifest.schema.json': './manifest.schema.json' },
    files: [
      ['packages/cms-plugin/src/stoa.d.ts', 'lib/stoa.d.ts'],
      ['packages/cms-plugin/manifest.schema.json', 'manifest.schema.json'],
      ['packages/cms-plugin/README.md', 'README.md'],
      ['LICENSE', 'LICENSE'],
    ],
  },
]

/** Builds one package into a folder, which is emptied first. */
export const buildPackage = async (item: Package, folder: string): Promise<void> => {
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(join(folder, 'lib'), { recursive: true })
  const imported = await bundle(item, folder)
  for (const entry of entriesOf(item)) emitTypes(item.name, entry, join(folder, 'lib'))
  for (const [from, to] of item.files)
    if (fs.existsSync(join(root, from))) fs.cpSync(join(root, from), join(folder, to), { recursive: true })
  fs.writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifestOf(item, imported), null, 2)}\n`)
}

const entriesOf = ({ name, entries = [] }: Package): string[] => [name, ...entries]

/** Writes the code of the package and of all workspaces it uses; gives the names of what it imports from others. */
const bundle = async (item: Package, folder: string): Promise<string[]> => {
  const sources = join(root, 'packages', item.name, 'src')
  const named = [...entriesOf(item), ...(item.program ? [item.program] : [])]
  const build = await rolldown({
    input: Object.fromEntries(named.map((entry) => [entry, join(sources, `${entry}.ts`)])),
    platform: item.platform,
    external: (id) => !/^(?:[./]|@stoa\/)/.test(id),
    plugins: [bundledThreads],
    onLog: (level, { message }) => printError(`${level}: ${message}`),
  })
  try {
    const { output } = await build.write({
      dir: join(folder, 'lib'),
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
    })
    const specifiers = output.flatMap((chunk) =>
      chunk.type === 'chunk' ? [...chunk.imports, ...chunk.dynamicImports, ...resolvedIn(chunk.code)] : [],
    )
    const own = new Set(output.map(({ fileName }) => fileName))
    return [...new Set(specifiers.filter((id) => !own.has(id) && !isBuiltIn(id)).map(packageOf))].sort()
  } finally {
    await build.close()
  }
}

/** Packages of which it only reads a file. */
const resolvedIn = (code: string): string[] =>
  [...code.matchAll(/import\.meta\.resolve\(["']([^"'.][^"']*)["']\)/g)].map(([, id = '']) => id)

const isBuiltIn = (id: string): boolean => id.startsWith('node:') || builtinModules.includes(id)

/** `kysely/migration` is a file of `kysely`. */
const packageOf = (id: string): string =>
  id
    .split('/')
    .slice(0, id.startsWith('@') ? 2 : 1)
    .join('/')

/** Puts the declarations that the entry reaches beside the code. They import nothing of the other workspaces. */
const emitTypes = (name: string, entry: string, folder: string): void => {
  const scratch = fs.mkdtempSync(join(tmpdir(), 'stoa-types-'))
  const source = join('packages', name, 'src', `${entry}.ts`)
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const options = ['--ignoreConfig', '--noCheck', '--declaration', '--emitDeclarationOnly', '--strict']
    const target = ['--target', 'es2024', '--module', 'nodenext', '--allowImportingTsExtensions', '--types', 'node']
    const places = ['--rootDir', root, '--outDir', scratch]
    execFileSync(process.execPath, [tsc, ...options, ...target, ...places, join(root, source)], { stdio: 'inherit' })
    copyTypes(join(scratch, dirname(source)), `${entry}.d.ts`, folder)
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true })
  }
}

const copyTypes = (from: string, file: string, to: string): void => {
  if (fs.existsSync(join(to, file))) return
  const text = fs.readFileSync(join(from, file), 'utf8')
  const foreign = /from '(@stoa\/[^']+)'/.exec(text)
  if (foreign) throw new Error(`${file} would need the types of ${foreign[1]}, which is not published`)
  fs.writeFileSync(join(to, file), text.replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"))
  for (const [, next] of text.matchAll(/from '\.\/([\w-]+)\.ts'/g)) copyTypes(from, `${next}.d.ts`, to)
}

const manifestOf = (item: Package, imported: readonly string[]) => {
  const { name, description, engines, program } = item
  const { version, license } = readManifest(`packages/${name}`)
  const known = [`packages/${name}`, 'packages/kit', 'packages/cms-model', 'packages/visual', 'services/cms'].map(
    (folder) => readManifest(folder).dependencies ?? {},
  )
  const versionOf = (dependency: string): string => {
    const found = known.find((dependencies) => dependencies[dependency])?.[dependency]
    if (!found) throw new Error(`${name} imports ${dependency}, and no workspace says in which version`)
    return found
  }
  return {
    name: `@stoa/${name}`,
    version,
    description,
    license,
    type: 'module',
    ...(engines && { engines }),
    ...(program && { bin: { [name]: `./lib/${program}.js` } }),
    exports: {
      ...Object.fromEntries(
        entriesOf(item).map((entry) => [
          entry === name ? '.' : `./${entry}`,
          { types: `./lib/${entry}.d.ts`, default: `./lib/${entry}.js` },
        ]),
      ),
      ...item.exports,
    },
    sideEffects: false,
    dependencies: Object.fromEntries(imported.map((dependency) => [dependency, versionOf(dependency)])),
  }
}

type Manifest = { version: string; license: string; dependencies?: Record<string, string> }

const readManifest = (folder: string): Manifest =>
  JSON.parse(fs.readFileSync(join(root, folder, 'package.json'), 'utf8'))

const main = async ([folder]: string[]): Promise<number> => {
  for (const item of packages) {
    const target = folder ? resolve(folder, item.name) : join(root, 'packages', item.name, 'dist')
    await buildPackage(item, target)
    print(`Built @stoa/${item.name}: npm publish ${target}`)
  }
  return 0
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)).catch(printError))
