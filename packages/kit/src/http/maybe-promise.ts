import type { MaybePromise } from './route.ts'

/** Goes on at once with a value that is there already: an answer from memory never waits for another turn. */
export const chain = <A, B>(value: MaybePromise<A>, next: (value: A) => MaybePromise<B>): MaybePromise<B> =>
  value instanceof Promise ? value.then(next) : next(value)
