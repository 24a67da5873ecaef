import { issueText } from '@stoa/issue-text/issue-text.ts'
import type { z } from 'zod'
import { redactText } from './redact.ts'

export type Environment = 'development' | 'test' | 'production'
export type Env = Readonly<Record<string, string | undefined>>

/** One environment variable: how its text becomes a value, and what the reference says about it. */
export type Variable<T> = {
  readonly schema: z.ZodType<T, string>
  readonly doc: string
  /** Text taken when the variable is absent; read like any other text. */
  readonly default: string | undefined
  /** What the reference shows as default: the text, or words such as "the machine's name". */
  readonly defaultText: string
  readonly required: boolean | 'production'
  /** Further names that count when the service is started alone. */
  readonly alias: readonly string[]
  /** Empty text is a value of its own ("off"), not absence. */
  readonly takesEmpty: boolean
  readonly isSecret: boolean
  /** A further rule that holds in production only; gives what to do. */
  production?(value: T): string | undefined
}

export type Definition = Readonly<Record<string, Variable<unknown>>>
export type ConfigOf<D extends Definition> = { readonly [K in keyof D]: D[K] extends Variable<infer T> ? T : never }
export type ConfigProblem = { name: string; problem: string }

/** Everything that is wrong with the environment, in one go. Values of secret variables are never in it. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly ConfigProblem[]) {
    const lines = problems.map(({ name, problem }) => `  ${name}: ${problem}`)
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${lines.join('\n')}`,
    )
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** Names the variables of a service. Throws when a default would not be accepted as a value. */
export const defineConfig = <D extends Definition>(definition: D): D => {
  for (const [name, variable] of Object.entries(definition)) {
    if (variable.default !== undefined && !variable.schema.safeParse(variable.default).success) {
      throw new TypeError(`the default of ${name} is not a valid value of it`)
    }
  }
  return definition
}

export type LoadOptions = {
  env: Env
  /** The service runs without its sibling, so the bare names (`PORT`) are its own too. */
  alone?: boolean
}

/** Reads all variables once into a frozen object; throws ConfigError with all problems together. */
export const loadConfig = <D extends Definition>(definition: D, { env, alone = false }: LoadOptions): ConfigOf<D> => {
  const problems: ConfigProblem[] = []
  const environment = environmentOf(env, problems)
  const values = Object.entries(definition).map(([name, variable]) => {
    const found = find(env, name, variable, alone)
    const result = readVariable(variable, found, environment)
    if ('problem' in result) problems.push({ name: found?.name ?? name, problem: result.problem })
    return [name, 'value' in result ? freezeList(result.value) : undefined]
  })
  if (problems.length > 0) throw new ConfigError(problems)
  // Each member was made by its own variable's schema, which is what ConfigOf says.
  return Object.freeze(Object.fromEntries(values)) as ConfigOf<D>
}

export type VariableDescription = {
  name: string
  alias: readonly string[]
  default: string
  doc: string
  isSecret: boolean
}

/** What the reference must say about each variable, in the order of the definition. */
export const describeConfig = (definition: Definition): VariableDescription[] =>
  Object.entries(definition).map(([name, { alias, defaultText, doc, isSecret }]) => ({
    name,
    alias,
    default: defaultText,
    doc,
    isSecret,
  }))

const ENVIRONMENTS: readonly string[] = ['development', 'test', 'production'] satisfies Environment[]
const MAX_SHOWN = 60

// An unknown value is most likely a misspelt "production": its stricter rules apply to the other problems too.
const environmentOf = (env: Env, problems: ConfigProblem[]): Environment => {
  const text = env.NODE_ENV || 'development'
  if (text === 'development' || text === 'test' || text === 'production') return text
  problems.push({ name: 'NODE_ENV', problem: `${show(text)} is unknown. Set one of ${ENVIRONMENTS.join(', ')}.` })
  return 'production'
}

type Found = { name: string; text: string }

const find = (env: Env, name: string, variable: Variable<unknown>, alone: boolean): Found | undefined => {
  for (const candidate of alone ? [name, ...variable.alias] : [name]) {
    const text = env[candidate]
    if (text !== undefined && (text !== '' || variable.takesEmpty)) return { name: candidate, text }
  }
  return undefined
}

type Reading = { value: unknown } | { problem: string }

const readVariable = <T>(variable: Variable<T>, found: Found | undefined, environment: Environment): Reading => {
  const text = found?.text ?? variable.default
  if (text === undefined) {
    const isMissing = variable.required === true || (variable.required === 'production' && environment === 'production')
    return isMissing ? { problem: `is missing. Set it: ${variable.doc}` } : { value: undefined }
  }
  const parsed = variable.schema.safeParse(text, { error: issueText })
  if (!parsed.success) {
    const advice = parsed.error.issues.map(({ message }) => message).join(' ')
    return { problem: `${variable.isSecret ? 'the value' : show(text)} is invalid. ${advice}` }
  }
  const refusal = environment === 'production' ? variable.production?.(parsed.data) : undefined
  return refusal === undefined ? { value: parsed.data } : { problem: refusal }
}

const show = (text: string): string => {
  const shown = redactText(text)
  return JSON.stringify(shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown)
}

const freezeList = (value: unknown): unknown => (Array.isArray(value) ? Object.freeze(value) : value)
