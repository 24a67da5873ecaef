import { type CharacterSet, type RegexNode, RegexRefused, readRegex } from './syntax.ts'

/** What one step asks for or does. `next` steps follow it; the first of a fork is tried before the second. */
export type Instruction =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'fork'; first: number; second: number }
  | { readonly kind: 'save'; readonly slot: number }
  | { readonly kind: 'start' | 'end' | 'accept' }

export type Program = { readonly steps: readonly Instruction[]; readonly groups: number }

/** More groups than there are match variables to read them. */
const MAX_GROUPS = 32

/** Compiles a pattern, or throws RegexRefused. Counted repetitions are written out, up to so many steps. */
export const compileRegex = (pattern: string, maxSteps: number): Program => {
  const { root, groups } = readRegex(pattern)
  const writer: Writer = { steps: [], maxSteps }
  write(writer, root)
  add(writer, { kind: 'accept' })
  return { steps: writer.steps, groups: Math.min(groups, MAX_GROUPS) }
}

type Writer = { readonly steps: Instruction[]; readonly maxSteps: number }

const add = <S extends Instruction>(writer: Writer, step: S): S => {
  if (writer.steps.length >= writer.maxSteps) throw new RegexRefused('is too large; use smaller numbers in "{}"')
  writer.steps.push(step)
  return step
}

const fork = (writer: Writer) => {
  const next = writer.steps.length + 1
  return add(writer, { kind: 'fork' as const, first: next, second: next })
}

const write = (writer: Writer, node: RegexNode): void => {
  if (node.kind === 'group') writeGroup(writer, node.part, node.index)
  else if (node.kind === 'repeat') writeRepeat(writer, node.part, node.min, node.max)
  else if (node.kind === 'choice') writeChoice(writer, node.parts)
  else if (node.kind === 'sequence') for (const part of node.parts) write(writer, part)
  else add(writer, node)
}

const writeGroup = (writer: Writer, part: RegexNode, index: number): void => {
  const isSaved = index <= MAX_GROUPS
  if (isSaved) add(writer, { kind: 'save', slot: index * 2 })
  write(writer, part)
  if (isSaved) add(writer, { kind: 'save', slot: index * 2 + 1 })
}

const writeChoice = (writer: Writer, parts: readonly RegexNode[]): void => {
  const ends: { first: number; second: number }[] = []
  for (const part of parts.slice(0, -1)) {
    const other = fork(writer)
    write(writer, part)
    ends.push(fork(writer))
    other.second = writer.steps.length
  }
  for (const part of parts.slice(-1)) write(writer, part)
  for (const end of ends) end.first = end.second = writer.steps.length
}

const writeRepeat = (writer: Writer, part: RegexNode, min: number, max: number): void => {
  for (let count = 0; count < min; count += 1) write(writer, part)
  if (max === Number.POSITIVE_INFINITY) {
    const loop = fork(writer)
    const start = writer.steps.length - 1
    write(writer, part)
    const back = fork(writer)
    back.first = back.second = start
    loop.second = writer.steps.length
    return
  }
  const leaves: { second: number }[] = []
  for (let count = min; count < max; count += 1) {
    leaves.push(fork(writer))
    write(writer, part)
  }
  for (const leave of leaves) leave.second = writer.steps.length
}
