import { constants, hasTag, isMade, keys, text, texts } from '../arguments.ts'
import type { Call, Text } from '../compiled.ts'
import { defineExtension, type SieveExtension, type TagDefinition } from '../define.ts'
import { findIn, member } from '../language.ts'
import { matchValues } from '../match/match.ts'
import { quoted, SieveSyntaxError } from '../problems.ts'
import type { Run } from '../run-state.ts'
import { cutText, readVariable, splitName, variableNameProblem, writeVariable } from '../variables.ts'

const modifier = (rank: number, modify: (text: string) => string): TagDefinition => ({
  oneOf: `modifier ${rank}`,
  modifier: { rank, modify },
})

/** RFC 5229 §4.1. */
const modifiers = {
  lower: modifier(40, (value) => value.toLowerCase()),
  upper: modifier(40, (value) => value.toUpperCase()),
  lowerfirst: modifier(30, (value) => changeFirst(value, (first) => first.toLowerCase())),
  upperfirst: modifier(30, (value) => changeFirst(value, (first) => first.toUpperCase())),
  quotewildcard: modifier(20, (value) => value.replace(/[*?\\]/g, '\\$&')),
  length: modifier(10, (value) => String([...value].length)),
}

/** Writes down which variables of a script are its own, and which are global (RFC 6609 §3.4.1). */
const noteSet = (notes: Set<string>, name: string): void => {
  if (!notes.has(`global ${name.toLowerCase()}`)) notes.add(`set ${name.toLowerCase()}`)
}

/** False when the variable is one of the script's own already. */
export const noteGlobal = (notes: Set<string>, name: string): boolean => {
  if (notes.has(`set ${name.toLowerCase()}`)) return false
  notes.add(`global ${name.toLowerCase()}`)
  return true
}

/** RFC 5229. */
export const variables = defineExtension({
  name: 'variables',
  strings: { stage: 'variables', read: (source, at, enabled) => readTemplate(source, at, enabled) },
  commands: {
    set: {
      positional: ['string', 'string'],
      check: (call, { notes }) => {
        noteSet(notes, constants(call, 0)[0] ?? '')
        return variableProblem(call)
      },
      run: (call, run) => {
        writeVariable(run, text(call, 0, run), modified(call, text(call, 1, run), run))
        return undefined
      },
    },
  },
  tests: {
    string: {
      positional: ['strings', 'strings'],
      matches: true,
      test: (call, run) => {
        const values = texts(call, 0, run)
        // RFC 5229 §5: only strings with something in them are counted.
        const counted = hasTag(call, 'count') ? values.filter((value) => value !== '') : values
        return matchValues(call, counted, keys(call, run), run)
      },
    },
  },
  tags: { set: modifiers, extracttext: modifiers },
})

/** The value after the modifiers of the call, the highest rank first. */
export const modified = (call: Call, value: string, run: Run): string => {
  const used = [...call.tags.values()].flatMap(({ definition }) => definition.modifier ?? [])
  used.sort((left, right) => right.rank - left.rank)
  let result = value
  for (const { modify } of used) {
    run.spend(1 + result.length / 64)
    result = modify(cutText(result, run.limits.textLength))
  }
  return result
}

const variableProblem = (call: Call): string | null => {
  if (isMade(call.values[0])) return "the variable name can't contain variables"
  const [name = ''] = constants(call, 0)
  const [space] = splitName(name.toLowerCase())
  if (space !== null && variableNameProblem(name) === null && !hasNamespace(call.script.extensions, space))
    return `there is no variable namespace ${quoted(space)}`
  return variableNameProblem(name)
}

const changeFirst = (text: string, change: (first: string) => string): string => {
  const [first = ''] = text
  return change(first) + text.slice(first.length)
}

const REFERENCE = /\$\{((?:[a-z_][a-z0-9_]*\.)*[a-z_][a-z0-9_]*|[0-9]+)\}/gi

/** RFC 5229 §3: what is not written as a reference stays as it is. */
const readTemplate = (source: string, at: number, enabled: ReadonlySet<SieveExtension>): Text => {
  const pieces: (string | { readonly name: string })[] = []
  let from = 0
  for (const found of source.matchAll(REFERENCE)) {
    const name = (found[1] ?? '').toLowerCase()
    const [space] = splitName(name)
    if (space !== null && !hasNamespace(enabled, space))
      throw new SieveSyntaxError(at, `there is no variable namespace ${quoted(space)}`)
    pieces.push(source.slice(from, found.index), { name })
    from = found.index + found[0].length
  }
  if (pieces.length === 0) return source
  pieces.push(source.slice(from))
  return { make: (run) => expand(pieces, run) }
}

/** Bounded while it is made: a short template can ask for long variables again and again. */
const expand = (pieces: readonly (string | { readonly name: string })[], run: Run): string => {
  let made = ''
  for (const piece of pieces) {
    made += typeof piece === 'string' ? piece : readVariable(run, piece.name)
    if (made.length > run.limits.textLength) break
  }
  return made
}

const hasNamespace = (enabled: Iterable<SieveExtension>, space: string): boolean =>
  findIn(enabled, ({ namespaces }) => member(namespaces, space)) !== null
