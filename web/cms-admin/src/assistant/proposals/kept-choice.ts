import { useState } from 'react'

/** What a person decided about a proposal and has not applied yet. */
export type KeptChoice = {
  /** Whether a change is left out, by path; what is not here is as proposed. */
  readonly decided: Readonly<Record<string, boolean>>
  readonly edits: Readonly<Record<string, unknown>>
  /** The versions that the proposal was compared with since. */
  readonly rebasedFor: string | undefined
}

const NOTHING: KeptChoice = { decided: {}, edits: {}, rebasedFor: undefined }
const kept = new Map<string, KeptChoice>()

/** Survives the panel being closed, or becoming a sheet. */
export const useKeptChoice = (id: string): [KeptChoice, (change: Partial<KeptChoice>) => void] => {
  const [choice, setChoice] = useState(() => kept.get(id) ?? NOTHING)
  const change = (changes: Partial<KeptChoice>) => {
    const next = { ...(kept.get(id) ?? NOTHING), ...changes }
    kept.set(id, next)
    setChoice(next)
  }
  return [choice, change]
}
