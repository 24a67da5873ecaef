import { findIn, member } from './language.ts'
import { captured } from './match/captures.ts'
import { quoted, SieveRuntimeError } from './problems.ts'
import { type Run, runState } from './run-state.ts'

type Store = {
  readonly values: Map<string, string>
  /** Names that stand for variables of a namespace: set by the command `global`. */
  readonly links: Map<string, string>
}

const store = runState((): Store => ({ values: new Map(), links: new Map() }))

/** RFC 5229 §3: an identifier, or several with dots between them. */
const VARIABLE_NAME = /^(?:[a-z_][a-z0-9_]*\.)*[a-z_][a-z0-9_]*$/i

/** Returns why the name cannot be that of a variable to change. */
export const variableNameProblem = (name: string): string | null =>
  VARIABLE_NAME.test(name) ? null : `${quoted(name)} isn't a valid variable name`

/** The value of a variable; unknown ones are empty (RFC 5229 §3). */
export const readVariable = (run: Run, name: string): string => {
  if (/^\d/.test(name)) return captured(run, Number(name))
  const { values, links } = store(run)
  const key = name.toLowerCase()
  const [space, rest] = splitName(links.get(key) ?? key)
  return space === null ? (values.get(key) ?? '') : namespace(run, space).read(rest, run)
}

/** Stores a value, cut to the longest that a variable can have (RFC 5229 §6). */
export const writeVariable = (run: Run, name: string, value: string): void => {
  const { values, links } = store(run)
  const key = name.toLowerCase()
  const cut = cutText(value, run.limits.variableLength)
  const [space, rest] = splitName(links.get(key) ?? key)
  if (space === null) return void setWithin(run, values, key, cut)
  const { write } = namespace(run, space)
  if (!write) throw new SieveRuntimeError(`variables of ${quoted(space)} can't be changed`)
  write(rest, cut, run)
}

/** True when the script itself has given the variable a value. */
export const hasOwnVariable = (run: Run, name: string): boolean => store(run).values.has(name.toLowerCase())

/** Makes a name stand for a variable of a namespace. */
export const linkVariable = (run: Run, name: string, target: string): void => {
  setWithin(run, store(run).links, name.toLowerCase(), target.toLowerCase())
}

export const setWithin = (run: Run, values: Map<string, string>, key: string, value: string): void => {
  if (!values.has(key) && values.size >= run.limits.variables)
    throw new SieveRuntimeError(`more than ${run.limits.variables} variables`)
  values.set(key, value)
}

/** No more than so many characters, and no half of one. */
export const cutText = (text: string, length: number): string => {
  if (text.length <= length) return text
  const isHalf = (text.codePointAt(length - 1) ?? 0) > 0xffff
  return text.slice(0, isHalf ? length - 1 : length)
}

/** The name of a variable without its namespace. */
export const splitName = (name: string): [space: string | null, rest: string] => {
  const dot = name.indexOf('.')
  return dot < 0 ? [null, name] : [name.slice(0, dot), name.slice(dot + 1)]
}

const namespace = (run: Run, space: string) => {
  const found = findIn(run.script.extensions, ({ namespaces }) => member(namespaces, space))
  if (!found) throw new SieveRuntimeError(`there is no variable namespace ${quoted(space)}`)
  return found
}
