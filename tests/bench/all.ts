import { fork } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { changesSince, type Figure, type Run, readRun } from './compare.ts'
import { type FiguresMessage, isMissed } from './goals.ts'

/**
 * `npm run bench -- all [name ...] [--save <file>] [--compare <file>]`: every bench that has goals, or those that are named, one
 * after the other. Fails when a goal is missed, or when a bench fails.
 */
export const runAll = async (names: readonly string[], args: string[]): Promise<void> => {
  const { values, positionals } = parseArgs({
    args,
    options: { save: { type: 'string' }, compare: { type: 'string' } },
    allowPositionals: true,
  })
  const { save, compare } = values
  const all = names.filter(hasGoals)
  const unknown = positionals.find((name) => !all.includes(name))
  if (unknown !== undefined) {
    process.stderr.write(`There is no bench "${unknown}" with goals. There are: ${all.join(', ')}\n`)
    process.exitCode = 1
    return
  }
  // Before anything is measured: a file that cannot be read would be noticed an hour later.
  const before = compare === undefined ? undefined : readRun(compare)
  const run: Run = { at: new Date().toISOString(), machine: machine(), pace: pace(), benches: {} }
  const failed: string[] = []
  for (const name of positionals.length === 0 ? all : positionals) {
    process.stdout.write(`\n--- ${name}\n`)
    const figures = await figuresOf(name)
    if (figures) run.benches[name] = figures
    else failed.push(name)
  }
  run.pace = (run.pace + pace()) / 2
  if (save !== undefined) writeFileSync(save, `${JSON.stringify(run, null, 2)}\n`)
  if (before) process.stdout.write(`\n${changesSince(before, run).join('\n')}\n`)
  summarize(run, failed)
}

const summarize = ({ benches }: Run, failed: readonly string[]): void => {
  const figures = Object.entries(benches).flatMap(([bench, own]) => own.map((each) => ({ bench, ...each })))
  const missed = figures.filter(isMissed)
  const lines = [
    ...missed.map(({ bench, name, value, goal }) => `MISSED: ${bench}: ${name}: ${value.toFixed(2)} (goal <= ${goal})`),
    ...failed.map((bench) => `FAILED: ${bench}`),
    `${figures.length} goals of ${Object.keys(benches).length} benches, ${missed.length} missed`,
  ]
  process.stdout.write(`\n${lines.join('\n')}\n`)
  if (missed.length + failed.length > 0) process.exitCode = 1
}

const hasGoals = (name: string): boolean =>
  readFileSync(new URL(`./${name}/bench.ts`, import.meta.url), 'utf8').includes('createGoals()')

/** In a process of its own, as if it ran alone; nothing when it failed before its end. */
const figuresOf = async (name: string): Promise<Figure[] | undefined> => {
  const child = fork(new URL('./run.ts', import.meta.url), [name])
  let figures: Figure[] | undefined
  child.on('message', (message: FiguresMessage) => {
    if (message.type === 'figures') figures = message.figures
  })
  await once(child, 'exit')
  return figures
}

const machine = (): string => {
  const [first] = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  return `${cpus().length} x ${first?.model ?? 'unknown'}, ${arch()}, ${memory}, Node ${process.versions.node.split('.')[0]}`
}

const PACE_ROUNDS = 5

/** CPU of a fixed piece of work, at its best: what else runs on the machine shows in it. */
const pace = (): number => {
  const bytes = Buffer.alloc(16 * 2 ** 20)
  const times = Array.from({ length: PACE_ROUNDS }, () => {
    const before = process.cpuUsage()
    for (let round = 0; round < 8; round += 1) hash('sha256', bytes)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  })
  return Math.min(...times)
}
