import { type Mark, readTokens, type Token } from './lexer.ts'
import { quoted, SieveSyntaxError } from './problems.ts'

/** A script as written, before any word has a meaning. */
export type SyntaxString = { readonly kind: 'string'; readonly text: string; readonly at: number }
export type SyntaxArgument =
  | SyntaxString
  | { readonly kind: 'strings'; readonly items: readonly SyntaxString[]; readonly at: number }
  | { readonly kind: 'number'; readonly value: number; readonly at: number }
  | { readonly kind: 'tag'; readonly name: string; readonly at: number }
export type SyntaxTest = {
  readonly name: string
  readonly at: number
  readonly arguments: readonly SyntaxArgument[]
  readonly tests: readonly SyntaxTest[]
  /** True when the tests stand in parentheses. */
  readonly hasList: boolean
}
export type SyntaxCommand = SyntaxTest & {
  /** The commands in braces, or null when a semicolon ends the command. */
  readonly block: readonly SyntaxCommand[] | null
}

/** Reads the generic grammar of RFC 5228 §8.2. Throws SieveSyntaxError, and nothing else. */
export const parseScript = (source: string, nesting: number): SyntaxCommand[] => {
  const reader: Reader = { tokens: readTokens(source), index: 0, nesting }
  const commands = readCommands(reader, 0)
  const left = peek(reader)
  if (left.kind !== 'end') throw new SieveSyntaxError(left.at, `${shown(left)} doesn't match an opening bracket`)
  return commands
}

type Reader = { readonly tokens: readonly Token[]; index: number; readonly nesting: number }

const peek = (reader: Reader): Token => reader.tokens[reader.index] ?? { kind: 'end', at: 0 }

const next = (reader: Reader): Token => {
  const token = peek(reader)
  reader.index += 1
  return token
}

const shown = (token: Token): string => {
  if (token.kind === 'end') return 'the end of the script'
  if (token.kind === 'identifier') return quoted(token.text)
  if (token.kind === 'tag') return `":${token.text}"`
  if (token.kind === 'number') return `the number ${token.value}`
  return token.kind === 'string' ? 'a string' : `"${token.kind}"`
}

const expect = (reader: Reader, kind: Mark, why: string): void => {
  const token = next(reader)
  if (token.kind !== kind) throw new SieveSyntaxError(token.at, `expected "${kind}" to ${why}, found ${shown(token)}`)
}

const checkDepth = (reader: Reader, depth: number, at: number): void => {
  if (depth > reader.nesting) throw new SieveSyntaxError(at, `nested more than ${reader.nesting} times`)
}

const readCommands = (reader: Reader, depth: number): SyntaxCommand[] => {
  const commands: SyntaxCommand[] = []
  while (!['}', 'end'].includes(peek(reader).kind)) commands.push(readCommand(reader, depth))
  return commands
}

const readCommand = (reader: Reader, depth: number): SyntaxCommand => {
  const head = readTest(reader, depth, 'a command')
  const token = peek(reader)
  if (token.kind !== '{') {
    expect(reader, ';', `end the command ${quoted(head.name)}`)
    return { ...head, block: null }
  }
  checkDepth(reader, depth + 1, token.at)
  reader.index += 1
  const block = readCommands(reader, depth + 1)
  expect(reader, '}', `close the block of ${quoted(head.name)}`)
  return { ...head, block }
}

const readTest = (reader: Reader, depth: number, what: string): SyntaxTest => {
  const token = next(reader)
  if (token.kind !== 'identifier') throw new SieveSyntaxError(token.at, `expected ${what}, found ${shown(token)}`)
  checkDepth(reader, depth, token.at)
  const head = { name: token.text, at: token.at, arguments: readArguments(reader) }
  const after = peek(reader)
  if (after.kind === 'identifier') return { ...head, tests: [readTest(reader, depth + 1, 'a test')], hasList: false }
  if (after.kind !== '(') return { ...head, tests: [], hasList: false }
  reader.index += 1
  const tests = readSeparated(reader, ')', () => readTest(reader, depth + 1, 'a test'))
  return { ...head, tests, hasList: true }
}

const readSeparated = <T>(reader: Reader, close: Mark, read: () => T): T[] => {
  const items = [read()]
  while (peek(reader).kind === ',') {
    reader.index += 1
    items.push(read())
  }
  expect(reader, close, 'close the list')
  return items
}

const readArguments = (reader: Reader): SyntaxArgument[] => {
  const found: SyntaxArgument[] = []
  for (;;) {
    const token = peek(reader)
    if (token.kind === 'string') found.push(readString(reader))
    else if (token.kind === '[') found.push(readStrings(reader))
    else if (token.kind === 'number') found.push({ kind: 'number', value: token.value, at: next(reader).at })
    else if (token.kind === 'tag') found.push({ kind: 'tag', name: token.text, at: next(reader).at })
    else return found
  }
}

const readString = (reader: Reader): SyntaxString => {
  const token = next(reader)
  if (token.kind !== 'string') throw new SieveSyntaxError(token.at, `expected a string, found ${shown(token)}`)
  return { kind: 'string', text: token.text, at: token.at }
}

const readStrings = (reader: Reader): SyntaxArgument => {
  const { at } = next(reader)
  return { kind: 'strings', items: readSeparated(reader, ']', () => readString(reader)), at }
}
