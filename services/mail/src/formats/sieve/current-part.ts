import type { SievePart } from './message.ts'
import { chainState, type Run } from './run-state.ts'

/** A part with the way to it from the root: the index of each child. */
export type PartPosition = { readonly part: SievePart; readonly path: readonly number[] }

/** Shared by included scripts: a loop in one of them starts at the part of the loop around it. */
const loops = chainState((): { positions: PartPosition[] } => ({ positions: [] }))

/** The part that the innermost `foreverypart` is at; the whole message outside of one. */
export const currentPart = (run: Run): PartPosition =>
  loops(run).positions.at(-1) ?? { part: run.chain.message.root, path: [] }

export const isInLoop = (run: Run): boolean => loops(run).positions.length > 0

/** Goes to a part for the time of the work. */
export const atPart = async <T>(run: Run, position: PartPosition, work: () => Promise<T>): Promise<T> => {
  loops(run).positions.push(position)
  try {
    return await work()
  } finally {
    loops(run).positions.pop()
  }
}

/** The current part was replaced. */
export const setCurrentPart = (run: Run, part: SievePart): void => {
  const position = loops(run).positions.pop()
  if (position) loops(run).positions.push({ ...position, part })
}

/** The parts below a place from the top down, at most so many. */
export const positionsBelow = (from: PartPosition, limit: number): PartPosition[] => {
  const found: PartPosition[] = []
  const open = childrenOf(from)
  for (let position = open.pop(); position && found.length < limit; position = open.pop()) {
    found.push(position)
    open.push(...childrenOf(position))
  }
  return found
}

/** The last child first, as a stack takes them. */
const childrenOf = ({ part, path }: PartPosition): PartPosition[] =>
  part.parts.map((child, index) => ({ part: child, path: [...path, index] })).reverse()
