import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Files that are, or with the next commit could be, in the repository. */
export const trackedFiles = (): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(`${ROOT}${file}`))

export const read = (file: string): string => readFileSync(`${ROOT}${file}`, 'utf8')

/** `## CODE` headings of a reference page. */
export const headings = (page: string): string[] =>
  [...read(page).matchAll(/^## `?([\w.-]+)`?$/gm)].map((m) => m[1] ?? '')
