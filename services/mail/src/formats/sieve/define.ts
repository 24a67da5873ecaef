import type { SieveAction } from './action-types.ts'
import type { Call, Text } from './compiled.ts'
import type { MaybePromise, SieveHeader } from './message.ts'
import type { Run } from './run-state.ts'

export type ArgumentKind = 'string' | 'strings' | 'number'

/** A tagged argument: `:name`, or `:name value`. */
export type TagDefinition = {
  readonly value?: ArgumentKind
  /** Only one tag with the same word here can be used in a call. */
  readonly oneOf?: string
  /** Returns what is wrong with the call that has this tag. Constant strings only: the rest is known when it runs. */
  check?(call: Call): string | null
  /** Adds the tag's meaning to the action of its command. */
  apply?(action: SieveAction, call: Call, run: Run): void
  /** Changes a value before `set` stores it; higher ranks come first (RFC 5229 §4.1). */
  readonly modifier?: { readonly rank: number; modify(text: string): string }
  /** Changes what `header`, `address`, `exists` and `date` see. Sources come before selections, values come last. */
  readonly headers?: {
    readonly stage: 'source' | 'select' | 'value'
    pick(found: readonly SieveHeader[], call: Call, run: Run, name: string): SieveHeader[]
  }
}

export type Tags = Readonly<Record<string, TagDefinition>>

/** How a command or test is written. */
export type Signature = {
  /** Arguments without a tag, in their order. */
  readonly positional?: readonly ArgumentKind[]
  /** The first positional argument can be left out; its value is then null. */
  readonly firstIsOptional?: boolean
  readonly lastIsOptional?: boolean
  readonly tests?: 'one' | 'list'
  readonly tags?: Tags
  /** Takes match types and a comparator; its last positional argument has the keys. */
  readonly matches?: boolean
  /** Takes an address part. */
  readonly addressPart?: boolean
  /** Returns what is wrong with a well-formed call. */
  check?(call: Call, scope: CheckScope): string | null
}

/** The position of a call while it is checked. */
export type CheckScope = {
  readonly enclosing: readonly Call[]
  hasExtension(name: string): boolean
  isAvailable(name: string): boolean
  /** Makes an extension usable from here on, as `require` does. */
  enable(name: string): void
  /** Notes of earlier calls for later ones. */
  readonly notes: Set<string>
}

/** What the runner does after a command: go on with the next one, unless a flow is returned. */
export type Flow =
  /** Ends all scripts. */
  | { readonly kind: 'stop' }
  /** Ends this script. */
  | { readonly kind: 'return' }
  /** Ends all blocks up to that of the call, which goes on from there. */
  | { readonly kind: 'leave'; readonly call: Call }

/** For commands of a choice: whether this branch was the one, and what its block led to. */
export type BranchFlow = { readonly kind: 'branch'; readonly taken: boolean; readonly after: Flow | undefined }

export type CommandDefinition = Signature & {
  readonly block?: boolean
  /** Stands at the start of a script, before everything else. */
  readonly opens?: boolean
  /** Belongs to a choice: once a branch was taken, the others after the first are not run. */
  readonly branch?: 'first' | 'other'
  run(call: Call, run: Run): MaybePromise<Flow | BranchFlow | undefined>
}

export type TestDefinition = Signature & {
  test(call: Call, run: Run): MaybePromise<boolean>
  /** The answer, where the text of the script alone decides it. */
  constant?(call: Call, scope: CheckScope): boolean | null
  /** The result of a nested test that ends the evaluation, as with `anyof` and `allof`. */
  readonly decidedBy?: boolean
}

export type MatchType = {
  /** The tag's own argument, as in `:value "gt"`. */
  readonly operands?: readonly string[]
  /** Looks into strings, which a comparator such as i;ascii-numeric does not allow. */
  readonly needsSubstrings?: boolean
  /** Returns what is wrong with a constant key. */
  checkKey?(key: string): string | null
  match(values: readonly string[], keys: readonly string[], match: Match, run: Run): MaybePromise<boolean>
}

/** How a test compares. */
export type Match = { readonly type: MatchType; readonly comparator: Comparator; readonly operand: string | null }

export type Comparator = {
  readonly name: string
  readonly hasSubstrings: boolean
  /** Strings that fold to the same are equal. */
  fold(text: string): string
  /** Below, at or above 0, as for sorting. */
  order(left: string, right: string): number
  /** What `?` takes one of, where folding can change how many characters there are; else they are those of Unicode. */
  characters?(text: string): readonly string[]
  /** Operations that folding a text takes, where they are many. */
  work?(text: string): number
}

/** The part of an address that a test looks at, or null when the address has no such part. */
export type AddressPart = (address: SplitAddress, run: Run) => string | null
export type SplitAddress = { readonly all: string; readonly local: string; readonly domain: string }

export type Namespace = {
  read(name: string, run: Run): string
  /** Without this, `set` cannot change its variables. */
  write?(name: string, value: string, run: Run): void
}

/** A capability that a script can require, with everything that it adds to the language. */
export type SieveExtension = {
  readonly name: string
  /** Extensions that come with this one. */
  readonly includes?: readonly string[]
  readonly commands?: Readonly<Record<string, CommandDefinition>>
  readonly tests?: Readonly<Record<string, TestDefinition>>
  /** Tags for commands and tests of others, by their name. */
  readonly tags?: Readonly<Record<string, Tags>>
  readonly matchTypes?: Readonly<Record<string, MatchType>>
  readonly comparators?: readonly Comparator[]
  readonly addressParts?: Readonly<Record<string, AddressPart>>
  /** Reads strings of the script. Throws SieveSyntaxError for a string that cannot be right. */
  readonly strings?: {
    readonly stage: 'characters' | 'variables'
    read(text: string, at: number, enabled: ReadonlySet<SieveExtension>): Text
  }
  /** Variables such as `${env.name}`, by the word before the dot (RFC 5229 §3). */
  readonly namespaces?: Readonly<Record<string, Namespace>>
  /** Completes an action before it is added to the result. */
  prepare?(action: SieveAction, run: Run): void
}

/** An extension, with its types checked where it is written. */
export const defineExtension = <const N extends string>(extension: SieveExtension & { readonly name: N }) => extension
