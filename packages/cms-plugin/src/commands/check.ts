import * as fs from 'node:fs'
import { dirname, join, posix } from 'node:path'
import type { PluginManifest } from '@stoa/cms-model/plugin-manifest.ts'
import { outlineOf } from './exports.ts'
import { listFiles, readManifest } from './folder.ts'

/** `problems` keep a plugin from running; `hints` do not. */
export type Checked = { problems: string[]; hints: string[] }

/** Looks at a plugin's folder as a service will, and says in plain words what is wrong. */
export const checkPlugin = (folder: string): Checked => {
  if (!fs.existsSync(folder)) return { problems: [`The folder ${folder} doesn't exist`], hints: [] }
  const { sizes, problems } = listFiles(folder)
  const read = readManifest(folder)
  problems.push(...read.problems)
  if (!read.manifest) return { problems, hints: [] }
  const { manifest } = read
  const found = [checkServer, checkScreens].map((check) => check(folder, manifest, sizes))
  return {
    problems: [...problems, ...found.flatMap((one) => one.problems)],
    hints: found.flatMap((one) => one.hints),
  }
}

type Check = (folder: string, manifest: PluginManifest, sizes: ReadonlyMap<string, number>) => Checked

/** What people reach for, and the sandbox does not have. */
const MISSING: Readonly<Record<string, string>> = {
  fetch: 'use http.fetch of stoa',
  setTimeout: 'there are no timers; use a schedule',
  setInterval: 'there are no timers; use a schedule',
  require: 'import what you need in src/server.ts and build',
  process: 'use settings.own() of stoa',
  Buffer: 'use TextEncoder',
  Intl: 'format in a screen instead',
  localStorage: 'use store of stoa',
}

const checkServer: Check = (folder, manifest, sizes) => {
  const problems: string[] = []
  const hints: string[] = []
  if (!sizes.has(manifest.server)) {
    const remedy = sizes.has('src/server.ts') ? '; build the plugin first' : ''
    return { problems: [`${manifest.server} is missing${remedy}`], hints }
  }
  const code = fs.readFileSync(join(folder, manifest.server), 'utf8')
  const outline = outlineOf(manifest.server, code)
  if (outline.error !== null) return { problems: [`${manifest.server} can't be read: ${outline.error}`], hints }
  for (const id of outline.imports.filter((one) => one !== 'stoa'))
    problems.push(`${manifest.server} imports ${id}; a plugin can only import stoa, so bundle everything else`)
  for (const name of outline.calls)
    if (Object.hasOwn(MISSING, name))
      hints.push(`${manifest.server} uses ${name}, which isn't available in the sandbox: ${MISSING[name]}`)
  for (const { kind, names } of handlersOf(manifest)) {
    const present = outline.handlers.get(kind)
    if (present === null)
      hints.push(`The names in ${kind} can't be read here; they are checked when the plugin is turned on`)
    if (present === null) continue
    for (const name of names.filter((one) => !present?.includes(one)))
      problems.push(
        `plugin.json declares ${kind} ${name}, but ${manifest.server} has no handler for it in "export const ${kind}"`,
      )
    for (const name of present?.filter((one) => !names.includes(one)) ?? [])
      hints.push(`${manifest.server} has ${kind} ${name}, which plugin.json doesn't declare, so it never runs`)
  }
  return { problems, hints }
}

const handlersOf = ({ routes, events, schedules }: PluginManifest) => [
  { kind: 'routes', names: routes.map(({ method, path }) => `${method} ${path}`) },
  { kind: 'events', names: [...events] as string[] },
  { kind: 'schedules', names: schedules.map(({ name }) => name) },
]

const checkScreens: Check = (folder, { screens, panels, pages }, sizes) => {
  const problems: string[] = []
  const files = new Set([...screens, ...panels, ...pages].map(({ file }) => file))
  for (const file of files) {
    if (!sizes.has(file)) problems.push(`${file} is missing`)
    else if (!file.endsWith('.html')) problems.push(`${file} must be an HTML file`)
    else problems.push(...htmlProblems(file, fs.readFileSync(join(folder, file), 'utf8'), sizes))
  }
  for (const { file } of pages.filter((page) => sizes.has(page.file)))
    for (const address of addressesIn(fs.readFileSync(join(folder, file), 'utf8')))
      if (!/^(\/|\.\.\/screens\/|[a-z]+:)/i.test(address))
        problems.push(`${file} is a public page at /pages/…, so ${address} must be ../screens/${address}`)
  return { problems, hints: [] }
}

const addressesIn = (html: string): string[] =>
  [...html.matchAll(/<(?:script|link|img)\b[^>]*?\s(?:src|href)\s*=\s*["']([^"']+)["']/gi)].map(
    ([, address = '']) => address,
  )

/** The browser loads files of the plugin and the shared style sheet, and runs no code that stands in the page. */
const htmlProblems = (file: string, html: string, sizes: ReadonlyMap<string, number>): string[] => {
  const text = html.replaceAll(/<!--[\s\S]*?-->/g, '')
  const problems = [...text.matchAll(/<script\b([^>]*)>/gi)]
    .filter(([, attributes = '']) => !/\ssrc\s*=/i.test(attributes))
    .map(() => `${file} has an inline script, which the browser blocks; move it to a file in screens/`)
  if (/<[^>]+\son[a-z]+\s*=/i.test(text))
    problems.push(`${file} has an attribute like onclick, which the browser blocks; use addEventListener`)
  for (const address of addressesIn(text)) {
    if (address === '/ext/ui.css' || address.startsWith('data:')) continue
    if (/^([a-z]+:|\/)/i.test(address)) {
      problems.push(`${file} loads ${address}; a screen can only load its own files and /ext/ui.css`)
      continue
    }
    const path = posix.join(dirname(file), address.replace(/[?#].*$/, ''))
    if (!path.startsWith('screens/')) problems.push(`${file} loads ${address}, which isn't in screens/`)
    else if (!sizes.has(path))
      problems.push(`${file} loads ${address}, but ${path} is missing${buildRemedy(path, sizes)}`)
  }
  return problems
}

const buildRemedy = (path: string, sizes: ReadonlyMap<string, number>): string =>
  sizes.has(`src/${path.replace(/\.js$/, '.ts')}`) ? '; build the plugin first' : ''
