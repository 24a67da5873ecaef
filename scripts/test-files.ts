import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** These drive whole processes, which take their time, and one of them may spoil the next. */
const ALONE = ['tests/faults/', 'tests/process/', 'scripts/mail-']
// To load the code of a service and warm it up takes two seconds of work; with more than this a group would end long
// after the others.
const GROUP_FILES = 60
const GROUP_BYTES = 750_000
/** Files in a browser share it, and take ten times as long as others; the first one of a group works seven seconds more. */
const BROWSER = 'tests/e2e/'
const BROWSER_FILES = 14

/** The test files whose path contains one of the filters; all of them without a filter. */
export const findTests = (root: string, filters: string[]): string[] =>
  globSync('{packages,services,web,examples,scripts,tests}/**/*.test.ts', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**'],
  })
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .sort()

/**
 * Files that share a process, in the order in which the processes start: the slow ones first, so that none ends last, and
 * those that wait beside those that work, so that no core is idle.
 */
export const groupTests = (root: string, files: string[]): string[][] => {
  const sizes = new Map(files.map((file) => [file, statSync(join(root, file)).size]))
  const sizeOf = (group: string[]): number => group.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0)
  const groups: string[][] = []
  for (const file of files.filter((one) => !isAlone(one))) {
    const last = groups.at(-1)
    const fits =
      last?.[0] !== undefined &&
      workspaceOf(last[0]) === workspaceOf(file) &&
      last.length < (file.startsWith(BROWSER) ? BROWSER_FILES : GROUP_FILES) &&
      sizeOf([...last, file]) <= GROUP_BYTES
    if (fits) last.push(file)
    else groups.push([file])
  }
  const isSlow = (group: string[]): number => Number(group[0]?.startsWith('tests/') ?? false)
  const working = groups.toSorted((a, b) => isSlow(b) - isSlow(a) || sizeOf(b) - sizeOf(a))
  return mix(
    working,
    files.filter(isAlone).map((file) => [file]),
  )
}

/** One of those alone beside each group at work, in the order of their folders, which is that of how long they take. */
const mix = (working: string[][], alone: string[][]): string[][] => {
  const ordered = alone.toSorted(([a = ''], [b = '']) => aloneRank(a) - aloneRank(b))
  const mixed = working.flatMap((group) => [...ordered.splice(0, 1), group])
  return [...mixed, ...ordered]
}

const aloneRank = (file: string): number => ALONE.findIndex((folder) => file.startsWith(folder))
const isAlone = (file: string): boolean => aloneRank(file) !== -1

/** Whether a file may start services in processes of their own, which is done as `npm start` does it: from their bundles. */
export const startsServices = (file: string): boolean => isAlone(file) || file.startsWith('tests/journeys/')

/** Files of one workspace load much the same code. */
export const workspaceOf = (file: string): string =>
  file
    .split('/')
    .slice(0, file.startsWith('scripts/') ? 1 : 2)
    .join('/')
