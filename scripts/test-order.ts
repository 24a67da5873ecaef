import { createHash, randomInt } from 'node:crypto'
import { print } from './terminal.ts'
import { findTests, groupTests } from './test-files.ts'

const MAX_SEED = 1_000_000

/** The seed for the order of files that share a process: a new one for every run, or the one of a run to repeat. */
export const chooseSeed = (given: string | undefined): number => {
  if (given === undefined) return randomInt(1, MAX_SEED)
  if (!/^\d{1,15}$/.test(given)) throw new Error(`--seed=${given} is not a whole number`)
  return Number(given)
}

/**
 * The groups with their files in the order of the seed. It does not depend on the other groups: a group that is run
 * again by itself has the order that it had among all.
 */
export const shuffleGroups = (groups: string[][], seed: number): string[][] =>
  groups.map((files) => {
    const key = files.toSorted().join('\n')
    return files.toSorted((a, b) => rank(seed, key, a).localeCompare(rank(seed, key, b)))
  })

/** The groups of a whole run that hold these files, in the order that they have there. Says how to repeat it. */
export const orderGroups = (root: string, files: string[], seed: number): string[][] => {
  const groups = shuffleGroups(groupTests(root, findTests(root, [])), seed)
  const chosen = groups.filter((group) => group.some((file) => files.includes(file)))
  if (chosen.some((group) => group.length > 1)) print(`Files that share a process run in the order of --seed=${seed}`)
  return chosen
}

const rank = (seed: number, key: string, file: string): string =>
  createHash('sha256').update(`${seed}\n${key}\n${file}`).digest('hex')
