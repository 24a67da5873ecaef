import { type Run, runState } from '../run-state.ts'

const captures = runState((): { values: readonly string[] } => ({ values: [] }))

/** More match variables than this are not kept; RFC 5229 §3.2 asks for nine. */
const MAX_CAPTURES = 32

/** What the last match of this script took: `${0}`, `${1}` and so on. */
export const captured = (run: Run, index: number): string => captures(run).values[index] ?? ''

/** Remembers what a match took, if the script can ask for it. */
export const capture = (run: Run, values: readonly string[]): void => {
  captures(run).values = values.slice(0, MAX_CAPTURES).map((value) => value.slice(0, run.limits.variableLength))
}

/** Runs a match that must not change what the script can ask for. */
export const keepingCaptures = async <T>(run: Run, work: () => T | Promise<T>): Promise<T> => {
  const { values } = captures(run)
  try {
    return await work()
  } finally {
    captures(run).values = values
  }
}
