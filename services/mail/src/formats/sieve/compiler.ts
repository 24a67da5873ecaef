import type { Call, ScriptInfo } from './compiled.ts'
import type { CheckScope } from './define.ts'
import type { SieveLimits } from './limits.ts'
import { problemAt, type SieveProblem } from './problems.ts'

/** A compilation under way. */
export type Compiler = {
  readonly limits: SieveLimits
  readonly info: ScriptInfo
  readonly problems: SieveProblem[]
  /** Commands whose blocks are open, from the outside in. */
  readonly enclosing: Call[]
  /** True once a command stood that is none of those that open a script. */
  hasOpened: boolean
  readonly notes: Set<string>
}

export const addProblem = (compiler: Compiler, at: number, message: string): void => {
  if (hasRoom(compiler)) compiler.problems.push(problemAt(compiler.info.source, at, message))
}

export const hasRoom = ({ problems, limits }: Compiler): boolean => problems.length < limits.problems

/** Makes an extension usable from here on, with those that come with it. */
const enable = (compiler: Compiler, name: string): void => {
  const extension = compiler.info.language.extensions.get(name)
  if (!extension || compiler.info.extensions.has(extension)) return
  compiler.info.extensions.add(extension)
  for (const included of extension.includes ?? []) enable(compiler, included)
}

export const scopeOf = (compiler: Compiler): CheckScope => ({
  enclosing: compiler.enclosing,
  hasExtension: (name) => [...compiler.info.extensions].some((extension) => extension.name === name),
  isAvailable: (name) => compiler.info.language.extensions.has(name),
  enable: (name) => enable(compiler, name),
  notes: compiler.notes,
})
