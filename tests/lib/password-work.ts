import { PASSWORD_WORK, setPasswordWork } from '@stoa/kit/crypto/password.ts'

/**
 * A hash of a service is 50 ms of work on purpose, and tests sign in thousands of times. How much it is has tests of its
 * own, which ask for it.
 */
export const lightPasswords = (): void => setPasswordWork({ memory: 64, passes: 1, parallelism: 1 })

/** From now on passwords cost what they cost in a service; the caller takes it back with `lightPasswords`. */
export const realPasswords = (): void => setPasswordWork(PASSWORD_WORK)
