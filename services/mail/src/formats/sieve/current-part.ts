import type { SievePart } from './message.ts'
import { chainState, type Run } from './run-state.ts'

/** A part with the way to it from the root: the index of each child. */
export type PartPlace = { readonly part: SievePart; readonly path: readonly number[] }

/** Shared by included scripts: a loop in one of them starts at the part of the loop around it. */
const loops = chainState((): { places: PartPlace[] } => ({ places: [] }))

/** The part that the innermost `foreverypart` is at; the whole message outside of one. */
export const currentPart = (run: Run): PartPlace =>
  loops(run).places.at(-1) ?? { part: run.chain.message.root, path: [] }

export const isInLoop = (run: Run): boolean => loops(run).places.length > 0

/** Goes to a part for the time of the work. */
export const atPart = async <T>(run: Run, place: PartPlace, work: () => Promise<T>): Promise<T> => {
  loops(run).places.push(place)
  try {
    return await work()
  } finally {
    loops(run).places.pop()
  }
}

/** The current part was replaced. */
export const setCurrentPart = (run: Run, part: SievePart): void => {
  const place = loops(run).places.pop()
  if (place) loops(run).places.push({ ...place, part })
}

/** The parts below a place from the top down, at most so many. */
export const placesBelow = (from: PartPlace, limit: number): PartPlace[] => {
  const found: PartPlace[] = []
  const open = childrenOf(from)
  for (let place = open.pop(); place && found.length < limit; place = open.pop()) {
    found.push(place)
    open.push(...childrenOf(place))
  }
  return found
}

/** The last child first, as a stack takes them. */
const childrenOf = ({ part, path }: PartPlace): PartPlace[] =>
  part.parts.map((child, index) => ({ part: child, path: [...path, index] })).reverse()
