/** How far a text is saved. Every change has a number; what is saved is known by it. */
export type DraftState = {
  version: number
  savedVersion: number
  /** The change that is on its way to the service. */
  savingVersion: number | null
  savedAt: number | null
  problem: { kind: 'offline' | 'signed-out' | 'refused'; message: string } | null
}

export type DraftEvent =
  | { kind: 'edited' }
  | { kind: 'started' }
  | { kind: 'saved'; at: number }
  | { kind: 'failed'; problem: NonNullable<DraftState['problem']> }

export const freshDraft = (savedAt: number | null = null): DraftState => ({
  version: 0,
  savedVersion: 0,
  savingVersion: null,
  savedAt,
  problem: null,
})

/** The state after an event. One that does not fit changes nothing. */
export const stepDraft = (state: DraftState, event: DraftEvent): DraftState => {
  switch (event.kind) {
    case 'edited':
      return { ...state, version: state.version + 1 }
    case 'started':
      return state.savingVersion === null ? { ...state, savingVersion: state.version } : state
    case 'saved':
      if (state.savingVersion === null) return state
      return { ...state, savedVersion: state.savingVersion, savingVersion: null, savedAt: event.at, problem: null }
    case 'failed':
      return state.savingVersion === null ? state : { ...state, savingVersion: null, problem: event.problem }
  }
}

/** Whether something was written that the service does not have. */
export const isUnsaved = ({ version, savedVersion }: DraftState): boolean => version > savedVersion

export const isSaving = ({ savingVersion }: DraftState): boolean => savingVersion !== null

/** The line that says so. `clock` writes a moment as the person reads it. */
export const draftLine = (state: DraftState, clock: (at: number) => string): string => {
  if (isSaving(state)) return 'Saving…'
  if (state.problem !== null && isUnsaved(state)) return state.problem.message
  if (isUnsaved(state)) return 'Not saved yet'
  return state.savedAt === null ? '' : `Saved ${clock(state.savedAt)}`
}
