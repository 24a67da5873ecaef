export type OptionProblem = { readonly path: string; readonly problem: string }

/** Everything that is wrong with the options, in one go: where, and what to do about it. */
export class CmsOptionsError extends TypeError {
  readonly problems: readonly OptionProblem[]

  constructor(problems: readonly OptionProblem[]) {
    const lines = problems.map(({ path, problem }) => `  ${path}: ${problem}`)
    const count = lines.length === 1 ? 'a problem' : `${lines.length} problems`
    super(`The options of createCms have ${count}:\n${lines.join('\n')}`)
    this.name = 'CmsOptionsError'
    this.problems = problems
  }
}
