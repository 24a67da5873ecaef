import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { type PluginManifest, pluginName } from '@stoa/cms-model/plugin-manifest.ts'
import type { Log } from '@stoa/kit/log.ts'
import { MANIFEST, parseManifest, refuseMissingFiles, refuseOtherName } from './manifest.ts'
import { changed, FolderError, readWalked, type WalkedFile, walk } from './walk.ts'

/** A plugin as its folder has it: ready to run, or what is wrong with it. */
export type FoundPlugin =
  | { readonly name: string; readonly manifest: PluginManifest; readonly hash: string; readonly error: null }
  | { readonly name: string; readonly manifest: null; readonly hash: null; readonly error: string }
export type SoundPlugin = Extract<FoundPlugin, { error: null }>

export type PluginFiles = ReadonlyMap<string, Buffer>

export const NO_FOLDER = "The plugin's folder is missing from PLUGIN_DIR"

/** The plugins of PLUGIN_DIR, as they are at this moment. */
export type PluginFolder = {
  /** Whether this machine has a PLUGIN_DIR. */
  readonly isSet: boolean
  /** All of them, by name; of a folder with very many the first. */
  list(): Promise<FoundPlugin[]>
  /** Null: there is no such folder. */
  find(name: string): Promise<FoundPlugin | null>
  /** Its files, as `find` checks them. */
  read(
    name: string,
  ): Promise<{ found: SoundPlugin; files: PluginFiles } | Extract<FoundPlugin, { manifest: null }> | null>
}

declare module '../../context.ts' {
  interface Ports {
    readonly pluginFolder: PluginFolder
  }
}

/** More plugins than anybody runs, and few enough to look at on each request of the list. */
const MAX_PLUGINS = 100
const MAX_CACHED = 2 * MAX_PLUGINS
/** Names that are looked at before the first are taken. */
const MAX_ENTRIES = 10_000

type Cached = { readonly state: string; readonly found: FoundPlugin }
type Read = { readonly found: FoundPlugin; readonly files: PluginFiles }

export const openPluginFolder = ({ dir, log }: { dir: string | null; log: Log }): PluginFolder => {
  const cache = new Map<string, Cached>()

  /** Files are read only if something changed since the last look. */
  const find = async (name: string): Promise<FoundPlugin | null> => {
    if (dir === null || !isEntryName(name)) return null
    const walked = await walkPlugin(dir, name)
    if (walked === null) cache.delete(name)
    if (!Array.isArray(walked)) return walked
    const state = stateOf(walked)
    const known = cache.get(name)
    if (known?.state === state) return known.found
    const { found } = await readPlugin(dir, name, walked)
    if (cache.size >= MAX_CACHED) cache.clear()
    cache.set(name, { state, found })
    return found
  }
  return {
    isSet: dir !== null,
    find,
    async list() {
      const found: FoundPlugin[] = []
      for (const name of dir === null ? [] : await namesIn(dir, log)) {
        const plugin = await find(name)
        if (plugin !== null) found.push(plugin)
      }
      return found
    },
    async read(name) {
      if (dir === null || !isEntryName(name)) return null
      const walked = await walkPlugin(dir, name)
      if (!Array.isArray(walked)) return walked
      const { found, files } = await readPlugin(dir, name, walked)
      return found.error === null ? { found, files } : found
    },
  }
}

/** Whether a name can be that of an entry of PLUGIN_DIR, and of nothing else. */
const isEntryName = (name: string): boolean => name !== '' && !name.startsWith('.') && !/[/\\\0]/.test(name)

/** What may be a plugin: folders, and links, which are refused by name. Plain files lie beside them and are none. */
const namesIn = async (dir: string, log: Log): Promise<string[]> => {
  const names: string[] = []
  try {
    let entries = 0
    for await (const entry of await opendir(dir)) {
      entries += 1
      if (entries > MAX_ENTRIES) break
      if (isEntryName(entry.name) && !entry.isFile()) names.push(entry.name)
    }
  } catch (error) {
    log.warn({ code: codeOf(error) }, "PLUGIN_DIR can't be read")
    return []
  }
  if (names.length > MAX_PLUGINS)
    log.warn({ found: names.length, shown: MAX_PLUGINS }, 'PLUGIN_DIR has too many folders; some are ignored')
  // Sound names first: a heap of other folders must not hide the plugins.
  return names
    .sort((a, b) => Number(isSoundName(b)) - Number(isSoundName(a)) || (a < b ? -1 : 1))
    .slice(0, MAX_PLUGINS)
    .sort()
}

const isSoundName = (name: string): boolean => pluginName.safeParse(name).success

/** Its files, what is wrong, or null when there is no such folder. */
const walkPlugin = async (
  dir: string,
  name: string,
): Promise<WalkedFile[] | Extract<FoundPlugin, { manifest: null }> | null> => {
  try {
    const stat = await lstat(join(dir, name))
    if (stat.isSymbolicLink()) throw new FolderError('is a symbolic link')
    if (!stat.isDirectory()) return null
    refuseOtherName(name)
    return await walk(join(dir, name))
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR' || codeOf(error) === 'ENAMETOOLONG') return null
    return broken(name, error)
  }
}

const readPlugin = async (dir: string, name: string, walked: readonly WalkedFile[]): Promise<Read> => {
  const root = join(dir, name)
  try {
    if (!walked.some(({ path }) => path === MANIFEST)) throw new FolderError(`${MANIFEST}: is missing`)
    const files = new Map<string, Buffer>()
    for (const file of walked) files.set(file.path, await readWalked(root, file))
    // A folder on the way to a file may have been replaced by a link meanwhile.
    if (stateOf(await walk(root)) !== stateOf(walked)) throw changed()
    const manifest = parseManifest(name, files.get(MANIFEST) ?? Buffer.alloc(0))
    refuseMissingFiles(manifest, new Set(files.keys()))
    if (!isUtf8(files.get(manifest.server) ?? Buffer.alloc(0))) throw new FolderError("server: isn't UTF-8 text")
    return { found: { name, manifest, hash: hashOf(files), error: null }, files }
  } catch (error) {
    return { found: broken(name, error), files: new Map() }
  }
}

const broken = (name: string, error: unknown): Extract<FoundPlugin, { manifest: null }> => {
  const code = codeOf(error)
  if (!(error instanceof FolderError) && code === undefined) throw error
  const message = error instanceof FolderError ? error.message : `can't be read (${code})`
  // A problem of the folder as a whole has no path in front.
  const text = /^(is|has|was|cannot) /.test(message) ? `The folder ${message}` : message
  return { name, manifest: null, hash: null, error: text }
}

const codeOf = (error: unknown): string | undefined => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

const stateOf = (walked: readonly WalkedFile[]): string =>
  createHash('sha256')
    .update(JSON.stringify(walked.map(({ path, state }) => [path, state])))
    .digest('hex')

/** Paths and sizes are part of it, so that no two folders give the same bytes. */
const hashOf = (files: PluginFiles): string => {
  const hash = createHash('sha256')
  for (const [path, bytes] of files) hash.update(JSON.stringify([path, bytes.length])).update(bytes)
  return hash.digest('hex')
}
