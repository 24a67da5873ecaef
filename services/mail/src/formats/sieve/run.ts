import type { SieveAction } from './action-types.ts'
import type { CompiledCommand, CompiledTest, SieveScript } from './compiled.ts'
import type { Flow } from './define.ts'
import type { SieveEnvironment } from './environment.ts'
import { defaultLimits, type SieveLimits } from './limits.ts'
import { noEdits } from './message.ts'
import { problemAt, type SieveProblem, SieveRuntimeError } from './problems.ts'
import { prepared } from './result.ts'
import { type Chain, type Run, type SeenKey, spendFrom, startChain } from './run-state.ts'

export type RunOptions = { readonly limits?: SieveLimits }

/** What the scripts decided. `actions` always says where the message goes; an implicit keep is among them. */
export type SieveResult = {
  readonly actions: readonly SieveAction[]
  /** To be remembered once the message is delivered: RFC 7352 §3 asks for what scripts saw that ran to their end. */
  readonly seen: readonly SeenKey[]
  /** What stopped the chain, and in which of the scripts. */
  readonly error: (SieveProblem & { readonly script: number }) | null
}

/**
 * Runs scripts in order on one message, with one result. A script that fails counts as if it had not run, but the message
 * is kept and no other script runs. Errors of the environment are thrown.
 */
export const runScripts = async (
  scripts: readonly SieveScript[],
  environment: SieveEnvironment,
  options: RunOptions = {},
): Promise<SieveResult> => {
  const chain = startChain(environment, options.limits ?? defaultLimits)
  let last: Run | null = null
  for (const [index, script] of scripts.entries()) {
    const { actions: actionsBefore, seen: seenBefore } = chain
    chain.actions = [...actionsBefore]
    last = startRun(chain, script)
    try {
      // RFC 6609 §3.3: outside an included script, return does what stop does.
      if (await last.block(script.commands)) break
    } catch (error) {
      if (!(error instanceof SieveRuntimeError)) throw error
      const problem = problemAt(script.source, error.at ?? 0, error.message)
      const actions = [...actionsBefore, ...keepAfterError(actionsBefore)]
      return { actions, seen: seenBefore, error: { ...problem, script: index } }
    }
  }
  if (!chain.keepCancelled) chain.actions.push(implicitKeep(chain, last))
  return { actions: chain.actions, seen: chain.seen, error: null }
}

/** Prepares a script to be run as part of a chain; for commands that run other scripts. */
export const startRun = (chain: Chain, script: SieveScript): Run => {
  for (const extension of script.extensions) chain.extensions.add(extension)
  const run: Run = {
    chain,
    script,
    limits: chain.limits,
    spend: (operations) => spendFrom(chain, operations),
    block: (commands) => runBlock(run, commands),
    test: (test) => runTest(run, test),
  }
  return run
}

/** RFC 5293 §6: after an error the message is kept as it arrived. */
const keepAfterError = (before: readonly SieveAction[]): SieveAction[] =>
  before.some(({ kind }) => kind === 'keep') ? [] : [{ kind: 'keep', implicit: true, flags: null, edits: noEdits }]

const implicitKeep = (chain: Chain, run: Run | null): SieveAction => {
  const keep: SieveAction = { kind: 'keep', implicit: true, flags: null, edits: chain.edits }
  return run ? prepared(keep, run) : keep
}

/** Commands one after the other. Of if, elsif and else, the first whose test is true is the only one that runs. */
const runBlock = async (run: Run, commands: readonly CompiledCommand[]): Promise<Flow | undefined> => {
  let isDone = false
  for (const { definition, call } of commands) {
    run.spend(1)
    if (!definition.branch || definition.branch === 'first') isDone = false
    if (isDone) continue
    const flow = await located(call.at, () => definition.run(call, run))
    if (flow?.kind === 'branch') {
      isDone = flow.taken
      if (flow.after) return flow.after
    } else if (flow) return flow
  }
  return undefined
}

const runTest = async (run: Run, { definition, call }: CompiledTest): Promise<boolean> => {
  run.spend(1)
  return located(call.at, () => definition.test(call, run))
}

/** The innermost command or test is where a person has to look. */
const located = async <T>(at: number, work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SieveRuntimeError) error.at ??= at
    throw error
  }
}
