import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type InputOptions, rolldown } from 'rolldown'

export type Built = { written: string[]; problems: string[] }

/** Not all that Node and browsers know is known to the sandbox. */
const SERVER_TARGET = 'es2022'
const SCREEN_TARGET = 'es2024'

/** Bundles `src/server.ts` to `server.js` and every file right in `src/screens` to one of the same name in `screens`. */
export const buildPlugin = async (folder: string): Promise<Built> => {
  const parts = partsOf(folder)
  if (parts.length === 0)
    return {
      written: [],
      problems: [`${join(folder, 'src')} has no server.ts and no screens, so there is nothing to build`],
    }
  const results = await Promise.all(parts.map((part) => buildPart(folder, part)))
  return {
    written: results.flatMap(({ written }) => written),
    problems: results.flatMap(({ problems }) => problems),
  }
}

type Part = { source: string; target: string; isServer: boolean }

const isSource = (name: string): boolean => /\.[jt]s$/.test(name) && !/\.(test|d)\.[jt]s$/.test(name)

const partsOf = (folder: string): Part[] => {
  const server = ['src/server.ts', 'src/server.js'].find((file) => fs.existsSync(join(folder, file)))
  const screens = join(folder, 'src/screens')
  const names = fs.existsSync(screens) ? fs.readdirSync(screens).filter(isSource).sort() : []
  return [
    ...(server ? [{ source: server, target: 'server.js', isServer: true }] : []),
    ...names.map((name) => ({
      source: `src/screens/${name}`,
      target: `screens/${name.replace(/\.[jt]s$/, '.js')}`,
      isServer: false,
    })),
  ]
}

const buildPart = async (folder: string, part: Part): Promise<Built> => {
  const problems: string[] = []
  try {
    const bundle = await rolldown({ ...inputOf(folder, part), onLog: () => undefined })
    try {
      const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
      const [chunk] = output
      const left = [...chunk.imports, ...chunk.dynamicImports].filter((id) => !(part.isServer && id === 'stoa'))
      for (const id of left) problems.push(importProblem(part, id))
      if (left.length > 0) return { written: [], problems }
      fs.mkdirSync(dirname(join(folder, part.target)), { recursive: true })
      fs.writeFileSync(join(folder, part.target), chunk.code)
      return { written: [part.target], problems }
    } finally {
      await bundle.close()
    }
  } catch (error) {
    return {
      written: [],
      problems: [`${part.source} can't be built: ${error instanceof Error ? error.message : error}`],
    }
  }
}

const importProblem = ({ source, isServer }: Part, id: string): string => {
  if (id === 'stoa')
    return `${source} imports stoa, which is only available on the server; call one of your routes with the bridge`
  return isServer
    ? `${source} imports ${id}; the sandbox only has stoa and code bundled with the plugin`
    : `${source} imports ${id}, which can't be found`
}

const inputOf = (folder: string, { source, isServer }: Part): InputOptions => ({
  input: join(folder, source),
  cwd: folder,
  platform: isServer ? 'neutral' : 'browser',
  external: (id) => id === 'stoa' || id.startsWith('node:'),
  transform: { target: isServer ? SERVER_TARGET : SCREEN_TARGET },
  // A plugin's folder may be anywhere: the bridge is found without an installed package.
  resolve: { alias: { '@stoa/cms-plugin/bridge': bridgeFile() } },
})

/** The bridge as one script, for screens that are written without a build. */
export const bridgeScript = async (): Promise<string> => {
  const bundle = await rolldown({ input: bridgeFile(), platform: 'browser', transform: { target: SCREEN_TARGET } })
  try {
    const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
    return output[0].code.replaceAll(/^\/\/#(end)?region.*\n/gm, '')
  } finally {
    await bundle.close()
  }
}

/** The bridge beside this code: TypeScript in the repository, JavaScript in the published package. */
const bridgeFile = (): string => {
  const near = [new URL('../bridge.ts', import.meta.url), new URL('./bridge.js', import.meta.url)].map((url) =>
    fileURLToPath(url),
  )
  return near.find((file) => fs.existsSync(file)) ?? '@stoa/cms-plugin/bridge'
}
