import { constants } from './arguments.ts'
import type { Call, CompiledCommand, CompiledTest, Text, Value } from './compiled.ts'
import { addProblem, type Compiler, scopeOf } from './compiler.ts'
import type { AddressPart, ArgumentKind, Match, MatchType, Signature, TagDefinition } from './define.ts'
import { findIn, member, requireHint } from './language.ts'
import type { SyntaxArgument, SyntaxString, SyntaxTest } from './parser.ts'
import { quoted, SieveSyntaxError } from './problems.ts'

/** Sorts the arguments of a command or test by its signature, or reports what is wrong with them. */
export const compileCall = (
  compiler: Compiler,
  syntax: SyntaxTest,
  signature: Signature,
  tests: readonly CompiledTest[],
  block: readonly CompiledCommand[],
): Call | null => {
  const before = compiler.problems.length
  const reader: Reader = { compiler, syntax, signature, tags: new Map(), values: [], special: {} }
  readArguments(reader)
  const values = compiler.problems.length > before ? null : placed(reader)
  checkTests(reader)
  if (compiler.problems.length > before || values === null) return null
  const match = signature.matches ? matchOf(reader) : null
  const { name, at } = syntax
  const addressPart = reader.special.addressPart ?? null
  const call: Call = { name, at, script: compiler.info, values, tags: reader.tags, tests, block, match, addressPart }
  checkCall(reader, call)
  return compiler.problems.length > before ? null : call
}

type TagUse = { definition: TagDefinition; value: Value | null }
type Reader = {
  readonly compiler: Compiler
  readonly syntax: SyntaxTest
  readonly signature: Signature
  readonly tags: Map<string, TagUse>
  readonly values: Value[]
  /** Match type and address part: tags whose meaning is more than a value. */
  readonly special: { matchType?: MatchType; matchTag?: string; addressPart?: AddressPart }
}

const MATCH_TYPE: TagDefinition = { oneOf: 'match type' }
const MATCH_TYPE_WITH_OPERAND: TagDefinition = { oneOf: 'match type', value: 'string' }
const COMPARATOR: TagDefinition = { value: 'string' }
const ADDRESS_PART: TagDefinition = { oneOf: 'address part' }

const readArguments = (reader: Reader): void => {
  const all = reader.syntax.arguments
  for (let index = 0; index < all.length; index += 1) {
    const argument = all[index]
    if (argument?.kind === 'tag') index += readTag(reader, argument, all[index + 1])
    else if (argument) readPositional(reader, argument)
  }
}

/** Answers how many arguments the tag took besides itself. */
const readTag = (reader: Reader, tag: { name: string; at: number }, next: SyntaxArgument | undefined): number => {
  const { compiler, tags, values } = reader
  const definition = findTag(reader, tag.name)
  if (!definition) {
    const hint = requireHint(compiler.info.language, ({ tags: added }) =>
      member(member(added, reader.syntax.name) ?? {}, tag.name),
    )
    addProblem(compiler, tag.at, `${quoted(reader.syntax.name)} has no argument ":${tag.name}"${hint}`)
    return 0
  }
  if (values.length > 0) addProblem(compiler, tag.at, `":${tag.name}" must come before the positional arguments`)
  const rival = [...tags].find(([name, use]) => name === tag.name || sharesGroup(use.definition, definition))
  if (rival) addProblem(compiler, tag.at, `":${tag.name}" can't be combined with ":${rival[0]}"`)
  if (!definition.value) {
    tags.set(tag.name, { definition, value: null })
    return 0
  }
  const value = next && next.kind !== 'tag' ? readValue(compiler, next, definition.value) : null
  if (value) tags.set(tag.name, { definition, value })
  else addProblem(compiler, tag.at, `":${tag.name}" must be followed by ${kindNames[definition.value]}`)
  return 1
}

const sharesGroup = (left: TagDefinition, right: TagDefinition): boolean =>
  left.oneOf !== undefined && left.oneOf === right.oneOf

const findTag = ({ compiler, syntax, signature, special }: Reader, name: string): TagDefinition | null => {
  const { extensions } = compiler.info
  const own = member(signature.tags, name)
  if (own) return own
  const added = findIn(extensions, ({ tags }) => member(member(tags, syntax.name) ?? {}, name))
  if (added) return added
  if (signature.matches && name === 'comparator') return COMPARATOR
  const matchType = signature.matches ? findIn(extensions, ({ matchTypes }) => member(matchTypes, name)) : null
  if (matchType) {
    special.matchType = matchType
    special.matchTag = name
    return matchType.operands ? MATCH_TYPE_WITH_OPERAND : MATCH_TYPE
  }
  const part = signature.addressPart ? findIn(extensions, ({ addressParts }) => member(addressParts, name)) : null
  if (part) special.addressPart = part
  return part ? ADDRESS_PART : null
}

const kindNames: Record<ArgumentKind, string> = {
  string: 'a string',
  strings: 'a string or a list of strings',
  number: 'a number',
}

const readPositional = (reader: Reader, argument: SyntaxArgument): void => {
  const { compiler, syntax, signature, values } = reader
  const expected = signature.positional ?? []
  const isShort = signature.firstIsOptional && positionalCount(syntax) < expected.length
  const kind = expected[values.length + (isShort ? 1 : 0)]
  const value = kind ? readValue(compiler, argument, kind) : null
  const problem = kind ? `expects ${kindNames[kind]} here` : "doesn't take this argument"
  if (value) values.push(value)
  else addProblem(compiler, argument.at, `${quoted(syntax.name)} ${problem}`)
}

/** Arguments that stand after the last tag; a value of that tag may be counted in, which only makes it more. */
const positionalCount = (syntax: SyntaxTest): number => {
  const last = syntax.arguments.findLastIndex(({ kind }) => kind === 'tag')
  return syntax.arguments.length - last - 1
}

const readValue = (compiler: Compiler, argument: SyntaxArgument, kind: ArgumentKind): Value | null => {
  if (argument.kind === 'number') return kind === 'number' ? { kind, value: argument.value } : null
  if (argument.kind === 'string' && kind !== 'number')
    return { kind: 'strings', items: [readText(compiler, argument)], isList: false }
  if (argument.kind !== 'strings' || kind !== 'strings') return null
  return { kind, items: argument.items.map((item) => readText(compiler, item)), isList: true }
}

const readText = ({ info }: Compiler, { text, at }: SyntaxString): Text => {
  if (!text.includes('${')) return text
  let read: Text = text
  for (const stage of ['characters', 'variables'] as const)
    for (const { strings } of info.extensions)
      if (strings?.stage === stage && typeof read === 'string') read = strings.read(read, at, info.extensions)
  return read
}

const placed = ({ compiler, syntax, signature, values }: Reader): (Value | null)[] | null => {
  const expected = signature.positional?.length ?? 0
  if (values.length === expected) return values
  if (signature.firstIsOptional && values.length === expected - 1) return [null, ...values]
  if (signature.lastIsOptional && values.length === expected - 1) return [...values, null]
  const missing = signature.positional?.[values.length]
  if (missing) addProblem(compiler, syntax.at, `${quoted(syntax.name)} is missing an argument: ${kindNames[missing]}`)
  return null
}

const checkTests = ({ compiler, syntax, signature }: Reader): void => {
  const { tests, hasList, name, at } = syntax
  if (signature.tests === undefined && tests.length > 0) addProblem(compiler, at, `${quoted(name)} doesn't take a test`)
  if (signature.tests === 'one' && (hasList || tests.length !== 1))
    addProblem(compiler, at, `${quoted(name)} requires one test`)
  if (signature.tests === 'list' && !hasList)
    addProblem(compiler, at, `${quoted(name)} requires a list of tests in parentheses`)
}

const matchOf = ({ compiler, syntax, tags, special }: Reader): Match | null => {
  const { extensions } = compiler.info
  const type = special.matchType ?? findIn(extensions, ({ matchTypes }) => member(matchTypes, 'is'))
  const wanted = constantOf(tags.get('comparator')) ?? 'i;ascii-casemap'
  const comparator = findIn(extensions, ({ comparators }) => comparators?.find(({ name }) => name === wanted) ?? null)
  if (!comparator || !type) {
    const hint = requireHint(
      compiler.info.language,
      ({ comparators }) => comparators?.find(({ name }) => name === wanted) ?? null,
    )
    addProblem(compiler, syntax.at, `unknown comparator ${quoted(wanted)}${hint}`)
    return null
  }
  if (type.needsSubstrings && !comparator.hasSubstrings)
    addProblem(compiler, syntax.at, `comparator ${quoted(wanted)} can't be used with ":${special.matchTag ?? 'is'}"`)
  const operand = special.matchTag ? constantOf(tags.get(special.matchTag)) : null
  if (type.operands && !type.operands.includes(operand ?? ''))
    addProblem(compiler, syntax.at, `":${special.matchTag}" must be followed by one of ${type.operands.join(', ')}`)
  return { type, comparator, operand }
}

const constantOf = (use: TagUse | undefined): string | null => {
  const item = use?.value?.kind === 'strings' ? use.value.items[0] : undefined
  return typeof item === 'string' ? item : item === undefined ? null : ''
}

const checkCall = ({ compiler, signature, tags, syntax }: Reader, call: Call): void => {
  const report = (problem: string | null | undefined) => problem && addProblem(compiler, syntax.at, problem)
  try {
    report(signature.check?.(call, scopeOf(compiler)))
    for (const { definition } of tags.values()) report(definition.check?.(call))
    for (const key of constants(call, call.values.length - 1)) report(call.match?.type.checkKey?.(key))
  } catch (error) {
    if (!(error instanceof SieveSyntaxError)) throw error
    addProblem(compiler, error.at, error.message)
  }
}
