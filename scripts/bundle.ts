// Prepares what `npm start` runs: `node scripts/bundle.ts`. A service that is started from its sources reads two thousand
// files and keeps them all; from a bundle it reads a few, without types and without what nobody imports.
import * as fs from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { root } from './environment.ts'
import { type Service, services } from './services.ts'
import { complain, say } from './terminal.ts'

/** Native code, WebAssembly and what is loaded by a few only; they stay where npm has put them. */
const EXTERNAL = ['sharp', 'stripe', '@jitl/quickjs-wasmfile-release-sync', 'pg-native', 'bufferutil', 'utf-8-validate']

/** Writes the bundle of a service into a folder, which is emptied first. */
export const bundleService = async ({ entry }: Pick<Service, 'entry'>, folder: string): Promise<void> => {
  fs.rmSync(folder, { recursive: true, force: true })
  const build = await rolldown({
    input: { main: join(root, entry) },
    platform: 'node',
    external: EXTERNAL,
    plugins: [bundledThreads, besideSources(folder)],
    onLog: (level, { message }) => complain(`${level}: ${message}`),
  })
  try {
    await build.write({
      dir: folder,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      comments: false,
      // So that errors name the lines of the sources, which are there to be read.
      sourcemap: true,
      sourcemapExcludeSources: true,
      codeSplitting: { groups: [{ name: 'packages', test: /[\\/]node_modules[\\/]/ }] },
    })
  } finally {
    await build.close()
  }
}

const isOwn = (id: string): boolean => !id.includes(`${sep}node_modules${sep}`)

const THREAD = /new URL\('([^']+\.ts)', import\.meta\.url\)/g

/** A thread is a file that code starts by its name: it is bundled, too. */
export const bundledThreads: Plugin = {
  name: 'bundled-threads',
  transform(code, id) {
    if (!isOwn(id) || code.search(THREAD) === -1) return null
    const bundled = code.replaceAll(THREAD, (_, file: string) => {
      const reference = this.emitFile({ type: 'chunk', id: join(dirname(id), file), name: basename(file, '.ts') })
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
    say(`Preparing ${service.name}`)
    await bundleService(service, dirname(join(root, service.bundle)))
  }
  return 0
}

if (import.meta.main) process.exit(await main().catch(complain))
