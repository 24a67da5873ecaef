/** Repeatable randomness: the same seed gives the same throws. */
export type Dice = {
  /** From 0, below 1. */
  next(): number
  /** A whole number from `least` to `most`. */
  int(least: number, most: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly [T, ...T[]]): T
  /** Undefined when there is nothing to choose from. */
  pickAny<T>(from: readonly T[]): T | undefined
}

/** mulberry32: small, quick, and good enough to choose test data with. */
export const createDice = (seed: number): Dice => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (from) => from[int(0, from.length - 1)] ?? from[0],
    pickAny: (from) => from[int(0, from.length - 1)],
  }
}
