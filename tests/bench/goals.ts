import type { Figure } from './compare.ts'

/** What a bench promises: a missed goal is marked where it is printed, counted, and makes the run fail. */
export type Goals = {
  /**
   * Prints the line with its goal behind it; `value` must not be above `goal`. What stands before the first colon names the
   * figure in every run.
   */
  check(line: string, value: number, goal: number): void
  /** Says how many were missed. */
  finish(): void
}

export const createGoals = (): Goals => {
  const figures: Figure[] = []
  return {
    check(line, value, goal) {
      const [name = line] = line.split(': ', 1)
      if (figures.some((figure) => figure.name === name)) throw new Error(`Two figures are named "${name}"`)
      figures.push({ name, value, goal })
      process.stdout.write(
        `${line} (goal <= ${Number(goal.toFixed(2))}${isMissed({ value, goal }) ? ': MISSED' : ''})\n`,
      )
    },
    finish() {
      const missed = figures.filter(isMissed).length
      process.stdout.write(`${figures.length} goals, ${missed} missed\n`)
      if (missed > 0) process.exitCode = 1
      // `bench -- all` gathers them.
      process.send?.({ type: 'figures', figures } satisfies FiguresMessage)
    },
  }
}

/** A figure that is no number was not measured. */
export const isMissed = ({ value, goal }: Pick<Figure, 'value' | 'goal'>): boolean => !(value <= goal)

/** What a bench reports to the runner of all of them. */
export type FiguresMessage = { type: 'figures'; figures: Figure[] }
