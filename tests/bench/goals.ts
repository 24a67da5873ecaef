/** What a bench promises: a missed goal is marked where it is printed, counted, and makes the run fail. */
export type Goals = {
  /** Prints the line with its goal behind it; `value` must not be above `goal`. */
  check(line: string, value: number, goal: number): void
  /** Says how many were missed. */
  finish(): void
}

export const createGoals = (): Goals => {
  let checked = 0
  let missed = 0
  return {
    check(line, value, goal) {
      const isMet = value <= goal
      checked += 1
      if (!isMet) missed += 1
      process.stdout.write(`${line} (goal <= ${Number(goal.toFixed(2))}${isMet ? '' : ': MISSED'})\n`)
    },
    finish() {
      process.stdout.write(`${checked} goals, ${missed} missed\n`)
      if (missed > 0) process.exitCode = 1
    },
  }
}
