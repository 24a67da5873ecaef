import { NetworkFailure } from '../http/failure.ts'

/**
 * Goes on with an upload that a process began, and begins anew when the network refuses that: the process may have died
 * between sending a part and writing it down, and no network takes the same part twice.
 */
export const resume = async <State, Result>(
  known: State | undefined,
  begin: () => Promise<State>,
  goOn: (state: State) => Promise<Result>,
): Promise<Result> => {
  if (known !== undefined)
    try {
      return await goOn(known)
    } catch (error) {
      if (!(error instanceof NetworkFailure) || error.facts.kind !== 'invalid') throw error
    }
  return goOn(await begin())
}
