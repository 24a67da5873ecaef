import { parseAddresses } from './addresses.ts'
import type { Call } from './compiled.ts'
import type { SplitAddress } from './define.ts'
import { headersNamed, type SieveHeader } from './message.ts'
import { quoted } from './problems.ts'
import type { Run } from './run-state.ts'

const stages = ['source', 'select', 'value'] as const

/** The header fields of a name that a test looks at, as its tags say. */
export const headersFor = (call: Call, name: string, run: Run): SieveHeader[] => {
  const { headers } = run.chain.message.root
  run.spend(1 + headers.length / 8)
  let found = headersNamed(headers, name)
  for (const stage of stages)
    for (const { definition } of call.tags.values())
      if (definition.headers?.stage === stage) found = definition.headers.pick(found, call, run, name)
  return found
}

/** All addresses of header fields. An empty field has one that is empty; encoded words only stand in names. */
export const addressesOf = (headers: readonly SieveHeader[], run: Run): SplitAddress[] =>
  headers.flatMap(({ raw }) => {
    run.spend(raw.length / 4)
    return raw.trim() === '' ? [{ all: '', local: '', domain: '' }] : parseAddresses(raw)
  })

const FIELD_NAME = /^[!-9;-~]{1,998}$/

/**
 * Returns what is wrong with the names of header fields that a script makes or removes (RFC 5322 §2.2). Tests do not ask:
 * a name that no field can have is never found (RFC 5228 §2.4.2.2).
 */
export const headerNameProblem = (names: readonly string[]): string | null => {
  const wrong = names.find((name) => !FIELD_NAME.test(name))
  return wrong === undefined ? null : `field name ${quoted(wrong)} is invalid`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not be there.
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/

/** Returns what is wrong with the values of header fields that a script makes. */
export const headerValueProblem = (values: readonly string[]): string | null => {
  const wrong = values.find((value) => CONTROL.test(value))
  return wrong === undefined ? null : `value ${quoted(wrong)} is invalid because it contains control characters`
}
