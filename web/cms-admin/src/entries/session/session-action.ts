import type { Entry } from '@stoa/cms-model/entries.ts'
import { ProblemError } from '@stoa/ui/request/problem.ts'
import { RequestError } from '@stoa/ui/request/request.ts'
import { isSignedOut, readConflict } from '../../api.ts'
import { sortProblems } from './problems.ts'
import { type SessionContext, set } from './session-context.ts'
import { isFrozen } from './session-state.ts'
import { accept, meet, schedule } from './session-write.ts'

/** Does something else with the entry than saving the form: publishing, filing, discarding. */
export const runAction = async (context: SessionContext, run: (entry: Entry) => Promise<Entry>): Promise<Entry> => {
  const { entry } = context.state
  if (entry === null) throw new ProblemError('Save the entry first.')
  if (isFrozen(context.state)) throw new ProblemError('Choose what to keep first.')
  set(context, { ...context.state, isWriting: true })
  try {
    const next = await run(entry)
    accept(context, next)
    return next
  } catch (error) {
    throw await refusalOf(context, error)
  } finally {
    set(context, { ...context.state, isWriting: false })
    schedule(context)
  }
}

const refusalOf = async (context: SessionContext, error: unknown): Promise<unknown> => {
  const conflict = readConflict(error)
  if (conflict) {
    const isNoReason = await meet(context, conflict.by)
    return new ProblemError(
      isNoReason
        ? "The entry was changed elsewhere in the meantime. It's up to date now. Try again."
        : 'Someone else changed this entry in the meantime. Choose what to keep first.',
    )
  }
  if (isSignedOut(error)) set(context, { ...context.state, isSignedOut: true })
  const { placed } = sortProblems(context.options.type, error instanceof RequestError ? error.fields : [])
  // The form shows what is wrong in the form; the rest belongs to the caller
  if (placed.length > 0) set(context, { ...context.state, problems: placed, refusals: context.state.refusals + 1 })
  return error
}
