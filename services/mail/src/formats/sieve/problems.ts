/** Something wrong in a script, with the place where a person can see it. Both numbers start at 1. */
export type SieveProblem = { readonly line: number; readonly column: number; readonly message: string }

/** A problem as people read it. */
export const problemText = ({ line, column, message }: SieveProblem): string =>
  `line ${line}, column ${column}: ${message}`

/** All problems, one on a line. */
export const problemsText = (problems: readonly SieveProblem[]): string => problems.map(problemText).join('\n')

/** The problem at an offset of the script's text. */
export const problemAt = (source: string, at: number, message: string): SieveProblem => {
  let line = 1
  let lineStart = 0
  for (let end = source.indexOf('\n'); end >= 0 && end < at; end = source.indexOf('\n', lineStart)) {
    line += 1
    lineStart = end + 1
  }
  return { line, column: Math.min(at, source.length) - lineStart + 1, message }
}

/** The script cannot be read: a word, string or bracket is not where it has to be. */
export class SieveSyntaxError extends Error {
  readonly at: number
  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

/** The script was stopped while it ran: it asked for something impossible, or for too much. */
export class SieveRuntimeError extends Error {
  /** Offset in the script, or null until the runner knows the command. */
  at: number | null
  constructor(message: string, at: number | null = null) {
    super(message)
    this.at = at
  }
}

/** Text from a script as it may stand in a message to people: short and on one line. */
export const quoted = (text: string): string => {
  const shown = [...text.slice(0, 80)].slice(0, 40).join('')
  return JSON.stringify(shown.length < text.length ? `${shown}…` : shown)
}
