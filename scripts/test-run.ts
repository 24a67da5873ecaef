import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import type { DiaryLine, FileTime, Group } from '../tests/lib/group.ts'
import { print } from './terminal.ts'

export type TestRun = {
  root: string
  signal: AbortSignal
  /** Called with how long each file took. */
  onTime?: (time: FileTime) => void
}

/** Why a file failed first, by file. */
export type Failures = Map<string, string>

// A machine with much else to do takes ten times as long: that is no race.
const TEST_TIMEOUT_MS = 600_000
// Many tests wait for processes and clocks: with fewer files at a time two cores were idle for a quarter of a run.
const CONCURRENCY = 5
// A sixth of their work was to clear up after every few megabytes.
const ROOMY = ['--min-semi-space-size=32', '--max-semi-space-size=64']
// More than this is no bad luck of a busy machine.
const MOST_RETRIES = 2
const GROUP = new URL('../tests/lib/group.ts', import.meta.url)

/**
 * Runs groups of test files, and once more, alone, what failed: a test of processes or browsers may lose a race on a
 * busy machine, and must not spoil a long run. What passes then is named with its race. Gives the exit code.
 */
export const runWithRetry = async (groups: string[][], options: TestRun): Promise<number> => {
  const failed = await runGroups(groups, options)
  if (options.signal.aborted) return 1
  if (failed.size > MOST_RETRIES) {
    listFailures(`Failed: more than ${MOST_RETRIES}, so none is run once more`, failed)
    return 1
  }
  listFailures('Failed, once more alone', failed)
  const again = await runGroups(alone([...failed.keys()]), options, 1)
  listFailures('Failed twice', again)
  const unsteady = new Map([...failed].filter(([file]) => !again.has(file)))
  listFailures('UNSTEADY: failed beside others, passed alone', unsteady)
  return again.size > 0 || options.signal.aborted ? 1 : 0
}

/** Runs groups of test files, one process per group; files behind one that ended the process get their own. */
export const runGroups = async (groups: string[][], options: TestRun, concurrency = CONCURRENCY): Promise<Failures> => {
  if (groups.length === 0) return new Map()
  const first = await runOnce(groups, concurrency, options)
  if (first.unreached.length === 0 || options.signal.aborted) return first.failed
  const rest = await runOnce(alone(first.unreached), concurrency, options)
  const never = rest.unreached.map((file) => [file, 'it never began'] as const)
  return new Map([...first.failed, ...rest.failed, ...never])
}

/** Names each file with the test that failed first, and its error. */
export const listFailures = (title: string, failures: Failures): void => {
  if (failures.size === 0) return
  console.log(`\n=== ${title} ===`)
  for (const [file, error] of failures) print(`${file}\n    ${error.replaceAll('\n', '\n    ')}`)
}

/** Not by a pipe: each would leave its listeners on the terminal. */
const printAll = async (texts: AsyncIterable<string>): Promise<void> => {
  for await (const text of texts) if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

const runOnce = async (groups: string[][], concurrency: number, { root, signal, onTime }: TestRun) =>
  withEntries(groups, { root, group: GROUP, isTimed: Boolean(onTime) }, async (paths, entries) => {
    const events = run({ files: paths, cwd: root, concurrency, timeout: TEST_TIMEOUT_MS, signal, execArgv: ROOMY })
    const outcomes = listen(events, root)
    await pipeline(events, new spec(), printAll)
    for (const time of entries.flatMap(({ diary }) => readDiary(diary))) if (isTime(time)) onTime?.(time)
    return judge(entries, outcomes)
  })

type Entry = { path: string; diary: string; files: string[] }

/** `group` is the `tests/lib/group.ts` that runs them: it has to be of the tree whose code the tests load. */
type EntryOptions = { root: string; group: URL; isTimed?: boolean }

/** Does the work while there is a file for each group that runs its test files one after the other. */
export const withEntries = async <T>(
  groups: string[][],
  options: EntryOptions,
  work: (paths: string[], entries: Entry[]) => Promise<T>,
): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-test-groups-'))
  try {
    const entries = groups.map((files, index) => writeEntry(folder, index, files, options))
    return await work(
      entries.map(({ path }) => path),
      entries,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const writeEntry = (folder: string, index: number, files: string[], options: EntryOptions): Entry => {
  const { root, group, isTimed = false } = options
  const path = join(folder, `group-${index}.mjs`)
  const diary = join(folder, `group-${index}.diary`)
  const parameter = JSON.stringify({ root, files, isTimed, diary } satisfies Group)
  writeFileSync(path, `import { runGroup } from ${JSON.stringify(group.href)}\nawait runGroup(${parameter})\n`)
  writeFileSync(diary, '')
  return { path, diary, files }
}

const readDiary = (diary: string): DiaryLine[] =>
  readFileSync(diary, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

const isTime = (line: DiaryLine): line is FileTime => 'seconds' in line

/** The runner's results: the files that ended, and why some failed. */
type Outcomes = { ended: Set<string>; failed: Failures }

/** Every file is a suite at the top, named by its path; the output of a group comes in one piece and in order. */
const listen = (events: ReturnType<typeof run>, root: string): Outcomes => {
  const outcomes: Outcomes = { ended: new Set(), failed: new Map() }
  let error: string | undefined
  events.on('test:pass', ({ name, nesting }) => {
    if (nesting > 0) return
    outcomes.ended.add(name)
    error = undefined
  })
  events.on('test:fail', ({ name, nesting, details, file }) => {
    error ??= `${name}: ${describeError(details.error)}`
    if (nesting > 0) return
    outcomes.ended.add(name)
    // Tests that a file adds after its suite has ended stand at the top as well; they say where they were written.
    for (const blamed of [name, relative(root, file ?? '')])
      if (!outcomes.failed.has(blamed)) outcomes.failed.set(blamed, error)
    error = undefined
  })
  return outcomes
}

const judge = (entries: Entry[], { ended, failed }: Outcomes): { failed: Failures; unreached: string[] } => {
  const found: Failures = new Map()
  const unreached: string[] = []
  for (const { path, diary, files } of entries) {
    const last = readDiary(diary).at(-1)?.file
    for (const file of files) {
      const reason = failed.get(file) ?? (ended.has(file) || file !== last ? undefined : 'its process ended too early')
      if (reason !== undefined) found.set(file, reason)
      else if (!ended.has(file)) unreached.push(file)
    }
    // Which of its files is to blame is unknown.
    const reason = failed.get(path)
    const isExplained = files.some((file) => found.has(file))
    if (reason !== undefined && !isExplained) for (const file of files) found.set(file, reason)
  }
  return { failed: found, unreached: unreached.filter((file) => !found.has(file)) }
}

const describeError = (error: Error): string => {
  const cause = error.cause instanceof Error ? error.cause : error
  return cause.stack?.split('\n').slice(0, 4).join('\n') ?? cause.message
}

const alone = (files: string[]): string[][] => files.map((file) => [file])
