import * as fs from 'node:fs'
import { basename, join } from 'node:path'
import { type PluginManifest, pluginManifest, reservedPluginNames } from '@stoa/cms-model/plugin-manifest.ts'
import { issueText } from '@stoa/issue-text/issue-text.ts'

/** A service refuses a folder with more. */
const MAX_FILES = 200
const MAX_BYTES = 5 * 1024 * 1024
const MAX_MANIFEST_BYTES = 64 * 1024

/** The files of a plugin by their way from its folder, `/` between names, and what is wrong with them. */
export type FolderFiles = { sizes: Map<string, number>; problems: string[] }

export const listFiles = (folder: string): FolderFiles => {
  const sizes = new Map<string, number>()
  const problems: string[] = []
  const folders = ['']
  for (let at = folders.shift(); at !== undefined; at = folders.shift())
    for (const entry of fs.readdirSync(join(folder, at), { withFileTypes: true })) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (!entry.isFile() && !entry.isDirectory())
        problems.push(`${path} is a symbolic link; a plugin can only contain regular files`)
      // Hidden files of editors and version control; the service skips them.
      else if (entry.name.startsWith('.')) continue
      else if (entry.isDirectory()) folders.push(path)
      else sizes.set(path, fs.statSync(join(folder, path)).size)
    }
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  if (sizes.size > MAX_FILES) problems.push(`The folder has ${sizes.size} files; ${MAX_FILES} are allowed`)
  if (bytes > MAX_BYTES)
    problems.push(`The folder has ${(bytes / 1024 / 1024).toFixed(1)} MiB; ${MAX_BYTES / 1024 / 1024} MiB are allowed`)
  return { sizes, problems }
}

export type ReadManifest = { manifest: PluginManifest | null; problems: string[] }

/** `plugin.json`, as the service will read it. */
export const readManifest = (folder: string): ReadManifest => {
  const file = join(folder, 'plugin.json')
  if (!fs.existsSync(file)) return refused('plugin.json is missing')
  if (fs.statSync(file).size > MAX_MANIFEST_BYTES) return refused('plugin.json is larger than 64 KiB')
  let value: unknown
  try {
    value = JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch (error) {
    return refused(`plugin.json isn't valid JSON: ${error instanceof Error ? error.message : error}`)
  }
  const { data, error } = pluginManifest.safeParse(value, { error: issueText })
  if (error) return refused(...error.issues.map(({ path, message }) => `plugin.json: ${path.join('.')} ${message}`))
  const problems = nameProblems(data.name, folder)
  return { manifest: data, problems }
}

const refused = (...problems: string[]): ReadManifest => ({ manifest: null, problems })

const nameProblems = (name: string, folder: string): string[] => {
  if (reservedPluginNames.includes(name)) return [`plugin.json: name ${name} is reserved; choose another name`]
  const own = basename(folder)
  return own === name ? [] : [`plugin.json: name is ${name}, but the folder is called ${own}; they must be the same`]
}
