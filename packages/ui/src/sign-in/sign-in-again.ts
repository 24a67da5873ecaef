import { useSyncExternalStore } from 'react'

/** `code`: the second factor is wanted; `wrong-code`: another one is. */
export type SignInStep = 'done' | 'code' | 'wrong-code'

export type SignInAgain = {
  email: string
  /** Throws what the service refuses with. */
  signIn: (password: string, code: string | undefined) => Promise<SignInStep>
  /** Gives up what is not saved. */
  leave: () => Promise<void>
}

/** The session has ended below a form with changes: the password is asked for above it, and nothing typed is lost. */
export const askToSignInAgain = (question: SignInAgain): void => set(asked ?? question)

export const closeSignInAgain = (): void => set(undefined)

export const useSignInAgain = (): SignInAgain | undefined => useSyncExternalStore(subscribe, () => asked)

let asked: SignInAgain | undefined
const listeners = new Set<() => void>()

const set = (next: SignInAgain | undefined): void => {
  asked = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
