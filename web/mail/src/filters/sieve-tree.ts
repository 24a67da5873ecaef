import { readTokens, type Token } from './sieve-tokens.ts'

/** A script as it is written, before any word has a meaning (RFC 5228 §8.2). */
export type Argument =
  | { kind: 'tag'; name: string }
  | { kind: 'number'; value: number }
  | { kind: 'texts'; texts: readonly string[] }
export type Test = { name: string; arguments: readonly Argument[]; tests: readonly Test[] }
export type Command = Test & {
  block: readonly Command[] | null
  /** The lines of comment right before it. */
  comments: readonly string[]
}

/** Why a script has no tree that rules could be read from. */
export class TreeProblem extends Error {}

/** The limit of the service, which refuses deeper nesting. */
const MAX_NESTING = 32

/** Reads a script. Throws TreeProblem, and nothing else. */
export const readTree = (source: string): Command[] => {
  const tokens = readTokens(source)
  if (!tokens) throw new TreeProblem('it has an error')
  const reader: Reader = { tokens, at: 0 }
  const commands = readCommands(reader, 0)
  if (reader.at < tokens.length) throw new TreeProblem('it has an error')
  return commands
}

type Reader = { tokens: readonly Token[]; at: number }

const isMark = (reader: Reader, text: string): boolean => {
  const token = reader.tokens[reader.at]
  return token?.kind === 'mark' && token.text === text
}

const takeMark = (reader: Reader, text: string): boolean => {
  if (!isMark(reader, text)) return false
  reader.at += 1
  return true
}

const expect = (reader: Reader, text: string): void => {
  if (takeMark(reader, text)) return
  refuseComment(reader)
  throw new TreeProblem('it has an error')
}

const refuseComment = ({ tokens, at }: Reader): void => {
  if (tokens[at]?.kind === 'comment') throw new TreeProblem("it has comments that rules can't keep")
}

const readCommands = (reader: Reader, depth: number): Command[] => {
  const commands: Command[] = []
  for (;;) {
    const comments: string[] = []
    for (let token = reader.tokens[reader.at]; token?.kind === 'comment'; token = reader.tokens[reader.at]) {
      comments.push(token.text)
      reader.at += 1
    }
    if (reader.tokens[reader.at]?.kind === 'word') {
      commands.push(readCommand(reader, depth, comments))
      continue
    }
    if (comments.length > 0) throw new TreeProblem("it has comments that rules can't keep")
    return commands
  }
}

const readCommand = (reader: Reader, depth: number, comments: readonly string[]): Command => {
  const head = readTest(reader, depth)
  if (!takeMark(reader, '{')) {
    expect(reader, ';')
    return { ...head, block: null, comments }
  }
  const block = readCommands(reader, depth + 1)
  expect(reader, '}')
  return { ...head, block, comments }
}

const readTest = (reader: Reader, depth: number): Test => {
  const token = reader.tokens[reader.at]
  if (token?.kind !== 'word' || depth > MAX_NESTING) {
    refuseComment(reader)
    throw new TreeProblem('it has an error')
  }
  reader.at += 1
  const head = { name: token.text, arguments: readArguments(reader) }
  if (reader.tokens[reader.at]?.kind === 'word') return { ...head, tests: [readTest(reader, depth + 1)] }
  if (!takeMark(reader, '(')) return { ...head, tests: [] }
  const tests = [readTest(reader, depth + 1)]
  while (takeMark(reader, ',')) tests.push(readTest(reader, depth + 1))
  expect(reader, ')')
  return { ...head, tests }
}

const readArguments = (reader: Reader): Argument[] => {
  const found: Argument[] = []
  for (;;) {
    const token = reader.tokens[reader.at]
    if (token?.kind === 'tag') found.push({ kind: 'tag', name: token.text })
    else if (token?.kind === 'number') found.push({ kind: 'number', value: token.value })
    else if (token?.kind === 'text') found.push({ kind: 'texts', texts: [token.text] })
    else if (isMark(reader, '[')) {
      found.push({ kind: 'texts', texts: readList(reader) })
      continue
    } else return found
    reader.at += 1
  }
}

const readList = (reader: Reader): string[] => {
  const texts: string[] = []
  do {
    reader.at += 1
    const token = reader.tokens[reader.at]
    if (token?.kind !== 'text') throw new TreeProblem('it has an error')
    texts.push(token.text)
    reader.at += 1
  } while (isMark(reader, ','))
  expect(reader, ']')
  return texts
}
