import { parseAddress } from '../addresses.ts'
import { constants, text } from '../arguments.ts'
import type { CommandDefinition } from '../define.ts'
import { quoted, SieveRuntimeError } from '../problems.ts'
import { addAction } from '../result.ts'

/** RFC 5228 §4.3. */
export const keep: CommandDefinition = {
  run: (call, run) => {
    addAction({ kind: 'keep', implicit: false, flags: null, edits: run.chain.edits }, call, run)
    return undefined
  },
}

/** RFC 5228 §4.4. */
export const discard: CommandDefinition = {
  run: (call, run) => {
    addAction({ kind: 'discard' }, call, run)
    return undefined
  },
}

/** RFC 5228 §4.2. */
export const redirect: CommandDefinition = {
  positional: ['string'],
  check: (call) => addressProblem(constants(call, 0)),
  run: (call, run) => {
    const written = text(call, 0, run)
    const address = parseAddress(written)?.all
    if (!address) throw new SieveRuntimeError(`${quoted(written)} isn't an address that mail can be redirected to`)
    addAction({ kind: 'redirect', address, copy: false, edits: run.chain.edits }, call, run)
    return undefined
  },
}

const addressProblem = (addresses: readonly string[]): string | null => {
  const wrong = addresses.find((address) => !parseAddress(address))
  return wrong === undefined ? null : `${quoted(wrong)} isn't an address that mail can be redirected to`
}
