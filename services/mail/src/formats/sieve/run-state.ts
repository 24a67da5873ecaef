import type { SieveAction } from './action-types.ts'
import type { CompiledCommand, CompiledTest, ScriptInfo } from './compiled.ts'
import type { Flow, SieveExtension } from './define.ts'
import type { SieveEnvironment } from './environment.ts'
import type { SieveLimits } from './limits.ts'
import { type MessageEdits, noEdits, type SieveMessage } from './message.ts'
import { SieveRuntimeError } from './problems.ts'

/** A key to be remembered for so long; from now on also when it is remembered already, where it is prolonged. */
export type SeenKey = { readonly key: string; readonly seconds: number; readonly isProlonged: boolean }

/** What all scripts for one message share. */
export type Chain = {
  readonly limits: SieveLimits
  environment: SieveEnvironment
  /** The message as the script sees it now. */
  message: SieveMessage
  edits: MessageEdits
  actions: SieveAction[]
  keepCancelled: boolean
  /** The keys that `duplicate` tested, each once with and once without prolonging it. */
  seen: readonly SeenKey[]
  operationsLeft: number
  /** The extensions of every script that ran so far. */
  readonly extensions: Set<SieveExtension>
}

/** One script that runs. Extensions keep what they need in `runState` and `chainState`. */
export type Run = {
  readonly chain: Chain
  readonly script: ScriptInfo
  readonly limits: SieveLimits
  /** Takes operations from the budget. */
  spend(operations: number): void
  block(commands: readonly CompiledCommand[]): Promise<Flow | undefined>
  test(test: CompiledTest): Promise<boolean>
}

export const startChain = (environment: SieveEnvironment, limits: SieveLimits): Chain => ({
  limits,
  environment,
  message: environment.message,
  edits: noEdits,
  actions: [],
  keepCancelled: false,
  seen: [],
  operationsLeft: limits.operations,
  extensions: new Set(),
})

/** A value that belongs to one running script, made when it is first asked for. */
export const runState = <T>(create: (run: Run) => T): ((run: Run) => T) => {
  const states = new WeakMap<Run, T>()
  return (run) => remembered(states, run, () => create(run))
}

/** A value that belongs to all scripts for one message. */
export const chainState = <T>(create: () => T): ((run: Run) => T) => {
  const states = new WeakMap<Chain, T>()
  return ({ chain }) => remembered(states, chain, create)
}

const remembered = <K extends object, T>(states: WeakMap<K, T>, key: K, create: () => T): T => {
  const known = states.get(key)
  if (known !== undefined) return known
  const made = create()
  states.set(key, made)
  return made
}

export const spendFrom = (chain: Chain, operations: number): void => {
  chain.operationsLeft -= operations
  if (chain.operationsLeft < 0) throw new SieveRuntimeError('uses more operations than allowed')
}
