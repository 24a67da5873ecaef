import type { Call, Text, Value } from './compiled.ts'
import { SieveRuntimeError } from './problems.ts'
import type { Run } from './run-state.ts'

/** The string of a positional argument. */
export const text = (call: Call, index: number, run: Run): string => texts(call, index, run)[0] ?? ''

/** The strings of a positional argument; none when it was left out. */
export const texts = (call: Call, index: number, run: Run): string[] => stringsOf(call.values[index] ?? null, run)

/** The keys to compare with: the last positional argument. */
export const keys = (call: Call, run: Run): string[] => texts(call, call.values.length - 1, run)

export const hasTag = (call: Call, tag: string): boolean => call.tags.has(tag)

/** The string of a tag, or null without the tag. */
export const tagText = (call: Call, tag: string, run: Run): string | null =>
  hasTag(call, tag) ? (tagTexts(call, tag, run)[0] ?? '') : null

export const tagTexts = (call: Call, tag: string, run: Run): string[] =>
  stringsOf(call.tags.get(tag)?.value ?? null, run)

export const tagAmount = (call: Call, tag: string): number | null =>
  hasTag(call, tag) ? numberOf(call.tags.get(tag)?.value ?? null) : null

/** Strings of a positional argument that are known before the script runs. */
export const constants = (call: Call, index: number): string[] => constantsOf(call.values[index] ?? null)

export const tagConstants = (call: Call, tag: string): string[] => constantsOf(call.tags.get(tag)?.value ?? null)

/** True when a value is made while the script runs. */
export const isMade = (value: Value | null | undefined): boolean =>
  value?.kind === 'strings' && value.items.some((item) => typeof item !== 'string')

/** Makes a string, within what a script can use. */
const makeText = (item: Text, run: Run): string => {
  if (typeof item === 'string') return item
  const made = item.make(run)
  run.spend(1 + made.length / 64)
  if (made.length > run.limits.textLength) throw new SieveRuntimeError('produces a string that is too long')
  return made
}

const stringsOf = (value: Value | null, run: Run): string[] =>
  value?.kind === 'strings' ? value.items.map((item) => makeText(item, run)) : []

const numberOf = (value: Value | null): number => (value?.kind === 'number' ? value.value : 0)

const constantsOf = (value: Value | null): string[] =>
  value?.kind === 'strings' ? value.items.filter((item) => typeof item === 'string') : []
