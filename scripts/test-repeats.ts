import type { Failures } from './test-run.ts'

/** One of the times that files were run. */
export type Repeat = { seed: number; failed: Failures }

const USUAL_TIMES = 5

/** `<part of a path>… [times]` */
export const readRepeats = (args: string[]): { filters: string[]; times: number } => {
  const last = args.at(-1) ?? ''
  const isTimes = /^[1-9]\d{0,3}$/.test(last)
  const filters = isTimes ? args.slice(0, -1) : args
  if (filters.length === 0) throw new Error('Which files? npm run steady -- <part of a path>… [times]')
  return { filters, times: isTimes ? Number(last) : USUAL_TIMES }
}

/** Every file that failed once or more, with how often, the orders that it failed in, and each race that it lost. */
export const sumUp = (repeats: Repeat[]): Failures => {
  const files = new Set(repeats.flatMap(({ failed }) => [...failed.keys()]))
  return new Map(
    [...files].map((file) => {
      const lost = repeats.filter(({ failed }) => failed.has(file))
      const seeds = lost.map(({ seed }) => `--seed=${seed}`).join(' ')
      const races = new Set(lost.map(({ failed }) => failed.get(file) ?? ''))
      return [file, [`failed ${lost.length} of ${repeats.length} times: ${seeds}`, ...races].join('\n')]
    }),
  )
}
