// `npm run mutants`: breaks one rule after the other in a copy of the tree, and fails when the tests named beside it do
// not notice. `npm run mutants -- <part of a rule or path>…`: only those.
import { once } from 'node:events'
import { join } from 'node:path'
import { run } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type Mutant, outdated } from '../tests/mutants/mutant.ts'
import { mutants } from '../tests/mutants/mutants.ts'
import { root } from './environment.ts'
import { copyTree, type MutantTree } from './mutant-tree.ts'
import { print, printError, stopRequest } from './terminal.ts'
import { groupTests } from './test-files.ts'
import { onTestGround } from './test-ground.ts'
import { withEntries } from './test-run.ts'

// Each has a copy of its own. More would only wait for each other.
const PARALLEL = 2
// A rule that is broken may make a test wait for ever: that is noticed, too. A group without one takes its time.
const PATIENCE_MS = 300_000

const main = async (filters: string[]): Promise<number> => {
  const chosen = mutants.filter(
    ({ rule, file }) =>
      filters.length === 0 || filters.some((filter) => rule.includes(filter) || file.includes(filter)),
  )
  if (chosen.length === 0) return printError(`No mutant matches: ${filters.join(' ')}`)
  const misfits = mutants.flatMap((mutant) => outdated(root, mutant) ?? [])
  for (const misfit of misfits) printError(`A mutant is out of date: ${misfit}`)
  if (misfits.length > 0) return 1
  const signal = stopRequest()
  const began = performance.now()
  const verdicts = await onTestGround([], () => withTrees((trees) => runAll(trees, chosen, signal)))
  const seconds = Math.round((performance.now() - began) / 1000)
  if (signal.aborted) return 1
  const count = (verdict: Verdict): number => [...verdicts.values()].filter((given) => given === verdict).length
  print(`${count('killed')} killed, ${count('SURVIVED')} survived, ${count('NOT JUDGED')} not judged, ${seconds} s`)
  return count('killed') === chosen.length ? 0 : 1
}

const withTrees = async <T>(work: (trees: readonly MutantTree[]) => Promise<T>): Promise<T> => {
  const trees = Array.from({ length: PARALLEL }, () => copyTree(root))
  try {
    return await work(trees)
  } finally {
    for (const tree of trees) tree.remove()
  }
}

type Verdict = 'killed' | 'SURVIVED' | 'NOT JUDGED'

const runAll = async (
  trees: readonly MutantTree[],
  chosen: readonly Mutant[],
  signal: AbortSignal,
): Promise<Map<Mutant, Verdict>> => {
  const failing = await failingWithout(trees, [...new Set(chosen.flatMap(({ tests }) => tests))], signal)
  const verdicts = new Map<Mutant, Verdict>()
  await share(trees, chosen, signal, async (tree, mutant) => {
    const began = performance.now()
    const unsound = mutant.tests.find((file) => failing.has(file))
    const failure = unsound ?? (await tree.withMutant(mutant, () => firstFailure(tree, mutant.tests, signal)))
    if (signal.aborted) return
    const verdict = unsound ? 'NOT JUDGED' : failure === null ? 'SURVIVED' : 'killed'
    verdicts.set(mutant, verdict)
    const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(6)
    print(`${verdict.padEnd(10)} ${seconds} s  ${mutant.rule}`)
    console.log(`${' '.repeat(24)}${failure === null ? `${mutant.file}: ${mutant.find}` : `by "${failure}"`}`)
  })
  return verdicts
}

/** Files that fail without any mutant, twice: it would say nothing that they fail with one. */
const failingWithout = async (
  trees: readonly MutantTree[],
  files: readonly string[],
  signal: AbortSignal,
): Promise<Set<string>> => {
  print(`${files.length} test files without a mutant`)
  const failing = new Set<string>()
  await share(trees, groupTests(root, files.toSorted()), signal, async (tree, group) => {
    const isWell = (await firstFailure(tree, group, signal)) === null
    for (const file of isWell ? [] : group) {
      const failure = await firstFailure(tree, [file], signal)
      if (failure === null || signal.aborted) continue
      failing.add(file)
      printError(`${file} fails without a mutant: ${failure}`)
    }
  })
  return failing
}

/** Every tree takes the next one when it is free. */
const share = async <T>(
  trees: readonly MutantTree[],
  items: readonly T[],
  signal: AbortSignal,
  work: (tree: MutantTree, item: T) => Promise<void>,
): Promise<void> => {
  const waiting = [...items]
  const takeNext = async (tree: MutantTree): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined && !signal.aborted; item = waiting.shift())
      await work(tree, item)
  }
  await Promise.all(trees.map(takeNext))
}

/** The name of the test that failed first, after which no other is waited for; null when all passed. */
const firstFailure = (tree: MutantTree, tests: readonly string[], signal: AbortSignal): Promise<string | null> => {
  const group = pathToFileURL(join(tree.root, 'tests/lib/group.ts'))
  return withEntries([[...tests]], { root: tree.root, group }, async (paths) => {
    const enough = new AbortController()
    const patience = setTimeout(() => enough.abort(), PATIENCE_MS)
    const stop = (): void => enough.abort()
    signal.addEventListener('abort', stop)
    let failure: string | null = null
    const events = run({ files: paths, cwd: tree.root, concurrency: 1, signal: enough.signal })
    events.on('test:fail', ({ name }) => {
      failure ??= enough.signal.aborted ? `it did not end within ${PATIENCE_MS / 1000} s` : name
      stop()
    })
    events.resume()
    await once(events, 'end')
    clearTimeout(patience)
    signal.removeEventListener('abort', stop)
    return failure
  })
}

process.exit(await main(process.argv.slice(2)).catch(printError))
