import { readFileSync } from 'node:fs'
import { ConfigError, type ConfigProblem, type Env } from '../config.ts'

// A settings file is a page of text; more is some other file.
const MAX_CHARACTERS = 1_000_000

/** Reads a `.env` file; an absent one is empty. Throws ConfigError naming every line that is not understood. */
export const readEnvFile = (file: string): Record<string, string> => {
  const text = readIfThere(file)
  return text === undefined ? {} : parseEnvText(text, file)
}

/**
 * `NAME=value` lines, with `export` or not, comments after `#`. Values stand bare, in 'single quotes' (as they are) or in
 * "double quotes" (\n, \r, \t, \", \\ and \$ are read). Strict on purpose: Node's own parser drops lines it does not
 * understand and cuts a bare password at its `#`.
 */
export const parseEnvText = (text: string, file = '.env'): Record<string, string> => {
  if (text.length > MAX_CHARACTERS)
    throw new ConfigError([{ name: file, problem: 'is too large for a settings file.' }])
  const values = new Map<string, string>()
  const problems: ConfigProblem[] = []
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  for (const [index, line] of lines.entries()) {
    const read = readLine(line)
    if (read === 'nothing') continue
    const at = `${file} line ${index + 1}`
    if ('problem' in read) problems.push({ name: at, problem: read.problem })
    else if (values.has(read.name))
      problems.push({ name: at, problem: `${read.name} is set twice. Keep only one of the two.` })
    else values.set(read.name, read.value)
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.fromEntries(values)
}

/** The file's values under the process's: a variable that is really set wins, also when it is set to nothing. */
export const layerEnv = (processEnv: Env, fileEnv: Env): Env => {
  const isSet = Object.entries(processEnv).filter(([, value]) => value !== undefined)
  return { ...fileEnv, ...Object.fromEntries(isSet) }
}

const readIfThere = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new ConfigError([{ name: file, problem: `can't be read (${reason}). Check the path and its permissions.` }])
  }
}

type Line = 'nothing' | { name: string; value: string } | { problem: string }

const readLine = (line: string): Line => {
  const trimmed = line.trim()
  if (trimmed === '' || trimmed.startsWith('#')) return 'nothing'
  const [, name, rest] = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/.exec(trimmed) ?? []
  if (name === undefined || rest === undefined)
    return { problem: "isn't NAME=value. Correct it, or put # in front of it." }
  if (rest.includes('\u0000')) return { problem: `${name} contains a NUL character. Remove it.` }
  const value = readValue(rest)
  return value === undefined
    ? { problem: `${name} has an opening quote without a closing one, or text after it. Quote the whole value.` }
    : { name, value }
}

const readValue = (rest: string): string | undefined => {
  if (rest.startsWith("'")) return /^'([^']*)'\s*(?:#.*)?$/.exec(rest)?.[1]
  if (rest.startsWith('"')) {
    const quoted = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/.exec(rest)?.[1]
    return quoted?.replace(/\\(.)/g, (whole, character: string) => ESCAPES[character] ?? whole)
  }
  // A comment needs a space before its #, so that a password may hold one.
  return rest.replace(/(?:^|\s)#.*$/, '').trimEnd()
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', $: '$' }
