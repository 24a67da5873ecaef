import { defineExtension, type Match, type MatchType, type TagDefinition } from '../define.ts'
import { defaultLimits } from '../limits.ts'
import { capture } from '../match/captures.ts'
import { anyPair } from '../match/types.ts'
import { SieveRuntimeError } from '../problems.ts'
import { runRegex } from '../regex/match.ts'
import { compileRegex, type Program } from '../regex/program.ts'
import { RegexRefused } from '../regex/syntax.ts'
import { type Run, runState } from '../run-state.ts'

/** Longer patterns are programs, and nobody can predict what they accept. */
const MAX_PATTERN_LENGTH = 4_096

const regexMatch: MatchType = {
  needsSubstrings: true,
  checkKey: (key) => {
    const compiled = compile(key, defaultLimits.regexSteps)
    return 'problem' in compiled ? `the regular expression ${compiled.problem}` : null
  },
  match: (values, keys, match, run) => anyPair(values, keys, run, (value, key) => fits(value, key, match, run)),
}

/** draft-murchison-sieve-regex: a quoted value matches itself. */
const quoteRegex: TagDefinition = {
  oneOf: 'modifier 20',
  modifier: { rank: 20, modify: (value) => value.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&') },
}

/** draft-ietf-sieve-regex, with an engine whose time is linear in the text. */
export const regex = defineExtension({
  name: 'regex',
  matchTypes: { regex: regexMatch },
  tags: { set: { quoteregex: quoteRegex }, extracttext: { quoteregex: quoteRegex } },
})

type Compiled = { readonly program: Program } | { readonly problem: string }

const compile = (pattern: string, maxSteps: number): Compiled => {
  if (pattern.length > MAX_PATTERN_LENGTH) return { problem: `is longer than ${MAX_PATTERN_LENGTH} characters` }
  try {
    return { program: compileRegex(pattern, maxSteps) }
  } catch (error) {
    if (error instanceof RegexRefused) return { problem: error.message }
    throw error
  }
}

const programs = runState((): Map<string, Program> => new Map())

const programOf = (pattern: string, run: Run): Program => {
  const known = programs(run).get(pattern)
  if (known) return known
  const compiled = compile(pattern, run.limits.regexSteps)
  if ('problem' in compiled) throw new SieveRuntimeError(`the regular expression ${compiled.problem}`)
  run.spend(compiled.program.steps.length)
  programs(run).set(pattern, compiled.program)
  return compiled.program
}

const fits = (value: string, key: string, { comparator }: Match, run: Run): boolean => {
  const ignoresCase = comparator.fold('a') === comparator.fold('A')
  const taken = runRegex(programOf(key, run), value, ignoresCase, run.spend)
  if (taken) capture(run, taken)
  return taken !== null
}
