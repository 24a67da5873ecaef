import type { Arguments } from './parse/arguments.ts'
import type { ImapSession } from './session.ts'

/** Before sign-in, after it, and with a folder selected (RFC 9051 §3). */
export type State = 'start' | 'signedIn' | 'selected'

/** The tagged answer. `code` is what stands in brackets. */
export type Completion = {
  readonly status: 'OK' | 'NO' | 'BAD'
  readonly code?: string
  readonly text: string
  /** The connection ends after it. */
  readonly closes?: boolean
}

export const ok = (text: string, code?: string): Completion => ({ status: 'OK', text, ...(code ? { code } : {}) })
export const no = (text: string, code?: string): Completion => ({ status: 'NO', text, ...(code ? { code } : {}) })

/** Capabilities that are listed once somebody has signed in. */
export const afterSignIn =
  (...names: readonly string[]) =>
  ({ state }: ImapSession): readonly string[] =>
    state === 'start' ? [] : names

export type CommandContext = { readonly isUid: boolean; readonly tag: string }

/** A command, in a file of its own in `commands/`. */
export type Command<A> = {
  /** `FETCH`; with `takesUid` it answers `UID FETCH` too. */
  readonly name: string
  readonly states: readonly State[]
  /** Capabilities that CAPABILITY lists for this command, in the session's current state. */
  readonly capabilities?: (session: ImapSession) => readonly string[]
  readonly takesUid?: boolean
  /** Only as `UID …`: there is no command of the bare name. */
  readonly needsUid?: boolean
  /** The command's literals may be messages: those above 64 KiB arrive as stored blobs. */
  readonly takesMessages?: boolean
  /**
   * What other sessions changed is reported before it runs: STORE, whose own answers would hide it.
   */
  readonly syncsFirst?: boolean
  /** The server must send no EXPUNGE during it or right after it: FETCH, STORE, SEARCH without UID (RFC 9051 §7.5.1). */
  readonly holdsExpunges?: boolean | ((context: CommandContext) => boolean)
  /** Reads the arguments up to the end; whatever is left over is refused by the caller. Throws `BadCommand`. */
  parse(args: Arguments, session: ImapSession, context: CommandContext): A
  /** `StoreRefusal` and `BadCommand` may be thrown: each becomes its tagged answer. */
  run(session: ImapSession, args: A, context: CommandContext): Promise<Completion>
}

/** A command whose arguments are its own business. */
export type ImapCommand = Omit<Command<unknown>, 'parse' | 'run'> & {
  /** Reads the arguments; gives what runs it. */
  prepare(args: Arguments, session: ImapSession, context: CommandContext): () => Promise<Completion>
}

export const defineCommand = <A>({ parse, run, ...rest }: Command<A>): ImapCommand => ({
  ...rest,
  prepare(args, session, context) {
    const parsed = parse(args, session, context)
    args.end()
    return () => run(session, parsed, context)
  },
})
