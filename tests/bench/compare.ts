import { readFileSync } from 'node:fs'
import { z } from 'zod'

const figure = z.object({ name: z.string(), value: z.number(), goal: z.number() })
const run = z.object({
  /** When it began. */
  at: z.string(),
  /** What the figures hold for. */
  machine: z.string(),
  /** Milliseconds that the machine took for a fixed piece of work, before and after. */
  pace: z.number(),
  benches: z.record(z.string(), z.array(figure)),
})

/** What was measured, and what it must not exceed. */
export type Figure = z.infer<typeof figure>
/** The figures of all benches with goals. */
export type Run = z.infer<typeof run>

export const readRun = (file: string): Run => run.parse(JSON.parse(readFileSync(file, 'utf8')))

/** Runs of the same state differ by so much. */
const NOISE = 0.1

/** What has changed since an earlier run, line by line. */
export const changesSince = (before: Run, after: Run): string[] => {
  const names = new Set([...Object.keys(before.benches), ...Object.keys(after.benches)])
  return [...headOf(before, after), ...[...names].flatMap((name) => changesOf(name, before, after))]
}

const headOf = (before: Run, after: Run): string[] => [
  `Compared with the run of ${before.at}:`,
  before.machine === after.machine
    ? `the same machine, at ${(before.pace / after.pace).toFixed(2)} times its pace of then`
    : `ANOTHER MACHINE, so that only ratios can be compared: then ${before.machine}, now ${after.machine}`,
]

const changesOf = (bench: string, before: Run, after: Run): string[] => {
  const [then, now] = [before.benches[bench], after.benches[bench]]
  if (!now) return [`${bench}: not measured this time`]
  if (!then) return [`${bench}: not measured then`]
  const earlier = new Map(then.map(({ name, value }) => [name, value]))
  const later = new Set(now.map(({ name }) => name))
  return [
    ...now.map(({ name, value }) => `${bench}: ${changeOf(name, earlier.get(name), value)}`),
    ...then.filter(({ name }) => !later.has(name)).map(({ name }) => `${bench}: ${name}: not measured this time`),
  ]
}

const changeOf = (name: string, then: number | undefined, now: number): string => {
  if (then === undefined) return `${name}: ${shown(now)}, not measured then`
  const both = `${name}: ${shown(then)}, now ${shown(now)}`
  // Of nothing there is no share.
  if (then === 0) return both
  const change = now / then - 1
  const verdict = change > NOISE ? ', WORSE' : change < -NOISE ? ', better' : ''
  return `${both} (${change < 0 ? '' : '+'}${(change * 100).toFixed(0)} %${verdict})`
}

const shown = (value: number): string => String(Number(value.toPrecision(3)))
