import type { AddressPart, CommandDefinition, Match, SieveExtension, TagDefinition, TestDefinition } from './define.ts'
import type { Language } from './language.ts'
import type { SieveProblem } from './problems.ts'
import type { Run } from './run-state.ts'

/** A string of a script: as it stands, or made when it is used. */
export type Text = string | { make(run: Run): string }

export type Value =
  | { readonly kind: 'strings'; readonly items: readonly Text[]; readonly isList: boolean }
  | { readonly kind: 'number'; readonly value: number }

/** A command or test with its arguments sorted out. `arguments.ts` reads them. */
export type Call = {
  readonly name: string
  readonly at: number
  readonly script: ScriptInfo
  /** Positional arguments; null for an optional one that was left out. */
  readonly values: readonly (Value | null)[]
  readonly tags: ReadonlyMap<string, { readonly definition: TagDefinition; readonly value: Value | null }>
  readonly tests: readonly CompiledTest[]
  readonly block: readonly CompiledCommand[]
  readonly match: Match | null
  /** The address part with its name, where one was written. */
  readonly addressPart: AddressPart | null
}

export type CompiledTest = {
  readonly definition: TestDefinition
  readonly call: Call
  readonly constant: boolean | null
}
export type CompiledCommand = { readonly definition: CommandDefinition; readonly call: Call }

export type ScriptInfo = {
  readonly language: Language
  readonly source: string
  /** Required by the script or brought in by what it requires, in that order. */
  readonly extensions: Set<SieveExtension>
}

/** A script that can be run, as often as wanted and at the same time. */
export type SieveScript = ScriptInfo & { readonly commands: readonly CompiledCommand[] }

export type Compilation =
  | { readonly script: SieveScript; readonly problems: readonly [] }
  | { readonly script: null; readonly problems: readonly SieveProblem[] }
