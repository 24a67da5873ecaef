import * as fs from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pluginName, reservedPluginNames } from '@stoa/cms-model/plugin-manifest.ts'
import { type Home, templateFiles } from './template.ts'

export type Scaffolded = { written: string[]; problems: string[] }

/** Fills a new folder with a small plugin that works: a list of notes with a screen. */
export const newPlugin = (folder: string): Scaffolded => {
  const name = basename(folder)
  const problems = problemsOf(folder, name)
  if (problems.length > 0) return { written: [], problems }
  const files = templateFiles(name, homeFor(folder))
  for (const [path, text] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(folder, path)), { recursive: true })
    fs.writeFileSync(join(folder, path), text)
  }
  return { written: Object.keys(files), problems: [] }
}

const problemsOf = (folder: string, name: string): string[] => {
  if (!pluginName.safeParse(name).success)
    return [
      `"${name}" can't be the name of a plugin. Use 2 to 41 lowercase letters, digits and hyphens, starting with a letter.`,
    ]
  if (reservedPluginNames.includes(name)) return [`"${name}" is reserved. Choose another name.`]
  if (fs.existsSync(folder) && fs.readdirSync(folder).length > 0)
    return [`${folder} isn't empty. Choose another folder.`]
  return []
}

/** This package as seen from the plugin's folder. Its own code is in `src/commands`, or bundled in `lib`. */
const homeFor = (folder: string): Home => {
  const near = ['../..', '..'].map((path) => fileURLToPath(new URL(path, import.meta.url)))
  const own = near.find((one) => fs.existsSync(join(one, 'manifest.schema.json'))) ?? ''
  const path = relative(folder, own).replaceAll('\\', '/')
  return { path, isInstalled: own.includes('node_modules') }
}
