/** What a script may use up. Strings are counted in characters, operations in about a hundred nanoseconds each. */
export type SieveLimits = {
  /** Size of a script's text. */
  readonly scriptLength: number
  /** Blocks in blocks and tests in tests. */
  readonly nesting: number
  /** Problems that one compilation reports. */
  readonly problems: number
  /** Work of all scripts of a run together: a command or test is one, so is every few characters compared. */
  readonly operations: number
  readonly actions: number
  readonly redirects: number
  readonly variables: number
  readonly variableLength: number
  /** The longest string that a script can make or a message can give it to compare. */
  readonly textLength: number
  /** Header fields that a script can add or remove. */
  readonly headerEdits: number
  /** Scripts that include each other, counted inwards. */
  readonly includeDepth: number
  /** Scripts that one script can bring in altogether. */
  readonly includes: number
  /** Parts of a message that are looked at. */
  readonly parts: number
  /** A reply to the same person at most this often and at least this often, whatever the script says. */
  readonly vacationMinSeconds: number
  readonly vacationMaxSeconds: number
  /** Steps of a regular expression once its counted repetitions are written out. */
  readonly regexSteps: number
}

export const defaultLimits: SieveLimits = {
  scriptLength: 65_536,
  nesting: 32,
  problems: 20,
  operations: 5_000_000,
  actions: 32,
  redirects: 4,
  variables: 128,
  variableLength: 4_096,
  textLength: 1_048_576,
  headerEdits: 100,
  includeDepth: 10,
  includes: 255,
  parts: 1_000,
  vacationMinSeconds: 86_400,
  vacationMaxSeconds: 90 * 86_400,
  regexSteps: 2_000,
}
