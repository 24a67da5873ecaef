// Prepares what `npm start` runs: `node scripts/bundle.ts`. A service that is started from its sources reads two thousand
// files and keeps them all; from a bundle it reads a few, without types and without what nobody imports.
import * as fs from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { decode, encode } from '@jridgewell/sourcemap-codec'
import { type OutputChunk, type Plugin, rolldown } from 'rolldown'
import { root } from './environment.ts'
import { type Service, services } from './services.ts'
import { print, printError } from './terminal.ts'

/** Native code, WebAssembly and what is loaded by a few only; they stay where npm has put them. */
const EXTERNAL = ['sharp', 'stripe', '@jitl/quickjs-wasmfile-release-sync', 'pg-native', 'bufferutil', 'utf-8-validate']

/** Writes the bundle of a service into a folder, which is emptied first. */
export const bundleService = async ({ entry }: Pick<Service, 'entry'>, folder: string): Promise<void> => {
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(folder, { recursive: true })
  const build = await rolldown({
    input: { main: join(root, entry) },
    platform: 'node',
    external: EXTERNAL,
    plugins: [bundledThreads, besideSources(folder)],
    onLog: (level, { message }) => printError(`${level}: ${message}`),
  })
  try {
    const { output } = await build.generate({
      // Paths in its source maps are relative to it.
      dir: folder,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      comments: false,
      // Node keeps the text of all code, twice as long when a single letter in it is not ASCII. Names stay as they are.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true, asciiOnly: true } },
      sourcemap: 'hidden',
      codeSplitting: { groups: [{ name: PACKAGES, test: /[\\/]node_modules[\\/]/, entriesAware: true }] },
    })
    for (const file of output) if (file.type === 'chunk') writeChunk(folder, file)
  } finally {
    await build.close()
  }
}

/** Files of packages begin with it. */
const PACKAGES = 'packages'

/** With a map for the errors that are written down (`stackOf`); packages have none. */
const writeChunk = (folder: string, { fileName, code, map }: OutputChunk): void => {
  const file = join(folder, fileName)
  fs.writeFileSync(file, code)
  if (map === null || fileName.startsWith(PACKAGES)) return
  const { version, sources, mappings } = map
  fs.writeFileSync(`${file}.map`, JSON.stringify({ version, sources, names: [], mappings: linesOnly(mappings) }))
}

/** A map is read as a whole for one error: the places where another line of a source begins will do. */
const linesOnly = (mappings: string): string =>
  encode(
    decode(mappings).map((segments) =>
      segments.flatMap(([column, source, line], at): [number, number, number, number][] => {
        const [, sourceBefore, lineBefore] = segments[at - 1] ?? []
        const isSame = source === sourceBefore && line === lineBefore
        return source === undefined || line === undefined || isSame ? [] : [[column, source, line, 0]]
      }),
    ),
  )

const isOwn = (id: string): boolean => !id.includes(`${sep}node_modules${sep}`)

const THREAD = /new URL\('([^']+\.ts)', import\.meta\.url\)/g

/** A thread is a file that code starts by its name: it is bundled, too. */
export const bundledThreads: Plugin = {
  name: 'bundled-threads',
  transform(code, id) {
    if (!isOwn(id) || code.search(THREAD) === -1) return null
    const bundled = code.replaceAll(THREAD, (_, file: string) => {
      const thread = join(dirname(id), file)
      // Rolldown would return the address of one file for both when two have the same name.
      const name = `${basename(dirname(thread))}-${basename(thread, '.ts')}`
      const reference = this.emitFile({ type: 'chunk', id: thread, name })
      return `new URL(import.meta.ROLLUP_FILE_URL_${reference})`
    })
    return { code: bundled, map: null }
  },
}

const HERE = 'import.meta.url'

/** Other files beside a source are found where the source is. */
const besideSources = (folder: string): Plugin => ({
  name: 'beside-sources',
  transform(code, id) {
    if (!isOwn(id) || !code.includes(HERE)) return null
    const source = JSON.stringify(relative(folder, id).split(sep).join('/'))
    return { code: code.replaceAll(HERE, `new URL(${source}, ${HERE}).href`), map: null }
  },
})

const main = async (): Promise<number> => {
  for (const service of services) {
    if (!service.bundle) continue
    print(`Preparing ${service.name}`)
    await bundleService(service, dirname(join(root, service.bundle)))
  }
  return 0
}

if (import.meta.main) process.exit(await main().catch(printError))
