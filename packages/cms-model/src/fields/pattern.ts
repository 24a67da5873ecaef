import { type PatternNode, PatternRefused, readPattern } from './pattern-syntax.ts'

/** Longer patterns are programs: what they accept is no longer obvious. */
const MAX_PATTERN_LENGTH = 200
/** A value that has to match a pattern is a code, a number or a name. */
export const MAX_PATTERN_VALUE_LENGTH = 1000
/** Steps of a pattern once its counted repetitions are written out: together with the length it bounds the time. */
const MAX_STEPS = 2000

/** What to change in a pattern that cannot be used, or null. */
export const patternProblem = (pattern: string): string | null => {
  const result = compile(pattern)
  return 'problem' in result ? result.problem : null
}

/**
 * True when the whole text is of the pattern, which must be one without a problem. All readings are followed side by
 * side, so that the time grows with the text and never with the number of readings.
 */
export const matchesPattern = (pattern: string, text: string): boolean => {
  const result = compile(pattern)
  if ('problem' in result || text.length > MAX_PATTERN_VALUE_LENGTH) return false
  return run(result.program, text)
}

type Fork = { either: number; or: number }
type Step = { readonly test: RegExp; readonly key: number } | Fork | 'accepted'
type Compiled = { readonly program: readonly Step[] } | { readonly problem: string }

/** A site has few patterns and many values. */
const MAX_COMPILED = 200
const compiled = new Map<string, Compiled>()

const compile = (pattern: string): Compiled => {
  const known = compiled.get(pattern)
  if (known) return known
  const result = compileAnew(pattern)
  if (compiled.size >= MAX_COMPILED) compiled.clear()
  compiled.set(pattern, result)
  return result
}

const compileAnew = (pattern: string): Compiled => {
  if (pattern.length > MAX_PATTERN_LENGTH) return { problem: `must have at most ${MAX_PATTERN_LENGTH} characters` }
  try {
    new RegExp(pattern, 'u')
    const node = readPattern(pattern)
    if (sizeOf(node) > MAX_STEPS) return { problem: 'repeats too often; use smaller numbers in { }' }
    return { program: writeProgram(node) }
  } catch (error) {
    if (error instanceof PatternRefused) return { problem: error.message }
    if (error instanceof SyntaxError) return { problem: 'must be a JavaScript regular expression' }
    throw error
  }
}

const sizeOf = (node: PatternNode): number => {
  if (node.kind === 'character') return 1
  if (node.kind === 'repeat') return 1 + sizeOf(node.part) * (Number.isFinite(node.max) ? node.max : node.min + 1)
  return node.parts.reduce((size, part) => size + sizeOf(part), 1)
}

/** Each kind of character is tested once per place in the text, however many steps ask for it. */
type Program = { readonly steps: Step[]; readonly tests: Map<string, Step> }

const writeProgram = (root: PatternNode): Step[] => {
  const program: Program = { steps: [], tests: new Map() }
  write(program, root)
  program.steps.push('accepted')
  return program.steps
}

const write = (program: Program, node: PatternNode): void => {
  if (node.kind === 'character') program.steps.push(testFor(program, node.source))
  else if (node.kind === 'sequence') for (const part of node.parts) write(program, part)
  else if (node.kind === 'choice') writeChoice(program, node.parts)
  else writeRepeat(program, node.part, node.min, node.max)
}

const testFor = ({ tests }: Program, source: string): Step => {
  const test = tests.get(source) ?? { test: new RegExp(`^${source}$`, 'u'), key: tests.size }
  tests.set(source, test)
  return test
}

/** Goes on with the next step, and also with another one that is written later. */
const fork = ({ steps }: Program): Fork => {
  const step = { either: steps.length + 1, or: steps.length + 1 }
  steps.push(step)
  return step
}

const writeChoice = (program: Program, parts: readonly PatternNode[]): void => {
  const ends: Fork[] = []
  for (const part of parts.slice(0, -1)) {
    const other = fork(program)
    write(program, part)
    ends.push(fork(program))
    other.or = program.steps.length
  }
  for (const part of parts.slice(-1)) write(program, part)
  for (const end of ends) end.either = end.or = program.steps.length
}

const writeRepeat = (program: Program, part: PatternNode, min: number, max: number): void => {
  for (let count = 0; count < min; count += 1) write(program, part)
  if (!Number.isFinite(max)) {
    const start = program.steps.length
    const leave = fork(program)
    write(program, part)
    program.steps.push({ either: start, or: start })
    leave.or = program.steps.length
    return
  }
  const leaves: Fork[] = []
  for (let count = min; count < max; count += 1) {
    leaves.push(fork(program))
    write(program, part)
  }
  for (const leave of leaves) leave.or = program.steps.length
}

const run = (program: readonly Step[], text: string): boolean => {
  let current = reach(program, [0])
  for (const character of text) {
    const results = new Map<number, boolean>()
    const next: number[] = []
    for (const at of current) {
      const step = program[at]
      if (typeof step !== 'object' || !('test' in step)) continue
      const isMatch = results.get(step.key) ?? step.test.test(character)
      results.set(step.key, isMatch)
      if (isMatch) next.push(at + 1)
    }
    if (next.length === 0) return false
    current = reach(program, next)
  }
  return current.some((at) => program[at] === 'accepted')
}

/** The steps that take a character, or accept, and can be reached from these without taking one. */
const reach = (program: readonly Step[], from: readonly number[]): number[] => {
  const seen = new Set<number>()
  const open = [...from]
  const found: number[] = []
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue
    seen.add(at)
    const step = program[at]
    if (typeof step === 'object' && 'either' in step) open.push(step.or, step.either)
    else found.push(at)
  }
  return found
}
