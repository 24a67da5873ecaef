import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A rule of the program, broken on purpose. */
export type Mutant = {
  /** The rule in words. */
  rule: string
  file: string
  /** Occurs once in the file. */
  find: string
  replace: string
  /** Test files that notice it. Without a browser, and fast. */
  tests: readonly string[]
}

/** The file with its rule broken. */
export const applyMutant = (text: string, { find, replace }: Mutant): string => text.replace(find, () => replace)

/** Why a mutant no longer fits the tree at this root; null when it does. */
export const outdated = (root: string, mutant: Mutant): string | null => {
  const missing = [mutant.file, ...mutant.tests].find((file) => !existsSync(join(root, file)))
  if (missing !== undefined) return `there is no ${missing}`
  if (mutant.find === mutant.replace) return 'it changes nothing'
  if (mutant.tests.length === 0) return 'it names no test'
  const count = readFileSync(join(root, mutant.file), 'utf8').split(mutant.find).length - 1
  return count === 1 ? null : `the text occurs ${count} times in ${mutant.file}: ${mutant.find}`
}
