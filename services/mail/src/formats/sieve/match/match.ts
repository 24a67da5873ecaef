import type { Call } from '../compiled.ts'
import type { MaybePromise } from '../message.ts'
import type { Run } from '../run-state.ts'

/** Compares as the call says. Values are cut at the longest text that a script can handle. */
export const matchValues = (
  call: Call,
  values: readonly string[],
  keys: readonly string[],
  run: Run,
): MaybePromise<boolean> => {
  if (!call.match) return false
  const cut = values.map((value) => value.slice(0, run.limits.textLength))
  return call.match.type.match(cut, keys, call.match, run)
}
