/** What the sandbox gives to a plugin's server code. */
declare module 'stoa' {
  export const content: import('@stoa/cms-plugin').Content
  export const media: import('@stoa/cms-plugin').Media
  export const taxonomies: import('@stoa/cms-plugin').Taxonomies
  export const menus: import('@stoa/cms-plugin').Menus
  export const settings: import('@stoa/cms-plugin').Settings
  export const social: import('@stoa/cms-plugin').Social
  export const store: import('@stoa/cms-plugin').Store
  export const http: import('@stoa/cms-plugin').Http
  export const crypto: import('@stoa/cms-plugin').Crypto
  export const log: import('@stoa/cms-plugin').Log
  export const clock: import('@stoa/cms-plugin').Clock

  /** `throw new Problem(404, 'There is no such plan')` answers that status. */
  export class Problem extends Error {
    /** From 400 to 499. */
    readonly status: number
    readonly details: unknown
    constructor(status: number, message: string, details?: unknown)
  }

  export const stoa: import('@stoa/cms-plugin').Stoa & { Problem: typeof Problem }
}
